/* What the schema says of a word: for `cqopt help WORD`. */
#include "cqopt/problem.h"
#include "schema_text.h"
#include "schema_words.h"
#include "wrap.h"

#include <string.h>

/* The word of a row that is meant, with its length; length 0: none is. */
static const char *word_of(const cq_key_row *row, const char *wanted, int *length) {
  char text[64];
  for (int i = 0;; i++) {
    const char *const word = cq_word(row->words, i, length);
    snprintf(text, sizeof text, "%.*s", *length, word);
    if (*length == 0 || cq_same_word(text, wanted)) {
      return word;
    }
  }
}

/* Whether the key has a meaning with `decider = word` and not with every other choice of it. */
static bool depends_on(const cq_key_row *row, const cq_key_row *decider, const char *word) {
  const size_t length = strcspn(row->only, "=");
  return row->owner == decider->owner && (decider->part == NULL || row->part == decider->part) &&
         row->only[length] == '=' && strlen(decider->key) == length &&
         strncmp(row->only, decider->key, length) == 0 &&
         cq_word_index(row->only + length + 1, word) >= 0;
}

/* The rows of one owner that are the same key, with its words beside a line on each, where there is
 * one. */
static void print_key(FILE *out, const cq_key_row *row) {
  int length = 0;
  cq_row_print(out, row, true);
  for (int i = 0;; i++) {
    const char *const word = cq_word(row->words, i, &length);
    const char *const about = cq_term_about(word, length);
    if (length == 0 || about == NULL) {
      return;
    }
    cq_wrap(out, fprintf(out, "    %-20.*s ", length, word), 25, about);
    fputc('\n', out);
  }
}

/* "density", "densities"? A list of words is asked for by the key that they are values of. */
static bool is_key(const cq_key_row *row, const char *wanted) {
  char plural[64];
  snprintf(plural, sizeof plural, "%ss", row->key);
  return cq_same_word(row->key, wanted) ||
         (row->type == CQ_TYPE_WORD && cq_same_word(plural, wanted));
}

/* A key of any section, under the name of the section. */
static bool explain_keys(FILE *out, const char *wanted) {
  bool found = false;
  int owner = -1;
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (!is_key(row, wanted) || cq_row_is_again(row)) {
      continue;
    }
    if (owner != (int)row->owner) {
      fprintf(out, "\nkey of %s\n", cq_words_sections_of(row->owner).text);
      owner = (int)row->owner;
    }
    print_key(out, row);
    found = true;
  }
  return found;
}

/* Whether an earlier section has the same choice: it is printed there. */
static bool is_choice_again(const cq_key_row *row) {
  for (const cq_key_row *other = cq_key_rows(); other != row; other++) {
    if (strcmp(other->key, row->key) == 0 && strcmp(other->words, row->words) == 0) {
      return true;
    }
  }
  return false;
}

/* "bodies, groups, parts: shape = "ball"": all sections that have the same choice. */
static void print_choice(FILE *out, const cq_key_row *row, const char *word) {
  char text[300] = "";
  int owner = -1;
  size_t used = 0;
  for (const cq_key_row *other = row; other->key != NULL; other++) {
    if ((int)other->owner != owner && strcmp(other->key, row->key) == 0 &&
        strcmp(other->words, row->words) == 0) {
      snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "",
               cq_words_sections_of(other->owner).text);
      used = strlen(text);
      owner = (int)other->owner;
    }
  }
  snprintf(text + used, sizeof text - used, ": %s = \"%s\"", row->key, word);
  fputc('\n', out);
  cq_wrap(out, 0, 2, text);
  fputc('\n', out);
}

/* A value of a key, and the keys that have a meaning with it. */
static bool explain_words(FILE *out, const char *wanted) {
  bool found = false;
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    char word[64];
    int length = 0;
    const char *const text = word_of(row, wanted, &length);
    const char *const about = cq_term_about(text, length);
    if (length == 0 || is_choice_again(row)) {
      continue;
    }
    snprintf(word, sizeof word, "%.*s", length, text);
    print_choice(out, row, word);
    if (about != NULL) {
      fprintf(out, "  %s\n", about);
    } else {
      cq_row_print(out, row, true);
    }
    for (const cq_key_row *own = cq_key_rows(); own->key != NULL; own++) {
      if (depends_on(own, row, word)) {
        cq_row_print(out, own, false);
      }
    }
    found = true;
  }
  return found;
}

bool cq_schema_explain(FILE *out, const char *word) {
  const bool section = cq_schema_print(out, word);
  const bool key = explain_keys(out, word);
  return explain_words(out, word) || key || section;
}

int cq_schema_nearest(const char *wrong, char *name, size_t size) {
  cq_nearest nearest = cq_nearest_begin(wrong);
  for (const cq_section_row *row = cq_section_rows; row->path != NULL; row++) {
    const char *const dot = strchr(row->path, '.');
    char first[32];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(row->path, "."), row->path);
    cq_words_offer(&nearest, first);
    cq_words_offer(&nearest, dot != NULL ? dot + 1 : row->path);
  }
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    cq_words_offer(&nearest, row->key);
    cq_words_offer_all(&nearest, row->words);
  }
  snprintf(name, size, "%s", nearest.best);
  return nearest.distance;
}

/* Whether a key of a section is meant, and by its own name. */
static bool is_meant(const cq_key_row *row, const char *word, bool *by_name) {
  cq_nearest nearest = cq_nearest_begin(word);
  cq_words_offer(&nearest, row->key);
  *by_name = cq_same_word(row->key, word);
  return nearest.distance <= 1;
}

bool cq_schema_key(const char *word, char *path, size_t size) {
  int found = 0;
  bool named = false;
  path[0] = '\0';
  for (const cq_section_row *s = cq_section_rows; s->path != NULL; s++) {
    for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
      bool by_name = false;
      if (s->is_list || row->owner != s->owner || cq_row_is_again(row) ||
          !is_meant(row, word, &by_name) || (named && !by_name)) {
        continue;
      }
      char here[96];
      snprintf(here, sizeof here, "%s.%s", s->path, row->key);
      if (strcmp(here, path) == 0) { /* two engines have it */
        continue;
      }
      snprintf(path, size, "%s", here);
      found = named || !by_name ? found + 1 : 1; /* its own name goes before others */
      named = by_name;
    }
  }
  return found == 1;
}
