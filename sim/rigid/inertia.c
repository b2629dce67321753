#include "inertia.h"
#include "gear.h"
#include "surface.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Sums over a shape: of 1, of x_a, of x_a x_b. What is put together is added up as these, about one
 * origin, and made an inertia at the end. */
typedef struct sums {
  double one, x[3], xx[3][3];
} sums;

static void add(sums *s, double factor, const sums *part) {
  s->one += factor * part->one;
  for (int a = 0; a < 3; a++) {
    s->x[a] += factor * part->x[a];
    for (int b = 0; b < 3; b++) {
      s->xx[a][b] += factor * part->xx[a][b];
    }
  }
}

/* the same, about an origin that lies at `by` from the old one: x becomes x - by */
static void shift(sums *s, const double *by) {
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      s->xx[a][b] += by[a] * by[b] * s->one - by[a] * s->x[b] - by[b] * s->x[a];
    }
  }
  for (int a = 0; a < 3; a++) {
    s->x[a] -= by[a] * s->one;
  }
}

static void shift_back(sums *s, const double *by) {
  const double back[3] = {-by[0], -by[1], -by[2]};
  shift(s, back);
}

/* the same of the shape as it is turned */
static sums turned(const cq_shape *shape, sums s) {
  sums r = {.one = s.one};
  shift(&s, shape->center);
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      r.x[a] += shape->turn.Q[a][b] * s.x[b];
      for (int c = 0; c < 9; c++) {
        r.xx[a][b] += shape->turn.Q[a][c / 3] * s.xx[c / 3][c % 3] * shape->turn.Q[b][c % 3];
      }
    }
  }
  shift_back(&r, shape->center);
  return r;
}

static sums box_sums(int dim, const double *center, const double *size) {
  sums s = {.one = 1.0};
  for (int a = 0; a < dim; a++) {
    s.one *= size[a];
  }
  for (int a = 0; a < dim; a++) {
    s.xx[a][a] = s.one * size[a] * size[a] / 12.0;
  }
  shift_back(&s, center);
  return s;
}

static sums ball_sums(int dim, const double *center, double r) {
  sums s = {.one = dim == 2 ? PI * r * r : 4.0 / 3.0 * PI * r * r * r};
  for (int a = 0; a < dim; a++) {
    s.xx[a][a] = s.one * r * r / (dim + 2);
  }
  shift_back(&s, center);
  return s;
}

/* Triangles from the first corner, with the sign of their turn; the whole has that of its volume.
 */
static sums polygon_sums(const cq_shape *shape) {
  sums s = {0};
  const double *o = shape->points;
  for (int i = 1; i + 1 < shape->n_points; i++) {
    double p[2], q[2];
    for (int a = 0; a < 2; a++) {
      p[a] = shape->points[2 * i + a] - o[a];
      q[a] = shape->points[2 * i + 2 + a] - o[a];
    }
    const double area = 0.5 * (p[0] * q[1] - p[1] * q[0]);
    s.one += area;
    for (int a = 0; a < 2; a++) {
      s.x[a] += area * (p[a] + q[a]) / 3.0;
      for (int b = 0; b < 2; b++) {
        const double across = p[a] * q[b] + q[a] * p[b];
        s.xx[a][b] += area * (2.0 * p[a] * p[b] + 2.0 * q[a] * q[b] + across) / 12.0;
      }
    }
  }
  const double origin[3] = {o[0], o[1], 0.0};
  shift_back(&s, origin);
  sums positive = {0};
  add(&positive, s.one < 0.0 ? -1.0 : 1.0, &s);
  return positive;
}

/* A cylinder (2D: a strip) and two halves of a ball, about the middle: the halves have their centre
 * of mass 3 r/8 (2D: 4 r/(3 pi)) beyond the ends of the segment. */
