/* The formulas of point/ for lanes that need not have the same material and actuator: computed for
 * each pair of the two that occurs, with all lanes, and selected. */
#ifndef CQ_MPM_CPU_PHYSICS_H
#define CQ_MPM_CPU_PHYSICS_H

#include "mpm_cpu_lanes.h"

#include <string.h>

#define ALL_LANES ((1u << LANES) - 1u)

/* the lanes whose driver is that of lane `first` */
typedef struct same_driver {
  unsigned bits;
  truth mask;
} same_driver;

static inline same_driver lanes_like(const int *drivers, int first) {
  same_driver s = {0, {0}};
  for (int i = 0; i < LANES; i++) {
    if (drivers[i] == drivers[first]) {
      s.bits |= 1u << i;
      s.mask[i] = -1;
    }
  }
  return s;
}

static inline driver driver_at(const cpu *c, int which, real *u) {
  const cpu_driver *from = &c->drivers[which];
  driver d = {from->material, NULL, u};
  if (from->actuator >= 0) {
    d.a = &c->actuators[from->actuator];
    for (int i = 0; i < d.a->n_controls; i++) {
      u[i] = real_splat(c->u[d.a->first_control + i]);
    }
  }
  return d;
}

/* to = mask ? from : to, for a struct of n reals */
static inline void select_reals(real *to, const real *from, int n, truth mask) {
  for (int i = 0; i < n; i++) {
    to[i] = real_select(mask, from[i], to[i]);
  }
}

#define REALS_OF(x) ((int)(sizeof(x) / sizeof(real)))

static inline void load_drivers(const cpu *c, const lanes *l, int *drivers) {
  for (int i = 0; i < LANES; i++) {
    drivers[i] = c->n_drivers == 1 ? 0 : c->driver_of[l->index[i]];
  }
}

/* first Piola-Kirchhoff stress of material and actuator */
static inline mat lanes_stress(const cpu *c, const lanes *l, substance s, mat F) {
  int drivers[LANES];
  mat P = mat_zero();
  load_drivers(c, l, drivers);
  for (unsigned todo = ALL_LANES; todo != 0;) {
    real u[CQ_ACTUATOR_MAX_CONTROLS];
    const int first = __builtin_ctz(todo);
    const mat one = particle_pk1(driver_at(c, drivers[first], u), s, F);
    const same_driver same = lanes_like(drivers, first);
    if (same.bits == ALL_LANES) {
      return one;
    }
    select_reals(P.m[0], one.m[0], REALS_OF(P), same.mask);
    todo &= ~same.bits;
  }
  return P;
}

static void add_controls(const actuator *a, const lanes *l, unsigned bits, const real *from,
                         double *du) {
  for (int i = 0; i < a->n_controls; i++) {
    for (int k = 0; k < l->count; k++) {
      if ((bits >> k & 1u) != 0) {
        du[a->first_control + i] += (double)from[i][k];
      }
    }
  }
}

/* Pull-back of the packets of particles with stress P; adds to dp, ds and, for the actuators'
 * controls, to du. */
static inline void lanes_packet_adjoint(const cpu *c, const lanes *l, substance s, particle q,
                                        mat P, packet dr, particle *dp, substance *ds, double *du) {
  int drivers[LANES];
  load_drivers(c, l, drivers);
  const particle dp0 = *dp;
  const substance ds0 = *ds;
  for (unsigned todo = ALL_LANES; todo != 0;) {
    real u[CQ_ACTUATOR_MAX_CONTROLS], du_lanes[CQ_ACTUATOR_MAX_CONTROLS];
    const int first = __builtin_ctz(todo);
    const driver d = driver_at(c, drivers[first], u);
    particle dp1 = dp0;
    substance ds1 = ds0;
    memset(du_lanes, 0, sizeof du_lanes);
    p2g_stressed_packet_adjoint(&c->t, d, s, q, P, dr, &dp1, &ds1, du_lanes);
    const same_driver same = lanes_like(drivers, first);
    if (d.a != NULL) {
      add_controls(d.a, l, same.bits, du_lanes, du);
    }
    if (same.bits == ALL_LANES) {
      *dp = dp1;
      *ds = ds1;
      return;
    }
    select_reals((real *)dp, (const real *)&dp1, REALS_OF(dp1), same.mask);
    select_reals((real *)ds, (const real *)&ds1, REALS_OF(ds1), same.mask);
    todo &= ~same.bits;
  }
}

#endif
