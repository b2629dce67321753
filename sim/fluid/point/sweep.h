/* A sweep of the solvers, for one particle. Unknown are the pressures p >= 0. With e the error of
 * the density that the velocities lead to, as a part of it, p becomes max(p + gain e, 0) with
 * gain = 1/(2 dt^2 D), D the diagonal of the matrix; so clamped pressures may fall again. `light`
 * is 1/density, 0 where a particle glides. */
#ifndef CQ_FLUID_SWEEP_H
#define CQ_FLUID_SWEEP_H

#include "kernel.h"

/* What a solver is to do in a step, and what it has done. */
typedef struct fluid_solve {
  int sweeps, least; /* at most, at least */
  double tolerance;  /* of the mean error; 0: there is none */
  double error;      /* mean, as a part of the density */
  int done;
} fluid_solve;

/* What an error of the density changes the pressure by. A particle that hardly touches anything has
 * no pressure. */
CQ_FN scalar sweep_gain(const kernel *k, scalar dt, scalar light, scalar diagonal) {
  const scalar least = K(1e-6) * k->inverse * k->inverse;
  return diagonal > least * light ? K(0.5) / (dt * dt * diagonal) : K(0);
}

/* Half the pressure of the step before, as if a sweep had found it. */
CQ_FN scalar sweep_warm(scalar gain, scalar before) {
  return gain > K(0) ? K(0.5) * before : K(0);
}

/* without the clamp */
CQ_FN scalar sweep_wanted(scalar pressure, scalar gain, scalar error) {
  return pressure + gain * error;
}

/* What counts of an error in the mean: nothing of what glides. */
CQ_FN double sweep_counted(scalar error, scalar light) {
  return error > K(0) && light > K(0) ? (double)error : 0.0;
}

#endif
