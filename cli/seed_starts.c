#include "seed_starts.h"

#include "alloc.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

typedef struct drawing {
  cq_ctx *ctx;
  const char *problem;
  const char **sets; /* [n_sets + 1] */
  int n_sets, n;
} drawing;

/* The start that the problem has with this seed. Two scenes of one file would warn twice. */
static cq_status own_start(const drawing *d, uint64_t seed, double *x) {
  char set[48];
  cq_file *file = NULL;
  snprintf(set, sizeof set, "optimizer.seed=%llu", (unsigned long long)seed);
  d->sets[d->n_sets] = set;
  CQ_TRY(cq_file_load(d->ctx, d->problem, d->sets, d->n_sets + 1, &file));
  const cq_status status = cq_file_start(file, x, d->n);
  cq_file_destroy(file);
  return status;
}

static cq_status draw(const drawing *d, const cq_problem *problem, uint64_t seed, int count,
                      double *x, bool *by_seed) {
  const size_t n = (size_t)d->n;
  memcpy(x, problem->start, n * sizeof *x);
  *by_seed = false;
  for (int k = 1; k < count && (k == 1 || *by_seed); k++) {
    CQ_TRY(own_start(d, seed + (uint64_t)k, x + (size_t)k * n));
    *by_seed = *by_seed || memcmp(x, x + n, n * sizeof *x) != 0;
  }
  return *by_seed ? CQ_OK : cq_draw_starts(d->ctx, problem, seed, count, x);
}

cq_status cli_seed_starts(cq_ctx *ctx, const char *problem, const char *const *sets, int n_sets,
                          const cq_scene *scene, int count, double *x, bool *by_seed) {
  const uint64_t seed = cq_ctx_seed(ctx);
  drawing d = {.ctx = ctx, .problem = problem, .n_sets = n_sets, .n = cq_scene_problem(scene)->n};
  CQ_TRY(CQ_ALLOC(ctx, d.sets, n_sets + 1));
  for (int i = 0; i < n_sets; i++) {
    d.sets[i] = sets[i];
  }
  const cq_status status = draw(&d, cq_scene_problem(scene), seed, count, x, by_seed);
  cq_ctx_set_seed(ctx, seed); /* loading takes that of the file */
  cq_free(ctx, d.sets);
  return status;
}
