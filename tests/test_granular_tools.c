/* Walls and tools, and what a state is: the inside of the engine, in 3D and double. */
#include "gear.h"
#include "grains.h"
#include "granular_kernels.h"
#include "granular_scene.h"
#include "mesh_maker.h"
#include "rng.h"

static const double g_earth = 9.81;

/* The engine's steps by hand, and the states that they leave. */
typedef struct machine {
  grain_scene *scene;
  grains *work;
  char *states; /* [n] */
  size_t bytes;
} machine;

static const cq_host_steps *const engine = &cq_grains_3d_f64;

static char *state_at(const machine *m, int k) {
  return m->states + (size_t)k * m->bytes;
}

/* With room for n states, of which the first is filled. */
static machine machine_begin(grain_scene *s, int n) {
  machine m = {.scene = s};
  void *work = NULL;
  grain_settle(s);
  CHECK(engine->create(s->ctx, &s->model, &s->layout, &work) == CQ_OK);
  m.work = work;
  m.bytes = engine->state_bytes(work);
  m.states = aligned_alloc(64, (size_t)n * m.bytes);
  CHECK(engine->upload(m.work, s->inputs, m.states) == CQ_OK);
  return m;
}

static void machine_end(machine *m) {
  engine->destroy(m->work);
  free(m->states);
  grain_end(m->scene);
}

/* A box as the next wall, driven along x by control 0 and about z by control 1. */
static void add_box(grain_scene *g, const double *center, const double *size, double friction) {
  const double up[3] = {0.0, 0.0, 1.0};
  const int k = g->model.n_boundaries;
  grain_plane(g, center, up, friction);
  g->parts[k] = (cq_shape){.kind = CQ_SHAPE_box, .dim = 3};
  for (int a = 0; a < 3; a++) {
    g->parts[k].center[a] = g->tools[k].origin[a] = center[a];
    g->parts[k].size[a] = size[a];
  }
  g->tools[k].linear[0] = 0;
  g->tools[k].angular[2] = 1;
}

static void run(machine *m, int first, int last, bool in_place, const double *w) {
  for (int k = first; k < last; k++) {
    char *from = in_place ? m->states : state_at(m, k);
    char *to = in_place ? m->states : state_at(m, k + 1);
    const cq_status status = engine->step(m->work, k, from, to, w, true);
    CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(m->scene->ctx));
  }
}

/* Five grains in a column weigh on the floor what they weigh. */
static void test_wrench(void) {
  const double r = 0.02, up[3] = {0.0, 0.0, 1.0}, at[3] = {0.0, 0.0, 0.0}, none[2] = {0.0, 0.0};
  grain_scene s = grain_begin(3, 64, 5, r, 1e-3, 30);
  grain_plane(&s, at, up, 0.5);
  for (int i = 0; i < 5; i++) {
    grain_of(&s, CQ_GRAIN_x, i)[0] = 0.3;
    grain_of(&s, CQ_GRAIN_x, i)[2] = (2 * i + 1) * r;
  }
  grain_gravity(&s)[2] = -g_earth;
  machine m = machine_begin(&s, 1);
  run(&m, 0, 500, true, none);
  const double weight = 5.0 * 1000.0 * grain_volume(3, r) * g_earth;
  CHECK_NEAR(m.work->wrench[2], -weight, 1e-6 * weight);
  CHECK_NEAR(m.work->wrench[0], 0.0, 1e-9 * weight);
  /* about the origin of the wall, which the column is 0.3 m beside of */
  CHECK_NEAR(m.work->wrench[4], 0.3 * weight, 1e-6 * weight);
  machine_end(&m);
}

/* A blade that moves along carries a grain before it, on a floor without friction: without a jump,
 * at its speed, and it pushes with nothing once both go alike. */
