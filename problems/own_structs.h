/* The structs of the keys that an engine has of its own. The including header defines
 *
 *   OWN_TABLE            its table, a header: sections of rows like those of schema_table.h, and
 *     AFTER(owner, key)    the rows below stand behind that shared key; AFTER(owner, ): before all
 *                          of them; without it they stand at the end
 *   OWN_KEYS(section)    what the struct of a section is called
 *
 * A section's struct is `of_engine` of the shared one. No include guard: each engine includes it.
 */
#include "schema_rows.h"

#define SECTION(name)                                                                              \
  typedef struct OWN_KEYS(name) {                                                                  \
    const cq_node *node;
#define AFTER(owner, key)
#define KEY(owner, key, type, unit, range, fallback, only, words, help) CQ_STORE_##type(key)
#define END(name)                                                                                  \
  }                                                                                                \
  OWN_KEYS(name);
#include OWN_TABLE
#undef SECTION
#undef AFTER
#undef KEY
#undef END
