/* Where a rigid body starts: pose and twist that fit its particles in the inputs best, by least
 * squares weighted with their masses, and the adjoint of that. One dimension, in double.
 *
 * With means X_m, V_m and A_m of places x, velocities v and of the places a of the model, the
 * rotation R is that of the polar decomposition of sum m x (a - A_m)^T, and the spin is
 * W = J^-1 sum m r x (v - V_m), J = sum m (|r|^2 1 - r r^T), r = x - X_m. The centre of mass c of
 * the shape is not quite that of the particles: X = X_m + o, V = V_m + W x o, o = R (c - A_m). */
#include "mpm_rigid_bodies.h"

#include "mpm_inputs.h"
#include "polar.h"
#include "rigid_free.h"

#include "turn_numbers.h"

#include <string.h>

/* a particle of a body */
typedef struct grain {
  vec x, v, a;
  double density, volume, mass;
} grain;

typedef struct fit {
  double mass, scale; /* scale: sum of m |a - A_m|^2 */
  vec x, v, a;        /* means */
  polar turned;
  vec off; /* o */
  moment J;
  spin w;
} fit;

static vec vec_at(const double *a, int p) {
  vec r;
  memcpy(&r, a + (size_t)p * CQ_DIM, sizeof r);
  return r;
}

static grain grain_of(const bodies *b, int p) {
  const size_t *at = b->layout->offset;
  grain g;
  g.x = vec_at(b->inputs + at[CQ_INPUT_x], p);
  g.v = vec_at(b->inputs + at[CQ_INPUT_v], p);
  g.a = vec_at(b->own->placed, p - b->own->n_soft);
  g.density = b->inputs[at[CQ_INPUT_density] + (size_t)p];
  g.volume = b->inputs[at[CQ_INPUT_volume] + (size_t)p];
  g.mass = g.density * g.volume;
  return g;
}

#define FOR_GRAINS(b, i, p)                                                                        \
  for (int p = (b)->own->rigid[i].first, end_ = p + (b)->own->rigid[i].count; p < end_; p++)

static void take_means(const bodies *b, int i, fit *f) {
  f->mass = 0.0;
  f->x = f->v = f->a = vec_zero();
  FOR_GRAINS(b, i, p) {
    const grain g = grain_of(b, p);
    f->mass += g.mass;
    f->x = vec_axpy(f->x, g.mass, g.x);
    f->v = vec_axpy(f->v, g.mass, g.v);
    f->a = vec_axpy(f->a, g.mass, g.a);
  }
  f->x = vec_scale(1.0 / f->mass, f->x);
  f->v = vec_scale(1.0 / f->mass, f->v);
  f->a = vec_scale(1.0 / f->mass, f->a);
}

static void add_moment(moment *J, double mass, vec r) {
  const moment I = moment_of_point(r);
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      J->m[i][j] += mass * I.m[i][j];
    }
  }
}

/* What is added to a decomposition and a moment that are undefined: one particle, and in 3D a
 * straight row of them, does not say how it is turned. By its place in the model, so that it is the
 * same for all designs. Sets the scale that they are divided by. */
static double lacking(const bodies *b, mat S, fit *f) {
  const double trace = mat_trace(S), cell = b->own->cell;
  f->scale = trace;
  if (!(trace > 1e-12 * f->mass * cell * cell)) {
    f->scale = f->mass * cell * cell;
    return 1.0;
  }
#if CQ_DIM == 2
  return 0.0;
#else
  return 0.5 * (trace * trace - mat_dot(S, S)) > 1e-9 * trace * trace ? 0.0 : 1e-5;
#endif
}

/* Means, turn and spin that fit the particles of a body best. */
static fit fit_body(const bodies *b, int i) {
  fit f = {.J = {{{0.0}}}};
  take_means(b, i, &f);
  mat H = mat_zero(), S = mat_zero();
  spin around = spin_zero();
  FOR_GRAINS(b, i, p) {
    const grain g = grain_of(b, p);
    const vec r = vec_sub(g.x, f.x), a = vec_sub(g.a, f.a);
    H = mat_axpy(H, g.mass, vec_outer(r, a));
    S = mat_axpy(S, g.mass, vec_outer(a, a));
    add_moment(&f.J, g.mass, r);
    around = spin_axpy(around, g.mass, spin_arm(r, vec_sub(g.v, f.v)));
  }
  const double lack = lacking(b, S, &f);
  f.turned = polar_decompose(mat_axpy(mat_scale(1.0 / f.scale, H), lack, mat_identity()));
  FOR_SPINS(s) {
    f.J.m[s][s] += lack * f.scale;
  }
  f.w = moment_solve(f.J, around);
  f.off = mat_vec(f.turned.R, vec_sub(vec_at(b->own->placed_center, i), f.a));
  return f;
}