static void test_blade(void) {
  const double up[3] = {0.0, 0.0, 1.0}, at[3] = {0.0}, center[3] = {-0.1, 0.0, 0.05};
  const double size[3] = {0.05, 0.4, 0.1}, w[2] = {0.2, 0.0};
  grain_scene s = grain_begin(3, 64, 1, 0.02, 1e-3, 10);
  s.model.n_drives = s.model.n_controls = 2;
  grain_plane(&s, at, up, 0.0);
  add_box(&s, center, size, 0.5);
  grain_of(&s, CQ_GRAIN_x, 0)[2] = 0.02;
  grain_gravity(&s)[2] = -g_earth;
  machine m = machine_begin(&s, 1);
  run(&m, 0, 1000, true, w);
  engine->download(m.work, m.states, s.state);
  /* the blade's face began at -0.075 and has gone 0.2 m: the grain is a radius ahead of it */
  CHECK_NEAR(grain_after(&s, CQ_GRAIN_x, 0)[0], -0.075 + 0.2 + 0.02, 3e-4);
  CHECK_NEAR(grain_after(&s, CQ_GRAIN_v, 0)[0], 0.2, 1e-6);
  CHECK_NEAR(m.work->wrench[6], 0.0, 1e-3);
  CHECK(m.work->tally.of[CQ_GRAIN_JAMS] == 0);
  machine_end(&m);
}

/* A tool of triangles, exact (cells 0) or by a grid of distances. */
typedef struct mesh_tool {
  cq_shape shape;
  cq_surface surface;
  void *memory, *grid;
} mesh_tool;

static mesh_tool mesh_of(cq_ctx *ctx, cq_surface surface, int cells) {
  const double still[3] = {0.0};
  int turned = 0;
  mesh_tool m = {.surface = surface};
  m.shape = (cq_shape){.kind = CQ_SHAPE_mesh, .dim = 3};
  CHECK(cq_surface_mend(ctx, "tool", &m.surface, &turned) == CQ_OK);
  CHECK(cq_alloc(ctx, &m.memory, cq_mesh_bytes(&m.surface), 1) == CQ_OK);
  CHECK(cq_mesh_make(ctx, &m.surface, 1.0, still, m.memory, &m.shape.mesh) == CQ_OK);
  if (cells > 0) {
    CHECK(cq_alloc(ctx, &m.grid, cq_sdf_bytes(&m.shape, cells), 1) == CQ_OK);
    m.shape.sdf = cq_sdf_make(&m.shape, cells, m.grid);
  }
  return m;
}

static mesh_tool mesh_begin(cq_ctx *ctx, const double *center, const double *size, int cells) {
  double low[3], high[3];
  for (int a = 0; a < 3; a++) {
    low[a] = center[a] - 0.5 * size[a];
    high[a] = center[a] + 0.5 * size[a];
  }
  return mesh_of(ctx, maker_box(ctx, low, high), cells);
}

static void mesh_end(cq_ctx *ctx, mesh_tool *m) {
  cq_surface_free(ctx, &m->surface);
  cq_free(ctx, m->memory);
  cq_free(ctx, m->grid);
}

/* Some steps of heavy grains that roll on a floor, with part 1 driven by w; ends scene and mesh. x:
 * where they are then; wrench: what has pushed the part, summed over the steps. */
static void run_tool(grain_scene *s, mesh_tool *mesh, int steps, const double *w, double *x,
                     double *wrench) {
  grain_all(s, CQ_GRAIN_rolling_friction, 0.1);
  grain_gravity(s)[2] = -g_earth;
  machine m = machine_begin(s, 1);
  memset(wrench, 0, 6 * sizeof *wrench);
  for (int k = 0; k < steps; k++) {
    run(&m, k, k + 1, true, w);
    for (int a = 0; a < 6; a++) {
      wrench[a] += m.work->wrench[6 + a];
    }
  }
  engine->download(m.work, m.states, s->state);
  memcpy(x, grain_after(s, CQ_GRAIN_x, 0), 3 * (size_t)s->model.n_particles * sizeof *x);
  mesh_end(s->ctx, mesh);
  machine_end(&m);
}

