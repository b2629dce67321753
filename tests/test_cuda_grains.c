/* Grains on the device against the CPU's engine: every solver, dimension and precision, walls, a
 * tool that pushes, materials, a room without end; and the same bits in any order of blocks and
 * threads. One program for a device and for the shim. */
#include "devices.h"
#include "gear.h"
#include "granular_scene.h"
#include "mesh_maker.h"
#include "rng.h"

#include <stdbool.h>

static const double g_earth = 9.81, radius = 0.02;
static bool same; /* no multiply-add is contracted on either side: states have the same bits */

/* other seeds make the shim run blocks and threads in other orders */
static void change_order(void) {
  static int runs = 1;
  char seed[16];
  snprintf(seed, sizeof seed, "%d", ++runs);
  setenv("CQ_SHIM_SEED", seed, 1);
}

enum { GRAINS = 150, CONTROLS = 2, CHANNELS = 10 };

/* A heap of grains of several sizes and two materials, in a box with a floor, which a blade pushes.
 */
typedef struct heap {
  grain_scene s;
  unsigned char material[GRAINS];
  cq_granular_pair pairs[4];
  cq_channel channels[CHANNELS];
} heap;

static void place(grain_scene *s, int across) {
  cq_rng rng = cq_rng_seed(7);
  const int dim = s->model.dim;
  for (int i = 0; i < GRAINS; i++) {
    const int at[3] = {i % across, dim == 2 ? i / across : i / across % across,
                       i / across / across};
    double *x = grain_of(s, CQ_GRAIN_x, i);
    for (int a = 0; a < dim; a++) {
      x[a] = (at[a] + 0.5 + (a == 0 ? 0.25 * (at[dim - 1] % 2) : 0.0)) * 2.02 * radius;
      x[a] += 0.01 * radius * cq_rng_uniform(&rng);
      grain_of(s, CQ_GRAIN_v, i)[a] = 0.2 * (cq_rng_uniform(&rng) - 0.5);
    }
    *grain_of(s, CQ_GRAIN_volume, i) =
        grain_volume(dim, radius * (0.8 + 0.2 * cq_rng_uniform(&rng)));
  }
}

/* Two materials, of which grains of different ones have a friction of their own. */
static void mix_materials(heap *h) {
  for (int i = 0; i < GRAINS; i++) {
    h->material[i] = (unsigned char)(i % 3 == 0);
  }
  for (int k = 0; k < 4; k++) {
    h->pairs[k] = (cq_granular_pair){NAN, NAN, NAN, NAN};
  }
  h->pairs[1].friction = h->pairs[2].friction = 0.1;
  h->s.own.n_materials = 2;
  h->s.own.material = h->material;
  h->s.own.pairs = h->pairs;
}

/* A box, the first wall, that is driven along x and turns. */
static void add_blade(grain_scene *s) {
  const int k = s->model.n_boundaries, dim = s->model.dim;
  const double up[3] = {0.0, 1.0, 0.0}, at[3] = {-0.028, dim == 2 ? 0.05 : 0.1, 0.05};
  grain_plane(s, at, up, 0.5);
  s->parts[k] = (cq_shape){.kind = CQ_SHAPE_box, .dim = dim};
  for (int a = 0; a < dim; a++) {
    s->parts[k].center[a] = s->tools[k].origin[a] = at[a];
    s->parts[k].size[a] = a == 0 ? 0.05 : a == dim - 1 ? 0.1 : 0.3;
  }
  s->tools[k].linear[0] = 0;
  s->tools[k].angular[2] = 1;
}

/* Floor and sides, but for the one that the blade stands at. */
static void add_walls(grain_scene *s) {
  const double low[3] = {0.0}, high[3] = {0.6, 0.6, 0.6};
  for (int a = 0; a < s->model.dim; a++) {
    const double in[3] = {a == 0, a == 1, a == 2}, out[3] = {-(a == 0), -(a == 1), -(a == 2)};
    if (a > 0 && !(s->own.cyclic == 1 + a)) {
      grain_plane(s, low, in, 0.4);
    }
    if (a < s->model.dim - 1 && !(s->own.cyclic == 1 + a)) {
      grain_plane(s, high, out, 0.2);
    }
  }
}

