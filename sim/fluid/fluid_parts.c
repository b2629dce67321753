/* A step that is cut into parts where the fluid is fast or viscous: the condition of Courant,
 * Friedrichs and Lewy. To all outside a step is one step. */
#include "fluid_parts.h"

#include "fluid_bodies.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 1000 };

/* The fastest that anything is which the fluid meets [m/s]: its particles, and samples of bodies.
 */
static double fastest(const fluid *c, const fluid_state *at) {
  scalar most = K(0);
  for (int i = 0; i < c->n_all; i++) {
    scalar square = K(0);
    FOR_AXES(a) {
      const scalar v = at->v[i * CQ_DIM + a];
      square += v * v;
    }
    most = square > most ? square : most;
  }
  double speed = sqrt((double)most);
  for (int b = 0; b < c->own->n_bodies; b++) {
    const cq_fluid_body *body = &c->own->bodies[b];
    motion now;
    memcpy(&now, at->bodies + (size_t)b * CQ_BODY_NUMBERS, sizeof now);
    scalar reach = K(0);
    for (int s = body->first_sample; s < body->first_sample + body->n_samples; s++) {
      scalar square = K(0);
      FOR_AXES(a) {
        square += c->sample_x0[s * CQ_DIM + a] * c->sample_x0[s * CQ_DIM + a];
      }
      reach = square > reach ? square : reach;
    }
    const double turns = sqrt((double)(spin_dot(now.t.w, now.t.w) * reach));
    speed = fmax(speed, sqrt((double)vec_dot(now.t.v, now.t.v)) + turns);
  }
  return speed;
}

/* The equal parts that what is left of a step takes [s]. */
static double parts_of(const fluid *c, const fluid_state *at, double left) {
  double gravity = 0.0, slowest = INFINITY;
  FOR_AXES(a) {
    gravity += (double)(c->gravity[a] * c->gravity[a]);
  }
  for (int i = 0; i < c->n_all && c->viscous; i++) {
    const double nu = (double)(c->viscosity0[i] / c->density0[i]);
    slowest = fmin(slowest, cq_fluid_viscous_dt(c->own->radius, nu));
  }
  const double speed = fastest(c, at) + sqrt(gravity) * left;
  const double moving = left * speed / (c->own->cfl * 2.0 * c->own->radius);
  return fmax(1.0, ceil(fmax(moving, left / slowest) * (1.0 - 1e-9)));
}

/* Adds a state's mean wrenches over a part to sums over the step, or, at its end, puts the means
 * over the step there. */
static void add_wrenches(const fluid *c, const fluid_state *at, bool ends) {
  for (int b = 0; b < c->own->n_bodies; b++) {
    scalar *w = at->bodies + (size_t)b * CQ_BODY_NUMBERS + CQ_POSE + CQ_TWIST;
    scalar *sum = c->part_wrench + (size_t)b * CQ_TWIST;
    for (int k = 0; k < CQ_TWIST; k++) {
      sum[k] += K(c->part / c->model->dt) * w[k];
      if (ends) {
        w[k] = sum[k];
        sum[k] = K(0);
      }
    }
  }
}

static void count_parts(fluid *c, int parts) {
  long long *tally = c->tally.of;
  tally[CQ_TALLY_PARTS] += parts;
  tally[CQ_TALLY_MOST_PARTS] =
      parts > tally[CQ_TALLY_MOST_PARTS] ? parts : tally[CQ_TALLY_MOST_PARTS];
}

/* Each part is as long as what is left asks for; without a condition a step is one part. */
cq_status V(cq_fluid_in_parts)(fluid *c, fluid_one_step *one, int step, void *from, void *to,
                               const double *w, bool count) {
  if (!(c->own->cfl > 0.0)) {
    return one(c, step, from, to, w, count);
  }
  const fluid_state end = V(cq_fluid_view)(c, to);
  const double whole = c->model->dt, begin = *V(cq_fluid_view)(c, from).time;
  cq_status status = CQ_OK;
  double left = whole;
  int made = 0;
  memset(c->part_wrench, 0, (size_t)c->own->n_bodies * CQ_TWIST * sizeof *c->part_wrench);
  for (bool last = false; !last && status == CQ_OK; from = to) {
    const fluid_state at = V(cq_fluid_view)(c, from);
    const double parts = parts_of(c, &at, left);
    last = !(parts > 1.0);
    if (!(parts <= MOST_PARTS)) {
      c->failure = (cq_failure){.status = CQ_TOO_FAST, .step = step, .value = parts};
      status =
          CQ_FAIL(c->ctx, CQ_TOO_FAST,
                  "step %d: something moves at %.3g m/s, which takes %.3g parts of a step, more "
                  "than %d; lower simulation.time_step",
                  step, fastest(c, &at), parts, MOST_PARTS);
      break;
    }
    c->part = left / parts;
    c->dt = K(c->part);
    status = one(c, step, from, to, w, count);
    add_wrenches(c, &end, last);
    left -= c->part;
    made++;
  }
  if (count && status == CQ_OK) {
    count_parts(c, made);
  }
  *end.time = begin + whole;
  c->part = whole;
  c->dt = K(whole);
  return status;
}
