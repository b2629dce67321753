/* A step, recorded for its derivatives. */
#include "fluid_linear.h"

#include "alloc.h"
#include "flush_mode.h"
#include "point/linear.h"
#include "status.h"

#include <string.h>

static cq_status grow(fluid *c, scalar **array, size_t n) {
  cq_free(c->ctx, *array);
  *array = NULL;
  return CQ_ALLOC(c->ctx, *array, n + CQ_PAD);
}

static scalar square_of(const fluid *c, int i, const scalar *to, size_t apart) {
  scalar square = K(0);
  for (size_t a = 0; a < CQ_DIM; a++) {
    const scalar d = c->x[(size_t)i * CQ_AXES + a] - to[a * apart];
    square += d * d;
  }
  return square;
}

/* Bends and values of all that is near particle i. */
static void bend_pairs(const fluid *c, linear_step *r, int i) {
  for (int k = 0; k < c->count[i]; k++) {
    const size_t place = c->first[i] + (size_t)k * CQ_FLUID_GROUP;
    const size_t j = c->near[place] / CQ_AXES;
    const scalar q = real_sqrt(square_of(c, i, c->x + j * CQ_AXES, 1)) * c->kernel.inverse;
    r->bend[place] = c->volume[j] * kernel_bend(&c->kernel, q);
    r->value[place] = kernel_value(&c->kernel, q);
  }
}

/* the same of samples, and what drags at each touch */
static void bend_samples(const fluid *c, linear_step *r, int i) {
  const scalar drag = CQ_FLUID_WALL_DRAG * c->viscosity[i] / (K(1) + c->excess[i]);
  for (int t = 0; t < c->n_touches[i]; t++) {
    r->stick[linear_touch(c, i, t)] = K(0);
  }
  for (int k = 0; k < c->sample_count[i]; k++) {
    const size_t place = c->first_sample[i] + (size_t)k;
    const int b = c->sample_near[place];
    scalar x[CQ_DIM];
    FOR_AXES(a) {
      x[a] = c->sorted_column[a][b];
    }
    const scalar square = square_of(c, i, x, 1), q = real_sqrt(square) * c->kernel.inverse;
    r->sample_bend[place] = c->sorted_volume[b] * kernel_bend(&c->kernel, q);
    r->sample_value[place] = kernel_value(&c->kernel, q);
    for (int t = 0; t < c->n_touches[i] && c->sorted_sticky[b]; t++) {
      const size_t touch = linear_touch(c, i, t);
      if (c->touches[touch].body == c->sorted_body[b]) {
        r->stick[touch] += pair_drag(&c->kernel, drag, c->sample_slope[place], square);
      }
    }
  }
}

static void find_bends(fluid *c, linear_step *r) {
#pragma omp parallel for schedule(static) num_threads(c->threads) if (c->threads > 1)
  for (int i = 0; i < c->n; i++) {
    bend_pairs(c, r, i);
    bend_samples(c, r, i);
  }
}

/* Rooms as large as those of the lists. */
static cq_status fit_rooms(fluid *c, linear_step *r) {
  const size_t chunks = fluid_chunks(c->n_all);
  if (r->near_room == c->near_room && r->touch_room == c->touch_room) {
    return CQ_OK;
  }
  r->near_room = 0;
  CQ_TRY(grow(c, &r->bend, chunks * c->near_room));
  CQ_TRY(grow(c, &r->value, chunks * c->near_room));
  CQ_TRY(grow(c, &r->sample_bend, chunks * c->sample_near_room));
  CQ_TRY(grow(c, &r->sample_value, chunks * c->sample_near_room));
  CQ_TRY(grow(c, &r->stick, chunks * c->touch_room));
  r->near_room = c->near_room;
  r->touch_room = c->touch_room;
  return CQ_OK;
}

static cq_status find_geometry(fluid *c, const fluid_state *in) {
  linear_step *r = &c->linear->step;
  CQ_TRY(V(cq_fluid_find_near)(c, in));
  CQ_TRY(fit_rooms(c, r));
  for (int i = 0; i < c->n; i++) {
    r->base[i] = c->diagonal[i] / c->light[i];
  }
  V(cq_fluid_weigh_touches)(c);
  for (int i = 0; i < c->n; i++) {
    c->gain[i] = sweep_gain(&c->kernel, c->dt, c->light[i], c->diagonal[i]);
  }
  find_bends(c, r);
  return CQ_OK;
}

