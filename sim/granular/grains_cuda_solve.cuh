/* The solvers, motion, and what pushed the tools. Each number is changed in the order in which the
 * CPU's engine changes it where its grains are one unit. */
#ifndef CQ_GRAINS_CUDA_SOLVE_CUH
#define CQ_GRAINS_CUDA_SOLVE_CUH

#include "grains_cuda_contacts.cuh"

static __device__ inline mover surface_of(const met &m) {
  mover s;
  s.v = m.v;
  s.w = m.w;
  s.im = s.ii = K(0);
  return s;
}

/* touches of grain i in this step */
#define FOR_TOUCHES(k) for (int k = 0; k < GRAIN_SURFACE && part_at(w, i, k) >= 0; k++)
/* numbers of pairs of grain i */
#define FOR_AROUND(at) for (int at = w.first[i]; at < w.first[i + 1]; at++)

/* The impulses that contacts begin with, gathered by a grain. */
static __global__ void __launch_bounds__(CQ_THREADS) push(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  mover m = mover_at(w, i), other = mover_at(w, i);
  FOR_AROUND(at) {
    const int k = w.around[at];
    if (!is_contact(w, k)) {
      continue;
    }
    const contact c = contact_at(w, k);
    const impulse p = impulse_at(w.p + k, w.pair_room);
    if (w.a[k] == i) {
      contact_push(&c, &p, &m, &other, 1);
    } else {
      contact_push(&c, &p, &other, &m, 0);
    }
  }
  FOR_TOUCHES(k) {
    const contact c = w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k].c;
    const impulse p = impulse_at(touch_at(w, i, k), 1);
    contact_push(&c, &p, &m, &other, 1);
  }
  put_mover(w, i, m);
}

/* --- ncp -------------------------------------------------------------------------------------- */

/* A step of the solver for pairs first .. last - 1, which share no grain. */
static __global__ void __launch_bounds__(CQ_THREADS) solve_pairs(world w, int first, int last) {
  const int k = first + thread_of_all();
  if (k >= last || !is_contact(w, k)) {
    return;
  }
  const contact c = contact_at(w, k);
  impulse p = impulse_at(w.p + k, w.pair_room);
  mover i = mover_at(w, w.a[k]), j = mover_at(w, w.b[k]);
  contact_solve(&c, &p, &i, &j, 0, w.rolls);
  put_impulse(w.p + k, w.pair_room, p);
  put_mover(w, w.a[k], i);
  put_mover(w, w.b[k], j);
}

/* And for all touches. */
static __global__ void __launch_bounds__(CQ_THREADS) solve_touches(world w) {
  const int i = thread_of_all();
  if (i >= w.n || part_at(w, i, 0) < 0) {
    return;
  }
  mover m = mover_at(w, i);
  FOR_TOUCHES(k) {
    const met &of = w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k];
    impulse p = impulse_at(touch_at(w, i, k), 1);
    mover surface = surface_of(of);
    contact_solve(&of.c, &p, &m, &surface, 1, w.rolls);
    put_impulse(touch_at(w, i, k), 1, p);
  }
  put_mover(w, i, m);
}

/* --- jacobi ----------------------------------------------------------------------------------- */

/* contacts that grain i has in this step */
static __device__ inline scalar contacts_of(const world &w, int i) {
  scalar n = K(0);
  FOR_AROUND(at) {
    n += is_contact(w, w.around[at]) ? K(1) : K(0);
  }
  FOR_TOUCHES(k) {
    n += K(1);
  }
  return n;
}

static __device__ inline void lighten(contact *c, scalar mass, scalar turn) {
  c->kn = contact_inverse(mass);
  c->kt = contact_inverse(mass + c->arm * c->arm * turn);
  c->kr = contact_inverse(turn);
}

/* In each contact a grain has the part of its mass that it has of its contacts. */
static __global__ void __launch_bounds__(CQ_THREADS) share_pairs(world w) {
  const int k = thread_of_all();
  if (k >= w.n_pairs || !is_contact(w, k)) {
    return;
  }
  const mover i = mover_at(w, w.a[k]), j = mover_at(w, w.b[k]);
  const scalar many = contacts_of(w, w.a[k]), others = contacts_of(w, w.b[k]);
  contact c = contact_at(w, k);
  scalar mass = many * i.im, turn = many * i.ii;
  mass += others * j.im;
  turn += others * j.ii;
  lighten(&c, mass, turn);
  put_contact(w, k, c);
}

