/* Sums over neighbours of what directions change, for a chunk; a direction in each lane. */
#include "fluid_hot.h"
#include "fluid_linear_hot.h"
#include "point/linear.h"

#include <string.h>

/* one of the numbers that stand together, a lane a direction */
static inline axes lanes_of(const scalar *a, size_t i) {
  return axes_load(a, i);
}

/* Adds sign times r x f, one of them a change. */
static inline void add_arm(axes *t, const axes *r, const scalar *f, scalar sign) {
  FOR_SPINS(s) {
    const int b = spin_from(s), k = spin_to(s);
    t[s] += sign * (r[b] * f[k] - r[k] * f[b]);
  }
}

/* A pair of particles: d from the neighbour and what changes of it; what V_j grad W changes by is
 * slope * change + stretch * d. */
typedef struct pair_change {
  size_t j;
  scalar d[CQ_DIM], slope, bend;
  axes change[CQ_DIM], along, stretch, volume; /* volume: of j, as a part */
} pair_change;

/* Neighbour k of particle i, and what the directions change of it. */
static inline pair_change pair_at(const fluid *c, size_t i, int k) {
  const linear_lanes *w = &c->linear->lanes;
  const size_t place = c->first[i] + (size_t)k * CQ_FLUID_GROUP;
  pair_change p = {
      .j = c->near[place] / CQ_AXES, .slope = c->slope[place], .bend = c->linear->step.bend[place]};
  axes along = {0};
  FOR_AXES(a) {
    p.d[a] = c->x[i * CQ_AXES + (size_t)a] - c->x[p.j * CQ_AXES + (size_t)a];
    p.change[a] = lanes_of(w->x, i * CQ_DIM + (size_t)a) - lanes_of(w->x, p.j * CQ_DIM + (size_t)a);
    along += p.d[a] * p.change[a];
  }
  p.along = along;
  p.volume = lanes_of(w->volume, p.j) / c->volume[p.j];
  p.stretch = p.bend * along + p.slope * p.volume;
  return p;
}

/* What one sample changes of what it is to particle i. */
static void meet_sample(const fluid *c, size_t i, size_t place, axes *wall, axes *excess) {
  const linear_lanes *w = &c->linear->lanes;
  const linear_step *r = &c->linear->step;
  const int b = c->sample_near[place], body = c->sorted_body[b];
  const size_t s = (size_t)c->sample_order[b];
  const scalar slope = c->sample_slope[place], bend = r->sample_bend[place];
  const axes volume = lanes_of(w->sample_volume, s);
  scalar d[CQ_DIM], arm[CQ_DIM], g[CQ_DIM], square = K(0);
  axes change[CQ_DIM], moved[CQ_DIM], pull[CQ_DIM], along = {0};
  FOR_AXES(a) {
    const size_t axis = (size_t)a;
    const axes dx = lanes_of(w->sample_x, s * CQ_DIM + axis);
    const scalar xb = c->sorted_column[a][b];
    d[a] = c->x[i * CQ_AXES + axis] - xb;
    change[a] = lanes_of(w->x, i * CQ_DIM + axis) - dx;
    moved[a] = dx;
    arm[a] = K(0);
    if (body >= 0) {
      moved[a] -= lanes_of(w->center, (size_t)body * CQ_DIM + axis);
      arm[a] = xb - c->center[body][a];
    }
    g[a] = slope * d[a];
    square += d[a] * d[a];
    along += d[a] * change[a];
  }
  const axes part = volume / c->sorted_volume[b], stretch = bend * along + slope * part;
  *excess += slope * along + r->sample_value[place] * volume;
  FOR_AXES(a) {
    pull[a] = slope * change[a] + stretch * d[a];
    wall[a] += pull[a];
  }
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t touch = linear_touch(c, (int)i, t);
    if (c->touches[touch].body == body) {
      axes *to = (axes *)(w->touch_g + touch * CQ_DIM * CQ_AXES);
      axes *torque = (axes *)(w->touch_t + touch * CQ_SPINS * CQ_AXES);
      FOR_AXES(a) {
        to[a] += pull[a];
      }
      if (body >= 0) {
        add_arm(torque, moved, g, K(1));
        add_arm(torque, pull, arm, K(-1));
      }
      if (c->sorted_sticky[b]) {
        const real unit = real_splat(K(1)), squares = real_splat(square);
        const scalar rate =
            pair_drag_rate(&c->kernel, real_splat(slope), real_splat(bend), squares)[0];
        const scalar whole = pair_drag(&c->kernel, unit, real_splat(slope), squares)[0];
        const axes drag = rate * along + whole * part;
        *(axes *)(w->touch_stick + touch * CQ_AXES) +=
            CQ_FLUID_WALL_DRAG * c->viscosity[i] / (K(1) + c->excess[i]) * drag;
      }
    }
  }
}

