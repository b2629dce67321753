/* Spheres and triangles with a depth buffer, in four samples a pixel. Each is lit by one lamp over
 * the left shoulder (Lambert), and dark along the edge of what it hides, which shows where one body
 * ends in front of another of its colour. */
#include "splat.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

enum { FINE = 2 }; /* samples a pixel, each way */

typedef struct sample {
  float depth; /* -INFINITY: nothing */
  float r, g, b;
} sample;

typedef struct painting {
  int width, height; /* in samples */
  sample *samples;   /* [height][width] */
  unsigned char *shaded;
} painting;

static double lit(double nx, double ny, double nz) {
  static const double lamp[3] = {-0.41, 0.64, 0.65};
  return 0.42 + 0.58 * fmax(0.0, nx * lamp[0] + ny * lamp[1] + nz * lamp[2]);
}

/* The samples that [middle - reach, middle + reach] covers, of n. */
static void span(double middle, double reach, int n, int *begin, int *end) {
  *begin = (int)fmin(fmax(ceil(middle - reach - 0.5), 0.0), n);
  *end = (int)fmin(fmax(floor(middle + reach - 0.5) + 1.0, 0.0), n);
}

/* Each sample has the depth of the sphere there, so spheres that overlap meet in a curve. */
static void draw_sphere(painting *p, const cq_splat *s) {
  const double x = FINE * s->x, y = FINE * s->y, r = FINE * s->radius;
  int rows[2], columns[2];
  span(y, r, p->height, &rows[0], &rows[1]);
  for (int j = rows[0]; j < rows[1]; j++) {
    const double ny = (y - (j + 0.5)) / r, wide = r * sqrt(fmax(0.0, 1.0 - ny * ny));
    span(x, wide, p->width, &columns[0], &columns[1]);
    for (int i = columns[0]; i < columns[1]; i++) {
      const double nx = (i + 0.5 - x) / r, nz = sqrt(fmax(0.0, 1.0 - nx * nx - ny * ny));
      const float depth = (float)(FINE * s->depth + r * nz);
      sample *const to = &p->samples[(size_t)j * (size_t)p->width + (size_t)i];
      if (depth > to->depth) {
        const double light = lit(nx, ny, nz);
        *to = (sample){depth, (float)(light * s->colour.r), (float)(light * s->colour.g),
                       (float)(light * s->colour.b)};
      }
    }
  }
}

/* --- triangles --- */

