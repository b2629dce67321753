/* Bodies that overlap: particles of two of them within a quarter of a cell. */
#include "alloc.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double near_cells = 0.25;

/* Particles by the cell they are in: head of a chain per cell, next particle per particle. */
typedef struct cells {
  const cq_scene *scene;
  const double *x;
  int *head, *next;
  int body; /* whose particles are in the chains */
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

static bool touches_chain(const cells *c, const double *x, const int *shift) {
  const size_t dim = (size_t)c->scene->model.dim;
  const double limit = near_cells * c->scene->model.cell;
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

/* Is a particle of the inserted body near x? Cells inside the grid have all neighbours. */
static bool touches(const cells *c, const double *x) {
  const int depth = c->scene->model.dim == 3 ? 1 : 0;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      for (int k = -depth; k <= depth; k++) {
        if (touches_chain(c, x, (const int[3]){i, j, k})) {
          return true;
        }
      }
    }
  }
  return false;
}

/* Can the bodies touch at all? */
static bool boxes_meet(const cq_scene *scene, const cq_body *a, const cq_body *b) {
  double low_a[3], low_b[3], size_a[3], size_b[3];
  const double margin = near_cells * scene->model.cell;
  cq_shape_bounds(&a->shape, low_a, size_a);
  cq_shape_bounds(&b->shape, low_b, size_b);
  for (int i = 0; i < scene->model.dim; i++) {
    if (low_a[i] > low_b[i] + size_b[i] + margin || low_b[i] > low_a[i] + size_a[i] + margin) {
      return false;
    }
  }
  return true;
}

static void check_pair(cells *c, int other) {
  const cq_body *a = &c->scene->bodies[c->body], *b = &c->scene->bodies[other];
  int count = 0;
  for (int p = b->first; p < b->first + b->count && boxes_meet(c->scene, a, b); p++) {
    count += touches(c, c->x + (size_t)p * (size_t)c->scene->model.dim);
  }
  if (count > 0) {
    cq_log(
        c->scene->ctx, CQ_LOG_WARNING,
        "bodies \"%s\" and \"%s\" overlap: %d particles of \"%s\" are within a quarter of a cell "
        "of the other's",
        a->keys->name, b->keys->name, count, b->keys->name);
  }
}

static cq_status check_all(cells *c) {
  const cq_model *model = &c->scene->model;
  const size_t nodes = (size_t)model->grid[0] * (size_t)model->grid[1] * (size_t)model->grid[2];
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->head, nodes));
  CQ_TRY(CQ_ALLOC(c->scene->ctx, c->next, model->n_particles));
  memset(c->head, 0xff, nodes * sizeof *c->head);
  for (int i = 0; i < c->scene->config.bodies.count; i++) {
    insert_body(c, i, false);
    for (int j = i + 1; j < c->scene->config.bodies.count; j++) {
      check_pair(c, j);
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
  return status;
}