/* One row of controls for the whole run. */
static void drive_blade(grain_scene *s, double speed, double turning) {
  s->model.n_drives = s->model.n_controls = CONTROLS;
  s->model.controller = (cq_controller){.kind = CQ_CONTROLLER_open_loop,
                                        .n_controls = CONTROLS,
                                        .n_parameters = CONTROLS,
                                        .hold = 1 << 20};
  s->layout = cq_model_layout(&s->model);
  double *theta = s->inputs + cq_layout_offset(&s->layout, "theta");
  theta[0] = speed;
  theta[1] = turning;
}

/* What pushes the blade, its work, and the means of all grains. */
static void watch(heap *h) {
  const int quantities[CHANNELS] = {CQ_Q_POSITION,       CQ_Q_VELOCITY,       CQ_Q_SQUARE,
                                    CQ_GRAIN_WRENCH,     CQ_GRAIN_WRENCH + 1, CQ_GRAIN_WRENCH + 2,
                                    CQ_GRAIN_WRENCH + 3, CQ_GRAIN_WRENCH + 4, CQ_GRAIN_WRENCH + 5,
                                    CQ_GRAIN_WORK};
  for (int k = 0; k < CHANNELS; k++) {
    h->channels[k] = (cq_channel){.quantity = quantities[k]};
  }
  h->s.model.channels = h->channels;
  h->s.model.n_channels = CHANNELS;
}

