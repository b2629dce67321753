/* The schema as text: for `cqopt help schema` and docs/problem-file.md. */
#include "cqopt/problem.h"
#include "schema_rows.h"

#include <string.h>

static void print_words(FILE *out, const char *words) {
  int length = 0;
  for (int i = 0;; i++) {
    const char *word = cq_word(words, i, &length);
    if (length == 0) {
      return;
    }
    fprintf(out, "%s%.*s", i > 0 ? ", " : "", length, word);
  }
}

/* "number [m], > 0, default 0.5, with shape = ball" */
static void print_kind(FILE *out, const cq_key_row *row) {
  fputs(cq_type_text[row->type], out);
  if (row->unit[0] != '\0') {
    fprintf(out, " [%s]", row->unit);
  }
  if (cq_ranges[row->range].text[0] != '\0') {
    fprintf(out, ", %s", cq_ranges[row->range].text);
  }
  if (cq_word_index(row->words, "axis") == 0) {
    const char *others = row->words + strlen("axis");
    fputs(", or an axis x, y, z", out);
    fputs(others[0] != '\0' ? ", or " : "", out);
    print_words(out, others);
  } else if (row->words[0] != '\0') {
    fputs(row->type == CQ_TYPE_WORD ? ": " : ", or ", out);
    print_words(out, row->words);
  }
  if (row->fallback == cq_required) {
    fputs("; required", out);
  } else if (row->fallback != NULL && row->fallback[0] != '\0') {
    fprintf(out, "; default %s", row->fallback);
  }
  if (row->only[0] != '\0') {
    const char *equal = strchr(row->only, '=');
    fprintf(out, "; with %.*s = ", (int)(equal - row->only), row->only);
    print_words(out, equal + 1);
  }
}

static void print_keys(FILE *out, cq_owner owner) {
  for (const cq_key_row *row = cq_key_rows; row->key != NULL; row++) {
    if (row->owner != owner) {
      continue;
    }
    fprintf(out, "  %-20s %s\n  %-20s   ", row->key, row->help, "");
    print_kind(out, row);
    fputc('\n', out);
  }
}

static void print_section(FILE *out, const cq_section_row *row) {
  fprintf(out, "\n%s %s(%s)\n", row->path, row->is_list ? "= ( {...}, ... )  " : "= { ... }  ",
          row->help);
  print_keys(out, row->owner);
}

static void print_parts(FILE *out) {
  fputs("\nparts = ( {...}, ... )  (of a composite shape, in bodies, groups and parts)\n", out);
  print_keys(out, CQ_OWNER_part);
}

/* the first section of the same struct */
static const cq_section_row *first_alike(const cq_section_row *row) {
  const cq_section_row *first = cq_section_rows;
  while (first->owner != row->owner) {
    first++;
  }
  return first;
}

static void print_all(FILE *out) {
  fputs("Problem files are libconfig text: key = value; with groups { } and lists ( ). SI units.\n"
        "A number may be written as a fraction in quotes, \"1/120\". Any key can be set from the\n"
        "command line: --set simulation.steps=100, --set bodies.[0].density=2.\n",
        out);
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    if (first_alike(row) == row) {
      print_section(out, row);
    } else {
      fprintf(out, "\n%s = ( {...}, ... )  (%s)\n  keys as above\n", row->path, row->help);
    }
  }
  print_parts(out);
}

bool cq_schema_print(FILE *out, const char *section) {
  if (section == NULL) {
    print_all(out);
    return true;
  }
  bool found = strcmp(section, "parts") == 0;
  if (found) {
    print_parts(out);
  }
  const size_t length = strlen(section);
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    /* "boundaries" stands for both of its sections */
    const bool is_it = strncmp(row->path, section, length) == 0 &&
                       (row->path[length] == '\0' || row->path[length] == '.');
    if (is_it) {
      print_section(out, row);
    }
    found = found || is_it;
  }
  return found;
}

const char *cq_schema_section(int i) {
  return i < cq_n_sections ? cq_section_rows[i].path : NULL;
}
