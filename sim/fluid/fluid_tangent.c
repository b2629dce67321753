#include "fluid_tangent.h"

#include "alloc.h"
#include "fluid_linear.h"
#include "status.h"

#include <string.h>

/* of particle p in a vector of inputs, or in a direction of it */
static vec vector_of(const fluid *c, const double *of, cq_fluid_input input, int p) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = K(of[c->layout->offset[input] + (size_t)p * CQ_DIM + (size_t)a]);
  }
  return r;
}

/* A particle's mass and volume, and what a direction changes of them. */
typedef struct lump {
  scalar m, dm, volume, dvolume;
} lump;

static lump lump_of(const fluid *c, const double *d, int p) {
  const size_t density = c->layout->offset[CQ_FLUID_density] + (size_t)p;
  const size_t volume = c->layout->offset[CQ_FLUID_volume] + (size_t)p;
  lump r = {.volume = K(c->inputs[volume]), .dvolume = K(d[volume])};
  r.m = K(c->inputs[density]) * r.volume;
  r.dm = K(c->inputs[density]) * r.dvolume + K(d[density]) * r.volume;
  return r;
}

/* Mass, centre and mean velocity, which are sums over the particles. */
static void change_means(const fluid *c, const cq_fluid_body *body, const fluid_body *b,
                         const double *d, fluid_direction *to) {
  vec moved = vec_zero(), faster = vec_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    const lump l = lump_of(c, d, p);
    const vec r = vec_sub(vector_of(c, c->inputs, CQ_FLUID_x, p), b->now.p.x);
    const vec u = vec_sub(vector_of(c, c->inputs, CQ_FLUID_v, p), b->goal.v);
    to->heft.mass += l.dm;
    moved = vec_axpy(vec_axpy(moved, l.m, vector_of(c, d, CQ_FLUID_x, p)), l.dm, r);
    faster = vec_axpy(vec_axpy(faster, l.m, vector_of(c, d, CQ_FLUID_v, p)), l.dm, u);
  }
  to->center = vec_scale(K(1) / b->heft.mass, moved);
  to->goal.v = vec_scale(K(1) / b->heft.mass, faster);
}

static void add_moment(moment *sum, scalar factor, const moment *I) {
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      sum->m[i][j] += factor * I->m[i][j];
    }
  }
}

/* Moments and spin, after the means. */
static void change_spin(const fluid *c, const cq_fluid_body *body, const fluid_body *b,
                        const double *d, fluid_direction *to) {
  moment points = {{{K(0)}}}, change = {{{K(0)}}};
  spin around = spin_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    const lump l = lump_of(c, d, p);
    const vec r = vec_sub(vector_of(c, c->inputs, CQ_FLUID_x, p), b->now.p.x);
    const vec u = vec_sub(vector_of(c, c->inputs, CQ_FLUID_v, p), b->goal.v);
    const vec dr = vec_sub(vector_of(c, d, CQ_FLUID_x, p), to->center);
    const vec du = vec_sub(vector_of(c, d, CQ_FLUID_v, p), to->goal.v);
    const moment I = moment_of_point(r), after = moment_of_point(vec_add(r, dr)),
                 before = moment_of_point(vec_sub(r, dr)); /* quadratic in r */
    const scalar cube = cube_moment(l.volume);
    add_moment(&points, l.m, &I);
    add_moment(&change, l.dm, &I);
    add_moment(&change, K(0.5) * l.m, &after);
    add_moment(&change, K(-0.5) * l.m, &before);
    FOR_SPINS(i) {
      to->heft.I.m[i][i] += cube * (l.dm + l.m * K(2.0 / CQ_DIM) * l.dvolume / l.volume);
    }
    around = spin_axpy(around, l.dm, spin_arm(r, u));
    around = spin_axpy(around, l.m, spin_add(spin_arm(dr, u), spin_arm(r, du)));
  }
  add_moment(&to->heft.I, K(1), &change);
  FOR_SPINS(i) { /* as in weigh_body */
    points.m[i][i] += K(16) * CQ_EPSILON * b->heft.I.m[i][i];
  }
  to->goal.w = moment_solve(points, spin_axpy(around, K(-1), moment_times(change, b->goal.w)));
}

