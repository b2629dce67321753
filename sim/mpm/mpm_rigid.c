/* A step of the rigid bodies of a model, and its adjoint. One dimension, in double. */
#include "mpm_rigid_bodies.h"

#include "alloc.h"
#include "mpm_inputs.h"
#include "rigid_free.h"
#include "status.h"

#include <stdio.h>
#include <string.h>

/* --- parts of a state ------------------------------------------------------------------------ */

static size_t twists_at(const bodies *b) {
  return (size_t)b->n * CQ_POSE;
}

static size_t wrenches_at(const bodies *b) {
  return twists_at(b) + (size_t)b->n * CQ_TWIST;
}

static size_t memory_at(const bodies *b) {
  return wrenches_at(b) + (size_t)b->n * CQ_TWIST;
}

static size_t memory_of(const bodies *b) {
  return b->rigids.smooth ? 0 : cq_rigids_memory(&b->rigids);
}

static size_t means_at(const bodies *b) {
  return memory_at(b) + memory_of(b);
}

size_t WIDE(cq_bodies_numbers)(const bodies *b) {
  return b == NULL ? 0 : means_at(b) + kept_numbers(&b->met.means);
}

/* --- making and freeing ---------------------------------------------------------------------- */

/* Tracks are copied, for their knots come from the inputs. */
static void copy_bodies(bodies *b) {
  for (int i = 0; i < b->n; i++) {
    b->body[i] = b->own->rigids->bodies[i];
    if (b->body[i].track == NULL) {
      continue;
    }
    b->tracks[i] = *b->body[i].track;
    if (b->own->rigid[i].first_knot >= 0) {
      b->tracks[i].knots = b->knots + (size_t)b->first_knot[i] * CQ_POSE;
    }
    b->body[i].track = &b->tracks[i];
  }
  b->rigids = *b->own->rigids;
  b->rigids.bodies = b->body;
}

/* Arms from the centres of mass, in the frames of the bodies. */
static void take_arms(bodies *b) {
  for (int i = 0; i < b->n; i++) {
    const cq_mpm_rigid *r = &b->own->rigid[i];
    for (int p = r->first - b->own->n_soft, end = p + r->count; p < end; p++) {
      b->body_of[p] = i;
      FOR_AXES(a) {
        b->arm[p * CQ_DIM + a] =
            b->own->placed[p * CQ_DIM + a] - b->own->placed_center[i * CQ_DIM + a];
      }
    }
  }
}

/* Room for the means of nodes that meet bodies with friction: those of a compact body of material
 * are fewer than half of its particles, but for a small one. */
static cq_status create_means(bodies *b) {
  bool any = false;
  b->met.keys = b->own->n_fields > 1 ? b->own->n_fields : 1;
  FOR_AXES(a) {
    b->met.keys *= b->own->grid[a];
  }
  for (int i = 0; i < b->n; i++) {
    any = any || b->own->rigid[i].friction_time > 0.0;
  }
  return any ? kept_create(b->ctx, &b->met.means, b->own->n_soft / 2 + CQ_KEPT_FEW) : CQ_OK;
}

/* Room for what a step and its adjoint work with. */
static cq_status allocate(bodies *b) {
  cq_ctx *ctx = b->ctx;
  const size_t n = (size_t)b->n;
  int n_sways = 0;
  CQ_TRY(CQ_ALLOC(ctx, b->first_knot, n));
  for (size_t i = 0; i < n; i++) {
    const track *t = b->own->rigids->bodies[i].track;
    b->first_knot[i] = b->n_knots;
    b->n_knots += t != NULL ? t->n_knots : 0;
    n_sways = t != NULL && t->n_sways > n_sways ? t->n_sways : n_sways;
  }
  CQ_TRY(CQ_ALLOC(ctx, b->body, n));
  CQ_TRY(CQ_ALLOC(ctx, b->tracks, n));
  CQ_TRY(CQ_ALLOC(ctx, b->knots, b->n_knots * CQ_POSE));
  CQ_TRY(CQ_ALLOC(ctx, b->sways, n_sways));
  CQ_TRY(CQ_ALLOC(ctx, b->body_of, b->n_carried));
  CQ_TRY(CQ_ALLOC(ctx, b->arm, b->n_carried * CQ_DIM));
  CQ_TRY(CQ_ALLOC(ctx, b->mass, n));
  CQ_TRY(CQ_ALLOC(ctx, b->friction, n));
  CQ_TRY(CQ_ALLOC(ctx, b->inputs, b->layout->total));
  CQ_TRY(CQ_ALLOC(ctx, b->at, n));
  CQ_TRY(CQ_ALLOC(ctx, b->seen, n));
  CQ_TRY(CQ_ALLOC(ctx, b->due, n));
  CQ_TRY(cq_mpm_fields_create(ctx, b->model, b->layout, &b->fields));
  return CQ_ALLOC(ctx, b->push, n * CQ_TWIST);
}

