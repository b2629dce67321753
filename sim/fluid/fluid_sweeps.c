/* The two halves of a Jacobi sweep of the solvers, and the forces between them, for a chunk.
 *
 * Unknown are the pressures p >= 0. With e_i the error of the density that the velocities lead to,
 * as a part of it, a sweep is
 *   p_i <- max(p_i + w e_i/(dt^2 D_i), 0),   v_i -= dt/rho_i sum_j V_j (dp_i + dp_j) grad W_ij
 * with dp what p changes by, so that clamped pressures may fall again; D is the diagonal. */
#include "fluid_hot.h"
#include "point/pair.h"

#define CQ_FLUID_OMEGA K(0.5)

/* sum over j of V_j (v_i - v_j) . grad W_ij over the fluid */
static inline scalar divergence_of(const fluid *c, int i) {
  const int *near = c->near + c->first[i], n = c->count[i];
  const scalar *slope = c->slope + c->first[i];
  const axes x = axes_load(c->x, (size_t)i), v = axes_load(c->v, (size_t)i);
  axes sum[CQ_FLUID_UNROLL] = {{0}};
  for (int k = 0; k < n; k += CQ_FLUID_UNROLL) {
    for (int u = 0; u < CQ_FLUID_UNROLL; u++) {
      const size_t j = (size_t)near[k + u];
      sum[u] += slope[k + u] * ((x - axes_load(c->x, j)) * (v - axes_load(c->v, j)));
    }
  }
  return axes_sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/* what the motion of the bodies that it touches takes from that */
static inline scalar body_divergence(const fluid *c, int chunk, int i) {
  const fluid_touch *touch = c->touches + (size_t)chunk * c->touch_room + c->first_touch[i];
  scalar sum = K(0);
  for (int t = 0; t < c->n_touches[i]; t++) {
    if (touch[t].body >= 0) {
      const fluid_twist *body = &c->twist[touch[t].body];
      FOR_AXES(a) {
        sum += body->v[a] * touch[t].g[a];
      }
      for (int s = 0; s < CQ_SPINS; s++) {
        sum += body->w[s] * touch[t].t[s];
      }
    }
  }
  return sum;
}

/* What each particle's pressure changes by, from the error of its density (or of the change of it
 * alone). */
void H(cq_fluid_measure)(fluid *c, int chunk, bool density) {
  const scalar step = c->dt * c->dt;
  /* a particle that hardly touches anything has no pressure */
  const scalar least = K(1e-6) * c->kernel.inverse * c->kernel.inverse;
  double error_sum = 0.0;
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    const scalar against_walls =
        axes_sum(axes_load(c->v, (size_t)i) * axes_load(c->wall, (size_t)i));
    const scalar rate = divergence_of(c, i) + against_walls - body_divergence(c, chunk, i);
    const scalar error = (density ? c->excess[i] : K(0)) + c->dt * rate;
    const scalar diagonal = c->diagonal[i], before = c->pressure[i];
    const bool alone = !(diagonal > least * c->light[i]);
    scalar p = alone ? K(0) : before + CQ_FLUID_OMEGA * error / (step * diagonal);
    p = p > K(0) ? p : K(0);
    c->pressure[i] = p;
    c->change[i] = p - before;
    error_sum += error > K(0) ? (double)error : 0.0;
  }
  c->found[chunk].error = error_sum;
}

/* The velocities' part of a sweep. */
void H(cq_fluid_push)(fluid *c, int chunk) {
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    const int *near = c->near + c->first[i], n = c->count[i];
    const scalar *slope = c->slope + c->first[i];
    const axes x = axes_load(c->x, (size_t)i);
    const scalar own = c->change[i];
    axes sum[CQ_FLUID_UNROLL] = {{0}};
    for (int k = 0; k < n; k += CQ_FLUID_UNROLL) {
      for (int u = 0; u < CQ_FLUID_UNROLL; u++) {
        const size_t j = (size_t)near[k + u];
        sum[u] += (slope[k + u] * (own + c->change[j])) * (x - axes_load(c->x, j));
      }
    }
    const axes all = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + own * axes_load(c->wall, (size_t)i);
    const axes v = axes_load(c->v, (size_t)i);
    axes_store(c->v, (size_t)i, v - (c->dt * c->light[i]) * all);
  }
}
