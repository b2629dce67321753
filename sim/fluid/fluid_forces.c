/* What acts on a chunk's particles beside pressure: gravity, viscosity, the mean of velocities. */
#include "fluid_hot.h"
#include "point/pair.h"

/* force per volume that the viscosity of its neighbours is for particle i */
static axes drag_of_fluid(const fluid *c, int i) {
  const unsigned *near = c->near + c->first[i];
  const int n = c->count[i];
  const axes x = axes_load(c->x, (size_t)i), v = axes_load(c->v, (size_t)i);
  axes sum = {0};
  for (int k = 0; k < n; k += LANES) { /* a pair in each lane */
    const int m = n - k < LANES ? n - k : LANES;
    scalar squares[LANES] = {0}, along[LANES] = {0}, volume[LANES] = {0}, viscosity[LANES] = {0};
    scalar factor[LANES];
    for (int l = 0; l < m; l++) {
      const size_t j = near_at(near, k + l);
      const axes d = x - axes_load(c->x, j);
      squares[l] = axes_sum(d * d);
      along[l] = axes_sum(d * (v - axes_load(c->v, j)));
      volume[l] = c->volume[j];
      viscosity[l] = K(0.5) * (c->viscosity[i] + c->viscosity[j]) / (K(1) + c->excess[j]);
    }
    *(real_memory *)factor =
        *(const real_memory *)along * pair_viscosity(&c->kernel, *(const real_memory *)viscosity,
                                                     *(const real_memory *)volume,
                                                     *(const real_memory *)squares);
    for (int l = 0; l < m; l++) {
      sum += factor[l] * (x - axes_load(c->x, near_at(near, k + l)));
    }
  }
  return sum / (K(1) + c->excess[i]);
}

/* the same at samples that drag, whose bodies take the impulse */
static axes drag_of_samples(fluid *c, int chunk, int i) {
  const scalar *x = c->x + (size_t)i * CQ_AXES, *v = c->v + (size_t)i * CQ_AXES;
  const scalar drag = CQ_FLUID_WALL_DRAG * c->viscosity[i] / (K(1) + c->excess[i]);
  axes sum = {0};
  for (int k = 0; k < c->sample_count[i]; k++) {
    const size_t place = c->first_sample[i] + (size_t)k;
    const int b = c->sample_near[place], body = c->sorted_body[b];
    if (!c->sorted_sticky[b]) {
      continue;
    }
    scalar xb[CQ_DIM], square = K(0), impulse[CQ_DIM];
    FOR_AXES(a) {
      xb[a] = c->sorted_column[a][b];
      square += (x[a] - xb[a]) * (x[a] - xb[a]);
    }
    const vec vb = touch_velocity(body, c->twist, c->center, x);
    const real factor = pair_drag(&c->kernel, real_splat(drag), real_splat(c->sample_slope[place]),
                                  real_splat(square));
    FOR_AXES(a) {
      const scalar force = factor[0] * (v[a] - real_first(vb.v[a]));
      sum[a] += force;
      impulse[a] = c->dt * c->volume[i] * force;
    }
    fluid_touch *touch = c->touches + (size_t)chunk * c->touch_room + c->first_touch[i];
    while (touch->body != body) {
      touch++;
    }
    touch_react(touch, x, c->center, impulse);
  }
  return sum;
}

/* part of the mean of velocities nearby beside its own */
static axes blend(const fluid *c, int i) {
  const unsigned *near = c->near + c->first[i];
  const int n = c->count[i];
  const axes x = axes_load(c->x, (size_t)i), v = axes_load(c->v, (size_t)i);
  axes sum = {0};
  for (int k = 0; k < n; k++) {
    const size_t j = near_at(near, k);
    const axes d = x - axes_load(c->x, j);
    const real q = real_sqrt(real_splat(axes_sum(d * d))) * c->kernel.inverse;
    sum += (c->volume[j] * kernel_value(&c->kernel, q)[0]) * (axes_load(c->v, j) - v);
  }
  return (scalar)c->own->xsph * sum;
}

/* the acceleration by surface tension */
static axes tension_of(const fluid *c, int i) {
  const unsigned *near = c->near + c->first[i];
  const int n = c->count[i];
  const axes x = axes_load(c->x, (size_t)i);
  const axes normal = axes_load(c->all, (size_t)i) - axes_load(c->wall, (size_t)i);
  axes sum = {0};
  for (int k = 0; k < n; k++) {
    const size_t j = near_at(near, k);
    const axes d = x - axes_load(c->x, j);
    const scalar square = axes_sum(d * d);
    /* what fills up a list is the particle itself; what glides has no mass here */
    if (square > K(0) && c->light[j] > K(0)) {
      const real r = real_sqrt(real_splat(square));
      const scalar pull = c->volume[j] / c->light[j] * pair_cohesion(&c->kernel, r)[0] / r[0];
      const axes other = axes_load(c->all, j) - axes_load(c->wall, j);
      const scalar share = K(2) / (K(2) + c->excess[i] + c->excess[j]);
      sum += share * (pull * d + c->kernel.h * (normal - other));
    }
  }
  return (scalar)-c->own->surface_tension * sum;
}

/* Velocities after a step without pressure; those of neighbours are still the old ones. */
void H(cq_fluid_forces)(fluid *c, int chunk) {
  axes gravity = {0};
  FOR_AXES(a) {
    gravity[a] = c->dt * c->gravity[a];
  }
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    axes change = gravity;
    if (!(c->light[i] > K(0))) {
      axes_store(c->v_new, (size_t)i, axes_load(c->v, (size_t)i));
      continue;
    }
    if (c->viscous) {
      axes force = drag_of_fluid(c, i);
      if (c->sticky) {
        force += drag_of_samples(c, chunk, i);
      }
      change += (c->dt * c->light[i]) * force;
    }
    if (c->own->surface_tension > 0.0) {
      change += c->dt * tension_of(c, i);
    }
    if (c->own->xsph > 0.0) {
      change += blend(c, i);
    }
    axes_store(
        c->v_new, (size_t)i,
        axes_with_moment(axes_load(c->place, (size_t)i), axes_load(c->v, (size_t)i) + change));
  }
}