static __global__ void __launch_bounds__(CQ_THREADS) share_touches(world w) {
  const int i = thread_of_all();
  if (i >= w.n || part_at(w, i, 0) < 0) {
    return;
  }
  const mover m = mover_at(w, i);
  const scalar many = contacts_of(w, i);
  FOR_TOUCHES(k) {
    lighten(&w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k].c, many * m.im, many * m.ii);
  }
}

static __device__ inline void put_change(scalar *to, size_t apart, const mover &now,
                                         const mover &old) {
  FOR_AXES(a) {
    to[(size_t)a * apart] = now.v.v[a] - old.v.v[a];
  }
  FOR_SPINS(k) {
    to[(size_t)(CQ_DIM + k) * apart] = now.w.v[k] - old.w.v[k];
  }
}

/* What every pair would change, all from the same velocities. */
static __global__ void __launch_bounds__(CQ_THREADS) split_pairs(world w) {
  const int k = thread_of_all();
  if (k >= w.n_pairs || !is_contact(w, k)) {
    return;
  }
  const contact c = contact_at(w, k);
  const mover i = mover_at(w, w.a[k]), j = mover_at(w, w.b[k]);
  mover i_new = i, j_new = j;
  impulse p = impulse_at(w.p + k, w.pair_room);
  contact_solve(&c, &p, &i_new, &j_new, 0, w.rolls);
  put_impulse(w.p + k, w.pair_room, p);
  put_change(w.change + k, w.pair_room, i_new, i);
  put_change(w.change + (size_t)GRAIN_CHANGE * w.pair_room + k, w.pair_room, j_new, j);
}

/* The changes of a grain, gathered. */
static __global__ void __launch_bounds__(CQ_THREADS) split_grains(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const mover old = mover_at(w, i);
  mover m = old;
  FOR_AROUND(at) {
    const int k = w.around[at];
    if (!is_contact(w, k)) {
      continue;
    }
    const size_t side = w.a[k] == i ? 0 : (size_t)GRAIN_CHANGE * w.pair_room;
    const scalar *from = w.change + side + k;
    FOR_AXES(a) {
      m.v.v[a] += from[(size_t)a * w.pair_room];
    }
    FOR_SPINS(s) {
      m.w.v[s] += from[(size_t)(CQ_DIM + s) * w.pair_room];
    }
  }
  FOR_TOUCHES(k) {
    const met &of = w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k];
    impulse p = impulse_at(touch_at(w, i, k), 1);
    mover now = old, surface = surface_of(of);
    contact_solve(&of.c, &p, &now, &surface, 1, w.rolls);
    put_impulse(touch_at(w, i, k), 1, p);
    m.v = vec_add(m.v, vec_sub(now.v, old.v));
    m.w = spin_add(m.w, spin_sub(now.w, old.w));
  }
  put_mover(w, i, m);
}

/* --- the algorithm of the paper --------------------------------------------------------------- */

/* What pair k changes of grain i: for the second grain the normal turns round. */
static __device__ inline void paper_pair(const world &w, int k, int i, scalar *dv) {
  const int a = w.a[k], b = w.b[k], other = a == i ? b : a;
  scalar n[CQ_DIM], u[CQ_DIM], gap;
  if (!paper_meet(w.place + (size_t)a * GRAIN_PLACE, w.place + (size_t)b * GRAIN_PLACE, w.cyclic,
                  w.period, n, &gap)) {
    return;
  }
  FOR_AXES(x) {
    n[x] = a == i ? n[x] : -n[x];
  }
  const scalar friction = w.grain_share[4 * (size_t)a] * w.grain_share[4 * (size_t)b];
  paper_before(&w.paper, w.rows + (size_t)other * GRAIN_ROW + ROW_V, u);
  paper_change(&w.paper, w.rows + (size_t)i * GRAIN_ROW + ROW_V, u, n, gap, friction, dv);
}

