/* The adjoint at its ends: what is seen of states, and the inputs that a run starts from. */
#include "fluid_backward.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* --- room */

/* What all seeds use in turn. */
static cq_status allocate_work(fluid *c, fluid_backward *b) {
  linear_back *w = &c->linear->back;
  const size_t n = (size_t)c->n_all + CQ_PAD, bodies = (size_t)c->own->n_bodies;
  scalar **const wide_ones[] = {&w->v, &w->x, &w->u, &w->pull, &w->all, &w->wall};
  scalar **const one[] = {&w->error,  &w->change, &w->pressure, &w->gain,     &w->excess,
                          &w->spread, &w->volume, &w->light,    &w->viscosity};
  for (size_t i = 0; i < sizeof wide_ones / sizeof *wide_ones; i++) {
    CQ_TRY(CQ_ALLOC(c->ctx, *wide_ones[i], n * CQ_AXES));
  }
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    CQ_TRY(CQ_ALLOC(c->ctx, *one[i], n));
  }
  CQ_TRY(CQ_ALLOC(c->ctx, w->flow, n * (size_t)c->linear->step.n_sweeps * CQ_AXES));
  CQ_TRY(CQ_ALLOC(c->ctx, b->sample_x, (size_t)c->n_samples * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, b->impulse, bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, b->touching, bodies));
  return CQ_ALLOC(c->ctx, b->mark, c->model->n_particles);
}

/* The adjoints that a seed takes from step to step. */
static cq_status allocate_seed(fluid *c, back_seed *s) {
  const size_t n = (size_t)c->n_all, particles = (size_t)c->model->n_particles;
  const size_t samples = (size_t)c->n_samples;
  CQ_TRY(CQ_ALLOC(c->ctx, s->x, n * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, s->v, n * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, s->pressure, n));
  CQ_TRY(CQ_ALLOC(c->ctx, s->volume, n));
  CQ_TRY(CQ_ALLOC(c->ctx, s->density, n));
  CQ_TRY(CQ_ALLOC(c->ctx, s->viscosity, n));
  CQ_TRY(CQ_ALLOC(c->ctx, s->friction, c->model->n_boundaries));
  CQ_TRY(CQ_ALLOC(c->ctx, s->body, c->own->n_bodies));
  CQ_TRY(CQ_ALLOC(c->ctx, s->pin, c->own->n_pins));
  CQ_TRY(CQ_ALLOC(c->ctx, s->arm0, particles * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, s->sample_x0, samples * CQ_DIM));
  CQ_TRY(CQ_ALLOC(c->ctx, s->sample_volume, samples));
  return CQ_ALLOC(c->ctx, s->mass, particles);
}

/* --- what is seen */

static vec input_vec(const fluid *c, cq_fluid_input input, int p) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = K(c->inputs[c->layout->offset[input] + (size_t)(p * CQ_DIM + a)]);
  }
  return r;
}

/* dL by place and velocity of particle p of a body whose motion is m */
static void back_point(const fluid *c, back_seed *s, const motion *m, int p, vec dx, vec dv) {
  back_body *to = &s->body[c->own->body[p]];
  const mat R = turn_matrix(m->p.q);
  vec arm0;
  FOR_AXES(a) {
    arm0.v[a] = c->bodies->arm0[(size_t)p * CQ_DIM + (size_t)a];
  }
  const vec arm = mat_vec(R, arm0), darm = vec_sub(dx, spin_turn(m->t.w, dv));
  const vec darm0 = mat_t_vec(R, darm);
  to->now.p.x = vec_add(to->now.p.x, dx);
  to->now.t.v = vec_add(to->now.t.v, dv);
  to->now.t.w = spin_add(to->now.t.w, spin_arm(arm, dv));
  to->now.p.q = turn_add(to->now.p.q, turn_matrix_adjoint(m->p.q, vec_outer(darm, arm0)));
  FOR_AXES(a) {
    s->arm0[(size_t)p * CQ_DIM + (size_t)a] += darm0.v[a];
  }
}

