/* Pixels of an image in units of `half` (eye.h), for the files of this folder. */
#ifndef CQ_VIEW_PIXELS_H
#define CQ_VIEW_PIXELS_H

#include "eye.h"

/* How far it is from pixel to pixel. */
static inline double cq_pixel_size(const cq_eye *v) {
  return 2.0 * v->half / v->wide;
}

/* How far the middle of a pixel is to the right, or up. */
static inline double cq_pixel_across(const cq_eye *v, double size, int column) {
  return size * (column - 0.5 * (v->wide - 1));
}

static inline double cq_pixel_upward(const cq_eye *v, double size, int row) {
  return size * (0.5 * (v->high - 1) - row);
}

/* The first pixel of n whose middle is at `at`, in pixels, or after it; a little less, as what is
 * seen there is decided by each pixel. A whole number, made without a conversion, so that loops
 * over it become vectors. */
static inline double cq_pixel_first(double at, double n) {
  const double whole = 4503599627370496.0, from = at - 0.5 - 1e-6;
  const double low = from > 0.0 ? from : 0.0, inside = low < n ? low : n;
  const double nearest = (inside + whole) - whole;
  return nearest < inside ? nearest + 1.0 : nearest;
}

/* Without a branch: loops over pixels become vectors. */
static inline void cq_pixel_keep_nearer(double near, double depth, double *pixel) {
  *pixel = depth >= near && depth < *pixel ? depth : *pixel;
}

#endif
