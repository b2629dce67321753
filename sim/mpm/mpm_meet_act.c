/* What a body does to its nodes, and they to it. Compiled once a dimension, in double. */
#include "mpm_meet_body.h"
#include "side.h"

#include <math.h>
#include <string.h>

enum {
  MEET_MOST = 60,  /* steps of Newton's method */
  MEET_HALVES = 8, /* and shorter ones, tried in each */
};
/* of the speeds that meet: what a twist is found to, and what will do where no step makes it better
 */
#define MEET_CLOSE  1e-14
#define MEET_ENOUGH 1e-11

/* Does a node of a field lean at body i? What is held there is told by no normal, and bodies that
 * are moved as they are told meet all material by their own surface. */
static bool leans(const cq_mpm_meet *m, int i, int field) {
  const cq_rigid *body = &m->rigids->bodies[i];
  const cq_boundary_kind kind = m->rigid[i].kind;
  return m->fields != NULL && m->fields->single[field] &&
         (kind == CQ_BOUNDARY_separate || kind == CQ_BOUNDARY_separate_stick) &&
         cq_rigid_motion_at(body, m->step->time, m->step->dt) == CQ_RIGID_FREE &&
         cq_mpm_is_much_larger(m->fields->room[field], body->inertia.volume);
}

bool V(cq_mpm_meet_look)(const cq_mpm_meet *m, int i, const cq_mpm_meet_node *node,
                         cq_mpm_meet_touch *t) {
  const placed b = placed_read(&m->at[i]);
  vec at;
  FOR_AXES(a) {
    at.v[a] = node->x[a];
  }
  const side s = side_at(&m->rigids->bodies[i], &b, at);
  t->gap = s.gap;
  t->share = meet_share(s.gap, m->cell);
  t->leans = t->share > 0.0 && leans(m, i, node->field);
  if (t->leans) {
    const leaning l = meet_body_leaning(m, node, t);
    t->share = lean_share(&l, m->cell);
  }
  FOR_AXES(a) {
    t->out[a] = t->n[a] = s.n.v[a];
  }
  return t->share > 0.0;
}

