#include "builtin.h"

#include "cqopt/problem.h"

#include <stddef.h>
#include <string.h>

static const cq_builtin *builtin(int i) {
  const cq_builtin *b = cq_builtin_data;
  for (; i > 0 && b->name != NULL; i--) {
    b++;
  }
  return i == 0 && b->name != NULL ? b : NULL;
}

const cq_builtin *cq_builtin_find(const char *name) {
  for (const cq_builtin *b = cq_builtin_data; b->name != NULL; b++) {
    if (strcmp(b->name, name) == 0) {
      return b;
    }
  }
  return NULL;
}

const char *cq_builtin_name(int i) {
  const cq_builtin *b = builtin(i);
  return b != NULL ? b->name : NULL;
}

const char *cq_builtin_title(int i) {
  return builtin(i) != NULL ? cq_builtin_titles[i] : NULL;
}

const char *cq_builtin_text(int i) {
  const cq_builtin *b = builtin(i);
  return b != NULL ? b->text : NULL;
}
