/* The two halves of a Jacobi sweep of the solvers, and the forces between them, for a chunk.
 *
 * Unknown are the pressures p >= 0. With e_i the error of the density that the velocities lead to,
 * as a part of it, a sweep is
 *   p_i <- max(p_i + gain_i e_i, 0), gain_i = 1/(2 dt^2 D_i),   v_i -= dt/rho_i sum_j V_j (dp_i +
 * dp_j) grad W_ij with dp what p changes by, so that clamped pressures may fall again; D is the
 * diagonal. */
#include "fluid_hot.h"

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

/* the same for a group, a lane for each of its particles */
static axes body_divergences(const fluid *c, int chunk, int group) {
  axes sum = {0};
  for (int l = 0; l < CQ_FLUID_GROUP; l++) {
    sum[l] = body_divergence(c, chunk, group * CQ_FLUID_GROUP + l);
  }
  return sum;
}

static inline bool group_touches(const fluid *c, int group) {
  const int *n = c->n_touches + group * CQ_FLUID_GROUP;
  return (n[0] | n[1] | n[2] | n[3]) != 0;
}

static inline axes positive(axes a) {
  return (axes)((a > K(0)) & (axes_places)a);
}

/* A lane for each particle of a group: sum over j of V_j (v_i - v_j) . grad W_ij over all that is
 * near. */
static inline axes divergences(const fluid *c, int chunk, int group) {
  const size_t first = (size_t)group * CQ_FLUID_GROUP;
  axes sum[CQ_FLUID_GROUP];
  group_sums(c, group, c->v, sum);
#pragma GCC unroll 4
  for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
    sum[l] = axes_load(c->v, first + l) * axes_load(c->all, first + l) -
             axes_load(c->place, first + l) * sum[l];
  }
  axes rate = axes_sums(sum);
  if (group_touches(c, group)) {
    rate -= body_divergences(c, chunk, group);
  }
  return rate;
}

/* What each particle's pressure changes by, from the error of its density (or of the change of it
 * alone). */
void H(cq_fluid_measure)(fluid *c, int chunk, bool density) {
  typedef int whole __attribute__((vector_size(CQ_AXES * sizeof(int)), may_alias));
  const size_t per_chunk = CQ_FLUID_CHUNK / CQ_FLUID_GROUP, end = (size_t)fluid_chunk_end(c, chunk);
  const scalar *const gains = c->gain, *const light = c->light, *const places = c->place;
  scalar *const pressure = c->pressure, *const changes = c->change, *const pull = c->pull;
  const scalar *const excess = density ? c->excess : NULL;
  int *const steady = c->steady[density];
  axes errors = {0};
  for (size_t g = (size_t)chunk * per_chunk; g * CQ_FLUID_GROUP < end; g++) {
    const size_t first = g * CQ_FLUID_GROUP;
    const axes missing = excess != NULL ? *(const axes *)(excess + first) : axes_of(K(0));
    const axes error = missing + c->dt * divergences(c, chunk, (int)g);
    const axes before = *(const axes *)(pressure + first);
    const axes wanted = before + *(const axes *)(gains + first) * error;
    const axes p = positive(wanted), change = p - before;
    whole *count = (whole *)(steady + first);
    *(axes *)(pressure + first) = p;
    *(axes *)(changes + first) = change;
    *count = (*count + 1) & __builtin_convertvector(wanted > K(0), whole);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      axes_store(pull, first + l, change[l] * axes_load(places, first + l));
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
  const size_t per_chunk = CQ_FLUID_CHUNK / CQ_FLUID_GROUP, end = (size_t)fluid_chunk_end(c, chunk);
  const scalar *const places = c->place, *const light = c->light, *const all = c->all;
  const scalar *const pull = c->pull, *const change = c->change, dt = c->dt;
  scalar *const v = c->v;
  for (size_t g = (size_t)chunk * per_chunk; g * CQ_FLUID_GROUP < end; g++) {
    axes sum[CQ_FLUID_GROUP], moment[CQ_FLUID_GROUP];
    group_sums(c, (int)g, pull, sum);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      const size_t i = g * CQ_FLUID_GROUP + l;
      const axes place = axes_load(places, i);
      const axes push = change[i] * axes_load(all, i) - (sum[l][CQ_AXES - 1] * place + sum[l]);
      sum[l] = axes_alone(axes_load(v, i) - (dt * light[i]) * push);
      moment[l] = place * sum[l];
    }
    const axes about = axes_sums(moment);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      const axes_places beside = {0, 1, 2, 4 + (int)l};
      axes_store(v, g * CQ_FLUID_GROUP + l, __builtin_shuffle(sum[l], about, beside));
    }
  }
}
