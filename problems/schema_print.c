/* The schema as text: for `cqopt help schema` and docs/problem-file.md. */
#include "cqopt/problem.h"
#include "nearest.h"
#include "schema_text.h"
#include "wrap.h"

#include <string.h>

/* The first section before the row's that has the same key; NULL: there is none. */
static const cq_section_row *twin_before(const cq_key_row *row) {
  for (const cq_section_row *s = cq_section_rows; s->path != NULL && s->owner != row->owner; s++) {
    for (const cq_key_row *other = cq_key_rows(); other->key != NULL; other++) {
      if (other->owner == s->owner && cq_rows_are_twins(other, row)) {
        return s;
      }
    }
  }
  return NULL;
}

/* "as in bodies  low, center, size": the keys that are the same as there. */
static void print_twins(FILE *out, cq_owner owner, const cq_section_row *section) {
  char list[400] = "", head[40];
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && twin_before(row) == section && !cq_row_is_again(row)) {
      const size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", row->key);
    }
  }
  if (list[0] != '\0') {
    snprintf(head, sizeof head, "as in %s", section->path);
    cq_wrap(out, fprintf(out, "  %-20s ", head), 23, list);
    fputc('\n', out);
  }
}

/* The keys of a section; once: those that an earlier one has just so are only named. */
static void print_keys(FILE *out, cq_owner owner, bool once) {
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && !cq_row_is_again(row) && !(once && twin_before(row) != NULL)) {
      cq_row_print(out, row, true);
    }
  }
  for (const cq_section_row *s = cq_section_rows; once && s->path != NULL; s++) {
    print_twins(out, owner, s);
  }
}

static void print_heading(FILE *out, const char *path, const char *shape, const char *help) {
  char text[300];
  snprintf(text, sizeof text, "%s = %s  (%s)", path, shape, help);
  fputc('\n', out);
  cq_wrap(out, 0, 4, text);
  fputc('\n', out);
}

static void print_section(FILE *out, const cq_section_row *row, bool once) {
  print_heading(out, row->path, row->is_list ? "( {...}, ... )" : "{ ... }", row->help);
  print_keys(out, row->owner, once);
}

static void print_parts(FILE *out, bool once) {
  print_heading(out, "parts", "( {...}, ... )",
                "of a composite shape, in bodies, groups and parts");
  print_keys(out, CQ_OWNER_part, once);
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
  fputs("Problem files are libconfig text: key = value; with groups { } and lists ( ).\n"
        "SI units. A number may be written as a fraction in quotes, \"1/120\". Words may be\n"
        "in any case. Any key can be set from the command line:\n"
        "--set simulation.steps=100, --set bodies.[0].density=2.\n",
        out);
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    if (first_alike(row) == row) {
      print_section(out, row, true);
    } else {
      print_heading(out, row->path, "( {...}, ... )", row->help);
      fprintf(out, "  as in %-14s all keys\n", first_alike(row)->path);
    }
  }
  print_parts(out, true);
}

/* "boundaries" stands for all sections in it, and "domain" for boundaries.domain. */
static bool is_meant(const cq_section_row *row, const char *name) {
  char first[32];
  const char *const dot = strchr(row->path, '.');
  snprintf(first, sizeof first, "%.*s", (int)strcspn(row->path, "."), row->path);
  return cq_same_word(row->path, name) || cq_same_word(first, name) ||
         (dot != NULL && cq_same_word(dot + 1, name));
}

bool cq_schema_print(FILE *out, const char *section) {
  if (section == NULL) {
    print_all(out);
    return true;
  }
  bool found = cq_same_word("parts", section);
  if (found) {
    print_parts(out, false);
  }
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    if (is_meant(row, section)) {
      print_section(out, row, false);
      found = true;
    }
  }
  return found;
}

const char *cq_schema_section(int i) {
  return i < cq_n_sections ? cq_section_rows[i].path : NULL;
}
