/* Bodies that overlap: particles of one that are inside the shape of another, or nearer to a
 * particle of it than half the spacing of particles. Random particles have no spacing. */
#include "alloc.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Particles by the cell they are in: head of a chain per cell, next particle per particle. */
typedef struct cells {
  const cq_scene *scene;
  const double *x;
  int *head, *next;
  double (*bounds)[2][3]; /* [bodies] lowest and highest coordinates of their particles */
  int body;               /* whose particles are in the chains */
} cells;

static size_t cell_of(const cells *c, const double *x, const int *shift) {
  const cq_model *model = &c->scene->model;
  size_t index = 0;
  for (int a = 0; a < model->dim; a++) {
    const int i = (int)(x[a] / model->cell) + shift[a];
    index = index * (size_t)model->grid[a] + (size_t)(i < 0 ? 0 : i);
  }
  return index;
}

static void insert_body(cells *c, int body, bool empty) {
  const int zero[3] = {0};
  const cq_body *b = &c->scene->bodies[body];
  for (int p = b->first; p < b->first + b->count; p++) {
    const size_t cell = cell_of(c, c->x + (size_t)p * (size_t)c->scene->model.dim, zero);
    c->next[p] = empty ? -1 : c->head[cell];
    c->head[cell] = empty ? -1 : p;
  }
  c->body = body;
}

static bool touches_chain(const cells *c, const double *x, const int *shift, double limit) {
  const size_t dim = (size_t)c->scene->model.dim;
  for (int q = c->head[cell_of(c, x, shift)]; q >= 0; q = c->next[q]) {
    double square = 0.0;
    for (size_t a = 0; a < dim; a++) {
      const double d = x[a] - c->x[(size_t)q * dim + a];
      square += d * d;
    }
    if (square < limit * limit) {
      return true;
    }
  }
  return false;
}

/* Is a particle of the inserted body within limit, a cell at most? Cells inside the grid have all
 * neighbours. */
static bool touches(const cells *c, const double *x, double limit) {
  const int depth = c->scene->model.dim == 3 ? 1 : 0;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      for (int k = -depth; k <= depth; k++) {
        if (touches_chain(c, x, (const int[3]){i, j, k}, limit)) {
          return true;
        }
      }
    }
  }
  return false;
}

static void find_bounds(cells *c, int body) {
  const size_t dim = (size_t)c->scene->model.dim;
  const cq_body *b = &c->scene->bodies[body];
  for (size_t a = 0; a < dim; a++) {
    double *low = &c->bounds[body][0][a], *high = &c->bounds[body][1][a];
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < (size_t)b->count; i++) {
      *low = fmin(*low, b->x[i * dim + a]);
      *high = fmax(*high, b->x[i * dim + a]);
    }
  }
}

/* Can the bodies touch at all? */
static bool bounds_meet(const cells *c, int i, int j) {
  const double margin = c->scene->model.cell;
  for (int a = 0; a < c->scene->model.dim; a++) {
    if (c->bounds[i][0][a] > c->bounds[j][1][a] + margin ||
        c->bounds[j][0][a] > c->bounds[i][1][a] + margin) {
      return false;
    }
  }
  return true;
}

/* Deeper inside the shape of the body than rounding explains. */
static bool is_inside(const cq_scene *scene, const cq_body *body, const double *x) {
  return body->keys->sampling != CQ_SAMPLING_POINTS &&
         cq_shape_distance(&body->shape, x) < -1e-6 * scene->model.cell;
}

static void check_pair(cells *c, int other) {
  const cq_scene *scene = c->scene;
  const cq_body *a = &scene->bodies[c->body], *b = &scene->bodies[other];
  const double limit = fmin(0.5 * fmin(a->spacing, b->spacing), scene->model.cell);
  int of_a = 0, of_b = 0;
  for (int p = a->first; p < a->first + a->count; p++) {
    of_a += is_inside(scene, b, c->x + (size_t)p * (size_t)scene->model.dim);
  }
  for (int p = b->first; p < b->first + b->count; p++) {
    const double *x = c->x + (size_t)p * (size_t)scene->model.dim;
    of_b += is_inside(scene, a, x) || touches(c, x, limit);
  }
  if (of_a + of_b > 0) {
    cq_log(scene->ctx, CQ_LOG_WARNING,
           "bodies \"%s\" and \"%s\" overlap: %d particles of \"%s\" and %d of \"%s\" are inside "
           "the other body, or nearer to its particles than half their spacing",
           a->keys->name, b->keys->name, of_a, a->keys->name, of_b, b->keys->name);
  }
}

static cq_status check_all(cells *c) {
  const cq_model *model = &c->scene->model;
  const size_t nodes = (size_t)model->grid[0] * (size_t)model->grid[1] * (size_t)model->grid[2];
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->head, nodes));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->next, model->n_particles));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->bounds, c->scene->config.bodies.count));
  memset(c->head, 0xff, nodes * sizeof *c->head);
  for (int i = 0; i < c->scene->config.bodies.count; i++) {
    find_bounds(c, i);
  }
  for (int i = 0; i < c->scene->config.bodies.count; i++) {
    insert_body(c, i, false);
    for (int j = i + 1; j < c->scene->config.bodies.count; j++) {
      if (bounds_meet(c, i, j)) {
        check_pair(c, j);
      }
    }
    insert_body(c, i, true);
  }
  return CQ_OK;
}

cq_status cq_scene_check_overlap(cq_scene *scene) {
  cells c = {.scene = scene, .x = scene->inputs + scene->layout.offset[CQ_INPUT_x]};
  const cq_status status = check_all(&c);
  cq_free(scene->ctx, c.head);
  cq_free(scene->ctx, c.next);
  cq_free(scene->ctx, c.bounds);
  return status;
}
