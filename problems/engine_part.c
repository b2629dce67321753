#include "engine_part.h"

#include <string.h>

static const cq_engine_part *const parts[] = {
#define CQ_ENGINE(name) &cq_part_##name,
#include "engine_list.h"
#undef CQ_ENGINE
};

enum { N_PARTS = sizeof parts / sizeof *parts };

const cq_engine_part *cq_engine_part_at(int i) {
  return i < N_PARTS ? parts[i] : NULL;
}

const cq_engine_part *cq_engine_part_of(const char *name) {
  for (int i = 0; i < N_PARTS; i++) {
    if (strcmp(parts[i]->name, name) == 0) {
      return parts[i];
    }
  }
  return NULL;
}
