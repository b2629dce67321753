/* Contacts by impulses: non-penetration, Coulomb friction, rolling friction.
 *
 * One impulse a contact, found by sweeps over the contacts, each of which is solved with the others
 * held (projected Gauss and Seidel; Catto, Iterative dynamics with temporal coherence, GDC 2005;
 * Tonge et al., ACM Trans. Graph. 31 (2012) 105). The velocity v_n at the end of a step has to be
 * at least -gap/h where the bodies are apart, so that they just meet; 0 where they touch or
 * overlap; and e times the speed they had where they come together faster than what bounces.
 * Overlap is taken back by velocities of their own, which move bodies and are forgotten (split
 * impulses), so that it feeds no energy in. An impulse acts on both bodies at the one point x, with
 * opposite signs: their momentum and angular momentum keep their bits but for rounding. */
#include "actors.h"

#include "alloc.h"

/* a body as impulses move it */
typedef struct mover {
  real inverse_mass; /* 0: is not moved */
  moment inverse;    /* of the moment, in the world's frame */
  twist t, push;
} mover;

/* a contact being solved */
typedef struct solving {
  const meeting *m;
  mover *a, *b;
  vec ra, rb;      /* from the centres of mass to x */
  vec belt;        /* of a relative to b: what of their velocities is not in the twists */
  real kn, kt, kr; /* velocities by unit impulses along n, across it, of spin (at most) */
  real target;     /* v_n is at least that */
  real push_target;
  real friction, rolling;
  real normal, push;
  vec across;
  spin roll;
} solving;

/* the inverse of its mass and of its moment as it is turned; both 0 unless it is free */
static mover mover_of(const actor *a) {
  mover v;
  v.inverse_mass = 0.0;
  v.inverse = heft_zero().I;
  v.t = a->now.t;
  v.push = twist_zero();
  if (!a->is_free) {
    return v;
  }
  v.inverse_mass = 1.0 / a->m.mass;
  FOR_SPINS(c) {
    spin unit = spin_zero();
    unit.w[c] = 1.0;
    const spin column = spin_to_world(a->at.R, moment_solve(a->m.I, spin_to_body(a->at.R, unit)));
    FOR_SPINS(i) {
      v.inverse.m[i][c] = column.w[i];
    }
  }
  return v;
}

/* what is not free stays, whatever the impulse is, even if it is not finite */
static void push_mover(const mover *v, twist *t, vec arm, vec impulse, real sign) {
  if (v->inverse_mass == 0.0) {
    return;
  }
  t->v = vec_axpy(t->v, sign * v->inverse_mass, impulse);
  t->w = spin_axpy(t->w, sign, moment_times(v->inverse, spin_arm(arm, impulse)));
}

static void apply(const solving *c, vec impulse) {
  push_mover(c->a, &c->a->t, c->ra, impulse, 1.0);
  push_mover(c->b, &c->b->t, c->rb, impulse, -1.0);
}

static void turn_mover(const mover *v, twist *t, spin impulse, real sign) {
  if (v->inverse_mass != 0.0) {
    t->w = spin_axpy(t->w, sign, moment_times(v->inverse, impulse));
  }
}

static void apply_spin(const solving *c, spin impulse) {
  turn_mover(c->a, &c->a->t, impulse, 1.0);
  turn_mover(c->b, &c->b->t, impulse, -1.0);
}

static vec relative(const solving *c, const twist *a, const twist *b) {
  const vec va = vec_add(a->v, spin_turn(a->w, c->ra)), vb = vec_add(b->v, spin_turn(b->w, c->rb));
  return vec_sub(va, vb);
}

static vec velocity(const solving *c) {
  return vec_add(relative(c, &c->a->t, &c->b->t), c->belt);
}

/* e . (velocity that an impulse along d gives) */
static real response(const solving *c, vec e, vec d) {
  const spin a = spin_arm(c->ra, d), b = spin_arm(c->rb, d);
  return (c->a->inverse_mass + c->b->inverse_mass) * vec_dot(e, d) +
         spin_dot(spin_arm(c->ra, e), moment_times(c->a->inverse, a)) +
         spin_dot(spin_arm(c->rb, e), moment_times(c->b->inverse, b));
}

/* The largest response across n. Friction is found with this one number for all directions, because
 * only then the end of the sweeps has it opposite to the sliding. */
