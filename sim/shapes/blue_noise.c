/* Random points that keep apart: a point that is drawn stays if no other is within r, and r shrinks
 * while few do. */
#include "apart.h"
#include "status.h"

enum { PATIENCE = 100 };

/* Until there are n; each that is in the way of many tries makes r smaller. */
static cq_status throw_points(const cq_shape *shape, cq_apart *apart, int n, double r,
                              cq_rng *rng) {
  int missed = 0;
  while (apart->n < n) {
    double x[3] = {0};
    cq_shape_sample(shape, rng, x);
    if (cq_apart_is_free(apart, x, r)) {
      CQ_TRY(cq_apart_add(apart, x));
      missed = 0;
    } else {
      missed++;
      r *= missed % PATIENCE == 0 ? 0.97 : 1.0;
    }
  }
  return CQ_OK;
}

/* r begins at what random points can nearly keep. */
cq_status cq_shape_blue_noise(cq_ctx *ctx, const cq_shape *shape, int n, cq_rng *rng, double *x) {
  const double known = cq_shape_volume(shape);
  double low[3] = {0}, size[3] = {0}, volume = 1.0;
  cq_apart apart;
  cq_shape_bounds(shape, low, size);
  for (int a = 0; a < shape->dim; a++) {
    volume *= size[a];
  }
  volume = isnan(known) ? volume : known;
  const double r = shape->dim == 2 ? 0.74 * sqrt(volume / n) : 0.8 * cbrt(volume / n);
  cq_status status = cq_apart_begin(ctx, shape->dim, low, size, n, r, &apart);
  status = status == CQ_OK ? throw_points(shape, &apart, n, r, rng) : status;
  if (status == CQ_OK) {
    memcpy(x, apart.points, (size_t)n * (size_t)shape->dim * sizeof *x);
  }
  cq_apart_end(&apart);
  return status;
}
