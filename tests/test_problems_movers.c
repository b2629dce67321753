/* Pictures of what moves and has no particles: obstacles, half-spaces and tools. */
#include "alloc.h"
#include "motion.h"
#include "scene.h"
#include "scene_movers.h"
#include "test_problems_scene.h"

#include <sys/stat.h>

static const double duration = 0.1;

static const char in_2d[] =
    "simulation: { dimension = 2; grid = [41, 31]; cell = 0.02; time_step = 1e-3; steps = 100; };\n"
    "materials: ( { name = \"a\"; youngs_modulus = 1e4; poisson_ratio = 0.3; density = 1000; } );\n"
    "bodies: ( { name = \"A\"; material = \"a\"; low = [0.3, 0.2]; size = [0.1, 0.1]; } );\n"
    "boundaries: {\n"
    "  half_spaces: ( { type = \"slip\"; point = [0.7, 0.1]; normal = [-1, 0]; velocity = [1, 0]; "
    "} );\n"
    "  obstacles: (\n"
    "    { type = \"slip\"; low = [0.1, 0.4]; size = [0.1, 0.1]; velocity = [0.5, 0]; spin = 3; "
    "},\n"
    "    { type = \"slip\"; low = [0.5, 0.4]; size = [0.1, 0.1]; },\n"
    "    { type = \"slip\"; low = [0.5, 0.2]; size = [0.1, 0.1]; belt = [1, 0]; },\n"
    "    { type = \"slip\"; shape = \"ball\"; center = [0.2, 0.2]; radius = 0.05; } ); };\n"
    "actuators: ( { name = \"d\"; model = \"drive\"; body = \"obstacles.[3]\"; max = 4;\n"
    "  controls = [\"y\", \"turn\"]; } );\n"
    "controller: { type = \"open_loop\"; hold = 100; };\n"
    "design: ( { variable = \"actuation\"; start = [-0.5, 2]; } );\n"
    "objective: ( { term = \"mean_position\"; body = \"A\"; direction = \"x\"; } );\n";

static const char in_3d[] =
    "simulation: { dimension = 3; grid = [17, 13, 13]; cell = 0.05; time_step = 2e-3; steps = 50; "
    "};\n"
    "materials: ( { name = \"a\"; youngs_modulus = 1e4; poisson_ratio = 0.3; density = 1000; } );\n"
    "bodies: ( { name = \"A\"; material = \"a\"; low = [0.4, 0.2, 0.3]; size = [0.1, 0.1, 0.1]; } "
    ");\n"
    "boundaries: {\n"
    "  half_spaces: ( { type = \"slip\"; point = [0, 0.5, 0]; normal = [0, -1, 0]; velocity = [0, "
    "-1, 0]; } );\n"
    "  obstacles: ( { type = \"slip\"; center = [0.2, 0.3, 0.3]; size = [0.1, 0.1, 0.1]; spin = "
    "[0, 2, 0]; },\n"
    "    { type = \"slip\"; shape = \"ball\"; center = [0.6, 0.2, 0.3]; radius = 0.05; track = "
    "[[0, 0, "
    "0, 0], [0.1, 0.05, 0, 0]]; } ); };\n"
    "objective: ( { term = \"mean_position\"; body = \"A\"; direction = \"x\"; } );\n";

static const char of_grains[] =
    "simulation: { engine = \"granular\"; dimension = 2; room = [1, 0.6]; time_step = 1e-3; steps "
    "= "
    "100; };\n"
    "materials: ( { name = \"g\"; density = 2500; friction = 0.5; } );\n"
    "bodies: ( { name = \"A\"; material = \"g\"; grain_radius = 0.02; low = [0.6, 0.1]; size = "
    "[0.2, "
    "0.2]; count = [4, 4]; } );\n"
    "boundaries: { obstacles: ( { shape = \"box\"; center = [0.2, 0.3]; size = [0.1, 0.2]; },\n"
    "  { shape = \"box\"; center = [0.5, 0.5]; size = [0.05, 0.05]; } ); };\n"
    "actuators: ( { name = \"d\"; body = \"*\"; wall = \"obstacles.[0]\"; along = [\"x\", "
    "\"turn\"]; max = 4; } );\n"
    "controller: { type = \"open_loop\"; hold = 100; };\n"
    "design: ( { variable = \"actuation\"; start = [0.5, 2]; } );\n"
    "objective: ( { term = \"mean_position\"; body = \"A\"; direction = \"x\"; } );\n";

