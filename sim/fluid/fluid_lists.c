/* Neighbours of a chunk's particles, and what follows from where they are: densities, the diagonal
 * of the solvers, what walls and bodies are to them. */
#include "fluid_hot.h"

#include <math.h>

/* A list that grows within the part of a chunk. While it is made, its slopes are squares of
 * distances. */
typedef struct list {
  int *index;
  scalar *slope;
  size_t at, end;
} list;

/* Appends the points of a run that are nearer than a support, but for number `self`. */
static inline bool find_in(list *l, scalar *const *column, cells_run run, const scalar *x,
                           scalar reach, int self) {
  if (l->at + (size_t)(run.last - run.first) + LANES > l->end) {
    return false;
  }
  for (int k = run.first; k < run.last; k += LANES) {
    real square = real_splat(K(0));
    FOR_AXES(a) {
      const real d = *(const real_memory *)(column[a] + k) - x[a];
      square = square + d * d;
    }
    unsigned bits = truth_bits(square < reach);
    const int left = run.last - k;
    if (left < LANES) {
      bits &= (1u << left) - 1u;
    }
    if (self >= k && self < k + LANES) {
      bits &= ~(1u << (self - k));
    }
    scalar squares[LANES];
    *(real_memory *)squares = square;
    while (bits != 0) {
      const int lane = __builtin_ctz(bits);
      l->index[l->at] = k + lane;
      l->slope[l->at++] = squares[lane];
      bits &= bits - 1;
    }
  }
  return true;
}

static bool find(list *l, const cells *box, const int *start, scalar *const *column,
                 const scalar *x, scalar reach, int self) {
  cells_run runs[CQ_CELL_RUNS];
  const int n = cells_around(box, start, x, runs);
  bool fits = true;
  for (int r = 0; r < n && fits; r++) {
    fits = find_in(l, column, runs[r], x, reach, self);
  }
  return fits;
}

/* Fills up the list from `first` with points that do nothing, and makes slopes of its squares.
 * Returns sum V W; *spread gets sum V^2 (W'/r)^2 r^2. */
static inline scalar weigh(const kernel *spline, list *l, size_t first, int self,
                           const scalar *volume, scalar *spread) {
  const scalar reach = spline->h * spline->h;
  const size_t last = l->at;
  for (size_t k = last; k < last + LANES; k++) {
    l->index[k] = self;
    l->slope[k] = reach;
  }
  real sum = real_splat(K(0)), squares = sum;
  for (size_t k = first; k < last; k += LANES) {
    scalar volumes[LANES];
    for (int i = 0; i < LANES; i++) {
      volumes[i] = volume[l->index[k + (size_t)i]];
    }
    const real square = *(const real_memory *)(l->slope + k);
    const real q = real_sqrt(square) * spline->inverse, V = *(const real_memory *)volumes;
    const real slope = V * kernel_slope(spline, q);
    sum = sum + V * kernel_value(spline, q);
    squares = squares + slope * slope * square;
    *(real_memory *)(l->slope + k) = slope;
  }
  scalar total = K(0), of_squares = K(0);
  for (int i = 0; i < LANES; i++) {
    total += sum[i];
    of_squares += squares[i];
  }
  *spread = of_squares;
  const size_t long_enough = (last - first + CQ_FLUID_UNROLL - 1) / CQ_FLUID_UNROLL;
  l->at = first + long_enough * CQ_FLUID_UNROLL;
  return total;
}

/* The particle's touch of a body, entered if it is new; NULL where there is no room. */
static fluid_touch *touch_of(fluid *c, int chunk, int i, int body) {
  fluid_touch *touches = c->touches + (size_t)chunk * c->touch_room;
  fluid_found *found = &c->found[chunk];
  for (int t = c->first_touch[i]; t < found->n_touches; t++) {
    if (touches[t].body == body) {
      return &touches[t];
    }
  }
  if ((size_t)found->n_touches == c->touch_room) {
    return NULL;
  }
  fluid_touch *touch = &touches[found->n_touches++];
  *touch = (fluid_touch){.particle = i, .body = body};
  return touch;
}