/* The bodies of a model, if it has any. */
cq_status WIDE(cq_bodies_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                                 bodies **out) {
  const cq_mpm_model *own = cq_mpm_of(model);
  *out = NULL;
  if (own->rigids == NULL || own->rigids->n == 0) {
    return CQ_OK;
  }
  bodies *b = NULL;
  CQ_TRY(CQ_ALLOC(ctx, b, 1));
  *out = b;
  b->ctx = ctx;
  b->model = model;
  b->own = own;
  b->layout = layout;
  b->n = own->rigids->n;
  b->n_carried = model->n_particles - own->n_soft;
  CQ_TRY(allocate(b));
  copy_bodies(b);
  take_arms(b);
  b->met.rigids = &b->rigids;
  b->met.rigid = own->rigid;
  b->met.cell = own->cell;
  b->met.epsilon = own->contact_epsilon;
  b->met.step = &b->step;
  b->met.at = b->at;
  b->met.fields = own->single != NULL ? &b->fields : NULL;
  b->step = (cq_rigid_step){
      .dt = model->dt, .mass = b->mass, .friction = b->friction, .gravity = b->gravity};
  return create_means(b);
}

static void free_adjoints(bodies *b) {
  for (int s = 0; s < b->n_adjoints; s++) {
    bodies_adjoint *a = &b->adjoints[s];
    void *const owned[] = {a->pose,     a->twist, a->carried, a->substance, a->mass, a->friction,
                           a->controls, a->knots, a->tracks,  a->wrench,    a->full};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
      cq_free(b->ctx, owned[i]);
    }
    kept_adjoint_free(b->ctx, &a->means);
  }
  cq_free(b->ctx, b->adjoints);
  b->adjoints = NULL;
  b->n_adjoints = 0;
}

void WIDE(cq_bodies_destroy)(bodies *b) {
  if (b == NULL) {
    return;
  }
  cq_ctx *ctx = b->ctx;
  free_adjoints(b);
  cq_mpm_meet_free(ctx, &b->met);
  cq_mpm_fields_free(ctx, &b->fields);
  void *const owned[] = {b->first_knot, b->body, b->tracks,   b->knots,  b->sways, b->body_of,
                         b->arm,        b->mass, b->friction, b->inputs, b->at,    b->seen,
                         b->due,        b->push, b->dv,       b->dmass,  b->dslope};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(ctx, owned[i]);
  }
  cq_free(ctx, b);
}

/* --- state 0 --------------------------------------------------------------------------------- */

static double input_of(const bodies *b, int which, int i) {
  return b->inputs[b->layout->offset[which] + (size_t)i];
}

/* mean density of a body's particles, and their volume */
static double mean_density(const bodies *b, int i, double *volume) {
  const cq_mpm_rigid *r = &b->own->rigid[i];
  double mass = 0.0;
  *volume = 0.0;
  for (int p = r->first; p < r->first + r->count; p++) {
    mass += input_of(b, CQ_INPUT_density, p) * input_of(b, CQ_INPUT_volume, p);
    *volume += input_of(b, CQ_INPUT_volume, p);
  }
  return r->count > 0 ? mass / *volume : 0.0;
}

static void take_parameters(bodies *b) {
  FOR_AXES(a) {
    b->gravity[a] = input_of(b, CQ_INPUT_gravity, a);
  }
  for (int i = 0; i < b->n; i++) {
    double volume;
    b->mass[i] = mean_density(b, i, &volume) * b->body[i].inertia.volume;
    b->friction[i] = input_of(b, CQ_INPUT_friction, b->own->rigid[i].wall);
  }
  cq_mpm_fields_take(&b->fields, b->inputs);
  WIDE(cq_bodies_take_knots)(b);
}

