#include "ahead.h"

#include "alloc.h"
#include "far.h"
#include "side_by_side.h"
#include "status.h"

#include <string.h>

typedef struct copy {
  cq_ctx *ctx;
  cq_scene *scene;
} copy;

struct cq_ahead {
  cq_scene *owner;
  int most, n_copies; /* most: as many as there is room and use for */
  int threads;        /* of each */
  copy copies[CQ_MOST_SIDE_BY_SIDE];
  int count, room; /* x that were told of */
  size_t width;    /* doubles of one: x, f, c, residuals, terms */
  double *rows;    /* [room][width] */
  bool *known;     /* [room] */
  int n_helpers;   /* that are here */
  int helpers[CQ_MOST_HELPERS];
  cq_far_work *far; /* [n_helpers] */
  cq_far_work by_helpers;
};

static int n_terms(const cq_scene *scene) {
  return scene->objective.functions[0].n_terms;
}

static int n_constraints(const cq_scene *scene) {
  return scene->objective.n_functions - 1;
}

int cq_ahead_outputs(const cq_scene *scene) {
  return scene->objective.n_functions + scene->n_residuals;
}

/* One copy a thread, in half of the memory that is free; one there is in any case. */
static int most_copies(const cq_scene *scene) {
  const int threads = cq_ctx_threads(scene->ctx);
  const size_t each = cq_scene_lean_bytes(scene, cq_scene_few_states(scene, 0));
  const size_t fit = cq_free_memory(scene->model.device) / 2 / each;
  const int most = threads < CQ_MOST_SIDE_BY_SIDE ? threads : CQ_MOST_SIDE_BY_SIDE;
  return fit >= (size_t)most ? most : (fit > 0 ? (int)fit : 1);
}

static cq_status create(cq_scene *scene, cq_ahead **out) {
  cq_ahead *a = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, a, 1));
  a->owner = scene;
  a->most = most_copies(scene);
  a->threads = 1;
  a->width = (size_t)scene->design.n + (size_t)cq_ahead_outputs(scene) + (size_t)n_terms(scene);
  *out = a;
  return CQ_OK;
}

void cq_ahead_destroy(cq_ahead *a) {
  if (a == NULL) {
    return;
  }
  cq_ctx *ctx = a->owner->ctx;
  for (int i = 0; i < a->n_copies; i++) {
    cq_scene_free(a->copies[i].scene);
    cq_ctx_destroy(a->copies[i].ctx);
  }
  cq_free(ctx, a->rows);
  cq_free(ctx, a->known);
  cq_free(ctx, a);
}

/* One copy more, with a context of its own and memory for a few states. */
static cq_status open_copy(cq_ahead *a) {
  cq_scene *owner = a->owner;
  copy *c = &a->copies[a->n_copies];
  char memory[64];
  snprintf(memory, sizeof memory, "simulation.memory=%zu B",
           cq_scene_few_states(owner, 0) * (size_t)cq_scene_shares(owner));
  const char *sets[] = {memory};
  c->ctx = cq_ctx_create(a->threads, cq_ctx_seed(owner->ctx));
  CQ_CHECK(owner->ctx, c->ctx != NULL, CQ_MEMORY, "out of memory");
  cq_status status = cq_scene_variation(c->ctx, owner, sets, 1, &c->scene);
  if (status != CQ_OK) {
    CQ_FAIL(owner->ctx, status, "%s", cq_ctx_error(c->ctx));
    cq_ctx_destroy(c->ctx);
    return status;
  }
  a->n_copies++;
  return CQ_OK;
}

/* The copies that `count` simulations have use for. Without a further one it goes on with fewer. */
static void open_copies(cq_ahead *a, int count) {
  cq_ctx *ctx = a->owner->ctx;
  while (a->n_copies < a->most && a->n_copies < count) {
    if (open_copy(a) != CQ_OK) {
      cq_log(ctx, CQ_LOG_WARNING, "%d designs are simulated at a time: %s",
             a->n_copies > 1 ? a->n_copies : 1, cq_ctx_error(ctx));
      cq_ctx_clear_error(ctx);
      a->most = a->n_copies;
    }
  }
}

static cq_status make_room(cq_ahead *a, int count) {
  cq_ctx *ctx = a->owner->ctx;
  if (count <= a->room) {
    return CQ_OK;
  }
  cq_free(ctx, a->rows);
  cq_free(ctx, a->known);
  a->rows = NULL;
  a->known = NULL;
  a->room = 0;
  CQ_TRY(CQ_ALLOC(ctx, a->rows, (size_t)count * a->width));
  CQ_TRY(CQ_ALLOC(ctx, a->known, count));
  a->room = count;
  return CQ_OK;
}

/* A design on the worker's copy of the scene: f, c, residuals and terms into its row. */
static void simulate(void *user, int worker, int item) {
  cq_ahead *a = user;
  cq_scene *scene = a->copies[worker].scene;
  const cq_function *objective = &scene->objective.functions[0];
  const int n = scene->design.n, m = n_constraints(scene);
  double *row = a->rows + (size_t)item * a->width, *terms = row + n + cq_ahead_outputs(scene);
  if (cq_ctx_stop_requested(a->owner->ctx) != CQ_OK) {
    return;
  }
  a->known[item] =
      cq_scene_evaluate(scene, row, row + n, m > 0 ? row + n + 1 : NULL, NULL, NULL) == CQ_OK;
  if (a->known[item] && scene->n_residuals > 0) {
    cq_scene_take_residuals(scene, row, row + n + 1 + m);
  }
  for (int i = 0; i < objective->n_terms; i++) {
    terms[i] = objective->terms[i].value;
  }
  cq_ctx_clear_error(a->copies[worker].ctx);
}

