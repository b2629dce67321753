#include "engine.h"

#include <string.h>

static const cq_engine_type *const types[] = {
#define CQ_ENGINE(name) &cq_engine_##name,
#include "engine_list.h"
#undef CQ_ENGINE
};

const cq_engine_type *cq_engine_type_of(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (name == NULL || strcmp(types[i]->name, name) == 0) {
      return types[i];
    }
  }
  return NULL;
}

int cq_engine_quantity(const cq_engine_type *type, const char *name) {
  for (int i = 0; i < type->n_quantities; i++) {
    if (strcmp(type->quantities[i].name, name) == 0) {
      return CQ_N_SHARED_QUANTITIES + i;
    }
  }
  return -1;
}
