/* Inside of mpm_meet: a body among its nodes. One dimension, in double.
 *
 * The twist t of a free body while it meets its nodes is where what they ask of it stands:
 *   F(t) = H (t - t0) - P(t) = 0,
 * t0 its twist after gravity has acted for the step, H its mass and moment, P the sum of the nodes'
 * impulses, which follow from t. K = dF/dt. */
#ifndef CQ_MPM_MEET_BODY_H
#define CQ_MPM_MEET_BODY_H

#include "heft_of.h"
#include "mpm_kept_pressed.h"
#include "mpm_meet_touch.h"
#include "point/lean.h"
#include "point/meet.h"
#include "small_solve.h"

#include <math.h>

typedef struct meet_body {
  const cq_mpm_meet *m;
  int i;
  grip held;
  real friction;
  bool is_free;
  placed b; /* with the twist t */
  heft h;   /* of a free body, the rest too */
  twist start;
} meet_body;

/* Friction for what sticks until it parts. As a wall has it, that jumps where a node parts, and
 * then there may be no twist at which F is 0; so a node slides where it comes nearer by less than a
 * tenth of what it slides. */
#define MEET_STICKS 10.0

/* body i as it is placed, before it meets anything */
static inline meet_body meet_body_of(const cq_mpm_meet *m, int i) {
  const cq_rigid_step *s = m->step;
  meet_body y = {.m = m, .i = i};
  y.held = (grip){.kind = (int)m->rigid[i].kind,
                  .epsilon = m->epsilon,
                  .remembers = cq_mpm_meet_remembers(m, i)};
  if (y.held.remembers) {
    y.held.press = (pressing){s->dt / m->rigid[i].friction_time, s->dt / m->rigid[i].friction_slip};
  }
  y.b = placed_read(&m->at[i]);
  y.friction = s->friction[i];
  if (m->rigid[i].kind == CQ_BOUNDARY_separate_stick) {
    y.held.kind = CQ_BOUNDARY_separate;
    y.friction = MEET_STICKS;
  }
  y.is_free = cq_rigid_motion_at(&m->rigids->bodies[i], s->time, s->dt) == CQ_RIGID_FREE;
  y.start = (twist){y.b.v, y.b.w};
  if (y.is_free) {
    y.h = heft_of(&m->rigids->bodies[i], s->mass[i]);
    FOR_AXES(a) {
      y.start.v.v[a] += s->dt * s->gravity[a];
    }
  }
  return y;
}

static inline void meet_body_move(meet_body *y, twist t) {
  y->b.v = t.v;
  y->b.w = t.w;
}

/* the node of a touch as this body meets it */
static inline met meet_body_node(const meet_body *y, const cq_mpm_meet_touch *t) {
  const cq_mpm_meet_node *node = &y->m->nodes[t->node];
  met r;
  FOR_AXES(a) {
    r.x.v[a] = node->x[a];
    r.v.v[a] = t->before[a];
    r.n.v[a] = t->n[a];
  }
  r.mass = node->mass;
  r.share = t->share;
  r.friction = y->friction;
  r.before = kept_pressed(t->mean.before);
  return r;
}

/* of a touch that leans */
static inline leaning meet_body_leaning(const cq_mpm_meet *m, const cq_mpm_meet_node *node,
                                        const cq_mpm_meet_touch *t) {
  return (leaning){.gap = t->gap, .mass = node->mass, .full = m->fields->full[node->field]};
}

/* the length of the slope that a touch has its normal from; 0: it has that of the body */
static inline double meet_body_slope(const cq_mpm_meet *m, const cq_mpm_meet_touch *t) {
  double square = 0.0;
  for (int a = 0; a < CQ_DIM && t->leans; a++) {
    const double slope = m->nodes[t->node].slope[a];
    square += slope * slope;
  }
  return sqrt(square);
}

#define FOR_TOUCHES(y, t)                                                                          \
  for (int k_ = (y)->m->first[(y)->i]; k_ >= 0; k_ = (y)->m->touches[k_].next)                     \
    for (cq_mpm_meet_touch *t = &(y)->m->touches[k_]; t != NULL; t = NULL)

/* H d */
static inline wrench meet_body_momentum(const meet_body *y, twist d) {
  return (wrench){vec_scale(y->h.mass, d.v), heft_momentum(&y->h, y->b.R, d.w)};
}

static inline void meet_body_numbers(wrench f, double *out) {
  FOR_AXES(a) {
    out[a] = f.f.v[a];
  }
  FOR_SPINS(a) {
    out[CQ_DIM + a] = f.t.w[a];
  }
}

/* the twist whose component c is 1, and all others 0 */
static inline twist meet_body_unit(int c) {
  twist t;
  FOR_AXES(a) {
    t.v.v[a] = a == c ? 1.0 : 0.0;
  }
  FOR_SPINS(a) {
    t.w.w[a] = CQ_DIM + a == c ? 1.0 : 0.0;
  }
  return t;
}

/* H */
static inline void meet_body_inertia(const meet_body *y, small_matrix *H) {
  for (int c = 0; c < CQ_TWIST; c++) {
    double column[CQ_TWIST];
    meet_body_numbers(meet_body_momentum(y, meet_body_unit(c)), column);
    for (int r = 0; r < CQ_TWIST; r++) {
      H->a[r][c] = column[r];
    }
  }
}

/* adds J^T m s A J of a node, J the velocity of the body at it by its twist */
static inline void meet_body_stiffen(const meet_body *y, const met *at, mat A, small_matrix *K) {
  const vec arm = vec_sub(at->x, y->b.x);
  for (int c = 0; c < CQ_TWIST; c++) {
    const twist unit = meet_body_unit(c);
    const vec v = vec_add(unit.v, spin_turn(unit.w, arm));
    const vec f = vec_scale(at->mass * at->share, mat_vec(A, v));
    double column[CQ_TWIST];
    meet_body_numbers((wrench){f, spin_arm(arm, f)}, column);
    for (int r = 0; r < CQ_TWIST; r++) {
      K->a[r][c] += column[r];
    }
  }
}

/* of a push that what happens across the normal does not change, nor the other way round */
static inline mat meet_body_uncoupled(mat A, vec n) {
  const mat along = vec_outer(n, n), across = mat_sub(mat_identity(), along);
  const mat both = mat_mul(across, mat_mul(A, across));
  return mat_axpy(both, vec_dot(n, mat_vec(A, n)), along);
}

/* K at the present twist, or what is near it and symmetric: without what pressure does to friction
 */
static inline void meet_body_stiffness(const meet_body *y, bool exact, small_matrix *K) {
  meet_body_inertia(y, K);
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    const mat A = meet_jacobian(&y->held, &y->b, &at);
    meet_body_stiffen(y, &at, exact ? A : meet_body_uncoupled(A, at.n), K);
  }
}

#endif