/* Samples near particle i: its share of the density; touches; the sum of their g in c->wall. */
static bool meet_samples(fluid *c, int chunk, int i, list *samples, scalar *density) {
  const scalar *x = c->x + (size_t)i * CQ_AXES;
  const scalar reach = c->kernel.h * c->kernel.h;
  const size_t first = samples->at;
  c->first_touch[i] = c->found[chunk].n_touches;
  if (!find(samples, &c->cells, c->sample_start, c->sorted_column, x, reach, -1)) {
    return false;
  }
  const size_t last = samples->at;
  axes total = {0};
  if (last > first) {
    scalar spread;
    *density += weigh(&c->kernel, samples, first, samples->index[first], c->sorted_volume, &spread);
    samples->at = last;
  }
  for (size_t k = first; k < last; k++) {
    const int b = samples->index[k];
    const int body = c->sorted_body[b];
    scalar arm[CQ_DIM], g[CQ_DIM];
    FOR_AXES(a) {
      const scalar xb = c->sorted_column[a][b];
      g[a] = samples->slope[k] * (x[a] - xb);
      total[a] += g[a];
      arm[a] = body >= 0 ? xb - c->center[body][a] : K(0);
    }
    fluid_touch *touch = touch_of(c, chunk, i, body);
    if (touch == NULL) {
      return false;
    }
    touch_add(touch, arm, g);
  }
  axes_store(c->wall, (size_t)i, total);
  c->n_touches[i] = c->found[chunk].n_touches - c->first_touch[i];
  c->first_sample[i] = first;
  c->sample_count[i] = (int)(last - first);
  return true;
}

/* Density and diagonal of particle i, from its list. */
static void gather_density(fluid *c, int i, scalar density, scalar spread) {
  const int *near = c->near + c->first[i];
  const scalar *slope = c->slope + c->first[i];
  const axes x = axes_load(c->x, (size_t)i);
  axes sum[CQ_FLUID_UNROLL] = {{0}};
  for (int k = 0; k < c->count[i]; k += CQ_FLUID_UNROLL) {
    for (int u = 0; u < CQ_FLUID_UNROLL; u++) {
      sum[u] += slope[k + u] * (x - axes_load(c->x, (size_t)near[k + u]));
    }
  }
  const axes all = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + axes_load(c->wall, (size_t)i);
  axes_store(c->all, (size_t)i, all);
  c->excess[i] = density + c->volume[i] * c->kernel.peak - K(1);
  c->diagonal[i] = c->light[i] * (axes_sum(all * all) + spread);
}

/* All of a chunk, or `full` where its rooms do not hold it. */
void H(cq_fluid_lists)(fluid *c, int chunk) {
  const size_t room = c->near_room, sample_room = c->sample_near_room;
  list all = {c->near, c->slope, (size_t)chunk * room, (size_t)(chunk + 1) * room};
  list samples = {c->sample_near, c->sample_slope, (size_t)chunk * sample_room,
                  (size_t)(chunk + 1) * sample_room};
  fluid_found *found = &c->found[chunk];
  *found = (fluid_found){.full = true};
  for (int i = chunk * CQ_FLUID_CHUNK; i < fluid_chunk_end(c, chunk); i++) {
    const scalar *x = c->x + (size_t)i * CQ_AXES;
    const size_t first = all.at;
    if (!find(&all, &c->cells, c->start, c->column, x, c->kernel.h * c->kernel.h, i)) {
      return;
    }
    scalar spread;
    scalar density = weigh(&c->kernel, &all, first, i, c->volume, &spread);
    c->first[i] = first;
    c->count[i] = (int)(all.at - first);
    if (!meet_samples(c, chunk, i, &samples, &density)) {
      return;
    }
    gather_density(c, i, density, spread);
  }
  found->full = false;
}
