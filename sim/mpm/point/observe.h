/* What a group's observation (kinds.h) sums over its particles, and the adjoint. With M = sum m, a
 * mean is sum m a / M, so that d(mean)/dm_p = (a_p - mean) / M. Sums and z are wide. z and dz are
 * rows in which the group's quantities stand where its view says. */
#ifndef CQ_POINT_OBSERVE_H
#define CQ_POINT_OBSERVE_H

#include "kinds.h"
#include "point/p2g.h"
#include "point/von_mises.h"

enum { CQ_N_MEANS = 2 * CQ_DIM + 1 }; /* position, velocity, square */

/* what is wanted of a group */
typedef struct request {
  cq_view at;
  double exponent; /* q of the stress norm */
} request;

/* a particle, and what it is made of */
typedef struct subject {
  particle q;
  substance s;
  int material;
} subject;

/* dL of a subject; E, nu, density, volume */
typedef struct subject_adjoint {
  wide x[CQ_DIM], v[CQ_DIM];
  mat F;
  wide E, nu, density, volume;
} subject_adjoint;

/* sums over a group, of the reference configuration: the same at every state */
typedef struct group_sums {
  wide mass, volume;
} group_sums;

typedef struct observation {
  group_sums total;
  wide means[CQ_N_MEANS]; /* times mass */
  wide deformed, energy;
  wide peak, power; /* largest stress; sum of V_p (s_p / peak)^q, which no q makes overflow */
} observation;

CQ_FN bool observe_wants(const request *r, int quantity) {
  return r->at.place[quantity] >= 0;
}

CQ_FN bool observe_wants_strain(const request *r) {
  return observe_wants(r, CQ_Q_VOLUME) || observe_wants(r, CQ_Q_ENERGY) ||
         observe_wants(r, CQ_Q_STRESS);
}

/* Does dz say anything about the group? */
CQ_FN bool observe_moves(const request *r, const double *dz) {
  for (int k = 0; k < CQ_N_QUANTITIES; k++) {
    for (int i = 0; observe_wants(r, k) && i < cq_quantity_numbers(CQ_DIM, k); i++) {
      if (dz[r->at.place[k] + i] != 0.0) {
        return true;
      }
    }
  }
  return false;
}

/* The means in a row, or zeros where they are not wanted. */
CQ_FN void observe_load_means(const request *r, const wide *row, wide *means) {
  const int *at = r->at.place;
  FOR_AXES(a) {
    means[a] = at[CQ_Q_POSITION] >= 0 ? row[at[CQ_Q_POSITION] + a] : (wide)0.0;
    means[CQ_DIM + a] = at[CQ_Q_VELOCITY] >= 0 ? row[at[CQ_Q_VELOCITY] + a] : (wide)0.0;
  }
  means[2 * CQ_DIM] = at[CQ_Q_SQUARE] >= 0 ? row[at[CQ_Q_SQUARE]] : (wide)0.0;
}

/* what z and dz say of the means and the mass of a group */
typedef struct means_due {
  wide mean[CQ_N_MEANS], dmean[CQ_N_MEANS], dmass;
} means_due;

CQ_FN means_due observe_means_due(const request *r, const wide *z, const wide *dz) {
  means_due due;
  observe_load_means(r, z, due.mean);
  observe_load_means(r, dz, due.dmean);
  due.dmass = observe_wants(r, CQ_Q_MASS) ? dz[r->at.place[CQ_Q_MASS]] : (wide)0.0;
  return due;
}

CQ_FN observation observe_nothing(void) {
  observation o;
  o.total.mass = o.total.volume = o.deformed = o.energy = o.peak = o.power = 0.0;
  for (int i = 0; i < CQ_N_MEANS; i++) {
    o.means[i] = 0.0;
  }
  return o;
}

CQ_FN wide observe_mass(substance s) {
  return (wide)s.density * (wide)s.volume;
}