void WIDE(cq_bodies_fit)(const bodies *b, int i, double *place, double *moves) {
  pose p = {vec_at(b->own->placed_center, i), turn_none()};
  twist t = twist_zero();
  if (b->own->rigid[i].count > 0) {
    const fit f = fit_body(b, i);
    p.x = vec_add(f.x, f.off);
    p.q = turn_of_matrix(f.turned.R);
    t.v = vec_add(f.v, spin_turn(f.w, f.off));
    t.w = f.w;
  }
  memcpy(place, &p, sizeof p);
  memcpy(moves, &t, sizeof t);
}

/* what is due to the sums of a fit */
typedef struct fit_due {
  vec x, v, a; /* the means */
  mat H;
  spin l; /* J^-1 dW */
} fit_due;

/* From dL/d(pose, twist) to the sums that the fit is made of. */
static fit_due sums_due(const fit *f, turn q, pose dp, twist dt) {
  const vec doff = vec_sub(dp.x, spin_turn(f->w, dt.v));
  const spin dw = spin_add(dt.w, spin_arm(f->off, dt.v));
  const spin g = spin_add(turn_due(q, dp.q), spin_arm(f->off, doff));
  fit_due d;
  d.x = dp.x;
  d.v = dt.v;
  d.a = vec_scale(-1.0, mat_t_vec(f->turned.R, doff));
  d.l = moment_solve_transposed(f->J, dw);
  mat D;
  FOR_AXES(c) {
    vec column;
    FOR_AXES(r) {
      column.v[r] = f->turned.R.m[r][c];
    }
    const vec turned = spin_turn(g, column);
    FOR_AXES(r) {
      D.m[r][c] = 0.5 * turned.v[r];
    }
  }
  d.H = mat_scale(1.0 / f->scale, polar_tangent(f->turned, D));
  return d;
}

/* Of one particle. What arms are due through the means adds up to 0, as sum m r does. */
static void grain_adjoint(const fit *f, const fit_due *d, const grain *g, double *dx, double *dv,
                          double *dmass) {
  const vec r = vec_sub(g->x, f->x), u = vec_sub(g->v, f->v), a = vec_sub(g->a, f->a);
  const vec lr = spin_turn(d->l, r), wr = spin_turn(f->w, r), Ha = mat_vec(d->H, a);
  const double share = 1.0 / f->mass;
  vec dr = vec_add(spin_turn(d->l, wr), spin_turn(f->w, lr));
  dr = vec_scale(g->mass, vec_sub(dr, spin_turn(d->l, u)));
  FOR_AXES(k) {
    dx[k] = g->mass * (Ha.v[k] + share * d->x.v[k]) + dr.v[k];
    dv[k] = g->mass * (lr.v[k] + share * d->v.v[k]);
  }
  *dmass = vec_dot(r, Ha) + vec_dot(lr, u) - vec_dot(lr, wr) +
           share * (vec_dot(r, d->x) + vec_dot(u, d->v) + vec_dot(a, d->a));
}

/* From dL/d(pose, twist) of a body to its particles. */
void WIDE(cq_bodies_fit_adjoint)(const bodies *b, int i, const double *place, const double *dpose,
                                 const double *dtwist, double *gradient) {
  const size_t *at = b->layout->offset;
  if (b->own->rigid[i].count == 0) {
    return;
  }
  const fit f = fit_body(b, i);
  const fit_due d = sums_due(&f, pose_read(place).q, pose_read(dpose), twist_read(dtwist));
  FOR_GRAINS(b, i, p) {
    const grain g = grain_of(b, p);
    double dx[CQ_DIM], dv[CQ_DIM], dmass;
    grain_adjoint(&f, &d, &g, dx, dv, &dmass);
    FOR_AXES(k) {
      gradient[at[CQ_INPUT_x] + (size_t)p * CQ_DIM + (size_t)k] += dx[k];
      gradient[at[CQ_INPUT_v] + (size_t)p * CQ_DIM + (size_t)k] += dv[k];
    }
    gradient[at[CQ_INPUT_density] + (size_t)p] += g.volume * dmass;
    gradient[at[CQ_INPUT_volume] + (size_t)p] += g.density * dmass;
  }
}