static void meet_samples(const fluid *c, size_t i, axes *wall, axes *excess) {
  const linear_lanes *w = &c->linear->lanes;
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t touch = linear_touch(c, (int)i, t);
    for (size_t a = 0; a < CQ_DIM; a++) {
      axes_store(w->touch_g, touch * CQ_DIM + a, (axes){0});
    }
    for (size_t a = 0; a < CQ_SPINS; a++) {
      axes_store(w->touch_t, touch * CQ_SPINS + a, (axes){0});
    }
    axes_store(w->touch_stick, touch, (axes){0});
    axes_store(w->touch_weight, touch, (axes){0});
  }
  for (int k = 0; k < c->sample_count[i]; k++) {
    meet_sample(c, i, c->first_sample[i] + (size_t)k, wall, excess);
  }
  /* viscosity and density are factors of what drags */
  const axes density = *excess / (K(1) + c->excess[i]);
  axes thicker = lanes_of(w->viscosity, i);
  if (c->viscosity[i] > K(0)) {
    thicker /= c->viscosity[i];
  }
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t touch = linear_touch(c, (int)i, t);
    const scalar stick = c->linear->step.stick[touch];
    *(axes *)(w->touch_stick + touch * CQ_AXES) += stick * (thicker - density);
  }
}

/* Densities, sums of gradients, diagonals without bodies. */
void H(cq_linear_geometry)(fluid *c, int chunk) {
  const linear_lanes *w = &c->linear->lanes;
  for (int n = chunk * CQ_FLUID_CHUNK; n < fluid_chunk_end(c, chunk); n++) {
    const size_t i = (size_t)n;
    axes all[CQ_DIM] = {{0}}, wall[CQ_DIM] = {{0}}, spread = {0}, longer = {0};
    axes excess = lanes_of(w->volume, i) * c->kernel.peak;
    for (int k = 0; k < c->count[i]; k++) {
      const pair_change p = pair_at(c, i, k);
      const size_t place = c->first[i] + (size_t)k * CQ_FLUID_GROUP;
      scalar square = K(0);
      FOR_AXES(a) {
        all[a] += p.slope * p.change[a] + p.stretch * p.d[a];
        square += p.d[a] * p.d[a];
      }
      excess += p.slope * p.along + c->linear->step.value[place] * lanes_of(w->volume, p.j);
      spread += K(2) * p.slope * (square * p.stretch + p.slope * p.along);
    }
    meet_samples(c, i, wall, &excess);
    FOR_AXES(a) {
      all[a] += wall[a];
      longer += c->all[i * CQ_AXES + (size_t)a] * all[a];
      axes_store(w->all, i * CQ_DIM + (size_t)a, all[a]);
      axes_store(w->wall, i * CQ_DIM + (size_t)a, wall[a]);
    }
    axes_store(w->excess, i, excess);
    axes_store(w->diagonal, i,
               c->linear->step.base[i] * lanes_of(w->light, i) +
                   c->light[i] * (K(2) * longer + spread));
  }
}

