/* Depth images against ray casting: each pixel by all balls of a random bed, in formulas of its
 * own, and by the distance to a shape. */
#include "eye.h"
#include "map.h"
#include "ray.h"
#include "test.h"

enum { BEDS = 100, MOST_BALLS = 150, MOST_PIXELS = 36 * 36 };

static cq_rng rng;

static double draw(double low, double high) {
  return low + (high - low) * cq_rng_uniform(&rng);
}

typedef struct bed {
  int n;
  double x[MOST_BALLS][3], r[MOST_BALLS];
  cq_shape box, plane;
  double map[CQ_MAP];
} bed;

/* Balls in a unit room, some of them around the eye; a box and a plane that are turned and moved.
 */
static bed make_bed(int dim) {
  bed b = {.n = 1 + (int)draw(0.0, MOST_BALLS - 1.0)};
  for (int i = 0; i < b.n; i++) {
    b.r[i] = draw(0.01, 0.1);
    for (int a = 0; a < dim; a++) {
      b.x[i][a] = draw(0.0, 1.0);
    }
  }
  b.box = (cq_shape){.kind = CQ_SHAPE_box, .dim = dim, .center = {0.5, 0.4, 0.6}};
  for (int a = 0; a < 3; a++) {
    b.box.size[a] = draw(0.05, 0.4);
  }
  const double turn[3] = {draw(-2.0, 2.0), draw(-2.0, 2.0), draw(-2.0, 2.0)};
  cq_shape_turn(&b.box, turn);
  b.plane = (cq_shape){.kind = CQ_SHAPE_half_space, .dim = dim};
  double length = 0.0;
  for (int a = 0; a < dim; a++) {
    b.plane.normal[a] = draw(-1.0, 1.0);
    length += b.plane.normal[a] * b.plane.normal[a];
  }
  for (int a = 0; a < dim; a++) {
    b.plane.normal[a] /= sqrt(length);
    b.plane.center[a] = 0.5 - b.plane.normal[a];
  }
  const double angle = draw(-3.0, 3.0), c = cos(angle), s = sin(angle);
  const double map[CQ_MAP] = {c, -s, 0, draw(-0.5, 0.5), s, c, 0, draw(-0.5, 0.5), 0, 0, 1, 0.0};
  memcpy(b.map, map, sizeof map);
  return b;
}

static cq_eye make_view(int dim, bool perspective) {
  static const int sizes[][2] = {{36, 36}, {1, 1}, {7, 12}, {20, 5}};
  const int *const size = sizes[(int)draw(0.0, 3.999)];
  cq_eye v = {.dim = dim,
              .wide = size[0],
              .high = dim == 2 ? 1 : size[1],
              .perspective = perspective,
              .half = perspective ? tan(draw(0.2, 1.2)) : draw(0.2, 0.8),
              .near = draw(0.0, 0.3),
              .far = draw(0.8, 3.0)};
  const double eye[3] = {draw(-0.5, 1.5), draw(0.2, 2.0), draw(-0.5, 1.5)};
  const double at[3] = {draw(0.3, 0.7), draw(0.0, 0.5), draw(0.3, 0.7)};
  const double up[3] = {0.1, 1.0, 0.2};
  cq_eye_aim(&v, eye, at, up);
  return v;
}

/* The ray of a pixel, by the definition of the camera: of length 1, and how much of it is depth. */
static void cast(const cq_eye *v, int row, int column, double *from, double *along, double *deep) {
  const double a = ((column + 0.5) / v->wide * 2.0 - 1.0) * v->half;
  const double b = (1.0 - (row + 0.5) / v->high * 2.0) * v->half * v->high / v->wide;
  double length = 0.0;
  for (int k = 0; k < 3; k++) {
    const double aside = a * v->right[k] + b * v->up[k];
    from[k] = v->eye[k] + (v->perspective ? 0.0 : aside);
    along[k] = v->forward[k] + (v->perspective ? aside : 0.0);
    length += along[k] * along[k];
  }
  for (int k = 0; k < 3; k++) {
    along[k] /= sqrt(length);
  }
  *deep = 1.0 / sqrt(length);
}

/* The closest front of all balls: by the point of the ray that is nearest to the centre. */
static double cast_balls(const cq_eye *v, const bed *b, const double *from, const double *along,
                         double deep) {
  double nearest = v->far;
  for (int i = 0; i < b->n; i++) {
    double to = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
      to += (b->x[i][k] - from[k]) * along[k];
    }
    for (int k = 0; k < 3; k++) {
      const double off = from[k] + to * along[k] - b->x[i][k];
      square += off * off;
    }
    const double depth = deep * (to - sqrt(fmax(b->r[i] * b->r[i] - square, 0.0)));
    if (square < b->r[i] * b->r[i] && depth >= v->near) {
      nearest = fmin(nearest, depth);
    }
  }
  return nearest;
}

