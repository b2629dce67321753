#include "repeats.h"

#include "side_by_side.h"
#include "status.h"

#include <math.h>

enum { MOST_SETTINGS = 16 };

/* Copies that run side by side, each with a context of one thread. */
typedef struct work {
  const cq_repeatable *of;
  int level, n_copies;
  const double *x;
  cq_ctx *ctx[CQ_MOST_SIDE_BY_SIDE];
  cq_scene *scenes[CQ_MOST_SIDE_BY_SIDE];
  cq_status status[CQ_MOST_SIDE_BY_SIDE];
  double *f, *c; /* of the first of them */
} work;

/* As many as there are threads and room for. */
static int most_copies(const cq_scene *scene, int level) {
  const int threads = cq_ctx_threads(scene->ctx);
  const size_t each = cq_scene_lean_bytes(scene, cq_scene_few_states(scene, level));
  const size_t fit =
      cq_free_memory(scene->model.device) / 2 / (each * (size_t)cq_scene_shares(scene));
  const int most = threads < CQ_MOST_SIDE_BY_SIDE ? threads : CQ_MOST_SIDE_BY_SIDE;
  return fit >= (size_t)most ? most : (fit > 0 ? (int)fit : 1);
}

/* Copy k, for the re-run of this number. Scenarios may have start_seeds of their own. */
static cq_status open_copy(work *w, int k, double jitter, int number) {
  const cq_scene *const scene = w->of->task->scene;
  char by[80], from[64], memory[64];
  snprintf(by, sizeof by, "simulation.start_jitter=%.17g",
           fmax(jitter, scene->config.simulation.start_jitter));
  snprintf(from, sizeof from, "simulation.start_repeat=%d", number);
  snprintf(memory, sizeof memory, "simulation.memory=%zu B",
           cq_scene_few_states(scene, w->level) * (size_t)cq_scene_shares(scene));
  const cq_texts *const with = &scene->config.optimizer.repeat_with;
  const char *sets[4 + MOST_SETTINGS] = {by, from, memory, "optimizer.repeats=0"};
  for (int i = 0; i < with->count; i++) {
    sets[4 + i] = with->values[i];
  }
  w->scenes[k] = NULL;
  w->ctx[k] = cq_ctx_create(1, cq_ctx_seed(scene->ctx));
  CQ_CHECK(scene->ctx, w->ctx[k] != NULL, CQ_MEMORY, "out of memory");
  const cq_status status = w->of->make(w->ctx[k], scene, sets, 4 + with->count, &w->scenes[k]);
  return status == CQ_OK ? CQ_OK
                         : CQ_FAIL(scene->ctx, status, "a re-run from another start: %s",
                                   cq_ctx_error(w->ctx[k]));
}

static void close_copies(work *w) {
  for (int k = 0; k < w->n_copies; k++) {
    w->of->destroy(w->scenes[k]);
    cq_ctx_destroy(w->ctx[k]);
  }
  w->n_copies = 0;
}

/* A run whose stop is asked for meanwhile ends by itself; its value is not used. */
static void simulate(void *user, int worker, int k) {
  work *const w = user;
  const cq_problem *const problem = &w->scenes[k]->task->problem;
  const size_t m = (size_t)(problem->n_inequality + problem->n_equality);
  double *const c = m > 0 ? w->c + (size_t)k * m : NULL;
  (void)worker;
  w->status[k] = cq_ctx_stop_requested(w->of->task->scene->ctx);
  if (w->status[k] == CQ_OK) {
    w->status[k] = w->level > 0
                       ? problem->refined(problem->data, w->level, w->x, w->f + k, c, NULL, NULL)
                       : problem->eval(problem->data, w->x, w->f + k, c, NULL, NULL);
  }
}

/* What the copies say; a numeric failure is a NAN. */
static cq_status take(work *w) {
  cq_ctx *const ctx = w->of->task->scene->ctx;
  for (int k = 0; k < w->n_copies; k++) {
    if (cq_status_is_numeric(w->status[k])) {
      cq_log(ctx, CQ_LOG_WARNING, "a re-run from another start failed: %s",
             cq_ctx_error(w->ctx[k]));
      w->f[k] = NAN;
    } else if (w->status[k] != CQ_OK) {
      const char *const error = cq_ctx_error(w->ctx[k]);
      return error[0] != '\0' ? CQ_FAIL(ctx, w->status[k], "%s", error) : w->status[k];
    }
  }
  return CQ_OK;
}

/* The next of them, of numbers `first` and on. */
static cq_status run_some(work *w, int count, double jitter, int first) {
  cq_status status = CQ_OK;
  for (int k = 0; k < count && status == CQ_OK; k++) {
    status = open_copy(w, k, jitter, first + k);
    w->n_copies += w->ctx[k] != NULL;
  }
  if (status == CQ_OK) {
    cq_side_by_side(count, count, simulate, w);
    status = take(w);
  }
  close_copies(w);
  return status;
}

cq_status cq_repeats_check(const cq_repeatable *of) {
  const cq_optimizer_keys *const keys = &of->task->scene->config.optimizer;
  work w = {.of = of};
  CQ_KEY_CHECK(of->task->scene->ctx, keys->repeat_with.count <= MOST_SETTINGS, keys, repeat_with,
               "has %d settings, more than %d", keys->repeat_with.count, (int)MOST_SETTINGS);
  const cq_status status = open_copy(&w, 0, keys->repeat_jitter, 1);
  w.n_copies = w.ctx[0] != NULL;
  close_copies(&w);
  return status;
}

cq_status cq_repeats_simulate(void *data, int level, const double *x, int count, double jitter,
                              double *f, double *c) {
  const cq_repeatable *const of = data;
  const cq_task *const task = of->task;
  const size_t m = (size_t)(task->problem.n_inequality + task->problem.n_equality);
  const int most = most_copies(task->scene, level);
  work w = {.of = of, .level = level, .x = x};
  for (int k = 0; k < count; k += most) {
    w.f = f + k;
    w.c = c + (size_t)k * m;
    CQ_TRY(run_some(&w, k + most < count ? most : count - k, jitter, 1 + k));
    CQ_TRY(cq_ctx_stop_requested(task->scene->ctx));
  }
  return CQ_OK;
}
