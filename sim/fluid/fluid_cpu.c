/* A step of the fluid: sort, neighbours, divergence solver, forces, density solver, motion. */
#include "fluid_cpu.h"

#include "fluid_kernels.h"
#include "fluid_linear.h"
#include "fluid_parts.h"
#include "fluid_tangent.h"
#include "fluid_team.h"
#include "status.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* --- a solver --------------------------------------------------------------------------------- */

static void sum_errors(const fluid *c, fluid_solve *s) {
  double sum = 0.0;
  for (int k = 0; k < c->n_chunks; k++) {
    sum += c->found[k].error;
  }
  s->error = c->n > 0 ? sum / c->n : 0.0;
}

/* Pressures of 0, or half those of the step before, as if a sweep had found them. */
static void begin_solver(fluid *c, int chunk, bool density) {
  const bool warm = density && c->own->warm_start;
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    c->pressure[i] = K(0);
    c->steady[density][i] = 0;
    if (warm) {
      c->change[i] = sweep_warm(c->gain[i], c->before[i]);
      c->pressure[i] = c->change[i];
      for (int a = 0; a < CQ_AXES; a++) {
        c->pull[i * CQ_AXES + a] = c->change[i] * c->place[i * CQ_AXES + a];
      }
    }
  }
}

static void measure_divergence(fluid_thread *me, int chunk) {
  me->c->hot->measure(me->c, chunk, false);
}

static void measure_density(fluid_thread *me, int chunk) {
  me->c->hot->measure(me->c, chunk, true);
}

static void push(fluid_thread *me, int chunk) {
  me->c->hot->push(me->c, chunk);
}

/* What a sweep has found, once all have measured: bodies, and whether another one is to come. */
static void end_sweep(fluid *c, fluid_solve *s, int *sweeps) {
  sum_errors(c, s);
  s->done++;
  V(cq_fluid_push_bodies)(c);
  if (s->tolerance > 0.0 && s->done >= s->least && s->error <= s->tolerance) {
    __atomic_store_n(sweeps, s->done, __ATOMIC_RELAXED);
  }
}

static cq_status end_divergence_sweep(fluid *c, const fluid_thread *me) {
  end_sweep(c, me->solve[0], &c->team.sweeps[0]);
  return CQ_OK;
}

static cq_status end_density_sweep(fluid *c, const fluid_thread *me) {
  end_sweep(c, me->solve[1], &c->team.sweeps[1]);
  return CQ_OK;
}

/* Sweeps until the error that they began with is small enough. The end of a sweep is found while
 * velocities are. */
static void run_solver(fluid_thread *me, bool density) {
  const cq_passes *sweeping = &me->c->team.sweeping;
  const int *sweeps = &me->c->team.sweeps[density];
  fluid_turn *end = density ? end_density_sweep : end_divergence_sweep;
  for (int sweep = 0; sweep < __atomic_load_n(sweeps, __ATOMIC_RELAXED); sweep++) {
    V(cq_fluid_pass)(me, sweeping, true, density ? measure_density : measure_divergence);
    const int measured = me->worker.pass;
    V(cq_fluid_try_turn)(me, sweeping, measured, end);
    V(cq_fluid_pass)(me, sweeping, true, push);
    V(cq_fluid_take_turn)(me, sweeping, measured, end);
  }
}

/* --- a step ----------------------------------------------------------------------------------- */

/* What follows from the lists of all chunks. */
static cq_status weigh(fluid *c, const fluid_thread *me) {
  enum { GROUPS = CQ_FLUID_CHUNK / CQ_FLUID_GROUP };
  (void)me;
  V(cq_fluid_weigh_touches)(c);
  for (int k = 0; k < c->n_chunks; k++) {
    c->team.weight[k] = 1;
    for (int g = k * GROUPS; g < (fluid_chunk_end(c, k) + CQ_FLUID_GROUP - 1) / CQ_FLUID_GROUP;
         g++) {
      c->team.weight[k] += c->length[g];
    }
  }
  cq_passes_begin(&c->team.sweeping, c->n_chunks, c->team.weight);
  return CQ_OK;
}

static void begin(fluid_thread *me, int chunk) {
  fluid *c = me->c;
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    c->gain[i] = sweep_gain(&c->kernel, c->dt, c->light[i], c->diagonal[i]);
  }
  begin_solver(c, chunk, false);
}

static void force(fluid_thread *me, int chunk) {
  me->c->hot->forces(me->c, chunk);
  begin_solver(me->c, chunk, true);
}

static cq_status load(fluid *c, const fluid_thread *me) {
  scalar *v = c->v;
  (void)me;
  c->v = c->v_new;
  c->v_new = v;
  V(cq_fluid_load_forces)(c);
  if (c->own->warm_start) {
    V(cq_fluid_push_bodies)(c);
  }
  return CQ_OK;
}

/* Moves a chunk's particles to where they end, in the order of the state. */
static void move(fluid_thread *me, int chunk) {
  fluid *c = me->c;
  const fluid_state *out = me->out;
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

/* The particles' part of a step, as one thread has it. */
static void run(fluid_thread *me) {
  const fluid_team *team = &me->c->team;
  if (!V(cq_fluid_sort_together)(me) || !V(cq_fluid_list_together)(me)) {
    return;
  }
  V(cq_fluid_take_turn)(me, &team->listing, me->worker.pass, weigh);
  me->worker = (cq_worker){.share = me->worker.share};
  V(cq_fluid_pass)(me, &team->sweeping, false, begin);
  run_solver(me, false);
  V(cq_fluid_pass)(me, &team->sweeping, true, force);
  V(cq_fluid_take_turn)(me, &team->sweeping, me->worker.pass, load);
  if (me->c->own->warm_start) {
    V(cq_fluid_pass)(me, &team->sweeping, true, push);
  }
  run_solver(me, true);
  V(cq_fluid_pass)(me, &team->sweeping, true, move);
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

/* One step of c->part seconds. */
static cq_status make_step(void *work, int step, void *from, void *to, const double *w,
                           bool count) {
  fluid *c = work;
  const fluid_state in = V(cq_fluid_view)(c, from), out = V(cq_fluid_view)(c, to);
  const double time = *in.time;
  fluid_solve divergence, density;
  fluid_solvers(c, &divergence, &density);
  const fluid_thread as = {.c = c, .in = &in, .out = &out, .solve = {&divergence, &density}};
  c->team.sweeps[0] = divergence.sweeps;
  c->team.sweeps[1] = density.sweeps;
  V(cq_fluid_load_bodies)(c, &in);
  V(cq_fluid_drive_bodies)(c, time);
  V(cq_fluid_thrust)(c, w);
  CQ_TRY(V(cq_fluid_begin_sort)(c));
  CQ_TRY(V(cq_fluid_together)(c, &as, run));
  move_sleepers(c, &in, &out);
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

/* drives are the controls themselves */
void V(cq_fluid_drive)(const cq_model *model, int step, const double *u, const double *z,
                       double *w) {
  (void)step;
  (void)z;
  for (int i = 0; i < model->n_drives; i++) {
    w[i] = u[i];
  }
}

void V(cq_fluid_drive_adjoint)(const cq_model *model, int step, const double *u, const double *z,
                               const double *dw, double *du, double *dz) {
  (void)step;
  (void)u;
  (void)z;
  (void)dz;
  for (int i = 0; i < model->n_drives; i++) {
    du[i] += dw[i];
  }
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
