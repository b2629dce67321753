#include "json.h"

#include "csv.h"
#include "utf8.h"

#include <math.h>
#include <string.h>

cq_json cq_json_begin(FILE *out) {
  fputc('{', out);
  return (cq_json){.out = out};
}

cq_json cq_json_bare(FILE *out) {
  return (cq_json){.out = out, .bare = true};
}

void cq_json_end(cq_json *json) {
  fputs(json->bare ? "\n" : "\n}\n", json->out);
}

static void put_text(FILE *out, const char *text) {
  fputc('"', out);
  for (char c[5]; cq_utf8_next(&text, c) > 0;) {
    if (*c == '"' || *c == '\\') {
      fprintf(out, "\\%s", c);
    } else if ((unsigned char)*c < 0x20) {
      fprintf(out, "\\u%04x", (unsigned)*c);
    } else {
      fputs(c, out);
    }
  }
  fputc('"', out);
}

static void put_number(FILE *out, double value) {
  if (isfinite(value)) {
    cq_csv_number(out, value);
  } else {
    fputs("null", out);
  }
}

static void put_name(cq_json *json, const char *name) {
  const bool first = json->members[json->depth]++ == 0;
  fputs(!first ? ",\n  " : json->bare && json->depth == 0 ? "  " : "\n  ", json->out);
  if (name != NULL) {
    fprintf(json->out, "\"%s\": ", name);
  }
}

/* Their last line ends as if nothing followed. */
void cq_json_put(cq_json *json, const char *members) {
  const size_t length = strlen(members);
  fputs(json->members[json->depth]++ > 0 ? ",\n" : "\n", json->out);
  fprintf(json->out, "%.*s", (int)(length > 0 ? length - 1 : 0), members);
}

void cq_json_open(cq_json *json, const char *name, char bracket) {
  put_name(json, name);
  fputc(bracket, json->out);
  json->members[++json->depth] = 0;
}

void cq_json_shut(cq_json *json, char bracket) {
  json->depth--;
  fprintf(json->out, "%c", bracket == '[' ? ']' : '}');
}

void cq_json_text(cq_json *json, const char *name, const char *value) {
  put_name(json, name);
  put_text(json->out, value);
}

void cq_json_number(cq_json *json, const char *name, double value) {
  put_name(json, name);
  put_number(json->out, value);
}

void cq_json_count(cq_json *json, const char *name, long long value) {
  put_name(json, name);
  fprintf(json->out, "%lld", value);
}

void cq_json_numbers(cq_json *json, const char *name, const double *values, int n) {
  put_name(json, name);
  fputc('[', json->out);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ", " : "", json->out);
    put_number(json->out, values[i]);
  }
  fputc(']', json->out);
}

void cq_json_short(cq_json *json, const char *name, const double *values, int n) {
  put_name(json, name);
  fputc('[', json->out);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? "," : "", json->out);
    if (isfinite(values[i])) {
      fprintf(json->out, "%.7g", values[i]);
    } else {
      fputs("null", json->out);
    }
  }
  fputc(']', json->out);
}

void cq_json_raw(cq_json *json, const char *name, const char *value) {
  put_name(json, name);
  fputs(value[0] != '\0' ? value : "null", json->out);
}

void cq_json_texts(cq_json *json, const char *name, char **values, int n) {
  put_name(json, name);
  fputc('[', json->out);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ", " : "", json->out);
    put_text(json->out, values[i]);
  }
  fputc(']', json->out);
}

/* By its line. */
void cq_json_member(const char *json, const char *name, char *value, size_t size) {
  char key[64];
  snprintf(key, sizeof key, "\n  \"%s\": ", name);
  const char *const found = strstr(json, key);
  snprintf(value, size, "-");
  if (found == NULL) {
    return;
  }
  const char *from = found + strlen(key);
  size_t used = 0;
  const bool quoted = *from == '"';
  from += quoted;
  while (*from != '\0' && *from != '\n' && used + 1 < size && !(quoted && *from == '"')) {
    from += *from == '\\' && from[1] != '\0';
    value[used++] = *from++;
  }
  if (!quoted && used > 0 && value[used - 1] == ',') {
    used--;
  }
  value[used] = '\0';
}
