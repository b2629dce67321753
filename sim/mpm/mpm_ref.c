/* One step on the CPU: sort, particles to grid, grid, grid to particles. */
#include "mpm_ref.h"

#include "mpm_inputs.h"

#include <string.h>

/* --- sort ------------------------------------------------------------------------------------ */

static int block_of_plane(int base) {
  return base / CQ_BLOCK;
}

/* The box of nodes that particles touch. */
static void find_box(ref *c, const real *state) {
  int low[CQ_DIM], high[CQ_DIM];
  FOR_AXES(a) {
    low[a] = c->g.count[a];
    high[a] = 0;
  }
  for (int p = 0; p < c->n; p++) {
    int base[CQ_DIM];
    ref_base(c, slab_position(state, c->stride, p), base);
    c->block_of[p] = block_of_plane(base[0]);
    FOR_AXES(a) {
      low[a] = base[a] < low[a] ? base[a] : low[a];
      high[a] = base[a] > high[a] ? base[a] : high[a];
    }
  }
  FOR_AXES(a) {
    low[a] = c->n > 0 ? low[a] : 0;
    c->low[a] = low[a];
    c->size[a] = high[a] - low[a] + 3;
  }
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    c->stencil[k] = 0;
    FOR_AXES(a) {
      c->stencil[k] = c->stencil[k] * (size_t)c->size[a] + (size_t)offset[a];
    }
  }
}

/* Stable counting sort of particle indices by block; blocks count from the box's first one. */
static void sort_blocks(ref *c) {
  const int first = block_of_plane(c->low[0]);
  c->n_blocks = block_of_plane(c->low[0] + c->size[0] - 3) - first + 1;
  int *start = c->block_start;
  memset(start, 0, (size_t)(c->n_blocks + 1) * sizeof *start);
  for (int p = 0; p < c->n; p++) {
    start[c->block_of[p] - first + 1]++;
  }
  for (int b = 0; b < c->n_blocks; b++) {
    start[b + 1] += start[b];
  }
  for (int p = 0; p < c->n; p++) {
    c->order[start[c->block_of[p] - first]++] = p;
  }
  for (int b = c->n_blocks; b > 0; b--) {
    start[b] = start[b - 1];
  }
  start[0] = 0;
}

/* Room for the nodes of the active box, which grows and never shrinks. */
static cq_status reserve_nodes(ref *c) {
  const size_t needed = (size_t)ref_planes(c) * ref_plane(c);
  if (needed <= c->node_capacity) {
    return CQ_OK;
  }
  cq_free(c->ctx, c->nodes);
  cq_free(c->ctx, c->mean);
  cq_free(c->ctx, c->velocity);
  cq_free(c->ctx, c->ahead);
  cq_free(c->ctx, c->dnodes);
  cq_free(c->ctx, c->dmass);
  c->nodes = NULL;
  c->mean = c->velocity = c->ahead = c->dnodes = NULL;
  c->dmass = NULL;
  c->node_capacity = 0;
  const size_t room = needed + needed / 2;
  CQ_TRY(CQ_ALLOC(c->ctx, c->nodes, room));
  CQ_TRY(CQ_ALLOC(c->ctx, c->mean, room));
  CQ_TRY(CQ_ALLOC(c->ctx, c->velocity, room));
  CQ_TRY(CQ_ALLOC(c->ctx, c->ahead, c->g.mirrors ? room : 0));
  CQ_TRY(CQ_ALLOC(c->ctx, c->dnodes, room));
  CQ_TRY(CQ_ALLOC(c->ctx, c->dmass, c->bodies != NULL || c->touched ? room : 0));
  c->node_capacity = room;
  return CQ_OK;
}

cq_status V(cq_ref_reserve_sums)(ref *c, size_t n) {
  if (n > c->sums_capacity) {
    cq_free(c->ctx, c->sums);
    c->sums_capacity = 0;
    CQ_TRY(CQ_ALLOC(c->ctx, c->sums, n));
    c->sums_capacity = n;
  }
  return CQ_OK;
}

/* --- particles to grid ----------------------------------------------------------------------- */

/* Adds the mass and the momentum of a particle to its nodes. */
static void scatter_particle(ref *c, const real *state, int p) {
  const driver drive = ref_driver(c, p);
  particle q = ref_load_settled(c, state, p);
  q.v = p2g_pushed(&c->t, drive, q.x, q.v);
  int base[CQ_DIM];
  ref_base(c, q.x, base);
  const stencil s = spline_stencil(q.x, base, c->t.dx, c->t.inv_dx);
  const packet r = p2g_packet(&c->t, drive, ref_substance(c, p), q);
  const size_t first = ref_first(c, p, base);
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    const node add = p2g_node(&r, spline_weight(&s, offset), spline_dpos(&s, offset));
    node *to = &c->nodes[first + c->stencil[k]];
    to->mass += add.mass;
    to->momentum = vec_add(to->momentum, add.momentum);
  }
}

