/* Marching squares: each square between four middles of pixels has the edges that its corners say.
 */
#include "mask.h"
#include "status.h"
#include "surface_text.h"

#include "alloc.h"

/* Pixels with a dark one all around: (column, row) from -1 to width, height, row 0 the lowest. */
typedef struct tracer {
  const cq_mask *mask;
  cq_surface_text t;
  int *known; /* [2][height + 2][width + 2] 1 + vertex on the edge to the right, upwards; 0: none */
} tracer;

static double value(const tracer *r, int column, int row) {
  const cq_mask *m = r->mask;
  return column < 0 || row < 0 || column >= m->width || row >= m->height
             ? 0.0
             : m->bright[(size_t)(m->height - 1 - row) * (size_t)m->width + (size_t)column];
}

/* The vertex on the edge from a pixel to the right or upwards. Not at its very ends, where lines
 * would touch. */
static cq_status cut(tracer *r, int column, int row, int up, int *vertex) {
  const double a = value(r, column, row), b = value(r, column + !up, row + up);
  const double t = fmin(fmax((0.5 - a) / (b - a), 0.01), 0.99);
  const size_t width = (size_t)r->mask->width + 2, height = (size_t)r->mask->height + 2;
  int *known = r->known + ((size_t)up * height + (size_t)(row + 1)) * width + (size_t)(column + 1);
  if (*known == 0) {
    const double x[2] = {column + 0.5 + (up ? 0.0 : t), row + 0.5 + (up ? t : 0.0)};
    CQ_TRY(cq_surface_vertex(&r->t, x));
    *known = r->t.s->n_vertices;
  }
  *vertex = *known - 1;
  return CQ_OK;
}

/* The edges of a square that lines cross, in order around it: below, right, above, left. */
static cq_status square(tracer *r, int column, int row) {
  const double corner[4] = {value(r, column, row), value(r, column + 1, row),
                            value(r, column + 1, row + 1), value(r, column, row + 1)};
  int vertex[4], n = 0;
  for (int k = 0; k < 4; k++) {
    if ((corner[k] >= 0.5) != (corner[(k + 1) % 4] >= 0.5)) {
      CQ_TRY(cut(r, column + (k == 1), row + (k == 2), k % 2, &vertex[n]));
      n++;
    }
  }
  if (n == 2) {
    return cq_surface_face(&r->t, vertex);
  }
  if (n == 4) { /* two corners bright across: joined where the middle is */
    const double middle = 0.25 * (corner[0] + corner[1] + corner[2] + corner[3]);
    const int first = (corner[0] >= 0.5) == (middle >= 0.5) ? 0 : 1;
    CQ_TRY(cq_surface_face(&r->t, (const int[]){vertex[first], vertex[first + 1]}));
    return cq_surface_face(&r->t, (const int[]){vertex[first + 2], vertex[(first + 3) % 4]});
  }
  return CQ_OK;
}

static cq_status trace(tracer *r) {
  for (int row = -1; row < r->mask->height; row++) {
    for (int column = -1; column < r->mask->width; column++) {
      CQ_TRY(square(r, column, row));
    }
  }
  CQ_CHECK(r->t.ctx, r->t.s->n_faces > 0, CQ_CONFIG,
           "%s: nothing in the picture is bright, and what is bright is the body", r->t.name);
  return CQ_OK;
}

cq_status cq_mask_trace(cq_ctx *ctx, const char *name, const cq_mask *mask, cq_surface *surface) {
  tracer r = {.mask = mask, .t = {.ctx = ctx, .name = name, .s = surface}};
  const size_t places = 2 * ((size_t)mask->width + 2) * ((size_t)mask->height + 2);
  *surface = (cq_surface){.dim = 2};
  CQ_TRY(CQ_ALLOC(ctx, r.known, places));
  const cq_status status = trace(&r);
  cq_free(ctx, r.known);
  return status;
}