static real response_across(const solving *c, vec n) {
#if CQ_DIM == 2
  vec t;
  t.v[0] = -n.v[1];
  t.v[1] = n.v[0];
  return response(c, t, t);
#else
  int least = 0;
  FOR_AXES(a) {
    least = fabs(n.v[a]) < fabs(n.v[least]) ? a : least;
  }
  vec s = vec_zero();
  s.v[least] = 1.0;
  s = vec_across(n, s);
  s = vec_scale(1.0 / sqrt(vec_dot(s, s)), s);
  const vec t = vec_turn(n.v, s);
  const real ss = response(c, s, s), tt = response(c, t, t), st = response(c, s, t);
  return 0.5 * (ss + tt) + sqrt(0.25 * (ss - tt) * (ss - tt) + st * st);
#endif
}

/* at least the largest: the trace */
static real response_of_spin(const solving *c) {
  real sum = 0.0;
  FOR_SPINS(i) {
    sum += c->a->inverse.m[i][i] + c->b->inverse.m[i][i];
  }
  return sum;
}

static double mean(double a, double b) {
  return sqrt(a * b);
}

/* What is asked of a contact, from the velocities before the first impulse. */
static solving solving_of(const cq_rigids *r, const cq_rigid_step *s, const meeting *m,
                          const actor *actors, mover *movers) {
  const cq_rigid *a = actors[m->a].body, *b = actors[m->b].body;
  solving c = {.m = m, .a = &movers[m->a], .b = &movers[m->b]};
  c.ra = vec_sub(m->x, actors[m->a].at.x);
  c.rb = vec_sub(m->x, actors[m->b].at.x);
  c.belt = vec_sub(actors[m->a].at.belt, actors[m->b].at.belt);
  c.kn = response(&c, m->n, m->n);
  c.kt = response_across(&c, m->n);
  c.kr = response_of_spin(&c);
  c.friction = mean(s->friction[m->a], s->friction[m->b]);
  c.rolling = mean(a->rolling, b->rolling);
  const real before = vec_dot(m->n, velocity(&c)), bounce = fmax(a->restitution, b->restitution);
  c.target = m->gap > 0.0 ? -m->gap / s->dt : 0.0;
  if (bounce > 0.0 && before < -r->bounce_speed && m->gap + s->dt * before < 0.0) {
    c.target = -bounce * before;
  }
  c.push_target = fmax(-m->gap - r->overlap, 0.0) * r->recovery / s->dt;
  return c;
}

/* where the impulses of a contact stand in the memory */
static double *slot(const cq_rigids *r, double *memory, const meeting *m) {
  size_t first = 0;
  for (int i = 0; i < m->a; i++) {
    first += (size_t)r->bodies[i].skin.n;
  }
  return memory + ((first + (size_t)m->point) * (size_t)r->n + (size_t)m->b) * CQ_DIM;
}

/* begins with the impulse of the step before */
static void warm(const cq_rigids *r, double *memory, solving *c) {
  const double *old = slot(r, memory, c->m);
  vec p;
  FOR_AXES(a) {
    p.v[a] = old[a];
  }
  c->normal = fmax(vec_dot(c->m->n, p), 0.0);
  c->across = vec_across(c->m->n, p);
  const real most = c->friction * c->normal;
  const real size = sqrt(vec_dot(c->across, c->across));
  c->across = vec_scale(size > most ? most / size : 1.0, c->across);
  apply(c, vec_axpy(c->across, c->normal, c->m->n));
}

/* one contact; returns what its velocity changed by, at most */
static real solve_contact(solving *c) {
  const vec n = c->m->n;
  const real normal = fmax(c->normal - (vec_dot(n, velocity(c)) - c->target) / c->kn, 0.0);
  real change = fabs(normal - c->normal) * c->kn;
  apply(c, vec_scale(normal - c->normal, n));
  c->normal = normal;

  if (c->friction > 0.0) {
    const vec u = vec_across(n, velocity(c)), old = c->across;
    vec p = vec_axpy(old, -1.0 / c->kt, u);
    const real size = sqrt(vec_dot(p, p)), most = c->friction * c->normal;
    p = vec_scale(size > most ? most / size : 1.0, p);
    const vec d = vec_sub(p, old);
    change = fmax(change, sqrt(vec_dot(d, d)) * c->kt);
    apply(c, d);
    c->across = p;
  }
  if (c->rolling > 0.0) {
    const spin w = spin_across(n, spin_axpy(c->a->t.w, -1.0, c->b->t.w)), old = c->roll;
    spin p = spin_axpy(old, -1.0 / c->kr, w);
    const real size = sqrt(spin_dot(p, p)), most = c->rolling * c->normal;
    p = spin_scale(size > most ? most / size : 1.0, p);
    apply_spin(c, spin_axpy(p, -1.0, old));
    c->roll = p;
  }
  return change;
}