static bool is_tracked(const bodies *b, int i) {
  return b->body[i].motion == CQ_RIGID_DRIVEN && b->body[i].track != NULL;
}

/* Records what is wrong with body i, and returns its status. */
static cq_status fail(const bodies *b, int i, int step, const double *x, cq_status status,
                      cq_failure *failure) {
  char where[96] = "";
  size_t used = 0;
  *failure = (cq_failure){.status = status, .step = step, .particle = b->own->rigid[i].first};
  FOR_AXES(a) {
    failure->position[a] = x[a];
    used += (size_t)snprintf(where + used, sizeof where - used, "%s%.6g", a > 0 ? ", " : "", x[a]);
  }
  if (status == CQ_NONFINITE) {
    failure->value = x[0];
    return CQ_FAIL(b->ctx, status,
                   "step %d: the motion of rigid body \"%s\" at (%s) m is not finite", step,
                   b->body[i].name, where);
  }
  return CQ_FAIL(b->ctx, status,
                 "step %d: rigid body \"%s\" at (%s) m left the grid; enlarge simulation.grid, "
                 "move the body, or put a wall in its way%s",
                 step, b->body[i].name, where,
                 b->body[i].motion == CQ_RIGID_DRIVEN ? ", or drive it elsewhere" : "");
}

/* no part of it is in the grid; the ball around its centre is looked at */
static bool has_left(const bodies *b, int i, const double *x) {
  double square = 0.0;
  FOR_AXES(a) {
    const double high = (b->own->grid[a] - 1) * b->own->cell;
    const double d = x[a] < 0.0 ? -x[a] : x[a] > high ? x[a] - high : 0.0;
    square += d * d;
  }
  return square > b->body[i].reach * b->body[i].reach;
}

static bool all_finite(const double *a, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += 0.0 * a[i];
  }
  return sum == 0.0;
}

/* Of the state that the step led to. */
static cq_status check_state(const bodies *b, int step, const double *state, cq_failure *failure) {
  for (int i = 0; i < b->n; i++) {
    const double *x = state + (size_t)i * CQ_POSE;
    const double *t = state + twists_at(b) + (size_t)i * CQ_TWIST;
    if (!all_finite(x, CQ_POSE) || !all_finite(t, CQ_TWIST)) {
      return fail(b, i, step, x, CQ_NONFINITE, failure);
    }
    if (has_left(b, i, x)) {
      return fail(b, i, step, x, CQ_OUT_OF_ROOM, failure);
    }
  }
  return CQ_OK;
}

/* State 0: poses and twists of the particles, or of tracks. */
cq_status WIDE(cq_bodies_upload)(bodies *b, const double *inputs, double *state,
                                 cq_failure *failure) {
  if (b == NULL) {
    return CQ_OK;
  }
  memcpy(b->inputs, inputs, b->layout->total * sizeof *inputs);
  take_parameters(b);
  memset(state, 0, WIDE(cq_bodies_numbers)(b) * sizeof *state);
  for (int i = 0; i < b->n; i++) {
    double *place = state + (size_t)i * CQ_POSE;
    double *moves = state + twists_at(b) + (size_t)i * CQ_TWIST;
    if (is_tracked(b, i)) {
      WIDE(cq_bodies_track)(b, i, place, moves);
    } else {
      WIDE(cq_bodies_fit)(b, i, place, moves);
    }
    if (b->body[i].motion == CQ_RIGID_FIXED) {
      memset(moves, 0, CQ_TWIST * sizeof *moves);
    }
  }
  return check_state(b, 0, state, failure);
}

/* --- a step ---------------------------------------------------------------------------------- */

/* What the step of rigid.h begins with. */
static void load_step(bodies *b, int step, const double *state, const double *w) {
  b->step.time = step * b->model->dt;
  b->step.pose = state;
  b->step.twist = state + twists_at(b);
  b->step.controls = b->own->n_rigid_drives > 0 ? w + b->own->first_rigid_drive : NULL;
}

