/* The adjoint of one step on the CPU. The grid of the forward step is built again from the state at
 * its beginning; then, for each seed: particles' gradients to the grid (A, B, C of the supplement),
 * grid (D, E, L), grid to particles (F to K). The slab of a seed is updated in place. */
#include "mpm_ref.h"

#include "mpm_inputs.h"
#include "point/check.h"

#include <string.h>

static cq_status open_adjoint(ref *c, ref_adjoint *a) {
  CQ_TRY(CQ_ALLOC(c->ctx, a->state, c->stride * CQ_STATE_COMPONENTS));
  CQ_TRY(CQ_ALLOC(c->ctx, a->pressed, c->pressed.n));
  return CQ_ALLOC(c->ctx, a->substance, 4 * (size_t)c->n);
}

/* Slabs are kept from sweep to sweep. */
static cq_status reserve_adjoints(ref *c, int n_seeds) {
  if (n_seeds <= c->n_adjoints) {
    return CQ_OK;
  }
  V(cq_ref_free_adjoints)(c);
  CQ_TRY(CQ_ALLOC(c->ctx, c->adjoints, n_seeds));
  c->n_adjoints = n_seeds;
  for (int s = 0; s < n_seeds; s++) {
    CQ_TRY(open_adjoint(c, &c->adjoints[s]));
  }
  return CQ_OK;
}

void V(cq_ref_adjoint_forget)(void *work) {
  ref *c = work;
  for (int s = 0; s < c->n_seeds; s++) {
    ref_adjoint *a = &c->adjoints[s];
    memset(a->state, 0, c->stride * CQ_STATE_COMPONENTS * sizeof *a->state);
    pressed_clear_all(&c->pressed, a->pressed);
  }
}

cq_status V(cq_ref_adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds, const void *last) {
  ref *c = work;
  CQ_TRY(reserve_adjoints(c, n_seeds));
  c->n_seeds = n_seeds;
  V(cq_ref_adjoint_forget)(c);
  for (int s = 0; s < n_seeds; s++) {
    ref_adjoint *a = &c->adjoints[s];
    memset(a->substance, 0, 4 * (size_t)c->n * sizeof *a->substance);
    memset(a->grid, 0, sizeof a->grid);
    if (seeds[s].terminal != NULL) {
      V(cq_mpm_slab_from)(c->layout, (size_t)c->n, c->stride, NULL, seeds[s].terminal, a->state);
    }
  }
  CQ_TRY(WIDE(cq_between_adjoint_begin)(c->between, n_seeds));
  return WIDE(cq_bodies_adjoint_begin)(c->bodies, n_seeds, seeds, ref_bodies(c, last));
}

/* --- particles to grid: C -------------------------------------------------------------------- */

/* Adds what a particle's adjoint wants of the velocities of its nodes. */
static void scatter_adjoint(ref *c, const ref_adjoint *adjoint, const real *state, int p) {
  const particle q = ref_load_settled(c, state, p);
  const particle d = slab_load(adjoint->state, c->stride, p);
  int base[CQ_DIM];
  ref_base(c, q.x, base);
  const stencil s = spline_stencil(q.x, base, c->t.dx, c->t.inv_dx);
  const gathered g = g2p_gathered_adjoint(&c->t, q.F, &d);
  const size_t first = ref_first(c, p, base);
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    vec *to = &c->dnodes[first + c->stencil[k]];
    *to = vec_add(
        *to, g2p_node_velocity_adjoint(&g, spline_weight(&s, offset), spline_dpos(&s, offset)));
  }
}

/* --- grid: D, E, L --------------------------------------------------------------------------- */

/* dnodes holds dL/dv on entry, dL/dp on return; sums gets this plane's part of the
 * gradient of gravity, damping and friction. */
static void grid_adjoint_plane(ref *c, int plane, const pressed *seed, double *sums) {
  grid_inputs din;
  memset(&din, 0, sizeof din);
  const size_t n = ref_plane(c), first = (size_t)plane * n;
  const grid_memory memory = ref_memory(c, plane, seed);
  for (size_t i = 0; i < n; i++) {
    const node at = c->nodes[first + i];
    if (!(at.mass > K(0))) {
      continue;
    }
    int index[CQ_DIM];
    ref_node_index(c, plane, i, index);
    real dmass = K(0);
    const vec du = grid_velocity_adjoint(&c->g, &c->in, c->decay, index, c->mean[first + i],
                                         at.mass, c->dnodes[first + i], memory, &din, &dmass);
    if (c->touched) {
      c->dmass[first + i] += dmass;
    }
    c->dnodes[first + i] = vec_scale(K(1) / at.mass, du);
  }
  FOR_AXES(a) {
    sums[a] = (double)din.gravity.v[a];
  }
  sums[CQ_DIM] = (double)din.damping;
  for (int i = 0; i < c->g.n_walls; i++) {
    sums[CQ_DIM + 1 + i] = (double)din.friction[i];
  }
}

/* --- grid to particles: F to K --------------------------------------------------------------- */