static void back_particle(const fluid *c, back_seed *s, const void *state, int p, vec dx, vec dv) {
  if (c->own->body != NULL && c->own->body[p] >= 0) {
    const fluid_state in = V(cq_fluid_view)(c, state);
    const motion m = fluid_motion(&in, c->own->body[p]);
    back_point(c, s, &m, p, dx, dv);
    return;
  }
  const int i = c->linear->backward->mark[p];
  FOR_AXES(a) {
    s->x[i * CQ_DIM + a] += dx.v[a];
    s->v[i * CQ_DIM + a] += dv.v[a];
  }
}

/* what stands in a row of z at a place, or 0 where nobody asked */
static double asked(const double *dz, int place, int axis) {
  return place >= 0 ? dz[place + axis] : 0.0;
}

/* A share of each mean goes to each particle, and to its mass what it is off the mean. */
static void back_means(fluid *c, back_seed *s, const void *state, const cq_group *g,
                       const int *place, const double *dz) {
  const fluid_means means = V(cq_fluid_find_means)(c, g);
  const double *x = c->seen + c->layout->offset[CQ_FLUID_x];
  const double *v = c->seen + c->layout->offset[CQ_FLUID_v];
  const double dsquare = asked(dz, place[CQ_Q_SQUARE], 0);
  for (int i = 0; i < g->count; i++) {
    const int p = g->particles[i];
    const double share = c->mass[p] / means.mass;
    double square = 0.0, slope = 0.0;
    vec dx, dv;
    FOR_AXES(a) {
      const double xa = x[p * CQ_DIM + a], va = v[p * CQ_DIM + a];
      const double da = asked(dz, place[CQ_Q_POSITION], a), db = asked(dz, place[CQ_Q_VELOCITY], a);
      dx.v[a] = K(share * da);
      dv.v[a] = K(share * (db + 2.0 * va * dsquare));
      slope += (xa - means.x[a]) * da + (va - means.v[a]) * db;
      square += va * va;
    }
    slope += (square - means.square) * dsquare;
    s->mass[p] += slope / means.mass + asked(dz, place[CQ_Q_MASS], 0);
    back_particle(c, s, state, p, dx, dv);
  }
}

/* Means of groups, and where a group is a rigid body how it is turned and spins. */
void V(cq_fluid_observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                                 const double *dz) {
  fluid *c = work;
  int n = 0;
  const cq_view *views = cq_z_views(c->layout->rows, k, &n);
  (void)z; /* has those means alone that are wanted */
  V(cq_fluid_download)(c, state, c->seen);
  back_seed *s = &c->linear->backward->seed[seed];
  const fluid_state in = V(cq_fluid_view)(c, state);
  for (int i = 0; i < n; i++) {
    const cq_group *group = &c->model->groups[views[i].group];
    const int body = V(cq_fluid_body_of)(c, group);
    back_means(c, s, state, group, views[i].place, dz);
    if (body >= 0) {
      V(cq_fluid_add_turns_adjoint)
      (fluid_motion(&in, body), views[i].place, dz, &s->body[body].now);
    }
  }
}

/* dL by all particles of the last state */
static void back_terminal(fluid *c, back_seed *s, const void *last, const double *terminal) {
  const double *x = terminal + c->layout->offset[CQ_FLUID_x];
  const double *v = terminal + c->layout->offset[CQ_FLUID_v];
  for (int p = 0; p < c->model->n_particles; p++) {
    vec dx, dv;
    FOR_AXES(a) {
      dx.v[a] = K(x[p * CQ_DIM + a]);
      dv.v[a] = K(v[p * CQ_DIM + a]);
    }
    back_particle(c, s, last, p, dx, dv);
  }
  for (int i = 0; i < c->n_all; i++) {
    s->pressure[i] = K(terminal[c->layout->offset[CQ_FLUID_pressure] + (size_t)c->particle[i]]);
  }
}

static void clear_body(back_body *b) {
  b->now = (motion){.p = {.x = vec_zero(), .q = turn_zero()}, .t = twist_zero()};
  b->heft = heft_zero();
  b->goal = twist_zero();
  b->R = mat_zero();
}

