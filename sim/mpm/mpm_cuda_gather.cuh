/* Nodes to particles, and the adjoint. A thread a particle; the new state may take the place of the
 * old one, as a gradient does. */
#ifndef CQ_MPM_CUDA_GATHER_CUH
#define CQ_MPM_CUDA_GATHER_CUH

#include "mpm_cuda_nodes.cuh"

static __device__ __noinline__ void count_inverted(fate *end, mat F) {
  atomicAdd(&end->inverted, 1ull);
  if (polar_decompose(F).clamped) {
    atomicAdd(&end->clamped, 1ull);
  }
}

/* A particle after the step: what its nodes give it. */
static __device__ inline particle gathered_particle(const world &w, const real *state, int i) {
  const particle q = settled(w, state, i);
  int base[CQ_DIM];
  base_of(w, q.x, base);
  const stencil s = spline_stencil(q.x, base, w.t.dx, w.t.inv_dx);
  const quad *velocity = w.velocity + w.key[i];
  gathered g;
  g.v = vec_zero();
  g.B = mat_zero();
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    g2p_node(&g, spline_weight(&s, offset), spline_dpos(&s, offset),
             quad_vec(velocity[node_apart(w, k)]));
  }
  return g2p_particle(&w.t, q, &g);
}

/* A thread a particle: its next state, checked, and counted in its cell for the next step; one that
 * failed is in none. */
static __global__ void __launch_bounds__(CQ_THREADS) gather(world w, job j) {
  const int i = thread_of_all(), step = step_of(w, j);
  bool valid = i < w.n && !stopped(w, j);
  particle q;
  q.x = vec_zero();
  if (valid) {
    real *out = state_at(w, j.i + 1);
    real value;
    q = gathered_particle(w, state_at(w, j.i), i);
    slab_store(out, w.stride, i, q);
    if (w.at->record && mat_det(q.F) <= K(0)) {
      count_inverted(w.end, q.F);
    }
    const cq_status status =
        particle_check(&w.t, w.grid, w.inversion_fails, w.material[i], q, &value);
    if (status != CQ_OK) {
      atomicMin(&w.end->failed, fate_word(step, w.id[i], status));
      w.end->stopped = out;
      valid = false;
    }
  }
  clear_totals(w, i);
  if (step + 1 < w.at->last) {
    count_in_cell(w, j.i + 1, i, q.x, valid);
  }
}

/* --- its adjoint: F to K --------------------------------------------------------------------- */

/* From nodes to what a particle carried: (F), (G), (I), (J). Takes the packet of its slot and the
 * adjoint of what it gathered; leaves in the latter's place the packet's adjoint, and with it the
 * gradient of the position, and in the slab what of F's end depends on its beginning. What the
 * material makes of it is a kernel of its own: both together want more registers than there are. */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_collect(world w, job j) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const int slot = w.slot[i], first = w.key[i];
  const parcel<packet> *carried = parcel_at<packet>(w.packets, slot);
  const gathered dg = parcel_at<gathered>(w.dpackets, slot)->what;
  const packet r = carried->what;
  const real *state = state_at(w, j.i);
  const vec x = slab_position(state, w.stride, i);
  const vec v = p2g_pushed(&w.t, driver_of(w, i), x, slab_velocity(state, w.stride, i));
  const stencil s = spline_stencil_at(carried->place, w.t.dx, w.t.inv_dx);
  real *slab = adjoint_slab(w, j);
  vec dx = slab_position(slab, w.stride, i);
  packet dr;
  gathered g;
  dr.mass = K(0);
  dr.momentum = g.v = vec_zero();
  dr.affine = g.B = mat_zero();
  FOR_STENCIL(k) {
    int offset[CQ_DIM];
    spline_offset(k, offset);
    const int at = first + node_apart(w, k);
    const real weight = spline_weight(&s, offset);
    const vec gradient = spline_weight_gradient(&s, offset), dpos = spline_dpos(&s, offset);
    const vec relative = vec_sub(quad_vec(w.velocity[at]), v);
    g2p_node(&g, weight, dpos, relative);
    g2p_node_position_adjoint(&dg, gradient, dpos, relative, &dx);
    const quad dnode = w.dnode[at];
    p2g_node_adjoint(&r, v, weight, gradient, dpos, quad_vec(dnode), quad_vec(w.mean[at]), &dr,
                     &dx);
    /* of a node that takes a share of a wall's condition by its mass; else 0 */
    const real dmass = dnode.a[CQ_QUAD - 1];
    dr.mass += weight * dmass;
    dx = vec_axpy(dx, r.mass * dmass, gradient);
  }
  dx = vec_add(dx, vec_add(g2p_offset_adjoint(&dg, &g), p2g_offset_adjoint(&r, &dr)));
  put(w.dpackets, slot, dx, dr);
  const mat dF = slab_load(slab, w.stride, i).F;
  slab_store_F(slab, w.stride, i, mat_t_mul(g2p_increment(&w.t, g2p_affine(&w.t, &g)), dF));
}

static __device__ inline void add_substance(const world &w, job j, int i, double E, double nu,
                                            double density, double volume) {
  double *to = w.dsubstance + (size_t)j.seed * 4 * w.stride + i;
  to[0] += E;
  to[w.stride] += nu;
  to[2 * w.stride] += density;
  to[3 * w.stride] += volume;
}

/* (G), (H), (K): from the adjoint of what a particle carried to that of what it is. */
static __global__ void __launch_bounds__(CQ_THREADS) adjoint_particles(world w, job j) {
  const int i = thread_of_all();
  if (i >= w.n) {
    return;
  }
  const real *state = state_at(w, j.i);
  real *slab = adjoint_slab(w, j);
  const driver drive = driver_of(w, i);
  const parcel<packet> *carried = parcel_at<packet>(w.dpackets, w.slot[i]);
  particle q = settled(w, state, i), out;
  q.v = p2g_pushed(&w.t, drive, q.x, q.v);
  out.x = carried->place;
  out.v = vec_zero();
  out.F = slab_load(slab, w.stride, i).F;
  out.C = mat_zero();
  substance ds = {K(0), K(0), K(0), K(0)};
  real dw[CQ_ACTUATOR_MAX_DRIVES] = {K(0)};
  p2g_packet_adjoint(&w.t, drive, substance_of(w, i), q, carried->what, &out, &ds, dw);
  out.F = material_settle_adjoint(drive.material, slab_load(state, w.stride, i).F, out.F);
  slab_store(slab, w.stride, i, out);
  add_substance(w, j, i, (double)ds.E, (double)ds.nu, (double)ds.density, (double)ds.volume);
  if (drive.a != NULL) {
    for (int k = 0; k < CQ_ACTUATOR_MAX_DRIVES; k++) {
      w.dw_of[(size_t)k * w.stride + (size_t)i] = dw[k];
    }
  }
  if (!particle_is_finite(&out)) {
    atomicMin(&w.end->bad, fate_word(w.steps - step_of(w, j), w.id[i], CQ_NONFINITE));
  }
}

#endif