/* cyclic: 1 + an axis; 0: none. It stays where it is. */
static void heap_begin(heap *h, int dim, int bits, cq_granular_solver solver, int cyclic) {
  memset(h, 0, sizeof *h);
  h->s = grain_begin(dim, bits, GRAINS, radius, 1e-3, 10);
  grain_scene *s = &h->s;
  s->own.cyclic = cyclic;
  if (cyclic > 0) {
    s->model.room.low[cyclic - 1] = 0.0;
    s->model.room.high[cyclic - 1] = (dim == 2 ? 33.0 : 11.0) * radius;
  }
  add_blade(s);
  add_walls(s);
  place(s, dim == 2 ? 10 : 5);
  grain_all(s, CQ_GRAIN_grain_friction, 0.5);
  grain_all(s, CQ_GRAIN_rolling_friction, 0.1);
  grain_all(s, CQ_GRAIN_restitution, 0.3);
  grain_all(s, CQ_GRAIN_cohesion, 0.01);
  grain_gravity(s)[dim - 1] = -g_earth;
  mix_materials(h);
  drive_blade(s, 0.3, 0.5);
  watch(h);
  s->own.solver = solver;
  s->own.warm = solver == CQ_GRANULAR_NCP;
  s->own.spins = solver != CQ_GRANULAR_PAPER;
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct ran {
  double *state, *z;
  size_t n_state, n_z;
  cq_tally tally;
} ran;

static ran run_on(heap *h, cq_backend device, int steps) {
  grain_scene *s = &h->s;
  ran r = {.n_state = s->layout.state_total};
  s->model.device = device;
  change_order();
  grain_check_run(s, steps);
  r.n_z = (size_t)(2 * s->model.dim + CHANNELS - 2) * (size_t)(steps + 1);
  r.state = malloc(r.n_state * sizeof *r.state);
  r.z = malloc(r.n_z * sizeof *r.z);
  memcpy(r.state, s->state, r.n_state * sizeof *r.state);
  memcpy(r.z, cq_sim_observations(s->sim), r.n_z * sizeof *r.z);
  r.tally = cq_sim_statistics(s->sim)->tally;
  return r;
}

static void forget(ran *r) {
  free(r->state);
  free(r->z);
}

static double apart(const double *a, const double *b, size_t n) {
  double most = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return most / size;
}

static const char *const names[] = {"ncp", "jacobi", "paper"};

/* --- tests ------------------------------------------------------------------------------------ */

/* A heap on the CPU and on the device: states, observations and counts. */
static void compare(int dim, int bits, cq_granular_solver solver, int cyclic, int steps,
                    double bound) {
  heap h;
  heap_begin(&h, dim, bits, solver, cyclic);
  ran cpu = run_on(&h, CQ_ON_CPU, steps), device = run_on(&h, CQ_ON_CUDA, steps);
  const double state = apart(device.state, cpu.state, cpu.n_state);
  const double z = apart(device.z, cpu.z, cpu.n_z);
  printf("  %-6s %dD f%d%s: state %.1e observations %.1e, %lld contact-steps, %lld lists\n",
         names[solver], dim, bits, cyclic > 0 ? " cyclic" : "", state, z,
         device.tally.of[CQ_GRAIN_CONTACTS], device.tally.of[CQ_GRAIN_LISTS]);
  CHECK_MSG(state <= (same && bits == 64 ? 0.0 : bound) && z <= bound,
            "state %.1e, observations %.1e", state, z);
  for (int k = 0; k < CQ_N_GRAIN_TALLIES; k++) {
    CHECK_MSG(device.tally.of[k] == cpu.tally.of[k], "count %d is %lld, not %lld", k,
              device.tally.of[k], cpu.tally.of[k]);
  }
  forget(&cpu);
  forget(&device);
  grain_end(&h.s);
}

static void test_solvers(void) {
  for (int solver = CQ_GRANULAR_NCP; solver <= CQ_GRANULAR_PAPER; solver++) {
    for (int variant = 0; variant < 4; variant++) {
      const int bits = variant < 2 ? 64 : 32;
      compare(2 + variant % 2, bits, (cq_granular_solver)solver, 0, 40, bits == 64 ? 1e-10 : 1e-3);
    }
  }
}

/* along an axis that the blade does not face */
static void test_cyclic(void) {
  compare(2, 64, CQ_GRANULAR_NCP, 2, 40, 1e-10);
  compare(3, 64, CQ_GRANULAR_NCP, 2, 40, 1e-10);
  compare(3, 32, CQ_GRANULAR_JACOBI, 2, 40, 1e-3);
  compare(3, 64, CQ_GRANULAR_PAPER, 2, 40, 1e-10);
}

static void same_bits(const char *what, const ran *a, const ran *b) {
  CHECK_MSG(memcmp(a->state, b->state, a->n_state * sizeof(double)) == 0, "%s: the state differs",
            what);
  CHECK_MSG(memcmp(a->z, b->z, a->n_z * sizeof(double)) == 0, "%s: observations differ", what);
}

/* In any order of blocks and threads; and with another run in between, which moves otherwise. */
static void test_same_bits(void) {
  for (int solver = CQ_GRANULAR_NCP; solver <= CQ_GRANULAR_PAPER; solver++) {
    heap h;
    heap_begin(&h, 3, 32, (cq_granular_solver)solver, 0);
    ran first = run_on(&h, CQ_ON_CUDA, 40), again = run_on(&h, CQ_ON_CUDA, 40);
    same_bits(names[solver], &first, &again);
    double *g = grain_gravity(&h.s);
    g[0] += 1.0;
    CHECK(cq_sim_forward(h.s.sim, h.s.inputs) == CQ_OK);
    CHECK(cq_sim_final_state(h.s.sim, h.s.state) == CQ_OK);
    CHECK(memcmp(h.s.state, first.state, first.n_state * sizeof(double)) != 0);
    g[0] -= 1.0;
    CHECK(cq_sim_forward(h.s.sim, h.s.inputs) == CQ_OK);
    CHECK(cq_sim_final_state(h.s.sim, h.s.state) == CQ_OK);
    CHECK(memcmp(h.s.state, first.state, first.n_state * sizeof(double)) == 0);
    forget(&first);
    forget(&again);
    grain_end(&h.s);
  }
}

/* A cloud of n grains that fly into each other, without walls or gravity. */
static void cloud_begin(grain_scene *s, int dim, int n, cq_granular_solver solver) {
  cq_rng rng = cq_rng_seed(11);
  const int across = (int)ceil(pow(n, 1.0 / dim));
  *s = grain_begin(dim, 64, n, radius, 1e-3, 10);
  for (int i = 0; i < n; i++) {
    const int at[3] = {i % across, dim == 2 ? i / across : i / across % across,
                       i / across / across};
    for (int a = 0; a < dim; a++) {
      const double apart_by = at[a] - 0.5 * across;
      grain_of(s, CQ_GRAIN_x, i)[a] = 2.1 * radius * (apart_by + 0.03 * cq_rng_uniform(&rng));
      grain_of(s, CQ_GRAIN_v, i)[a] = 0.4 * (cq_rng_uniform(&rng) - 0.5) - 0.3 * apart_by / across;
    }
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++) {
      grain_of(s, CQ_GRAIN_spin, i)[k] = 10.0 * (cq_rng_uniform(&rng) - 0.5);
    }
  }
  grain_all(s, CQ_GRAIN_grain_friction, 0.5);
  grain_all(s, CQ_GRAIN_rolling_friction, 0.1);
  s->own.solver = solver;
  s->own.warm = solver == CQ_GRANULAR_NCP;
}

