/* The engine of whatever this is linked into (with --wrap=cq_mpm_find), with another gradient, by
 * the environment variable CQ_TEST_GRADIENT: "heuristic", said of the same one; "none"; or
 * "missing", one that is promised without a sweep to make it. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

cq_status __real_cq_mpm_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);
cq_status __wrap_cq_mpm_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);

static struct {
  const char *word;
  cq_gradient_kind kind;
  bool sweeps;
  cq_engine engine;
} grades[] = {{"heuristic", CQ_GRADIENT_HEURISTIC, true, {0}},
              {"none", CQ_GRADIENT_NONE, false, {0}},
              {"missing", CQ_GRADIENT_EXACT_REVERSE, false, {0}}};

cq_status __wrap_cq_mpm_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine) {
  const char *const word = getenv("CQ_TEST_GRADIENT");
  const cq_status status = __real_cq_mpm_find(ctx, model, engine);
  for (size_t i = 0; i < sizeof grades / sizeof *grades && status == CQ_OK && word != NULL; i++) {
    if (strcmp(grades[i].word, word) == 0) {
      cq_engine *const e = &grades[i].engine;
      *e = **engine;
      e->gradient = grades[i].kind;
      if (!grades[i].sweeps) {
        e->backward_begin = NULL;
        e->backward_segment = NULL;
        e->backward_end = NULL;
        e->adjoint_norms = NULL;
        e->contacts = NULL;
      }
      *engine = e;
      break;
    }
  }
  return status;
}
