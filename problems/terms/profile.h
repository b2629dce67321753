/* The heights of a bed beside those of a profile: the mean square, over columns of a box, of how
 * far the height of a column is from the one that is wanted; or the root of that. A column's height
 * is its mass over its ground and the density of the bed, with the gaps between its particles.
 * Without a profile it is how far the bed is from level. */
#ifndef CQ_TERMS_PROFILE_H
#define CQ_TERMS_PROFILE_H

#include "spread.h"

#define CQ_TERM_ABOUT_profile "heights of a bed beside a profile, or beside their mean"

#define CQ_TERM_KEYS_profile(K)                                                                    \
  K(profile, low, POINT, "m", ANY, REQUIRED, "", "", "lowest corner of the box of the columns")    \
  K(profile, high, POINT, "m", ANY, REQUIRED, "", "",                                              \
    "its highest corner; what is above is not counted")                                            \
  K(profile, heights, TABLE, "m", ANY, NONE, "", "",                                               \
    "wanted above low: a row [...] of columns along x, in 3D as many rows along z as there are; "  \
    "by "                                                                                          \
    "default the mean")                                                                            \
  K(profile, columns, NUMBERS, "", COLUMNS, "12", "", "",                                          \
    "along x, in 3D [x, z]; where heights are given these count themselves")                       \
  K(profile, bulk_density, NUMBER, "kg/m^dim", POSITIVE, REQUIRED, "", "",                         \
    "mass of a unit volume of the bed, with its gaps")                                             \
  K(profile, squared, FLAG, "", ANY, "true", "", "", "mean square, smooth at 0; else its root")

typedef struct cq_term_profile {
  CQ_TERM_KEYS_profile(CQ_TERM_FIELD)
} cq_term_profile;

enum { CQ_MOST_COLUMNS = 1024 };

CQ_FN int cq_profile_along_x(const cq_term_profile *keys) {
  return keys->heights.rows > 0 ? keys->heights.columns : (int)keys->columns.values[0];
}

CQ_FN int cq_profile_along_z(const cq_term_profile *keys) {
  return keys->heights.rows > 0    ? keys->heights.rows
         : keys->columns.count > 1 ? (int)keys->columns.values[1]
                                   : 1;
}

/* Where column k of n begins along an axis; column n ends the last. */
CQ_FN double cq_profile_edge(const cq_term_profile *keys, int axis, int k, int n) {
  return keys->low[axis] + (keys->high[axis] - keys->low[axis]) * k / n;
}

/* By how much height a unit of mass raises a column. */
CQ_FN double cq_profile_rise(const cq_term_profile *keys, const cq_term_in *in) {
  double ground = (keys->high[0] - keys->low[0]) / cq_profile_along_x(keys);
  if (in->dim == 3) {
    ground *= (keys->high[2] - keys->low[2]) / cq_profile_along_z(keys);
  }
  return 1.0 / (keys->bulk_density * ground);
}

/* The columns along an axis that a particle about x may be in: first <= k < end. */
CQ_FN void cq_profile_range(const cq_term_profile *keys, int axis, double x, double r, int n,
                            int *first, int *end) {
  const double width = (keys->high[axis] - keys->low[axis]) / n;
  const double from = (x - r - keys->low[axis]) / width - 1e-9;
  const double to = (x + r - keys->low[axis]) / width + 1e-9;
  *first = from < 0.0 ? 0 : from < n ? (int)from : n;
  *end = to < 0.0 ? 0 : to < n ? (int)to + 1 : n;
}

/* A particle as the columns have it. */
typedef struct cq_profile_part {
  int nx, nz, x0, x1, z0, z1; /* columns and rows, and those that it is in */
  double r;
  const wide *x;
} cq_profile_part;

CQ_FN cq_profile_part cq_profile_look(const cq_term_profile *keys, const cq_term_in *in, int s) {
  cq_profile_part p;
  p.nx = cq_profile_along_x(keys);
  p.nz = cq_profile_along_z(keys);
  p.r = in->radius[s];
  p.x = in->z + s * in->z_size;
  p.z0 = 0;
  p.z1 = 1;
  cq_profile_range(keys, 0, cq_wide_number(p.x[0]), p.r, p.nx, &p.x0, &p.x1);
  if (in->dim == 3) {
    cq_profile_range(keys, 2, cq_wide_number(p.x[2]), p.r, p.nz, &p.z0, &p.z1);
  }
  return p;
}