CQ_FN void observe_means(particle q, wide *value) {
  wide squared = (wide)q.v.v[0] * (wide)q.v.v[0];
  FOR_AXES(a) {
    value[a] = (wide)q.x.v[a];
    value[CQ_DIM + a] = (wide)q.v.v[a];
    squared = a == 0 ? squared : squared + value[CQ_DIM + a] * value[CQ_DIM + a];
  }
  value[2 * CQ_DIM] = squared;
}

/* Adds volume s^q to power peak^q. */
CQ_FN void observe_stress(observation *o, double exponent, wide s, wide volume) {
  if (s > o->peak) {
    o->power = o->power * cq_wide_pow(o->peak / s, exponent) + volume;
    o->peak = s;
  } else if (o->peak > 0.0) {
    o->power = o->power + volume * cq_wide_pow(s / o->peak, exponent);
  }
}

CQ_FN void observe_add_means(observation *o, const subject *one) {
  const wide mass = observe_mass(one->s);
  wide value[CQ_N_MEANS];
  observe_means(one->q, value);
  o->total.mass = o->total.mass + mass;
  o->total.volume = o->total.volume + (wide)one->s.volume;
  for (int i = 0; i < CQ_N_MEANS; i++) {
    o->means[i] = o->means[i] + mass * value[i];
  }
}

/* of its strain what is wanted */
CQ_FN void observe_add_strain(observation *o, const request *r, const subject *one) {
  const wide volume = (wide)one->s.volume;
  const lame l = lame_parameters(one->s.E, one->s.nu);
  if (observe_wants(r, CQ_Q_VOLUME)) {
    o->deformed = o->deformed + volume * (wide)mat_det(one->q.F);
  }
  if (observe_wants(r, CQ_Q_ENERGY)) {
    o->energy = o->energy + volume * (wide)material_energy(one->material, l, one->q.F);
  }
  if (observe_wants(r, CQ_Q_STRESS)) {
    observe_stress(o, r->exponent, (wide)von_mises(one->material, l, one->q.F), volume);
  }
}

/* One particle more. */
CQ_FN void observe_add(observation *o, const request *r, const subject *one) {
  observe_add_means(o, one);
  if (observe_wants_strain(r)) {
    observe_add_strain(o, r, one);
  }
}

/* Adds the sums over other particles. */
CQ_FN void observe_merge(observation *o, const request *r, const observation *other) {
  o->total.mass = o->total.mass + other->total.mass;
  o->total.volume = o->total.volume + other->total.volume;
  for (int i = 0; i < CQ_N_MEANS; i++) {
    o->means[i] = o->means[i] + other->means[i];
  }
  o->deformed = o->deformed + other->deformed;
  o->energy = o->energy + other->energy;
  observe_stress(o, r->exponent, other->peak, other->power);
}

/* Number i of a quantity into its place in the row, if it is wanted. */
CQ_FN void observe_put(const request *r, int quantity, int i, wide value, wide *z) {
  if (observe_wants(r, quantity)) {
    z[r->at.place[quantity] + i] = value;
  }
}

/* What is wanted of the sums over a group. */
CQ_FN void observe_result(const observation *o, const request *r, wide *z) {
  const wide mass = o->total.mass, volume = o->total.volume;
  wide norm = 0.0;
  if (o->peak > 0.0) {
    norm = o->peak * cq_wide_pow(o->power / volume, 1.0 / r->exponent);
  }
  FOR_AXES(a) {
    observe_put(r, CQ_Q_POSITION, a, o->means[a] / mass, z);
    observe_put(r, CQ_Q_VELOCITY, a, o->means[CQ_DIM + a] / mass, z);
  }
  observe_put(r, CQ_Q_SQUARE, 0, o->means[2 * CQ_DIM] / mass, z);
  observe_put(r, CQ_Q_MASS, 0, mass, z);
  observe_put(r, CQ_Q_VOLUME, 0, o->deformed / volume, z);
  observe_put(r, CQ_Q_ENERGY, 0, o->energy, z);
  observe_put(r, CQ_Q_STRESS, 0, norm, z);
}

