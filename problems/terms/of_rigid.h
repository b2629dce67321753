/* What terms of a rigid body have in common. Its numbers q are those of turn, spin or torque (2D:
 * one, about z, anticlockwise) or of a force. With `direction` it is the number direction . q, with
 * `target` its distance from that, as length.h has it; without both it is the first number, which
 * in a file is the only one. */
#ifndef CQ_TERMS_OF_RIGID_H
#define CQ_TERMS_OF_RIGID_H

#include "length.h"

/* Their keys; numbers says what a target has. */
#define CQ_OF_RIGID_KEYS(K, name, unit, numbers)                                                   \
  K(name, direction, POINT, "", ANY, NONE, "", "axis",                                             \
    "the component along it: numbers, used as they are, or an axis, \"x\"")                        \
  K(name, target, NUMBERS, unit, ANY, NONE, "", "",                                                \
    "what it should be, " numbers ", with direction a number: the distance from it is measured "   \
    "then")                                                                                        \
  K(name, squared, FLAG, "", ANY, "true", "", "", "square of the distance, smooth at 0")

/* the keys, and how many numbers q has */
typedef struct cq_of_rigid {
  int n;
  const double *direction; /* [0] NAN: none */
  cq_numbers target;
  int squared;
} cq_of_rigid;

CQ_FN int cq_rigid_spins(int dim) {
  return dim == 2 ? 1 : 3;
}

/* Sets d to what the value is made of; returns how many numbers that are. */
CQ_FN int cq_of_rigid_numbers(const cq_of_rigid *r, const cq_term_in *in, wide *d) {
  const wide *q = in->z + CQ_Z(in->dim, OWN);
  const int along = r->direction[0] == r->direction[0], n = along ? 1 : r->n;
  for (int i = 0; i < n; i++) {
    d[i] = q[i];
  }
  for (int a = 0; a < r->n && along; a++) {
    d[0] = a == 0 ? q[0] * r->direction[0] : d[0] + q[a] * r->direction[a];
  }
  for (int i = 0; i < n && r->target.count > 0; i++) {
    d[i] = d[i] - r->target.values[i];
  }
  return n;
}

CQ_FN wide cq_of_rigid_value(const cq_of_rigid *r, const cq_term_in *in) {
  wide d[3];
  const int n = cq_of_rigid_numbers(r, in, d);
  return r->target.count > 0 ? cq_length_value(d, n, r->squared) : d[0];
}

CQ_FN void cq_of_rigid_adjoint(const cq_of_rigid *r, const cq_term_in *in, wide seed, wide *dz) {
  wide d[3], *dq = dz + CQ_Z(in->dim, OWN);
  const int n = cq_of_rigid_numbers(r, in, d), along = r->direction[0] == r->direction[0];
  if (r->target.count > 0) {
    seed = seed * cq_length_factor(d, n, r->squared);
    for (int i = 0; i < r->n; i++) {
      const wide dd = seed * d[along ? 0 : i];
      dq[i] = dq[i] + (along ? dd * r->direction[i] : dd);
    }
    return;
  }
  for (int i = 0; i < (along ? r->n : 1); i++) {
    dq[i] = dq[i] + (along ? seed * r->direction[i] : seed);
  }
}

/* The value of such a term and its adjoint, by the keys and how many numbers q has. */
#define CQ_TERM_OF_RIGID(name, count)                                                              \
  CQ_FN wide cq_##name##_value(const cq_term_##name *keys, const cq_term_in *in) {                 \
    const cq_of_rigid r = {count, keys->direction, keys->target, keys->squared};                   \
    return cq_of_rigid_value(&r, in);                                                              \
  }                                                                                                \
  CQ_FN void cq_##name##_adjoint(const cq_term_##name *keys, const cq_term_in *in, wide seed,      \
                                 wide *dz, wide *du) {                                             \
    const cq_of_rigid r = {count, keys->direction, keys->target, keys->squared};                   \
    (void)du;                                                                                      \
    cq_of_rigid_adjoint(&r, in, seed, dz);                                                         \
  }

#endif
