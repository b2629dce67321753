/* How far the state of a set is from what it was a period ago, but for where it went: the mean over
 * its mass of |e|^2 + (period / 2 pi)^2 |v - v_before|^2, where e is how far a particle has moved,
 * less the mean of that along `direction`. Velocities count as those of an oscillation of that
 * period. It is 0 of a gait that goes on for ever. */
#ifndef CQ_TERMS_PERIODIC_H
#define CQ_TERMS_PERIODIC_H

#include "term.h"

#define CQ_TERM_ABOUT_periodic "how far a set is from its state a period ago, shifted"

#define CQ_TERM_KEYS_periodic(K)                                                                   \
  K(periodic, period, NUMBER, "s", POSITIVE, REQUIRED, "", "",                                     \
    "the state is compared with that of so long before")                                           \
  K(periodic, direction, POINT, "", ANY, "x", "", "axis",                                          \
    "the way that the set goes: its shift along it does not count; numbers, or an axis, \"x\"")

typedef struct cq_term_periodic {
  CQ_TERM_KEYS_periodic(CQ_TERM_FIELD)
} cq_term_periodic;

/* [s] by which velocities become lengths */
CQ_FN double cq_periodic_time(const cq_term_periodic *keys) {
  return keys->period / 6.283185307179586;
}

/* The mass, and the mean of what particles have moved times the direction over its square. */
CQ_FN wide cq_periodic_mean(const cq_term_periodic *keys, const cq_term_in *in, wide *along) {
  const wide *before = in->z + in->n_sets * in->z_size;
  wide mass = 0.0, sum = 0.0;
  double square = 0.0;
  for (int a = 0; a < in->dim; a++) {
    square += keys->direction[a] * keys->direction[a];
  }
  for (int s = 0; s < in->n_sets; s++) {
    const int i = s * in->z_size;
    const wide m = in->z[i + CQ_Z(in->dim, MASS)];
    mass = mass + m;
    for (int a = 0; a < in->dim; a++) {
      sum = sum + m * ((in->z[i + a] - before[i + a]) * (keys->direction[a] / square));
    }
  }
  *along = sum / mass;
  return mass;
}

/* Of particle s; d [2 dim] how it differs in place and, as lengths, in velocity. */
CQ_FN wide cq_periodic_of(const cq_term_periodic *keys, const cq_term_in *in, int s, wide along,
                          wide *d) {
  const wide *now = in->z + s * in->z_size, *before = now + in->n_sets * in->z_size;
  const double time = cq_periodic_time(keys);
  wide sum = 0.0;
  for (int a = 0; a < in->dim; a++) {
    const int v = in->dim + a;
    d[a] = now[a] - before[a] - along * keys->direction[a];
    d[v] = (now[v] - before[v]) * time;
    sum = sum + d[a] * d[a] + d[v] * d[v];
  }
  return sum;
}

CQ_FN wide cq_periodic_value(const cq_term_periodic *keys, const cq_term_in *in) {
  wide along, sum = 0.0, d[6];
  const wide mass = cq_periodic_mean(keys, in, &along);
  for (int s = 0; s < in->n_sets; s++) {
    const wide m = in->z[s * in->z_size + CQ_Z(in->dim, MASS)];
    sum = sum + m * cq_periodic_of(keys, in, s, along, d);
  }
  return sum / mass;
}

/* The mean shift makes the sum least, so that nothing goes by way of it. */
CQ_FN void cq_periodic_adjoint(const cq_term_periodic *keys, const cq_term_in *in, wide seed,
                               wide *dz, wide *du) {
  wide along, d[6];
  const wide mass = cq_periodic_mean(keys, in, &along), mean = cq_periodic_value(keys, in);
  const double time = cq_periodic_time(keys);
  (void)du;
  for (int s = 0; s < in->n_sets; s++) {
    const int i = s * in->z_size, before = i + in->n_sets * in->z_size;
    const int im = i + CQ_Z(in->dim, MASS);
    const wide of = cq_periodic_of(keys, in, s, along, d);
    const wide factor = 2.0 * seed * (in->z[im] / mass);
    dz[im] = dz[im] + seed * ((of - mean) / mass);
    for (int a = 0; a < in->dim; a++) {
      const int v = in->dim + a;
      dz[i + a] = dz[i + a] + factor * d[a];
      dz[before + a] = dz[before + a] - factor * d[a];
      dz[i + v] = dz[i + v] + factor * d[v] * time;
      dz[before + v] = dz[before + v] - factor * d[v] * time;
    }
  }
}

#endif