/* What a direction changes of a body at the start; it is turned by nothing then. */
static void begin_body(const fluid *c, int body, const double *d, fluid_direction *to) {
  const cq_fluid_body *own = &c->own->bodies[body];
  const fluid_body *b = &c->bodies->body[body];
  *to = (fluid_direction){.heft = heft_zero()};
  if (own->count == 0) { /* an obstacle moves as it does */
    to->center = vec_zero();
    to->goal = twist_zero();
    to->now = (motion){.p = {.x = vec_zero(), .q = turn_zero()}, .t = twist_zero()};
    return;
  }
  change_means(c, own, b, d, to);
  change_spin(c, own, b, d, to);
  to->now.p.x = to->center;
  to->now.p.q = turn_zero();
  to->now.t = own->driven || own->release <= 0.0 ? to->goal : twist_zero();
}

static bool is_word(const fluid *c, const char *word) {
  return c->model->gradient != NULL && strcmp(c->model->gradient, word) == 0;
}

/* State 0 of all directions, from what the inputs change of each body. */
cq_status V(cq_fluid_tangent_begin)(void *work, int n, const double *directions) {
  fluid *c = work;
  const int n_bodies = c->own->n_bodies;
  V(cq_fluid_free_tangents)(c);
  CQ_TRY(CQ_ALLOC(c->ctx, c->tangents, 1));
  fluid_tangents *t = c->tangents;
  t->n = n;
  t->slip = is_word(c, "complete_published");
  t->complete = t->slip || is_word(c, "complete");
  t->local = t->complete || is_word(c, "local");
  t->exact = is_word(c, "tangent");
  t->directions = directions;
  CQ_TRY(CQ_ALLOC(c->ctx, t->of, (size_t)n * (size_t)n_bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, t->pin, (size_t)n * (size_t)c->own->n_pins));
  CQ_TRY(CQ_ALLOC(c->ctx, t->damping, n_bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, t->placed, n_bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, t->carried, n_bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, t->number, c->model->n_particles));
  for (int i = 0; i < c->n_all; i++) {
    t->number[c->particle[i]] = i;
  }
  for (int k = 0; k < n; k++) {
    for (int b = 0; b < n_bodies; b++) {
      begin_body(c, b, directions + (size_t)k * c->layout->total, &t->of[k * n_bodies + b]);
    }
    V(cq_fluid_begin_pin_tangents)(c, k);
  }
  return t->exact ? V(cq_fluid_forward_begin)(c, n, directions) : CQ_OK;
}

/* Heuristic ones move with the step that comes next, which finds what they need. */
cq_status V(cq_fluid_tangent_step)(void *work, int step, const void *state, const double *w,
                                   const double *dw) {
  fluid *c = work;
  (void)step;
  if (c->tangents->exact) {
    return V(cq_fluid_forward_step)(c, state, w, dw);
  }
  c->tangents->dw = dw;
  c->tangents->due = true;
  return CQ_OK;
}

/* Of bodies; the heuristics know of nothing else. */
bool V(cq_fluid_cut_tangents)(void *work, int step) {
  const fluid *c = work;
  if (c->own->horizon == 0 || step == 0 || step % c->own->horizon != 0) {
    return false;
  }
  for (int i = 0; i < c->tangents->n * c->own->n_bodies; i++) {
    fluid_direction *d = &c->tangents->of[i];
    d->now = (motion){.p = {.x = vec_zero(), .q = turn_zero()}, .t = twist_zero()};
  }
  return true;
}

/* What sample b of a free body adds, near particle i. */
static void damp(fluid *c, int i, size_t place) {
  const int b = c->sample_near[place], body = c->sorted_body[b];
  const int sweeps = c->steady[0][i] + c->steady[1][i];
  if (body < 0 || !c->bodies->body[body].free || sweeps == 0) {
    return;
  }
  vec g, arm;
  scalar J[CQ_TWIST];
  FOR_AXES(a) {
    const scalar xb = c->sorted_column[a][b];
    J[a] = g.v[a] = c->sample_slope[place] * (c->x[(size_t)i * CQ_AXES + (size_t)a] - xb);
    arm.v[a] = xb - c->center[body][a];
  }
  const spin turned = spin_arm(arm, g);
  FOR_SPINS(s) {
    J[CQ_DIM + s] = turned.w[s];
  }
  const scalar gain = c->dt * c->dt * c->gain[i];
  const scalar factor = (scalar)sweeps * gain * c->volume[i] / fluid_gives_way(c, i, g);
  fluid_damping *sum = &c->tangents->damping[body];
  for (int r = 0; r < CQ_TWIST; r++) {
    for (int s = 0; s < CQ_TWIST; s++) {
      sum->m[r][s] += factor * J[r] * J[s];
    }
  }
}

