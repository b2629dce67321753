/* Between inputs, states and what is seen of them. */
#include "fluid_bodies.h"
#include "map.h"
#include "status.h"

#include <math.h>
#include <string.h>

static size_t aligned(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

static size_t body_bytes(const fluid *c) {
  return aligned((size_t)c->own->n_bodies * CQ_BODY_NUMBERS * sizeof(scalar));
}

static size_t vector_bytes(const fluid *c) {
  return aligned((size_t)c->n_all * CQ_DIM * sizeof(scalar));
}

size_t V(cq_fluid_state_bytes)(const void *work) {
  const fluid *c = work;
  return 64 + body_bytes(c) + 2 * vector_bytes(c) + aligned((size_t)c->n_all * sizeof(scalar));
}

fluid_state V(cq_fluid_view)(const fluid *c, const void *state) {
  char *at = (char *)state;
  fluid_state s = {.time = (double *)at, .bodies = (scalar *)(at + 64)};
  s.x = (scalar *)(at + 64 + body_bytes(c));
  s.v = (scalar *)((char *)s.x + vector_bytes(c));
  s.pressure = (scalar *)((char *)s.v + vector_bytes(c));
  return s;
}

/* Obstacles on tracks alone: others are where the model has them. */
void V(cq_fluid_walls)(const void *work, const void *state, double *maps) {
  const fluid *c = work;
  const fluid_state s = V(cq_fluid_view)(c, state);
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    double to[3] = {body->center[0], body->center[1], body->center[2]};
    if (body->count > 0 || body->track == NULL) {
      continue;
    }
    double *const map = maps + (size_t)body->wall * CQ_MAP;
    const motion now = fluid_motion(&s, b);
    const mat R = turn_matrix(now.p.q);
    FOR_AXES(i) {
      to[i] = (double)now.p.x.v[i];
      FOR_AXES(j) {
        map[4 * i + j] = (double)R.m[i][j];
      }
    }
    cq_map_bring(map, body->center, to);
  }
}

/* The first number that is not finite ends a run before it begins. */
static cq_status check_inputs(fluid *c, const double *inputs) {
  const cq_layout *layout = c->layout;
  for (int k = 0; k < layout->n; k++) {
    for (size_t i = 0; i < layout->count[k]; i++) {
      const double value = inputs[layout->offset[k] + i];
      if (value - value != 0.0) {
        const cq_input *input = &layout->inputs[k];
        const bool of_particle = input->of == CQ_OF_PARTICLE;
        const int particle = of_particle ? (int)i / input->numbers[CQ_DIM - 2] : -1;
        c->failure = (cq_failure){.status = CQ_NONFINITE, .particle = particle, .value = value};
        return of_particle ? CQ_FAIL(c->ctx, CQ_NONFINITE,
                                     "input %s[%zu] of particle %d is not finite (%g)", input->name,
                                     i, particle, value)
                           : CQ_FAIL(c->ctx, CQ_NONFINITE, "input %s[%zu] is not finite (%g)",
                                     input->name, i, value);
      }
    }
  }
  return CQ_OK;
}

/* What does not change in a run. */
static void take_parameters(fluid *c, const double *inputs) {
  const cq_layout *l = c->layout;
  c->viscous = false;
  for (int i = 0; i < c->n_all; i++) {
    const size_t p = (size_t)c->particle[i];
    c->volume0[i] = K(inputs[l->offset[CQ_FLUID_volume] + p]);
    c->density0[i] = K(inputs[l->offset[CQ_FLUID_density] + p]);
    c->viscosity0[i] = K(inputs[l->offset[CQ_FLUID_viscosity] + p]);
    c->viscous = c->viscous || c->viscosity0[i] > K(0);
  }
  FOR_AXES(a) {
    c->gravity[a] = K(inputs[l->offset[CQ_FLUID_gravity] + (size_t)a]);
  }
  for (int p = 0; p < c->model->n_particles; p++) {
    c->mass[p] = inputs[l->offset[CQ_FLUID_density] + (size_t)p] *
                 inputs[l->offset[CQ_FLUID_volume] + (size_t)p];
  }
  for (int i = 0; i < c->model->n_boundaries; i++) {
    c->friction[i] = K(inputs[l->offset[CQ_FLUID_friction] + (size_t)i]);
  }
}

