#include "schema_rows.h"

#include "controller.h"
#include "kinds.h"
#include "shapes.h"

#include <string.h>

const cq_range cq_ranges[] = {
#define CQ_RANGE_ROW(name, least, largest, text) {least, largest, text},
    CQ_RANGE_LIST(CQ_RANGE_ROW)
#undef CQ_RANGE_ROW
};

const char *const cq_type_text[] = {
#define CQ_TYPE_ROW(name, text) text,
    CQ_TYPE_LIST(CQ_TYPE_ROW)
#undef CQ_TYPE_ROW
};

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
#define CQ_MATERIAL(name, inversion_ok, phase) "|" #name
static const char cq_material_words[] =
#include "material/material_list.h"
    ;
/* the keys of a solid and those of a liquid */
#define CQ_WORD_IF_SOLID_SOLID(name)   "|" name
#define CQ_WORD_IF_SOLID_LIQUID(name)  ""
#define CQ_WORD_IF_LIQUID_SOLID(name)  ""
#define CQ_WORD_IF_LIQUID_LIQUID(name) "|" name
#undef CQ_MATERIAL
#define CQ_MATERIAL(name, inversion_ok, phase) CQ_WORD_IF_SOLID_##phase(#name)
static const char cq_solids[] = "model="
#include "material/material_list.h"
    ;
#undef CQ_MATERIAL
#define CQ_MATERIAL(name, inversion_ok, phase) CQ_WORD_IF_LIQUID_##phase(#name)
static const char cq_liquids[] = "model="
#include "material/material_list.h"
    ;
#define CQ_BOUNDARY(name) "|" #name
static const char cq_wall_words[] = "none"
#include "boundary/boundary_list.h"
    ;
#define CQ_WORD_WALL(name)
#define CQ_WORD_OBSTACLE(name)  "|" name
#define CQ_GEOMETRY(name, role) CQ_WORD_##role(#name)
static const char cq_obstacle_words[] =
#include "geometry/geometry_list.h"
    ;
#undef CQ_GEOMETRY
#define CQ_ACTUATION(name, ...) "|" #name
static const char cq_actuation_words[] =
#include "actuation/actuation_list.h"
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
#define CQ_BLOCK(name, belongs) "|" #name
static const char cq_block_words[] =
#include "block_list.h"
    ;
#undef CQ_BLOCK
#define CQ_TERM(name, belongs, when) "|" #name
static const char cq_term_words[] =
#include "term_list.h"
    ;
#undef CQ_TERM

/* which keys a block or a term takes, by what it belongs to */
#define CQ_YES(name)        "|" name
#define CQ_NO(name)         ""
#define CQ_KEY_BODY_FIELD   CQ_YES
#define CQ_KEY_BODY_BODY    CQ_YES
#define CQ_KEY_BODY_PART    CQ_NO
#define CQ_KEY_BODY_SCENE   CQ_NO
#define CQ_KEY_BODY_PAIR    CQ_YES
#define CQ_KEY_BODY_MARKERS CQ_YES
#define CQ_KEY_BODY_VOLUME  CQ_YES
#define CQ_KEY_BODY_ENERGY  CQ_YES
#define CQ_KEY_BODY_STRESS  CQ_YES
#define CQ_KEY_TIE_FIELD    CQ_YES
#define CQ_KEY_TIE_BODY     CQ_YES
#define CQ_KEY_TIE_PART     CQ_YES
#define CQ_KEY_TIE_SCENE    CQ_NO
#define CQ_KEY_FIELD_FIELD  CQ_YES
#define CQ_KEY_FIELD_BODY   CQ_NO
#define CQ_KEY_FIELD_PART   CQ_NO
#define CQ_KEY_FIELD_SCENE  CQ_NO

#define CQ_BLOCK(name, belongs) CQ_KEY_BODY_##belongs(#name)
static const char cq_body_blocks[] = "variable="
#include "block_list.h"
    ;
#undef CQ_BLOCK
#define CQ_BLOCK(name, belongs) CQ_KEY_TIE_##belongs(#name)
static const char cq_tie_blocks[] = "variable="
#include "block_list.h"
    ;
#undef CQ_BLOCK
#define CQ_BLOCK(name, belongs) CQ_KEY_FIELD_##belongs(#name)
static const char cq_field_blocks[] = "variable="
#include "block_list.h"
    ;
