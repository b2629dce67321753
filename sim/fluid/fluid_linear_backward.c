/* Sums over neighbours of the adjoint of a step, for a chunk. */
#include "fluid_hot.h"
#include "fluid_linear_hot.h"
#include "point/linear.h"

/* What the velocities' part of a sweep says of the changes of pressure: a divergence of dL/dv. */
void H(cq_linear_back_push)(fluid *c, int chunk) {
  const linear_back *w = &c->linear->back;
  const size_t begin = (size_t)chunk * CQ_FLUID_CHUNK, end = (size_t)fluid_chunk_end(c, chunk);
  group_lists lists = lists_of(c, chunk);
  for (size_t first = begin; first < end; first += CQ_FLUID_GROUP) {
    axes sum[CQ_FLUID_GROUP];
    group_sums(&lists, w->u, sum);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      const size_t i = first + l;
      sum[l] = axes_load(w->u, i) * axes_load(c->all, i) - axes_load(c->place, i) * sum[l];
    }
    *(axes *)(w->change + first) = -c->dt * *(const axes *)(c->volume + first) * axes_sums(sum);
  }
}

/* What the errors of a sweep say of its velocities: a gradient of dL/derror. */
void H(cq_linear_back_measure)(fluid *c, int chunk) {
  const linear_back *w = &c->linear->back;
  const size_t begin = (size_t)chunk * CQ_FLUID_CHUNK, end = (size_t)fluid_chunk_end(c, chunk);
  group_lists lists = lists_of(c, chunk);
  for (size_t first = begin; first < end; first += CQ_FLUID_GROUP) {
    axes sum[CQ_FLUID_GROUP];
    group_sums(&lists, w->pull, sum);
#pragma GCC unroll 4
    for (size_t l = 0; l < CQ_FLUID_GROUP; l++) {
      const size_t i = first + l;
      const axes push = w->error[i] * axes_load(c->all, i) -
                        (sum[l][CQ_AXES - 1] * axes_load(c->place, i) + sum[l]);
      axes_store(w->v, i, axes_load(w->v, i) + axes_alone((c->dt * c->volume[i]) * push));
    }
  }
}

/* without axes that there are not */
static inline axes place_apart(const fluid *c, size_t i, size_t j) {
  return axes_load(c->x, i) - axes_load(c->x, j);
}

/* The mean of velocities nearby: volumes, places, velocities. */
static void back_blend(const fluid *c, size_t i) {
  const linear_back *w = &c->linear->back;
  const scalar *middle = c->linear->step.middle, part = (scalar)c->own->xsph;
  const axes here = (c->volume[i] / c->light[i]) * axes_load(w->u, i);
  axes v = {0}, x = {0};
  scalar larger = K(0);
  for (int k = 0; k < c->count[i]; k++) {
    const size_t place = c->first[i] + (size_t)k * CQ_FLUID_GROUP;
    const size_t j = c->near[place] / CQ_AXES;
    const scalar value = c->linear->step.value[place], slope = c->slope[place] / c->volume[j];
    const axes there = (c->volume[j] / c->light[j]) * axes_load(w->u, j);
    const axes apart = axes_load(middle, j) - axes_load(middle, i);
    const axes both = c->volume[j] * here - c->volume[i] * there;
    v -= value * both;
    x += (slope * axes_sum(apart * both)) * place_apart(c, i, j);
    larger -= value * axes_sum(apart * there);
  }
  w->volume[i] += part * larger;
  axes_store(w->v, i, axes_load(w->v, i) + axes_alone(part * v));
  axes_store(w->x, i, axes_load(w->x, i) + axes_alone(part * x));
}

static inline axes normal_apart(const fluid *c, size_t i, size_t j) {
  return axes_load(c->all, i) - axes_load(c->wall, i) - axes_load(c->all, j) +
         axes_load(c->wall, j);
}

/* Surface tension: masses, places, densities, and the sums of gradients that normals are. */
static void back_tension(const fluid *c, size_t i) {
  const linear_back *w = &c->linear->back;
  const scalar factor = -c->dt * (scalar)c->own->surface_tension, h = c->kernel.h;
  const scalar mass = c->volume[i] / c->light[i];
  const axes here = factor * mass * axes_load(w->u, i);
  axes x = {0}, normal = {0};
  scalar denser = K(0), heavier = K(0);
  for (int k = 0; k < c->count[i]; k++) {
    const size_t j = near_at(c->near + c->first[i], k);
    const axes d = place_apart(c, i, j);
    const scalar square = axes_sum(d * d), other = c->volume[j] / c->light[j];
    if (!(square > K(0))) {
      continue;
    }
    const real r = real_sqrt(real_splat(square));
    const scalar pull = pair_cohesion(&c->kernel, r)[0] / r[0];
    const scalar rate = pair_cohesion_rate(&c->kernel, r)[0];
    const scalar share = K(2) / (K(2) + c->excess[i] + c->excess[j]);
    const axes there = factor * other * axes_load(w->u, j);
    const axes both = other * here - mass * there;
    const scalar along = axes_sum(d * both);
    x += share * (pull * both + (rate * along) * d);
    normal += share * h * (here - there);
    denser -= K(0.5) * share * share *
              (pull * along + h * axes_sum(normal_apart(c, i, j) * (here - there)));
    heavier -= share * pull * axes_sum(d * there);
  }
  w->excess[i] += denser;
  w->volume[i] += heavier / c->light[i];
  w->light[i] -= heavier * mass / c->light[i];
  axes_store(w->x, i, axes_load(w->x, i) + axes_alone(x));
  axes_store(w->all, i, axes_load(w->all, i) + axes_alone(normal));
  axes_store(w->wall, i, axes_load(w->wall, i) - axes_alone(normal));
}

