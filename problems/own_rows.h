/* The keys of own_structs.h as rows: OWN_ROWS is what they are called. The including file defines
 * the words that its table names, and ranges (cq_range_<name>) that schema_rows.h lacks. */
#include "schema_rows.h"

#define REQUIRED cq_required
#define NONE     NULL

#define SECTION(name)       static const cq_key_row name##_rows[] = {
#define AFTER(owner, place) {.after = #place},
#define KEY(owner, key, type, unit, range, fallback, only, words, help)                            \
  CQ_KEY_ROW(owner, #key, type, unit, range, fallback, only, words, help,                          \
             offsetof(OWN_KEYS(owner), key))
#define END(name)                                                                                  \
  }                                                                                                \
  ;
#include OWN_TABLE
#undef SECTION
#undef AFTER
#undef KEY
#undef END

const cq_engine_keys OWN_ROWS[] = {
#define SECTION(name)                                                                              \
  {CQ_OWNER_##name, sizeof(OWN_KEYS(name)), sizeof name##_rows / sizeof *name##_rows, name##_rows},
#define AFTER(owner, key)
#define KEY(owner, key, type, unit, range, fallback, only, words, help)
#define END(name)
#include OWN_TABLE
#undef SECTION
#undef AFTER
#undef KEY
#undef END
    {.rows = NULL},
};