static void update_plane(ref *c, int plane) {
  const size_t n = ref_plane(c), first = (size_t)plane * n;
  const grid_memory memory = ref_memory(c, plane, NULL);
  for (size_t i = 0; i < n; i++) {
    const node at = c->nodes[first + i];
    int index[CQ_DIM];
    ref_node_index(c, plane, i, index);
    const bool empty = !(at.mass > K(0));
    const vec u = empty ? vec_zero() : grid_mean_velocity(at);
    c->mean[first + i] = u;
    c->velocity[first + i] =
        empty ? u : grid_velocity(&c->g, &c->in, c->decay, index, u, at.mass, memory);
  }
}

/* Masses and momenta of the grid, and from them velocities between the walls. */
cq_status V(cq_ref_fill_grid)(ref *c, int step, const real *state, const double *w) {
  for (int i = 0; i < c->model->n_drives; i++) {
    c->w[i] = K(w[i]);
  }
  CQ_TRY(WIDE(cq_bodies_begin)(c->bodies, step, ref_bodies(c, state), w));
  find_box(c, state);
  sort_blocks(c);
  CQ_TRY(reserve_nodes(c));
  for (int f = 0; f < c->n_fields; f++) {
    pressed_begin(&c->pressed, ref_near(c, f), ref_pressed(c, state));
  }
  const size_t plane = ref_plane(c);
  cq_status met = CQ_OK;
#pragma omp parallel num_threads(c->threads)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < ref_planes(c); i++) {
      memset(c->nodes + (size_t)i * plane, 0, plane * sizeof *c->nodes);
    }
    for (int parity = 0; parity < 2; parity++) {
#pragma omp for schedule(dynamic, 1)
      for (int b = parity; b < c->n_blocks; b += 2) {
        for (int k = c->block_start[b]; k < c->block_start[b + 1]; k++) {
          scatter_particle(c, state, c->order[k]);
        }
      }
    }
    if (c->cables.n_anchors > 0) {
#pragma omp single
      V(cq_ref_pull)(c, state);
    }
    if (c->between != NULL) {
#pragma omp single
      met = V(cq_ref_between)(c, ref_contacts(c, state));
    }
#pragma omp for schedule(static)
    for (int i = 0; i < ref_planes(c); i++) {
      update_plane(c, i);
    }
  }
  CQ_TRY(met);
  CQ_TRY(c->bodies != NULL ? V(cq_ref_meet)(c) : CQ_OK);
  V(cq_ref_mirror)(c);
  return CQ_OK;
}

/* --- grid to particles ----------------------------------------------------------------------- */

/* A particle at the end of the step, from the velocities of its nodes. */
static particle gather_particle(const ref *c, const real *state, int p) {
  const particle q = ref_load_settled(c, state, p);
  int base[CQ_DIM];
  ref_base(c, q.x, base);
  const stencil s = spline_stencil(q.x, base, c->t.dx, c->t.inv_dx);
  const size_t first = ref_first(c, p, base);
  gathered g;
  memset(&g, 0, sizeof g);
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    g2p_node(&g, spline_weight(&s, offset), spline_dpos(&s, offset),
             c->velocity[first + c->stencil[k]]);
  }
  return g2p_particle(&c->t, q, &g);
}

/* A step: the grid, then particle by particle, with its checks and counts. */
cq_status V(cq_ref_step)(void *work, int step, void *in, void *out, const double *w, bool count) {
  ref *c = work;
  CQ_TRY(V(cq_ref_fill_grid)(c, step, in, w));
  int first_bad = c->n;
  long long inverted = 0, clamped = 0;
#pragma omp parallel for num_threads(c->threads) schedule(static)                                  \
    reduction(min : first_bad) reduction(+ : inverted, clamped)
  for (int p = 0; p < c->n; p++) {
    const particle q = gather_particle(c, in, p);
    double value = 0.0;
    if (V(cq_mpm_check)(c->model, &c->t, c->own->material[p], q, &value) != CQ_OK &&
        p < first_bad) {
      first_bad = p;
    }
    if (mat_det(q.F) <= K(0)) {
      inverted++;
      clamped += polar_decompose(q.F).clamped;
    }
    slab_store(out, c->stride, p, q);
  }
  c->tally.of[CQ_TALLY_INVERTED] += count ? inverted : 0;
  c->tally.of[CQ_TALLY_CLAMPED] += count ? clamped : 0;
  if (first_bad < c->n) {
    return V(cq_mpm_fail)(c->ctx, c->model, &c->t, step, first_bad,
                          slab_load(out, c->stride, first_bad), &c->failure);
  }
  WIDE(cq_between_end)(c->between, ref_contacts(c, in), ref_contacts(c, out));
  for (int f = 0; f < c->n_fields; f++) {
    pressed_end(&c->pressed, ref_near(c, f), ref_pressed(c, out));
  }
  return WIDE(cq_bodies_end)(c->bodies, step, ref_bodies(c, in), ref_bodies(c, out), &c->failure);
}
