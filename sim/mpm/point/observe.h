/* What a group's observation (observed.h) sums over its particles, and the adjoint. With M = sum m,
 * a mean is sum m a / M, so that d(mean)/dm_p = (a_p - mean) / M. Sums and z are wide. */
#ifndef CQ_POINT_OBSERVE_H
#define CQ_POINT_OBSERVE_H

#include "observed.h"
#include "point/p2g.h"
#include "point/von_mises.h"

enum { CQ_Z_MEANS = 2 * CQ_DIM + 1, CQ_Z_SIZE = 2 * CQ_DIM + CQ_Z_SCALARS };

/* what a group asks for */
typedef struct request {
  unsigned quantities; /* CQ_OBSERVE_... */
  double exponent;     /* q of the stress norm */
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

typedef struct observation {
  wide mass, volume;      /* of the reference configuration */
  wide means[CQ_Z_MEANS]; /* times mass */
  wide deformed, energy;
  wide peak, power; /* largest stress; sum of V_p (s_p / peak)^q, which no q makes overflow */
} observation;

CQ_FN observation observe_nothing(void) {
  observation o;
  o.mass = o.volume = o.deformed = o.energy = o.peak = o.power = 0.0;
  for (int i = 0; i < CQ_Z_MEANS; i++) {
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

CQ_FN void observe_add(observation *o, const request *r, const subject *one) {
  const substance s = one->s;
  const wide mass = observe_mass(s), volume = (wide)s.volume;
  const lame l = lame_parameters(s.E, s.nu);
  wide value[CQ_Z_MEANS];
  observe_means(one->q, value);
  o->mass = o->mass + mass;
  o->volume = o->volume + volume;
  for (int i = 0; i < CQ_Z_MEANS; i++) {
    o->means[i] = o->means[i] + mass * value[i];
  }
  if (r->quantities & CQ_OBSERVE_VOLUME) {
    o->deformed = o->deformed + volume * (wide)mat_det(one->q.F);
  }
  if (r->quantities & CQ_OBSERVE_ENERGY) {
    o->energy = o->energy + volume * (wide)material_energy(one->material, l, one->q.F);
  }
  if (r->quantities & CQ_OBSERVE_STRESS) {
    observe_stress(o, r->exponent, (wide)von_mises(one->material, l, one->q.F), volume);
  }
}

/* Adds the sums over other particles. */
CQ_FN void observe_merge(observation *o, const request *r, const observation *other) {
  o->mass = o->mass + other->mass;
  o->volume = o->volume + other->volume;
  for (int i = 0; i < CQ_Z_MEANS; i++) {
    o->means[i] = o->means[i] + other->means[i];
  }
  o->deformed = o->deformed + other->deformed;
  o->energy = o->energy + other->energy;
  observe_stress(o, r->exponent, other->peak, other->power);
}

CQ_FN void observe_result(const observation *o, const request *r, wide *z) {
  for (int i = 0; i < CQ_Z_MEANS; i++) {
    z[i] = o->means[i] / o->mass;
  }
  z[CQ_Z(CQ_DIM, VOLUME)] = o->deformed / o->volume;
  z[CQ_Z(CQ_DIM, ENERGY)] = o->energy;
  z[CQ_Z(CQ_DIM, STRESS)] = 0.0;
  if (o->peak > 0.0) {
    z[CQ_Z(CQ_DIM, STRESS)] = o->peak * cq_wide_pow(o->power / o->volume, 1.0 / r->exponent);
  }
  z[CQ_Z(CQ_DIM, MASS)] = o->mass;
}

/* The part through the means and the mass. */
CQ_FN subject_adjoint observe_means_adjoint(const subject *one, const wide *z, const wide *dz) {
  const substance s = one->s;
  const wide total = z[CQ_Z(CQ_DIM, MASS)], share = observe_mass(s) / total;
  wide value[CQ_Z_MEANS];
  observe_means(one->q, value);
  wide dmass = dz[0] * (value[0] - z[0]);
  for (int i = 1; i < CQ_Z_MEANS; i++) {
    dmass = dmass + dz[i] * (value[i] - z[i]);
  }
  dmass = dmass / total + dz[CQ_Z(CQ_DIM, MASS)];
  subject_adjoint d;
  FOR_AXES(a) {
    d.x[a] = share * dz[a];
    d.v[a] = share * (dz[CQ_DIM + a] + 2.0 * dz[2 * CQ_DIM] * value[CQ_DIM + a]);
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
  const lame l = lame_parameters(s.E, s.nu);
  const real zero = real_splat(K(0)), unit = real_splat(K(1));
  lame dl = {zero, zero};
  if (r->quantities & CQ_OBSERVE_VOLUME) {
    const wide dJ = dz[CQ_Z(CQ_DIM, VOLUME)] / total;
    d->F = mat_axpy(d->F, (real)(dJ * volume), mat_cofactor(F));
    d->volume = d->volume + dJ * ((wide)mat_det(F) - z[CQ_Z(CQ_DIM, VOLUME)]);
  }
  if (r->quantities & CQ_OBSERVE_ENERGY) {
    const wide denergy = dz[CQ_Z(CQ_DIM, ENERGY)];
    const real each = (real)(denergy * volume);
    const lame mu = {unit, zero}, lambda = {zero, unit};
    d->F = mat_axpy(d->F, each, material_pk1(one->material, l, F));
    d->volume = d->volume + denergy * (wide)material_energy(one->material, l, F);
    dl.mu = dl.mu + each * material_energy(one->material, mu, F);
    dl.lambda = dl.lambda + each * material_energy(one->material, lambda, F);
  }
  const wide norm = z[CQ_Z(CQ_DIM, STRESS)];
  if ((r->quantities & CQ_OBSERVE_STRESS) && norm > 0.0) {
    const wide dnorm = dz[CQ_Z(CQ_DIM, STRESS)] / total;
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

CQ_FN subject_adjoint observe_adjoint(const request *r, const subject *one, wide total,
                                      const wide *z, const wide *dz) {
  subject_adjoint d = observe_means_adjoint(one, z, dz);
  if (r->quantities != 0) {
    observe_strain_adjoint(r, one, total, z, dz, &d);
  }
  return d;
}

#endif