static sums capsule_sums(const cq_shape *shape) {
  const int dim = shape->dim;
  const double *p = shape->points, *q = shape->points + dim, r = shape->radius;
  double axis[3] = {0}, middle[3] = {0}, length = 0.0;
  for (int a = 0; a < dim; a++) {
    middle[a] = 0.5 * (p[a] + q[a]);
    length = hypot(length, q[a] - p[a]);
  }
  for (int a = 0; a < dim; a++) {
    axis[a] = length > 0.0 ? (q[a] - p[a]) / length : 0.0;
  }
  const double zero[3] = {0};
  sums s = ball_sums(dim, zero, r);
  const double half = 0.5 * length, cap = dim == 2 ? 4.0 * r / (3.0 * PI) : 0.375 * r;
  const double body = length * (dim == 2 ? 2.0 * r : PI * r * r);
  const double across = body * r * r / (dim == 2 ? 3.0 : 4.0);
  /* along: the caps' points lie half + t from the middle, t of mean `cap` in them */
  const double along = body * length * length / 12.0 + s.one * half * (half + 2.0 * cap);
  s.one += body;
  for (int a = 0; a < dim; a++) {
    for (int b = 0; b < dim; b++) {
      s.xx[a][b] += (along - across) * axis[a] * axis[b] + (a == b ? across : 0.0);
    }
  }
  shift_back(&s, middle);
  return s;
}

/* A cell of the cut: `size` in each axis, about its middle. */
typedef struct cutting {
  const cq_shape *shape;
  sums total;
  double doubtful; /* volume of the last cells on the surface */
} cutting;

/* Cells that the surface cannot cross count whole or not at all; the distance of a composite is
 * never too large. The last ones count by how far their middle is from the surface. */
static void cut(cutting *c, const double *middle, const double *size, int levels) {
  const int dim = c->shape->dim;
  double half = 0.0, mean = 0.0;
  for (int a = 0; a < dim; a++) {
    half = hypot(half, 0.5 * size[a]);
    mean += size[a] / dim;
  }
  const double d = cq_shape_distance(c->shape, middle);
  if (d >= half) {
    return;
  }
  if (d <= -half || levels == 0) {
    const sums cell = box_sums(dim, middle, size);
    const double part = d <= -half ? 1.0 : fmin(fmax(0.5 - d / mean, 0.0), 1.0);
    add(&c->total, part, &cell);
    c->doubtful += d <= -half ? 0.0 : cell.one;
    return;
  }
  for (int child = 0; child < 1 << dim; child++) {
    double at[3] = {0}, smaller[3] = {0};
    for (int a = 0; a < dim; a++) {
      smaller[a] = 0.5 * size[a];
      at[a] = middle[a] + (child >> a & 1 ? 0.25 : -0.25) * size[a];
    }
    cut(c, at, smaller, levels - 1);
  }
}

static cutting cut_shape(const cq_shape *shape, int levels) {
  cutting c = {.shape = shape};
  double low[3] = {0}, size[3] = {0}, middle[3] = {0};
  cq_shape_bounds(shape, low, size);
  for (int a = 0; a < shape->dim; a++) {
    middle[a] = low[a] + 0.5 * size[a];
  }
  cut(&c, middle, size, levels);
  return c;
}

static bool bounds_overlap(const cq_shape *one, const cq_shape *other) {
  double low[2][3] = {{0}}, size[2][3] = {{0}};
  cq_shape_bounds(one, low[0], size[0]);
  cq_shape_bounds(other, low[1], size[1]);
  for (int a = 0; a < one->dim; a++) {
    const double tolerance = 1e-12 * (size[0][a] + size[1][a]);
    if (low[0][a] + size[0][a] <= low[1][a] + tolerance ||
        low[1][a] + size[1][a] <= low[0][a] + tolerance) {
      return false;
    }
  }
  return true;
}

/* no two parts meet, so that what is subtracted takes nothing */
static bool apart(const cq_shape *shape) {
  for (int i = 0; i < shape->n_parts; i++) {
    for (int j = 0; j < i; j++) {
      if (bounds_overlap(&shape->parts[i].shape, &shape->parts[j].shape)) {
        return false;
      }
    }
  }
  return true;
}

