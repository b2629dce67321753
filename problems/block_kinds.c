#include "block_kinds.h"

#include "engine.h"
#include "engine_part.h"

#include <pthread.h>
#include <string.h>

enum { MOST_KINDS = 96 };

static cq_block_kind all[MOST_KINDS];
static int n_all;

static bool is_listed(const char *name) {
  for (int i = 0; i < n_all; i++) {
    if (strcmp(all[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* A name of two engines is one kind: a block is of the input that the file's engine has. */
static void add(const char *name, const cq_block_type *type, cq_belongs belongs) {
  if (n_all < MOST_KINDS && !is_listed(name)) {
    all[n_all++] = (cq_block_kind){name, type, belongs};
  }
}

static void add_inputs(cq_of of) {
  const cq_engine_part *part = NULL;
  for (int i = 0; (part = cq_engine_part_at(i)) != NULL; i++) {
    const cq_engine_type *const type = cq_engine_type_of(part->name);
    for (int k = 0; type != NULL && k < type->n_inputs; k++) {
      if (type->inputs[k].designed && type->inputs[k].of == of) {
        add(type->inputs[k].name, &cq_block_of_input,
            of == CQ_OF_PARTICLE ? CQ_BELONGS_FIELD : CQ_BELONGS_SCENE);
      }
    }
  }
}

static void list_all(void) {
#define CQ_BLOCK(name, belongs) add(#name, &cq_block_##name, CQ_BELONGS_##belongs);
#define CQ_BLOCKS_OF_INPUTS(of) add_inputs(CQ_OF_##of);
#include "block_list.h"
#undef CQ_BLOCK
}

const cq_block_kind *cq_block_kind_at(int i) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, list_all);
  return i < n_all ? &all[i] : NULL;
}