/* When the particles of an emitter wake and when they are let go follows from how they start. */
static void take_emitter(fluid *c, const cq_fluid_emitter *e, const double *inputs) {
  const double *x = inputs + c->layout->offset[CQ_FLUID_x] + (size_t)e->first * CQ_DIM;
  const double *v = inputs + c->layout->offset[CQ_FLUID_v] + (size_t)e->first * CQ_DIM;
  const double seen = 4.5 * c->own->radius; /* of the fluid in front of the mouth, and a bit more */
  double ahead[CQ_DIM] = {0}, square = 0.0, front = -INFINITY;
  for (int p = 0; p < e->count * CQ_DIM; p++) {
    ahead[p % CQ_DIM] += v[p] / e->count;
  }
  FOR_AXES(a) {
    square += ahead[a] * ahead[a];
  }
  const double speed = sqrt(square);
  for (int pass = 0; pass < 2; pass++) { /* first the mouth, then the way to it */
    for (int i = 0; i < c->n_all; i++) {
      const int p = c->particle[i] - e->first;
      double at = 0.0;
      if (p < 0 || p >= e->count) {
        continue;
      }
      FOR_AXES(a) {
        at += x[p * CQ_DIM + a] * ahead[a] / speed;
      }
      if (pass == 0) {
        front = fmax(front, at + c->own->radius);
      } else {
        c->freed[i] = speed > 0.0 ? (front - at) / speed : INFINITY;
        c->wakes[i] = speed > 0.0 ? (front - at - seen) / speed : INFINITY;
      }
    }
  }
}

/* State 0: fluid and bodies where the inputs have them, at time 0. */
cq_status V(cq_fluid_upload)(void *work, const double *inputs, void *state) {
  fluid *c = work;
  const cq_layout *l = c->layout;
  c->failure = (cq_failure){.status = CQ_OK};
  CQ_TRY(check_inputs(c, inputs));
  take_parameters(c, inputs);
  c->inputs = inputs;
  memset(state, 0, V(cq_fluid_state_bytes)(c));
  const fluid_state s = V(cq_fluid_view)(c, state);
  for (int i = 0; i < c->n_all; i++) {
    const size_t p = (size_t)c->particle[i];
    FOR_AXES(a) {
      const size_t at = p * CQ_DIM + (size_t)a;
      s.x[i * CQ_DIM + a] = K(inputs[l->offset[CQ_FLUID_x] + at]);
      s.v[i * CQ_DIM + a] = K(inputs[l->offset[CQ_FLUID_v] + at]);
    }
    s.pressure[i] = K(inputs[l->offset[CQ_FLUID_pressure] + p]);
  }
  for (int e = 0; e < c->own->n_emitters; e++) {
    take_emitter(c, &c->own->emitters[e], inputs);
  }
  CQ_TRY(V(cq_fluid_take_bodies)(c, inputs));
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->bodies->body[b].push = wrench_zero();
  }
  V(cq_fluid_store_bodies)(c, &s);
  return CQ_OK;
}

typedef struct point_motion {
  double x[CQ_DIM], v[CQ_DIM];
} point_motion;

/* The bodies of a state; n_bodies of them. */
static motion body_at(const fluid_state *s, int b) {
  motion m;
  memcpy(&m, s->bodies + (size_t)b * CQ_BODY_NUMBERS, sizeof m);
  return m;
}

/* particle p of body b, whose matrix is R */
static point_motion rigid_point(const fluid *c, const motion *m, mat R, int p) {
  point_motion r;
  vec arm;
  FOR_AXES(a) {
    arm.v[a] = c->bodies->arm0[(size_t)p * CQ_DIM + (size_t)a];
  }
  arm = mat_vec(R, arm);
  const vec x = vec_add(m->p.x, arm), v = vec_add(m->t.v, spin_turn(m->t.w, arm));
  FOR_AXES(a) {
    r.x[a] = (double)x.v[a];
    r.v[a] = (double)v.v[a];
  }
  return r;
}

/* Particles of bodies are where their poses put them. */
void V(cq_fluid_download)(const void *work, const void *state, double *out) {
  const fluid *c = work;
  const cq_layout *l = c->layout;
  const fluid_state s = V(cq_fluid_view)(c, state);
  memset(out, 0, l->state_total * sizeof *out);
  double *x = out + l->offset[CQ_FLUID_x], *v = out + l->offset[CQ_FLUID_v];
  double *pressure = out + l->offset[CQ_FLUID_pressure];
  for (int i = 0; i < c->n_all; i++) {
    const size_t p = (size_t)c->particle[i];
    FOR_AXES(a) {
      x[p * CQ_DIM + (size_t)a] = (double)s.x[i * CQ_DIM + a];
      v[p * CQ_DIM + (size_t)a] = (double)s.v[i * CQ_DIM + a];
    }
    pressure[p] = (double)s.pressure[i];
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    const motion m = body_at(&s, b);
    const mat R = turn_matrix(m.p.q);
    for (int p = body->first; p < body->first + body->count; p++) {
      const point_motion at = rigid_point(c, &m, R, p);
      memcpy(x + (size_t)p * CQ_DIM, at.x, sizeof at.x);
      memcpy(v + (size_t)p * CQ_DIM, at.v, sizeof at.v);
    }
  }
}