cq_status WIDE(cq_bodies_begin)(bodies *b, int step, const double *state, const double *w) {
  if (b == NULL) {
    return CQ_OK;
  }
  load_step(b, step, state, w);
  CQ_TRY(cq_rigids_place(b->ctx, &b->rigids, &b->step, b->at));
  kept_begin(&b->met.means, state + means_at(b));
  return cq_mpm_meet_begin(b->ctx, &b->met);
}

/* The nodes of the active box that may meet a body; false: none may. */
bool WIDE(cq_bodies_range)(const bodies *b, const int *low, const int *size, int *first, int *end) {
  double from[CQ_DIM], to[CQ_DIM];
  if (!cq_mpm_meet_box(&b->met, from, to)) {
    return false;
  }
  FOR_AXES(a) {
    const double last = low[a] + size[a];
    const double begin = floor(from[a] / b->own->cell), stop = ceil(to[a] / b->own->cell) + 1.0;
    first[a] = (int)fmin(fmax(begin, low[a]), last);
    end[a] = (int)fmin(fmax(stop, low[a]), last);
    if (first[a] >= end[a]) {
      return false;
    }
  }
  return true;
}

cq_status WIDE(cq_bodies_add_node)(bodies *b, size_t id, int field, const int *index, double mass,
                                   const double *v) {
  cq_mpm_meet_node node = {.id = id, .field = field, .key = field, .mass = mass};
  FOR_AXES(a) {
    node.x[a] = index[a] * b->own->cell;
    node.v[a] = v[a];
    node.key = node.key * b->own->grid[a] + index[a];
  }
  return cq_mpm_meet_add(b->ctx, &b->met, &node);
}

int WIDE(cq_bodies_n_nodes)(const bodies *b) {
  return b->met.n_nodes;
}

size_t WIDE(cq_bodies_node)(const bodies *b, int i, const double **v) {
  *v = b->met.nodes[i].v;
  return b->met.nodes[i].id;
}

double *WIDE(cq_bodies_slope)(bodies *b, int i) {
  return b->met.nodes[i].leans ? b->met.nodes[i].slope : NULL;
}

const double *WIDE(cq_bodies_slope_due)(const bodies *b, int i) {
  return b->met.nodes[i].leans ? b->dslope + (size_t)i * CQ_DIM : NULL;
}

void WIDE(cq_bodies_meet)(bodies *b) {
  cq_mpm_meet_run(&b->met);
  b->step.wrench = b->met.wrench;
}

/* The next state of the bodies, by what nodes pushed and by their own step. */
cq_status WIDE(cq_bodies_end)(bodies *b, int step, const double *state, double *next,
                              cq_failure *failure) {
  if (b == NULL) {
    return CQ_OK;
  }
  const size_t memory = memory_of(b);
  if (next != state) {
    memcpy(next + memory_at(b), state + memory_at(b), memory * sizeof *next);
  }
  b->step.next_pose = next;
  b->step.next_twist = next + twists_at(b);
  b->step.memory = memory > 0 ? next + memory_at(b) : NULL;
  b->step.contact = next + wrenches_at(b);
  const cq_status status = cq_rigids_step(b->ctx, &b->rigids, &b->step);
  if (status != CQ_OK) {
    *failure = (cq_failure){.status = status, .step = step, .particle = b->own->rigid[0].first};
    return status;
  }
  for (int i = 0; i < b->n * CQ_TWIST; i++) {
    b->step.contact[i] += b->met.wrench[i];
  }
  kept_end(&b->met.means, next + means_at(b));
  return check_state(b, step, next, failure);
}

/* --- adjoint --------------------------------------------------------------------------------- */