/* The same by a helper; what failed there is not known, as here. */
static cq_far_end simulate_far(void *user, int helper, int item) {
  cq_ahead *a = user;
  const size_t n = (size_t)a->owner->design.n;
  const cq_far_request request = {.kind = CQ_FAR_VALUES};
  double *const row = a->rows + (size_t)item * a->width;
  const cq_far_part part = {row + n, (a->width - n) * sizeof *row};
  const cq_far_end end =
      cq_far_ask(a->owner, a->helpers[helper], &request, (int)n, row, &part, 1, &a->far[helper]);
  a->known[item] = end == CQ_FAR_DONE;
  return end == CQ_FAR_GONE ? end : CQ_FAR_DONE;
}

/* All rows, on the copies and with helpers. */
static cq_status simulate_all(cq_ahead *a, int count) {
  CQ_TRY(a->n_helpers > 0 ? CQ_ALLOC(a->owner->ctx, a->far, a->n_helpers) : CQ_OK);
  const cq_dealing dealing = {.count = count,
                              .workers = a->n_copies,
                              .task = simulate,
                              .helpers = a->n_helpers,
                              .far = simulate_far,
                              .user = a};
  cq_deal(&dealing);
  for (int i = 0; i < a->n_helpers; i++) {
    cq_far_add(&a->far[i], &a->by_helpers.stats, &a->by_helpers.failures);
  }
  cq_free(a->owner->ctx, a->far);
  a->far = NULL;
  return CQ_OK;
}

/* Simulates all designs that it is told of, if there is room for `least` copies; with helpers for
 * one. */
static cq_status run(cq_scene *scene, cq_ahead **ahead, int count, const double *x, int least) {
  if (*ahead == NULL) {
    CQ_TRY(create(scene, ahead));
  }
  cq_ahead *a = *ahead;
  const size_t n = (size_t)scene->design.n;
  a->count = 0;
  a->n_helpers = cq_far_here(scene, a->helpers);
  least = a->n_helpers > 0 ? 1 : least;
  if (a->most < least) {
    return CQ_OK;
  }
  open_copies(a, count);
  CQ_TRY(make_room(a, count));
  if (a->n_copies < least) {
    return CQ_OK;
  }
  for (int i = 0; i < count; i++) {
    a->known[i] = false;
    memcpy(a->rows + (size_t)i * a->width, x + (size_t)i * n, n * sizeof *x);
  }
  CQ_TRY(simulate_all(a, count));
  a->count = count;
  return CQ_OK;
}

cq_status cq_ahead_help(cq_scene *scene, cq_ahead **ahead, const double *x, const double **row,
                        int *n, bool *known) {
  if (*ahead == NULL) {
    CQ_TRY(create(scene, ahead));
    (*ahead)->most = 1;
    (*ahead)->threads = cq_ctx_threads(scene->ctx);
  }
  cq_ahead *const a = *ahead;
  CQ_TRY(a->n_copies > 0 ? CQ_OK : open_copy(a));
  CQ_TRY(make_room(a, 1));
  memcpy(a->rows, x, (size_t)scene->design.n * sizeof *x);
  a->known[0] = false;
  simulate(a, 0, 0);
  *row = a->rows + scene->design.n;
  *n = (int)a->width - scene->design.n;
  *known = a->known[0];
  return CQ_OK;
}

void cq_ahead_run(cq_scene *scene, cq_ahead **ahead, int count, const double *x) {
  if (run(scene, ahead, count, x, 2) != CQ_OK) {
    cq_ctx_clear_error(scene->ctx); /* eval does it all the same */
  }
}

/* The rows as they are, in their order, up to the first that is not known. */
cq_status cq_ahead_values(cq_scene *scene, cq_ahead **ahead, int count, const double *x,
                          double *values, int *failed) {
  const size_t n = (size_t)scene->design.n, outputs = (size_t)cq_ahead_outputs(scene);
  *failed = -1;
  CQ_TRY(run(scene, ahead, count, x, 1));
  CQ_TRY(cq_ctx_stop_requested(scene->ctx));
  const cq_ahead *a = *ahead;
  for (int k = 0; k < count; k++) {
    if (a->count == 0 || !a->known[k]) {
      *failed = k;
      return CQ_OK;
    }
    memcpy(values + (size_t)k * outputs, a->rows + (size_t)k * a->width + n,
           outputs * sizeof *values);
  }
  return CQ_OK;
}

/* The row of the same x, to the last bit; the terms' values go where an evaluation leaves them. */
bool cq_ahead_answers(cq_ahead *a, const double *x, double *f, double *c) {
  for (int k = 0; a != NULL && k < a->count; k++) {
    const size_t n = (size_t)a->owner->design.n, m = (size_t)n_constraints(a->owner);
    const double *row = a->rows + (size_t)k * a->width;
    if (!a->known[k] || memcmp(row, x, n * sizeof *x) != 0) {
      continue;
    }
    *f = row[n];
    if (c != NULL) {
      memcpy(c, row + n + 1, m * sizeof *c);
    }
    for (int i = 0; i < n_terms(a->owner); i++) {
      a->owner->objective.functions[0].terms[i].value =
          row[n + (size_t)cq_ahead_outputs(a->owner) + (size_t)i];
    }
    return true;
  }
  return false;
}

void cq_ahead_statistics(const cq_ahead *a, cq_scene_stats *stats, long long *failures) {
  if (a != NULL) {
    cq_far_add(&a->by_helpers, stats, failures);
  }
  for (int i = 0; a != NULL && i < a->n_copies; i++) {
    cq_scene_add_work(a->copies[i].scene, stats, failures);
  }
}