/* Over the particles of a group, weighted by mass. */
fluid_means V(cq_fluid_find_means)(const fluid *c, const cq_group *g) {
  const double *x = c->seen + c->layout->offset[CQ_FLUID_x];
  const double *v = c->seen + c->layout->offset[CQ_FLUID_v];
  fluid_means of = {.mass = 0.0};
  for (int i = 0; i < g->count; i++) {
    const size_t p = (size_t)g->particles[i];
    of.mass += c->mass[p];
    FOR_AXES(a) {
      const double va = v[p * CQ_DIM + (size_t)a];
      of.x[a] += c->mass[p] * x[p * CQ_DIM + (size_t)a];
      of.v[a] += c->mass[p] * va;
      of.square += c->mass[p] * va * va;
    }
  }
  FOR_AXES(a) {
    of.x[a] /= of.mass;
    of.v[a] /= of.mass;
  }
  of.square /= of.mass;
  return of;
}

/* Places below 0 are means that nobody asked for; changes of means are added the same way. */
void V(cq_fluid_add_means)(const cq_view *view, const fluid_means *means, double *z) {
  const int *place = view->place;
  FOR_AXES(a) {
    if (place[CQ_Q_POSITION] >= 0) {
      z[place[CQ_Q_POSITION] + a] += means->x[a];
    }
    if (place[CQ_Q_VELOCITY] >= 0) {
      z[place[CQ_Q_VELOCITY] + a] += means->v[a];
    }
  }
  if (place[CQ_Q_SQUARE] >= 0) {
    z[place[CQ_Q_SQUARE]] += means->square;
  }
  if (place[CQ_Q_MASS] >= 0) {
    z[place[CQ_Q_MASS]] += means->mass;
  }
}

/* The wrench of the step before on a body, without its weight: six numbers, added where they are
 * wanted. */
static void add_wrench_of(const fluid *c, const fluid_state *s, int body, const int *place,
                          double *z) {
  if (!(*s->time > 0.0)) {
    return;
  }
  const scalar *w = s->bodies + (size_t)body * CQ_BODY_NUMBERS + CQ_POSE + CQ_TWIST;
  const double mass = (double)c->bodies->body[body].heft.mass;
  FOR_AXES(a) {
    if (place[CQ_FLUID_FORCE + a] >= 0) {
      z[place[CQ_FLUID_FORCE + a]] += (double)w[a] - mass * (double)c->gravity[a];
    }
  }
  FOR_SPINS(i) {
    const int at = CQ_FLUID_TORQUE + (CQ_DIM == 2 ? 2 : i);
    if (place[at] >= 0) {
      z[place[at]] += (double)w[CQ_DIM + i];
    }
  }
}

/* the obstacle that is a wall; -1: none is */
static int obstacle_of(const fluid *c, int wall) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    if (c->own->bodies[b].count == 0 && c->own->bodies[b].wall == wall) {
      return b;
    }
  }
  return -1;
}

int V(cq_fluid_body_of)(const fluid *c, const cq_group *group) {
  if (group->count == 0) {
    return obstacle_of(c, (int)group->parameter - 1);
  }
  return c->own->body != NULL ? c->own->body[group->particles[0]] : -1;
}

/* The means that are wanted of each group at state k. */
void V(cq_fluid_observe)(void *work, int k, const void *state, double *z) {
  fluid *c = work;
  const cq_z_rows *rows = c->layout->rows;
  int n = 0;
  const cq_view *views = cq_z_views(rows, k, &n);
  memset(z, 0, (rows->begin[k + 1] - rows->begin[k]) * sizeof *z);
  V(cq_fluid_download)(c, state, c->seen);
  const fluid_state s = V(cq_fluid_view)(c, state);
  for (int i = 0; i < n; i++) {
    const fluid_means means = V(cq_fluid_find_means)(c, &c->model->groups[views[i].group]);
    V(cq_fluid_add_means)(&views[i], &means, z);
    const int body = V(cq_fluid_body_of)(c, &c->model->groups[views[i].group]);
    if (body >= 0) {
      add_wrench_of(c, &s, body, views[i].place + CQ_N_SHARED_QUANTITIES, z);
      V(cq_fluid_add_turns)(fluid_motion(&s, body), views[i].place, z);
    }
  }
}
