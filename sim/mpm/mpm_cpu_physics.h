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

static inline driver driver_at(const cpu *c, int which, real *w) {
  const cpu_driver *from = &c->drivers[which];
  driver d = {from->material, from->viscosity, NULL, NULL};
  if (from->actuator >= 0) {
    d.a = &c->actuators[from->actuator];
    d.w = w;
    for (int i = 0; i < d.a->n_drives; i++) {
      w[i] = real_splat(c->w[d.a->first_drive + i]);
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
  real w[CQ_ACTUATOR_MAX_DRIVES];
  return particle_pk1(driver_at(c, which, w), s, q);
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

static inline mat lanes_settled(const cpu *c, const lanes *l, mat F) {
  if (!c->settles) {
    return F;
  }
  mat copy = F; /* so that the common path keeps F in registers */
  settle_some(c, l, &copy);
  return copy;
}

static __attribute__((noinline)) void settle_some_adjoint(const cpu *c, const lanes *l,
                                                          const mat *F, mat *d) {
  for (int i = 0; i < c->n_drivers; i++) {
    const mat before = material_settle_adjoint(c->drivers[i].material, *F, *d);
    select_reals(d->m[0], before.m[0], REALS_OF(before), lanes_of_driver(c, l, i));
  }
}

/* The adjoint of lanes_settled; records are those of the state. */
static inline void lanes_settle_adjoint(const cpu *c, const lanes *l, const scalar *records,
                                        mat *d) {
  if (c->settles) {
    const particle before = load_particle(records, l);
    settle_some_adjoint(c, l, &before.F, d);
  }
}

/* first Piola-Kirchhoff stress of material and actuator */
static inline mat lanes_stress(const cpu *c, const lanes *l, substance s, particle q) {
  if (c->plain) {
    const driver d = {c->drivers[0].material, K(0), NULL, NULL};
    return particle_pk1(d, s, q);
  }
  int drivers[LANES];
  const substance s_copy = s;
  const particle q_copy = q;
  mat P;
  load_drivers(c, l, drivers);
  mixed_stress(c, drivers, &s_copy, &q_copy, &P);
  return P;
}

static __attribute__((noinline)) void push(const cpu *c, const lanes *l, const vec *x, vec *v) {
  int drivers[LANES];
  real w[CQ_ACTUATOR_MAX_DRIVES];
  const vec v0 = *v;
  load_drivers(c, l, drivers);
  for (unsigned todo = ALL_LANES; todo != 0;) {
    const int first = __builtin_ctz(todo);
    const same_driver same = lanes_like(drivers, first);
    const vec v1 = p2g_pushed(&c->t, driver_at(c, drivers[first], w), *x, v0);
    select_reals(v->v, v1.v, CQ_DIM, same.mask);
    todo &= ~same.bits;
  }
}

/* velocities once the actuators have pushed */
static inline vec lanes_pushed(const cpu *c, const lanes *l, vec x, vec v) {
  if (!c->pushes) {
    return v;
  }
  const vec at = x;
  vec copy = v;
  push(c, l, &at, &copy);
  return copy;
}

static void add_drives(const actuator *a, const lanes *l, unsigned bits, const real *from,
                       double *dw) {
  for (int i = 0; i < a->n_drives; i++) {
    for (int k = 0; k < l->count; k++) {
      if ((bits >> k & 1u) != 0) {
        dw[a->first_drive + i] += (double)from[i][k];
      }
    }
  }
}

/* Pull-back of the packets, all lanes with one driver; dw_lanes: of what drives its actuator. */
static __attribute__((noinline)) void packet_adjoint_of(const cpu *c, driver d, const substance *s,
                                                        const particle *q, const mat *P,
                                                        const packet *dr, particle *dp,
                                                        substance *ds, real *dw_lanes) {
  for (int i = 0; i < CQ_ACTUATOR_MAX_DRIVES; i++) {
    dw_lanes[i] = real_splat(K(0));
  }
  p2g_stressed_packet_adjoint(&c->t, d, *s, *q, *P, *dr, dp, ds, dw_lanes);
}

/* The same for any drivers: adds to dp, ds and, for what drives the actuators, to dw. */
static inline void lanes_packet_adjoint(const cpu *c, const lanes *l, const substance *s,
                                        const particle *q, const mat *P, const packet *dr,
                                        particle *dp, substance *ds, double *dw) {
  int drivers[LANES];
  real w[CQ_ACTUATOR_MAX_DRIVES], dw_lanes[CQ_ACTUATOR_MAX_DRIVES];
  if (c->n_drivers == 1 && c->drivers[0].actuator < 0) {
    packet_adjoint_of(c, driver_at(c, 0, w), s, q, P, dr, dp, ds, dw_lanes);
    return;
  }
  load_drivers(c, l, drivers);
  const particle dp0 = *dp;
  const substance ds0 = *ds;
  for (unsigned todo = ALL_LANES; todo != 0;) {
    const int first = __builtin_ctz(todo);
    const driver d = driver_at(c, drivers[first], w);
    const same_driver same = lanes_like(drivers, first);
    particle dp1 = dp0;
    substance ds1 = ds0;
    packet_adjoint_of(c, d, s, q, P, dr, &dp1, &ds1, dw_lanes);
    if (d.a != NULL) {
      add_drives(d.a, l, same.bits, dw_lanes, dw);
    }
    select_reals((real *)dp, (const real *)&dp1, REALS_OF(dp1), same.mask);
    select_reals((real *)ds, (const real *)&ds1, REALS_OF(ds1), same.mask);
    todo &= ~same.bits;
  }
}

#endif
