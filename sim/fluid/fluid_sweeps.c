/* The two halves of a Jacobi sweep of the solvers, for a chunk: pressures (point/sweep.h), then
 *   v_i -= dt/rho_i sum_j V_j (dp_i + dp_j) grad W_ij
 * with dp what p changes by. */
#include "fluid_hot.h"

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

/* the same for the group of particle `first`, a lane for each */
static axes body_divergences(const fluid *c, int chunk, int first) {
  axes sum = {0};
  for (int l = 0; l < CQ_FLUID_GROUP; l++) {
    sum[l] = body_divergence(c, chunk, first + l);
  }
  return sum;
}

static inline axes positive(axes a) {
  return (axes)((a > K(0)) & (axes_places)a);
}

/* What each particle's pressure changes by, from the error of its density (or of the change of it
 * alone): that of sum over j of V_j (v_i - v_j) . grad W_ij over all that is near. A lane for each
 * particle of a group. */
void H(cq_fluid_measure)(fluid *c, int chunk, bool density) {
  typedef int whole __attribute__((vector_size(CQ_AXES * sizeof(int)), may_alias));
  const size_t begin = (size_t)chunk * CQ_FLUID_CHUNK, end = (size_t)fluid_chunk_end(c, chunk);
  const scalar *const v = c->v, *const all = c->all, *const place = c->place;
  const scalar *const gain = c->gain, *const light = c->light, dt = c->dt;
  const scalar *const excess = density ? c->excess : NULL;
  scalar *const pressure = c->pressure, *const changes = c->change, *const pull = c->pull;
  int *const steady = c->steady[density];
  const bool touches = c->found[chunk].n_touches > 0;
  group_lists lists = lists_of(c, chunk);
  axes errors = {0};
  for (size_t first = begin; first < end; first += CQ_FLUID_GROUP) {
    axes sum[CQ_FLUID_GROUP];
    group_sums(&lists, v, sum);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      const size_t i = first + l;
      sum[l] = axes_load(v, i) * axes_load(all, i) - axes_load(place, i) * sum[l];
    }
    axes error = dt * axes_sums(sum);
    if (touches) {
      error -= dt * body_divergences(c, chunk, (int)first);
    }
    if (excess != NULL) {
      error += *(const axes *)(excess + first);
    }
    const axes before = *(const axes *)(pressure + first);
    const axes wanted = before + *(const axes *)(gain + first) * error;
    const axes p = positive(wanted), change = p - before;
    whole *count = (whole *)(steady + first);
    *(axes *)(pressure + first) = p;
    *(axes *)(changes + first) = change;
    *count = (*count + 1) & __builtin_convertvector(wanted > K(0), whole);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      axes_store(pull, first + l, change[l] * axes_load(place, first + l));
    }
    const axes moves = *(const axes *)(light + first); /* not what glides */
    errors += (axes)((moves > K(0)) & (axes_places)positive(error));
  }
  double sum = 0.0;
  for (int l = 0; l < CQ_AXES; l++) {
    sum += (double)errors[l];
  }
  c->found[chunk].error = sum;
}

/* The velocities' part of a sweep. Of sum_j s_j (dp_i + dp_j) (x_i - x_j) a neighbour's part is
 * x_i sum_j s_j dp_j - sum_j s_j dp_j x_j. */
void H(cq_fluid_push)(fluid *c, int chunk) {
  const size_t begin = (size_t)chunk * CQ_FLUID_CHUNK, end = (size_t)fluid_chunk_end(c, chunk);
  const scalar *const places = c->place, *const light = c->light, *const all = c->all;
  const scalar *const pull = c->pull, *const change = c->change, dt = c->dt;
  scalar *const v = c->v;
  group_lists lists = lists_of(c, chunk);
  for (size_t first = begin; first < end; first += CQ_FLUID_GROUP) {
    const axes factors = dt * *(const axes *)(light + first);
    axes sum[CQ_FLUID_GROUP], moment[CQ_FLUID_GROUP];
    group_sums(&lists, pull, sum);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      const size_t i = first + l;
      const axes place = axes_load(places, i);
      const axes push = change[i] * axes_load(all, i) - (sum[l][CQ_AXES - 1] * place + sum[l]);
      sum[l] = axes_alone(axes_load(v, i) - factors[l] * push);
      moment[l] = place * sum[l];
    }
    const axes about = axes_sums(moment);
    axes_store(v, first, __builtin_shufflevector(sum[0], about, 0, 1, 2, 4));
    axes_store(v, first + 1, __builtin_shufflevector(sum[1], about, 0, 1, 2, 5));
    axes_store(v, first + 2, __builtin_shufflevector(sum[2], about, 0, 1, 2, 6));
    axes_store(v, first + 3, __builtin_shufflevector(sum[3], about, 0, 1, 2, 7));
  }
}