/* p[3]: of all grains without their directions */
static void momentum(grain_scene *s, const double *state, double *p) {
  const cq_layout *l = &s->layout;
  const int dim = s->model.dim;
  memset(p, 0, 4 * sizeof *p);
  for (int i = 0; i < s->model.n_particles; i++) {
    const double m = *grain_of(s, CQ_GRAIN_volume, i) * 1000.0;
    const double *v = state + l->offset[CQ_GRAIN_v] + (size_t)(i * dim);
    for (int a = 0; a < dim; a++) {
      p[a] += m * v[a];
      p[3] += m * fabs(v[a]);
    }
  }
}

/* All momentum is there after collisions. */
static void test_momentum(void) {
  for (int variant = 0; variant < 4; variant++) {
    const int dim = 2 + variant % 2;
    grain_scene s;
    double before[4], after[4];
    cloud_begin(&s, dim, 200, variant < 2 ? CQ_GRANULAR_NCP : CQ_GRANULAR_JACOBI);
    s.model.device = CQ_ON_CUDA;
    momentum(&s, s.inputs, before);
    grain_check_run(&s, 60);
    momentum(&s, s.state, after);
    CHECK(grain_tally(&s, CQ_GRAIN_CONTACTS) > 1000);
    for (int a = 0; a < dim; a++) {
      CHECK_NEAR(after[a], before[a], 1e-12 * before[3]);
    }
    grain_end(&s);
  }
}

/* Two runs of a cloud, on the CPU and on the device. */
static void compare_clouds(int dim, int n, double spread, double speed, int steps) {
  grain_scene s;
  cloud_begin(&s, dim, n, CQ_GRANULAR_NCP);
  for (int i = 0; i < n * dim; i++) {
    s.inputs[s.layout.offset[CQ_GRAIN_x] + (size_t)i] *= spread;
    s.inputs[s.layout.offset[CQ_GRAIN_v] + (size_t)i] *= speed;
  }
  grain_check_run(&s, steps);
  double *cpu = malloc(s.layout.state_total * sizeof *cpu);
  memcpy(cpu, s.state, s.layout.state_total * sizeof *cpu);
  const long long contacts = grain_tally(&s, CQ_GRAIN_CONTACTS);
  s.model.device = CQ_ON_CUDA;
  grain_check_run(&s, steps);
  CHECK((spread > 1.0 || contacts > 1000) && grain_tally(&s, CQ_GRAIN_CONTACTS) == contacts);
  const double far = apart(s.state, cpu, s.layout.state_total);
  CHECK_MSG(far <= 1e-11, "%d grains in %dD: %.1e", n, dim, far);
  free(cpu);
  grain_end(&s);
}

/* More grains than a block has threads, and than a block sums over; more cells than a block scans
 * the sums of, where nothing touches. */
