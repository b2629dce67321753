/* Contacts of grains with bodies that they move, one after the other. */
#include "grains_bodies.h"

#include "point/gap.h"
#include "status.h"

#include <string.h>

/* --- numbers ---------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The spin that an impulse of torque gives a body. */
static void spin_up(const cq_rigid_mover *m, const double *torque, double *w) {
  for (int i = 0; i < 3; i++) {
    w[i] = dot(m->inverse[i], torque);
  }
}

/* A grain as this works on it: all three axes, in double. */
typedef struct ball {
  double v[3], w[3], im, ii;
} ball;

static ball load(const scalar *row) {
  ball b = {.im = (double)row[ROW_IM], .ii = (double)row[ROW_II]};
  FOR_EACH_AXIS(a) {
    b.v[a] = (double)row[ROW_V + a];
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    b.w[(CQ_DIM == 2 ? 2 : 0) + k] = (double)row[ROW_W + k];
  }
  return b;
}

static void store(const ball *b, scalar *row) {
  FOR_EACH_AXIS(a) {
    row[ROW_V + a] = K(b->v[a]);
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    row[ROW_W + k] = K(b->w[(CQ_DIM == 2 ? 2 : 0) + k]);
  }
}

/* --- one contact ------------------------------------------------------------------------------ */

/* An impulse on the grain at the point of contact; its opposite on the body. */
static void push(const pushing *c, const double *p, ball *i, cq_rigid_mover *m) {
  double torque[3], turned[3];
  cq_tool_cross(c->n, p, torque); /* its lever arm is -arm n */
  for (int a = 0; a < 3; a++) {
    i->v[a] += i->im * p[a];
    i->w[a] -= i->ii * c->arm * torque[a];
    m->v[a] -= m->inverse_mass * p[a];
  }
  cq_tool_cross(c->r, p, torque);
  spin_up(m, torque, turned);
  for (int a = 0; a < 3; a++) {
    m->w[a] -= turned[a];
  }
}

static void twist(const double *p, ball *i, cq_rigid_mover *m) {
  double turned[3];
  spin_up(m, p, turned);
  for (int a = 0; a < 3; a++) {
    i->w[a] += i->ii * p[a];
    m->w[a] -= turned[a];
  }
}

/* Velocity of the grain relative to the body where they touch. */
static void rate_of(const pushing *c, const ball *i, const cq_rigid_mover *m, double *rate) {
  double own[3], other[3];
  cq_tool_cross(i->w, c->n, own);
  cq_tool_cross(m->w, c->r, other);
  for (int a = 0; a < 3; a++) {
    rate[a] = i->v[a] - c->arm * own[a] - (m->v[a] + other[a] + c->belt[a]);
  }
}

/* Brings a vector down to a length. */
static void clamp(double *p, double most) {
  const double square = dot(p, p), scale = square > most * most ? most / sqrt(square) : 1.0;
  for (int a = 0; a < 3; a++) {
    p[a] *= scale;
  }
}

/* As contact_solve of point/contact.h, with a body for j. */
static void solve(pushing *c, ball *i, cq_rigid_mover *m, bool rolls) {
  double rate[3], d[3];
  rate_of(c, i, m, rate);
  const double pn = fmax(c->pn - c->kn * (dot(rate, c->n) + c->bias), -c->pull);
  for (int a = 0; a < 3; a++) {
    d[a] = (pn - c->pn) * c->n[a];
  }
  push(c, d, i, m);
  c->pn = pn;

  double pt[3];
  rate_of(c, i, m, rate);
  const double along = dot(rate, c->n);
  for (int a = 0; a < 3; a++) {
    pt[a] = c->pt[a] - c->kt * (rate[a] - along * c->n[a]);
  }
  clamp(pt, c->friction * (pn + c->pull));
  for (int a = 0; a < 3; a++) {
    d[a] = pt[a] - c->pt[a];
    c->pt[a] = pt[a];
  }
  push(c, d, i, m);

  if (rolls) {
    double pr[3];
    for (int a = 0; a < 3; a++) {
      pr[a] = c->pr[a] - c->kr * (i->w[a] - m->w[a]);
    }
    clamp(pr, c->roll * (pn + c->pull));
    for (int a = 0; a < 3; a++) {
      d[a] = pr[a] - c->pr[a];
      c->pr[a] = pr[a];
    }
    twist(d, i, m);
  }
}

/* --- what a step asks of them ----------------------------------------------------------------- */

/* e . (the relative velocity that a unit impulse along d gives) */
static double response(const pushing *c, const ball *i, const cq_rigid_mover *m, const double *e,
                       const double *d) {
  double re[3], rd[3], ne[3], nd[3], turned[3];
  cq_tool_cross(c->r, e, re);
  cq_tool_cross(c->r, d, rd);
  cq_tool_cross(c->n, e, ne);
  cq_tool_cross(c->n, d, nd);
  spin_up(m, rd, turned);
  return (i->im + m->inverse_mass) * dot(e, d) + c->arm * c->arm * i->ii * dot(ne, nd) +
         dot(re, turned);
}

/* The largest one across the normal, as in sim/rigid: with one number for all directions friction
 * comes to be opposite to the sliding. */
static double response_across(const pushing *c, const ball *i, const cq_rigid_mover *m) {
#if CQ_DIM == 2
  const double t[3] = {-c->n[1], c->n[0], 0.0};
  return response(c, i, m, t, t);
#else
  double t[3], s[3], square = 0.0;
  int least = 0;
  for (int a = 1; a < 3; a++) {
    least = fabs(c->n[a]) < fabs(c->n[least]) ? a : least;
  }
  for (int a = 0; a < 3; a++) {
    s[a] = (a == least ? 1.0 : 0.0) - c->n[least] * c->n[a];
    square += s[a] * s[a];
  }
  for (int a = 0; a < 3; a++) {
    s[a] /= sqrt(square);
  }
  cq_tool_cross(c->n, s, t);
  const double ss = response(c, i, m, s, s), tt = response(c, i, m, t, t);
  const double st = response(c, i, m, s, t);
  return 0.5 * (ss + tt) + sqrt(0.25 * (ss - tt) * (ss - tt) + st * st);
#endif
}