/* what the motion of bodies takes from the divergence */
static axes body_divergence(const fluid *c, size_t i, int sweep) {
  enum { TWIST = CQ_DIM + CQ_SPINS };
  const linear_lanes *w = &c->linear->lanes;
  axes sum = {0};
  for (int t = 0; t < c->n_touches[i]; t++) {
    const size_t place = linear_touch(c, (int)i, t);
    const fluid_touch *touch = &c->touches[place];
    if (touch->body < 0) {
      continue;
    }
    const fluid_twist *now = &c->linear->step.twist[sweep * c->own->n_bodies + touch->body];
    const size_t change = (size_t)touch->body * TWIST;
    for (size_t a = 0; a < CQ_DIM; a++) {
      sum += lanes_of(w->twist, change + a) * touch->g[a] +
             now->v[a] * lanes_of(w->touch_g, place * CQ_DIM + a);
    }
    for (size_t s = 0; s < CQ_SPINS; s++) {
      sum += lanes_of(w->twist, change + CQ_DIM + s) * touch->t[s] +
             now->w[s] * lanes_of(w->touch_t, place * CQ_SPINS + s);
    }
  }
  return sum;
}

/* What pressures change by. */
void H(cq_linear_measure)(fluid *c, int chunk, int sweep) {
  const linear_step *r = &c->linear->step;
  const linear_lanes *w = &c->linear->lanes;
  for (int n = chunk * CQ_FLUID_CHUNK; n < fluid_chunk_end(c, chunk); n++) {
    const size_t i = (size_t)n;
    const scalar *v = linear_flow(r, i, sweep);
    const axes before = lanes_of(w->pressure, i);
    if (!r->open[i * (size_t)r->n_sweeps + (size_t)sweep]) {
      axes_store(w->pressure, i, (axes){0});
      axes_store(w->change, i, -before);
      continue;
    }
    axes error = -body_divergence(c, i, sweep);
    FOR_AXES(a) {
      error += c->wall[i * CQ_AXES + (size_t)a] * lanes_of(w->v, i * CQ_DIM + (size_t)a) +
               v[a] * lanes_of(w->wall, i * CQ_DIM + (size_t)a);
    }
    for (int k = 0; k < c->count[i]; k++) {
      const pair_change p = pair_at(c, i, k);
      const scalar *vj = linear_flow(r, p.j, sweep);
      scalar apart = K(0);
      axes sum = {0};
      FOR_AXES(a) {
        apart += p.d[a] * (v[a] - vj[a]);
        sum += (v[a] - vj[a]) * p.change[a] + p.d[a] * (lanes_of(w->v, i * CQ_DIM + (size_t)a) -
                                                        lanes_of(w->v, p.j * CQ_DIM + (size_t)a));
      }
      error += p.slope * sum + apart * p.stretch;
    }
    error *= c->dt;
    if (sweep >= r->split) {
      error += lanes_of(w->excess, i);
    }
    const axes change = c->gain[i] * error + v[CQ_AXES - 1] / c->gain[i] * lanes_of(w->gain, i);
    axes_store(w->pressure, i, before + change);
    axes_store(w->change, i, change);
  }
}

/* The velocities' half of a sweep. */
void H(cq_linear_push)(fluid *c, int chunk, int sweep) {
  const linear_step *r = &c->linear->step;
  const linear_lanes *w = &c->linear->lanes;
  for (int n = chunk * CQ_FLUID_CHUNK; n < fluid_chunk_end(c, chunk); n++) {
    const size_t i = (size_t)n;
    const scalar *v = linear_flow(r, i, sweep), *after = linear_after(c, i, sweep);
    const axes lighter = lanes_of(w->light, i) / c->light[i], change = lanes_of(w->change, i);
    axes push[CQ_DIM];
    FOR_AXES(a) {
      push[a] = change * c->wall[i * CQ_AXES + (size_t)a] +
                v[CQ_AXES - 1] * lanes_of(w->wall, i * CQ_DIM + (size_t)a);
    }
    for (int k = 0; k < c->count[i]; k++) {
      const pair_change p = pair_at(c, i, k);
      const scalar both = v[CQ_AXES - 1] + linear_flow(r, p.j, sweep)[CQ_AXES - 1];
      const axes stretch = both * p.stretch + p.slope * (change + lanes_of(w->change, p.j));
      FOR_AXES(a) {
        push[a] += (both * p.slope) * p.change[a] + stretch * p.d[a];
      }
    }
    FOR_AXES(a) {
      axes *to = (axes *)(w->v + (i * CQ_DIM + (size_t)a) * CQ_AXES);
      *to -= c->dt * c->light[i] * push[a] + (v[a] - after[a]) * lighter;
    }
  }
}

