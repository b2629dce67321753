/* Steps of which a device makes the particles' part (fluid_device.h). States are the host's: so all
 * that is not a step is as on the CPU. A mark in a state says that the device has it, too. */
#include "fluid_device.h"

#include "alloc.h"
#include "device_pick.h"
#include "fluid_bodies.h"
#include "fluid_kernels.h"
#include "fluid_linear.h"
#include "fluid_parts.h"
#include "fluid_tangent.h"
#include "status.h"

struct fluid_on_device {
  const fluid_device *does;
  void *device;
  unsigned long long states; /* that the device has been given, or has made */
};

/* Beside the time of a state. */
typedef struct mark {
  const void *of; /* a device's; NULL: none */
  unsigned long long state;
} mark;

static mark *mark_of(const fluid_state *s) {
  return (mark *)(void *)(s->time + 1);
}

/* The state that the device has is this one from now on. */
static void put_mark(const fluid *c, const fluid_state *s) {
  *mark_of(s) = (mark){.of = c->there->device, .state = ++c->there->states};
}

static bool has_mark(const fluid *c, const fluid_state *s) {
  const mark *m = mark_of(s);
  return m->of == c->there->device && m->state == c->there->states;
}

static void destroy(void *work) {
  fluid *c = work;
  if (c->there != NULL && c->there->device != NULL) {
    c->there->does->destroy(c->there->device);
  }
  cq_free(c->ctx, c->there);
  V(cq_fluid_destroy)(c);
}

static cq_status create_device(fluid *c) {
  const fluid_sizes sizes = {c->n_all, c->n_samples, c->own->n_wall_samples, c->own->n_bodies};
  CQ_TRY(CQ_ALLOC(c->ctx, c->there, 1));
  c->there->does = cq_fluid_cuda(CQ_DIM, CQ_BITS);
  return c->there->does->create(c->ctx, &sizes, &c->there->device);
}

static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **work) {
  CQ_TRY(V(cq_fluid_create)(ctx, model, layout, work));
  const cq_status status = create_device(*work);
  if (status != CQ_OK) {
    destroy(*work);
    *work = NULL;
  }
  return status;
}

/* State 0 on the host, and on the device what does not change in a run. */
static cq_status upload(void *work, const double *inputs, void *state) {
  fluid *c = work;
  CQ_TRY(V(cq_fluid_upload)(c, inputs, state));
  fluid_run run = {.spline = c->kernel,
                   .xsph = K(c->own->xsph),
                   .surface_tension = K(c->own->surface_tension),
                   .viscous = c->viscous,
                   .sticky = c->sticky,
                   .warm_start = c->own->warm_start,
                   .volume = c->volume0,
                   .density = c->density0,
                   .viscosity = c->viscosity0,
                   .wakes = c->wakes,
                   .freed = c->freed,
                   .sample_x = c->sample_x,
                   .sample_x0 = c->sample_x0,
                   .sample_volume = c->sample_volume0,
                   .sample_body = c->sample_body,
                   .sticky_samples = c->own->sticky};
  FOR_AXES(a) {
    run.gravity[a] = c->gravity[a];
    run.room_low[a] = c->room_low[a];
    run.room_high[a] = c->room_high[a];
  }
  return c->there->does->begin(c->there->device, &run);
}

/* Gravity, the drags that the device has found, contacts. */
static void load_forces(fluid *c) {
  V(cq_fluid_pull_bodies)(c);
  for (int b = 0; b < c->own->n_bodies && c->viscous && c->sticky; b++) {
    fluid_kick(&c->bodies->body[b], c->bodies->body[b].sum);
  }
  if (c->own->contact_stiffness > 0.0) {
    V(cq_fluid_place_samples)(c);
    V(cq_fluid_touch_bodies)(c);
  }
}

/* What a device does of a step. */
static cq_status run_device(fluid *c, const fluid_state *in, const fluid_state *out,
                            fluid_solve *divergence, fluid_solve *density, fluid_end *end) {
  const fluid_device *does = c->there->does;
  void *device = c->there->device;
  fluid_body *bodies = c->bodies->body;
  if (!has_mark(c, in)) {
    CQ_TRY(does->take(device, in->x, in->v, in->pressure));
  }
  put_mark(c, out); /* even if this fails: what the device has is no other state */
  CQ_TRY(does->prepare(device, *in->time, c->part, bodies));
  CQ_TRY(does->solve(device, false, divergence));
  CQ_TRY(does->force(device, bodies));
  load_forces(c);
  CQ_TRY(does->release(device, bodies));
  CQ_TRY(does->solve(device, true, density));
  return does->advance(device, bodies, out->x, out->v, out->pressure, end);
}

/* As on the CPU (fluid_cpu.c). */
static cq_status make_step(void *work, int step, void *from, void *to, const double *w,
                           bool count) {
  fluid *c = work;
  const fluid_state in = V(cq_fluid_view)(c, from), out = V(cq_fluid_view)(c, to);
  const double time = *in.time;
  fluid_solve divergence, density;
  fluid_end end = {0, 0};
  fluid_solvers(c, &divergence, &density);
  V(cq_fluid_load_bodies)(c, &in);
  V(cq_fluid_drive_bodies)(c, time);
  V(cq_fluid_thrust)(c, w);
  CQ_TRY(run_device(c, &in, &out, &divergence, &density, &end));
  V(cq_fluid_move_tangents)(c, time);
  V(cq_fluid_move_bodies)(c);
  V(cq_fluid_store_bodies)(c, &out);
  *out.time = time + c->part;
  return V(cq_fluid_check_step)(c, step, &out, end.first_bad, end.outside, &divergence, &density,
                                count);
}

static cq_status fluid_step(void *work, int step, void *from, void *to, const double *w,
                            bool count) {
  return V(cq_fluid_in_parts)(work, make_step, step, from, to, w, count);
}

const cq_host_steps V(cq_fluid_there) = {
    .create = create,
    .destroy = destroy,
    .upload = upload,
    .step = fluid_step,
    CQ_FLUID_STEPS,
};