/* In the order of the particles: the bits do not depend on threads. */
static void find_damping(fluid *c) {
  memset(c->tangents->damping, 0, (size_t)c->own->n_bodies * sizeof(fluid_damping));
  for (int i = 0; i < c->n && c->tangents->local; i++) {
    for (int k = 0; k < c->sample_count[i]; k++) {
      damp(c, i, c->first_sample[i] + (size_t)k);
    }
  }
}

/* The impulse by which the fluid holds back a change t of a body's twist; none without "local". */
static wrench damped(const fluid_damping *by, twist t) {
  scalar in[CQ_TWIST];
  wrench r = wrench_zero();
  FOR_AXES(a) {
    in[a] = t.v.v[a];
  }
  FOR_SPINS(s) {
    in[CQ_DIM + s] = t.w.w[s];
  }
  for (int k = 0; k < CQ_TWIST; k++) {
    FOR_AXES(a) {
      r.f.v[a] -= by->m[a][k] * in[k];
    }
    FOR_SPINS(s) {
      r.t.w[s] -= by->m[CQ_DIM + s][k] * in[k];
    }
  }
  return r;
}

/* Gravity, thrust, the impulses of the step but for those of pins. */
static void kick_free(const fluid *c, int body, int k, fluid_direction *d) {
  const fluid_body *b = &c->bodies->body[body];
  const double *direction = c->tangents->directions + (size_t)k * c->layout->total;
  const mat R = turn_matrix(b->now.p.q), dR = turn_matrix_tangent(b->now.p.q, d->now.p.q);
  const vec dthrust = fluid_thrust_change(c, k, body);
  wrench change = damped(&c->tangents->damping[body], d->now.t);
  if (c->tangents->complete) {
    change = wrench_axpy(change, K(1), c->tangents->placed[body]);
  }
  FOR_AXES(a) {
    const scalar dg = K(direction[c->layout->offset[CQ_FLUID_gravity] + (size_t)a]) + dthrust.v[a];
    change.f.v[a] += c->dt * (d->heft.mass * (c->gravity[a] + b->thrust.v[a]) + b->heft.mass * dg);
  }
  const wrench pushed = wrench_axpy(b->push, K(-1), V(cq_fluid_pin_wrench)(c, body));
  const twist kick = heft_kick_tangent(&b->heft, &d->heft, R, dR, pushed, change);
  d->now.t.v = vec_add(d->now.t.v, kick.v);
  d->now.t.w = spin_add(d->now.t.w, kick.w);
}

static void hold(scalar hand, fluid_direction *d) {
  if (hand >= K(0)) {
    d->now.t.v = vec_scale(hand, d->goal.v);
    d->now.t.w = spin_scale(hand, d->goal.w);
  }
}

/* From the twist of the step's end; b->now is what it starts from. */
static void drift(const fluid *c, const fluid_body *b, fluid_direction *d) {
  if (b->free) {
    d->now = free_drift_tangent(&b->heft.I, &d->heft.I, b->now, d->now, c->dt);
    return;
  }
  const mat R = turn_matrix(b->now.p.q), dR = turn_matrix_tangent(b->now.p.q, d->now.p.q);
  const spin w = spin_to_body(R, b->now.t.w),
             dw = spin_turned_tangent(R, dR, b->now.t.w, d->now.t.w, 0);
  d->now.p.x = vec_axpy(d->now.p.x, c->dt, d->now.t.v);
  d->now.p.q = turn_step_tangent(b->now.p.q, d->now.p.q, w, dw, c->dt);
}

/* Called late in a step, for damping needs the pressures that it has found. */
void V(cq_fluid_move_tangents)(fluid *c, double t) {
  fluid_tangents *tangents = c->tangents;
  const int n_bodies = c->own->n_bodies;
  if (tangents == NULL || !tangents->due) {
    return;
  }
  tangents->due = false;
  find_damping(c);
  for (int k = 0; k < tangents->n; k++) {
    fluid_direction *d = &tangents->of[k * n_bodies];
    for (int b = 0; b < n_bodies; b++) {
      hold(fluid_hand(c, &c->own->bodies[b], t), &d[b]);
    }
    V(cq_fluid_place_pin_tangents)(c, k);
    if (tangents->complete) {
      V(cq_fluid_change_places)(c, k, tangents->placed);
    }
    for (int b = 0; b < n_bodies; b++) {
      if (c->bodies->body[b].free) {
        kick_free(c, b, k, &d[b]);
      }
    }
    V(cq_fluid_pull_pin_tangents)(c, k, NULL);
    for (int b = 0; b < n_bodies; b++) {
      drift(c, &c->bodies->body[b], &d[b]);
    }
  }
}

