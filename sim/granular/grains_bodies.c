/* Rigid bodies of a workspace: what they are, and their part of a state and of a step. */
#include "grains_bodies.h"

#include "alloc.h"
#include "granular_inputs.h"
#include "status.h"

#include <stdio.h>
#include <string.h>

enum { POSE = CQ_DIM == 2 ? 3 : 7, TWIST = CQ_DIM == 2 ? 3 : 6 };
enum { KNOT = CQ_DIM == 2 ? 3 : 6 }; /* numbers of a knot in the inputs */

/* --- parts of a state ------------------------------------------------------------------------- */

static double *poses_of(const state *s) {
  return s->bodies;
}

static double *twists_of(const bodies *b, const state *s) {
  return s->bodies + (size_t)b->n * POSE;
}

static double *wrenches_of(const bodies *b, const state *s) {
  return twists_of(b, s) + (size_t)b->n * TWIST;
}

static double *memory_of(const bodies *b, const state *s) {
  return wrenches_of(b, s) + (size_t)b->n * TWIST;
}

size_t V(cq_grains_bodies_numbers)(const grains *g) {
  const bodies *b = g->bodies;
  return b == NULL ? 0 : (size_t)b->n * (POSE + 2 * TWIST) + cq_rigids_memory(&b->rigids);
}

/* --- making and freeing ----------------------------------------------------------------------- */

/* What fails halfway is given back by the destructor, which takes NULL for any of these. */
static cq_status allocate(grains *g, bodies *b) {
  cq_ctx *ctx = g->ctx;
  const int n_tools = g->model->n_boundaries;
  CQ_TRY(CQ_ALLOC(ctx, b->first_knot, b->n));
  for (int i = 0; i < b->n; i++) {
    const track *t = g->own->rigids->bodies[i].track;
    b->first_knot[i] = b->n_knots;
    b->n_knots += t != NULL ? t->n_knots : 0;
  }
  CQ_TRY(CQ_ALLOC(ctx, b->body, b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->tracks, b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->knots, b->n_knots * POSE));
  CQ_TRY(CQ_ALLOC(ctx, b->mass, b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->friction, b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->controls, 6 * b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->at, b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->movers, b->n));
  CQ_TRY(CQ_ALLOC(ctx, b->moves, n_tools));
  CQ_TRY(CQ_ALLOC(ctx, b->of_tool, n_tools));
  CQ_TRY(CQ_ALLOC(ctx, b->body_of, b->n_carried));
  CQ_TRY(CQ_ALLOC(ctx, b->arm, 3 * b->n_carried));
  return CQ_ALLOC(ctx, b->grain, b->n_carried);
}

/* Tracks are copied, for their knots come from the inputs; controls stand six a body. */
static void copy_bodies(const grains *g, bodies *b) {
  for (int i = 0; i < b->n; i++) {
    const cq_granular_rigid *own = &g->own->rigid[i];
    b->body[i] = g->own->rigids->bodies[i];
    b->body[i].first_control = 6 * i;
    if (b->body[i].track != NULL) {
      b->tracks[i] = *b->body[i].track;
      b->tracks[i].knots = b->knots + (size_t)b->first_knot[i] * POSE;
      b->body[i].track = &b->tracks[i];
    }
    b->of_tool[own->tool] = i;
    for (int p = own->first - g->n, end = p + own->count; p < end; p++) {
      b->body_of[p] = i;
      FOR_EACH_AXIS(a) {
        b->arm[3 * p + a] = g->own->placed[p * CQ_DIM + a] - b->body[i].inertia.center[a];
      }
    }
  }
  b->rigids = *g->own->rigids;
  b->rigids.bodies = b->body;
}

/* *out is set as soon as there is something to free, so that a failure loses nothing. */
cq_status V(cq_grains_bodies_create)(grains *g, bodies **out) {
  bodies *b = NULL;
  *out = NULL;
  if (g->own->rigids == NULL) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(g->ctx, b, 1));
  *out = b;
  b->n = g->own->rigids->n;
  b->n_carried = g->model->n_particles - g->n;
  CQ_TRY(allocate(g, b));
  copy_bodies(g, b);
  b->step = (cq_rigid_step){.dt = g->model->dt,
                            .mass = b->mass,
                            .friction = b->friction,
                            .gravity = b->gravity,
                            .controls = b->controls};
  return CQ_OK;
}

/* Ends a step that failed, without a next state. */
static void forget_step(const grains *g) {
  bodies *b = g->bodies;
  b->step.next_pose = NULL;
  (void)cq_rigids_end(g->ctx, &b->rigids, &b->step, b->sweeps);
  b->sweeps = NULL;
}

void V(cq_grains_bodies_destroy)(grains *g) {
  bodies *b = g->bodies;
  if (b == NULL) {
    return;
  }
  forget_step(g);
  void *const owned[] = {b->body,     b->tracks,   b->knots, b->first_knot, b->mass,
                         b->friction, b->controls, b->at,    b->movers,     b->moves,
                         b->of_tool,  b->body_of,  b->arm,   b->grain,      b->list};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(g->ctx, owned[i]);
  }
  cq_free(g->ctx, b);
  g->bodies = NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