static sums shape_sums(const cq_shape *shape, double *error);

/* exact, or by cells and by cells twice as large for the error */
static sums composite_sums(const cq_shape *shape, double *error) {
  if (apart(shape)) {
    sums s = {0};
    for (int i = 0; i < shape->n_parts; i++) {
      const sums part = shape_sums(&shape->parts[i].shape, error);
      add(&s, shape->parts[i].subtract ? 0.0 : 1.0, &part);
    }
    return s;
  }
  const int levels = shape->dim == 2 ? 10 : 7;
  const cutting fine = cut_shape(shape, levels), coarse = cut_shape(shape, levels - 1);
  const double change = fabs(fine.total.one - coarse.total.one);
  /* a difference may be small by chance: rounding of the last cells adds up at random */
  const double cells = fine.doubtful / pow(2.0, shape->dim * levels);
  const double off = 2.0 * fmax(change, 0.1 * sqrt(fine.doubtful * cells));
  *error = fmax(*error, fine.total.one > 0.0 ? off / fine.total.one : 0.0);
  return fine.total;
}

static sums mesh_sums(const cq_mesh *mesh) {
  const cq_mesh_moments of = cq_mesh_moments_of(mesh);
  sums s = {.one = of.volume};
  for (int a = 0; a < 3; a++) {
    s.x[a] = of.volume * of.center[a];
    for (int b = 0; b < 3; b++) {
      s.xx[a][b] = of.second[a][b] + of.volume * of.center[a] * of.center[b];
    }
  }
  return s;
}

/* The same along all axes of a section, as of all that looks the same turned by a third or less. */
static sums gear_sums(const cq_shape *shape) {
  const double width = shape->dim == 3 ? shape->gear.width : 1.0;
  sums s = {.one = gear_section(&shape->gear, 0) * width};
  s.xx[0][0] = s.xx[1][1] = 0.5 * gear_section(&shape->gear, 2) * width;
  s.xx[2][2] = shape->dim == 3 ? s.one * width * width / 12.0 : 0.0;
  const double center[3] = {shape->center[0], shape->center[1],
                            shape->dim == 3 ? shape->center[2] : 0.0};
  shift_back(&s, center);
  return s;
}

/* Formulas, but for what is put together: that is cut into cells and leaves an error. */
static sums unturned_sums(const cq_shape *shape, double *error) {
  switch (shape->kind) {
  case CQ_SHAPE_box:
    return box_sums(shape->dim, shape->center, shape->size);
  case CQ_SHAPE_ball:
    return ball_sums(shape->dim, shape->center, shape->radius);
  case CQ_SHAPE_polygon:
    return polygon_sums(shape);
  case CQ_SHAPE_capsule:
    return capsule_sums(shape);
  case CQ_SHAPE_mesh:
    return mesh_sums(shape->mesh);
  case CQ_SHAPE_gear:
    return gear_sums(shape);
  default:
    return composite_sums(shape, error);
  }
}

static sums shape_sums(const cq_shape *shape, double *error) {
  const cq_shape plain = cq_shape_unturned(shape);
  const sums s = unturned_sums(&plain, error);
  return shape->turn.is ? turned(shape, s) : s;
}

/* From sums about the origin to the moment about the centre of mass. */
cq_inertia cq_inertia_of(const cq_shape *shape) {
  cq_inertia r = {0};
  sums s = shape_sums(shape, &r.error);
  r.volume = s.one;
  for (int a = 0; a < shape->dim && s.one > 0.0; a++) {
    r.center[a] = s.x[a] / s.one;
  }
  shift(&s, r.center);
  const double trace = s.xx[0][0] + s.xx[1][1] + s.xx[2][2];
  if (shape->dim == 2) {
    r.moment[0] = trace;
    return r;
  }
  for (int a = 0; a < 3; a++) {
    r.moment[a] = trace - s.xx[a][a];
  }
  r.moment[3] = -s.xx[0][1];
  r.moment[4] = -s.xx[0][2];
  r.moment[5] = -s.xx[1][2];
  return r;
}
