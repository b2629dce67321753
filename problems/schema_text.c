#include "schema_text.h"

#include "wrap.h"

#include <stdarg.h>
#include <string.h>

enum { KEY = 23, KIND = 25 }; /* columns of what stands beside a key */

/* text that grows */
typedef struct line {
  char text[1500];
  size_t used;
} line;

static void add(line *l, const char *fmt, ...) CQ_PRINTF(2, 3);
static void add(line *l, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const int n = vsnprintf(l->text + l->used, sizeof l->text - l->used, fmt, args);
  va_end(args);
  l->used += n > 0 ? (size_t)n : 0;
  l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
}

static void add_words(line *l, const char *words) {
  int length = 0;
  for (int i = 0;; i++) {
    const char *word = cq_word(words, i, &length);
    if (length == 0) {
      return;
    }
    add(l, "%s%.*s", i > 0 ? ", " : "", length, word);
  }
}

static bool same_key(const cq_key_row *a, const cq_key_row *b) {
  return strcmp(a->key, b->key) == 0 && a->part == b->part && a->type == b->type &&
         a->range == b->range && strcmp(a->unit, b->unit) == 0 && strcmp(a->words, b->words) == 0 &&
         strcmp(a->help, b->help) == 0;
}

bool cq_rows_are_one(const cq_key_row *a, const cq_key_row *b) {
  return a->owner == b->owner && same_key(a, b);
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool cq_rows_are_twins(const cq_key_row *a, const cq_key_row *b) {
  return a->owner != b->owner && same_key(a, b) && same_text(a->fallback, b->fallback) &&
         strcmp(a->only, b->only) == 0;
}

bool cq_row_is_again(const cq_key_row *row) {
  for (const cq_key_row *other = cq_key_rows(); other != row; other++) {
    if (cq_rows_are_one(other, row)) {
      return true;
    }
  }
  return false;
}

/* the row of the key that decides about this one, "term" of "term=distance" */
static const cq_key_row *decider_of(const cq_key_row *row) {
  const size_t length = strcspn(row->only, "=");
  for (const cq_key_row *other = cq_key_rows(); other->key != NULL; other++) {
    if (other->owner == row->owner && (other->part == NULL || other->part == row->part) &&
        strlen(other->key) == length && strncmp(other->key, row->only, length) == 0) {
      return other;
    }
  }
  return NULL;
}

/* Whether the key has a meaning with the word; `same_default`: and the row's default. */
static bool holds(const cq_key_row *row, const char *word, int length, bool same_default) {
  char text[64];
  snprintf(text, sizeof text, "%.*s", length, word);
  for (const cq_key_row *other = cq_key_rows(); other->key != NULL; other++) {
    if (cq_rows_are_one(other, row) && other->only[0] != '\0' &&
        cq_word_index(strchr(other->only, '=') + 1, text) >= 0 &&
        (!same_default || same_text(other->fallback, row->fallback))) {
      return true;
    }
  }
  return false;
}

/* Adds the decider's words with which the key has a meaning, or has none; returns their number. */
static int add_choices(line *l, const cq_key_row *row, const char *words, bool wanted) {
  int length = 0, n = 0;
  for (int i = 0;; i++) {
    const char *word = cq_word(words, i, &length);
    if (length == 0) {
      return n;
    }
    if (holds(row, word, length, false) == wanted) {
      add(l, "%s%.*s", n++ > 0 ? ", " : "", length, word);
    }
  }
}

/* "; with shape = ball", or "; with every term but mass" where that is shorter */
static void add_choice(line *l, const cq_key_row *row) {
  const cq_key_row *const decider = row->only[0] != '\0' ? decider_of(row) : NULL;
  line with = {.used = 0}, without = {.used = 0};
  if (decider == NULL) {
    return;
  }
  add_choices(&with, row, decider->words, true);
  const int n = add_choices(&without, row, decider->words, false);
  if (n > 0 && without.used < with.used) {
    add(l, "; with every %s but %s", decider->key, without.text);
  } else if (n > 0) {
    add(l, "; with %s = %s", decider->key, with.text);
  }
}

/* "; default end", and where it is another one */
static void add_default(line *l, const cq_key_row *row, bool with_others) {
  if (row->fallback == cq_required) {
    add(l, "; required");
    return;
  }
  if (row->fallback == NULL || row->fallback[0] == '\0') {
    return;
  }
  const char *before = NULL;
  add(l, "; default %s", row->fallback);
  for (const cq_key_row *other = row + 1; with_others && other->key != NULL; other++) {
    if (cq_rows_are_one(other, row) && !same_text(other->fallback, row->fallback)) {
      add(l, "%s", before == NULL ? " (" : ", ");
      if (!same_text(before, other->fallback)) {
        add(l, "%s with ", other->fallback);
      }
      add_words(l, strchr(other->only, '=') + 1);
      before = other->fallback;
    }
  }
  add(l, "%s", before != NULL ? ")" : "");
}

/* "number [m], > 0; default 0.5; with shape = ball" */
static void add_kind(line *l, const cq_key_row *row, bool with_choice) {
  add(l, "%s", cq_type_text[row->type]);
  if (row->unit[0] != '\0') {
    add(l, " [%s]", row->unit);
  }
  if (row->range->text[0] != '\0') {
    add(l, ", %s", row->range->text);
  }
  if (cq_word_index(row->words, "axis") == 0) {
    const char *others = row->words + strlen("axis");
    add(l, ", or an axis x, y, z%s", others[0] != '\0' ? ", or " : "");
    add_words(l, others);
  } else if (row->words[0] != '\0') {
    add(l, "%s", row->type == CQ_TYPE_WORD ? ": " : ", or ");
    add_words(l, row->words);
  }
  add_default(l, row, with_choice);
  if (with_choice) {
    add_choice(l, row);
  }
  if (row->part != NULL && cq_engine_part_at(1) != NULL) {
    add(l, "; engine %s", row->part->name);
  }
}

void cq_row_print(FILE *out, const cq_key_row *row, bool with_choice) {
  line kind = {.used = 0};
  add_kind(&kind, row, with_choice);
  cq_wrap(out, fprintf(out, "  %-*s ", KEY - 3, row->key), KEY, row->help);
  cq_wrap(out, fprintf(out, "\n%*s", KIND, "") - 1, KIND + 2, kind.text);
  fputc('\n', out);
}

const char *cq_term_about(const char *word, int length) {
  static const struct {
    const char *name, *about;
  } terms[] = {
#define CQ_TERM(name, belongs, when, ...) {#name, CQ_TERM_ABOUT_##name},
#include "term_list.h"
#undef CQ_TERM
  };
  for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
    if ((int)strlen(terms[i].name) == length && strncmp(terms[i].name, word, (size_t)length) == 0) {
      return terms[i].about;
    }
  }
  return NULL;
}
