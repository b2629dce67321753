#include "engine.h"

#include <string.h>

static const cq_engine_type *const types[] = {
#define CQ_ENGINE(name) &cq_engine_##name,
#include <engine_list.h>
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

const cq_gradient_word *cq_engine_gradient_at(const cq_engine_type *type, int i) {
  static const cq_gradient_word difference = {"difference", CQ_GRADIENT_DIFFERENCE};
  int own = 0;
  bool listed = false;
  for (; type->gradients[own].word != NULL; own++) {
    listed = listed || strcmp(type->gradients[own].word, difference.word) == 0;
  }
  return i < own ? &type->gradients[i] : i == own && !listed ? &difference : NULL;
}

const cq_gradient_word *cq_engine_gradient(const cq_engine_type *type, const char *word) {
  const cq_gradient_word *gradient = NULL;
  for (int i = 0; (gradient = cq_engine_gradient_at(type, i)) != NULL; i++) {
    if (word == NULL || strcmp(gradient->word, word) == 0) {
      return gradient;
    }
  }
  return NULL;
}

cq_gradient_kind cq_engine_grade(const cq_gradient_word *word, int horizon) {
  return horizon > 0 && word->grade == CQ_GRADIENT_EXACT_REVERSE ? CQ_GRADIENT_HEURISTIC
                                                                 : word->grade;
}

int cq_engine_quantity(const cq_engine_type *type, const char *name) {
  for (int i = 0; i < type->n_quantities; i++) {
    if (strcmp(type->quantities[i].name, name) == 0) {
      return CQ_N_SHARED_QUANTITIES + i;
    }
  }
  return -1;
}
