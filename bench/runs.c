#include "runs.h"
#include "mpm_inputs.h"

#include "alloc.h"
#include "flush_mode.h"
#include "status.h"
#include "timer.h"

#include <string.h>

/* --- engine ---------------------------------------------------------------------------------- */

static cq_status open_engine(cq_ctx *ctx, cq_engine_run *run) {
  CQ_TRY(CQ_ALLOC(ctx, run->gradient, run->scene.layout.total));
  return cq_sim_create(ctx, &run->scene.model, &run->sim);
}

cq_status cq_engine_run_open(cq_ctx *ctx, const cq_bench_scene_def *def, cq_engine_run *run) {
  *run = (cq_engine_run){.sim = NULL};
  CQ_TRY(cq_bench_scene_make(ctx, def, &run->scene));
  const cq_status status = open_engine(ctx, run);
  if (status != CQ_OK) {
    cq_engine_run_close(run);
  }
  return status;
}

void cq_engine_run_close(cq_engine_run *run) {
  if (run->scene.ctx != NULL) {
    cq_sim_destroy(run->sim);
    cq_free(run->scene.ctx, run->gradient);
    cq_bench_scene_destroy(&run->scene);
  }
  *run = (cq_engine_run){.sim = NULL};
}

cq_status cq_engine_run_forward(cq_engine_run *run, double *seconds) {
  /* the same inputs again would cost nothing: a gravity that is nothing comes and goes */
  double *const gravity = run->scene.inputs + run->scene.layout.offset[CQ_INPUT_gravity];
  gravity[0] = gravity[0] == 0.0 ? 1e-30 : 0.0;
  const double begin = cq_now();
  CQ_TRY(cq_sim_forward(run->sim, run->scene.inputs));
  *seconds = cq_now() - begin;
  return CQ_OK;
}

cq_status cq_engine_run_backward(cq_engine_run *run, double *seconds) {
  const cq_seed seed = {.dz = run->scene.dz};
  const double begin = cq_now();
  CQ_TRY(cq_sim_backward(run->sim, 1, &seed, run->gradient));
  *seconds = cq_now() - begin;
  return CQ_OK;
}

/* --- naive ----------------------------------------------------------------------------------- */

static cq_status open_naive(cq_naive_run *run) {
  cq_ctx *const ctx = run->ctx;
  const size_t state = (size_t)run->config.n * run->loops->particle_bytes;
  size_t nodes = run->loops->node_bytes;
  for (int a = 0; a < 3; a++) {
    nodes *= (size_t)run->config.count[a];
  }
  CQ_TRY(CQ_ALLOC(ctx, run->states, (size_t)(run->steps + 1) * state));
  CQ_TRY(CQ_ALLOC(ctx, run->adjoint, state));
  CQ_TRY(CQ_ALLOC(ctx, run->grid, nodes));
  CQ_TRY(CQ_ALLOC(ctx, run->dgrid, nodes));
  return CQ_ALLOC(ctx, run->host, run->scene->layout.state_total);
}

cq_status cq_naive_run_open(cq_ctx *ctx, const cq_bench_scene *scene, cq_simd level,
                            cq_naive_run *run) {
  *run = (cq_naive_run){.ctx = ctx, .scene = scene, .steps = scene->model.steps};
  run->loops = cq_naive_pick(scene->model.dim, scene->model.bits, level);
  run->config = cq_bench_naive_config(scene);
  CQ_CHECK(ctx, run->loops != NULL, CQ_USAGE, "this build has no naive loops for SIMD level %s",
           cq_simd_names[level]);
  const cq_status status = open_naive(run);
  if (status != CQ_OK) {
    cq_naive_run_close(run);
  }
  return status;
}

void cq_naive_run_close(cq_naive_run *run) {
  if (run->ctx != NULL) {
    cq_free(run->ctx, run->states);
    cq_free(run->ctx, run->adjoint);
    cq_free(run->ctx, run->grid);
    cq_free(run->ctx, run->dgrid);
    cq_free(run->ctx, run->host);
  }
  *run = (cq_naive_run){.ctx = NULL};
}

static unsigned char *state_of(const cq_naive_run *run, int step) {
  return run->states + (size_t)step * (size_t)run->config.n * run->loops->particle_bytes;
}

void cq_naive_run_forward(cq_naive_run *run, double *seconds) {
  run->loops->load(&run->config, run->scene->inputs, run->states);
  const unsigned mode = flush_begin();
  const double begin = cq_now();
  for (int step = 0; step < run->steps; step++) {
    run->loops->forward(&run->config, state_of(run, step), state_of(run, step + 1), run->grid);
  }
  *seconds = cq_now() - begin;
  flush_end(mode);
}

/* dL/d(state) at the end of L, the sum over axes of the mean position and the mean square velocity;
 * all particles have one mass. */
static void seed_adjoint(cq_naive_run *run) {
  const cq_layout *const layout = &run->scene->layout;
  const size_t n = layout->count[CQ_INPUT_x];
  const double share = 1.0 / run->config.n;
  double *const x = run->host + layout->offset[CQ_INPUT_x];
  double *const v = run->host + layout->offset[CQ_INPUT_v];
  run->loops->store(&run->config, state_of(run, run->steps), run->host);
  for (size_t i = 0; i < n; i++) {
    x[i] = share;
    v[i] = 2.0 * share * v[i];
  }
  const size_t F = layout->offset[CQ_INPUT_F];
  memset(run->host + F, 0, (layout->state_total - F) * sizeof *run->host);
  run->loops->load(&run->config, run->host, run->adjoint);
}

void cq_naive_run_backward(cq_naive_run *run, double *seconds) {
  seed_adjoint(run);
  const unsigned mode = flush_begin();
  const double begin = cq_now();
  for (int step = run->steps - 1; step >= 0; step--) {
    run->loops->backward(&run->config, state_of(run, step), state_of(run, step + 1), run->adjoint,
                         run->grid, run->dgrid);
  }
  *seconds = cq_now() - begin;
  flush_end(mode);
  run->loops->store(&run->config, run->adjoint, run->host);
}