/* A box, itself or as a mesh (cells -1: itself), pushes a row of grains along a floor and turns:
 * where they are then, and what has pushed it, summed over the steps. */
static void push_row(int cells, double *x, double *wrench) {
  enum { GRAINS = 5, STEPS = 300 };
  const double up[3] = {0.0, 0.0, 1.0}, at[3] = {0.0}, center[3] = {-0.1, 0.0, 0.05};
  const double size[3] = {0.05, 0.4, 0.1}, w[2] = {0.2, 0.3};
  grain_scene s = grain_begin(3, 64, GRAINS, 0.02, 1e-3, 20);
  mesh_tool mesh = mesh_begin(s.ctx, center, size, cells > 0 ? cells : 0);
  s.model.n_drives = s.model.n_controls = 2;
  grain_plane(&s, at, up, 0.3);
  add_box(&s, center, size, 0.5);
  if (cells >= 0) {
    s.parts[1] = mesh.shape;
  }
  for (int i = 0; i < GRAINS; i++) {
    grain_of(&s, CQ_GRAIN_x, i)[0] = -0.05;
    grain_of(&s, CQ_GRAIN_x, i)[1] = 0.06 * (i - 2);
    grain_of(&s, CQ_GRAIN_x, i)[2] = 0.02;
  }
  run_tool(&s, &mesh, STEPS, w, x, wrench);
}

/* A tool of triangles pushes as the same box in closed form does, to rounding; a grid of its
 * distances to a part of its cells. */
static void test_mesh(void) {
  double x[3][15], wrench[3][6], most[2] = {0.0, 0.0};
  const int cells[3] = {-1, 0, 40}; /* the grid has cells of a hundredth of a metre */
  for (int k = 0; k < 3; k++) {
    push_row(cells[k], x[k], wrench[k]);
  }
  CHECK(x[0][0] > -0.02); /* it has pushed */
  CHECK(wrench[0][0] < -1.0);
  for (int i = 0; i < 15; i++) {
    most[0] = fmax(most[0], fabs(x[1][i] - x[0][i]));
    most[1] = fmax(most[1], fabs(x[2][i] - x[0][i]));
  }
  printf("  a mesh is off by %.1e m, a grid by %.1e m; pushed by %.3f, %.3f, %.3f N s\n", most[0],
         most[1], 1e-3 * wrench[0][0], 1e-3 * wrench[1][0], 1e-3 * wrench[2][0]);
  CHECK(most[0] < 1e-9);
  CHECK(most[1] < 1e-3);
  for (int a = 0; a < 6; a++) {
    CHECK_NEAR(wrench[1][a], wrench[0][a], 1e-6 * fabs(wrench[0][0]));
  }
  CHECK_NEAR(wrench[2][0], wrench[0][0], 0.05 * fabs(wrench[0][0]));
}

/* A spur gear of 45 teeth, its roots outside the base circle, as a surface. */
static cq_surface gear_surface(cq_ctx *ctx, const cq_shape *s) {
  enum { TEETH = 45, FLANK = 24, N = 2 * TEETH * FLANK };
  static double outline[N][2];
  const cq_gear *g = &s->gear;
  for (int i = 0; i < N; i++) {
    const int k = i % (2 * FLANK), up = k < FLANK ? k : 2 * FLANK - 1 - k;
    const double radius = g->root + (g->tip - g->root) * up / (FLANK - 1);
    const double half = (k < FLANK ? -1.0 : 1.0) * gear_half_angle(g, radius);
    const double angle = 2.0 * GRAIN_PI * (i / (2 * FLANK)) / TEETH + half;
    outline[i][0] = radius * cos(angle);
    outline[i][1] = radius * sin(angle);
  }
  cq_surface surface = maker_extrude(ctx, N, (const double(*)[2])outline, g->width);
  for (int i = 0; i < surface.n_vertices; i++) {
    for (int a = 0; a < 3; a++) {
      surface.vertices[3 * i + a] += s->center[a] - (a == 2 ? 0.5 * g->width : 0.0);
    }
  }
  return surface;
}