#undef CQ_BLOCK
#define CQ_TERM(name, belongs, when) CQ_KEY_BODY_##belongs(#name)
static const char cq_body_terms[] = "term="
#include "term_list.h"
    ;
#undef CQ_TERM
#define CQ_KEY_TO_BODY               CQ_NO
#define CQ_KEY_TO_VOLUME             CQ_NO
#define CQ_KEY_TO_ENERGY             CQ_NO
#define CQ_KEY_TO_STRESS             CQ_NO
#define CQ_KEY_TO_PAIR               CQ_YES
#define CQ_KEY_TO_MARKERS            CQ_NO
#define CQ_KEY_TO_SCENE              CQ_NO
#define CQ_TERM(name, belongs, when) CQ_KEY_TO_##belongs(#name)
static const char cq_pair_terms[] = "term="
#include "term_list.h"
    ;
#undef CQ_TERM

const char cq_required[] = "required";
#define REQUIRED cq_required
#define NONE     NULL

#define CQ_ROW(owner, key, type, unit, range, fallback, only, words, help, field)                  \
  {CQ_OWNER_##owner, key,  CQ_TYPE_##type, unit, CQ_RANGE_##range,                                 \
   fallback,         only, words,          help, offsetof(cq_##owner##_keys, field)},

const cq_key_row cq_key_rows[] = {
#define SECTION(name)
#define END(name)
#define KEY(owner, key, type, unit, range, fallback, only, words, help)                            \
  CQ_ROW(owner, #key, type, unit, range, fallback, only, words, help, key)
#define SHAPE_KEY(owner, key, type, unit, range, fallback, only, words, help)                      \
  CQ_ROW(owner, #key, type, unit, range, fallback, only, words, help, form.key)
#define SHAPE_KEYS(owner, only) CQ_SHAPE_KEY_LIST(SHAPE_KEY, owner, only)
#include "schema_table.h"
/* of each shape of an obstacle */
#define CQ_OBSTACLE_KEY(name, key, type, unit, range, fallback, words, help)                       \
  CQ_ROW(obstacle, #key, type, unit, range, fallback, "shape=" #name, words, help, own.name.key)
#define CQ_ROWS_WALL(name)
#define CQ_ROWS_OBSTACLE(name)  CQ_GEOMETRY_KEYS_##name(CQ_OBSTACLE_KEY)
#define CQ_GEOMETRY(name, role) CQ_ROWS_##role(name)
#include "geometry/geometry_list.h"
#undef CQ_GEOMETRY
/* of each kind of term: `when`, whose default is the kind's, and its own keys */
#define CQ_TERM_KEY(name, key, type, unit, range, fallback, only, words, help)                     \
  CQ_ROW(term, #key, type, unit, range, fallback, "term=" #name, words, help, own.name.key)
#define CQ_WHEN_ROW(name, fallback)                                                                \
  CQ_ROW(term, "when", WORD, "", ANY, fallback, "term=" name, "end|running|at|window",             \
         "at the last state; summed over the states after the first times time_step; at a time; "  \
         "the mean over a window",                                                                 \
         when)
#define CQ_WHEN_SCENE(name, fallback)   CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_BODY(name, fallback)    CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_VOLUME(name, fallback)  CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_ENERGY(name, fallback)  CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_STRESS(name, fallback)  CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_PAIR(name, fallback)    CQ_WHEN_ROW(name, fallback)
#define CQ_WHEN_MARKERS(name, fallback) /* at the times of the samples */
#define CQ_TERM(name, belongs, default_when)                                                       \
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

const char *cq_word(const char *words, int i, int *length) {
  words += *words == '|';
  for (; i > 0 && *words != '\0'; i--) {
    words += strcspn(words, "|");
    words += *words == '|';
  }
  *length = (int)strcspn(words, "|");
  return words;
}

int cq_word_index(const char *words, const char *text) {
  const int wanted = (int)strlen(text);
  int length = 0;
  for (int i = 0;; i++) {
    const char *word = cq_word(words, i, &length);
    if (length == 0) {
      return -1;
    }
    if (length == wanted && memcmp(word, text, (size_t)length) == 0) {
      return i;
    }
  }
}