/* All iterations of a grain: it sees of others only velocities that do not change in them. */
static __global__ void __launch_bounds__(CQ_THREADS) paper(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const scalar *v = w.rows + (size_t)i * GRAIN_ROW + ROW_V;
  scalar dv[CQ_DIM];
  FOR_AXES(a) {
    dv[a] = K(0);
  }
  for (int turn = 0; turn < w.iterations; turn++) {
    FOR_AROUND(at) {
      paper_pair(w, w.around[at], i, dv);
    }
    FOR_TOUCHES(k) {
      const met &of = w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k];
      if (of.gap < K(0)) {
        paper_change(&w.paper, v, of.v.v, of.c.n.v, of.gap, of.c.friction, dv);
      }
    }
  }
  FOR_AXES(a) {
    w.dv[(size_t)i * CQ_DIM + (size_t)a] = dv[a];
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) add_paper(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  FOR_AXES(a) {
    w.rows[(size_t)i * GRAIN_ROW + ROW_V + (size_t)a] += w.dv[(size_t)i * CQ_DIM + (size_t)a];
  }
}

/* --- the end of a step ------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(CQ_THREADS) move(world w) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  scalar *place = w.place + (size_t)i * GRAIN_PLACE;
  const scalar *row = w.rows + (size_t)i * GRAIN_ROW;
  bool in = true;
  FOR_AXES(a) {
    place[a] += w.dt * row[ROW_V + a];
    in = in && (a == w.cyclic ? place[a] - place[a] == K(0)
                              : place[a] >= w.low[a] && place[a] <= w.high[a]);
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    in = in && row[ROW_W + k] - row[ROW_W + k] == K(0);
  }
  if (!in) {
    atomicMax(&w.out->bad, w.n - w.id[i]);
  }
}

/* Adds what the touches of grain i do to a tool: force, and torque about its origin. */
static __device__ inline void add_wrench(const world &w, int i, int tool, double *to) {
  FOR_TOUCHES(k) {
    if (w.parts[part_at(w, i, k)].tool != tool) {
      continue;
    }
    const met &of = w.meets[(size_t)i * GRAIN_SURFACE + (size_t)k];
    const scalar *p = touch_at(w, i, k);
    double f[3] = {0.0, 0.0, 0.0}, at[3] = {0.0, 0.0, 0.0}, torque[3];
    FOR_AXES(a) {
      f[a] = -((double)p[0] * (double)of.c.n.v[a] + (double)p[1 + a]) / w.time_step;
      at[a] = (double)of.at.v[a];
    }
    cq_tool_cross(at, f, torque);
    for (int a = 0; a < 3; a++) {
      to[a] += f[a];
      to[3 + a] += torque[a];
    }
  }
}

/* What a chunk of grains does to a tool: block chunk * n_tools + tool. */
static __global__ void __launch_bounds__(CQ_THREADS) wrench_chunks(world w) {
  const int tool = (int)blockIdx.x % w.n_tools, chunk = (int)blockIdx.x / w.n_tools;
  const int first = chunk * GRAIN_CHUNK + (int)threadIdx.x;
  double sum[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int i = first; i < (chunk + 1) * GRAIN_CHUNK && i < w.n; i += CQ_THREADS) {
    add_wrench(w, i, tool, sum);
  }
  for (int a = 0; a < 6; a++) {
    const double all = block_sum(sum[a]);
    if (threadIdx.x == 0) {
      w.sums[6 * (size_t)blockIdx.x + (size_t)a] = all;
    }
  }
}

static __global__ void __launch_bounds__(CQ_THREADS) wrench_tools(world w, int n_chunks) {
  for (int a = 0; a < 6; a++) {
    double sum = 0.0;
    for (int k = (int)threadIdx.x; k < n_chunks; k += CQ_THREADS) {
      sum += w.sums[6 * ((size_t)k * w.n_tools + blockIdx.x) + (size_t)a];
    }
    const double all = block_sum(sum);
    if (threadIdx.x == 0) {
      w.wrench[6 * (size_t)blockIdx.x + (size_t)a] = all;
    }
  }
}

#endif