/* The part through the means and the mass. */
CQ_FN subject_adjoint observe_means_adjoint(const means_due *due, const subject *one, wide total) {
  const substance s = one->s;
  const wide share = observe_mass(s) / total, *dmean = due->dmean;
  wide value[CQ_N_MEANS];
  observe_means(one->q, value);
  wide dmass = dmean[0] * (value[0] - due->mean[0]);
  for (int i = 1; i < CQ_N_MEANS; i++) {
    dmass = dmass + dmean[i] * (value[i] - due->mean[i]);
  }
  dmass = dmass / total + due->dmass;
  subject_adjoint d;
  FOR_AXES(a) {
    d.x[a] = share * dmean[a];
    d.v[a] = share * (dmean[CQ_DIM + a] + 2.0 * dmean[2 * CQ_DIM] * value[CQ_DIM + a]);
  }
  d.F = mat_zero();
  d.E = d.nu = 0.0;
  d.density = (wide)s.volume * dmass;
  d.volume = (wide)s.density * dmass;
  return d;
}

/* The rest, added to d. The energy is linear in mu and lambda, so its value for unit ones is its
 * derivative. total is the reference volume of the group. */
CQ_FN void observe_strain_adjoint(const request *r, const subject *one, wide total, const wide *z,
                                  const wide *dz, subject_adjoint *d) {
  const substance s = one->s;
  const mat F = one->q.F;
  const wide volume = (wide)s.volume;
  const int *at = r->at.place;
  const lame l = lame_parameters(s.E, s.nu);
  const real zero = real_splat(K(0)), unit = real_splat(K(1));
  lame dl = {zero, zero};
  if (at[CQ_Q_VOLUME] >= 0) {
    const wide dJ = dz[at[CQ_Q_VOLUME]] / total;
    d->F = mat_axpy(d->F, (real)(dJ * volume), mat_cofactor(F));
    d->volume = d->volume + dJ * ((wide)mat_det(F) - z[at[CQ_Q_VOLUME]]);
  }
  if (at[CQ_Q_ENERGY] >= 0) {
    const wide denergy = dz[at[CQ_Q_ENERGY]];
    const real each = (real)(denergy * volume);
    const lame mu = {unit, zero}, lambda = {zero, unit};
    d->F = mat_axpy(d->F, each, material_pk1(one->material, l, F));
    d->volume = d->volume + denergy * (wide)material_energy(one->material, l, F);
    dl.mu = dl.mu + each * material_energy(one->material, mu, F);
    dl.lambda = dl.lambda + each * material_energy(one->material, lambda, F);
  }
  const wide norm = at[CQ_Q_STRESS] >= 0 ? z[at[CQ_Q_STRESS]] : (wide)0.0;
  if (norm > 0.0) {
    const wide dnorm = dz[at[CQ_Q_STRESS]] / total;
    const wide ratio = (wide)von_mises(one->material, l, F) / norm;
    const wide ds = dnorm * volume * cq_wide_pow(ratio, r->exponent - 1.0);
    d->F = mat_add(d->F, von_mises_adjoint(one->material, l, F, (real)ds, &dl));
    d->volume = d->volume + dnorm * norm / r->exponent * (cq_wide_pow(ratio, r->exponent) - 1.0);
  }
  real dE = zero, dnu = zero;
  lame_adjoint(s.E, s.nu, dl, &dE, &dnu);
  d->E = d->E + (wide)dE;
  d->nu = d->nu + (wide)dnu;
}

CQ_FN subject_adjoint observe_adjoint(const request *r, const subject *one, group_sums total,
                                      const wide *z, const wide *dz) {
  const means_due due = observe_means_due(r, z, dz);
  subject_adjoint d = observe_means_adjoint(&due, one, total.mass);
  if (observe_wants_strain(r)) {
    observe_strain_adjoint(r, one, total.volume, z, dz, &d);
  }
  return d;
}

#endif