/* A gear that turns carries grains along in its gaps, in closed form or as a mesh. */
static void pass_gear(bool as_mesh, double *x, double *wrench) {
  enum { GRAINS = 5, STEPS = 200 };
  const double up[3] = {0.0, 0.0, 1.0}, at[3] = {0.0}, center[3] = {-0.4865, 0.0, 0.05};
  const double size[3] = {1.0, 1.0, 1.0}, w[2] = {0.0, 0.5};
  grain_scene s = grain_begin(3, 64, GRAINS, 0.01, 1e-3, 20);
  cq_shape gear = {.kind = CQ_SHAPE_gear, .dim = 3, .center = {-0.4865, 0.0, 0.05}};
  gear.gear = cq_gear_make(45, 0.02, 0.35, 0.0, 0.1, 0.0);
  mesh_tool mesh = mesh_of(s.ctx, gear_surface(s.ctx, &gear), 0);
  s.model.n_drives = s.model.n_controls = 2;
  grain_plane(&s, at, up, 0.3);
  add_box(&s, center, size, 0.5);
  s.parts[1] = as_mesh ? mesh.shape : gear;
  for (int i = 0; i < GRAINS; i++) {
    const double angle = (2 * i - 3) * GRAIN_PI / 45.0;
    grain_of(&s, CQ_GRAIN_x, i)[0] = center[0] + 0.45 * cos(angle);
    grain_of(&s, CQ_GRAIN_x, i)[1] = center[1] + 0.45 * sin(angle);
    grain_of(&s, CQ_GRAIN_x, i)[2] = 0.01;
  }
  run_tool(&s, &mesh, STEPS, w, x, wrench);
}

/* A mesh of a gear pushes as the gear in closed form does, but for its chords. */
static void test_gear(void) {
  double x[2][15], wrench[2][6], most = 0.0;
  pass_gear(false, x[0], wrench[0]);
  pass_gear(true, x[1], wrench[1]);
  for (int i = 0; i < 15; i++) {
    most = fmax(most, fabs(x[1][i] - x[0][i]));
  }
  const double gone = x[0][7] - 0.45 * sin(GRAIN_PI / 45.0);
  printf("  a mesh of a gear is off by %.1e m of %.3f; turned by %.4f, %.4f N m s\n", most, gone,
         1e-3 * wrench[0][5], 1e-3 * wrench[1][5]);
  CHECK_MSG(gone > 0.02, "%g m", gone);
  CHECK(wrench[0][5] < 0.0);
  CHECK_MSG(most < 2e-4, "%g m", most);
}

/* What pushes a wall is observed at every state, of any group with its number. */
static void test_wrench_is_observed(void) {
  const double r = 0.02, up[3] = {0.0, 0.0, 1.0}, at[3] = {0.0};
  grain_scene s = grain_begin(3, 64, 5, r, 1e-3, 30);
  grain_plane(&s, at, up, 0.5);
  for (int i = 0; i < 5; i++) {
    grain_of(&s, CQ_GRAIN_x, i)[2] = (2 * i + 1) * r;
  }
  grain_gravity(&s)[2] = -g_earth;
  const cq_channel channel = {.quantity = CQ_GRAIN_WRENCH + 2};
  s.model.channels = &channel;
  s.model.n_channels = 1;
  grain_check_run(&s, 400);
  const double weight = 5.0 * 1000.0 * grain_volume(3, r) * g_earth;
  const double *z = cq_sim_observations(s.sim);
  CHECK(z[0] == 0.0);
  CHECK_NEAR(z[400], -weight, 1e-6 * weight);
  grain_end(&s);
}