/* Room for the adjoint of one seed: by the state, by what bodies are, by controls and knots. */
static cq_status open_adjoint(bodies *b, bodies_adjoint *a) {
  cq_ctx *ctx = b->ctx;
  const size_t n = (size_t)b->n;
  CQ_TRY(CQ_ALLOC(ctx, a->pose, n * CQ_POSE));
  CQ_TRY(CQ_ALLOC(ctx, a->twist, n * CQ_TWIST));
  CQ_TRY(CQ_ALLOC(ctx, a->wrench, n * CQ_TWIST));
  CQ_TRY(CQ_ALLOC(ctx, a->carried, b->n_carried * 2 * CQ_DIM));
  CQ_TRY(CQ_ALLOC(ctx, a->substance, b->n_carried * 4));
  CQ_TRY(CQ_ALLOC(ctx, a->mass, n));
  CQ_TRY(CQ_ALLOC(ctx, a->friction, n));
  CQ_TRY(CQ_ALLOC(ctx, a->full, b->fields.n));
  CQ_TRY(CQ_ALLOC(ctx, a->controls, b->own->n_rigid_drives));
  CQ_TRY(CQ_ALLOC(ctx, a->knots, b->n_knots * CQ_POSE));
  CQ_TRY(CQ_ALLOC(ctx, a->tracks, n));
  CQ_TRY(kept_adjoint_create(ctx, &b->met.means, &a->means));
  for (int i = 0; i < b->n; i++) {
    a->tracks[i] =
        (track_gradient){.knots = a->knots + (size_t)b->first_knot[i] * CQ_POSE, .sways = b->sways};
  }
  return CQ_OK;
}

static cq_status reserve_adjoints(bodies *b, int n_seeds) {
  if (n_seeds <= b->n_adjoints) {
    return CQ_OK;
  }
  free_adjoints(b);
  CQ_TRY(CQ_ALLOC(b->ctx, b->adjoints, n_seeds));
  b->n_adjoints = n_seeds;
  for (int s = 0; s < n_seeds; s++) {
    CQ_TRY(open_adjoint(b, &b->adjoints[s]));
  }
  return CQ_OK;
}

static void clear_wrench(const bodies *b, bodies_adjoint *a) {
  memset(a->wrench, 0, (size_t)b->n * CQ_TWIST * sizeof *a->wrench);
  a->pushed = false;
}

static void clear_adjoint(const bodies *b, bodies_adjoint *a) {
  const size_t n = (size_t)b->n, carried = (size_t)b->n_carried, number = sizeof(double);
  memset(a->pose, 0, n * CQ_POSE * number);
  memset(a->twist, 0, n * CQ_TWIST * number);
  memset(a->carried, 0, carried * 2 * CQ_DIM * number);
  memset(a->substance, 0, carried * 4 * number);
  memset(a->mass, 0, n * number);
  memset(a->friction, 0, n * number);
  memset(a->full, 0, (size_t)b->fields.n * number);
  memset(a->gravity, 0, sizeof a->gravity);
  memset(a->knots, 0, (size_t)b->n_knots * CQ_POSE * number);
  clear_wrench(b, a);
  kept_adjoint_clear(&b->met.means, &a->means);
}

/* dL/dx and dL/dv of the last state; F and C of carried particles do not change */
static void take_terminal(const bodies *b, const double *terminal, double *carried) {
  const double *x = terminal + b->layout->offset[CQ_INPUT_x] + b->own->n_soft * CQ_DIM;
  const double *v = terminal + b->layout->offset[CQ_INPUT_v] + b->own->n_soft * CQ_DIM;
  for (int p = 0; p < b->n_carried; p++) {
    memcpy(carried + 2 * p * CQ_DIM, x + p * CQ_DIM, CQ_DIM * sizeof *x);
    memcpy(carried + (2 * p + 1) * CQ_DIM, v + p * CQ_DIM, CQ_DIM * sizeof *v);
  }
}

/* Adjoints of nothing, and what the seeds say of the last state. */
cq_status WIDE(cq_bodies_adjoint_begin)(bodies *b, int n_seeds, const cq_seed *seeds,
                                        const double *last) {
  if (b == NULL) {
    return CQ_OK;
  }
  CQ_TRY(reserve_adjoints(b, n_seeds));
  WIDE(cq_bodies_look)(b, last);
  for (int s = 0; s < n_seeds; s++) {
    clear_adjoint(b, &b->adjoints[s]);
    if (seeds[s].terminal != NULL) {
      take_terminal(b, seeds[s].terminal, b->adjoints[s].carried);
      WIDE(cq_bodies_collect)(b, s);
    }
  }
  return CQ_OK;
}