/* what a touch that drags changes of the force on a volume */
static void change_drag(const fluid *c, size_t i, size_t place, scalar *sum, axes *force) {
  enum { TWIST = CQ_DIM + CQ_SPINS };
  const linear_lanes *w = &c->linear->lanes;
  const int body = c->touches[place].body;
  const scalar stick = c->linear->step.stick[place];
  scalar past[CQ_DIM], arm[CQ_DIM];
  axes change[CQ_DIM], turned[CQ_DIM];
  FOR_AXES(a) {
    past[a] = c->linear->step.middle[i * CQ_AXES + (size_t)a];
    change[a] = lanes_of(w->v, i * CQ_DIM + (size_t)a);
  }
  if (body >= 0) {
    const fluid_twist *now =
        &c->linear->step.twist[c->linear->step.n_sweeps * c->own->n_bodies + body];
    const axes *twist = (const axes *)w->twist + (size_t)body * TWIST;
    FOR_AXES(a) {
      arm[a] = c->x[i * CQ_AXES + (size_t)a] - c->center[body][a];
      turned[a] = lanes_of(w->x, i * CQ_DIM + (size_t)a) -
                  lanes_of(w->center, (size_t)body * CQ_DIM + (size_t)a);
      past[a] -= now->v[a];
      change[a] -= twist[a];
    }
    FOR_SPINS(s) {
      const int b = spin_from(s), k = spin_to(s);
      const scalar w_s = now->w[s];
      const axes dw_s = twist[CQ_DIM + s];
      past[b] += w_s * arm[k];
      past[k] -= w_s * arm[b];
      change[b] += dw_s * arm[k] + w_s * turned[k];
      change[k] -= dw_s * arm[b] + w_s * turned[b];
    }
  }
  FOR_AXES(a) {
    const axes more = stick * change[a] + past[a] * lanes_of(w->touch_stick, place);
    axes_store(w->touch_force, place * CQ_DIM + (size_t)a, more);
    sum[a] += stick * past[a];
    force[a] += more;
  }
}

/* what the mean of velocities nearby changes by */
static void change_blend(const fluid *c, size_t i, axes *push) {
  const linear_lanes *w = &c->linear->lanes;
  const scalar *middle = c->linear->step.middle, part = (scalar)c->own->xsph;
  for (int k = 0; k < c->count[i]; k++) {
    const pair_change p = pair_at(c, i, k);
    const size_t place = c->first[i] + (size_t)k * CQ_FLUID_GROUP;
    const scalar value = c->volume[p.j] * c->linear->step.value[place];
    const axes more = value * p.volume + p.slope * p.along;
    FOR_AXES(a) {
      const size_t axis = (size_t)a;
      push[a] +=
          part *
          (more * (middle[p.j * CQ_AXES + axis] - middle[i * CQ_AXES + axis]) +
           value * (lanes_of(w->v, p.j * CQ_DIM + axis) - lanes_of(w->v, i * CQ_DIM + axis)));
    }
  }
}