/* the same for what moves overlapping bodies apart */
static real solve_push(solving *c) {
  const vec n = c->m->n;
  const real u = vec_dot(n, relative(c, &c->a->push, &c->b->push));
  const real push = fmax(c->push - (u - c->push_target) / c->kn, 0.0);
  const vec d = vec_scale(push - c->push, n);
  push_mover(c->a, &c->a->push, c->ra, d, 1.0);
  push_mover(c->b, &c->b->push, c->rb, d, -1.0);
  const real change = fabs(push - c->push) * c->kn;
  c->push = push;
  return change;
}

/* Sweeps until nothing changes, first for impulses, then for what takes overlap back. */
static void sweep(const cq_rigids *r, cq_rigid_step *s, solving *list, int n) {
  s->change = n > 0 ? INFINITY : 0.0;
  for (s->iterations = 0; s->iterations < r->iterations && s->change > r->tolerance;
       s->iterations++) {
    s->change = 0.0;
    for (int i = 0; i < n; i++) {
      s->change = fmax(s->change, solve_contact(&list[i]));
    }
  }
  bool overlaps = false;
  for (int i = 0; i < n; i++) {
    overlaps = overlaps || list[i].push_target > 0.0;
  }
  real change = overlaps ? INFINITY : 0.0;
  for (int k = 0; k < r->iterations && change > r->tolerance; k++) {
    change = 0.0;
    for (int i = 0; i < n; i++) {
      change = fmax(change, solve_push(&list[i]));
    }
  }
}

/* What was found: impulses of bodies, and of each contact for the next step. */
static void keep(const cq_rigids *r, const cq_rigid_step *s, const solving *list, int n,
                 wrench *impulse) {
  if (s->memory != NULL) {
    memset(s->memory, 0, cq_rigids_memory(r) * sizeof *s->memory);
  }
  for (int i = 0; i < n; i++) {
    const solving *c = &list[i];
    const vec p = vec_axpy(c->across, c->normal, c->m->n);
    const wrench on_a = {p, spin_add(spin_arm(c->ra, p), c->roll)};
    const wrench on_b = {p, spin_add(spin_arm(c->rb, p), c->roll)};
    impulse[c->m->a] = wrench_axpy(impulse[c->m->a], 1.0, on_a);
    impulse[c->m->b] = wrench_axpy(impulse[c->m->b], -1.0, on_b);
    for (int a = 0; a < CQ_DIM && s->memory != NULL; a++) {
      slot(r, s->memory, c->m)[a] = p.v[a];
    }
  }
}

/* lays the contacts out, solves them, and hands the velocities back */
cq_status V(cq_impulses)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, const meetings *met,
                         actor *actors, twist *push, wrench *impulse) {
  mover *movers = NULL;
  solving *list = NULL;
  cq_status status = CQ_ALLOC(ctx, movers, r->n);
  if (status == CQ_OK) {
    status = CQ_ALLOC(ctx, list, met->n);
  }
  if (status == CQ_OK) {
    for (int i = 0; i < r->n; i++) {
      movers[i] = mover_of(&actors[i]);
    }
    /* all targets are made of velocities before the first impulse */
    for (int i = 0; i < met->n; i++) {
      list[i] = solving_of(r, s, &met->list[i], actors, movers);
    }
    for (int i = 0; i < met->n && s->memory != NULL; i++) {
      warm(r, s->memory, &list[i]);
    }
    sweep(r, s, list, met->n);
    keep(r, s, list, met->n, impulse);
    for (int i = 0; i < r->n; i++) {
      actors[i].now.t = movers[i].t;
      push[i] = movers[i].push;
    }
  }
  cq_free(ctx, list);
  cq_free(ctx, movers);
  return status;
}