/* Twice the area of a triangle of points, positive where they go round clockwise on paper. */
static double twice_area(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* A sample of a triangle: the corners' numbers by their shares. */
static sample mix_corners(const cq_corner *const *corners, const double *share) {
  double depth = 0.0, normal[3] = {0}, colour[3] = {0};
  for (int k = 0; k < 3; k++) {
    const cq_corner *const c = corners[k];
    depth += share[k] * FINE * c->depth;
    colour[0] += share[k] * c->colour.r;
    colour[1] += share[k] * c->colour.g;
    colour[2] += share[k] * c->colour.b;
    for (int a = 0; a < 3; a++) {
      normal[a] += share[k] * c->normal[a];
    }
  }
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const double light = lit(normal[0] / length, normal[1] / length, normal[2] / length);
  return (sample){(float)depth, (float)(light * colour[0]), (float)(light * colour[1]),
                  (float)(light * colour[2])};
}

/* What a triangle covers: shaded by its corners' normals, or as a shadow (corners NULL). Samples on
 * an edge may belong to both sides: the depth decides. */
static void fill_triangle(painting *p, double (*at)[2], const cq_corner *const *corners) {
  const double twice = twice_area(at[0], at[1], at[2]);
  int rows[2], columns[2];
  span(0.5 * (fmin(at[0][1], fmin(at[1][1], at[2][1])) + fmax(at[0][1], fmax(at[1][1], at[2][1]))),
       0.5 * (fmax(at[0][1], fmax(at[1][1], at[2][1])) - fmin(at[0][1], fmin(at[1][1], at[2][1]))),
       p->height, &rows[0], &rows[1]);
  span(0.5 * (fmin(at[0][0], fmin(at[1][0], at[2][0])) + fmax(at[0][0], fmax(at[1][0], at[2][0]))),
       0.5 * (fmax(at[0][0], fmax(at[1][0], at[2][0])) - fmin(at[0][0], fmin(at[1][0], at[2][0]))),
       p->width, &columns[0], &columns[1]);
  for (int j = rows[0]; j < rows[1] && twice != 0.0; j++) {
    for (int i = columns[0]; i < columns[1]; i++) {
      const double x[2] = {i + 0.5, j + 0.5};
      const double share[3] = {twice_area(x, at[1], at[2]) / twice,
                               twice_area(at[0], x, at[2]) / twice,
                               twice_area(at[0], at[1], x) / twice};
      if (!(share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0)) {
        continue;
      }
      const size_t to = (size_t)j * (size_t)p->width + (size_t)i;
      if (corners == NULL) {
        p->shaded[to] = 1;
        continue;
      }
      const sample s = mix_corners(corners, share);
      p->samples[to] = s.depth > p->samples[to].depth ? s : p->samples[to];
    }
  }
}

static void draw_triangle(painting *p, const cq_splats *s, int face) {
  const cq_corner *corners[3];
  double at[3][2], ground[3][2];
  for (int k = 0; k < 3; k++) {
    corners[k] = &s->faces[face][k];
    at[k][0] = ground[k][0] = FINE * corners[k]->x;
    at[k][1] = FINE * corners[k]->y;
    ground[k][1] = FINE * corners[k]->ground_y;
  }
  fill_triangle(p, at, corners);
  if (!isnan(corners[0]->ground_y)) {
    fill_triangle(p, ground, NULL);
  }
}

/* --- shadows and edges --- */

static void draw_shadow(painting *p, const cq_splat *s) {
  const double x = FINE * s->x, y = FINE * s->ground_y, r = FINE * s->radius;
  const double high = fmax(r * s->flatness, 0.5);
  int rows[2], columns[2];
  span(y, high, p->height, &rows[0], &rows[1]);
  for (int j = rows[0]; j < rows[1]; j++) {
    const double ny = (y - (j + 0.5)) / high;
    span(x, r * sqrt(fmax(0.0, 1.0 - ny * ny)), p->width, &columns[0], &columns[1]);
    if (columns[1] > columns[0]) {
      memset(p->shaded + (size_t)j * (size_t)p->width + columns[0], 1,
             (size_t)(columns[1] - columns[0]));
    }
  }
}

/* How far in front of a neighbour by more than `step` a sample is hidden by: 1 or 0. */
static double is_edge(const painting *p, int i, int j, double step) {
  static const int around[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const float depth = p->samples[(size_t)j * (size_t)p->width + (size_t)i].depth;
  for (int k = 0; k < 4; k++) {
    const int x = i + FINE * around[k][0], y = j + FINE * around[k][1];
    if (x >= 0 && y >= 0 && x < p->width && y < p->height &&
        p->samples[(size_t)y * (size_t)p->width + (size_t)x].depth - depth > step) {
      return 1.0;
    }
  }
  return 0.0;
}

/* One pixel of its samples. */
static uint32_t pixel(const painting *p, int column, int row, double step, double shadow) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (int j = FINE * row; j < FINE * (row + 1); j++) {
    for (int i = FINE * column; i < FINE * (column + 1); i++) {
      const size_t at = (size_t)j * (size_t)p->width + (size_t)i;
      const sample *const s = &p->samples[at];
      if (s->depth > -INFINITY) {
        const double light = 1.0 - 0.45 * is_edge(p, i, j, step);
        sum[0] += 1.0;
        sum[1] += light * (double)s->r;
        sum[2] += light * (double)s->g;
        sum[3] += light * (double)s->b;
      } else if (p->shaded[at] != 0) {
        sum[0] += shadow;
      }
    }
  }
  uint32_t out = 0;
  for (int c = 0; c < 4; c++) {
    out = out << 8 | (uint32_t)(255.0 * sum[c] / (FINE * FINE) + 0.5);
  }
  return out;
}

/* Pixels come after everything: edges and shadows depend on the depths of all that is drawn. */
static void draw(painting *p, const cq_splats *s, double step, double shadow, int stride,
                 unsigned char *pixels) {
  for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++) {
    p->samples[i].depth = -INFINITY;
  }
  for (int i = 0; i < s->n; i++) {
    draw_sphere(p, &s->splats[i]);
    if (!isnan(s->splats[i].ground_y)) {
      draw_shadow(p, &s->splats[i]);
    }
  }
  for (int f = 0; f < s->n_faces; f++) {
    draw_triangle(p, s, f);
  }
  for (int row = 0; row < p->height / FINE; row++) {
    for (int column = 0; column < p->width / FINE; column++) {
      const uint32_t value = pixel(p, column, row, FINE * step, shadow);
      memcpy(pixels + (size_t)row * (size_t)stride + 4 * (size_t)column, &value, sizeof value);
    }
  }
}

cq_status cq_splat_draw(cq_ctx *ctx, const cq_splats *splats, double step, double shadow, int width,
                        int height, int stride_bytes, unsigned char *pixels) {
  painting p = {.width = FINE * width, .height = FINE * height};
  const size_t count = (size_t)p.width * (size_t)p.height;
  cq_status status = CQ_ALLOC(ctx, p.samples, count);
  status = status == CQ_OK ? CQ_ALLOC(ctx, p.shaded, count) : status;
  if (status == CQ_OK) {
    draw(&p, splats, step, shadow, stride_bytes, pixels);
  }
  cq_free(ctx, p.samples);
  cq_free(ctx, p.shaded);
  return status;
}