static fluid_carried carry(const fluid *c, const void *state, int direction, int body) {
  const fluid_state s = V(cq_fluid_view)(c, state);
  fluid_carried r = {.d = &c->tangents->of[direction * c->own->n_bodies + body]};
  r.now = fluid_motion(&s, body);
  r.R = turn_matrix(r.now.p.q);
  r.dR = turn_matrix_tangent(r.now.p.q, r.d->now.p.q);
  return r;
}

/* What changes of place and velocity of particle p: nothing where it is fluid, in heuristics. */
static void change_point(const fluid *c, int k, int p, vec *dx, vec *dv) {
  const double *direction = c->tangents->directions + (size_t)k * c->layout->total;
  *dx = *dv = vec_zero();
  if (c->own->body == NULL || c->own->body[p] < 0) {
    if (c->tangents->exact) {
      V(cq_fluid_forward_point)(c, k, c->tangents->number[p], dx, dv);
    }
    return;
  }
  const fluid_carried *m = &c->tangents->carried[c->own->body[p]];
  vec arm0;
  FOR_AXES(a) {
    arm0.v[a] = c->bodies->arm0[(size_t)p * CQ_DIM + (size_t)a];
  }
  const vec darm0 = vec_sub(vector_of(c, direction, CQ_FLUID_x, p), m->d->center);
  const vec arm = mat_vec(m->R, arm0), darm = vec_add(mat_vec(m->dR, arm0), mat_vec(m->R, darm0));
  *dx = vec_add(m->d->now.p.x, darm);
  *dv = vec_add(m->d->now.t.v, vec_add(spin_turn(m->d->now.t.w, arm), spin_turn(m->now.t.w, darm)));
}

/* What changes of the means of a group. c->seen has the state. */
static fluid_means change_of(const fluid *c, const cq_group *g, const fluid_means *means, int k) {
  const double *direction = c->tangents->directions + (size_t)k * c->layout->total;
  const double *x = c->seen + c->layout->offset[CQ_FLUID_x];
  const double *v = c->seen + c->layout->offset[CQ_FLUID_v];
  fluid_means of = {.mass = 0.0};
  for (int i = 0; i < g->count; i++) {
    const int p = g->particles[i];
    const double m = c->mass[p], dm = (double)lump_of(c, direction, p).dm;
    vec dx, dv;
    double square = -means->square;
    change_point(c, k, p, &dx, &dv);
    of.mass += dm;
    FOR_AXES(a) {
      const double xa = x[(size_t)p * CQ_DIM + (size_t)a], va = v[(size_t)p * CQ_DIM + (size_t)a];
      square += va * va;
      of.x[a] += m * (double)dx.v[a] + dm * (xa - means->x[a]);
      of.v[a] += m * (double)dv.v[a] + dm * (va - means->v[a]);
      of.square += 2.0 * m * va * (double)dv.v[a];
    }
    of.square += dm * square;
  }
  FOR_AXES(a) {
    of.x[a] /= means->mass;
    of.v[a] /= means->mass;
  }
  of.square /= means->mass;
  return of;
}

void V(cq_fluid_observe_tangent)(void *work, int direction, int k, const void *state,
                                 const double *z, double *dz) {
  fluid *c = work;
  fluid_tangents *t = c->tangents;
  int n = 0;
  const cq_view *views = cq_z_views(c->layout->rows, k, &n);
  (void)z;              /* has those means alone that are wanted */
  if (direction == 0) { /* it is the same state for all of them */
    V(cq_fluid_download)(c, state, c->seen);
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    t->carried[b] = carry(c, state, direction, b);
  }
  for (int i = 0; i < n; i++) {
    const cq_group *group = &c->model->groups[views[i].group];
    const fluid_means means = V(cq_fluid_find_means)(c, group);
    const fluid_means change = change_of(c, group, &means, direction);
    V(cq_fluid_add_means)(&views[i], &change, dz);
    const int body = V(cq_fluid_body_of)(c, group);
    if (body >= 0) {
      V(cq_fluid_add_turns_tangent)
      (t->carried[body].now, t->carried[body].d->now, views[i].place, dz);
    }
  }
}