static double distance_of(const bed *b, const cq_shape *s, const double *from, const double *along,
                          double t) {
  double x[3] = {0.0}, own[3] = {0.0};
  for (int k = 0; k < 3; k++) {
    x[k] = from[k] + t * along[k] - b->map[4 * k + 3];
  }
  for (int k = 0; k < 3; k++) {
    own[k] = b->map[k] * x[0] + b->map[4 + k] * x[1] + b->map[8 + k] * x[2];
  }
  return cq_shape_distance(s, own);
}

/* Steps of its distance, from outside. */
static double cast_shape(const cq_eye *v, const bed *b, const cq_shape *s, const double *from,
                         const double *along, double deep) {
  double t = v->near / deep;
  if (distance_of(b, s, from, along, t) <= 0.0) {
    return v->far;
  }
  for (int i = 0; i < 4000 && t < v->far / deep; i++) {
    const double d = distance_of(b, s, from, along, t);
    if (d < 1e-9) {
      return t * deep;
    }
    t += d;
  }
  return v->far;
}

/* All at once, in the order of places or from the last one on. */
static void put_balls(const cq_eye *v, const bed *b, bool back, double *image) {
  double x[MOST_BALLS * 3], r[MOST_BALLS];
  for (int i = 0; i < b->n; i++) {
    const int from = back ? b->n - 1 - i : i;
    memcpy(x + i * v->dim, b->x[from], (size_t)v->dim * sizeof *x);
    r[i] = b->r[from];
  }
  cq_eye_balls(v, b->n, x, r, image);
}

static int seen, missed;

static void check_bed(int dim, bool perspective) {
  static double image[MOST_PIXELS];
  const bed b = make_bed(dim);
  const cq_eye v = make_view(dim, perspective);
  cq_eye_clear(&v, image);
  put_balls(&v, &b, false, image);
  cq_eye_shape(&v, &b.box, b.map, image);
  cq_eye_shape(&v, &b.plane, b.map, image);
  for (int i = 0; i < v.high * v.wide; i++) {
    double from[3], along[3], deep;
    cast(&v, i / v.wide, i % v.wide, from, along, &deep);
    const double balls = cast_balls(&v, &b, from, along, deep);
    const double shapes = fmin(cast_shape(&v, &b, &b.box, from, along, deep),
                               cast_shape(&v, &b, &b.plane, from, along, deep));
    const double want = fmin(balls, shapes);
    /* a ray along an edge of the box may meet it or not */
    missed += fabs(image[i] - want) > 1e-6;
    seen += image[i] < v.far;
  }
}

static void balls_and_a_box(void) {
  rng = cq_rng_seed(5);
  for (int i = 0; i < BEDS; i++) {
    check_bed(3, i % 2 == 1);
    check_bed(2, i % 2 == 1);
  }
  CHECK_MSG(missed == 0 && seen > 5000, "%d of %d pixels are not what rays say", missed, seen);
}

/* The bits do not depend on the order. */
static void any_order(void) {
  static double one[MOST_PIXELS], other[MOST_PIXELS];
  const bed b = make_bed(3);
  cq_eye v = make_view(3, true);
  v.wide = v.high = 36;
  cq_eye_clear(&v, one);
  cq_eye_clear(&v, other);
  cq_eye_shape(&v, &b.box, b.map, other);
  put_balls(&v, &b, false, one);
  put_balls(&v, &b, true, other);
  cq_eye_shape(&v, &b.box, b.map, one);
  CHECK(memcmp(one, other, sizeof one) == 0);
}

/* One that looks down on a floor sees its depth, and x from left to right. */
static void axes(void) {
  const double small = 0.1, large = 0.2;
  double image[4];
  cq_eye v = {.dim = 2, .wide = 4, .high = 1, .half = 1.0, .near = 0.0, .far = 3.0};
  const double eye[3] = {1.0, 2.0}, at[3] = {1.0, 0.0}, ball[3] = {0.25, 0.5}, up[3] = {0};
  const cq_shape floor = {.kind = CQ_SHAPE_half_space, .dim = 2, .normal = {0.0, 1.0}};
  cq_eye_aim(&v, eye, at, up);
  cq_eye_clear(&v, image);
  cq_eye_shape(&v, &floor, NULL, image);
  cq_eye_balls(&v, 1, ball, &small, image);
  CHECK_NEAR(image[0], 1.4, 1e-12);
  for (int i = 1; i < 4; i++) {
    CHECK_NEAR(image[i], 2.0, 1e-12);
  }
  cq_eye deep = {.dim = 3, .wide = 2, .high = 2, .half = 1.0, .near = 0.0, .far = 5.0};
  const double over[3] = {0.0, 3.0, 0.0}, down[3] = {0.0}, north[3] = {1.0, 0.0, 0.0};
  const double top_right[3] = {0.5, 1.0, 0.5};
  cq_eye_aim(&deep, over, down, north);
  cq_eye_clear(&deep, image);
  cq_eye_balls(&deep, 1, top_right, &large, image);
  CHECK_NEAR(image[1], 1.8, 1e-12);
  CHECK(image[0] == 5.0 && image[2] == 5.0 && image[3] == 5.0);
}

int main(void) {
  RUN(balls_and_a_box);
  RUN(any_order);
  RUN(axes);
  return TEST_RESULT();
}