/* Rooms, and what the seeds say of the last state itself. */
cq_status V(cq_fluid_adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds,
                                    const void *last) {
  fluid *c = work;
  CQ_TRY(V(cq_fluid_open_linear)(c));
  V(cq_fluid_backward_free)(c);
  CQ_TRY(CQ_ALLOC(c->ctx, c->linear->backward, 1));
  fluid_backward *b = c->linear->backward;
  CQ_TRY(allocate_work(c, b));
  CQ_TRY(CQ_ALLOC(c->ctx, b->seed, n_seeds));
  b->n_seeds = n_seeds;
  for (int i = 0; i < c->n_all; i++) {
    b->mark[c->particle[i]] = i;
  }
  for (int k = 0; k < n_seeds; k++) {
    CQ_TRY(allocate_seed(c, &b->seed[k]));
    for (int i = 0; i < c->own->n_bodies; i++) {
      clear_body(&b->seed[k].body[i]);
    }
    if (seeds[k].terminal != NULL) {
      back_terminal(c, &b->seed[k], last, seeds[k].terminal);
    }
  }
  return CQ_OK;
}

static double norm_of(const scalar *a, size_t n) {
  double square = 0.0;
  for (size_t i = 0; i < n; i++) {
    square += (double)a[i] * (double)a[i];
  }
  return square;
}

/* A body counts by its centre. */
void V(cq_fluid_adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms) {
  const fluid *c = work;
  const back_seed *s = &c->linear->backward->seed[seed];
  double x = norm_of(s->x, (size_t)c->n_all * CQ_DIM), v = norm_of(s->v, (size_t)c->n_all * CQ_DIM);
  for (int b = 0; b < c->own->n_bodies; b++) {
    x += norm_of(s->body[b].now.p.x.v, CQ_DIM);
    v += norm_of(s->body[b].now.t.v.v, CQ_DIM);
  }
  norms->of[CQ_FLUID_x] = sqrt(x);
  norms->of[CQ_FLUID_v] = sqrt(v);
  norms->of[CQ_FLUID_pressure] = sqrt(norm_of(s->pressure, (size_t)c->n_all));
}

/* Particles at walls and bodies, pressed on where the last sweep leaves a pressure. */
cq_status V(cq_fluid_contacts)(const void *work, cq_contacts *contacts) {
  const fluid *c = work;
  const linear_step *r = &c->linear->step;
  int *mark = c->linear->backward->mark; /* here: where a particle of a state is in the list */
  for (int i = 0; i < c->n; i++) {
    mark[c->order[i]] = i;
  }
  cq_status status = CQ_OK;
  for (int k = 0; k < c->n_all && status == CQ_OK; k++) {
    const int i = mark[k];
    const size_t at = ((size_t)i + 1) * (size_t)r->n_sweeps - 1;
    if (c->n_touches[i] > 0) {
      status = cq_contacts_add(contacts, (size_t)k, r->open[at]);
    }
  }
  for (int i = 0; i < c->n_all; i++) {
    mark[c->particle[i]] = i;
  }
  return status;
}

/* --- inputs */

typedef struct moved_sample {
  const fluid *c;
  back_seed *s;
} moved_sample;

static void back_volume(void *user, int a, int b, vec g) {
  const moved_sample *w = user;
  const fluid *c = w->c;
  const scalar va = c->sample_volume0[a], vb = c->sample_volume0[b];
  const scalar d = va * va * w->s->sample_volume[a] + vb * vb * w->s->sample_volume[b];
  FOR_AXES(k) {
    w->s->sample_x0[a * CQ_DIM + k] -= d * g.v[k];
    w->s->sample_x0[b * CQ_DIM + k] += d * g.v[k];
  }
}

/* From samples and pins to the fit of their body b and so to its particles; returns dL by the
 * centre. */
