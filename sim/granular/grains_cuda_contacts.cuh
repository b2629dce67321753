/* Contacts of a step: of grains with tools, and of pairs of the list. */
#ifndef CQ_GRAINS_CUDA_CONTACTS_CUH
#define CQ_GRAINS_CUDA_CONTACTS_CUH

#include "grains_cuda_shapes.cuh"

/* Asks first, since most are not the deepest. */
static __device__ inline void count_depth(const world &w, scalar depth) {
  const unsigned long long millionths =
      depth > K(0) ? (unsigned long long)(1e6 * (double)depth) : 0;
  if (millionths > *(volatile unsigned long long *)&w.out->deepest) {
    atomicMax(&w.out->deepest, millionths);
  }
}

/* --- tools ------------------------------------------------------------------------------------ */

/* A contact that a grain has with a part, before it is known whether the grain keeps it. */
typedef struct offered {
  int part;
  vec n, v, at;
  scalar gap, rate;
} offered;

/* Does the grain at x, with this velocity, touch part k? */
static __device__ inline bool meets_part(const world &w, int k, double *x, const scalar *v,
                                         double speed, double r, offered *t) {
  const part &of = w.parts[k];
  const cq_tool_place *placed = &w.placed[k];
  const cq_tool_pose *pose = &w.poses[of.tool];
  double surface[3] = {0.0, 0.0, 0.0}, where[3] = {0.0, 0.0, 0.0}, rate = 0.0;
  cq_tool_touch at;
  if (w.cyclic >= 0) {
    x[w.cyclic] =
        tool_image(placed, w.cyclic, (double)w.low[w.cyclic], (double)w.period, x[w.cyclic]);
  }
  const double reach = touch_reach(r, w.speed[of.tool] + speed, w.time_step);
  if (!part_touches(&w.shapes[k], placed, pose, of.origin, x, reach, &at)) {
    return false;
  }
  FOR_AXES(a) {
    where[a] = x[a] - at.distance * at.normal[a];
  }
  tool_velocity(pose, CQ_DIM, where, surface);
  t->part = k;
  t->gap = K(at.distance - r);
  FOR_AXES(a) {
    t->n.v[a] = K(at.normal[a]);
    t->at.v[a] = K(where[a] - pose->x[a]);
    t->v.v[a] = K(surface[a]);
    rate += ((double)v[a] - surface[a]) * at.normal[a];
  }
  t->rate = K(rate);
  return touch_near(at.distance - r, rate, r, w.time_step);
}

/* All contacts of grain i with tools, the deepest; returns their number. */
static __device__ inline int offers_of(const world &w, int i, offered *of) {
  const scalar *place = w.place + (size_t)i * GRAIN_PLACE;
  const scalar *v = w.rows + (size_t)i * GRAIN_ROW + ROW_V;
  double x[3] = {0.0, 0.0, 0.0}, speed = 0.0;
  scalar gaps[GRAIN_SURFACE];
  int n = 0;
  FOR_AXES(a) {
    x[a] = (double)place[a];
    speed += (double)v[a] * (double)v[a];
  }
  speed = sqrt(speed);
  for (int k = 0; k < w.n_parts; k++) {
    offered t;
    if (!meets_part(w, k, x, v, speed, (double)place[3], &t)) {
      continue;
    }
    const int to = touch_enters(gaps, n, GRAIN_SURFACE, t.gap);
    if (to >= 0) {
      of[to] = t;
      gaps[to] = t.gap;
      n = to == n ? n + 1 : n;
    }
  }
  return n;
}

/* The contact of grain i that this becomes. */
static __device__ inline met met_of(const world &w, int i, const offered &t) {
  const scalar *row = w.rows + (size_t)i * GRAIN_ROW;
  const scalar r = w.place[(size_t)i * GRAIN_PLACE + 3];
  const int tool = w.parts[t.part].tool;
  met m;
  m.c =
      touch_contact(t.n, t.gap, t.rate, r, row[ROW_IM], row[ROW_II], w.grain_share + (size_t)i * 4,
                    K(w.wall_friction[tool]), w.dt, w.inverse_dt, w.bounce_above);
  m.v = t.v;
  m.at = t.at;
  m.gap = t.gap;
  FOR_SPINS(k) {
    m.w.v[k] = K(w.poses[tool].w[CQ_DIM == 2 ? 2 : k]);
  }
  return m;
}

