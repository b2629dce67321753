/* What a run shows of why variables change nothing. */
#include "inactive.h"

#include "alloc.h"
#include "near.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_BODIES = 32, MOST_FOUND = 32 };

/* above it a tanh has no slope to speak of */
static const double saturated = 0.999;

/* --- looking -----------------------------------------------------------------------------------
 */

static void find_bounds(cq_witness *w, const double *x) {
  const size_t dim = (size_t)w->scene->model.dim;
  for (size_t b = 0; b < (size_t)w->n_bodies; b++) {
    const cq_body *body = &w->scene->bodies[b];
    for (size_t a = 0; a < dim; a++) {
      double low = INFINITY, high = -INFINITY;
      for (size_t p = (size_t)body->first; p < (size_t)(body->first + body->count); p++) {
        low = fmin(low, x[p * dim + a]);
        high = fmax(high, x[p * dim + a]);
      }
      w->low[b * dim + a] = low;
      w->high[b * dim + a] = high;
    }
  }
}

/* No particles of the two are nearer than this. */
static double least_gap(const cq_witness *w, int i, int j) {
  const size_t dim = (size_t)w->scene->model.dim;
  double square = 0.0;
  for (size_t a = 0; a < dim; a++) {
    const size_t ia = (size_t)i * dim + a, ja = (size_t)j * dim + a;
    const double gap = fmax(w->low[ia] - w->high[ja], w->low[ja] - w->high[ia]);
    square += gap > 0.0 ? gap * gap : 0.0;
  }
  return sqrt(square);
}

/* The distance of particle x from those of near, or `best` where none is nearer than that. */
static double distance_to(const cq_near *near, const double *x, double best) {
  int found[MOST_FOUND];
  for (int n = MOST_FOUND; n == MOST_FOUND;) { /* as long as there may be nearer ones */
    n = cq_near_find(near, x, best, MOST_FOUND, found);
    for (int k = 0; k < n; k++) {
      double square = 0.0;
      for (int a = 0; a < near->dim; a++) {
        const double d = x[a] - near->x[near->point[found[k]] * near->dim + a];
        square += d * d;
      }
      best = fmin(best, sqrt(square));
    }
  }
  return best;
}

/* The distance of two bodies, if it is below `most`. */
static cq_status measure(const cq_witness *w, const double *x, int i, int j, double most,
                         double *distance) {
  const cq_scene *scene = w->scene;
  const size_t dim = (size_t)scene->model.dim;
  const cq_body *other = &scene->bodies[j];
  double radius = fmin(most, 1.5 * fmax(least_gap(w, i, j), scene->model.cell));
  *distance = most;
  for (bool found = false; !found; radius = fmin(most, 2.0 * radius)) {
    cq_near near;
    CQ_TRY(cq_near_create(scene->ctx, (int)dim, x, scene->sets[1 + i].particles,
                          scene->bodies[i].count, radius, &near));
    double best = radius;
    for (size_t p = (size_t)other->first; p < (size_t)(other->first + other->count); p++) {
      best = distance_to(&near, x + p * dim, best);
    }
    cq_near_destroy(&near);
    found = best < radius || radius >= most;
    *distance = fmin(*distance, best);
  }
  return CQ_OK;
}

static cq_status look_at_pairs(cq_witness *w, int step, const double *x) {
  const int n = w->n_bodies;
  const double reach = CQ_REACH * w->scene->model.cell;
  find_bounds(w, x);
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      const int at = i * n + j;
      if (w->met_at[at] >= 0 || least_gap(w, i, j) >= w->nearest[at]) {
        continue;
      }
      double distance = 0.0;
      CQ_TRY(measure(w, x, i, j, w->nearest[at], &distance));
      if (distance < w->nearest[at]) {
        w->nearest[at] = w->nearest[j * n + i] = distance;
        w->nearest_at[at] = w->nearest_at[j * n + i] = step;
      }
      if (distance < reach) {
        w->met_at[at] = w->met_at[j * n + i] = step;
      }
    }
  }
  return CQ_OK;
}

static void look_at_shapes(cq_witness *w, const double *F) {
  const cq_scene *scene = w->scene;
  const size_t size = (size_t)(scene->model.dim * scene->model.dim);
  const double *before = scene->current + scene->layout.offset[CQ_INPUT_F];
  const double rounding = scene->model.bits == 64 ? 1e-13 : 1e-6;
  for (size_t p = 0; p < (size_t)scene->model.n_particles; p++) {
    for (size_t k = 0; k < size && !w->deformed[p]; k++) {
      w->deformed[p] = fabs(F[p * size + k] - before[p * size + k]) > rounding;
    }
  }
}