cq_status WIDE(cq_bodies_reserve)(bodies *b, double **dv, const double **dmass) {
  if (b->met.n_nodes > b->room_nodes || b->dmass == NULL) { /* none is met: there is room, too */
    cq_free(b->ctx, b->dv);
    cq_free(b->ctx, b->dmass);
    cq_free(b->ctx, b->dslope);
    b->dv = b->dmass = b->dslope = NULL;
    b->room_nodes = 0;
    const int room = b->met.n_nodes + b->met.n_nodes / 2;
    CQ_TRY(CQ_ALLOC(b->ctx, b->dv, room * CQ_DIM));
    CQ_TRY(CQ_ALLOC(b->ctx, b->dmass, room));
    CQ_TRY(CQ_ALLOC(b->ctx, b->dslope, room * CQ_DIM));
    b->room_nodes = room;
  }
  *dv = b->dv;
  *dmass = b->dmass;
  return CQ_OK;
}

/* A gradient that is not finite, by the name of the body. */
static cq_status check_adjoint(const bodies *b, const bodies_adjoint *a, int step,
                               cq_failure *failure) {
  for (int i = 0; i < b->n; i++) {
    const double *dpose = a->pose + (size_t)i * CQ_POSE, *dtwist = a->twist + (size_t)i * CQ_TWIST;
    if (!all_finite(dpose, CQ_POSE) || !all_finite(dtwist, CQ_TWIST)) {
      *failure = (cq_failure){.status = CQ_NONFINITE,
                              .backward = true,
                              .step = step,
                              .particle = b->own->rigid[i].first};
      return CQ_FAIL(b->ctx, CQ_NONFINITE,
                     "adjoint of step %d: the gradient of rigid body \"%s\" is not finite", step,
                     b->body[i].name);
    }
  }
  return CQ_OK;
}

/* The bodies' own step, then what nodes and bodies did to each other, then where bodies were. What
 * is due to the wrench of the step's end is due to contacts and to nodes alike: it is their sum. */
cq_status WIDE(cq_bodies_step_adjoint)(bodies *b, int seed, int step, cq_failure *failure) {
  bodies_adjoint *a = &b->adjoints[seed];
  const size_t twists = (size_t)b->n * CQ_TWIST;
  cq_rigid_adjoint d = {.next_pose = a->pose,
                        .next_twist = a->twist,
                        .contact = a->pushed ? a->wrench : NULL,
                        .pose = a->pose,
                        .twist = a->twist,
                        .mass = a->mass,
                        .friction = a->friction,
                        .gravity = a->gravity,
                        .wrench = b->push,
                        .controls = a->controls,
                        .tracks = a->tracks};
  cq_mpm_meet_due due = {.wrench = b->push,
                         .velocity = b->dv,
                         .mass = b->dmass,
                         .slope = b->dslope,
                         .full = a->full,
                         .at = b->due,
                         .body_mass = a->mass,
                         .friction = a->friction,
                         .gravity = a->gravity,
                         .means = &a->means};
  kept_adjoint_begin(&b->met.means, &a->means);
  memcpy(b->push, a->wrench, twists * sizeof *b->push);
  memset(a->controls, 0, (size_t)b->own->n_rigid_drives * sizeof *a->controls);
  memset(b->dmass, 0, (size_t)b->met.n_nodes * sizeof *b->dmass);
  memset(b->dslope, 0, (size_t)b->met.n_nodes * CQ_DIM * sizeof *b->dslope);
  memset(b->due, 0, (size_t)b->n * sizeof *b->due);
  CQ_TRY(cq_rigids_adjoint(b->ctx, &b->rigids, &b->step, &d));
  cq_mpm_meet_adjoint(&b->met, &due);
  CQ_TRY(cq_rigids_place_adjoint(b->ctx, &b->rigids, &b->step, b->due, &d));
  clear_wrench(b, a);
  return check_adjoint(b, a, step, failure);
}

void WIDE(cq_bodies_put_controls)(const bodies *b, int seed, double *dw) {
  for (int i = 0; b != NULL && i < b->own->n_rigid_drives; i++) {
    dw[b->own->first_rigid_drive + i] = b->adjoints[seed].controls[i];
  }
}

static double sum_squares(const double *a, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * a[i];
  }
  return sum;
}