/* The adjoint of a particle at the beginning of the step, from those of its nodes. */
static bool gather_adjoint(ref *c, ref_adjoint *adjoint, const real *state, int p, double *dw) {
  const driver drive = ref_driver(c, p);
  particle q = ref_load_settled(c, state, p), d = slab_load(adjoint->state, c->stride, p);
  q.v = p2g_pushed(&c->t, drive, q.x, q.v);
  const substance sub = ref_substance(c, p);
  int base[CQ_DIM];
  ref_base(c, q.x, base);
  const stencil s = spline_stencil(q.x, base, c->t.dx, c->t.inv_dx);
  const packet r = p2g_packet(&c->t, drive, sub, q);
  const gathered dg = g2p_gathered_adjoint(&c->t, q.F, &d);
  const size_t first = ref_first(c, p, base);
  packet dr;
  gathered g;
  memset(&dr, 0, sizeof dr);
  memset(&g, 0, sizeof g);
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    const real weight = spline_weight(&s, offset);
    const vec gradient = spline_weight_gradient(&s, offset), dpos = spline_dpos(&s, offset);
    const size_t i = first + c->stencil[k];
    const vec relative = vec_sub(c->velocity[i], q.v);
    g2p_node(&g, weight, dpos, relative);
    g2p_node_position_adjoint(&dg, gradient, dpos, relative, &d.x);
    p2g_node_adjoint(&r, q.v, weight, gradient, dpos, c->dnodes[i], c->mean[i], &dr, &d.x);
    if (c->bodies != NULL || c->touched) {
      dr.mass += weight * c->dmass[i];
      d.x = vec_axpy(d.x, r.mass * c->dmass[i], gradient);
    }
  }
  d.x = vec_add(d.x, vec_add(g2p_offset_adjoint(&dg, &g), p2g_offset_adjoint(&r, &dr)));
  /* what of the end of the step depends on the state itself, then what depends through the grid */
  particle out;
  memset(&out, 0, sizeof out);
  out.x = d.x;
  out.F = mat_t_mul(g2p_increment(&c->t, g2p_affine(&c->t, &g)), d.F);
  substance ds;
  memset(&ds, 0, sizeof ds);
  real dw_particle[CQ_ACTUATOR_MAX_DRIVES] = {0};
  p2g_packet_adjoint(&c->t, drive, sub, q, dr, &out, &ds, dw_particle);
  out.F = material_settle_adjoint(drive.material, slab_load(state, c->stride, p).F, out.F);
  slab_store(adjoint->state, c->stride, p, out);

  const size_t n = (size_t)c->n;
  double *sums = adjoint->substance + p;
  sums[0] += (double)ds.E;
  sums[n] += (double)ds.nu;
  sums[2 * n] += (double)ds.density;
  sums[3 * n] += (double)ds.volume;
  for (int i = 0; drive.a != NULL && i < drive.a->n_drives; i++) {
    dw[drive.a->first_drive + i] += (double)dw_particle[i];
  }
  return particle_is_finite(&out);
}

/* --- one step -------------------------------------------------------------------------------- */

/* Gradients of the nodes of one seed; fills adjoint->grid. */
static cq_status sweep_grid(ref *c, int step, int seed, const real *state, double *sums) {
  ref_adjoint *adjoint = &c->adjoints[seed];
  const size_t plane = ref_plane(c);
  cq_status met = CQ_OK;
  for (int f = 0; f < c->n_fields; f++) {
    pressed_begin_adjoint(&c->pressed, ref_near(c, f));
  }
#pragma omp parallel num_threads(c->threads)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < ref_planes(c); i++) {
      memset(c->dnodes + (size_t)i * plane, 0, plane * sizeof *c->dnodes);
      if (c->bodies != NULL || c->touched) {
        memset(c->dmass + (size_t)i * plane, 0, plane * sizeof *c->dmass);
      }
    }
    for (int parity = 0; parity < 2; parity++) {
#pragma omp for schedule(dynamic, 1)
      for (int b = parity; b < c->n_blocks; b += 2) {
        for (int k = c->block_start[b]; k < c->block_start[b + 1]; k++) {
          scatter_adjoint(c, adjoint, state, c->order[k]);
        }
      }
    }
    if (c->g.mirrors) {
#pragma omp single
      V(cq_ref_mirror_adjoint)(c);
    }
    if (c->bodies != NULL) {
#pragma omp single
      met = V(cq_ref_meet_adjoint)(c, seed, step);
    }
#pragma omp for schedule(static)
    for (int i = 0; i < ref_planes(c); i++) {
      grid_adjoint_plane(c, i, adjoint->pressed, sums + (size_t)i * CQ_GRID_SUMS);
    }
    if (c->between != NULL) {
#pragma omp single
      V(cq_ref_between_adjoint)(c, seed);
    }
  }
  for (int f = 0; f < c->n_fields; f++) {
    pressed_end_adjoint(&c->pressed, ref_near(c, f), adjoint->pressed);
  }
  for (int i = 0; i < ref_planes(c); i++) {
    for (int k = 0; k < CQ_DIM + 1 + c->g.n_walls; k++) {
      adjoint->grid[k] += sums[(size_t)i * CQ_GRID_SUMS + (size_t)k];
    }
  }
  return met;
}