static cq_status look(void *user, int step, const double *state) {
  cq_witness *w = user;
  CQ_TRY(cq_ctx_stop_requested(w->scene->ctx));
  look_at_shapes(w, state + w->scene->layout.offset[CQ_INPUT_F]);
  return look_at_pairs(w, step, state + w->scene->layout.offset[CQ_INPUT_x]);
}

static void look_at_controls(cq_witness *w) {
  const cq_model *model = &w->scene->model;
  const cq_controller *c = &model->controller;
  const double *u = cq_sim_controls(w->scene->sim);
  w->least_drive = INFINITY;
  for (int k = 0; k < model->steps && c->middle != NULL; k++) {
    for (int i = 0; i < model->n_controls; i++) {
      const double drive =
          fabs(u[(size_t)k * (size_t)model->n_controls + (size_t)i] - c->middle[i]);
      w->least_drive = fmin(w->least_drive, drive / c->strength[i]);
    }
  }
}

cq_status cq_witness_run(cq_scene *scene, cq_witness *w) {
  cq_ctx *ctx = scene->ctx;
  const int bodies = scene->config.bodies.count;
  *w = (cq_witness){.scene = scene, .n_bodies = bodies <= MOST_BODIES ? bodies : 0};
  const size_t n = (size_t)w->n_bodies, dim = (size_t)scene->model.dim;
  CQ_TRY(CQ_ALLOC(ctx, w->nearest, n * n));
  CQ_TRY(CQ_ALLOC(ctx, w->nearest_at, n * n));
  CQ_TRY(CQ_ALLOC(ctx, w->met_at, n * n));
  CQ_TRY(CQ_ALLOC(ctx, w->low, n * dim));
  CQ_TRY(CQ_ALLOC(ctx, w->high, n * dim));
  CQ_TRY(CQ_ALLOC(ctx, w->deformed, scene->model.n_particles));
  for (size_t i = 0; i < n * n; i++) {
    w->nearest[i] = scene->model.cell * (scene->model.grid[0] + scene->model.grid[1] +
                                         scene->model.grid[2]); /* more than there can be */
    w->met_at[i] = -1;
  }
  CQ_TRY(cq_sim_visit(scene->sim, scene->current, NULL, scene->model.steps + 1, look, w));
  look_at_controls(w);
  return CQ_OK;
}

void cq_witness_free(cq_witness *w) {
  if (w->scene == NULL) {
    return;
  }
  cq_ctx *ctx = w->scene->ctx;
  cq_free(ctx, w->nearest);
  cq_free(ctx, w->nearest_at);
  cq_free(ctx, w->met_at);
  cq_free(ctx, w->low);
  cq_free(ctx, w->high);
  cq_free(ctx, w->deformed);
}

/* --- held by walls -----------------------------------------------------------------------------
 */

static bool is_sticky(const cq_scene *scene, const double *node) {
  double normal[3];
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    const cq_boundary *b = &scene->model.boundaries[i];
    if (b->kind == CQ_BOUNDARY_sticky &&
        geometry_holds(&b->geometry, scene->model.dim, node, normal)) {
      return true;
    }
  }
  return false;
}

/* Does a sticky wall hold every node that the particle reaches? */
static bool is_held(const cq_scene *scene, size_t p) {
  const cq_model *model = &scene->model;
  const double *x = scene->current + scene->layout.offset[CQ_INPUT_x] + p * (size_t)model->dim;
  const int nodes = model->dim == 3 ? 27 : 9;
  for (int k = 0; k < nodes; k++) {
    const int shift[3] = {k % 3, k / 3 % 3, k / 9};
    double node[3] = {0};
    for (int a = 0; a < model->dim; a++) {
      node[a] = (floor(x[a] / model->cell - 0.5) + shift[a]) * model->cell;
    }
    if (!is_sticky(scene, node)) {
      return false;
    }
  }
  return true;
}

static bool all_held(const cq_scene *scene, const cq_idle *idle) {
  for (int p = 0; p < scene->model.n_particles; p++) {
    if (idle->driven[p] && !is_held(scene, (size_t)p)) {
      return false;
    }
  }
  return idle->n_driven > 0;
}

/* --- bodies that do not meet -------------------------------------------------------------------
 */

