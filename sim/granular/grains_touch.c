/* Contacts of grains with walls and tools: at most GRAIN_SURFACE of a grain, the deepest, each part
 * of a tool with a contact of its own. Positions in double: a tool may be far from the origin. */
#include "grains_bodies.h"

#include "point/tool_touch.h"
#include "status.h"

#include <string.h>

/* the impulse that a grain had with this part, or nothing */
static void take_impulse(const grains *g, const state *s, int *old, touch *t) {
  while (*old < s->head->n_touches && s->touches[*old].grain < t->is.grain) {
    (*old)++;
  }
  memset(t->is.p, 0, sizeof t->is.p);
  for (int k = *old; g->own->warm && k < s->head->n_touches && s->touches[k].grain == t->is.grain;
       k++) {
    if (s->touches[k].part == t->is.part) {
      memcpy(t->is.p, s->touches[k].p, sizeof t->is.p);
    }
  }
  scalar along = K(0);
  FOR_EACH_AXIS(a) {
    along += t->is.p[1 + a] * t->n[a];
  }
  FOR_EACH_AXIS(a) {
    t->is.p[1 + a] -= along * t->n[a];
  }
}

/* All contacts of grain i; returns their number. */
static int touch_grain(const grains *g, const state *s, int i, touch *of) {
  const scalar *place = s->place + (size_t)i * GRAIN_PLACE;
  const scalar *row = s->rows + (size_t)i * GRAIN_ROW;
  double x[3] = {0}, speed = 0.0;
  scalar gaps[GRAIN_SURFACE];
  const double r = (double)place[3];
  FOR_EACH_AXIS(a) {
    x[a] = (double)place[a];
    speed += (double)row[ROW_V + a] * (double)row[ROW_V + a];
  }
  speed = sqrt(speed);
  int n = 0;
  for (int k = 0; k < g->n_parts; k++) {
    const cq_tool_pose *pose = &s->poses[g->part_tool[k]];
    double v[3], rate = 0.0;
    cq_tool_touch at;
    const double fast = g->tool_speed[g->part_tool[k]] + speed;
    if (g->cyclic >= 0) {
      x[g->cyclic] = tool_image(&g->placed[k], g->cyclic, (double)g->low[g->cyclic],
                                (double)g->period, x[g->cyclic]);
    }
    if (!cq_tool_touches(&g->own->tools[g->part_tool[k]], g->part[k], &g->placed[k], pose, CQ_DIM,
                         x, touch_reach(r, fast, g->model->dt), &at)) {
      continue;
    }
    touch t = {.is = {.grain = i, .part = k}, .gap = K(at.distance - r)};
    double where[3] = {0};
    FOR_EACH_AXIS(a) {
      where[a] = x[a] - at.distance * at.normal[a];
    }
    cq_tool_velocity(pose, CQ_DIM, where, v);
    FOR_EACH_AXIS(a) {
      t.n[a] = K(at.normal[a]);
      t.at[a] = K(where[a] - pose->x[a]);
      t.v[a] = K(v[a]);
      rate += ((double)row[ROW_V + a] - v[a]) * at.normal[a];
    }
    const double gap = at.distance - r;
    if (touch_near(gap, rate, r, g->model->dt)) {
      t.rate = K(rate);
      const int to = touch_enters(gaps, n, GRAIN_SURFACE, t.gap);
      if (to >= 0) {
        of[to] = t;
        gaps[to] = t.gap;
        n = to == n ? n + 1 : n;
      }
    }
  }
  return n;
}

/* A contact with a tool becomes lane l of a block. */
static void put_touch(const grains *g, const state *s, const touch *t, int slot, surface_block *to,
                      int l) {
  const scalar *row = s->rows + (size_t)t->is.grain * GRAIN_ROW;
  const scalar r = s->place[(size_t)t->is.grain * GRAIN_PLACE + 3];
  const scalar *share = g->kind_share + (size_t)t->is.grain * 4;
  const int tool = g->part_tool[t->is.part];
  const cq_tool_pose *pose = &s->poses[tool];
  block *b = &to->b;
  vec n;
  b->i[l] = t->is.grain;
  b->j[l] = t->is.part;
  b->slot[l] = slot;
  FOR_EACH_AXIS(a) {
    n.v[a] = b->n[a][l] = t->n[a];
    to->v[a][l] = t->v[a];
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    to->w[k][l] = K(pose->w[CQ_DIM == 2 ? 2 : k]);
  }
  const contact c = touch_contact(n, t->gap, t->rate, r, row[ROW_IM], row[ROW_II], share,
                                  K(g->wall_friction[tool]), g->dt, g->inverse_dt, g->bounce_above);
  b->arm[l] = c.arm;
  b->kn[l] = c.kn;
  b->kt[l] = c.kt;
  b->kr[l] = c.kr;
  b->bias[l] = c.bias;
  b->friction[l] = c.friction;
  b->roll[l] = c.roll;
  b->pull[l] = c.pull;
  for (int k = 0; k < 1 + CQ_DIM + GRAIN_SPINS; k++) {
    b->p[k][l] = t->is.p[k];
  }
}