/* Records what is wrong with body i. */
static cq_status fail(grains *g, int step, int i, const double *x, cq_status status) {
  const cq_rigid *body = &g->bodies->body[i];
  char where[96] = "";
  size_t used = 0;
  g->failure = (cq_failure){.status = status, .step = step, .particle = g->own->rigid[i].first};
  FOR_EACH_AXIS(a) {
    g->failure.position[a] = x[a];
    used += (size_t)snprintf(where + used, sizeof where - used, "%s%.6g", a > 0 ? ", " : "", x[a]);
  }
  return CQ_FAIL(g->ctx, status,
                 "step %d: rigid body \"%s\" at (%s) m left the room; put a wall in its way, or "
                 "enlarge the room%s",
                 step, body->name, where,
                 body->motion == CQ_RIGID_DRIVEN ? ", or drive it elsewhere" : "");
}

/* No part of it is in the room; the ball around its centre is looked at. */
static bool has_left(const grains *g, int i, const double *x) {
  double square = 0.0;
  FOR_EACH_AXIS(a) {
    const double low = (double)g->low[a], high = (double)g->high[a];
    const double d = x[a] < low ? low - x[a] : x[a] > high ? x[a] - high : 0.0;
    square += a == g->cyclic ? 0.0 : d * d;
  }
  return square > g->bodies->body[i].reach * g->bodies->body[i].reach;
}

/* --- where tools are -------------------------------------------------------------------------- */

/* A tool stands where its body does in the state. */
static void place_tools(const grains *g, const state *s) {
  const bodies *b = g->bodies;
  for (int i = 0; i < b->n; i++) {
    cq_tool_set(CQ_DIM, poses_of(s) + (size_t)i * POSE, twists_of(b, s) + (size_t)i * TWIST,
                &s->poses[g->own->rigid[i].tool]);
  }
}

const cq_tool_pose *V(cq_grains_carrier)(const grains *g, const state *s, int p) {
  return &s->poses[g->own->rigid[g->bodies->body_of[p]].tool];
}

void V(cq_grains_carried)(const grains *g, const state *s, int p, double *x, double *v) {
  const cq_tool_pose *pose = V(cq_grains_carrier)(g, s, p);
  cq_tool_point(pose, g->bodies->arm + 3 * (size_t)p, x);
  cq_tool_velocity(pose, CQ_DIM, x, v);
}

/* --- state 0 ---------------------------------------------------------------------------------- */

static cq_rigid_points points_of(const grains *g, const double *inputs, int i) {
  const size_t *at = g->layout->offset, first = (size_t)g->own->rigid[i].first;
  return (cq_rigid_points){.n = g->own->rigid[i].count,
                           .x = inputs + at[CQ_GRAIN_x] + first * CQ_DIM,
                           .v = inputs + at[CQ_GRAIN_v] + first * CQ_DIM,
                           .placed = g->own->placed + (first - (size_t)g->n) * CQ_DIM,
                           .density = inputs + at[CQ_GRAIN_density] + first,
                           .volume = inputs + at[CQ_GRAIN_volume] + first,
                           .center = g->bodies->body[i].inertia.center,
                           .length = g->model->length};
}

/* The mean density of its points, by the volume of its shape. */
static double mass_of(const cq_rigid_points *points, const cq_rigid *body) {
  double mass = 0.0, volume = 0.0;
  for (int p = 0; p < points->n; p++) {
    mass += points->density[p] * points->volume[p];
    volume += points->volume[p];
  }
  return points->n > 0 ? mass / volume * body->inertia.volume : 0.0;
}

/* What a design may change of bodies and of their tracks, taken once a run from the inputs. */
static void take_parameters(const grains *g, const double *inputs) {
  bodies *b = g->bodies;
  const size_t *at = g->layout->offset;
  memcpy(b->gravity, inputs + at[CQ_GRAIN_gravity], CQ_DIM * sizeof *inputs);
  for (int i = 0; i < b->n; i++) {
    const cq_granular_rigid *own = &g->own->rigid[i];
    const cq_rigid_points points = points_of(g, inputs, i);
    b->mass[i] = mass_of(&points, &b->body[i]);
    b->friction[i] = inputs[at[CQ_GRAIN_friction] + (size_t)own->tool];
    if (b->body[i].track != NULL) {
      cq_rigid_knots(CQ_DIM, b->tracks[i].n_knots,
                     inputs + at[CQ_GRAIN_track] + (size_t)own->first_knot * KNOT,
                     b->knots + (size_t)b->first_knot[i] * POSE);
    }
  }
  for (int p = 0; p < b->n_carried; p++) {
    const size_t k = (size_t)(g->n + p);
    b->grain[p] = inputs[at[CQ_GRAIN_density] + k] * inputs[at[CQ_GRAIN_volume] + k];
  }
}

