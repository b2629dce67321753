/* Runs of a contact scene by engines that shall agree, compared field by field. */
#ifndef CQ_TESTS_ENGINE_COMPARE_H
#define CQ_TESTS_ENGINE_COMPARE_H

#include "contact_scene.h"
#include "mpm_inputs.h"
#include "test.h"

#include <stdio.h>

typedef struct engine_run {
  double *state, *z;
  double *gradient; /* [n_seeds][total], each by a random terminal seed of its own */
} engine_run;

/* bounds of the relative difference of any field */
typedef struct engine_bounds {
  double state, gradient;
} engine_bounds;

static inline size_t engine_z_size(const contact_scene *s) {
  return (size_t)(s->model.steps + 1) * (size_t)contact_scene_row(s->model.dim);
}

/* Weights of seed i [state_total]; free() them. */
static inline double *engine_weights(const contact_scene *s, int i) {
  cq_rng rng = cq_rng_seed(11 + (uint64_t)i);
  double *w = (double *)calloc(s->layout.state_total, sizeof(double));
  for (size_t k = 0; k < s->layout.state_total; k++) {
    w[k] = scene_random(&rng, 1.0);
  }
  return w;
}

/* The run and the gradient that the simulator makes of the scene. */
static inline void engine_run_sim(cq_ctx *ctx, cq_sim *sim, const contact_scene *s, int n_seeds,
                                  engine_run *r) {
  cq_seed seeds[8];
  CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(cq_sim_final_state(sim, r->state) == CQ_OK);
  memcpy(r->z, cq_sim_observations(sim), engine_z_size(s) * sizeof(double));
  memset(seeds, 0, sizeof seeds);
  for (int i = 0; i < n_seeds; i++) {
    seeds[i].terminal = engine_weights(s, i);
  }
  CHECK_MSG(cq_sim_backward(sim, n_seeds, seeds, r->gradient) == CQ_OK, "%s", cq_ctx_error(ctx));
  for (int i = 0; i < n_seeds; i++) {
    free((double *)seeds[i].terminal);
  }
}

static inline engine_run engine_run_alloc(const contact_scene *s, int n_seeds) {
  engine_run r;
  r.state = (double *)calloc(s->layout.state_total, sizeof(double));
  r.z = (double *)calloc(engine_z_size(s), sizeof(double));
  r.gradient = (double *)calloc((size_t)n_seeds * s->layout.total, sizeof(double));
  return r;
}

/* Free it with engine_run_free. At most 8 seeds. */
static inline engine_run engine_run_make(const contact_scene *s, int n_seeds) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_sim *sim = NULL;
  engine_run r = engine_run_alloc(s, n_seeds);
  CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (sim != NULL) {
    engine_run_sim(ctx, sim, s, n_seeds, &r);
  }
  cq_sim_destroy(sim);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return r;
}

static inline void engine_run_free(const engine_run *r) {
  free(r->state);
  free(r->z);
  free(r->gradient);
}

static inline double engine_relative(const double *a, const double *b, size_t n) {
  double difference = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return size > 0.0 ? sqrt(difference / size) : sqrt(difference);
}

/* Of the first seed's gradient. */
static inline void engine_compare(const char *label, const contact_scene *s, const engine_run *a,
                                  const engine_run *b, engine_bounds bounds) {
  double worst_state = 0.0, worst_gradient = 0.0;
  for (int i = 0; i < CQ_N_INPUTS; i++) {
    const size_t at = s->layout.offset[i], n = s->layout.count[i];
    if (at < s->layout.state_total) {
      const double error = engine_relative(a->state + at, b->state + at, n);
      CHECK_MSG(error <= bounds.state, "%s: %.1e", cq_mpm_inputs[i].name, error);
      worst_state = fmax(worst_state, error);
    }
    const double error = engine_relative(a->gradient + at, b->gradient + at, n);
    CHECK_MSG(error <= bounds.gradient, "gradient of %s: %.1e", cq_mpm_inputs[i].name, error);
    worst_gradient = fmax(worst_gradient, error);
  }
  CHECK(engine_relative(a->z, b->z, engine_z_size(s)) <= bounds.state);
  printf("  %-13s %dD f%d %2d steps: state %.1e gradient %.1e\n", label, s->model.dim,
         s->model.bits, s->model.steps, worst_state, worst_gradient);
}

#endif