static vec back_fit(const fluid *c, back_seed *s, int b, double *dx) {
  const cq_fluid_body *body = &c->own->bodies[b];
  const linear_fit fit = V(cq_fluid_linear_fit)(c, body);
  moved_sample w = {c, s};
  vec all = vec_zero();
  mat A = mat_zero();
  V(cq_fluid_linear_samples)(c, body, back_volume, &w);
  for (int k = body->first_sample; k < body->first_sample + body->n_samples; k++) {
    vec d;
    FOR_AXES(a) {
      d.v[a] = s->sample_x0[k * CQ_DIM + a];
    }
    all = vec_add(all, d);
    const vec arm = V(cq_fluid_linear_arm)(&fit, c->own->samples + (size_t)k * CQ_DIM);
    A = mat_add(A, vec_outer(d, arm));
  }
  for (int i = 0; i < 2 * c->own->n_pins; i++) {
    const cq_fluid_pin *of = &c->own->pins[i / 2];
    if (of->body[i % 2] == b) {
      const vec d = s->pin[i / 2].side[i % 2].arm;
      all = vec_add(all, d);
      A = mat_add(A, vec_outer(d, V(cq_fluid_linear_arm)(&fit, of->point)));
    }
  }
  const mat M = mat_mul(A, fit.inverse);
  for (int p = body->first; p < body->first + body->count; p++) {
    const vec arm = V(cq_fluid_linear_arm)(&fit, c->own->placed + (size_t)p * CQ_DIM);
    const vec d = vec_axpy(mat_vec(M, arm), K(1) / (scalar)body->count, all);
    FOR_AXES(a) {
      dx[p * CQ_DIM + a] += (double)d.v[a];
    }
  }
  return vec_scale(K(-1), all);
}

/* What a body is made of at the start. */
typedef struct body_start {
  vec center, velocity; /* of its particles at the start */
  moment points;
  twist goal;
  scalar mass;
} body_start;

static body_start start_of(const fluid *c, const cq_fluid_body *body, const fluid_body *b) {
  body_start r = {.center = vec_zero(), .goal = b->goal, .mass = b->heft.mass};
  r.velocity = b->goal.v;
  memset(&r.points, 0, sizeof r.points);
  for (int p = body->first; p < body->first + body->count; p++) {
    r.center = vec_axpy(r.center, K(c->mass[p]) / r.mass, input_vec(c, CQ_FLUID_x, p));
  }
  for (int p = body->first; p < body->first + body->count; p++) {
    const moment I = moment_of_point(vec_sub(input_vec(c, CQ_FLUID_x, p), r.center));
    FOR_SPINS(i) {
      FOR_SPINS(j) {
        r.points.m[i][j] += K(c->mass[p]) * I.m[i][j];
      }
    }
  }
  FOR_SPINS(i) { /* as in weigh_body */
    r.points.m[i][i] += K(16) * CQ_EPSILON * b->heft.I.m[i][i];
  }
  return r;
}

static scalar moment_dot(const moment *a, const moment *b) {
  scalar sum = K(0);
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      sum += a->m[i][j] * b->m[i][j];
    }
  }
  return sum;
}