/* and surface tension */
static void change_tension(const fluid *c, size_t i, axes *push) {
  const linear_lanes *w = &c->linear->lanes;
  const scalar factor = -c->dt * (scalar)c->own->surface_tension, h = c->kernel.h;
  for (int k = 0; k < c->count[i]; k++) {
    const pair_change p = pair_at(c, i, k);
    scalar square = K(0);
    FOR_AXES(a) {
      square += p.d[a] * p.d[a];
    }
    if (!(square > K(0))) {
      continue;
    }
    const real r = real_sqrt(real_splat(square));
    const scalar mass = c->volume[p.j] / c->light[p.j];
    const scalar pull = mass * pair_cohesion(&c->kernel, r)[0] / r[0];
    const scalar share = K(2) / (K(2) + c->excess[i] + c->excess[p.j]);
    const axes denser = lanes_of(w->excess, i) + lanes_of(w->excess, p.j);
    const axes less = -K(0.5) * share * denser;
    const axes pulls = mass * pair_cohesion_rate(&c->kernel, r)[0] * p.along +
                       pull * (p.volume - lanes_of(w->light, p.j) / c->light[p.j]);
    FOR_AXES(a) {
      const size_t axis = (size_t)a;
      const scalar normal = c->all[i * CQ_AXES + axis] - c->wall[i * CQ_AXES + axis] -
                            c->all[p.j * CQ_AXES + axis] + c->wall[p.j * CQ_AXES + axis];
      const axes turned =
          lanes_of(w->all, i * CQ_DIM + axis) - lanes_of(w->wall, i * CQ_DIM + axis) -
          lanes_of(w->all, p.j * CQ_DIM + axis) + lanes_of(w->wall, p.j * CQ_DIM + axis);
      push[a] +=
          factor * share *
          (pulls * p.d[a] + pull * p.change[a] + h * turned + less * (pull * p.d[a] + h * normal));
    }
  }
}

/* Velocities after a step without pressure. */
void H(cq_linear_forces)(fluid *c, int chunk) {
  const linear_lanes *w = &c->linear->lanes;
  const scalar *middle = c->linear->step.middle;
  for (int n = chunk * CQ_FLUID_CHUNK; n < fluid_chunk_end(c, chunk); n++) {
    const size_t i = (size_t)n;
    const scalar density = K(1) + c->excess[i];
    const axes denser = lanes_of(w->excess, i) / density, thicker = lanes_of(w->viscosity, i);
    scalar sum[CQ_DIM] = {K(0)};
    axes force[CQ_DIM] = {{0}};
    for (int k = 0; k < c->count[i]; k++) {
      const pair_change p = pair_at(c, i, k);
      const scalar other = K(1) + c->excess[p.j];
      scalar square = K(0), along = K(0);
      axes change = {0};
      FOR_AXES(a) {
        const scalar v = middle[i * CQ_AXES + (size_t)a] - middle[p.j * CQ_AXES + (size_t)a];
        square += p.d[a] * p.d[a];
        along += p.d[a] * v;
        change += v * p.change[a] + p.d[a] * (lanes_of(w->v, i * CQ_DIM + (size_t)a) -
                                              lanes_of(w->v, p.j * CQ_DIM + (size_t)a));
      }
      const real squares = real_splat(square), one = real_splat(K(1));
      const scalar factor =
          pair_viscosity(&c->kernel, one, real_splat(c->volume[p.j]), squares)[0] /
          (density * other);
      const scalar rate = K(2) * pair_viscosity_rate(&c->kernel, squares)[0];
      const scalar viscosity = K(0.5) * (c->viscosity[i] + c->viscosity[p.j]);
      const axes more = K(0.5) * (thicker + lanes_of(w->viscosity, p.j));
      const axes part = p.volume + rate * p.along - denser - lanes_of(w->excess, p.j) / other;
      const axes stretch = factor * (viscosity * (change + along * part) + along * more);
      FOR_AXES(a) {
        sum[a] += factor * viscosity * along * p.d[a];
        force[a] += (factor * viscosity * along) * p.change[a] + stretch * p.d[a];
      }
    }
    for (int t = 0; t < c->n_touches[i] && c->sticky; t++) {
      change_drag(c, i, linear_touch(c, n, t), sum, force);
    }
    axes beside[CQ_DIM] = {{0}};
    if (c->own->surface_tension > 0.0) {
      change_tension(c, i, beside);
    }
    if (c->own->xsph > 0.0) {
      change_blend(c, i, beside);
    }
    FOR_AXES(a) {
      axes gravity; /* which stands in a struct, not aligned */
      memcpy(&gravity, w->gravity + (size_t)a * CQ_AXES, sizeof gravity);
      const axes push = c->light[i] * force[a] + lanes_of(w->light, i) * sum[a];
      axes_store(w->v_new, i * CQ_DIM + (size_t)a,
                 lanes_of(w->v, i * CQ_DIM + (size_t)a) + c->dt * (gravity + push) + beside[a]);
    }
  }
}
