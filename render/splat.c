/* Spheres with a depth buffer, in four samples a pixel. Each is lit by one lamp over the left
 * shoulder (Lambert), and dark along the edge of what it hides, which shows where one body ends in
 * front of another of its colour. */
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

static void draw(painting *p, int n, const cq_splat *splats, double shadow, int stride,
                 unsigned char *pixels) {
  double step = 0.0;
  for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++) {
    p->samples[i].depth = -INFINITY;
  }
  for (int i = 0; i < n; i++) {
    step = fmax(step, 4.0 * FINE * splats[i].radius);
    draw_sphere(p, &splats[i]);
    if (!isnan(splats[i].ground_y)) {
      draw_shadow(p, &splats[i]);
    }
  }
  for (int row = 0; row < p->height / FINE; row++) {
    for (int column = 0; column < p->width / FINE; column++) {
      const uint32_t value = pixel(p, column, row, step, shadow);
      memcpy(pixels + (size_t)row * (size_t)stride + 4 * (size_t)column, &value, sizeof value);
    }
  }
}

cq_status cq_splat_draw(cq_ctx *ctx, int n, const cq_splat *splats, double shadow, int width,
                        int height, int stride_bytes, unsigned char *pixels) {
  painting p = {.width = FINE * width, .height = FINE * height};
  const size_t count = (size_t)p.width * (size_t)p.height;
  cq_status status = CQ_ALLOC(ctx, p.samples, count);
  status = status == CQ_OK ? CQ_ALLOC(ctx, p.shaded, count) : status;
  if (status == CQ_OK) {
    draw(&p, n, splats, shadow, stride_bytes, pixels);
  }
  cq_free(ctx, p.samples);
  cq_free(ctx, p.shaded);
  return status;
}