/* Viscosity. A pair's part of L is V_i V_j f D . (b_i - b_j) with b = dt dL/dv per mass: the same
 * from both sides. */
void H(cq_linear_back_forces)(fluid *c, int chunk) {
  const linear_back *w = &c->linear->back;
  const scalar *middle = c->linear->step.middle;
  for (int n = chunk * CQ_FLUID_CHUNK; n < fluid_chunk_end(c, chunk); n++) {
    const size_t i = (size_t)n;
    const scalar density = K(1) + c->excess[i];
    axes force = {0}, v = {0}, x = {0};
    scalar thicker = K(0), denser = K(0), larger = K(0);
    for (int k = 0; k < c->count[i]; k++) {
      const size_t j = near_at(c->near + c->first[i], k);
      const axes d = place_apart(c, i, j), apart = axes_load(middle, i) - axes_load(middle, j);
      const axes other = c->dt * axes_load(w->u, j), b = c->dt * axes_load(w->u, i) - other;
      const scalar along = axes_sum(d * apart), pulled = axes_sum(d * b);
      const real square = real_splat(axes_sum(d * d)), one = real_splat(K(1));
      const scalar factor = pair_viscosity(&c->kernel, one, real_splat(c->volume[j]), square)[0] /
                            (density * (K(1) + c->excess[j]));
      const scalar rate = K(2) * pair_viscosity_rate(&c->kernel, square)[0];
      const scalar thick = K(0.5) * factor * (c->viscosity[i] + c->viscosity[j]);
      force += (thick * along) * d;
      v += (thick * pulled) * d;
      x += thick * (pulled * apart + along * b + (rate * along * pulled) * d);
      thicker += K(0.5) * factor * along * pulled;
      denser += thick * along * pulled;
      larger += thick * along * axes_sum(d * other);
    }
    const scalar volume = c->volume[i];
    w->light[i] += c->dt * volume / c->light[i] * axes_sum(axes_load(w->u, i) * force);
    w->viscosity[i] += volume * thicker;
    w->excess[i] -= volume * denser / density;
    w->volume[i] -= larger;
    axes_store(w->v, i, axes_load(w->v, i) + axes_alone(volume * v));
    axes_store(w->x, i, axes_load(w->x, i) + axes_alone(volume * x));
    if (c->own->surface_tension > 0.0) {
      back_tension(c, i);
    }
    if (c->own->xsph > 0.0) {
      back_blend(c, i);
    }
  }
}

/* sum over the sweeps of what a pair says of its D, per V_i V_j, and of V_i, per V_j */
static inline void add_sweeps(const fluid *c, size_t i, size_t j, axes *pull, axes *larger) {
  const linear_step *r = &c->linear->step;
  const linear_back *w = &c->linear->back;
  const size_t sweeps = (size_t)r->n_sweeps, first = i * sweeps, other = j * sweeps;
  axes sum = {0}, more = {0};
  for (size_t k = 0; k < sweeps; k++) {
    const axes vi = axes_load(r->flow, first + k), vj = axes_load(r->flow, other + k);
    const axes ui = axes_load(w->flow, first + k), uj = axes_load(w->flow, other + k);
    const axes apart = vi - vj;
    const scalar change = vi[CQ_AXES - 1] + vj[CQ_AXES - 1], error = uj[CQ_AXES - 1];
    sum += (ui[CQ_AXES - 1] + error) * apart - change * (ui - uj);
    more += error * apart + change * uj;
  }
  *pull += c->dt * sum;
  *larger += c->dt * more;
}

/* All that depends on where particles are and how large, after the sweeps of a step. `all` and
 * `excess` are per volume here. */
void H(cq_linear_back_geometry)(fluid *c, int chunk) {
  const linear_back *w = &c->linear->back;
  const linear_step *r = &c->linear->step;
  for (int n = chunk * CQ_FLUID_CHUNK; n < fluid_chunk_end(c, chunk); n++) {
    const size_t i = (size_t)n;
    const scalar volume = c->volume[i];
    scalar larger = w->excess[i] * volume * c->kernel.peak;
    axes x = {0};
    for (int k = 0; k < c->count[i]; k++) {
      const size_t place = c->first[i] + (size_t)k * CQ_FLUID_GROUP;
      const size_t j = c->near[place] / CQ_AXES;
      const scalar slope = c->slope[place], bend = r->bend[place], single = slope / c->volume[j];
      const axes d = place_apart(c, i, j);
      axes pull = axes_load(w->all, i) - axes_load(w->all, j), more = -axes_load(w->all, j);
      add_sweeps(c, i, j, &pull, &more);
      const scalar square = axes_sum(d * d), ratio = volume / c->volume[j];
      const scalar spread = w->spread[i] / ratio + w->spread[j] * ratio;
      const scalar along = bend * axes_sum(d * pull) + slope * (w->excess[i] + w->excess[j]) +
                           spread * K(2) * single * (bend * square + slope);
      x += slope * pull + along * d;
      larger += slope * axes_sum(d * more) + w->excess[j] * c->volume[j] * r->value[place] +
                w->spread[j] * K(2) * volume * single * single * square;
    }
    w->volume[i] += larger;
    axes_store(w->x, i, axes_load(w->x, i) + axes_alone(volume * x));
  }
}