/* Mass, moment, centre, velocity and spin of a body, from those of its particles. */
static void back_weigh(const fluid *c, back_seed *s, int b, vec dcenter, double *gradient) {
  const cq_fluid_body *body = &c->own->bodies[b];
  const back_body *d = &s->body[b];
  const body_start start = start_of(c, body, &c->bodies->body[b]);
  const spin around = moment_solve_transposed(start.points, d->goal.w);
  double *dx = gradient + c->layout->offset[CQ_FLUID_x];
  double *dv = gradient + c->layout->offset[CQ_FLUID_v];
  double *dvolume = gradient + c->layout->offset[CQ_FLUID_volume];
  moment points = d->heft.I;
  vec dvelocity = d->goal.v;
  scalar cubes = K(0);
  moment_add_outer(&points, K(-1), around, start.goal.w);
  FOR_SPINS(i) {
    cubes += d->heft.I.m[i][i];
  }
  for (int pass = 0; pass < 2; pass++) { /* the centre has all parts before they are shared out */
    for (int p = body->first; p < body->first + body->count; p++) {
      const scalar m = K(c->mass[p]),
                   volume = K(c->inputs[c->layout->offset[CQ_FLUID_volume] + (size_t)p]);
      const vec r = vec_sub(input_vec(c, CQ_FLUID_x, p), start.center);
      const vec u = vec_sub(input_vec(c, CQ_FLUID_v, p), start.velocity);
      const vec dr =
          vec_scale(m, vec_sub(moment_of_point_adjoint(r, &points), spin_turn(around, u)));
      const vec du = vec_scale(m, spin_turn(around, r));
      if (pass == 0) {
        dcenter = vec_sub(dcenter, dr);
        dvelocity = vec_sub(dvelocity, du);
        continue;
      }
      const moment I = moment_of_point(r);
      const scalar cube = cube_moment(volume);
      s->mass[p] += (double)(d->heft.mass + moment_dot(&points, &I) + cubes * cube +
                             spin_dot(around, spin_arm(r, u)) +
                             (vec_dot(dcenter, r) + vec_dot(dvelocity, u)) / start.mass);
      dvolume[p] += (double)(cubes * m * cube * K(2.0 / CQ_DIM) / volume);
      FOR_AXES(a) {
        dx[p * CQ_DIM + a] += (double)(dr.v[a] + m / start.mass * dcenter.v[a]);
        dv[p * CQ_DIM + a] += (double)(du.v[a] + m / start.mass * dvelocity.v[a]);
      }
    }
  }
}

/* From arms, mass and motion of a body to the inputs of its particles. */
static void end_body(const fluid *c, back_seed *s, int b, double *gradient) {
  const cq_fluid_body *body = &c->own->bodies[b];
  back_body *d = &s->body[b];
  double *dx = gradient + c->layout->offset[CQ_FLUID_x];
  if (body->count == 0) {
    return;
  }
  vec center = vec_add(d->now.p.x, back_fit(c, s, b, dx));
  for (int p = body->first; p < body->first + body->count; p++) {
    FOR_AXES(a) {
      const scalar arm = s->arm0[(size_t)p * CQ_DIM + (size_t)a];
      center.v[a] -= arm;
      dx[p * CQ_DIM + a] += (double)arm;
    }
  }
  if (body->driven || body->release <= 0.0) {
    d->goal.v = vec_add(d->goal.v, d->now.t.v);
    d->goal.w = spin_add(d->goal.w, d->now.t.w);
  }
  back_weigh(c, s, b, center, gradient);
}

void V(cq_fluid_adjoint_end)(void *work, int seed, double *gradient) {
  fluid *c = work;
  const cq_layout *l = c->layout;
  back_seed *s = &c->linear->backward->seed[seed];
  double *density = gradient + l->offset[CQ_FLUID_density];
  double *volume = gradient + l->offset[CQ_FLUID_volume];
  memset(gradient, 0, l->total * sizeof *gradient);
  for (int i = 0; i < c->n_all; i++) {
    const size_t p = (size_t)c->particle[i];
    for (size_t a = 0; a < CQ_DIM; a++) {
      gradient[l->offset[CQ_FLUID_x] + p * CQ_DIM + a] = (double)s->x[(size_t)i * CQ_DIM + a];
      gradient[l->offset[CQ_FLUID_v] + p * CQ_DIM + a] = (double)s->v[(size_t)i * CQ_DIM + a];
    }
    volume[p] = (double)s->volume[i];
    density[p] = (double)s->density[i];
    gradient[l->offset[CQ_FLUID_viscosity] + p] = (double)s->viscosity[i];
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    end_body(c, s, b, gradient);
  }
  for (size_t p = 0; p < (size_t)c->model->n_particles; p++) { /* of its volume and density */
    density[p] += s->mass[p] * c->inputs[l->offset[CQ_FLUID_volume] + p];
    volume[p] += s->mass[p] * c->inputs[l->offset[CQ_FLUID_density] + p];
  }
  FOR_AXES(a) {
    gradient[l->offset[CQ_FLUID_gravity] + (size_t)a] = (double)s->gravity[a];
  }
  for (size_t i = 0; i < (size_t)c->model->n_boundaries; i++) {
    gradient[l->offset[CQ_FLUID_friction] + i] = (double)s->friction[i];
  }
}
