/* What a body does to its nodes, and they to it. Compiled once a dimension, in double. */
#include "mpm_meet_body.h"
#include "side.h"

#include <math.h>
#include <string.h>

enum {
  MEET_MOST = 60,  /* steps of Newton's method */
  MEET_HALVES = 5, /* and shorter ones, tried in each */
};
/* of the speeds that meet: what a twist is found to, and what will do where no step makes it better
 */
#define MEET_CLOSE  1e-14
#define MEET_ENOUGH 1e-11

bool V(cq_mpm_meet_look)(const cq_mpm_meet *m, int i, const double *x, cq_mpm_meet_touch *t) {
  const placed b = placed_read(&m->at[i]);
  vec at;
  FOR_AXES(a) {
    at.v[a] = x[a];
  }
  const side s = side_at(&m->rigids->bodies[i], &b, at);
  t->share = meet_share(s.gap, m->cell);
  t->slope = meet_share_slope(s.gap, m->cell);
  FOR_AXES(a) {
    t->n[a] = s.n.v[a];
  }
  return t->share > 0.0;
}

/* sum of the nodes' impulses on the body */
static wrench impulse_of(const meet_body *y) {
  wrench sum = wrench_zero();
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    const vec change = meet_change(y->kind, y->m->epsilon, &y->b, &at);
    sum = wrench_axpy(sum, 1.0, meet_impulse(&y->b, &at, change));
  }
  return sum;
}

/* -F at the twist t, and its size: -F.K^-1(-F) with the K of nodes that stick */
typedef struct lack {
  double f[CQ_SMALL_SOLVE], size;
} lack;

static double solve(const small_matrix *A, const double *f, double *x) {
  memcpy(x, f, CQ_TWIST * sizeof *x);
  double product = small_solve(CQ_TWIST, *A, x) ? 0.0 : NAN;
  for (int c = 0; c < CQ_TWIST; c++) {
    product += f[c] * x[c];
  }
  return product;
}

static lack lack_at(meet_body *y, twist t, const small_matrix *stuck) {
  lack r = {{0.0}, 0.0};
  double unused[CQ_SMALL_SOLVE];
  meet_body_move(y, t);
  const twist gone = {vec_sub(t.v, y->start.v), spin_axpy(t.w, -1.0, y->start.w)};
  meet_body_numbers(wrench_axpy(impulse_of(y), -1.0, meet_body_momentum(y, gone)), r.f);
  r.size = solve(stuck, r.f, unused);
  return r;
}

static twist stepped(twist t, double factor, const double *d) {
  FOR_AXES(a) {
    t.v.v[a] += factor * d[a];
  }
  FOR_SPINS(a) {
    t.w.w[a] += factor * d[CQ_DIM + a];
  }
  return t;
}

/* how fast any point of the body moves by this twist, at most */
static double speed_of(const meet_body *y, twist t) {
  const double reach = y->m->rigids->bodies[y->i].reach;
  return sqrt(vec_dot(t.v, t.v)) + reach * sqrt(spin_dot(t.w, t.w));
}

/* of the body and the nodes, for tolerances */
static double speeds_of(const meet_body *y) {
  double most = speed_of(y, y->start) + sqrt(vec_dot(y->b.belt, y->b.belt));
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    most = fmax(most, sqrt(vec_dot(at.v, at.v)));
  }
  return most;
}

/* Newton's method for the twist of a free body. Where its step makes nothing better, as across the
 * kinks of friction, there is a shorter one by the matrix of nodes that stick, which is more than
 * K ever is. The best that was met stays. Returns whether F is 0 there. */
static bool settle(meet_body *y) {
  small_matrix stuck, K;
  meet_body_inertia(y, &stuck);
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    meet_body_stiffen(y, &at, mat_identity(), &stuck);
  }
  const double speeds = speeds_of(y), damping = 1.0 / (1.0 + y->m->step->friction[y->i]);
  twist now = y->start, best = now;
  lack at = lack_at(y, now, &stuck);
  double least = at.size;
  bool settled = false;
  for (int k = 0; k < MEET_MOST && !settled; k++) {
    double d[CQ_SMALL_SOLVE], factor = 1.0;
    meet_body_move(y, now);
    meet_body_stiffness(y, &K);
    const double promised = solve(&K, at.f, d);
    const double length =
        isfinite(promised) ? speed_of(y, stepped(twist_zero(), 1.0, d)) : INFINITY;
    lack next = {{0.0}, INFINITY};
    for (int h = 0; h < MEET_HALVES && length < INFINITY; h++, factor *= 0.5) {
      next = lack_at(y, stepped(now, factor, d), &stuck);
      if (next.size < at.size) {
        break;
      }
    }
    if (!(next.size < at.size)) {
      settled = length <= MEET_ENOUGH * speeds;
      factor = damping;
      solve(&stuck, at.f, d);
      next = settled ? at : lack_at(y, stepped(now, factor, d), &stuck);
    }
    if (!settled || next.size < at.size) {
      now = stepped(now, factor, d);
      at = next;
    }
    if (at.size < least || k == 0) {
      least = at.size;
      best = now;
    }
    settled = settled || length <= MEET_CLOSE * speeds;
  }
  meet_body_move(y, best);
  return settled;
}

/* the nodes' velocities before */
static void remember(cq_mpm_meet *m, int i) {
  for (int k = m->first[i]; k >= 0; k = m->touches[k].next) {
    cq_mpm_meet_touch *t = &m->touches[k];
    memcpy(t->before, m->nodes[t->node].v, sizeof t->before);
  }
}

void V(cq_mpm_meet_act)(cq_mpm_meet *m, int i) {
  remember(m, i);
  meet_body y = meet_body_of(m, i);
  if (y.is_free && m->first[i] >= 0 && !settle(&y)) {
    m->unsettled++;
  }
  wrench sum = wrench_zero();
  FOR_TOUCHES(&y, t) {
    const met at = meet_body_node(&y, t);
    const vec change = meet_change(y.kind, m->epsilon, &y.b, &at);
    sum = wrench_axpy(sum, 1.0 / m->step->dt, meet_impulse(&y.b, &at, change));
    FOR_AXES(a) {
      m->nodes[t->node].v[a] = at.v.v[a] + change.v[a];
    }
  }
  meet_body_numbers(sum, m->wrench + i * CQ_TWIST);
  meet_body_numbers((wrench){y.b.v, y.b.w}, m->twist + i * CQ_TWIST);
}