static cq_scene *load(cq_ctx *ctx, const char *name, const char *text) {
  cq_scene *scene = NULL;
  test_write_file(name, text);
  CHECK_MSG(cq_scene_load(ctx, name, NULL, 0, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

/* The film of a run. */
static cq_motion *film(cq_ctx *ctx, cq_scene *scene) {
  cq_film *made = NULL;
  cq_motion *m = NULL;
  mkdir("movers.d", 0777);
  CHECK(cq_film_create(scene, &made) == CQ_OK);
  CHECK_MSG(cq_scene_film(scene, 0, NULL, "movers.d", 10, CQ_RECORD_TRAJECTORY, made) == CQ_OK,
            "%s", cq_ctx_error(ctx));
  CHECK(cq_film_write(made, "movers.d") == CQ_OK);
  cq_film_destroy(made);
  CHECK_MSG(cq_motion_read(ctx, "movers.d/motion.bin", &m) == CQ_OK, "%s", cq_ctx_error(ctx));
  return m;
}

/* A point is at its place in the last frame; in the first one it is where the file has it. */
static void check_point(const cq_motion *m, const char *name, const double from[3],
                        const double to[3], double tolerance) {
  const double *const begin = cq_motion_map(m, 0, 0, name);
  const double *const end = cq_motion_map(m, 0, m->takes[0].n_frames - 1, name);
  double at[3];
  CHECK_MSG(begin != NULL && end != NULL, "%s does not move", name);
  if (begin == NULL || end == NULL) {
    return;
  }
  cq_map_point(begin, from, at);
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(at[a], from[a], 1e-12);
  }
  cq_map_point(end, from, at);
  for (int a = 0; a < 3; a++) {
    CHECK_MSG(fabs(at[a] - to[a]) < tolerance, "%s: axis %d at %.9g, not %.9g", name, a, at[a],
              to[a]);
  }
}

typedef struct told {
  int moving, planes, balls, spokes, standing;
} told;

static void note(void *user, const cq_drawing *d) {
  told *const t = user;
  const bool wall = strcmp(d->role, "wall") == 0;
  t->moving += d->moves;
  t->standing += wall && !d->moves;
  t->planes += d->form == CQ_FORM_PLANE;
  t->balls += d->moves && d->form == CQ_FORM_BALL;
  t->spokes += d->moves && d->form == CQ_FORM_LINE;
}

/* Obstacles with a motion, with a drive, with a belt alone, and none; a half-space that moves. */
static void flat(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "flat.cfg", in_2d);
  told t = {.moving = 0};
  cq_scene_draw(scene, note, &t);
  CHECK_MSG(t.moving == 4 && t.planes == 1 && t.balls == 1 && t.spokes == 1 && t.standing == 2,
            "%d %d %d %d %d", t.moving, t.planes, t.balls, t.spokes, t.standing);
  cq_motion *m = film(ctx, scene);
  CHECK(m->def.n_movers == 3);
  const double s = sin(3.0 * duration), c = cos(3.0 * duration);
  /* its corner at the lower left, about its centre (0.15, 0.45), which moves by 0.05 */
  check_point(m, "boundaries.obstacles.[0]", (const double[3]){0.1, 0.4, 0.0},
              (const double[3]){0.2 - 0.05 * c + 0.05 * s, 0.45 - 0.05 * s - 0.05 * c, 0.0}, 1e-9);
  check_point(m, "boundaries.half_spaces.[0]", (const double[3]){0.7, 0.1, 0.0},
              (const double[3]){0.8, 0.1, 0.0}, 1e-9);
  check_point(m, "boundaries.obstacles.[3]", (const double[3]){0.25, 0.2, 0.0},
              (const double[3]){0.2 + 0.05 * cos(0.2), 0.15 + 0.05 * sin(0.2), 0.0}, 1e-6);
  cq_motion_free(m);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void solid(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "solid.cfg", in_3d);
  cq_motion *m = film(ctx, scene);
  CHECK(m->def.n_movers == 3);
  check_point(m, "boundaries.half_spaces.[0]", (const double[3]){0.3, 0.5, 0.0},
              (const double[3]){0.3, 0.4, 0.0}, 1e-9);
  check_point(m, "boundaries.obstacles.[0]", (const double[3]){0.25, 0.3, 0.3},
              (const double[3]){0.2 + 0.05 * cos(0.2), 0.3, 0.3 - 0.05 * sin(0.2)}, 1e-9);
  check_point(m, "boundaries.obstacles.[1]", (const double[3]){0.6, 0.2, 0.3},
              (const double[3]){0.65, 0.2, 0.3}, 1e-9);
  cq_motion_free(m);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void grains(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "grains.cfg", of_grains);
  told t = {.moving = 0};
  cq_scene_draw(scene, note, &t);
  CHECK(t.moving == 1 && t.standing == 1);
  cq_motion *m = film(ctx, scene);
  CHECK(m->def.n_movers == 1);
  check_point(m, "boundaries.obstacles.[0]", (const double[3]){0.25, 0.3, 0.0},
              (const double[3]){0.25 + 0.05 * cos(0.2), 0.3 + 0.05 * sin(0.2), 0.0}, 1e-9);
  cq_motion_free(m);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* the area of the triangles of a mover */
static double area_of(const cq_movers *m, int mover) {
  double area = 0.0;
  for (int f = 0; f < m->moving.n_faces; f++) {
    const int *const v = m->faces + 3 * (size_t)f;
    double p[3], q[3], square = 0.0;
    for (int a = 0; a < 3; a++) {
      p[a] = m->now[v[1]][a] - m->now[v[0]][a];
      q[a] = m->now[v[2]][a] - m->now[v[0]][a];
    }
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      square += (p[b] * q[c] - p[c] * q[b]) * (p[b] * q[c] - p[c] * q[b]);
    }
    area += m->mover[v[0]] == mover ? 0.5 * sqrt(square) : 0.0;
  }
  return area;
}

/* Surfaces for trajectory.h5: a plane that has moved is cut off at the room, a box and a ball keep
 * their sizes; a plane that has left the room is a point of it. */
static void surfaces(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "solid.cfg", in_3d);
  cq_movers m;
  double maps[8 * CQ_MAP];
  CHECK(scene->model.n_boundaries <= 8);
  CHECK(cq_movers_make(scene, &m) == CQ_OK && m.moving.n == 3);
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < scene->model.n_boundaries; i++) {
      cq_map_stay(maps + i * CQ_MAP);
      maps[i * CQ_MAP + 7] = -0.3 * step;
    }
    cq_movers_place(&m, maps);
    CHECK_NEAR(area_of(&m, 0), step < 2 ? 0.8 * 0.6 : 0.0, 1e-12);
    CHECK_NEAR(area_of(&m, 1), 6 * 0.01, 1e-12);
    CHECK_MSG(fabs(area_of(&m, 2) / (4.0 * acos(-1.0) * 0.0025) - 1.0) < 0.03, "%g",
              area_of(&m, 2));
    for (int v = 0; v < m.moving.n_vertices; v++) {
      CHECK(m.mover[v] != 0 || (m.now[v][0] > -1e-12 && m.now[v][0] < 0.8 + 1e-12));
    }
  }
  CHECK_STR(m.moving.names[0], "boundaries.half_spaces.[0]");
  cq_movers_free(&m);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(flat);
  RUN(solid);
  RUN(grains);
  RUN(surfaces);
  return TEST_RESULT();
}
