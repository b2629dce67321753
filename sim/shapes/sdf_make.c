#include "sdf.h"
#include "surface.h"

enum { MARGIN = 3 }; /* cells around the bounds */

/* The grid without its numbers. */
static cq_sdf plan(const cq_shape *shape, int cells) {
  cq_sdf g = {.dim = shape->dim, .count = {1, 1, 1}};
  double size[3] = {0}, longest = 0.0;
  cq_shape_bounds(shape, g.low, size);
  for (int a = 0; a < g.dim; a++) {
    longest = fmax(longest, size[a]);
  }
  g.spacing = longest / cells;
  for (int a = 0; a < g.dim; a++) {
    g.count[a] = (int)ceil(size[a] / g.spacing - 1e-9) + 2 * MARGIN + 1;
    g.low[a] -= MARGIN * g.spacing;
  }
  return g;
}

static size_t nodes_of(const cq_sdf *g) {
  return (size_t)g->count[0] * (size_t)g->count[1] * (size_t)g->count[2];
}

size_t cq_sdf_bytes(const cq_shape *shape, int cells) {
  const cq_sdf g = plan(shape, cells);
  return sizeof g + nodes_of(&g) * sizeof *g.values;
}

/* The distance at each node. */
const cq_sdf *cq_sdf_make(const cq_shape *shape, int cells, void *memory) {
  cq_sdf *g = memory;
  double *values = (double *)(g + 1);
  *g = plan(shape, cells);
  g->values = values;
  const size_t across = (size_t)g->count[1] * (size_t)g->count[2];
  for (size_t i = 0; i < nodes_of(g); i++) {
    const size_t index[3] = {i / across, i / (size_t)g->count[2] % (size_t)g->count[1],
                             i % (size_t)g->count[2]};
    double x[3] = {0};
    for (int a = 0; a < g->dim; a++) {
      x[a] = g->low[a] + (double)index[a] * g->spacing;
    }
    values[i] = cq_shape_distance(shape, x);
  }
  return g;
}
