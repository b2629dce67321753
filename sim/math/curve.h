/* A smooth curve y(x) through points: the natural cubic spline, whose second derivative is zero at
 * both ends, so that straight lines continue it there. Twice continuously differentiable for all x.
 * (de Boor, A Practical Guide to Splines, chapter IV.) */
#ifndef CQ_MATH_CURVE_H
#define CQ_MATH_CURVE_H

#include "wide.h"

/* y = c[0] + c[1] s + c[2] s^2 + c[3] s^3 with s = x - this x */
typedef struct cq_cubic {
  double x, c[4];
} cq_cubic;

/* n + 1 pieces for n points: piece i holds from its x to that of piece i + 1, piece 0 before. */
typedef struct cq_curve {
  int n;
  const cq_cubic *pieces; /* not owned */
} cq_curve;

/* y(x) and its first two derivatives */
typedef struct cq_curve_point {
  wide y, slope, bend;
} cq_curve_point;

CQ_FN cq_curve_point cq_curve_at(const cq_curve *curve, wide x) {
  int i = 0, above = curve->n + 1; /* the piece is one of i ... above - 1 */
  while (above - i > 1) {
    const int middle = (i + above) / 2;
    if (x < curve->pieces[middle].x) {
      above = middle;
    } else {
      i = middle;
    }
  }
  const cq_cubic *p = &curve->pieces[i];
  const wide s = x - p->x;
  cq_curve_point at;
  at.y = p->c[0] + s * (p->c[1] + s * (p->c[2] + s * p->c[3]));
  at.slope = p->c[1] + s * (2.0 * p->c[2] + s * (3.0 * p->c[3]));
  at.bend = 2.0 * p->c[2] + s * (6.0 * p->c[3]);
  return at;
}

/* Fills pieces[n + 1] from n >= 2 points, x increasing. The second derivatives M solve
 *   d_(i-1) M_(i-1) + 2 (d_(i-1) + d_i) M_i + d_i M_(i+1) = 6 (slope of chord i - of chord i-1),
 * d_i = x_(i+1) - x_i, by elimination without pivots: the matrix is diagonally dominant. */
CQ_FN void cq_curve_fit(int n, const double *x, const double *y, cq_cubic *pieces) {
  cq_cubic *between = pieces + 1; /* between[i] begins at point i */
  double before = 0.0, chord = 0.0;
  for (int i = 0; i < n - 1; i++) {
    /* on the way c[2] is the right-hand side and c[3] the coefficient of M_(i+1), both eliminated
     */
    const double d = x[i + 1] - x[i], next_chord = (y[i + 1] - y[i]) / d;
    between[i].x = x[i];
    between[i].c[0] = y[i];
    between[i].c[1] = next_chord;
    between[i].c[2] = 0.0; /* M_0 = 0 */
    between[i].c[3] = 0.0;
    if (i > 0) {
      const double pivot = 2.0 * (before + d) - before * between[i - 1].c[3];
      between[i].c[2] = (6.0 * (next_chord - chord) - before * between[i - 1].c[2]) / pivot;
      between[i].c[3] = d / pivot;
    }
    before = d;
    chord = next_chord;
  }
  double next = 0.0; /* M_(n-1) */
  for (int i = n - 2; i >= 0; i--) {
    const double d = x[i + 1] - x[i], m = between[i].c[2] - between[i].c[3] * next;
    between[i].c[1] -= d * (2.0 * m + next) / 6.0;
    between[i].c[2] = 0.5 * m;
    between[i].c[3] = (next - m) / (6.0 * d);
    next = m;
  }
  const double d = x[n - 1] - x[n - 2];
  const cq_cubic first = between[0], last = between[n - 2];
  const double end_slope = last.c[1] + d * (2.0 * last.c[2] + d * (3.0 * last.c[3]));
  const cq_cubic left = {x[0], {y[0], first.c[1], 0.0, 0.0}};
  const cq_cubic right = {x[n - 1], {y[n - 1], end_slope, 0.0, 0.0}};
  pieces[0] = left;
  pieces[n] = right;
}

#endif
