#include "schema_rows.h"

#include "block_kinds.h"
#include "controller.h"
#include "shapes.h"

#include <string.h>

/* Words of the list headers. The empty word before the first bar is skipped by the reader. */
#define CQ_ENGINE(name) "|" #name
static const char cq_engine_words[] =
#include "engine_list.h"
    ;
/* the first one is the default */
#undef CQ_ENGINE
#define CQ_ENGINE(name) #name,
static const char cq_engine_names[][16] = {
#include "engine_list.h"
};
#define CQ_MEMO(name) "|" #name
static const char cq_memo_words[] =
#include "memo_list.h"
    ;
#define CQ_CONTROLLER(name) "|" #name
static const char cq_controller_words[] =
#include "controller_list.h"
    ;
#define CQ_WORD_BOUNDED(name)   "|" name
#define CQ_WORD_UNBOUNDED(name) ""
#define CQ_SHAPE(name, extent)  CQ_WORD_##extent(#name)
static const char cq_shape_words[] =
#include "shape_list.h"
    ;
/* of block_kinds.h: cq_schema_make_words() */
static char cq_block_words[2048];
#define CQ_TERM(name, belongs, when, ...) "|" #name
static const char cq_term_words[] =
#include "term_list.h"
    ;
#undef CQ_TERM

/* which keys a block or a term takes, by what it belongs to */
#define CQ_YES(name)          "|" name
#define CQ_NO(name)           ""
#define CQ_KEY_BODY_BODY      CQ_YES
#define CQ_KEY_BODY_PARTICLES CQ_YES
#define CQ_KEY_BODY_CYCLE     CQ_YES
#define CQ_KEY_BODY_SCENE     CQ_NO
#define CQ_KEY_BODY_PAIR      CQ_YES
#define CQ_KEY_BODY_MARKERS   CQ_YES
#define CQ_KEY_BODY_CURVE     CQ_YES

static char cq_body_blocks[2048], cq_tie_blocks[2048], cq_field_blocks[2048], cq_term_blocks[256];

static void add_word(char *words, size_t size, const char *name, bool wanted) {
  const size_t used = strlen(words);
  if (wanted) {
    snprintf(words + used, size - used, "|%s", name);
  }
}

void cq_schema_make_words(void) {
  const cq_block_kind *kind = NULL;
  snprintf(cq_body_blocks, sizeof cq_body_blocks, "variable=");
  snprintf(cq_tie_blocks, sizeof cq_tie_blocks, "variable=");
  snprintf(cq_term_blocks, sizeof cq_term_blocks, "variable=");
  snprintf(cq_field_blocks, sizeof cq_field_blocks, "variable=");
  for (int i = 0; (kind = cq_block_kind_at(i)) != NULL; i++) {
    const bool field = kind->belongs == CQ_BELONGS_FIELD, body = kind->belongs == CQ_BELONGS_BODY;
    add_word(cq_block_words, sizeof cq_block_words, kind->name, true);
    add_word(cq_body_blocks, sizeof cq_body_blocks, kind->name, field || body);
    add_word(cq_tie_blocks, sizeof cq_tie_blocks, kind->name, kind->belongs != CQ_BELONGS_SCENE);
    add_word(cq_term_blocks, sizeof cq_term_blocks, kind->name, kind->belongs == CQ_BELONGS_TERM);
    add_word(cq_field_blocks, sizeof cq_field_blocks, kind->name, field);
  }
}

#define CQ_TERM(name, belongs, when, ...) CQ_KEY_BODY_##belongs(#name)
static const char cq_body_terms[] = "term="
#include "term_list.h"
    ;
#undef CQ_TERM
#define CQ_KEY_TO_BODY                    CQ_NO
#define CQ_KEY_TO_PARTICLES               CQ_NO
#define CQ_KEY_TO_CYCLE                   CQ_NO
#define CQ_KEY_TO_PAIR                    CQ_YES
#define CQ_KEY_TO_MARKERS                 CQ_NO
#define CQ_KEY_TO_CURVE                   CQ_NO
#define CQ_KEY_TO_SCENE                   CQ_NO
#define CQ_TERM(name, belongs, when, ...) CQ_KEY_TO_##belongs(#name)
static const char cq_pair_terms[] = "term="
#include "term_list.h"
    ;
#undef CQ_TERM

#define REQUIRED cq_required
#define NONE     NULL

#define CQ_ROW(owner, key, type, unit, range, fallback, only, words, help, field)                  \
  CQ_KEY_ROW(owner, key, type, unit, range, fallback, only, words, help,                           \
             offsetof(cq_##owner##_keys, field))

const cq_key_row cq_shared_rows[] = {
#define SECTION(name)
#define END(name)
#define KEY(owner, key, type, unit, range, fallback, only, words, help)                            \
  CQ_ROW(owner, #key, type, unit, range, fallback, only, words, help, key)
#define SHAPE_KEY(owner, key, type, unit, range, fallback, only, words, help)                      \
  CQ_ROW(owner, #key, type, unit, range, fallback, only, words, help, form.key)
#define SHAPE_KEYS(owner, only) CQ_SHAPE_KEY_LIST(SHAPE_KEY, owner, only)
#include "schema_table.h"
/* of each kind of term: `when`, whose default is the kind's, and its own keys */
#define CQ_TERM_KEY(name, key, type, unit, range, fallback, only, words, help)                     \
  CQ_ROW(term, #key, type, unit, range, fallback, "term=" #name, words, help, own.name.key)
#define CQ_WHEN_ROW(name, fallback)                                                                \
  CQ_ROW(term, "when", WORD, "", ANY, fallback, "term=" name, "end|running|at|window",             \
         "at the last state; summed over the states after the first times time_step; at a time; "  \
         "the mean over a window",                                                                 \
         when)
#define CQ_WHEN_SCENE(name, fallback)     CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_BODY(name, fallback)      CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_PARTICLES(name, fallback) CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_CYCLE(name, fallback)     CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_PAIR(name, fallback)      CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_MARKERS(name, fallback)   /* at the times of the samples */
#define CQ_WHEN_CURVE(name, fallback)
#define CQ_TERM(name, belongs, default_when, ...)                                                  \
  CQ_WHEN_##belongs(#name, default_when) CQ_TERM_KEYS_##name(CQ_TERM_KEY)
#include "term_list.h"
#undef CQ_TERM
    {.key = NULL},
};

enum { GROUP, LIST };

const cq_section_row cq_section_rows[] = {
#define CQ_SECTION_ROW(path, name, shape, field, help)                                             \
  {path, CQ_OWNER_##name, shape == LIST, sizeof(cq_##name##_keys), offsetof(cq_config, field),     \
   help},
    CQ_SECTION_LIST(CQ_SECTION_ROW)
#undef CQ_SECTION_ROW
        {.path = NULL},
};
const int cq_n_sections = sizeof cq_section_rows / sizeof *cq_section_rows - 1;
