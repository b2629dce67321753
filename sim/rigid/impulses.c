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
#include "status.h"

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

/* What drives a body with a limit: impulses towards its goal. */
typedef struct motor {
  mover *of; /* NULL: nothing does */
  twist goal;
  heft m; /* its moment in the world's frame */
  wrench p;
  real most, most_turn;
} motor;

struct solver {
  int n_bodies, n;
  mover *movers;
  motor *motors;
  solving *list;
};

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

/* --- drives with a limit -----------------------------------------------------------------------
 */

/* where the impulses of drives stand in the memory */
static double *drive_slot(const cq_rigids *r, double *memory, int i) {
  double *to = memory + cq_rigids_memory(r);
  for (int k = r->n - 1; k >= i; k--) {
    to -= cq_rigid_limited(&r->bodies[k]) ? CQ_TWIST : 0;
  }
  return to;
}

static void push_motor(const motor *m, wrench d) {
  twist *t = &m->of->t;
  t->v = vec_axpy(t->v, m->of->inverse_mass, d.f);
  t->w = spin_add(t->w, moment_times(m->of->inverse, d.t));
}

/* The moment, turned to the world a column at a time, and the last step's impulse to begin with. */
static motor motor_of(const cq_rigids *r, const cq_rigid_step *s, const actor *a, mover *of) {
  motor m = {.of = of, .goal = a->goal, .m = a->m, .p = wrench_zero()};
  const cq_rigid *b = a->body;
  FOR_SPINS(c) {
    spin unit = spin_zero();
    unit.w[c] = 1.0;
    const spin column = spin_to_world(a->at.R, moment_times(a->m.I, spin_to_body(a->at.R, unit)));
    FOR_SPINS(i) {
      m.m.I.m[i][c] = column.w[i];
    }
  }
  m.most = s->dt * b->max_force;
  m.most_turn = s->dt * b->max_torque;
  if (s->memory != NULL) {
    const double *old = drive_slot(r, s->memory, (int)(b - r->bodies));
    const twist p = twist_read(old);
    m.p = (wrench){p.v, p.w};
    push_motor(&m, m.p);
  }
  return m;
}

/* Towards the goal, with what is left of the force and the torque. */
static real solve_motor(motor *m) {
  const twist *t = &m->of->t;
  wrench p = m->p;
  p.f = vec_axpy(p.f, m->m.mass, vec_sub(m->goal.v, t->v));
  p.t = spin_add(p.t, moment_times(m->m.I, spin_axpy(m->goal.w, -1.0, t->w)));
  const real force = sqrt(vec_dot(p.f, p.f)), torque = sqrt(spin_dot(p.t, p.t));
  p.f = vec_scale(force > m->most ? m->most / force : 1.0, p.f);
  p.t = spin_scale(torque > m->most_turn ? m->most_turn / torque : 1.0, p.t);
  const wrench d = wrench_axpy(p, -1.0, m->p);
  push_motor(m, d);
  m->p = p;
  return m->of->inverse_mass * sqrt(vec_dot(d.f, d.f));
}

/* Contacts in their order, then drives: a body below its limit moves as if it had none. */
real V(cq_solver_sweep)(solver *v) {
  real change = 0.0;
  for (int i = 0; i < v->n; i++) {
    change = fmax(change, solve_contact(&v->list[i]));
  }
  for (int i = 0; i < v->n_bodies; i++) {
    if (v->motors[i].of != NULL) {
      change = fmax(change, solve_motor(&v->motors[i]));
    }
  }
  return change;
}

/* Sweeps until nothing changes, for what takes overlap back. */
static void sweep_pushes(const cq_rigids *r, solving *list, int n) {
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

/* lays the contacts out */
static void fill(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                 const actor *actors, solver *v) {
  for (int i = 0; i < r->n; i++) {
    v->movers[i] = mover_of(&actors[i]);
  }
  /* all targets are made of velocities before the first impulse */
  for (int i = 0; i < met->n; i++) {
    v->list[i] = solving_of(r, s, &met->list[i], actors, v->movers);
  }
  for (int i = 0; i < met->n && s->memory != NULL; i++) {
    warm(r, s->memory, &v->list[i]);
  }
  for (int i = 0; i < r->n; i++) {
    v->motors[i].of = NULL;
    if (actors[i].is_limited) {
      v->motors[i] = motor_of(r, s, &actors[i], &v->movers[i]);
    }
  }
}

cq_status V(cq_solver_begin)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                             const meetings *met, const actor *actors, solver **out) {
  solver *v = NULL;
  CQ_TRY(CQ_ALLOC(ctx, v, 1));
  *out = v;
  v->n_bodies = r->n;
  v->n = met->n;
  CQ_TRY(CQ_ALLOC(ctx, v->movers, r->n));
  CQ_TRY(CQ_ALLOC(ctx, v->motors, r->n));
  CQ_TRY(CQ_ALLOC(ctx, v->list, met->n));
  fill(r, s, met, actors, v);
  return CQ_OK;
}

void V(cq_solver_end)(const cq_rigids *r, const cq_rigid_step *s, solver *v, actor *actors,
                      twist *push, wrench *impulse) {
  sweep_pushes(r, v->list, v->n);
  keep(r, s, v->list, v->n, impulse);
  for (int i = 0; i < r->n; i++) {
    actors[i].now.t = v->movers[i].t;
    push[i] = v->movers[i].push;
    if (v->motors[i].of != NULL && s->memory != NULL) {
      const wrench *p = &v->motors[i].p;
      double *to = drive_slot(r, s->memory, i);
      memcpy(to, &p->f, sizeof p->f);
      memcpy(to + CQ_DIM, &p->t, sizeof p->t);
    }
  }
}

void V(cq_solver_free)(cq_ctx *ctx, solver *v) {
  if (v != NULL) {
    cq_free(ctx, v->list);
    cq_free(ctx, v->motors);
    cq_free(ctx, v->movers);
    cq_free(ctx, v);
  }
}

/* --- movers in plain doubles ------------------------------------------------------------------ */

enum { FIRST_SPIN = CQ_DIM == 2 ? 2 : 0 }; /* of three */

/* Bodies as an engine pushes them: always three spins, of which a plane has the last alone. */
void V(cq_solver_movers)(const solver *v, const actor *actors, cq_rigid_mover *movers) {
  for (int i = 0; i < v->n_bodies; i++) {
    const mover *from = &v->movers[i];
    cq_rigid_mover *to = &movers[i];
    *to = (cq_rigid_mover){.inverse_mass = from->inverse_mass};
    FOR_AXES(a) {
      to->x[a] = actors[i].at.x.v[a];
      to->v[a] = from->t.v.v[a];
      to->belt[a] = actors[i].at.belt.v[a];
    }
    FOR_SPINS(a) {
      to->w[FIRST_SPIN + a] = from->t.w.w[a];
      FOR_SPINS(b) {
        to->inverse[FIRST_SPIN + a][FIRST_SPIN + b] = from->inverse.m[a][b];
      }
    }
  }
}

void V(cq_solver_push)(solver *v, const cq_rigid_mover *movers) {
  for (int i = 0; i < v->n_bodies; i++) {
    FOR_AXES(a) {
      v->movers[i].t.v.v[a] = movers[i].v[a];
    }
    FOR_SPINS(a) {
      v->movers[i].t.w.w[a] = movers[i].w[FIRST_SPIN + a];
    }
  }
}
