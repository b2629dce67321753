/* The rows of all engines among the shared ones, and which of them hold for a file. */
#include "nearest.h"
#include "schema_rows.h"

#include <pthread.h>
#include <string.h>

/* Room for the rows of every engine; a test sees to it that all of them are in. */
enum { MOST_ROWS = 1024 };

static cq_key_row all[MOST_ROWS];
static int n_all;

static void add(const cq_key_row *row, const cq_engine_part *part) {
  if (n_all + 1 < MOST_ROWS) {
    all[n_all] = *row;
    all[n_all++].part = part;
  }
}

static bool same_place(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The engines' keys that follow a shared one; "": those before all, NULL: those at the end. */
static void add_engines(cq_owner owner, const char *after) {
  const cq_engine_part *part = NULL;
  for (int i = 0; (part = cq_engine_part_at(i)) != NULL; i++) {
    for (const cq_engine_keys *keys = part->keys; keys->rows != NULL; keys++) {
      const char *place = NULL;
      for (int k = 0; keys->owner == owner && k < keys->n; k++) {
        const cq_key_row *const row = &keys->rows[k];
        if (row->key == NULL) {
          place = row->after;
        } else if (same_place(place, after)) {
          add(row, part);
        }
      }
    }
  }
}

static void merge(void) {
  cq_schema_make_words();
  for (int owner = 0; owner < CQ_N_OWNERS; owner++) {
    add_engines((cq_owner)owner, "");
    for (const cq_key_row *row = cq_shared_rows; row->key != NULL; row++) {
      if (row->owner == (cq_owner)owner) {
        add(row, NULL);
        add_engines((cq_owner)owner, row->key);
      }
    }
    add_engines((cq_owner)owner, NULL);
  }
}

const cq_key_row *cq_key_rows(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, merge);
  return all;
}

/* By simulation.engine of the root; the first of the list where it says none. */
const cq_engine_part *cq_file_part(const cq_node *section) {
  while (section->parent != NULL) {
    section = section->parent;
  }
  const cq_node *const simulation = cq_node_find(section, "simulation");
  const cq_node *const engine = simulation != NULL ? cq_node_find(simulation, "engine") : NULL;
  const cq_engine_part *part = cq_engine_part_at(0);
  if (engine == NULL || engine->type == CQ_NODE_UNSET) {
    return part;
  }
  for (int i = 1; part != NULL && engine->type == CQ_NODE_TEXT; i++) {
    if (cq_same_word(part->name, engine->text)) {
      return part;
    }
    part = cq_engine_part_at(i);
  }
  return NULL;
}

bool cq_key_row_counts(const cq_key_row *row, const cq_node *section) {
  return row->part == NULL || row->part == cq_file_part(section);
}
