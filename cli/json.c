#include "json.h"

#include "csv.h"
#include "utf8.h"

#include <math.h>

cli_json cli_json_begin(FILE *out) {
  fputc('{', out);
  return (cli_json){.out = out};
}

void cli_json_end(cli_json *json) {
  fprintf(json->out, "\n}\n");
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

static void put_name(cli_json *json, const char *name) {
  fputs(json->members[json->depth]++ > 0 ? ",\n  " : "\n  ", json->out);
  if (name != NULL) {
    fprintf(json->out, "\"%s\": ", name);
  }
}

void cli_json_open(cli_json *json, const char *name, char bracket) {
  put_name(json, name);
  fputc(bracket, json->out);
  json->members[++json->depth] = 0;
}

void cli_json_shut(cli_json *json, char bracket) {
  json->depth--;
  fprintf(json->out, "%c", bracket == '[' ? ']' : '}');
}

void cli_json_text(cli_json *json, const char *name, const char *value) {
  put_name(json, name);
  put_text(json->out, value);
}

void cli_json_number(cli_json *json, const char *name, double value) {
  put_name(json, name);
  put_number(json->out, value);
}

void cli_json_count(cli_json *json, const char *name, long long value) {
  put_name(json, name);
  fprintf(json->out, "%lld", value);
}

void cli_json_numbers(cli_json *json, const char *name, const double *values, int n) {
  put_name(json, name);
  fputc('[', json->out);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ", " : "", json->out);
    put_number(json->out, values[i]);
  }
  fputc(']', json->out);
}

void cli_json_short(cli_json *json, const char *name, const double *values, int n) {
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

void cli_json_raw(cli_json *json, const char *name, const char *value) {
  put_name(json, name);
  fputs(value[0] != '\0' ? value : "null", json->out);
}

void cli_json_texts(cli_json *json, const char *name, char **values, int n) {
  put_name(json, name);
  fputc('[', json->out);
  for (int i = 0; i < n; i++) {
    fputs(i > 0 ? ", " : "", json->out);
    put_text(json->out, values[i]);
  }
  fputc(']', json->out);
}
