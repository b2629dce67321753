#include "engine_part.h"

#include <string.h>

static const cq_engine_part *const parts[] = {
#define CQ_ENGINE(name) &cq_part_##name,
#include "engine_list.h"
#undef CQ_ENGINE
};

const cq_engine_part *cq_engine_part_of(const char *name) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(parts[i]->name, name) == 0) {
      return parts[i];
    }
  }
  return NULL;
}
