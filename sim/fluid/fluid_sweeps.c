/* The two halves of a Jacobi sweep of the solvers, for a chunk: pressures (point/sweep.h), then
 *   v_i -= dt/rho_i sum_j V_j (dp_i + dp_j) grad W_ij
 * with dp what p changes by. */
#include "fluid_hot.h"

/* sum over j of V_j (v_i - v_j) . grad W_ij over the fluid, and over what does not move */
static inline scalar divergence_of(const fluid *c, int i) {
  const int *near = c->near + c->first[i], n = c->count[i];
  const scalar *slope = c->slope + c->first[i];
  axes sum[CQ_FLUID_UNROLL] = {{0}};
  for (int k = 0; k < n; k += CQ_FLUID_UNROLL) {
    for (int u = 0; u < CQ_FLUID_UNROLL; u++) {
      sum[u] += slope[k + u] * axes_load(c->v, (size_t)near[k + u]);
    }
  }
  const axes theirs = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  const axes x = axes_load(c->x, (size_t)i), v = axes_load(c->v, (size_t)i);
  const axes moment = axes_with_moment(c, x, theirs);
  return axes_sum(v * axes_load(c->all, (size_t)i)) - (moment[CQ_AXES - 1] - theirs[CQ_AXES - 1]);
}

/* what the motion of the bodies that it touches takes from that */
static inline scalar body_divergence(const fluid *c, int chunk, int i) {
  const fluid_touch *touch = c->touches + (size_t)chunk * c->touch_room + c->first_touch[i];
  scalar sum = K(0);
  for (int t = 0; t < c->n_touches[i]; t++) {
    if (touch[t].body >= 0) {
      sum = touch_divergence(sum, &touch[t], &c->twist[touch[t].body]);
    }
  }
  return sum;
}

/* What each particle's pressure changes by, from the error of its density (or of the change of it
 * alone). */
void H(cq_fluid_measure)(fluid *c, int chunk, bool density) {
  double error_sum = 0.0;
  int *const steady = c->steady[density];
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    const scalar rate = divergence_of(c, i) - body_divergence(c, chunk, i);
    const scalar error = (density ? c->excess[i] : K(0)) + c->dt * rate;
    const scalar before = c->pressure[i], wanted = sweep_wanted(before, c->gain[i], error);
    const scalar p = wanted > K(0) ? wanted : K(0);
    c->pressure[i] = p;
    c->change[i] = p - before;
    steady[i] = wanted > K(0) ? steady[i] + 1 : 0;
    error_sum += sweep_counted(error, c->light[i]);
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
        sum[u] += (slope[k + u] * c->change[j]) * (x - axes_load(c->x, j));
      }
    }
    const axes all = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + own * axes_load(c->all, (size_t)i);
    const axes v = axes_load(c->v, (size_t)i);
    axes_store(c->v, (size_t)i, axes_with_moment(c, x, v - (c->dt * c->light[i]) * all));
  }
}
