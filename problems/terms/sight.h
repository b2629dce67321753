/* From a material point to the numbers that were measured of it:
 *
 *   x = sum over its sets of (share + slope . offset) z     an offset moves the point in the body
 *   X = about + R(turn) (x - about) + shift                 the scene in the frame of the samples
 *   (u, v) = (P_1, P_2) . (X, 1) / P_3 . (X, 1)             a camera with the rows P_i
 *
 * Each line is left out where there is nothing of its kind. In 2D z is 0, and a turn about z.
 * R(w) is the turn by |w| about w: R(w) x = x + A w x x + B w x (w x x). */
#ifndef CQ_TERMS_SIGHT_H
#define CQ_TERMS_SIGHT_H

#include "term.h"

CQ_FN int cq_sight_numbers(const cq_term_in *in) {
  return in->sight != NULL && in->sight->camera != NULL ? 2 : in->dim;
}

CQ_FN void cq_sight_cross(const wide *a, const wide *b, wide *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

CQ_FN wide cq_sight_dot(const wide *a, const wide *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A and B of R(w), and their derivatives by s = |w|^2; near 0 as series. */
typedef struct cq_turn_factors {
  wide A, B, dA, dB;
} cq_turn_factors;

/* of s = |w|^2 */
CQ_FN cq_turn_factors cq_sight_factors(wide s) {
  cq_turn_factors f;
  if (s < 1e-2) {
    f.A = 1.0 - s / 6.0 + s * s / 120.0 - s * s * s / 5040.0 + s * s * s * s / 362880.0;
    f.B = 0.5 - s / 24.0 + s * s / 720.0 - s * s * s / 40320.0 + s * s * s * s / 3628800.0;
    f.dA = -1.0 / 6.0 + s / 60.0 - s * s / 1680.0 + s * s * s / 90720.0;
    f.dB = -1.0 / 24.0 + s / 360.0 - s * s / 13440.0 + s * s * s / 907200.0;
    return f;
  }
  const wide angle = cq_wide_sqrt(s);
  f.A = cq_wide_sin(angle) / angle;
  f.B = (1.0 - cq_wide_cos(angle)) / s;
  f.dA = (cq_wide_cos(angle) - f.A) / (2.0 * s);
  f.dB = (0.5 * f.A - f.B) / s;
  return f;
}

/* What the turn of the frame is, as a vector. */
CQ_FN void cq_sight_turn(const cq_term_in *in, wide *w) {
  const wide *turn = in->p + in->sight->turn;
  for (int a = 0; a < 3; a++) {
    w[a] = in->dim == 3 ? turn[a] : a == 2 ? turn[0] : 0.0 * turn[0];
  }
}

/* The material point x [3], in the scene. */
CQ_FN void cq_sight_point(const cq_term_in *in, const cq_marker *marker, wide *x) {
  for (int i = 0; i < marker->n; i++) {
    wide share = marker->share[i];
    for (int b = 0; b < in->dim && marker->offset >= 0; b++) {
      share = share + marker->slope[i * in->dim + b] * in->p[marker->offset + b];
    }
    for (int a = 0; a < in->dim; a++) {
      x[a] = x[a] + share * in->z[marker->set[i] * in->z_size + a];
    }
  }
}

/* x becomes X; r [3] is x - about. */
CQ_FN void cq_sight_frame(const cq_term_in *in, wide *x, wide *r) {
  const cq_sight *sight = in->sight;
  wide w[3], wr[3], wwr[3];
  for (int a = 0; a < 3 && sight->turn >= 0; a++) {
    r[a] = x[a] - sight->about[a];
  }
  if (sight->turn >= 0) {
    cq_sight_turn(in, w);
    const cq_turn_factors f = cq_sight_factors(cq_sight_dot(w, w));
    cq_sight_cross(w, r, wr);
    cq_sight_cross(w, wr, wwr);
    for (int a = 0; a < 3; a++) {
      x[a] = x[a] + f.A * wr[a] + f.B * wwr[a];
    }
  }
  for (int a = 0; a < in->dim && sight->shift >= 0; a++) {
    x[a] = x[a] + in->p[sight->shift + a];
  }
}

CQ_FN wide cq_sight_row(const double *row, const wide *X) {
  return row[0] * X[0] + row[1] * X[1] + row[2] * X[2] + row[3];
}

/* What is measured of a marker, in out [3]. A camera does not see what is behind it: NAN. */
CQ_FN void cq_sight_see(const cq_term_in *in, const cq_marker *marker, wide *out) {
  const cq_sight *sight = in->sight;
  wide r[3] = {0.0, 0.0, 0.0};
  cq_sight_point(in, marker, out);
  if (sight == NULL) {
    return;
  }
  cq_sight_frame(in, out, r);
  if (sight->camera != NULL) {
    const double *P = sight->camera;
    const wide depth = cq_sight_row(P + 8, out);
    const wide u = cq_sight_row(P, out), v = cq_sight_row(P + 4, out);
    out[0] = depth > 0.0 ? u / depth : u * NAN;
    out[1] = depth > 0.0 ? v / depth : v * NAN;
    out[2] = 0.0 * depth;
  }
}

/* X_bar [3] of X, of adjoints of (u, v). */
CQ_FN void cq_sight_camera_adjoint(const double *P, const wide *X, const wide *v, wide *X_bar) {
  const wide depth = cq_sight_row(P + 8, X);
  const wide u0 = cq_sight_row(P, X) / depth, v0 = cq_sight_row(P + 4, X) / depth;
  for (int a = 0; a < 3; a++) {
    X_bar[a] = (v[0] * (P[a] - u0 * P[8 + a]) + v[1] * (P[4 + a] - v0 * P[8 + a])) / depth;
  }
}

/* X_bar becomes x_bar; those of turn and shift are added to dp. */
CQ_FN void cq_sight_frame_adjoint(const cq_term_in *in, const wide *r, wide factor, wide *X_bar,
                                  wide *dp) {
  const cq_sight *sight = in->sight;
  wide w[3], wr[3], wwr[3], wX[3], wwX[3], rX[3], one[3], two[3];
  for (int a = 0; a < in->dim && sight->shift >= 0; a++) {
    dp[sight->shift + a] = dp[sight->shift + a] + factor * X_bar[a];
  }
  if (sight->turn < 0) {
    return;
  }
  cq_sight_turn(in, w);
  const cq_turn_factors f = cq_sight_factors(cq_sight_dot(w, w));
  cq_sight_cross(w, r, wr);
  cq_sight_cross(w, wr, wwr);
  cq_sight_cross(w, X_bar, wX);
  cq_sight_cross(w, wX, wwX);
  cq_sight_cross(r, X_bar, rX);
  cq_sight_cross(wr, X_bar, one); /* of the outer and the inner w of w x (w x r) */
  cq_sight_cross(wX, r, two);
  const wide along = 2.0 * (f.dA * cq_sight_dot(X_bar, wr) + f.dB * cq_sight_dot(X_bar, wwr));
  for (int a = 0; a < 3; a++) {
    const int i = in->dim == 3 ? a : a - 2;
    if (i >= 0) {
      dp[sight->turn + i] =
          dp[sight->turn + i] + factor * (f.A * rX[a] + f.B * (one[a] + two[a]) + along * w[a]);
    }
    X_bar[a] = X_bar[a] - f.A * wX[a] + f.B * wwX[a];
  }
}

/* x_bar to the sets of the marker and its offset. */
CQ_FN void cq_sight_point_adjoint(const cq_term_in *in, const cq_marker *marker, wide factor,
                                  const wide *x_bar, wide *dz, wide *dp) {
  for (int i = 0; i < marker->n; i++) {
    const wide *z = in->z + marker->set[i] * in->z_size;
    wide share = marker->share[i], along = 0.0;
    for (int b = 0; b < in->dim && marker->offset >= 0; b++) {
      share = share + marker->slope[i * in->dim + b] * in->p[marker->offset + b];
    }
    for (int a = 0; a < in->dim; a++) {
      wide *to = dz + marker->set[i] * in->z_size + a;
      *to = *to + factor * share * x_bar[a];
      along = along + x_bar[a] * z[a];
    }
    for (int b = 0; b < in->dim && marker->offset >= 0; b++) {
      wide *to = dp + marker->offset + b;
      *to = *to + factor * marker->slope[i * in->dim + b] * along;
    }
  }
}

/* Adds factor * v^T d(what is measured) to dz. */
CQ_FN void cq_sight_adjoint(const cq_term_in *in, const cq_marker *marker, wide factor,
                            const wide *v, wide *dz) {
  const cq_sight *sight = in->sight;
  wide *dp = in->p != NULL ? dz + (in->p - in->z) : NULL;
  wide x[3] = {0.0, 0.0, 0.0}, r[3] = {0.0, 0.0, 0.0}, bar[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < cq_sight_numbers(in); a++) {
    bar[a] = v[a];
  }
  if (sight != NULL) {
    cq_sight_point(in, marker, x);
    cq_sight_frame(in, x, r);
    if (sight->camera != NULL) {
      cq_sight_camera_adjoint(sight->camera, x, v, bar);
    }
    cq_sight_frame_adjoint(in, r, factor, bar, dp);
  }
  cq_sight_point_adjoint(in, marker, factor, bar, dz, dp);
}

#endif