static void keep_flow(fluid *c, linear_step *r, int sweep) {
  for (int i = 0; i < c->n; i++) {
    scalar *to = r->flow + ((size_t)i * (size_t)r->n_sweeps + (size_t)sweep) * CQ_AXES;
    memcpy(to, c->v + (size_t)i * CQ_AXES, CQ_AXES * sizeof *to);
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    r->twist[sweep * c->own->n_bodies + b] = c->twist[b];
  }
}

static void keep_pins(fluid *c, int stage) {
  for (int i = 0; i < c->own->n_pins; i++) {
    c->linear->bodies->pulled[stage * c->own->n_pins + i] = c->bodies->pin[i].last;
  }
}

static void keep_changes(fluid *c, linear_step *r, int sweep) {
  for (int i = 0; i < c->n; i++) {
    const size_t at = (size_t)i * (size_t)r->n_sweeps + (size_t)sweep;
    r->flow[at * CQ_AXES + CQ_AXES - 1] = c->change[i];
    r->open[at] = c->pressure[i] > K(0);
  }
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->linear->bodies->sum[sweep * c->own->n_bodies + b] = c->bodies->body[b].sum;
  }
  keep_pins(c, sweep);
}

/* The sweeps of a solver as a step makes them, with what they find kept. */
static void run_sweeps(fluid *c, linear_step *r, bool density) {
  const int first = density ? r->split : 0, last = density ? r->n_sweeps : r->split;
  for (int i = 0; i < c->n; i++) {
    c->pressure[i] = K(0);
  }
  for (int sweep = first; sweep < last; sweep++) {
    keep_flow(c, r, sweep);
    EACH_CHUNK(c, k, c->hot->measure(c, k, density))
    V(cq_fluid_push_bodies)(c);
    keep_changes(c, r, sweep);
    EACH_CHUNK(c, k, c->hot->push(c, k))
  }
}

/* the impulses between the solvers, as V(cq_fluid_load_forces) makes them */
static void keep_forces(fluid *c) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    linear_body *to = &c->linear->bodies->of[b];
    fluid_body body = c->bodies->body[b];
    to->loose = body.now;
    c->linear->step.twist[c->linear->step.n_sweeps * c->own->n_bodies + b] = c->twist[b];
    to->drag = to->contact = wrench_zero();
    to->weight = fluid_pull(c, &body);
    for (int i = 0; i < c->n && c->viscous && c->sticky; i++) {
      for (int t = 0; t < c->n_touches[i]; t++) {
        const fluid_touch *touch = &c->touches[linear_touch(c, i, t)];
        if (touch->body == b) {
          to->drag = wrench_axpy(to->drag, K(1), fluid_wrench(touch->drag, touch->drag_t));
        }
      }
    }
    fluid_kick(&body, to->weight);
    fluid_kick(&body, to->drag);
    to->meets = body.now;
  }
}

static void run_forces(fluid *c, linear_step *r) {
  memcpy(r->middle, c->v, (size_t)c->n * CQ_AXES * sizeof *c->v);
  EACH_CHUNK(c, k, c->hot->forces(c, k))
  scalar *v = c->v;
  c->v = c->v_new;
  c->v_new = v;
  keep_forces(c);
  V(cq_fluid_load_forces)(c);
  keep_pins(c, r->n_sweeps);
  for (int b = 0; b < c->own->n_bodies && c->own->contact_stiffness > 0.0; b++) {
    c->linear->bodies->of[b].contact = c->bodies->body[b].sum;
  }
}

/* As make_step of fluid_cpu.c does it, with a fixed number of sweeps. */
cq_status V(cq_fluid_record_step)(fluid *c, const fluid_state *in, const double *w) {
  linear_step *r = &c->linear->step;
  V(cq_fluid_load_bodies)(c, in);
  V(cq_fluid_drive_bodies)(c, *in->time);
  V(cq_fluid_thrust)(c, w);
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->linear->bodies->of[b].begin = c->bodies->body[b].now;
    c->linear->bodies->of[b].R = turn_matrix(c->bodies->body[b].now.p.q);
  }
  CQ_TRY(find_geometry(c, in));
  run_sweeps(c, r, false);
  run_forces(c, r);
  run_sweeps(c, r, true);
  for (int b = 0; b < c->own->n_bodies; b++) {
    c->linear->bodies->of[b].end = c->bodies->body[b].now;
  }
  return CQ_OK;
}
