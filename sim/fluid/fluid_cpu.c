/* A step of the fluid: sort, neighbours, divergence solver, forces, density solver, motion. */
#include "fluid_cpu.h"

#include "fluid_kernels.h"
#include "fluid_linear.h"
#include "fluid_parts.h"
#include "fluid_tangent.h"
#include "flush_mode.h"
#include "status.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void sum_errors(const fluid *c, fluid_solve *s) {
  double sum = 0.0;
  for (int k = 0; k < c->n_chunks; k++) {
    sum += c->found[k].error;
  }
  s->error = c->n > 0 ? sum / c->n : 0.0;
}

/* Half the pressures of the step before, as if a sweep had found them. */
static void warm_start(fluid *c) {
#pragma omp for schedule(static)
  for (int i = 0; i < c->n; i++) {
    c->change[i] = sweep_warm(c->gain[i], c->before[i]);
    c->pressure[i] = c->change[i];
    for (int a = 0; a < CQ_AXES; a++) {
      c->pull[i * CQ_AXES + a] = c->change[i] * c->place[i * CQ_AXES + a];
    }
  }
#pragma omp single
  V(cq_fluid_push_bodies)(c);
#pragma omp for schedule(dynamic, 1)
  for (int k = 0; k < c->n_chunks; k++) {
    c->hot->push(c, k);
  }
}

/* Sweeps until the error that they began with is small enough, called by all threads together. */
static void run_solver(fluid *c, bool density, fluid_solve *s) {
#pragma omp for schedule(static)
  for (int i = 0; i < c->n; i++) {
    c->pressure[i] = K(0);
    c->steady[density][i] = 0;
  }
  if (density && c->own->warm_start) {
    warm_start(c);
  }
  for (int sweep = 0; sweep < s->sweeps; sweep++) {
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < c->n_chunks; k++) {
      c->hot->measure(c, k, density);
    }
#pragma omp single
    {
      sum_errors(c, s);
      s->done++;
      V(cq_fluid_push_bodies)(c);
    }
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < c->n_chunks; k++) {
      c->hot->push(c, k);
    }
    if (s->tolerance > 0.0 && sweep + 1 >= s->least && s->error <= s->tolerance) {
      break;
    }
  }
}

static void swap_velocities(fluid *c) {
  scalar *v = c->v;
  c->v = c->v_new;
  c->v_new = v;
}

static void find_gains(fluid *c) {
#pragma omp for schedule(static)
  for (int i = 0; i < c->n; i++) {
    c->gain[i] = sweep_gain(&c->kernel, c->dt, c->light[i], c->diagonal[i]);
  }
}

/* the loops after the lists, shared by the threads that call it together */
static void run_loops(fluid *c, fluid_solve *divergence, fluid_solve *density) {
  find_gains(c);
  run_solver(c, false, divergence);
#pragma omp for schedule(dynamic, 1)
  for (int k = 0; k < c->n_chunks; k++) {
    c->hot->forces(c, k);
  }
#pragma omp single
  {
    swap_velocities(c);
    V(cq_fluid_load_forces)(c);
  }
  run_solver(c, true, density);
}

/* Moves a chunk's particles to where they end, in the order of the state. */
static void move_chunk(fluid *c, int chunk, const fluid_state *out) {
  fluid_found *found = &c->found[chunk];
  found->first_bad = INT_MAX;
  found->outside = 0;
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    const int to = c->order[i];
    scalar *x = out->x + (size_t)to * CQ_DIM, *v = out->v + (size_t)to * CQ_DIM;
    bool outside;
    FOR_AXES(a) {
      v[a] = c->v[i * CQ_AXES + a];
      x[a] = c->x[i * CQ_AXES + a] + c->dt * v[a];
    }
    out->pressure[to] = c->pressure[i];
    if (!advance_is_fine(&c->kernel, c->dt, c->room_low, c->room_high, x, v, &outside) &&
        to < found->first_bad) {
      found->first_bad = to;
    }
    found->outside += outside;
  }
}

/* What sleeps goes on as it does. */
static void move_sleepers(const fluid *c, const fluid_state *in, const fluid_state *out) {
  for (int i = 0; i < c->n_all && c->n < c->n_all; i++) {
    if (fluid_sleeps(c, i, *in->time)) {
      FOR_AXES(a) {
        const int at = i * CQ_DIM + a;
        out->v[at] = in->v[at];
        out->x[at] = in->x[at] + c->dt * in->v[at];
      }
      out->pressure[i] = K(0);
    }
  }
}

static void move(fluid *c, const fluid_state *in, const fluid_state *out) {
  move_sleepers(c, in, out);
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
  for (int k = 0; k < c->n_chunks; k++) {
    move_chunk(c, k, out);
  }
}