/* Gravity, then contacts with tools, which begin with the impulse that the grain had with the same
 * part. */
static __global__ void __launch_bounds__(CQ_THREADS) meet_tools(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  FOR_AXES(a) {
    w.rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a] += w.dt * w.gravity[a];
  }
  offered of[GRAIN_SURFACE];
  impulse begins[GRAIN_SURFACE];
  const int n = offers_of(w, i, of);
  for (int k = 0; k < n; k++) {
    begins[k] = no_impulse();
    for (int old = 0; w.warm && old < GRAIN_SURFACE; old++) {
      if (part_at(w, i, old) == of[k].part) {
        begins[k] = impulse_at(touch_at(w, i, old), 1);
      }
    }
    begins[k].pt = contact_across(begins[k].pt, of[k].n);
  }
  for (int k = 0; k < GRAIN_SURFACE; k++) {
    w.touches[(size_t)i * GRAIN_SURFACE + (size_t)k] = k < n ? of[k].part : -1;
    if (k < n) {
      w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k] = met_of(w, i, of[k]);
      put_impulse(touch_at(w, i, k), 1, begins[k]);
      count_depth(w, -of[k].gap / w.place[(size_t)i * GRAIN_PLACE + 3]);
    }
  }
  if (n > 0) {
    atomicAdd(&w.out->touches, (unsigned long long)n);
  }
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* What contacts need to know of grain i. */
static __device__ inline grain grain_at(const world &w, int i) {
  const scalar *place = w.place + (size_t)i * GRAIN_PLACE;
  const scalar *share = w.grain_share + (size_t)i * 4;
  const mover m = mover_at(w, i);
  grain g;
  FOR_AXES(a) {
    g.x.v[a] = place[a];
  }
  g.v = m.v;
  g.r = place[3];
  g.im = m.im;
  g.ii = m.ii;
  g.friction = share[0];
  g.roll = share[1];
  g.bounce = share[2];
  g.pull = share[3];
  return g;
}

/* A number that a pair of materials has of its own. */
static __device__ inline void take_own(scalar *to, double own) {
  if (own == own) {
    *to = K(own);
  }
}

static __device__ inline mixture mixture_of(const world &w, int a, int b, const grain &i,
                                            const grain &j) {
  mixture m = pair_mix(&i, &j);
  if (w.pairs != NULL) {
    const int row = w.kind != NULL ? w.kind[a] : 0, column = w.kind != NULL ? w.kind[b] : 0;
    const cq_granular_pair &own = w.pairs[row * w.n_materials + column];
    take_own(&m.of[0], own.friction);
    take_own(&m.of[1], own.rolling_friction);
    take_own(&m.of[2], own.restitution);
    take_own(&m.of[3], own.cohesion);
  }
  return m;
}

/* Contacts of the pairs that are near; impulses of others are forgotten. */
static __global__ void __launch_bounds__(CQ_THREADS) meet_grains(world w) {
  const int k = thread_of_all();
  if (k >= w.n_pairs) {
    return;
  }
  const grain i = grain_at(w, w.a[k]), j = grain_at(w, w.b[k]);
  const meeting m = pair_meet(&i, &j, w.cyclic, w.period, w.dt);
  impulse p = no_impulse();
  if (m.near) {
    const mixture mix = mixture_of(w, w.a[k], w.b[k], i, j);
    put_contact(w, k, pair_contact(&i, &j, &m, &mix, w.dt, w.inverse_dt, w.bounce_above));
    if (w.warm) {
      p = impulse_at(w.p + k, w.pair_room);
      p.pt = contact_across(p.pt, m.n);
    }
    atomicAdd(&w.out->contacts, 1ull);
    count_depth(w, pair_depth(&m));
  } else {
    put_none(w, k);
  }
  put_impulse(w.p + k, w.pair_room, p);
}

#endif
