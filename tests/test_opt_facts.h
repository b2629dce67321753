/* What a method is, by its name. */
#ifndef CQ_TESTS_OPT_FACTS_H
#define CQ_TESTS_OPT_FACTS_H

#include "cqopt/optimizer.h"

#include <string.h>

static inline cq_optimizer_facts facts_of(const char *name) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    if (strcmp(cq_optimizer_name(i), name) == 0) {
      return cq_optimizer_facts_of(i);
    }
  }
  return (cq_optimizer_facts){0};
}

static inline bool has_gradient(const char *name) {
  return facts_of(name).needs_gradient;
}

#endif
