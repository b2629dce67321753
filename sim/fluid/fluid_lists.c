/* Neighbours of a chunk's particles, and what follows from where they are: densities, the diagonal
 * of the solvers, what walls and bodies are to them. */
#include "fluid_hot.h"

#include <math.h>
#include <string.h>

/* Sums over a list go on in fours, and in lanes, past its end, where there must be what does
 * nothing. */
enum { FOURS = 4, FILL = LANES > FOURS ? LANES : FOURS };

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
  if (l->at + (size_t)(run.last - run.first) + FILL > l->end) {
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
  for (size_t k = last; k < last + FILL; k++) {
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
  for (size_t k = last; k < last + FOURS; k++) { /* lanes may be fewer */
    l->slope[k] = K(0);
  }
  scalar total = K(0), of_squares = K(0);
  for (int i = 0; i < LANES; i++) {
    total += sum[i];
    of_squares += squares[i];
  }
  *spread = of_squares;
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
static void gather_density(fluid *c, int i, const list *l, size_t first, scalar density,
                           scalar spread) {
  const axes x = axes_load(c->x, (size_t)i);
  axes sum[FOURS] = {{0}};
  for (size_t k = first; k < l->at; k += FOURS) {
    for (size_t u = 0; u < FOURS; u++) {
      sum[u] += l->slope[k + u] * (x - axes_load(c->x, (size_t)l->index[k + u]));
    }
  }
  const axes all = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + axes_load(c->wall, (size_t)i);
  axes_store(c->all, (size_t)i, all);
  c->excess[i] = density + c->volume[i] * c->kernel.peak - K(1);
  c->diagonal[i] = c->light[i] * (axes_sum(all * all) + spread);
}

/* The lists of a group, which stand one after the other from `first` on, take turns from there on,
 * all as long as the longest. */
static bool interleave(fluid *c, list *l, size_t first, int group) {
  enum { G = CQ_FLUID_GROUP };
  const int *count = c->count + group * G;
  int most = 0;
  for (int i = 0; i < G; i++) {
    most = count[i] > most ? count[i] : most;
  }
  const size_t all = (size_t)most * G, at = l->at;
  if (at + all > l->end) {
    return false;
  }
  size_t from = first;
  for (int i = 0; i < G; i++) {
    for (int k = 0; k < most; k++) {
      const size_t to = at + (size_t)k * G + (size_t)i;
      const bool real_one = k < count[i];
      l->index[to] = CQ_AXES * (real_one ? l->index[from + (size_t)k] : group * G);
      l->slope[to] = real_one ? l->slope[from + (size_t)k] : K(0);
    }
    from += (size_t)count[i];
    c->first[group * G + i] = first + (size_t)i;
  }
  memmove(l->index + first, l->index + at, all * sizeof *l->index);
  memmove(l->slope + first, l->slope + at, all * sizeof *l->slope);
  c->length[group] = most;
  l->at = first + all;
  return true;
}

/* The chunks of a list, which goes up, count among its chunk's. */
static void widen(fluid_found *found, const list *l, size_t first) {
  if (l->at > first) {
    const int low = l->index[first] / CQ_FLUID_CHUNK, high = l->index[l->at - 1] / CQ_FLUID_CHUNK;
    found->first = low < found->first ? low : found->first;
    found->last = high + 1 > found->last ? high + 1 : found->last;
  }
}

/* Finds what is near particle i. */
static bool meet_particles(fluid *c, int chunk, int i, list *all, list *samples) {
  const scalar *x = c->x + (size_t)i * CQ_AXES;
  const size_t first = all->at;
  if (!find(all, &c->cells, c->start, c->column, x, c->kernel.h * c->kernel.h, i)) {
    return false;
  }
  scalar spread;
  scalar density = weigh(&c->kernel, all, first, i, c->volume, &spread);
  c->count[i] = (int)(all->at - first);
  widen(&c->found[chunk], all, first);
  if (!meet_samples(c, chunk, i, samples, &density)) {
    return false;
  }
  gather_density(c, i, all, first, density, spread);
  return true;
}

/* All of a chunk, or `full` where its rooms do not hold it. Past the last particle of all a group
 * is filled up with what does nothing. */
void H(cq_fluid_lists)(fluid *c, int chunk) {
  const size_t room = c->near_room, sample_room = c->sample_near_room;
  const int end = fluid_chunk_end(c, chunk);
  list all = {(int *)c->near, c->slope, (size_t)chunk * room, (size_t)(chunk + 1) * room};
  list samples = {c->sample_near, c->sample_slope, (size_t)chunk * sample_room,
                  (size_t)(chunk + 1) * sample_room};
  fluid_found *found = &c->found[chunk];
  *found = (fluid_found){.first = chunk, .last = chunk + 1, .full = true};
  for (int i = chunk * CQ_FLUID_CHUNK; i < end; i += CQ_FLUID_GROUP) {
    const size_t first = all.at;
    for (int l = i; l < i + CQ_FLUID_GROUP; l++) {
      if (l >= end) {
        c->count[l] = c->n_touches[l] = 0;
      } else if (!meet_particles(c, chunk, l, &all, &samples)) {
        return;
      }
    }
    if (!interleave(c, &all, first, i / CQ_FLUID_GROUP)) {
      return;
    }
  }
  found->full = false;
}