/* a lane that stands for nothing */
static void put_nothing(surface_block *to, int dummies, int l) {
  FOR_EACH_AXIS(a) {
    to->b.n[a][l] = to->v[a][l] = K(0);
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    to->w[k][l] = K(0);
  }
  to->b.i[l] = to->b.j[l] = dummies + l;
  to->b.slot[l] = -1;
  to->b.arm[l] = to->b.kn[l] = to->b.kt[l] = to->b.kr[l] = to->b.bias[l] = K(0);
  to->b.friction[l] = to->b.roll[l] = to->b.pull[l] = K(0);
  for (int k = 0; k < 1 + CQ_DIM + GRAIN_SPINS; k++) {
    to->b.p[k][l] = K(0);
  }
}

/* Blocks of the k-th contacts of all grains, for each k: no two of a block share a grain. */
static void make_blocks(const grains *g, const state *s, group *unit, int dummies) {
  size_t at = 0;
  int lane = 0;
  for (int k = 0; k < GRAIN_SURFACE; k++) {
    for (int t = 0, of = 0; t < unit->n_touches; t++) {
      of = t > 0 && unit->touches[t].is.grain == unit->touches[t - 1].is.grain ? of + 1 : 0;
      if (of != k || V(cq_grains_moves)(g, &unit->touches[t])) {
        continue;
      }
      if (at < unit->surface_room) {
        put_touch(g, s, &unit->touches[t], t, &unit->surfaces[at], lane);
      }
      if (++lane == GRAIN_LANES) {
        lane = 0;
        at++;
      }
    }
    for (; lane > 0; lane = (lane + 1) % GRAIN_LANES) {
      if (at < unit->surface_room) {
        put_nothing(&unit->surfaces[at], dummies, lane);
      }
      at += lane == GRAIN_LANES - 1;
    }
  }
  unit->n_surfaces = (int)at;
  unit->full = unit->full || at > unit->surface_room;
}

/* Contacts of grains first .. last-1, which are those of a unit. */
void V(cq_grains_touch)(const grains *g, const state *s, group *unit, int first, int last) {
  int old = 0, high = s->head->n_touches;
  while (old < high) { /* the first touch of these grains */
    const int middle = (old + high) / 2;
    if (s->touches[middle].grain < first) {
      old = middle + 1;
    } else {
      high = middle;
    }
  }
  size_t n = 0;
  for (int i = first; i < last; i++) {
    touch of[GRAIN_SURFACE];
    const int count = touch_grain(g, s, i, of);
    for (int k = 0; k < count; k++, n++) {
      if (n < unit->touch_room) {
        take_impulse(g, s, &old, &of[k]);
        unit->touches[n] = of[k];
        const scalar depth = -of[k].gap / s->place[(size_t)i * GRAIN_PLACE + 3];
        unit->deepest = depth > unit->deepest ? depth : unit->deepest;
      }
    }
  }
  unit->wants_touches = n;
  unit->full = unit->full || n > unit->touch_room;
  unit->n_touches = (int)(n < unit->touch_room ? n : unit->touch_room);
  make_blocks(g, s, unit, g->n + (int)(unit - g->groups) * GRAIN_DUMMIES);
}

/* The impulses of a unit's blocks go back to its touches. */
static void take_back(group *unit) {
  for (int k = 0; k < unit->n_surfaces; k++) {
    const block *b = &unit->surfaces[k].b;
    for (int l = 0; l < GRAIN_LANES; l++) {
      for (int i = 0; i < 1 + CQ_DIM + GRAIN_SPINS && b->slot[l] >= 0; i++) {
        unit->touches[b->slot[l]].is.p[i] = b->p[i][l];
      }
    }
  }
}

/* Adds what a touch does to its tool: force, and torque about the origin. */
static void add_wrench(const grains *g, const touch *t) {
  double *to = g->wrench + 6 * (size_t)g->part_tool[t->is.part];
  double f[3] = {0}, at[3] = {0};
  FOR_EACH_AXIS(a) {
    f[a] = -((double)t->is.p[0] * (double)t->n[a] + (double)t->is.p[1 + a]) / g->model->dt;
    at[a] = (double)t->at[a];
    to[a] += f[a];
  }
  to[3] += at[1] * f[2] - at[2] * f[1];
  to[4] += at[2] * f[0] - at[0] * f[2];
  to[5] += at[0] * f[1] - at[1] * f[0];
}

/* Impulses of touches go to the state, and to what pushes the tools. */
cq_status V(cq_grains_keep_touches)(grains *g, int step, const state *s) {
  size_t n = 0;
  memset(g->wrench, 0, 6 * (size_t)g->model->n_boundaries * sizeof *g->wrench);
  for (int u = 0; u < s->head->n_units; u++) {
    n += (size_t)g->groups[u].n_touches;
  }
  if (n > g->touch_room) {
    g->failure = (cq_failure){.status = CQ_NEIGHBOURS, .step = step, .value = (double)n};
    return CQ_FAIL(g->ctx, CQ_NEIGHBOURS,
                   "step %d: %zu contacts of %d grains with walls and tools, room is for %zu: "
                   "merge walls that stand on each other",
                   step, n, g->n, g->touch_room);
  }
  s->head->n_touches = 0;
  V(cq_grains_bodies_take_back)(g);
  for (int u = 0; u < s->head->n_units; u++) {
    group *unit = &g->groups[u];
    take_back(unit);
    for (int k = 0; k < unit->n_touches; k++) {
      s->touches[s->head->n_touches++] = unit->touches[k].is;
      add_wrench(g, &unit->touches[k]);
    }
  }
  return CQ_OK;
}