static void test_many(void) {
  compare_clouds(2, 1500, 1.0, 1.0, 15);
  compare_clouds(3, 1500, 1.0, 1.0, 15);
  compare_clouds(2, 20000, 2.2, 1.0, 2);
}

/* Fast grains that lie in each other have so many neighbours that their slack is made smaller. */
static void test_less_slack(void) {
  compare_clouds(2, 200, 0.6, 10.0, 3);
}

/* --- shapes of walls -------------------------------------------------------------------------- */

/* A ball of triangles on a grid of distances. */
typedef struct mesh {
  cq_surface surface;
  void *memory, *grid;
} mesh;

static cq_shape mesh_shape(cq_ctx *ctx, const double *center, mesh *m) {
  const double still[3] = {0.0};
  double low[3], high[3];
  int turned = 0;
  for (int a = 0; a < 3; a++) {
    low[a] = center[a] - 0.03;
    high[a] = center[a] + 0.03;
  }
  cq_shape shape = {.kind = CQ_SHAPE_mesh, .dim = 3};
  m->surface = maker_box(ctx, low, high);
  CHECK(cq_surface_mend(ctx, "box", &m->surface, &turned) == CQ_OK);
  CHECK(cq_alloc(ctx, &m->memory, cq_mesh_bytes(&m->surface), 1) == CQ_OK);
  CHECK(cq_mesh_make(ctx, &m->surface, 1.0, still, m->memory, &shape.mesh) == CQ_OK);
  CHECK(cq_alloc(ctx, &m->grid, cq_sdf_bytes(&shape, 12), 1) == CQ_OK);
  shape.sdf = cq_sdf_make(&shape, 12, m->grid);
  return shape;
}

enum { MESH = 5, GEAR, UNION, SHAPES };

/* Grains fall on shape k. */
static void fall_on(int dim, int k) {
  static const double ends[6] = {-0.1, -0.06, 0.0, 0.1, -0.08, 0.02};
  static const double corners[6] = {-0.1, -0.1, 0.12, -0.1, 0.0, -0.04};
  static const double ends_2d[4] = {-0.1, -0.06, 0.1, -0.08};
  static const double x[3] = {-0.2, 0.0, 0.2}, y[3] = {-0.1, -0.06, -0.12};
  static const double angle[3] = {0.3, 0.2, 0.1}, corner[3] = {0.06, -0.07, 0.02},
                      center[3] = {0.0, -0.08, 0.0};
  heap h;
  mesh m = {.memory = NULL};
  cq_cubic pieces[4];
  cq_curve_fit(3, x, y, pieces);
  cq_shape shapes[SHAPES] = {
      {.kind = CQ_SHAPE_ball, .radius = 0.06},
      {.kind = CQ_SHAPE_capsule, .radius = 0.03, .n_points = 2},
      {.kind = CQ_SHAPE_box, .size = {0.15, 0.04, 0.2}},
      {.kind = CQ_SHAPE_height_field, .curve = {3, pieces}},
      {.kind = CQ_SHAPE_polygon, .n_points = 3, .points = corners},
      [GEAR] = {.kind = CQ_SHAPE_gear,
                .gear = cq_gear_make(9, 0.015, 0.35, dim == 2 ? 0.0 : 0.3, 0.15, 0.02)},
      [UNION] = {.kind = CQ_SHAPE_composite, .n_parts = 3}};
  cq_part parts[3] = {{.shape = {.kind = CQ_SHAPE_box, .size = {0.15, 0.06, 0.2}}},
                      {.shape = {.kind = CQ_SHAPE_ball, .radius = 0.05}},
                      {.shape = {.kind = CQ_SHAPE_ball, .radius = 0.04}, .subtract = true}};
  cloud_begin(&h.s, dim, 40, CQ_GRANULAR_NCP);
  grain_scene *s = &h.s;
  shapes[1].points = dim == 2 ? ends_2d : ends;
  for (int p = 0; p < 3; p++) {
    memcpy(parts[p].shape.center, p == 1 ? corner : center, sizeof center);
    parts[p].shape.dim = dim;
  }
  parts[2].shape.center[1] += 0.03;
  cq_shape_turn(&parts[0].shape, angle);
  shapes[UNION].parts = parts;
  if (k == MESH) {
    shapes[k] = mesh_shape(s->ctx, center, &m);
  }
  grain_plane(s, center, (const double[3]){0.0, 1.0, 0.0}, 0.3);
  s->parts[0] = shapes[k];
  s->parts[0].dim = dim;
  if (k != MESH) {
    memcpy(s->parts[0].center, center, sizeof center);
  }
  if (k == 2 || k >= GEAR) {
    cq_shape_turn(&s->parts[0], angle);
  }
  grain_gravity(s)[1] = -30.0;
  /* an involute begins like a root: what differs in the 16th digit there differs in the eighth */
  const int steps = k == GEAR ? 40 : 80;
  const double room = k == GEAR ? 1e-6 : 1e-9;
  grain_check_run(s, steps);
  double *cpu = malloc(s->layout.state_total * sizeof *cpu);
  memcpy(cpu, s->state, s->layout.state_total * sizeof *cpu);
  const long long contacts = grain_tally(s, CQ_GRAIN_CONTACTS);
  s->model.device = CQ_ON_CUDA;
  grain_check_run(s, steps);
  const double far = apart(s->state, cpu, s->layout.state_total);
  CHECK(grain_tally(s, CQ_GRAIN_CONTACTS) == contacts);
  CHECK_MSG(far <= room, "shape %d in %dD: %.1e", k, dim, far);
  /* without the shape it is another run */
  s->model.n_boundaries = 0;
  s->layout = cq_model_layout(&s->model);
  grain_check_run(s, steps);
  CHECK_MSG(apart(s->state, cpu, s->layout.state_total) > 1e-4, "shape %d in %dD does nothing", k,
            dim);
  free(cpu);
  if (k == MESH) {
    cq_surface_free(s->ctx, &m.surface);
    cq_free(s->ctx, m.memory);
    cq_free(s->ctx, m.grid);
  }
  grain_end(s);
}