/* Records and words what is wrong with particle i of the fluid. */
static cq_status fail(fluid *c, int step, int i, const fluid_state *at) {
  cq_failure *f = &c->failure;
  char where[96] = "";
  size_t used = 0;
  scalar speed = K(0), sum = K(0);
  *f = (cq_failure){.step = step, .particle = c->particle[i]};
  FOR_AXES(a) {
    const scalar x = at->x[i * CQ_DIM + a], v = at->v[i * CQ_DIM + a];
    f->position[a] = (double)x;
    used +=
        (size_t)snprintf(where + used, sizeof where - used, "%s%.6g", a > 0 ? ", " : "", (double)x);
    sum += x + v;
    speed += v * v;
  }
  if (sum - sum != K(0)) {
    f->status = CQ_NONFINITE;
    f->value = (double)sum;
    return CQ_FAIL(c->ctx, CQ_NONFINITE,
                   "step %d: particle %d at (%s) m has a value that is not finite (%g); lower "
                   "simulation.time_step",
                   step, f->particle, where, f->value);
  }
  f->status = CQ_TOO_FAST;
  f->value = (double)(real_sqrt(speed) * c->dt) / (2.0 * c->own->radius);
  return CQ_FAIL(c->ctx, CQ_TOO_FAST,
                 "step %d: particle %d at (%s) m moves %.3g of its diameters in one step; lower "
                 "simulation.time_step",
                 step, f->particle, where, f->value);
}

/* What a step has left that no other could go on from; counts. */
cq_status V(cq_fluid_check_step)(fluid *c, int step, const fluid_state *out, int first_bad,
                                 int outside, const fluid_solve *divergence,
                                 const fluid_solve *density, bool count) {
  long long *tally = c->tally.of;
  if (first_bad < INT_MAX) {
    return fail(c, step, first_bad, out);
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    const motion *m = &c->bodies->body[b].now;
    const scalar sum = vec_dot(m->t.v, m->t.v) + spin_dot(m->t.w, m->t.w) + vec_dot(m->p.x, m->p.x);
    if (sum - sum != K(0)) {
      c->failure = (cq_failure){.status = CQ_NONFINITE,
                                .step = step,
                                .particle = c->own->bodies[b].first,
                                .value = (double)sum};
      return CQ_FAIL(c->ctx, CQ_NONFINITE,
                     "step %d: the motion of rigid body %d (from particle %d) is not finite; lower "
                     "simulation.time_step or the stiffness of contacts",
                     step, b, c->own->bodies[b].first);
    }
  }
  if (count) {
    const long long error = (long long)(1e6 * density->error);
    tally[CQ_TALLY_SWEEPS] += density->done;
    tally[CQ_TALLY_DIVERGENCE] += divergence->done;
    tally[CQ_TALLY_ERROR] = error > tally[CQ_TALLY_ERROR] ? error : tally[CQ_TALLY_ERROR];
    tally[CQ_TALLY_OUTSIDE] = outside > tally[CQ_TALLY_OUTSIDE] ? outside : tally[CQ_TALLY_OUTSIDE];
  }
  return CQ_OK;
}

/* what all chunks have found */
static cq_status check_chunks(fluid *c, int step, const fluid_state *out,
                              const fluid_solve *divergence, const fluid_solve *density,
                              bool count) {
  int first_bad = INT_MAX, outside = 0;
  for (int k = 0; k < c->n_chunks; k++) {
    first_bad = c->found[k].first_bad < first_bad ? c->found[k].first_bad : first_bad;
    outside += c->found[k].outside;
  }
  return V(cq_fluid_check_step)(c, step, out, first_bad, outside, divergence, density, count);
}

/* One step of c->part seconds; nothing drives it but its bodies. */
static cq_status make_step(void *work, int step, void *from, void *to, const double *w,
                           bool count) {
  fluid *c = work;
  (void)w;
  const fluid_state in = V(cq_fluid_view)(c, from), out = V(cq_fluid_view)(c, to);
  const double time = *in.time;
  fluid_solve divergence, density;
  fluid_solvers(c, &divergence, &density);
  V(cq_fluid_load_bodies)(c, &in);
  V(cq_fluid_drive_bodies)(c, time);
  CQ_TRY(V(cq_fluid_sort)(c, &in));
  CQ_TRY(V(cq_fluid_make_lists)(c));
  V(cq_fluid_weigh_touches)(c);
#pragma omp parallel num_threads(c->threads) if (c->threads > 1)
  {
    const unsigned mode = flush_begin();
    run_loops(c, &divergence, &density);
    flush_end(mode);
  }
  move(c, &in, &out);
  V(cq_fluid_move_tangents)(c, time);
  V(cq_fluid_move_bodies)(c);
  V(cq_fluid_store_bodies)(c, &out);
  *out.time = time + c->part;
  return check_chunks(c, step, &out, &divergence, &density, count);
}

/* A step of the host loop (host_loop.h). */
static cq_status fluid_step(void *work, int step, void *from, void *to, const double *w,
                            bool count) {
  return V(cq_fluid_in_parts)(work, make_step, step, from, to, w, count);
}

/* nothing drives anything yet but the model */
void V(cq_fluid_drive)(const cq_model *model, const double *u, const double *z, double *w) {
  (void)model;
  (void)u;
  (void)z;
  (void)w;
}

void V(cq_fluid_drive_adjoint)(const cq_model *model, const double *u, const double *z,
                               const double *dw, double *du, double *dz) {
  (void)model;
  (void)u;
  (void)z;
  (void)dw;
  (void)du;
  (void)dz;
}

const cq_failure *V(cq_fluid_failure)(const void *work) {
  return &((const fluid *)work)->failure;
}

cq_tally *V(cq_fluid_tally)(void *work) {
  return &((fluid *)work)->tally;
}

/* What the loop around a step calls of this variant. */
const cq_host_steps V(cq_fluid_cpu) = {
    .create = V(cq_fluid_create),
    .destroy = V(cq_fluid_destroy),
    .upload = V(cq_fluid_upload),
    .step = fluid_step,
    CQ_FLUID_STEPS,
};