static void bodies_of(const cq_scene *scene, const unsigned char *particles, bool *bodies) {
  for (int b = 0; b < scene->config.bodies.count && b < MOST_BODIES; b++) {
    const cq_body *body = &scene->bodies[b];
    bodies[b] = memchr(particles + body->first, 1, (size_t)body->count) != NULL;
  }
}

/* Adds all that bodies act on by the state `last`, one through another. */
static void spread(const cq_witness *w, int last, bool *bodies) {
  const int n = w->n_bodies;
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < n * n; k++) {
      if (bodies[k / n] && !bodies[k % n] && w->met_at[k] >= 0 && w->met_at[k] < last) {
        bodies[k % n] = more = true;
      }
    }
  }
}

static bool share(const cq_witness *w, const bool *a, const bool *b) {
  for (int i = 0; i < w->n_bodies; i++) {
    if (a[i] && b[i]) {
      return true;
    }
  }
  return false;
}

/* The pair, one of each, with the least time of meeting (late) or distance; -1: none. */
static int choose_pair(const cq_witness *w, const bool *from, const bool *to, bool late) {
  const int n = w->n_bodies;
  int best = -1;
  for (int k = 0; k < n * n; k++) {
    if (from[k / n] && to[k % n] && (!late || w->met_at[k] >= 0) &&
        (best < 0 || (late ? w->met_at[k] < w->met_at[best] : w->nearest[k] < w->nearest[best]))) {
      best = k;
    }
  }
  return best;
}

static bool do_not_meet(const cq_witness *w, const cq_scope *scope, const cq_idle *idle, char *text,
                        size_t size) {
  const cq_scene *scene = w->scene;
  const double dt = scene->model.dt;
  bool from[MOST_BODIES] = {false}, in_time[MOST_BODIES], ever[MOST_BODIES];
  bool to[MOST_BODIES] = {false};
  bodies_of(scene, idle->driven, from);
  bodies_of(scene, scope->seen, to);
  if (w->n_bodies == 0 || idle->n_driven == 0 || share(w, from, to)) {
    return false;
  }
  memcpy(in_time, from, sizeof from);
  memcpy(ever, from, sizeof from);
  spread(w, scope->last, in_time);
  spread(w, scene->model.steps + 1, ever);
  if (share(w, in_time, to)) {
    return false;
  }
  const bool late = share(w, ever, to);
  bool others[MOST_BODIES];
  for (int i = 0; i < MOST_BODIES; i++) {
    others[i] = late ? !in_time[i] : to[i];
  }
  const int pair = choose_pair(w, in_time, others, late);
  if (pair < 0) {
    return false;
  }
  const char *a = scene->bodies[pair / w->n_bodies].keys->name;
  const char *b = scene->bodies[pair % w->n_bodies].keys->name;
  if (late) {
    snprintf(text, size, "\"%s\" meets \"%s\" at %.3g s, and the last time that counts is %.3g s",
             a, b, w->met_at[pair] * dt, scope->last * dt);
  } else {
    snprintf(text, size,
             "the bodies never meet: \"%s\" and \"%s\" are nearest at %.3g s, %.3g m apart", a, b,
             w->nearest_at[pair] * dt, w->nearest[pair]);
  }
  return true;
}

/* --- the answer --------------------------------------------------------------------------------
 */

static bool never_deformed(const cq_witness *w, const cq_idle *idle) {
  const cq_block_kind kind = idle->block->kind;
  for (int p = 0; p < w->scene->model.n_particles; p++) {
    if (idle->driven[p] && w->deformed[p]) {
      return false;
    }
  }
  return idle->n_driven > 0 && (kind == CQ_BLOCK_youngs_modulus || kind == CQ_BLOCK_poisson_ratio);
}

bool cq_witness_reason(const cq_witness *w, const cq_scope *scope, const cq_idle *idle, char *text,
                       size_t size) {
  if (idle->block->kind == CQ_BLOCK_controller && w->least_drive > saturated &&
      isfinite(w->least_drive)) {
    snprintf(text, size,
             "the controller is saturated: every control is beyond %g of its bound at all times",
             saturated);
    return true;
  }
  if (all_held(w->scene, idle)) {
    snprintf(text, size, "a sticky wall holds %s particle%s",
             idle->n_driven == 1 ? "its" : (idle->whole ? "all its" : "all their"),
             idle->n_driven == 1 ? "" : "s");
    return true;
  }
  if (do_not_meet(w, scope, idle, text, size)) {
    return true;
  }
  if (never_deformed(w, idle)) {
    snprintf(text, size, "%s never deformed",
             idle->n_driven == 1 ? "its particle is" : "its particles are");
    return true;
  }
  return false;
}
