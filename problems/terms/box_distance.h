/* How far a set's particles are from a box along the axes, on average over their mass: 0 for those
 * inside. */
#ifndef CQ_TERMS_BOX_DISTANCE_H
#define CQ_TERMS_BOX_DISTANCE_H

#include "length.h"

#define CQ_TERM_ABOUT_box_distance "mean distance of a set's mass from a box"

#define CQ_TERM_KEYS_box_distance(K)                                                               \
  K(box_distance, low, POINT, "m", ANY, REQUIRED, "", "", "lowest corner of the box")              \
  K(box_distance, high, POINT, "m", ANY, REQUIRED, "", "", "highest corner of the box")

typedef struct cq_term_box_distance {
  CQ_TERM_KEYS_box_distance(CQ_TERM_FIELD)
} cq_term_box_distance;

/* Of particle s; d [dim] from the nearest point of the box. */
CQ_FN wide cq_box_distance_of(const cq_term_box_distance *keys, const cq_term_in *in, int s,
                              wide *d) {
  const wide *x = in->z + s * in->z_size;
  for (int a = 0; a < in->dim; a++) {
    d[a] = x[a] > keys->high[a]  ? x[a] - keys->high[a]
           : x[a] < keys->low[a] ? x[a] - keys->low[a]
                                 : 0.0 * x[a];
  }
  return cq_length_value(d, in->dim, 0);
}

CQ_FN wide cq_box_distance_value(const cq_term_box_distance *keys, const cq_term_in *in) {
  wide mass = 0.0, sum = 0.0, d[3];
  for (int s = 0; s < in->n_sets; s++) {
    const wide m = in->z[s * in->z_size + CQ_Z(in->dim, MASS)];
    mass = mass + m;
    sum = sum + m * cq_box_distance_of(keys, in, s, d);
  }
  return sum / mass;
}

/* To places and masses; inside the box there is nothing. */
CQ_FN void cq_box_distance_adjoint(const cq_term_box_distance *keys, const cq_term_in *in,
                                   wide seed, wide *dz, wide *du) {
  wide mass = 0.0, d[3];
  const wide mean = cq_box_distance_value(keys, in);
  (void)du;
  for (int s = 0; s < in->n_sets; s++) {
    mass = mass + in->z[s * in->z_size + CQ_Z(in->dim, MASS)];
  }
  for (int s = 0; s < in->n_sets; s++) {
    const int i = s * in->z_size, im = i + CQ_Z(in->dim, MASS);
    const wide distance = cq_box_distance_of(keys, in, s, d);
    const wide factor = seed * (in->z[im] / mass) * cq_length_factor(d, in->dim, 0);
    dz[im] = dz[im] + seed * ((distance - mean) / mass);
    for (int a = 0; a < in->dim; a++) {
      dz[i + a] = dz[i + a] + factor * d[a];
    }
  }
}

#endif