/* A tool that presses a grain against a wall is jammed; one that carries it is not. */
static void test_jam(void) {
  const double toward[3] = {-1.0, 0.0, 0.0}, at[3] = {0.02, 0.0, 0.0}, center[3] = {-0.1, 0.0, 0.0};
  const double size[3] = {0.05, 0.4, 0.1}, w[2] = {0.2, 0.0};
  grain_scene s = grain_begin(3, 64, 1, 0.02, 1e-3, 10);
  s.model.n_drives = s.model.n_controls = 2;
  grain_plane(&s, at, toward, 0.5);
  add_box(&s, center, size, 0.5);
  grain_of(&s, CQ_GRAIN_x, 0)[0] = -0.01;
  grain_gravity(&s)[2] = -1e-3; /* a weight, but it does not fall out */
  machine m = machine_begin(&s, 1);
  run(&m, 0, 260, true, w); /* it is at the wall after 275 */
  CHECK(m.work->tally.of[CQ_GRAIN_JAMS] == 0);
  run(&m, 260, 320, true, w);
  CHECK(m.work->tally.of[CQ_GRAIN_JAMS] > 5);
  CHECK(m.work->tally.of[CQ_GRAIN_PENETRATION] > 1000);
  machine_end(&m);
}

/* A turning paddle throws a grain tangentially, by the speed of its surface where they touch. */
static void test_paddle(void) {
  const double center[3] = {0.0, 0.0, 0.0}, size[3] = {0.4, 0.02, 0.2}, w[2] = {0.0, 1.0};
  grain_scene s = grain_begin(3, 64, 1, 0.01, 1e-4, 10);
  s.model.n_drives = s.model.n_controls = 2;
  add_box(&s, center, size, 0.0);
  grain_of(&s, CQ_GRAIN_x, 0)[0] = 0.15;
  grain_of(&s, CQ_GRAIN_x, 0)[1] = 0.0201;
  machine m = machine_begin(&s, 1);
  run(&m, 0, 20, true, w);
  engine->download(m.work, m.states, s.state);
  CHECK_NEAR(grain_after(&s, CQ_GRAIN_v, 0)[1], 0.15, 2e-3);
  machine_end(&m);
}

/* A tool's frame comes back after a full turn of many small ones, and a point goes where it should.
 */
static void test_frames(void) {
  const cq_tool tool = {.origin = {0.1, 0.2, 0.3}, .linear = {-1, -1, -1}, .angular = {-1, -1, 0}};
  cq_tool_pose pose = cq_tool_start(&tool);
  const double w = 2.0 * GRAIN_PI, at[3] = {1.1, 0.2, 0.3};
  double v[3];
  for (int k = 0; k < 250; k++) {
    cq_tool_drive(&tool, 3, &w, &pose);
    cq_tool_move(3, 1e-3, &pose);
  }
  const cq_shape part = {.kind = CQ_SHAPE_ball, .dim = 3, .radius = 0.1, .center = {1.1, 0.2, 0.3}};
  const cq_tool_place place = cq_tool_placed(&tool, &part, &pose, 3);
  CHECK_NEAR(place.center[0], 0.1, 1e-12);
  CHECK_NEAR(place.center[1], 1.2, 1e-12);
  cq_tool_velocity(&pose, 3, at, v);
  CHECK_NEAR(v[1], w, 1e-12);
  cq_tool_touch near;
  const double x[3] = {0.1, 1.4, 0.3};
  CHECK(cq_tool_touches(&tool, &part, &place, &pose, 3, x, 0.15, &near));
  CHECK_NEAR(near.distance, 0.1, 1e-9);
  CHECK_NEAR(near.normal[1], 1.0, 1e-9);
  CHECK(!cq_tool_touches(&tool, &part, &place, &pose, 3, x, 0.05, &near));
}

/* --- states ----------------------------------------------------------------------------------- */