/* All numbers of a contact that do not change in a step, and the impulses it begins with. */
static pushing pushing_of(const grains *g, const state *s, int unit, int touch_at) {
  const bodies *b = g->bodies;
  const touch *t = &g->groups[unit].touches[touch_at];
  const int tool = g->part_tool[t->is.part];
  const scalar *row = s->rows + (size_t)t->is.grain * GRAIN_ROW;
  const double r = (double)s->place[(size_t)t->is.grain * GRAIN_PLACE + 3], slop = GAP_SLOP * r;
  const scalar *share = g->kind_share + (size_t)t->is.grain * 4;
  const cq_rigid_mover *m = &b->movers[b->of_tool[tool]];
  const ball i = load(row);
  pushing c = {.grain = t->is.grain,
               .body = b->of_tool[tool],
               .unit = unit,
               .touch = touch_at,
               .arm = r + (double)t->gap,
               .friction = g->wall_friction[tool],
               .roll = (double)(share[1] * share[1]) * r,
               .pn = (double)t->is.p[0]};
  FOR_EACH_AXIS(a) {
    c.n[a] = (double)t->n[a];
    c.r[a] = (double)t->at[a];
    c.belt[a] = m->belt[a];
    c.pt[a] = (double)t->is.p[1 + a];
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    c.pr[(CQ_DIM == 2 ? 2 : 0) + k] = (double)t->is.p[1 + CQ_DIM + k];
  }
  c.kn = 1.0 / response(&c, &i, m, c.n, c.n);
  c.kt = 1.0 / response_across(&c, &i, m);
  c.kr = 1.0 / (i.ii + m->inverse[0][0] + m->inverse[1][1] + m->inverse[2][2]);
  c.bias = (double)gap_bias(t->gap, K(slop), t->rate, share[2] * share[2], g->dt, g->inverse_dt,
                            g->bounce_above);
  c.pull = t->gap < K(slop) ? (double)(share[3] * share[3] * g->dt) : 0.0;
  return c;
}

/* Is touch k of a unit one with a body that it moves? */
bool V(cq_grains_moves)(const grains *g, const touch *t) {
  return g->bodies != NULL && g->bodies->moves[g->part_tool[t->is.part]];
}

/* In the order of units and their touches, so that one thread solves them in a fixed order. */
cq_status V(cq_grains_bodies_meet)(grains *g, const state *s) {
  bodies *b = g->bodies;
  size_t n = 0;
  if (b == NULL) {
    return CQ_OK;
  }
  for (int u = 0; u < s->head->n_units; u++) {
    n += (size_t)g->groups[u].n_touches;
  }
  CQ_TRY(V(cq_grains_reserve)(g, (void **)&b->list, &b->room, n, sizeof *b->list));
  b->n_list = 0;
  for (int u = 0; u < s->head->n_units; u++) {
    for (int k = 0; k < g->groups[u].n_touches; k++) {
      if (V(cq_grains_moves)(g, &g->groups[u].touches[k])) {
        b->list[b->n_list++] = pushing_of(g, s, u, k);
      }
    }
  }
  return CQ_OK;
}

/* The impulses that contacts begin with. */
void V(cq_grains_bodies_push)(const grains *g, const state *s) {
  bodies *b = g->bodies;
  for (int k = 0; b != NULL && k < b->n_list; k++) {
    const pushing *c = &b->list[k];
    scalar *row = s->rows + (size_t)c->grain * GRAIN_ROW;
    ball i = load(row);
    double p[3];
    for (int a = 0; a < 3; a++) {
      p[a] = c->pn * c->n[a] + c->pt[a];
    }
    push(c, p, &i, &b->movers[c->body]);
    twist(c->pr, &i, &b->movers[c->body]);
    store(&i, row);
  }
  if (b != NULL) {
    cq_rigids_push(&b->rigids, b->sweeps, b->movers);
  }
}

/* Bodies and grains, then bodies, walls and drives. */
void V(cq_grains_bodies_solve)(const grains *g, const state *s) {
  bodies *b = g->bodies;
  cq_rigids_movers(&b->rigids, b->sweeps, b->movers);
  for (int k = 0; k < b->n_list; k++) {
    pushing *c = &b->list[k];
    scalar *row = s->rows + (size_t)c->grain * GRAIN_ROW;
    ball i = load(row);
    solve(c, &i, &b->movers[c->body], g->rolls);
    store(&i, row);
  }
  cq_rigids_push(&b->rigids, b->sweeps, b->movers);
  cq_rigids_sweep(&b->rigids, b->sweeps);
}

void V(cq_grains_bodies_take_back)(const grains *g) {
  const bodies *b = g->bodies;
  for (int k = 0; b != NULL && k < b->n_list; k++) {
    const pushing *c = &b->list[k];
    scalar *p = g->groups[c->unit].touches[c->touch].is.p;
    p[0] = K(c->pn);
    FOR_EACH_AXIS(a) {
      p[1 + a] = K(c->pt[a]);
    }
    for (int q = 0; q < GRAIN_SPINS; q++) {
      p[1 + CQ_DIM + q] = K(c->pr[(CQ_DIM == 2 ? 2 : 0) + q]);
    }
  }
}
