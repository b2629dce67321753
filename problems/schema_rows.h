/* schema_table.h and the tables of the engines as data: the sections and the rows of their keys. */
#ifndef CQ_PROBLEMS_SCHEMA_ROWS_H
#define CQ_PROBLEMS_SCHEMA_ROWS_H

#include "engine_part.h"
#include "schema.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* X(name, least, largest, text for messages and tables) */
#define CQ_RANGE_LIST(X)                                                                           \
  X(ANY, -INFINITY, INFINITY, "")                                                                  \
  X(POSITIVE, DBL_MIN, DBL_MAX, "> 0")                                                             \
  X(NONNEGATIVE, 0.0, DBL_MAX, ">= 0")                                                             \
  X(FRACTION, 0.0, 1.0, "0 to 1")                                                                  \
  X(DIMENSION, 2.0, 3.0, "2 or 3")                                                                 \
  X(CELLS, 0.0, 512.0, "0 to 512")                                                                 \
  X(TEETH, 3.0, 256.0, "3 to 256")                                                                 \
  X(FLANK, 0.1, 0.7, "0.1 to 0.7")                                                                 \
  X(HELIX, -1.2, 1.2, "-1.2 to 1.2")                                                               \
  X(STEPS, 1.0, 1e9, "1 to 1000000000")                                                            \
  X(STARTS, 1.0, 9999.0, "1 to 9999")                                                              \
  X(DIFFERENCE, DBL_MIN, 0.25, "above 0, up to 0.25")                                              \
  X(GRADIENT_COST, 1.0, 1000.0, "1 to 1000")                                                       \
  X(COLUMNS, 1.0, 256.0, "1 to 256")                                                               \
  X(EXPONENT, 1.0, 1000.0, "1 to 1000")                                                            \
  X(COUNT, 1.0, (double)INT_MAX, ">= 1")                                                           \
  X(INTEGER, 0.0, (double)INT_MAX, ">= 0")

typedef struct cq_range {
  double least, largest;
  const char *text;
} cq_range;
#define CQ_RANGE_EXTERN(name, least, largest, text) extern const cq_range cq_range_##name;
CQ_RANGE_LIST(CQ_RANGE_EXTERN)
#undef CQ_RANGE_EXTERN

/* X(name, what is wanted, in words) */
#define CQ_TYPE_LIST(X)                                                                            \
  X(FLAG, "true or false")                                                                         \
  X(INT, "integer")                                                                                \
  X(SEED, "integer")                                                                               \
  X(WORD, "word")                                                                                  \
  X(NUMBER, "number")                                                                              \
  X(BYTES, "size")                                                                                 \
  X(TEXT, "text")                                                                                  \
  X(NAME, "name of letters, digits, _ - .")                                                        \
  X(POINT, "one number an axis")                                                                   \
  X(TENSOR, "matrix")                                                                              \
  X(AXES, "integer, or one an axis")                                                               \
  X(NUMBERS, "number or list of numbers")                                                          \
  X(TEXTS, "text or list of texts")                                                                \
  X(TABLE, "list of rows of numbers")                                                              \
  X(VALUES, "value or list of values")                                                             \
  X(PARTS, "list of groups, ( {...}, ... )")

typedef enum cq_key_type {
#define CQ_TYPE_ENUM(name, text) CQ_TYPE_##name,
  CQ_TYPE_LIST(CQ_TYPE_ENUM)
#undef CQ_TYPE_ENUM
      CQ_N_TYPES
} cq_key_type;
extern const char *const cq_type_text[CQ_N_TYPES];

typedef enum cq_owner {
#define SECTION(name) CQ_OWNER_##name,
#define KEY(owner, key, type, unit, range, fallback, only, words, help)
#define SHAPE_KEYS(owner, only)
#define END(name)
#include "schema_table.h"
#undef SECTION
#undef KEY
#undef SHAPE_KEYS
#undef END
  CQ_N_OWNERS
} cq_owner;

typedef struct cq_key_row {
  cq_owner owner;
  const char *key;
  cq_key_type type;
  const char *unit;
  const cq_range *range;
  const char *fallback; /* default; NULL: none; cq_required */
  const char *only;     /* "": always; else "key=word|word" */
  const char *words;    /* "": any; else "word|word"; "axis": x, y, z */
  const char *help;
  size_t offset;              /* of the field in the struct: the owner's, or the engine's */
  const cq_engine_part *part; /* the engine that has the key; NULL: it is shared by all */
  const char *after;          /* key NULL, in the table of an engine: what the rows below follow */
} cq_key_row;
extern const char cq_required[];

#define CQ_KEY_ROW(owner_, key_, type_, unit_, range_, fallback_, only_, words_, help_, offset_)   \
  {.owner = CQ_OWNER_##owner_,                                                                     \
   .key = key_,                                                                                    \
   .type = CQ_TYPE_##type_,                                                                        \
   .unit = unit_,                                                                                  \
   .range = &cq_range_##range_,                                                                    \
   .fallback = fallback_,                                                                          \
   .only = only_,                                                                                  \
   .words = words_,                                                                                \
   .help = help_,                                                                                  \
   .offset = offset_},

/* The keys that an engine has in a section of its own: cq_engine_part.keys, which ends with rows
 * NULL. */
typedef struct cq_engine_keys {
  cq_owner owner;
  size_t size; /* of their struct */
  int n;
  const cq_key_row *rows;
} cq_engine_keys;

extern const cq_key_row cq_shared_rows[]; /* ends with key NULL */
/* Fills in the words of those rows that are made of the engines; cq_key_rows() does it. */
void cq_schema_make_words(void);
/* The shared ones and those of all engines, section by section, in the order they are told in; ends
 * with key NULL. */
const cq_key_row *cq_key_rows(void);
/* Whether the key is shared, or of the engine of the file that the section is in. */
bool cq_key_row_counts(const cq_key_row *row, const cq_node *section);
/* The engine of the file that the section is in; NULL: its name is wrong. */
const cq_engine_part *cq_file_part(const cq_node *section);

typedef struct cq_section_row {
  const char *path;
  cq_owner owner;
  bool is_list;
  size_t size;   /* of the struct */
  size_t offset; /* in cq_config, of the struct or its cq_items */
  const char *help;
} cq_section_row;
extern const cq_section_row cq_section_rows[]; /* ends with path NULL */
extern const int cq_n_sections;                /* without that */

/* Calls for words of "a|b|c": the index of text among them or -1; word i, or length 0. */
int cq_word_index(const char *words, const char *text);
const char *cq_word(const char *words, int i, int *length);

/* The row of a key as it holds in this section; NULL: there is none. */
const cq_key_row *cq_key_row_of(cq_owner owner, const cq_node *section, const char *key);
/* Makes node the default of a row that has one. */
cq_status cq_key_default(const cq_config *config, const cq_key_row *row, cq_node *node);
/* Converts node (NULL: not given) into the field of row in the struct that has it. */
cq_status cq_key_store(const cq_config *config, const cq_key_row *row, const cq_node *node,
                       void *keys);

#endif
