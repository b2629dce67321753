#include "schema_words.h"

#include "status.h"

#include <string.h>

/* The word among "a|b|c" that a text means; length 0: none. */
static const char *word_like(const char *words, const char *text, int *length) {
  char here[64];
  for (int i = 0;; i++) {
    const char *const word = cq_word(words, i, length);
    snprintf(here, sizeof here, "%.*s", *length, word);
    if (*length == 0 || cq_same_word(here, text)) {
      return word;
    }
  }
}

/* A text that is not a word of the row stays as it is: another reader judges it. */
static cq_status spell(const cq_config *config, const cq_key_row *row, cq_node *node) {
  int length = 0;
  if (node->type != CQ_NODE_TEXT) {
    return CQ_OK;
  }
  const char *word = word_like(row->words, node->text, &length);
  if (length == 0 && cq_word_index(row->words, "axis") == 0) {
    word = word_like("x|y|z", node->text, &length);
  }
  return length > 0 ? cq_arena_text(config->arena, &node->text, "%.*s", length, word) : CQ_OK;
}

cq_status cq_words_spell(const cq_config *config, cq_owner owner, cq_node *section) {
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    cq_node *const node =
        row->owner == owner && row->words[0] != '\0' && cq_key_row_counts(row, section)
            ? cq_node_find(section, row->key)
            : NULL;
    if (node == NULL) {
      continue;
    }
    CQ_TRY(spell(config, row, node));
  }
  return CQ_OK;
}

static const cq_also_called also_called[] = {
#define CQ_ALSO(word, name) {word, name},
#include "also_called.h"
#undef CQ_ALSO
    {NULL, NULL},
};

static void offer_others(cq_nearest *nearest, const cq_also_called *also, const char *name) {
  for (; also != NULL && also->word != NULL; also++) {
    if (strcmp(also->name, name) == 0 && cq_same_word(also->word, nearest->wrong)) {
      cq_nearest_offer_as(nearest, nearest->wrong, name);
    }
  }
}

void cq_words_offer(cq_nearest *nearest, const char *name) {
  const cq_engine_part *part = NULL;
  cq_nearest_offer(nearest, name);
  offer_others(nearest, also_called, name);
  for (int i = 0; (part = cq_engine_part_at(i)) != NULL; i++) {
    offer_others(nearest, part->also_called, name);
  }
}

void cq_words_offer_all(cq_nearest *nearest, const char *words) {
  char text[64];
  int length = 0;
  for (int i = 0;; i++) {
    const char *const word = cq_word(words, i, &length);
    if (length == 0) {
      return;
    }
    snprintf(text, sizeof text, "%.*s", length, word);
    cq_words_offer(nearest, text);
  }
}

cq_words_list cq_words_quoted(const char *words) {
  cq_words_list list = {""};
  int length = 0;
  for (int i = 0;; i++) {
    const char *const word = cq_word(words, i, &length);
    const size_t used = strlen(list.text);
    if (length == 0) {
      return list;
    }
    snprintf(list.text + used, sizeof list.text - used, "%s\"%.*s\"", i > 0 ? ", " : "", length,
             word);
  }
}

static bool has_key(cq_owner owner, const cq_node *key) {
  for (const cq_key_row *row = cq_key_rows(); row->key != NULL; row++) {
    if (row->owner == owner && strcmp(row->key, key->name) == 0 && cq_key_row_counts(row, key)) {
      return true;
    }
  }
  return false;
}

static bool is_listed(cq_owner own, cq_owner owner, const cq_node *key) {
  return key != NULL ? has_key(own, key) : own == owner;
}

/* The sections of an owner, or with key not NULL those that have it. */
static cq_sections_text list_sections(cq_owner owner, const cq_node *key) {
  cq_sections_text out = {""};
  int left = 0;
  for (int i = 0; i < cq_n_sections; i++) {
    left += is_listed(cq_section_rows[i].owner, owner, key);
  }
  for (int i = 0; i < cq_n_sections; i++) {
    const size_t used = strlen(out.text);
    if (is_listed(cq_section_rows[i].owner, owner, key)) {
      left--;
      snprintf(out.text + used, sizeof out.text - used, "%s%s",
               used == 0 ? "" : (left == 0 ? " and " : ", "), cq_section_rows[i].path);
    }
  }
  return out;
}

cq_sections_text cq_words_sections_with(const cq_node *key) {
  return list_sections((cq_owner)0, key);
}

cq_sections_text cq_words_sections_of(cq_owner owner) {
  cq_sections_text out = list_sections(owner, NULL);
  if (out.text[0] == '\0') {
    snprintf(out.text, sizeof out.text, "parts");
  }
  return out;
}
