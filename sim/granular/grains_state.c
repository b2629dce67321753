/* The memory of a state, and movement between host doubles and its rows. */
#include "grains_bodies.h"

#include "granular_inputs.h"
#include "status.h"

#include <string.h>

static size_t aligned(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

/* Where the parts of a state are; returns its size. */
static size_t lay_out(const grains *g, char *at, state *s) {
  const size_t n = (size_t)g->n;
  char *const begin = at;
#define PART(member, count)                                                                        \
  s->member = (void *)at;                                                                          \
  at += aligned((size_t)(count) * sizeof *s->member)
  PART(head, 1);
  PART(poses, g->model->n_boundaries);
  PART(place, n * GRAIN_PLACE);
  PART(rows, (n + (size_t)g->n_dummies) * GRAIN_ROW);
  PART(listed, n * GRAIN_PLACE);
  PART(id, n);
  PART(laps, n);
  PART(unit, g->unit_room + 1);
  PART(a, g->pair_room);
  PART(b, g->pair_room);
  PART(impulse, g->pair_room * GRAIN_IMPULSE);
  PART(touches, g->touch_room);
  PART(bodies, V(cq_grains_bodies_numbers)(g));
#undef PART
  return (size_t)(at - begin);
}

size_t V(cq_grains_state_bytes)(const void *work) {
  static char nothing[64];
  state s;
  return lay_out(work, nothing, &s);
}

state V(cq_grains_view)(const grains *g, const void *slab) {
  state s;
  lay_out(g, (char *)(uintptr_t)slab, &s);
  return s;
}

/* What of it is in use. */
void V(cq_grains_copy)(const grains *g, const void *from, void *to) {
  const state a = V(cq_grains_view)(g, from), b = V(cq_grains_view)(g, to);
  const size_t n = (size_t)g->n, pairs = (size_t)a.head->n_pairs;
  memcpy(b.head, a.head, sizeof *a.head);
  memcpy(b.poses, a.poses, (size_t)g->model->n_boundaries * sizeof *a.poses);
  memcpy(b.place, a.place, n * GRAIN_PLACE * sizeof *a.place);
  memcpy(b.rows, a.rows, (n + (size_t)g->n_dummies) * GRAIN_ROW * sizeof *a.rows);
  memcpy(b.listed, a.listed, n * GRAIN_PLACE * sizeof *a.listed);
  memcpy(b.id, a.id, n * sizeof *a.id);
  memcpy(b.laps, a.laps, n * sizeof *a.laps);
  memcpy(b.unit, a.unit, ((size_t)a.head->n_units + 1) * sizeof *a.unit);
  memcpy(b.a, a.a, pairs * sizeof *a.a);
  memcpy(b.b, a.b, pairs * sizeof *a.b);
  memcpy(b.impulse, a.impulse, pairs * GRAIN_IMPULSE * sizeof *a.impulse);
  if (g->bodies != NULL) {
    memcpy(b.bodies, a.bodies, V(cq_grains_bodies_numbers)(g) * sizeof *a.bodies);
  }
  memcpy(b.touches, a.touches, (size_t)a.head->n_touches * sizeof *a.touches);
}

static double radius_of(double volume) {
  const double pi = 3.14159265358979323846;
  return CQ_DIM == 2 ? sqrt(volume / pi) : cbrt(0.75 * volume / pi);
}

/* Says which input is not finite, and of which particle. */
static cq_status not_finite(grains *g, size_t i, double value) {
  const cq_layout *layout = g->layout;
  const int k = cq_layout_at(layout, i);
  const cq_input *input = &layout->inputs[k];
  const size_t at = i - layout->offset[k];
  g->failure = (cq_failure){.status = CQ_NONFINITE, .value = value};
  if (input->of != CQ_OF_PARTICLE) {
    return CQ_FAIL(g->ctx, CQ_NONFINITE, "input %s[%zu] is not finite (%g)", input->name, at,
                   value);
  }
  g->failure.particle = (int)(at / (size_t)input->numbers[CQ_DIM - 2]);
  return CQ_FAIL(g->ctx, CQ_NONFINITE, "%s of particle %d is not finite (%g)", input->name,
                 g->failure.particle, value);
}

/* A parameter that is not finite need not make the state so: a mass of NaN is no mass. */
static cq_status check_parameters(grains *g, const double *inputs) {
  for (size_t i = 0; i < g->layout->total; i++) {
    if (inputs[i] - inputs[i] != 0.0) {
      return not_finite(g, i, inputs[i]);
    }
  }
  return CQ_OK;
}

/* Masses, radii and what pairs have the product of. */
static cq_status take_parameters(grains *g, const double *inputs) {
  const size_t *at = g->layout->offset;
  const int shares[] = {CQ_GRAIN_grain_friction, CQ_GRAIN_rolling_friction, CQ_GRAIN_restitution,
                        CQ_GRAIN_cohesion};
  double smallest = INFINITY, largest = 0.0, mass = 0.0, square = 0.0;
  g->rolls = false;
  for (int p = 0; p < g->n; p++) {
    const double volume = inputs[at[CQ_GRAIN_volume] + (size_t)p];
    const double m = volume * inputs[at[CQ_GRAIN_density] + (size_t)p], r = radius_of(volume);
    if (!(m > 0.0)) {
      g->failure = (cq_failure){.status = CQ_NONFINITE, .particle = p, .value = m};
      return CQ_FAIL(g->ctx, CQ_NONFINITE, "particle %d has the mass %g kg", p, m);
    }
    g->radius[p] = K(r);
    g->inverse_mass[p] = K(1.0 / m);
    mass += m;
    smallest = r < smallest ? r : smallest;
    largest = r > largest ? r : largest;
    for (int k = 0; k < 4; k++) {
      g->share[4 * p + k] = K(sqrt(inputs[at[shares[k]] + (size_t)p]));
    }
    g->rolls = g->rolls || g->share[4 * p + 1] > K(0);
  }
  FOR_EACH_AXIS(a) {
    g->gravity[a] = K(inputs[at[CQ_GRAIN_gravity] + (size_t)a]);
    square += inputs[at[CQ_GRAIN_gravity] + (size_t)a] * inputs[at[CQ_GRAIN_gravity] + (size_t)a];
  }
  g->rolls = g->rolls && g->spins;
  g->weight = mass * sqrt(square);
  g->bounce_above = K(4.0 * sqrt(square) * g->model->dt);
  g->smallest = K(smallest);
  g->largest = K(largest);
  for (int t = 0; t < g->model->n_boundaries; t++) {
    g->wall_friction[t] = inputs[at[CQ_GRAIN_friction] + (size_t)t];
  }
  return CQ_OK;
}

/* place, row and number of particle p */
static void put_grain(const grains *g, const double *inputs, const state *s, int p) {
  const size_t *at = g->layout->offset;
  scalar *place = s->place + (size_t)p * GRAIN_PLACE, *row = s->rows + (size_t)p * GRAIN_ROW;
  const scalar r = g->radius[p];
  FOR_EACH_AXIS(a) {
    place[a] = K(inputs[at[CQ_GRAIN_x] + (size_t)(p * CQ_DIM + a)]);
    row[ROW_V + a] = K(inputs[at[CQ_GRAIN_v] + (size_t)(p * CQ_DIM + a)]);
  }
  for (int k = 0; k < GRAIN_SPINS; k++) {
    row[ROW_W + k] = K(inputs[at[CQ_GRAIN_spin] + (size_t)(p * GRAIN_SPINS + k)]);
  }
  place[3] = r;
  row[ROW_IM] = g->inverse_mass[p];
  row[ROW_II] = g->spins ? g->inverse_mass[p] * K(CQ_DIM == 2 ? 2.0 : 2.5) / (r * r) : K(0);
  s->id[p] = p;
}

/* The state has no list yet, so that the first step makes one. */
cq_status V(cq_grains_upload)(void *work, const double *inputs, void *slab) {
  grains *g = work;
  const state s = V(cq_grains_view)(g, slab);
  memset(&g->failure, 0, sizeof g->failure);
  memset(&g->tally, 0, sizeof g->tally);
  memset(slab, 0, V(cq_grains_state_bytes)(g));
  g->stamp = -1;
  CQ_TRY(check_parameters(g, inputs));
  CQ_TRY(take_parameters(g, inputs));
  for (int p = 0; p < g->n; p++) {
    put_grain(g, inputs, &s, p);
  }
  for (int t = 0; t < g->model->n_boundaries; t++) {
    s.poses[t] = cq_tool_start(&g->own->tools[t]);
  }
  CQ_TRY(V(cq_grains_bodies_upload)(g, inputs, &s));
  return V(cq_grains_make_list)(g, -1, &s);
}

void V(cq_grains_walls)(const void *work, const void *slab, double *maps) {
  const grains *g = work;
  const state s = V(cq_grains_view)(g, slab);
  for (int t = 0; t < g->model->n_boundaries; t++) {
    cq_tool_map(&g->own->tools[t], &s.poses[t], maps + (size_t)t * CQ_MAP);
  }
}

/* Where records have it: in a room without end, in the room. */
static double in_room(const grains *g, int axis, double x) {
  const double period = (double)g->period;
  return axis == g->cyclic ? x - period * floor((x - (double)g->low[axis]) / period) : x;
}

/* Grains go back to the numbers of the inputs; carried particles are where the poses put them. */
void V(cq_grains_download)(const void *work, const void *slab, double *out) {
  const grains *g = work;
  const size_t *at = g->layout->offset;
  const state s = V(cq_grains_view)(g, slab);
  for (int i = 0; i < g->n; i++) {
    const size_t p = (size_t)s.id[i];
    const scalar *row = s.rows + (size_t)i * GRAIN_ROW;
    for (size_t a = 0; a < CQ_DIM; a++) {
      out[at[CQ_GRAIN_x] + p * CQ_DIM + a] =
          in_room(g, (int)a, (double)s.place[(size_t)i * GRAIN_PLACE + a]);
      out[at[CQ_GRAIN_v] + p * CQ_DIM + a] = (double)row[ROW_V + a];
    }
    for (size_t k = 0; k < GRAIN_SPINS; k++) {
      out[at[CQ_GRAIN_spin] + p * GRAIN_SPINS + k] = (double)row[ROW_W + k];
    }
  }
  for (int p = g->n; p < g->model->n_particles; p++) {
    const cq_tool_pose *pose = V(cq_grains_carrier)(g, &s, p - g->n);
    double x[3], v[3] = {0};
    V(cq_grains_carried)(g, &s, p - g->n, x, v);
    memcpy(out + at[CQ_GRAIN_x] + (size_t)p * CQ_DIM, x, CQ_DIM * sizeof *x);
    memcpy(out + at[CQ_GRAIN_v] + (size_t)p * CQ_DIM, v, CQ_DIM * sizeof *v);
    memcpy(out + at[CQ_GRAIN_spin] + (size_t)p * GRAIN_SPINS, pose->w + 3 - GRAIN_SPINS,
           GRAIN_SPINS * sizeof *v);
  }
}

/* Sums over a set in the order of its particles, in double, on one thread. */
typedef struct sums {
  double mass, square, x[CQ_DIM], v[CQ_DIM];
} sums;

/* Place and velocity of a particle, grain or carried; returns its mass. */
static double look(const grains *g, const state *s, int particle, double *x, double *v) {
  if (particle >= g->n) {
    V(cq_grains_carried)(g, s, particle - g->n, x, v);
    return g->bodies->grain[particle - g->n];
  }
  const size_t i = (size_t)g->slot[particle];
  const scalar *row = s->rows + i * GRAIN_ROW;
  FOR_EACH_AXIS(a) {
    x[a] = (double)s->place[i * GRAIN_PLACE + (size_t)a];
    x[a] += a == g->cyclic ? s->laps[i] * (double)g->period : 0.0;
    v[a] = (double)row[ROW_V + a];
  }
  return 1.0 / (double)row[ROW_IM];
}

static sums sum_set(const grains *g, const state *s, const cq_group *set) {
  sums of = {.mass = 0.0};
  for (int q = 0; q < set->count; q++) {
    double x[3], v[3];
    const double m = look(g, s, set->particles[q], x, v);
    of.mass += m;
    FOR_EACH_AXIS(a) {
      of.x[a] += m * x[a];
      of.v[a] += m * v[a];
      of.square += m * v[a] * v[a];
    }
  }
  return of;
}

/* How unevenly the mass of a set lies along the first axis: the root mean square, over columns of
 * the room, of what a column has more or less than the mean, by the mean. A level bed has 0. A
 * grain's mass is spread over its diameter, so that one that goes from a column to the next does
 * not jump. */
static double unevenness(const grains *g, const state *s, const cq_group *set) {
  double mass[GRAIN_COLUMNS] = {0.0}, all = 0.0, square = 0.0;
  const int n = (int)fmin(fmax(set->parameter, 1.0), GRAIN_COLUMNS);
  const cq_box *room = &g->model->room;
  const double width = (room->high[0] - room->low[0]) / n;
  for (int q = 0; q < set->count && set->particles[q] < g->n; q++) { /* grains alone */
    const size_t i = (size_t)g->slot[set->particles[q]];
    const double m = 1.0 / (double)s->rows[i * GRAIN_ROW + ROW_IM];
    const double r = (double)s->place[i * GRAIN_PLACE + 3];
    const double x = (double)s->place[i * GRAIN_PLACE] - room->low[0];
    for (int k = 0; k < n; k++) {
      const double low = fmax(x - r, k == 0 ? -INFINITY : k * width);
      const double high = fmin(x + r, k == n - 1 ? INFINITY : (k + 1) * width);
      mass[k] += m * fmax(high - low, 0.0) / (2.0 * r);
    }
    all += m;
  }
  for (int k = 0; k < n; k++) {
    const double more = mass[k] * n / all - 1.0;
    square += more * more;
  }
  return sqrt(square / n);
}

/* The share of a grain's diameter along an axis that is between two places. */
static double part_between(double x, double r, double low, double high) {
  return fmax(fmin(x + r, high) - fmax(x - r, low), 0.0) / (2.0 * r);
}

/* The share of the mass of a set that is in its box. A grain on a face counts by the part of its
 * diameter that is inside, so that one that comes in does not jump. */
static double share_in(const grains *g, const state *s, const cq_group *set) {
  const double(*box)[3] = cq_granular_of(g->model)->boxes[(int)set->parameter - 1];
  double all = 0.0, in = 0.0;
  for (int q = 0; q < set->count && set->particles[q] < g->n; q++) { /* grains alone */
    const size_t i = (size_t)g->slot[set->particles[q]];
    double m = 1.0 / (double)s->rows[i * GRAIN_ROW + ROW_IM];
    const double r = (double)s->place[i * GRAIN_PLACE + 3];
    all += m;
    FOR_EACH_AXIS(a) {
      m *= part_between((double)s->place[i * GRAIN_PLACE + (size_t)a], r, box[0][a], box[1][a]);
    }
    in += m;
  }
  return in / all;
}

/* What is asked of a tool: the one that the parameter says, or that carries the set. */
static void observe_tool(const grains *g, const state *s, const cq_group *set, const int *at,
                         double *z) {
  cq_tool_pose pose = {.turn = {1.0, 0.0, 0.0, 0.0}};
  double turned[3];
  if (set->parameter >= 1.0) {
    pose = s->poses[(int)set->parameter - 1];
  } else if (set->count > 0 && set->particles[0] >= g->n) {
    pose = *V(cq_grains_carrier)(g, s, set->particles[0] - g->n);
  }
  cq_tool_turned(&pose, turned);
  for (int k = 0; k < 6; k++) {
    if (at[CQ_GRAIN_WRENCH + k] >= 0) {
      z[at[CQ_GRAIN_WRENCH + k]] = pose.wrench[k];
    }
    if (at[CQ_GRAIN_TURN + k] >= 0) {
      z[at[CQ_GRAIN_TURN + k]] = k < 3 ? turned[k] : pose.w[k - 3];
    }
  }
  if (at[CQ_GRAIN_WORK] >= 0) {
    z[at[CQ_GRAIN_WORK]] = pose.work;
  }
}

/* The row of z at state k. */
void V(cq_grains_observe)(void *work, int k, const void *slab, double *z) {
  const grains *g = work;
  const state s = V(cq_grains_view)(g, slab);
  int n = 0;
  const cq_view *views = cq_z_views(g->layout->rows, k, &n);
  for (int i = 0; i < n; i++) {
    const int *at = views[i].place;
    const cq_group *set = &g->model->groups[views[i].group];
    observe_tool(g, &s, set, at, z);
    if (at[CQ_GRAIN_UNEVENNESS] >= 0) {
      z[at[CQ_GRAIN_UNEVENNESS]] = unevenness(g, &s, set);
    }
    if (at[CQ_GRAIN_SHARE_IN] >= 0) {
      z[at[CQ_GRAIN_SHARE_IN]] = share_in(g, &s, set);
    }
    bool sums_wanted = false;
    for (int q = 0; q < CQ_N_SHARED_QUANTITIES; q++) {
      sums_wanted = sums_wanted || at[q] >= 0;
    }
    if (!sums_wanted) {
      continue;
    }
    const sums of = sum_set(g, &s, set);
    for (int a = 0; a < CQ_DIM && at[CQ_Q_POSITION] >= 0; a++) {
      z[at[CQ_Q_POSITION] + a] = of.x[a] / of.mass;
    }
    for (int a = 0; a < CQ_DIM && at[CQ_Q_VELOCITY] >= 0; a++) {
      z[at[CQ_Q_VELOCITY] + a] = of.v[a] / of.mass;
    }
    if (at[CQ_Q_SQUARE] >= 0) {
      z[at[CQ_Q_SQUARE]] = of.square / of.mass;
    }
    if (at[CQ_Q_MASS] >= 0) {
      z[at[CQ_Q_MASS]] = of.mass;
    }
  }
}