/* What of it is in column i along an axis of n, and the slope of that. */
CQ_FN wide cq_profile_share(const cq_term_profile *keys, const cq_profile_part *p, int axis, int i,
                            int n) {
  return cq_spread_share(p->x[axis], p->r, cq_profile_edge(keys, axis, i, n),
                         cq_profile_edge(keys, axis, i + 1, n));
}

CQ_FN double cq_profile_slope(const cq_term_profile *keys, const cq_profile_part *p, int axis,
                              int i, int n) {
  return cq_spread_slope(cq_wide_number(p->x[axis]), p->r, cq_profile_edge(keys, axis, i, n),
                         cq_profile_edge(keys, axis, i + 1, n));
}

/* How far each column's height [nz][nx] is from the wanted one; returns their number. */
CQ_FN int cq_profile_off(const cq_term_profile *keys, const cq_term_in *in, wide *off) {
  const int nx = cq_profile_along_x(keys), n = nx * cq_profile_along_z(keys);
  const double rise = cq_profile_rise(keys, in);
  wide mean = 0.0;
  for (int k = 0; k < n; k++) {
    off[k] = 0.0;
  }
  for (int s = 0; s < in->n_sets; s++) {
    const cq_profile_part p = cq_profile_look(keys, in, s);
    const wide m =
        in->z[s * in->z_size + CQ_Z(in->dim, MASS)] * rise * cq_profile_share(keys, &p, 1, 0, 1);
    for (int j = p.z0; j < p.z1; j++) {
      const wide row = in->dim == 3 ? m * cq_profile_share(keys, &p, 2, j, p.nz) : m;
      for (int i = p.x0; i < p.x1; i++) {
        off[j * nx + i] = off[j * nx + i] + row * cq_profile_share(keys, &p, 0, i, p.nx);
      }
    }
  }
  for (int k = 0; k < n; k++) {
    mean = mean + off[k] * (1.0 / n);
  }
  for (int k = 0; k < n; k++) {
    off[k] = keys->heights.rows > 0 ? off[k] - keys->heights.values[k] : off[k] - mean;
  }
  return n;
}

CQ_FN wide cq_profile_value(const cq_term_profile *keys, const cq_term_in *in) {
  wide off[CQ_MOST_COLUMNS], sum = 0.0;
  const int n = cq_profile_off(keys, in, off);
  for (int k = 0; k < n; k++) {
    sum = sum + off[k] * off[k] * (1.0 / n);
  }
  return keys->squared || !(sum > 0.0) ? sum : cq_wide_sqrt(sum);
}

/* What is due to a particle from one column: its mass, and its place along each axis. */
CQ_FN void cq_profile_give(const cq_term_profile *keys, const cq_term_in *in,
                           const cq_profile_part *p, int i, int j, wide m, wide due, wide *dm,
                           wide *dx) {
  const wide along = cq_profile_share(keys, p, 0, i, p->nx);
  const wide upward = cq_profile_share(keys, p, 1, 0, 1);
  const wide across = in->dim == 3 ? cq_profile_share(keys, p, 2, j, p->nz) : 1.0 + 0.0 * m;
  *dm = *dm + due * along * upward * across;
  dx[0] = dx[0] + due * m * upward * across * cq_profile_slope(keys, p, 0, i, p->nx);
  dx[1] = dx[1] + due * m * along * across * cq_profile_slope(keys, p, 1, 0, 1);
  if (in->dim == 3) {
    dx[2] = dx[2] + due * m * along * upward * cq_profile_slope(keys, p, 2, j, p->nz);
  }
}

/* By how far each column is off, to the heights of the particles that make it. */
CQ_FN void cq_profile_adjoint(const cq_term_profile *keys, const cq_term_in *in, wide seed,
                              wide *dz, wide *du) {
  wide off[CQ_MOST_COLUMNS];
  const wide value = cq_profile_value(keys, in);
  const int n = cq_profile_off(keys, in, off);
  const double rise = cq_profile_rise(keys, in);
  wide factor = seed * (2.0 * rise / n);
  (void)du;
  if (!keys->squared) {
    factor = value > 0.0 ? factor / (2.0 * value) : 0.0 * factor;
  }
  for (int s = 0; s < in->n_sets; s++) {
    const cq_profile_part p = cq_profile_look(keys, in, s);
    const int at = s * in->z_size, im = at + CQ_Z(in->dim, MASS);
    for (int j = p.z0; j < p.z1; j++) {
      for (int i = p.x0; i < p.x1; i++) {
        cq_profile_give(keys, in, &p, i, j, in->z[im], factor * off[j * p.nx + i], &dz[im],
                        &dz[at]);
      }
    }
  }
}

#endif
