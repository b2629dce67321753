/* Turn and spin of rigid bodies among what is observed. */
#include "fluid_bodies.h"

#include "turn_numbers.h"

/* about the axes of space, of which a plane has the last one */
static int axis_of(int i) {
  return 3 - CQ_SPINS + i;
}

static int place_of(const int *place, int quantity, int i) {
  return place[CQ_N_SHARED_QUANTITIES + quantity + axis_of(i)];
}

void V(cq_fluid_add_turns)(motion now, const int *place, double *z) {
  real turned[3];
  turn_vector(now.p.q, turned);
  FOR_SPINS(i) {
    const int q = place_of(place, CQ_FLUID_TURN, i), w = place_of(place, CQ_FLUID_SPIN, i);
    if (q >= 0) {
      z[q] += (double)turned[axis_of(i)];
    }
    if (w >= 0) {
      z[w] += (double)now.t.w.w[i];
    }
  }
}

/* A row of the adjoint for each number. */
void V(cq_fluid_add_turns_tangent)(motion now, motion d, const int *place, double *dz) {
  FOR_SPINS(i) {
    const int q = place_of(place, CQ_FLUID_TURN, i), w = place_of(place, CQ_FLUID_SPIN, i);
    if (q >= 0) {
      real unit[3] = {K(0), K(0), K(0)};
      unit[axis_of(i)] = K(1);
      const turn row = turn_vector_adjoint(now.p.q, unit);
      for (int k = 0; k < CQ_TURN; k++) {
        dz[q] += (double)(row.q[k] * d.p.q.q[k]);
      }
    }
    if (w >= 0) {
      dz[w] += (double)d.t.w.w[i];
    }
  }
}

void V(cq_fluid_add_turns_adjoint)(motion now, const int *place, const double *dz, motion *d) {
  real turned[3] = {K(0), K(0), K(0)};
  FOR_SPINS(i) {
    const int q = place_of(place, CQ_FLUID_TURN, i), w = place_of(place, CQ_FLUID_SPIN, i);
    turned[axis_of(i)] = q >= 0 ? K(dz[q]) : K(0);
    d->t.w.w[i] += w >= 0 ? K(dz[w]) : K(0);
  }
  d->p.q = turn_add(d->p.q, turn_vector_adjoint(now.p.q, turned));
}