static void test_shapes(void) {
  for (int k = 0; k < SHAPES; k++) {
    for (int dim = k == MESH ? 3 : 2; dim <= (k == 4 ? 2 : 3); dim++) {
      fall_on(dim, k);
    }
  }
}

/* --- states and what stops a run -------------------------------------------------------------- */

typedef struct visited {
  double *states;
  size_t total;
  int n;
} visited;

static cq_status visit(void *user, int step, const double *state) {
  visited *const v = user;
  (void)step;
  memcpy(v->states + (size_t)v->n++ * v->total, state, v->total * sizeof *state);
  return CQ_OK;
}

/* All states, and where the blade is at the last. */
static void test_visit(void) {
  enum { STEPS = 12 };
  heap h;
  heap_begin(&h, 3, 64, CQ_GRANULAR_NCP, 0);
  grain_scene *s = &h.s;
  visited v[2];
  double maps[2][8 * CQ_MAP];
  for (int k = 0; k < 2; k++) {
    s->model.device = k == 0 ? CQ_ON_CPU : CQ_ON_CUDA;
    grain_check_run(s, STEPS);
    v[k] = (visited){calloc((STEPS + 1) * s->layout.state_total, sizeof(double)),
                     s->layout.state_total, 0};
    CHECK(cq_sim_visit(s->sim, s->inputs, NULL, 0, visit, &v[k]) == CQ_OK);
    CHECK(v[k].n == STEPS + 1);
    cq_sim_walls(s->sim, maps[k]);
  }
  CHECK(apart(v[1].states, v[0].states, (STEPS + 1) * s->layout.state_total) <= 1e-11);
  CHECK(apart(maps[1], maps[0], (size_t)s->model.n_boundaries * CQ_MAP) == 0.0);
  CHECK(maps[1][3] != 0.0); /* it has moved */
  free(v[0].states);
  free(v[1].states);
  grain_end(s);
}

