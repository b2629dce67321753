/* Balls of a depth image, BATCH at a time: first where all of them are and which pixels they may be
 * in, in loops over numbers side by side, which compilers make vectors of; then the pixels of each.
 */
#include "pixels.h"

enum { BATCH = 64 };

/* To the right of the eye, upward and ahead, and the pixels they may be in: columns from left to
 * before right, rows from top to before bottom. */
typedef struct balls {
  double x[BATCH], y[BATCH], z[BATCH], r[BATCH], scale[BATCH], reach[BATCH];
  double left[BATCH], right[BATCH], top[BATCH], bottom[BATCH];
} balls;

/* dim is a constant in each call, so that there are no loops over axes. */
static inline void place_balls(const cq_eye *v, int dim, int n, const double *x, balls *b) {
  const double *const e = v->eye, *const right = v->right, *const up = v->up;
  const double *const ahead = v->forward;
  for (int i = 0; i < n; i++) {
    const double *const at = x + (size_t)i * (size_t)dim;
    const double p = at[0] - e[0], q = at[1] - e[1], s = dim == 3 ? at[2] - e[2] : 0.0;
    b->x[i] = right[0] * p + right[1] * q + right[2] * s;
    b->y[i] = up[0] * p + up[1] * q + up[2] * s;
    b->z[i] = ahead[0] * p + ahead[1] * q + ahead[2] * s;
  }
}

/* In units of `half` balls are seen between x scale - reach and x scale + reach, and the same with
 * y. The rays from the eye that touch one have these slopes or smaller ones: with the distance of
 * its middle from the eye in the place of that in a plane there is one root a ball. All slopes,
 * where it reaches back to the eye. */
static void find_reach(bool perspective, int n, balls *b) {
  for (int i = 0; i < n; i++) {
    const double x = b->x[i], y = b->y[i], z = b->z[i], r = b->r[i];
    const double part = 1.0 / (z * z - r * r), far = sqrt(x * x + y * y + z * z);
    const double scale = z > r ? z * part : 0.0, reach = z > r ? r * far * part : INFINITY;
    b->scale[i] = perspective ? scale : 1.0;
    b->reach[i] = perspective ? reach : r;
  }
}

/* Between which of the pixels along a side of the image they may be seen that are `at` along it. */
static void find_span(const cq_eye *v, int n, int pixels, double sign, const double *at,
                      const balls *b, double *first, double *end) {
  const double scale = 0.5 * v->wide / v->half, middle = 0.5 * pixels;
  for (int i = 0; i < n; i++) {
    const double place = sign * at[i] * b->scale[i], reach = b->reach[i];
    first[i] = cq_pixel_first(middle + scale * (place - reach), pixels);
    end[i] = cq_pixel_first(middle + scale * (place + reach) + 1.0, pixels);
  }
}

static void find_windows(const cq_eye *v, int n, balls *b) {
  find_reach(v->perspective, n, b);
  find_span(v, n, v->wide, 1.0, b->x, b, b->left, b->right);
  find_span(v, n, v->high, -1.0, b->y, b, b->top, b->bottom);
}

/* What all rows of a ball share: its middle, the depth that no part of it is nearer than, and where
 * its first pixel is. */
typedef struct ball {
  const double *at; /* [3] */
  double nearest, square, excess, first;
} ball;

/* A row of parallel rays. Where something nearer has been seen there is no need of a root. */
static void put_row(const cq_eye *v, double size, const ball *b, double up, int n, double *row) {
  const double aside = up - b->at[1], room = b->square - aside * aside, from = b->first - b->at[0];
  for (int i = 0; i < n; i++) {
    const double away = from + size * i, square = room - away * away;
    if (b->nearest < row[i] && square > 0.0) {
      cq_pixel_keep_nearer(v->near, b->at[2] - sqrt(square), &row[i]);
    }
  }
}

/* The same in rays from the eye: (a, up, 1) t is on the ball. */
static void put_fan(const cq_eye *v, double size, const ball *b, double up, int n, double *row) {
  const double rest = up * up + 1.0, part = up * b->at[1] + b->at[2];
  for (int i = 0; i < n; i++) {
    const double a = b->first + size * i, square = a * a + rest, along = a * b->at[0] + part;
    const double root = along * along - square * b->excess;
    if (b->nearest < row[i] && root > 0.0) {
      cq_pixel_keep_nearer(v->near, (along - sqrt(root)) / square, &row[i]);
    }
  }
}

/* The pixels of its window, row by row. */
static void put_ball(const cq_eye *v, double size, const balls *all, int k, double *image) {
  const int left = (int)all->left[k], n = (int)all->right[k] - left, bottom = (int)all->bottom[k];
  const double at[3] = {all->x[k], all->y[k], all->z[k]}, r = all->r[k];
  const ball b = {.at = at,
                  .nearest = at[2] - (1.0 + 1e-9) * r, /* whatever is rounded: for any order */
                  .square = r * r,
                  .excess = at[0] * at[0] + at[1] * at[1] + at[2] * at[2] - r * r,
                  .first = cq_pixel_across(v, size, left)};
  for (int j = (int)all->top[k]; j < bottom; j++) {
    double *const row = image + (size_t)j * (size_t)v->wide + left;
    if (v->perspective) {
      put_fan(v, size, &b, cq_pixel_upward(v, size, j), n, row);
    } else {
      put_row(v, size, &b, cq_pixel_upward(v, size, j), n, row);
    }
  }
}

static bool in_view(const cq_eye *v, double z, double r) {
  return r > 0.0 && z + r >= v->near && z - r <= v->far;
}

/* In batches, whose windows are found at once. */
void cq_eye_balls(const cq_eye *v, int n, const double *x, const double *radii, double *image) {
  const double size = cq_pixel_size(v);
  for (int from = 0; from < n; from += BATCH) {
    balls b;
    const int count = n - from < BATCH ? n - from : BATCH;
    memcpy(b.r, radii + from, (size_t)count * sizeof *radii);
    if (v->dim == 3) {
      place_balls(v, 3, count, x + (size_t)from * 3, &b);
    } else {
      place_balls(v, 2, count, x + (size_t)from * 2, &b);
    }
    find_windows(v, count, &b);
    for (int k = 0; k < count; k++) {
      if (in_view(v, b.z[k], b.r[k])) {
        put_ball(v, size, &b, k, image);
      }
    }
  }
}