static grain_scene heap(int n) {
  grain_scene s = grain_begin(3, 64, n, 0.02, 1e-3, 6);
  const double up[3] = {0.0, 0.0, 1.0}, at[3] = {0.0};
  cq_rng rng = cq_rng_seed(5);
  grain_plane(&s, at, up, 0.5);
  for (int i = 0; i < n; i++) {
    const int k[3] = {i % 12, i / 12 % 12, i / 144};
    for (int a = 0; a < 3; a++) {
      grain_of(&s, CQ_GRAIN_x, i)[a] = 0.042 * k[a] + 0.021 + 0.001 * cq_rng_uniform(&rng);
      grain_of(&s, CQ_GRAIN_v, i)[a] = 0.3 * cq_rng_normal(&rng);
    }
  }
  grain_of(&s, CQ_GRAIN_v, 7)[0] = 30.0; /* a stray */
  grain_all(&s, CQ_GRAIN_grain_friction, 0.5);
  grain_all(&s, CQ_GRAIN_rolling_friction, 0.1);
  grain_gravity(&s)[2] = -g_earth;
  return s;
}

static bool same_state(machine *m, const char *a, const char *b) {
  const size_t n = m->scene->layout.state_total;
  double *x = calloc(2 * n, sizeof *x);
  engine->download(m->work, a, x);
  engine->download(m->work, b, x + n);
  const bool same = memcmp(x, x + n, n * sizeof *x) == 0;
  free(x);
  return same;
}

/* A step is a function of its state: a run in place, one that keeps all states, and one that begins
 * again from any of them after another run, have the same bits. */
static void test_pure(void) {
  enum { STEPS = 60 };
  const double none[1] = {0.0};
  grain_scene s = heap(1000);
  machine m = machine_begin(&s, STEPS + 2);
  run(&m, 0, STEPS, false, none);
  CHECK(m.work->tally.of[CQ_GRAIN_LISTS] > 2);
  CHECK(m.work->tally.of[CQ_GRAIN_LISTS] < STEPS / 2); /* in spite of the stray */
  char *again = state_at(&m, STEPS + 1);
  for (int first = 0; first < STEPS; first += 11) {
    memcpy(again, state_at(&m, first), m.bytes);
    for (int k = first; k < STEPS; k++) {
      CHECK(engine->step(m.work, k, again, again, none, false) == CQ_OK);
      if (k == first + 5) {
        CHECK(same_state(&m, again, state_at(&m, k + 1)));
      }
    }
    CHECK(same_state(&m, again, state_at(&m, STEPS)));
  }
  machine_end(&m);
}

/* Every pair that is nearer than it is felt is in the list, at every step. */
static void test_list_is_whole(void) {
  enum { STEPS = 40 };
  const double none[1] = {0.0};
  grain_scene scene = heap(400);
  machine m = machine_begin(&scene, 1);
  for (int k = 0; k < STEPS; k++) {
    run(&m, k, k + 1, true, none);
    const state s = cq_grains_view_3d_f64(m.work, m.states);
    CHECK(cq_grains_take_list_3d_f64(m.work, k + 1, &s) == CQ_OK);
    unsigned char *listed = calloc(400 * 400, 1);
    for (int p = 0; p < s.head->n_pairs; p++) {
      CHECK(listed[s.a[p] * 400 + s.b[p]] == 0); /* once */
      listed[s.a[p] * 400 + s.b[p]] = 1;
    }
    int missing = 0;
    for (int i = 0; i < 400; i++) {
      for (int j = i + 1; j < 400; j++) {
        double square = 0.0;
        for (int a = 0; a < 3; a++) {
          const double d = s.place[i * GRAIN_PLACE + a] - s.place[j * GRAIN_PLACE + a];
          square += d * d;
        }
        missing += sqrt(square) < 0.04 * 1.05 && listed[i * 400 + j] == 0;
      }
    }
    CHECK(missing == 0);
    free(listed);
  }
  machine_end(&m);
}

int main(void) {
  RUN(test_frames);
  RUN(test_wrench);
  RUN(test_blade);
  RUN(test_mesh);
  RUN(test_gear);
  RUN(test_wrench_is_observed);
  RUN(test_jam);
  RUN(test_paddle);
  RUN(test_pure);
  RUN(test_list_is_whole);
  return TEST_RESULT();
}
