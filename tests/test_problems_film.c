/* Pictures: films against recorded tables, what is drawn of walls and targets, maps of blocks. */
#include "alloc.h"
#include "motion.h"
#include "mpm_inputs.h"
#include "mpm_model.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <sys/stat.h>

static cq_scene *load(cq_ctx *ctx, const char *name, const char *text, const char *const *sets,
                      int n_sets) {
  cq_scene *scene = NULL;
  test_write_file(name, text);
  const cq_status status = cq_scene_load(ctx, name, sets, n_sets, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

/* Frame `frame` of the take against the rows of particles.csv of that step: how far places are off,
 * and speeds. */
static double off_table(const cq_motion *m, const cq_motion_take *take, int frame, int step,
                        double *slow) {
  char line[512], body[64];
  double worst = 0.0;
  int found = 0, at = 0, p = 0;
  FILE *file = fopen("film.d/particles.csv", "r");
  CHECK(file != NULL && fgets(line, sizeof line, file) != NULL);
  for (double q[4]; file != NULL && fgets(line, sizeof line, file) != NULL;) {
    if (sscanf(line, "%d,%d,%63[^,],%lf,%lf,%lf,%lf", &at, &p, body, &q[0], &q[1], &q[2], &q[3]) !=
            7 ||
        at != step) {
      continue;
    }
    for (int k = 0; k < m->def.n_kept; k++) {
      if (m->def.particle[k] == p) {
        const float *x = &take->x[(frame * m->def.n_kept + k) * 2];
        worst = fmax(worst, fmax(fabs(x[0] - q[0]), fabs(x[1] - q[1])));
        CHECK_STR(m->def.bodies[m->def.body[k]], body);
        const float speed = take->fields[frame * m->def.n_fields * m->def.n_kept + k];
        *slow = fmax(*slow, fabs(speed - hypot(q[2], q[3])));
        found++;
      }
    }
  }
  CHECK_MSG(found == m->def.n_kept, "%d of %d particles at step %d", found, m->def.n_kept, step);
  fclose(file);
  return worst;
}

/* A recorded run and its film, in the same run; then the same in half the time step. */
static void test_film(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "film.cfg", TEST_SCENE, NULL, 0);
  cq_film *film = NULL;
  cq_motion *m = NULL;
  mkdir("film.d", 0777);
  CHECK(cq_film_create(scene, &film) == CQ_OK);
  CHECK(cq_scene_film(scene, 0, NULL, "film.d", 10, CQ_RECORD_TABLES, film) == CQ_OK);
  cq_film_label(film, "first");
  cq_film_label(film, "best");
  CHECK(cq_scene_film(scene, 1, NULL, NULL, 10, 0, film) == CQ_OK);
  cq_film_label(film, "finer");
  CHECK_MSG(cq_film_write(film, "film.d") == CQ_OK, "%s", cq_ctx_error(ctx));
  cq_film_destroy(film);
  CHECK(cq_motion_read(ctx, "film.d/motion.bin", &m) == CQ_OK);
  CHECK(m->n_takes == 2 && cq_motion_find(m, "best") == 0 && cq_motion_find(m, "finer") == 1);
  CHECK(m->def.n_kept == scene->model.n_particles && m->def.n_fields == 3);
  const cq_motion_take *take = &m->takes[0];
  CHECK(take->n_frames == 11);
  CHECK_NEAR(take->time[10], 40 * 2e-3, 1e-12);
  CHECK_NEAR(m->takes[1].time[10], 40 * 2e-3, 1e-12);
  /* 16 bits over 1.15 m */
  double slow = 0.0, other = 0.0;
  CHECK(off_table(m, take, 0, 0, &slow) < 1e-5 && off_table(m, take, 10, 40, &slow) < 1e-5);
  CHECK_MSG(slow < 0.01, "speeds are off by %g", slow);
  CHECK(off_table(m, &m->takes[1], 0, 0, &other) < 1e-5);
  CHECK(off_table(m, &m->takes[1], 10, 40, &other) > 1e-4);

  /* the centre of A, which the first term looks at, and the controls of the table */
  double centre[2] = {0.0, 0.0};
  for (int p = 0; p < 64; p++) {
    centre[0] += take->x[(10 * m->def.n_kept + p) * 2] / 64.0;
    centre[1] += take->x[(10 * m->def.n_kept + p) * 2 + 1] / 64.0;
  }
  CHECK_STR(m->def.points[0], "A");
  CHECK_STR(m->def.points[1], "*");
  CHECK(m->def.n_points == 4); /* A, all, B, C; the constraints look at the same */
  CHECK_NEAR(take->points[10 * 2 * m->def.n_points], centre[0], 1e-5);
  CHECK_NEAR(take->points[10 * 2 * m->def.n_points + 1], centre[1], 1e-5);
  CHECK(take->n_samples == 40 && m->def.n_controls == 1);
  CHECK(take->controls[0] == 1.0F && take->controls[20] == 3.0F && take->controls[39] == 1.0F);
  const int b = 64; /* the first particle of B has the muscle: 3 of 8 at the fifth frame, step 20 */
  CHECK_NEAR(take->fields[(5 * 3 + 2) * m->def.n_kept + b], 3.0 / 8.0, 0.01);
  CHECK_NEAR(take->fields[(5 * 3 + 2) * m->def.n_kept], 0.0, 0.01);
  cq_motion_free(m);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* A run that fails leaves what it had, and says how it ended; many frames become some fifty. */
static void test_film_ends(void) {
  const char *const away[] = {"design.[0].start=[20, 0]", "simulation.allow_unstable=true",
                              "boundaries.domain.type=none", "boundaries.domain.friction=unset"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "film.cfg", TEST_SCENE, away, 4);
  cq_film *film = NULL;
  cq_motion *m = NULL;
  CHECK(cq_film_create(scene, &film) == CQ_OK);
  CHECK(cq_status_is_numeric(cq_scene_film(scene, 0, NULL, NULL, 40, 0, film)));
  cq_film_label(film, "first");
  CHECK(cq_film_write(film, ".") == CQ_OK);
  cq_film_destroy(film);
  cq_ctx_clear_error(ctx);
  CHECK(cq_motion_read(ctx, "motion.bin", &m) == CQ_OK);
  const cq_motion_take *take = &m->takes[0];
  CHECK_MSG(take->n_frames > 10 && take->n_frames < 41, "%d frames", take->n_frames);
  CHECK(take->n_samples == take->n_frames - 1);
  CHECK_STR(take->note, cq_status_text(CQ_OUT_OF_ROOM));
  cq_motion_free(m);
  cq_scene_destroy(scene);

  /* at 60 m/s the first step is longer than a cell: the start is all there is */
  const char *const fast[] = {"design.[0].start=[60, 0]", "simulation.allow_unstable=true"};
  scene = load(ctx, "film.cfg", TEST_SCENE, fast, 2);
  CHECK(cq_film_create(scene, &film) == CQ_OK);
  CHECK(cq_status_is_numeric(cq_scene_film(scene, 0, NULL, NULL, 40, 0, film)));
  CHECK(cq_film_write(film, ".") == CQ_OK);
  cq_film_destroy(film);
  cq_ctx_clear_error(ctx);
  CHECK(cq_motion_read(ctx, "motion.bin", &m) == CQ_OK);
  CHECK_MSG(m->takes[0].n_frames == 1, "%d frames", m->takes[0].n_frames);
  CHECK_NEAR(m->takes[0].x[0], 0.2125, 1e-4);
  cq_motion_free(m);
  cq_scene_destroy(scene);

  const char *const longer[] = {"simulation.steps=300", "controller.hold=50"};
  scene = load(ctx, "film.cfg", TEST_SCENE, longer, 2);
  CHECK(cq_film_create(scene, &film) == CQ_OK);
  CHECK(cq_scene_film(scene, 0, NULL, NULL, 120, 0, film) == CQ_OK);
  CHECK(cq_film_write(film, ".") == CQ_OK);
  cq_film_destroy(film);
  CHECK(cq_motion_read(ctx, "motion.bin", &m) == CQ_OK);
  CHECK(m->takes[0].n_frames == 41 && m->takes[0].n_samples == 256);
  CHECK_NEAR(m->takes[0].time[40], 0.6, 1e-12);
  cq_motion_free(m);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* --- what is drawn --- */

typedef struct drawn {
  int roles[5]; /* grid, domain, wall, target, track */
  double area;  /* of walls that are polygons, in 2D */
  double length;
  int balls;
  double low[3], high[3], lowest_wall;
  char name[64];
} drawn;

static void note(void *user, const cq_drawing *d) {
  static const char *const roles[] = {"room", "domain", "wall", "target", "track"};
  drawn *all = user;
  for (int i = 0; i < 5; i++) {
    all->roles[i] += strcmp(d->role, roles[i]) == 0;
  }
  const bool wall = strcmp(d->role, "wall") == 0;
  double twice = 0.0;
  for (int i = 0; i < d->n; i++) {
    const double *p = d->points[i], *q = d->points[(i + 1) % d->n];
    twice += p[0] * q[1] - p[1] * q[0];
    for (int a = 0; a < 3; a++) {
      all->low[a] = fmin(all->low[a], p[a]);
      all->high[a] = fmax(all->high[a], p[a]);
    }
  }
  all->area += wall && d->form == CQ_FORM_POLYGON ? 0.5 * fabs(twice) : 0.0;
  if (wall) {
    snprintf(all->name, sizeof all->name, "%.63s", d->name);
  }
}

#define WALLS                                                                                      \
  "boundaries: { domain: { friction = 0.4; };\n"                                                   \
  "  half_spaces: ( { type = \"slip\"; point = [0.55, 0.1]; normal = [1, 1]; } );\n"               \
  "  height_fields: ( { type = \"slip\"; heights = [0.05, 0.05, 0.05]; spacing = 0.5; } );\n"      \
  "  obstacles: ( { type = \"slip\"; shape = \"ball\"; center = [1, 0.8]; radius = 0.05; },\n"     \
  "    { type = \"slip\"; shape = \"box\"; center = [0.9, 0.6]; size = [0.1, 0.2]; angle = 1; } )" \
  ";\n};\n"

static void test_drawing(void) {
  char text[8192];
  const char *const cut = strstr(TEST_SCENE, "boundaries:"), *const rest =
                                                                 strstr(cut, "actuators:");
  snprintf(text, sizeof text, "%.*s%s%s", (int)(cut - TEST_SCENE), TEST_SCENE, WALLS, rest);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "walls.cfg", text, NULL, 0);
  drawn all = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
  cq_scene_draw(scene, note, &all);
  CHECK(all.roles[0] == 1 && all.roles[1] == 1 && all.roles[2] == 4 && all.roles[3] == 2);
  /* half-plane x + y < 0.65: a triangle; the ground 0.05 high under 1.15; the box */
  CHECK_NEAR(all.area, 0.5 * 0.65 * 0.65 + 0.05 * 1.15 + 0.02, 1e-9);
  CHECK(all.low[0] == 0.0 && all.low[1] == 0.0 && all.high[2] == 0.0);
  CHECK_NEAR(all.high[0], 1.15, 1e-12);
  CHECK_STR(all.name, "boundaries.obstacles.[1]");
  cq_scene_destroy(scene);

  /* in 3D everything is inside the grid and on the walls */
  scene =
      load(ctx, "solid.cfg",
           "simulation: { dimension = 3; grid = [12, 10, 8]; cell = 0.1; time_step = 1e-3; "
           "steps = 4; };\n"
           "materials: ( { name = \"a\"; youngs_modulus = 10; poisson_ratio = 0.3; density = 1; "
           "} );\n"
           "bodies: ( { name = \"A\"; material = \"a\"; low = [0.4, 0.4, 0.3]; size = [0.1, 0.1, "
           "0.1]; } );\n"
           "boundaries: { half_spaces: ( { type = \"slip\"; point = [0, 0.2, 0]; "
           "normal = [0, 1, 0]; },\n"
           "  { type = \"slip\"; point = [2, 0, 0]; normal = [-1, 0, 0]; },\n"
           "  { type = \"slip\"; point = [0.1, 0.1, 0.1]; normal = [1, 1, 1]; } );\n"
           "  obstacles: ( { type = \"slip\"; shape = \"box\"; center = [0.8, 0.5, 0.4]; "
           "size = [0.1, 0.1, 0.1]; } ); };\n",
           NULL, 0);
  all = (drawn){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
  cq_scene_draw(scene, note, &all);
  /* the plane x = 2 is outside of the grid */
  CHECK(all.roles[0] == 6 && all.roles[1] == 6 && all.roles[2] == 2 + 6);
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(all.low[a], 0.0, 1e-12);
    CHECK_NEAR(all.high[a], (cq_mpm_of(&scene->model)->grid[a] - 1) * 0.1, 1e-12);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* Outlines of obstacles of other shapes: the length of all lines, and the area of the polygons. */
static void measure(void *user, const cq_drawing *d) {
  drawn *all = user;
  double length = 0.0, twice = 0.0;
  if (strcmp(d->role, "wall") != 0) {
    return;
  }
  for (int i = 0; i < d->n; i++) {
    const double *p = d->points[i], *q = d->points[(i + 1) % d->n];
    twice += p[0] * q[1] - p[1] * q[0];
    length += i + 1 < d->n ? hypot(q[0] - p[0], q[1] - p[1]) : 0.0;
  }
  all->length += d->form == CQ_FORM_LINE ? length : 0.0;
  all->area += d->form == CQ_FORM_POLYGON ? 0.5 * fabs(twice) : 0.0;
  all->balls += d->form == CQ_FORM_BALL;
  all->roles[2]++;
}

static void test_drawn_shapes(void) {
  static const char *const flat[] = {
      "boundaries.obstacles=("
      "{type=\"slip\";shape=\"capsule\";points=[[0.5,0.7],[0.7,0.7]];radius=0.05;rotation=1;},"
      "{type=\"slip\";shape=\"polygon\";points=[[0.5,0.6],[0.7,0.6],[0.7,0.8]];rotation=1;},"
      "{type=\"slip\";shape=\"composite\";rotation=1;parts=({center=[0.6,0.7];size=[0.2,0.1];},"
      "{operation=\"subtract\";shape=\"ball\";center=[0.6,0.75];radius=0.03;});})"};
  static const char solid[] =
      "simulation: { dimension = 3; grid = 24; cell = 0.05; time_step = 1e-3; steps = 4; };\n"
      "materials: ( { name = \"a\"; youngs_modulus = 10; poisson_ratio = 0.3; density = 1; } );\n"
      "bodies: ( { name = \"A\"; material = \"a\"; low = [0.4, 0.4, 0.3]; size = [0.1, 0.1, 0.1]; "
      "} );\n"
      "boundaries: { obstacles: ( { type = \"slip\"; shape = \"capsule\"; radius = 0.05;\n"
      "  points = [[0.5, 0.7, 0.3], [0.7, 0.7, 0.3]]; },\n"
      "  { type = \"slip\"; shape = \"composite\"; parts = (\n"
      "    { center = [0.6, 0.7, 0.3]; size = [0.2, 0.1, 0.1]; }, { operation = \"subtract\";\n"
      "      shape = \"ball\"; center = [0.6, 0.75, 0.3]; radius = 0.03; } ); } ); };\n";
  const double pi = acos(-1.0);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load(ctx, "shapes.cfg", TEST_SCENE, flat, 1);
  drawn all = {.balls = 0};
  cq_scene_draw(scene, measure, &all);
  CHECK_NEAR(all.area, 0.2 * 0.1 + pi * 0.05 * 0.05 + 0.02, 1e-4);
  CHECK_NEAR(all.length, 0.6 - 0.06 + pi * 0.03, 0.01);
  cq_scene_destroy(scene);
  scene = load(ctx, "solid.cfg", solid, NULL, 0);
  all = (drawn){.balls = 0};
  cq_scene_draw(scene, measure, &all);
  CHECK(all.balls == 9 + 1 && all.roles[2] == all.balls + 6);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* --- maps of blocks --- */

static void test_maps(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const patches[] = {
      "design.[2].per=patch", "design.[2].patches=[2, 1]", "design.[2].start=[20, 50]",
      "design.[0]={variable=\"initial_velocity\"; body=\"A\"; per=\"particle\";}"};
  cq_scene *scene = load(ctx, "maps.cfg", TEST_SCENE, patches, 4);
  const cq_problem *problem = cq_scene_problem(scene);
  double *gradient = calloc((size_t)problem->n, sizeof *gradient);
  for (int j = 0; j < problem->n; j++) {
    gradient[j] = -j;
  }
  const int particles[] = {0, 63, 150};
  double values[3], slopes[3];
  const cq_block_info velocity = cq_scene_block(scene, 0), stiffness = cq_scene_block(scene, 2);
  CHECK(velocity.of_particles && velocity.components == 2 && isnan(velocity.row_seconds));
  CHECK_STR(stiffness.variable, "youngs_modulus");
  CHECK(cq_scene_block_map(scene, 0, problem->start, gradient, 3, particles, values, slopes) ==
        CQ_OK);
  const double *v = scene->inputs + scene->layout.offset[CQ_INPUT_v];
  CHECK_NEAR(values[1], hypot(v[126], v[127]), 1e-12);
  CHECK_NEAR(slopes[1], hypot(126, 127), 1e-9);
  CHECK(isnan(values[2]) && isnan(slopes[2]));
  CHECK(cq_scene_block_map(scene, 2, problem->start, gradient, 3, particles, values, slopes) ==
        CQ_OK);
  CHECK_NEAR(values[0], 20.0, 1e-9);
  CHECK_NEAR(values[1], 50.0, 1e-9);
  CHECK_NEAR(slopes[1] - slopes[0], 1.0, 1e-9);
  const cq_block_info table = cq_scene_block(scene, 4);
  CHECK(!table.of_particles && table.components == 1);
  CHECK_NEAR(table.row_seconds, 7 * 2e-3, 1e-12);
  CHECK(!cq_scene_block(scene, 1).of_particles || cq_scene_block(scene, 1).count == 1);
  free(gradient);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_film);
  RUN(test_film_ends);
  RUN(test_drawing);
  RUN(test_drawn_shapes);
  RUN(test_maps);
  return TEST_RESULT();
}
