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
#pragma GCC unroll 1
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
  driver d = {from->material, from->viscosity, NULL, NULL};
  if (from->actuator >= 0) {
    d.a = &c->actuators[from->actuator];
    d.u = u;
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
#pragma GCC unroll 1
  for (int i = 0; i < LANES; i++) {
    drivers[i] = c->driver_of[l->index[i]];
  }
}

static inline truth lanes_of_driver(const cpu *c, const lanes *l, int which) {
  truth mask = {0};
#pragma GCC unroll 1
  for (int i = 0; i < LANES; i++) {
    mask[i] = c->driver_of[l->index[i]] == which ? -1 : 0;
  }
  return mask;
}

static inline mat stress_of(const cpu *c, int which, substance s, particle q) {
  real u[CQ_ACTUATOR_MAX_CONTROLS];
  return particle_pk1(driver_at(c, which, u), s, q);
}

static __attribute__((noinline)) void mixed_stress(const cpu *c, const int *drivers,
                                                   const substance *s, const particle *q, mat *P) {
  *P = mat_zero();
  for (unsigned todo = ALL_LANES; todo != 0;) {
    const int first = __builtin_ctz(todo);
    const mat one = stress_of(c, drivers[first], *s, *q);
    const same_driver same = lanes_like(drivers, first);
    select_reals(P->m[0], one.m[0], REALS_OF(one), same.mask);
    todo &= ~same.bits;
  }
}

/* F of lanes as a step begins with it: where some material settles it, in those lanes */
static __attribute__((noinline)) void settle_some(const cpu *c, const lanes *l, mat *F) {
  for (int i = 0; i < c->n_drivers; i++) {
    const mat settled = material_settle(c->drivers[i].material, *F);
    select_reals(F->m[0], settled.m[0], REALS_OF(settled), lanes_of_driver(c, l, i));
  }
}

static inline void lanes_settle(const cpu *c, const lanes *l, mat *F) {
  if (c->settles) {
    settle_some(c, l, F);
  }
}

static __attribute__((noinline)) void settle_some_adjoint(const cpu *c, const lanes *l,
                                                          const mat *F, mat *d) {
  for (int i = 0; i < c->n_drivers; i++) {
    const mat before = material_settle_adjoint(c->drivers[i].material, *F, *d);
    select_reals(d->m[0], before.m[0], REALS_OF(before), lanes_of_driver(c, l, i));
  }
}

/* The adjoint of lanes_settle; records are those of the state. */
static inline void lanes_settle_adjoint(const cpu *c, const lanes *l, const scalar *records,
                                        mat *d) {
  if (c->settles) {
    const particle before = load_particle(records, l);
    settle_some_adjoint(c, l, &before.F, d);
  }
}

/* first Piola-Kirchhoff stress of material and actuator */
static inline mat lanes_stress(const cpu *c, const lanes *l, substance s, particle q) {
  if (c->n_drivers == 1) {
    return stress_of(c, 0, s, q);
  }
  int drivers[LANES];
  /* copies, so that the common path keeps its own in registers */
  const substance s_copy = s;
  const particle q_copy = q;
  mat P;
  load_drivers(c, l, drivers);
  mixed_stress(c, drivers, &s_copy, &q_copy, &P);
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

/* Pull-back of the packets, all lanes with one driver; du_lanes: of its actuator's controls. */
static __attribute__((noinline)) void packet_adjoint_of(const cpu *c, driver d, const substance *s,
                                                        const particle *q, const mat *P,
                                                        const packet *dr, particle *dp,
                                                        substance *ds, real *du_lanes) {
  for (int i = 0; i < CQ_ACTUATOR_MAX_CONTROLS; i++) {
    du_lanes[i] = real_splat(K(0));
  }
  p2g_stressed_packet_adjoint(&c->t, d, *s, *q, *P, *dr, dp, ds, du_lanes);
}

/* The same for any drivers: adds to dp, ds and, for the actuators' controls, to du. */
static inline void lanes_packet_adjoint(const cpu *c, const lanes *l, const substance *s,
                                        const particle *q, const mat *P, const packet *dr,
                                        particle *dp, substance *ds, double *du) {
  int drivers[LANES];
  real u[CQ_ACTUATOR_MAX_CONTROLS], du_lanes[CQ_ACTUATOR_MAX_CONTROLS];
  if (c->n_drivers == 1 && c->drivers[0].actuator < 0) {
    packet_adjoint_of(c, driver_at(c, 0, u), s, q, P, dr, dp, ds, du_lanes);
    return;
  }
  load_drivers(c, l, drivers);
  const particle dp0 = *dp;
  const substance ds0 = *ds;
  for (unsigned todo = ALL_LANES; todo != 0;) {
    const int first = __builtin_ctz(todo);
    const driver d = driver_at(c, drivers[first], u);
    const same_driver same = lanes_like(drivers, first);
    particle dp1 = dp0;
    substance ds1 = ds0;
    packet_adjoint_of(c, d, s, q, P, dr, &dp1, &ds1, du_lanes);
    if (d.a != NULL) {
      add_controls(d.a, l, same.bits, du_lanes, du);
    }
    select_reals((real *)dp, (const real *)&dp1, REALS_OF(dp1), same.mask);
    select_reals((real *)ds, (const real *)&ds1, REALS_OF(ds1), same.mask);
    todo &= ~same.bits;
  }
}

#endif