/* sum of the nodes' impulses on the body */
static wrench impulse_of(const meet_body *y) {
  wrench sum = wrench_zero();
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    pressed after;
    const vec change = meet_change(&y->held, &y->b, &at, &after);
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

/* a twist that is looked for */
typedef struct search {
  meet_body *y;
  small_matrix stuck; /* K of nodes that stick: more than any other is */
  double speeds;
  twist t;
  lack at; /* there */
} search;

/* A step of Newton's method, or a part of it, if it makes the lack less; how long the whole one is
 * goes to *length. */
static bool newton(search *s, bool exact, double *length) {
  small_matrix K;
  double d[CQ_SMALL_SOLVE], factor = 1.0;
  meet_body_move(s->y, s->t);
  meet_body_stiffness(s->y, exact, &K);
  *length = INFINITY;
  if (!isfinite(solve(&K, s->at.f, d))) {
    return false;
  }
  *length = speed_of(s->y, stepped(twist_zero(), 1.0, d));
  for (int k = 0; k < MEET_HALVES; k++, factor *= 0.5) {
    const lack next = lack_at(s->y, stepped(s->t, factor, d), &s->stuck);
    if (next.size < s->at.size) {
      s->t = stepped(s->t, factor, d);
      s->at = next;
      return true;
    }
  }
  return false;
}

/* one that is short enough to do no harm */
static void creep(search *s) {
  double d[CQ_SMALL_SOLVE];
  solve(&s->stuck, s->at.f, d);
  s->t = stepped(s->t, 1.0 / (1.0 + s->y->friction), d);
  s->at = lack_at(s->y, s->t, &s->stuck);
}

/* Looks for the twist of a free body by Newton's method, which across the kinks of friction may
 * need other steps. false: it was not found, and y has the best that was. That happens to bodies
 * far lighter than nodes whose velocities differ much, with strong friction. What F is there goes
 * to `lacks`. */
static bool settle(meet_body *y, lack *lacks, small_matrix *stuck) {
  search s = {.y = y, .speeds = speeds_of(y), .t = y->start};
  meet_body_inertia(y, &s.stuck);
  FOR_TOUCHES(y, t) {
    const met at = meet_body_node(y, t);
    meet_body_stiffen(y, &at, mat_identity(), &s.stuck);
  }
  s.at = lack_at(y, s.t, &s.stuck);
  search best = s;
  bool settled = false;
  for (int k = 0; k < MEET_MOST && !settled; k++) {
    double length, unused;
    const bool better = newton(&s, true, &length);
    settled = length <= (better ? MEET_CLOSE : MEET_ENOUGH) * s.speeds;
    if (!better && !settled && !newton(&s, false, &unused)) {
      creep(&s);
    }
    best = s.at.size < best.at.size ? s : best;
  }
  meet_body_move(y, best.t);
  *lacks = best.at;
  *stuck = best.stuck;
  return settled;
}

/* key of a node's mean at body i */
static double key_of(const cq_mpm_meet *m, int i, const cq_mpm_meet_touch *t) {
  return m->keys * i + m->nodes[t->node].key;
}

/* Normals of nodes that lean, where their slopes have any. */
static void take_normals(cq_mpm_meet *m, int i) {
  for (int k = m->first[i]; k >= 0; k = m->touches[k].next) {
    cq_mpm_meet_touch *t = &m->touches[k];
    const double length = meet_body_slope(m, t);
    for (int a = 0; a < CQ_DIM && length > 0.0; a++) {
      t->n[a] = m->nodes[t->node].slope[a] / length;
    }
  }
}

/* the nodes' velocities and mean pressures before */
static void remember(cq_mpm_meet *m, int i) {
  for (int k = m->first[i]; k >= 0; k = m->touches[k].next) {
    cq_mpm_meet_touch *t = &m->touches[k];
    memcpy(t->before, m->nodes[t->node].v, sizeof t->before);
    t->mean = (kept_place){.from = -1, .to = -1};
    if (cq_mpm_meet_remembers(m, i)) {
      t->mean = kept_take(&m->means, key_of(m, i, t));
    }
  }
}

/* The least change of the twist, and of the nodes with it as if they stuck, after which F is 0:
 * none where the twist is settled. Without it a light body that is not would be thrown away. */
static twist amends(meet_body *y) {
  lack lacks;
  small_matrix stuck;
  double d[CQ_SMALL_SOLVE] = {0.0};
  if (y->is_free && y->m->first[y->i] >= 0 && !settle(y, &lacks, &stuck)) {
    solve(&stuck, lacks.f, d);
  }
  return stepped(twist_zero(), 1.0, d);
}

/* Body i pushes its nodes: with the twist it was given, or with the one that the impulses leave it.
 */
void V(cq_mpm_meet_act)(cq_mpm_meet *m, int i) {
  take_normals(m, i);
  remember(m, i);
  meet_body y = meet_body_of(m, i);
  const twist more = amends(&y);
  m->unsettled += speed_of(&y, more) > 0.0;
  wrench sum = wrench_zero();
  FOR_TOUCHES(&y, t) {
    const met at = meet_body_node(&y, t);
    const vec extra = vec_add(more.v, spin_turn(more.w, vec_sub(at.x, y.b.x)));
    pressed after;
    const vec change = vec_axpy(meet_change(&y.held, &y.b, &at, &after), at.share, extra);
    if (y.held.remembers) {
      t->mean.to = kept_keep(&m->means, key_of(m, i, t), kept_from(after));
    }
    sum = wrench_axpy(sum, 1.0 / m->step->dt, meet_impulse(&y.b, &at, change));
    FOR_AXES(a) {
      m->nodes[t->node].v[a] = at.v.v[a] + change.v[a];
    }
  }
  meet_body_numbers(sum, m->wrench + i * CQ_TWIST);
  meet_body_numbers((wrench){y.b.v, y.b.w}, m->twist + i * CQ_TWIST);
}
