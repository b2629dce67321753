/* The heft of a body, from the inertia of its shape and its mass. */
#ifndef CQ_RIGID_HEFT_OF_H
#define CQ_RIGID_HEFT_OF_H

#include "bodies.h"
#include "rigid_free.h"

/* of a body of unit mass */
static inline heft heft_of_unit(const cq_rigid *body) {
  const double *I = body->inertia.moment, unit = 1.0 / body->inertia.volume;
  heft m = heft_zero();
  m.mass = 1.0;
#if CQ_DIM == 2
  m.I.m[0][0] = unit * I[0];
#else
  FOR_AXES(i) {
    m.I.m[i][i] = unit * I[i];
  }
  m.I.m[0][1] = m.I.m[1][0] = unit * I[3];
  m.I.m[0][2] = m.I.m[2][0] = unit * I[4];
  m.I.m[1][2] = m.I.m[2][1] = unit * I[5];
#endif
  return m;
}

static inline heft heft_of(const cq_rigid *body, double mass) {
  heft m = heft_of_unit(body);
  m.mass = mass;
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      m.I.m[i][j] *= mass;
    }
  }
  return m;
}

/* dL/d(mass) from dL/d(heft) */
static inline double heft_of_adjoint(const cq_rigid *body, const heft *d) {
  const heft unit = heft_of_unit(body);
  double dmass = d->mass;
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      dmass += d->I.m[i][j] * unit.I.m[i][j];
    }
  }
  return dmass;
}

#endif