/* A grain that leaves, and grains that lie in each other: the same words as on the CPU. */
static void test_stops(void) {
  for (int fault = 0; fault < 2; fault++) {
    char words[2][512];
    cq_failure failure[2];
    double *state[2];
    heap h;
    heap_begin(&h, 2, 64, CQ_GRANULAR_NCP, 0);
    grain_scene *s = &h.s;
    s->model.room.high[1] = 1.0;
    for (int i = 0; fault == 1 && i < GRAINS; i++) {
      grain_of(s, CQ_GRAIN_x, i)[0] = 0.1 + 1e-3 * i;
      grain_of(s, CQ_GRAIN_x, i)[1] = 0.1;
    }
    grain_of(s, CQ_GRAIN_v, 140)[1] = fault == 0 ? 60.0 : 0.0;
    for (int k = 0; k < 2; k++) {
      s->model.device = k == 0 ? CQ_ON_CPU : CQ_ON_CUDA;
      const cq_status status = grain_run(s, 40);
      CHECK(status == (fault == 0 ? CQ_OUT_OF_ROOM : CQ_NEIGHBOURS));
      failure[k] = *cq_sim_failure(s->sim);
      snprintf(words[k], sizeof words[k], "%s", cq_ctx_error(s->ctx));
      cq_ctx_clear_error(s->ctx);
      CHECK(cq_sim_final_state(s->sim, s->state) == CQ_OK);
      state[k] = malloc(s->layout.state_total * sizeof(double));
      memcpy(state[k], s->state, s->layout.state_total * sizeof(double));
    }
    printf("  %s\n", words[1]);
    CHECK_STR(words[1], words[0]);
    CHECK(failure[1].step == failure[0].step && failure[1].particle == failure[0].particle);
    CHECK(apart(state[1], state[0], s->layout.state_total) <= 1e-11);
    free(state[0]);
    free(state[1]);
    grain_end(s);
  }
}

/* What a device does not do is said before a run. */
static void test_refused(void) {
  const double at[3] = {0.0}, up[3] = {0.0, 1.0, 0.0};
  const cq_part exact = {.shape = {.kind = CQ_SHAPE_mesh, .dim = 3}};
  for (int k = 0; k < 4; k++) {
    grain_scene s = grain_begin(3, 64, 2, radius, 1e-3, 10);
    cq_rigid body = {.name = "boulder", .motion = CQ_RIGID_FREE};
    const cq_rigids rigids = {.n = 1, .bodies = &body};
    s.model.device = CQ_ON_CUDA;
    grain_plane(&s, at, up, 0.5);
    if (k == 0) {
      s.own.hashed = true;
    } else if (k == 1) {
      s.own.rigids = &rigids;
      s.own.n_grains = 2;
    } else {
      s.parts[0].kind = k == 2 ? CQ_SHAPE_mesh : CQ_SHAPE_composite;
      s.parts[0].n_parts = k == 2 ? 0 : 1;
      s.parts[0].parts = &exact;
    }
    CHECK(grain_run(&s, 1) == CQ_DEVICE);
    CHECK_MSG(strstr(cq_ctx_error(s.ctx), "the CPU alone") != NULL, "%s", cq_ctx_error(s.ctx));
    grain_end(&s);
  }
}

/* "same": only the solvers, with the same bits */
int main(int argc, char **argv) {
  const cq_cuda cuda = cq_cuda_look();
  if (cuda.problem != NULL) {
    printf("skipped: %s\n", cuda.problem);
    return 77;
  }
  same = argc > 1 && strcmp(argv[1], "same") == 0;
  RUN(test_solvers);
  if (same) {
    return TEST_RESULT();
  }
  RUN(test_cyclic);
  RUN(test_same_bits);
  RUN(test_momentum);
  RUN(test_many);
  RUN(test_less_slack);
  RUN(test_shapes);
  RUN(test_visit);
  RUN(test_stops);
  RUN(test_refused);
  return TEST_RESULT();
}