/* Gradients of the particles of one seed; dw is overwritten. Returns the first particle whose
 * gradient is not finite, or n. */
static int sweep_particles(ref *c, ref_adjoint *adjoint, const real *state, double *sums,
                           double *dw) {
  const int n_w = c->model->n_drives, chunks = (c->n + CQ_CHUNK - 1) / CQ_CHUNK;
  int first_bad = c->n;
  memset(sums, 0, (size_t)chunks * (size_t)n_w * sizeof *sums);
#pragma omp parallel for num_threads(c->threads) schedule(static) reduction(min : first_bad)
  for (int k = 0; k < chunks; k++) {
    const int last = (k + 1) * CQ_CHUNK < c->n ? (k + 1) * CQ_CHUNK : c->n;
    for (int p = k * CQ_CHUNK; p < last; p++) {
      const bool good = gather_adjoint(c, adjoint, state, p, sums + (size_t)k * (size_t)n_w);
      first_bad = good || first_bad < p ? first_bad : p;
    }
  }
  memset(dw, 0, (size_t)n_w * sizeof *dw);
  for (int k = 0; k < chunks; k++) {
    for (int i = 0; i < n_w; i++) {
      dw[i] += sums[(size_t)k * (size_t)n_w + (size_t)i];
    }
  }
  return first_bad;
}

/* The grid of the step once more, then seed by seed through it and the particles. */
cq_status V(cq_ref_step_adjoint)(void *work, int step, const void *state, const double *w,
                                 double *dw) {
  ref *c = work;
  CQ_TRY(V(cq_ref_fill_grid)(c, step, state, w));
  const size_t n_w = (size_t)c->model->n_drives;
  const size_t planes = (size_t)ref_planes(c) * CQ_GRID_SUMS;
  const size_t chunks = ((size_t)c->n + CQ_CHUNK - 1) / CQ_CHUNK * n_w;
  CQ_TRY(V(cq_ref_reserve_sums)(c, planes > chunks ? planes : chunks));
  for (int s = 0; s < c->n_seeds; s++) {
    ref_adjoint *adjoint = &c->adjoints[s];
    CQ_TRY(sweep_grid(c, step, s, state, c->sums));
    const int bad = sweep_particles(c, adjoint, state, c->sums, dw + (size_t)s * n_w);
    WIDE(cq_bodies_put_controls)(c->bodies, s, dw + (size_t)s * n_w);
    if (c->cables.n_anchors > 0) {
      V(cq_ref_pull_adjoint)(c, adjoint, state, dw + (size_t)s * n_w);
    }
    if (bad < c->n) {
      return V(cq_mpm_fail_backward)(c->ctx, step, bad, slab_position(state, c->stride, bad),
                                     &c->failure);
    }
  }
  return CQ_OK;
}

void V(cq_ref_adjoint_end)(void *work, int seed, double *gradient) {
  const ref *c = work;
  const ref_adjoint *a = &c->adjoints[seed];
  const size_t *at = c->layout->offset;
  V(cq_mpm_slab_to)(c->layout, (size_t)c->n, c->stride, NULL, a->state, gradient);
  for (size_t k = 0, n = (size_t)c->n; k < 4; k++) {
    memcpy(gradient + at[CQ_INPUT_youngs_modulus + k], a->substance + k * n, n * sizeof *gradient);
  }
  V(cq_mpm_put_grid_sums)(c->layout, a->grid, gradient);
  WIDE(cq_bodies_adjoint_end)(c->bodies, seed, gradient);
  WIDE(cq_between_adjoint_end)(c->between, seed, gradient);
}

void V(cq_ref_adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms) {
  const ref *c = work;
  *norms = (cq_adjoint_norms){{0.0}};
  for (int p = 0; p < c->n; p++) {
    V(cq_mpm_add_squares)(slab_load(c->adjoints[seed].state, c->stride, p), norms);
  }
  WIDE(cq_bodies_add_squares)(c->bodies, seed, norms);
  V(cq_mpm_take_roots)(norms);
}

cq_status V(cq_ref_contacts)(const void *work, cq_contacts *contacts) {
  const ref *c = work;
  const size_t plane = ref_plane(c), n = (size_t)ref_planes(c) * plane;
  for (size_t i = 0; i < n; i++) {
    int index[CQ_DIM];
    ref_node_index(c, (int)(i / plane), i % plane, index);
    if (c->nodes[i].mass > K(0)) {
      CQ_TRY(V(cq_mpm_touch)(&c->g, &c->in, c->decay, index, c->mean[i], c->nodes[i].mass,
                             ref_memory(c, (int)(i / plane), NULL), contacts));
    }
  }
  return CQ_OK;
}
