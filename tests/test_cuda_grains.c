/* Grains on the device against the CPU's engine: every solver, dimension and precision, walls, a
 * tool that pushes, materials, a room without end; and the same bits in any order of blocks and
 * threads. One program for a device and for the shim. */
#include "devices.h"
#include "granular_scene.h"
#include "rng.h"

#include <stdbool.h>

static const double g_earth = 9.81, radius = 0.02;

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
    s->model.room.high[cyclic - 1] = 11.0 * radius;
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
  CHECK_MSG(state <= bound && z <= bound, "state %.1e, observations %.1e", state, z);
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
      compare(2 + variant % 2, bits, (cq_granular_solver)solver, 0, 40, bits == 64 ? 1e-9 : 1e-2);
    }
  }
}

int main(void) {
  const cq_cuda cuda = cq_cuda_look();
  if (cuda.problem != NULL) {
    printf("skipped: %s\n", cuda.problem);
    return 77;
  }
  RUN(test_solvers);
  return TEST_RESULT();
}