void WIDE(cq_bodies_add_squares)(const bodies *b, int seed, cq_adjoint_norms *squares) {
  for (int i = 0; b != NULL && i < b->n; i++) {
    const cq_inertia *I = &b->body[i].inertia;
    const double *dx = b->adjoints[seed].pose + (size_t)i * CQ_POSE;
    const double *dv = b->adjoints[seed].twist + (size_t)i * CQ_TWIST;
    /* a quaternion changes by half the angle */
    const double quarter = CQ_DIM == 2 ? 1.0 : 0.25,
                 trace = I->moment[0] + I->moment[1] + I->moment[2];
    const double around = trace > 0.0 ? I->volume / trace : 0.0;
    squares->of[CQ_INPUT_x] +=
        sum_squares(dx, CQ_DIM) + quarter * around * sum_squares(dx + CQ_DIM, CQ_TURN);
    squares->of[CQ_INPUT_v] +=
        sum_squares(dv, CQ_DIM) + around * sum_squares(dv + CQ_DIM, CQ_SPINS);
  }
}

/* dL/dmass of a body to what its particles are made of */
static void put_mass(const bodies *b, int i, double dmass, double *gradient) {
  const cq_mpm_rigid *r = &b->own->rigid[i];
  double volume;
  const double density = mean_density(b, i, &volume);
  const double share = dmass * b->body[i].inertia.volume / volume;
  for (int p = r->first; p < r->first + r->count; p++) {
    gradient[b->layout->offset[CQ_INPUT_density] + (size_t)p] +=
        share * input_of(b, CQ_INPUT_volume, p);
    gradient[b->layout->offset[CQ_INPUT_volume] + (size_t)p] +=
        share * (input_of(b, CQ_INPUT_density, p) - density);
  }
}

/* numbers of carried particles in a block with `numbers` each */
static void clear_block(const bodies *b, int which, size_t numbers, double *gradient) {
  memset(gradient + b->layout->offset[which] + (size_t)b->own->n_soft * numbers, 0,
         (size_t)b->n_carried * numbers * sizeof *gradient);
}

static void clear_carried(const bodies *b, double *gradient) {
  clear_block(b, CQ_INPUT_x, CQ_DIM, gradient);
  clear_block(b, CQ_INPUT_v, CQ_DIM, gradient);
  clear_block(b, CQ_INPUT_F, CQ_DIM * CQ_DIM, gradient);
  clear_block(b, CQ_INPUT_C, CQ_DIM * CQ_DIM, gradient);
  for (int k = 0; k < 4; k++) {
    clear_block(b, CQ_INPUT_youngs_modulus + k, 1, gradient);
  }
}

/* The gradient by what the bodies started from. */
void WIDE(cq_bodies_adjoint_end)(bodies *b, int seed, double *gradient) {
  if (b == NULL) {
    return;
  }
  bodies_adjoint *a = &b->adjoints[seed];
  const size_t *at = b->layout->offset;
  clear_carried(b, gradient);
  for (int p = 0; p < b->n_carried; p++) {
    for (int k = 0; k < 4; k++) {
      gradient[at[CQ_INPUT_youngs_modulus + k] + (size_t)(b->own->n_soft + p)] =
          a->substance[4 * p + k];
    }
  }
  for (int i = 0; i < b->n; i++) {
    const double *dpose = a->pose + (size_t)i * CQ_POSE;
    double *dtwist = a->twist + (size_t)i * CQ_TWIST, place[CQ_POSE], moves[CQ_TWIST];
    put_mass(b, i, a->mass[i], gradient);
    gradient[at[CQ_INPUT_friction] + (size_t)b->own->rigid[i].wall] += a->friction[i];
    if (is_tracked(b, i)) {
      WIDE(cq_bodies_track_adjoint)(b, i, dpose, dtwist, a);
      continue;
    }
    if (b->body[i].motion == CQ_RIGID_FIXED) {
      memset(dtwist, 0, CQ_TWIST * sizeof *dtwist);
    }
    WIDE(cq_bodies_fit)(b, i, place, moves);
    WIDE(cq_bodies_fit_adjoint)(b, i, place, dpose, dtwist, gradient);
  }
  FOR_AXES(k) {
    gradient[at[CQ_INPUT_gravity] + (size_t)k] += a->gravity[k];
  }
  if (b->met.fields != NULL) {
    cq_mpm_fields_adjoint(b->met.fields, b->inputs, a->full, gradient);
  }
  WIDE(cq_bodies_put_knots)(b, a, gradient);
}