/* Pose and twist of body i: of its track, of its points, or where the model has it. */
static void start(const grains *g, const double *inputs, int i, double *pose, double *twist) {
  const cq_rigid *body = &g->bodies->body[i];
  const cq_rigid_points points = points_of(g, inputs, i);
  memset(pose, 0, POSE * sizeof *pose);
  memset(twist, 0, TWIST * sizeof *twist);
  if (body->motion == CQ_RIGID_DRIVEN && body->track != NULL) {
    cq_rigid_on_track(CQ_DIM, body->track, 0.0, pose, twist);
  } else if (points.n > 0) {
    cq_rigid_fit(CQ_DIM, &points, pose, twist);
  } else {
    memcpy(pose, body->inertia.center, CQ_DIM * sizeof *pose);
    pose[CQ_DIM] = CQ_DIM == 3 ? 1.0 : 0.0;
  }
  if (body->motion == CQ_RIGID_FIXED) {
    memset(twist, 0, TWIST * sizeof *twist);
  }
}

/* A step that an earlier run left open is dropped first. A body may not begin outside the room. */
cq_status V(cq_grains_bodies_upload)(grains *g, const double *inputs, const state *s) {
  bodies *b = g->bodies;
  if (b == NULL) {
    return CQ_OK;
  }
  forget_step(g);
  take_parameters(g, inputs);
  for (int i = 0; i < b->n; i++) {
    double *pose = poses_of(s) + (size_t)i * POSE;
    start(g, inputs, i, pose, twists_of(b, s) + (size_t)i * TWIST);
    if (has_left(g, i, pose)) {
      return fail(g, 0, i, pose, CQ_OUT_OF_ROOM);
    }
  }
  place_tools(g, s);
  return CQ_OK;
}

/* --- a step ----------------------------------------------------------------------------------- */

static void take_controls(const grains *g, const double *w) {
  const bodies *b = g->bodies;
  for (int i = 0; i < b->n; i++) {
    for (int k = 0; k < b->body[i].drive.n_controls; k++) {
      b->controls[6 * i + k] = w[g->own->rigid[i].control[k]];
    }
  }
}

/* What moves and what is driven, as the grains meet them. */
static void show_motion(const grains *g, const state *s) {
  const bodies *b = g->bodies;
  for (int i = 0; i < b->n; i++) {
    const int tool = g->own->rigid[i].tool;
    const cq_rigid_mover *m = &b->movers[i];
    cq_tool_pose *pose = &s->poses[tool];
    b->moves[tool] = m->inverse_mass > 0.0;
    for (int a = 0; a < 3; a++) {
      pose->v[a] = m->v[a] + m->belt[a];
      pose->w[a] = m->w[a];
    }
  }
}

/* Opens the sweeps of contacts between bodies, which go on in between the iterations of grains. */
cq_status V(cq_grains_bodies_begin)(grains *g, int step, const state *s, const double *w) {
  bodies *b = g->bodies;
  if (b == NULL) {
    return CQ_OK;
  }
  forget_step(g);
  take_controls(g, w);
  b->step.time = step * g->model->dt;
  b->step.pose = poses_of(s);
  b->step.twist = twists_of(b, s);
  b->step.memory = memory_of(b, s);
  CQ_TRY(cq_rigids_begin(g->ctx, &b->rigids, &b->step, &b->sweeps));
  cq_rigids_movers(&b->rigids, b->sweeps, b->movers);
  show_motion(g, s);
  return CQ_OK;
}

/* Adds what pushed the bodies beside grains to the wrenches of their tools. */
static void add_wrenches(const grains *g, const state *s) {
  const bodies *b = g->bodies;
  for (int i = 0; i < b->n; i++) {
    const double *from = wrenches_of(b, s) + (size_t)i * TWIST;
    double *to = g->wrench + 6 * (size_t)g->own->rigid[i].tool;
    FOR_EACH_AXIS(a) {
      to[a] += from[a];
    }
    for (int k = 0; k < GRAIN_SPINS; k++) {
      to[(CQ_DIM == 2 ? 5 : 3) + k] += from[CQ_DIM + k];
    }
  }
}

/* Poses of the step are overwritten, tools follow them, and a body that left the room fails. */
cq_status V(cq_grains_bodies_end)(grains *g, int step, const state *s) {
  bodies *b = g->bodies;
  if (b == NULL) {
    return CQ_OK;
  }
  cq_rigid_sweeps *sweeps = b->sweeps;
  b->sweeps = NULL;
  b->step.next_pose = poses_of(s);
  b->step.next_twist = twists_of(b, s);
  b->step.contact = wrenches_of(b, s);
  const cq_status status = cq_rigids_end(g->ctx, &b->rigids, &b->step, sweeps);
  if (status != CQ_OK) {
    g->failure = (cq_failure){.status = status, .step = step, .particle = g->n};
    return status;
  }
  add_wrenches(g, s);
  place_tools(g, s);
  for (int i = 0; i < b->n; i++) {
    const double *x = poses_of(s) + (size_t)i * POSE;
    if (has_left(g, i, x)) {
      return fail(g, step, i, x, CQ_OUT_OF_ROOM);
    }
  }
  return CQ_OK;
}
