/* Tracks of markers: reading, binding to the bodies, the distance and its gradient. */
#include "csv.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <sys/stat.h>

/* body A moves as a whole without gravity and walls: every affine motion is exact */
static const char scene_text[] =
    "simulation: { grid = [40, 40]; cell = 0.05; time_step = 2e-3; steps = 40; };\n"
    "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"
    "bodies: (\n"
    "  { name = \"A\"; material = \"soft\"; low = [0.8, 0.8]; size = [0.3, 0.2]; spacing = 0.025;\n"
    "    velocity = [0.4, -0.5]; },\n"
    "  { name = \"B\"; material = \"soft\"; shape = \"ball\"; center = [1.5, 1.5]; radius = 0.1; "
    "}\n"
    ");\n"
    "design: ( { variable = \"initial_velocity\"; body = \"A\"; } );\n";

/* the scene with an objective */
static cq_status load(cq_ctx *ctx, const char *term, cq_scene **scene) {
  static char text[16384];
  snprintf(text, sizeof text, "%sobjective: (\n  { term = \"marker_distance\"; %s }\n);\n",
           scene_text, term);
  test_write_file("markers.cfg", text);
  return cq_scene_load(ctx, "markers.cfg", NULL, 0, scene);
}

static cq_scene *open_scene(cq_ctx *ctx, const char *term) {
  cq_scene *scene = NULL;
  const cq_status status = load(ctx, term, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static double value_at(cq_scene *scene, double vx, double vy) {
  const double x[] = {vx, vy};
  double f = 0.0;
  CHECK(cq_scene_evaluate(scene, x, &f, NULL, NULL, NULL) == CQ_OK);
  return f;
}

/* Three markers on the moving body, on a particle, between particles, beyond the outermost ones.
 * Samples at 0.0103 s and 0.08 s, which are 2 and 5 cm off, with weights 3 and 1 */
static const char samples[] =
    "samples = [[7, 1, 0.8125, 0.8125], [7, 2, 0.93, 0.87], [7, 3, 1.1, 1.0],\n"
    "           [7.08, 1, 0.8445, 0.8225], [7.08, 2, 0.962, 0.88], [7.08, 3, 1.132, 1.01],\n"
    "           [7.0103, 2, 0.93412, 0.84485], [7.0103, 1, 0.81662, 0.78735]];";

/* all move by velocity * time: 5 cm up at 0.08 s, 2 cm down at 0.0103 s */
static void rigid_motion(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, samples);
  const cq_term *term = s->objective.functions[0].terms;
  CHECK(term->n_instants == 2 && term->instants[0].n_markers == 2);
  CHECK(term->instants[0].step == 5 && term->instants[1].step == 40);
  CHECK_NEAR(term->instants[0].ahead, 0.15, 1e-9);
  CHECK(term->markers[0].n == 1 && term->markers[1].n == 4 && term->markers[4].n == 4);
  CHECK_NEAR(value_at(s, 0.4, -0.5), (3 * 0.05 * 0.05 + 2 * 0.02 * 0.02) / 5, 1e-13);
  CHECK_NEAR(value_at(s, 0.4, 0.125), 2 * pow(0.02 + 0.625 * 0.0103, 2) / 5, 1e-13);
  cq_scene_destroy(s);
  s = open_scene(ctx, test_edit(samples, "samples", "squared = false; samples"));
  CHECK_NEAR(value_at(s, 0.4, -0.5), (3 * 0.05 + 2 * 0.02) / 5, 1e-13);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* the weighted particles of a marker make its place, whatever the affine map of them */
static void affine_maps_are_exact(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, samples);
  for (int dim = 2; dim <= 3; dim++) {
    cq_rng rng = cq_rng_seed(4);
    double x[60 * 3];
    int all[60];
    for (int i = 0; i < 60; i++) {
      all[i] = i;
      for (int a = 0; a < dim; a++) {
        x[i * dim + a] = cq_rng_uniform(&rng);
      }
    }
    cq_scene fake = {.config.dim = dim, .x = x};
    const cq_set set = {"*", 60, all};
    for (int trial = 0; trial < 20; trial++) {
      double place[3], shares[CQ_MOST_CARRIERS], distance, sum = 0.0, made[3] = {0};
      int particles[CQ_MOST_CARRIERS];
      for (int a = 0; a < dim; a++) {
        place[a] = cq_rng_uniform(&rng);
      }
      const int n = cq_bind(&fake, &set, place, particles, shares, &distance);
      CHECK(n == (dim == 2 ? 4 : 8));
      for (int i = 0; i < n; i++) {
        sum += shares[i];
        for (int a = 0; a < dim; a++) {
          made[a] += shares[i] * x[particles[i] * dim + a];
        }
      }
      CHECK_NEAR(sum, 1.0, 1e-12);
      for (int a = 0; a < dim; a++) {
        CHECK_NEAR(made[a], place[a], 1e-10);
      }
      /* the nearest ones, in order: none of the others is nearer than the last */
      double farthest = 0.0;
      for (int i = 0; i < n; i++) {
        double square = 0.0;
        for (int a = 0; a < dim; a++) {
          square += pow(x[particles[i] * dim + a] - place[a], 2);
        }
        CHECK(square >= farthest);
        farthest = square;
      }
      int nearer = 0;
      for (int i = 0; i < 60; i++) {
        double square = 0.0;
        for (int a = 0; a < dim; a++) {
          square += pow(x[i * dim + a] - place[a], 2);
        }
        nearer += square < farthest;
      }
      CHECK(nearer == n - 1);
    }
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* a marker that is almost on a particle goes with that one */
static void near_a_particle(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, test_edit(samples, "[7, 1, 0.8125, 0.8125]",
                                          "[7, 1, 0.8125, 0.81251], [7, 4, 0.9, 0.9]"));
  const cq_marker *marker = &s->objective.functions[0].terms->markers[0];
  CHECK(marker->n == 4 && marker->share[0] > 0.998);
  const cq_set *all = &s->sets[0];
  double shares[CQ_MOST_CARRIERS], distance;
  int particles[CQ_MOST_CARRIERS];
  const double middle[] = {0.9, 0.9};
  CHECK(cq_bind(s, all, middle, particles, shares, &distance) == 4);
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(shares[i], 0.25, 1e-10);
  }
  CHECK_NEAR(distance, 0.0125 * sqrt(2.0), 1e-12);
  /* the nearer, the more of the weight: to the last digit their sum is 1 */
  for (double off = 1e-3; off > 1e-8; off *= 0.3) {
    const double near[] = {0.8125 + off, 0.8125 + 0.3 * off};
    const int n = cq_bind(s, all, near, particles, shares, &distance);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      sum += shares[i];
    }
    CHECK_NEAR(sum, 1.0, 1e-12);
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void gradient(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int squared = 0; squared < 2; squared++) {
    cq_scene *s = open_scene(
        ctx, squared ? samples : test_edit(samples, "samples", "squared = false; samples"));
    const cq_problem *p = cq_scene_problem(s);
    cq_gradcheck check;
    CHECK(cq_gradcheck_block(ctx, p, p->start, -1, 0, 2, 1e-6, &check) == CQ_OK);
    CHECK_MSG(check.passed && check.gradient_norm > 0.0, "%g", check.best);
    cq_scene_destroy(s);
  }
  cq_ctx_destroy(ctx);
}

static const char csv[] = "# a camera\n"
                          "id, weight, time, y, x\n"
                          "1, 1, 7, \"0.8125\", 0.8125\n"
                          "\n"
                          "1, 2, 7.08, 0.8225, 0.8445\r\n";

/* The file is looked for beside the problem file; what is written needs it no more. */
static void tracks_in_a_file(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  mkdir("data", 0777);
  test_write_file("data/tracks.csv", csv);
  cq_scene *s = open_scene(ctx, "file = \"data/tracks.csv\";");
  const cq_term *term = s->objective.functions[0].terms;
  CHECK(term->n_instants == 1 && term->n_sets == 1);
  CHECK_NEAR(value_at(s, 0.4, -0.5), 0.05 * 0.05, 1e-13);
  FILE *out = fopen("data/resolved.cfg", "w");
  CHECK(out != NULL && cq_scene_write_config(s, out) == CQ_OK && fclose(out) == 0);
  remove("data/tracks.csv");
  cq_scene *again = test_load(ctx, "data/resolved.cfg");
  uint64_t hash[2];
  CHECK(cq_scene_config_hash(s, true, &hash[0]) == CQ_OK);
  CHECK(cq_scene_config_hash(again, true, &hash[1]) == CQ_OK);
  CHECK(hash[0] == hash[1]);
  CHECK_NEAR(value_at(again, 0.4, -0.5), 0.05 * 0.05, 1e-13);
  cq_scene_destroy(again);
  cq_scene_destroy(s);
  /* a file takes the place of samples, in a variation of the scene too: another trial */
  test_write_file("data/other.csv", "time,id,x,y\n0,1,0.8125,0.8125\n0.08,1,0.8445,0.8025\n");
  test_write_file("data/trial.cfg",
                  test_edit(scene_text, "design",
                            "objective: ( { term = \"marker_distance\"; samples = [[0, 1, 0.8125, "
                            "0.8125], [0.08, 1, 0.8445, 0.8225]]; } );\ndesign"));
  s = test_load(ctx, "data/trial.cfg");
  const char *other = "objective.[0].file=\"other.csv\"";
  CHECK_MSG(cq_scene_variation(ctx, s, &other, 1, &again) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_NEAR(value_at(s, 0.4, -0.5), 0.05 * 0.05, 1e-13);
  CHECK_NEAR(value_at(again, 0.4, -0.5), 0.03 * 0.03, 1e-13);
  cq_scene_destroy(again);
  cq_scene_destroy(s);
  /* from another folder, and on the command line */
  test_write_file("data/tracks.csv", csv);
  test_write_file("data/scene.cfg", scene_text);
  const char *set = "objective=({term=\"marker_distance\"; file=\"tracks.csv\";})";
  CHECK_MSG(cq_scene_load(ctx, "data/scene.cfg", &set, 1, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  cq_scene_destroy(s);
  test_write_file("included.cfg", "@include \"data/inner.cfg\"\n@include \"markers.cfg\"\n");
  test_write_file("data/inner.cfg",
                  "objective: ( { term = \"marker_distance\"; file = \"tracks.csv\"; } );\n");
  s = test_load(ctx, "included.cfg");
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* 3D: z and a weight are columns of the file; the body moves as a whole */
static void in_3d(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("three.csv", "time,id,z,y,x,weight\n0,5,0.5,0.5,0.51,1\n0.02,5,0.57,0.49,0.51,1\n"
                               "0,9,0.45,0.45,0.45,1\n0.02,9,0.46,0.44,0.45,3\n");
  test_write_file(
      "three.cfg",
      "simulation: { dimension = 3; grid = [20, 20, 20]; cell = 0.05; time_step = 2e-3; "
      "steps = 10; };\n"
      "materials: ( { name = \"m\"; youngs_modulus = 40; poisson_ratio = 0.3; density = "
      "1; } );\n"
      "bodies: ( { name = \"A\"; material = \"m\"; low = [0.4, 0.4, 0.4]; size = [0.2, "
      "0.2, 0.2]; velocity = [0, -0.5, 0.5]; } );\n"
      "objective: ( { term = \"marker_distance\"; file = \"three.csv\"; } );\n");
  cq_scene *s = test_load(ctx, "three.cfg");
  CHECK(s->objective.functions[0].terms->markers[0].n == 8);
  CHECK_NEAR(value_at(s, 0, 0), 0.25 * 0.06 * 0.06, 1e-13);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* A place that is empty or "nan" was not seen: as if the line were not there. */
static void gaps(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const tracks[] = {
      "time, id, x, y\n0, 1, 0.9, 0.9\n0.04, 1, 0.95, 0.9\n",
      "time, id, x, y\n0, 1, 0.9, 0.9\n0.02, 1, , 0.9\n0.04, 1, 0.95, 0.9\n0.06, 1, 0.9, NaN\n"};
  double f[2];
  for (int i = 0; i < 2; i++) {
    test_write_file("gaps.csv", tracks[i]);
    cq_scene *s = open_scene(ctx, "file = \"gaps.csv\";");
    CHECK(s->objective.functions[0].terms->n_instants == 1);
    f[i] = value_at(s, 0.4, -0.5);
    cq_scene_destroy(s);
  }
  CHECK(f[0] == f[1] && f[0] > 0.0);
  cq_ctx_destroy(ctx);
}

/* Samples up to rest_time are averaged: their noise cancels here, and the marker is where it is
 * with one exact sample. */
static void rest_is_a_mean(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const tracks[] = {"samples = [[0, 1, 0.93, 0.87], [0.04, 1, 0.95, 0.9]];",
                                "rest_time = 2; samples = [[2.04, 1, 0.95, 0.9], [1, 1, 0.934, "
                                "0.868], [1.5, 1, 0.926, 0.873],"
                                "[2, 1, 0.93, 0.869]];"};
  double f[2];
  for (int i = 0; i < 2; i++) {
    cq_scene *s = open_scene(ctx, tracks[i]);
    CHECK(s->objective.functions[0].terms->n_instants == 1);
    f[i] = value_at(s, 0.4, -0.5);
    cq_scene_destroy(s);
  }
  CHECK_NEAR(f[0], f[1], 1e-14);
  cq_ctx_destroy(ctx);
}

static void refused(const char *term, const char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  CHECK(load(ctx, term, &scene) != CQ_OK && scene == NULL);
  CHECK_STR(cq_ctx_error(ctx), message);
  cq_ctx_destroy(ctx);
}

static void bad_tracks(void) {
  const char *head = "markers.cfg:10: objective.[0]";
  char text[512];
#define REFUSED(term, rest)                                                                        \
  do {                                                                                             \
    snprintf(text, sizeof text, "%s%s", head, rest);                                               \
    refused(term, text);                                                                           \
  } while (0)
  REFUSED("", ".file: give file or samples");
  REFUSED("samples = [[0, 1, 0.9]];",
          ".samples: a row is [time, id, x, y] or [time, id, x, y, weight]");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0, 1]];",
          ".samples.[1] must be a list of 4 numbers [s, 1, m ...]");
  REFUSED("samples = 3;",
          ".samples must be a list of rows of numbers, [[1, 2], [3, 4]] [s, 1, m ...]");
  REFUSED("samples = [[0, 1, 0.9, 0.9, -1]];", ".samples: a weight is negative");
  REFUSED("samples = [[0, 1, 0.9, 0.9]];", ".rest_time: no sample is later");
  REFUSED(
      "samples = [[0, 1, 0.9, 0.9], [0.01, 2, 0.9, 0.9]];",
      ".samples: marker 2 has no sample up to rest (time 0), where it is bound to the body; see "
      "rest_time, or give rest_positions");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9], [0.09, 1, 0.9, 0.9]];",
          ".samples: a sample at 0.09 is after the end of the run, 0.08 s from rest (0)");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0.09, 1, 0.9, 0.9]];",
          ".samples: no sample is within the run, which ends 0.08 s from rest (0): the first one "
          "after rest is at 0.09");
  REFUSED(
      "samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9]]; camera = [[1, 0, 0, 0], [0, 1, 0, 0]];",
      ".camera: must be 3 rows of 4 numbers, not 2 of 4");
  REFUSED(
      "samples = [[0, 1, 90, 90], [0.01, 1, 90, 90]]; camera = [[1, 0, 0, 0], [0, 1, 0, 0], [0, "
      "0, 0, 1]];",
      ".rest_positions: is missing: pixels do not tell where on the body a marker is");
  REFUSED(
      "samples = [[0, 1, 90, 90], [0.01, 1, 90, 90]]; camera = [[1, 0, 0, 0], [0, 1, 0, 0], [0, "
      "0, 0, -1]]; rest_places = [[1, 0.9, 0.9]];",
      ".camera: marker 1 is behind the camera at rest: the third row of the matrix gives -1, and "
      "must give > 0 for what is seen; turn the signs of all its numbers, or look at the axes");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9]]; rest_places = [[2, 0.9, 0.9]];",
          ".rest_places: has no place of marker 1");
  REFUSED(
      "samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9]]; rest_places = [[1, 0.9, 0.9], [1, 0.9, "
      "0.9]];",
      ".rest_places: marker 1 has two places");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9]]; rest_places = [[1, 0.9, 0.9, 0]];",
          ".rest_places: a row is [id, x, y]");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.8]];",
          ".samples: marker 1 has two samples at 0.01");
  REFUSED("samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9, 0]];",
          ".samples.[1] must be a list of 4 numbers [s, 1, m ...]");
  REFUSED("samples = [[0, 1, 0.9, 0.9, 0], [0.01, 1, 0.9, 0.9, 0]];",
          ".samples: all weights are zero");
  REFUSED("body = \"B\"; samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9]];",
          ".samples: marker 1 is 0.76 m from the nearest particle of \"B\" at rest (time 0): scale "
          "or move the tracks, or set rest_time");
  REFUSED("file = \"no.csv\";", ".file: cannot read no.csv: No such file or directory");
  refused(
      "samples = [[0, 1, 0.9, 0.9], [0.01, 1, 0.9, 0.9]]; when = \"end\";",
      "markers.cfg:10: \"when\" in objective.[0] has no meaning with term = \"marker_distance\"");
}

static void bad_file(const char *content, const char *message) {
  test_write_file("bad.csv", content);
  refused("file = \"bad.csv\";", message);
}

static void bad_files(void) {
  bad_file("\n# nothing\n", "bad.csv: is empty");
  bad_file("time, id, x, y\n", "bad.csv: has no rows");
  bad_file("time, x, y\n0, 0.9, 0.9\n",
           "bad.csv:1: no column is called \"id\"; the first line must name the columns");
  bad_file("time, id, x, y\n0, 1, 0.9, 0.9\n0.01, 1, 0.9, inf\n",
           "bad.csv:3: y = inf is not a finite number");
  bad_file("time, id, x, y\n0, 1, 0.9, 0.9\nnan, 1, 0.9, 0.9\n",
           "bad.csv:3: time = nan is not a finite number");
  bad_file("time, id, x, y\n0, 1, 0.9,\n", "bad.csv: has no rows");
  bad_file("time, id, x, y\n0, 1, 0.9\n", "bad.csv:2: as many fields as names are needed, 4");
  bad_file("time, id, x, y\n0, 1, 0.9, 0.9, 0.9\n",
           "bad.csv:2: as many fields as names are needed, 4");
}

/* One line a time is the same as one a sample; an empty place leaves out that marker alone. */
static void wide_tables(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const tables[] = {
      "time,marker,x,y\n0,1,0.9,0.9\n0,12,0.95,0.87\n0.04,1,0.95,0.9\n0.06,1,0.93,0.9\n"
      "0.06,12,0.98,0.86\n",
      "x12 [m];y12 [m];Time (s);X1;y1\n0.95;0.87;0;0.9;0.9\n;;0.04;0.95;0.9\n"
      "0.98;0.86;0.06;0.93;0.9\n"};
  double f[2];
  for (int i = 0; i < 2; i++) {
    test_write_file("form.csv", tables[i]);
    cq_scene *s = open_scene(ctx, "file = \"form.csv\";");
    CHECK(s->objective.functions[0].terms->n_instants == 2);
    f[i] = value_at(s, 0.4, -0.5);
    cq_scene_destroy(s);
  }
  CHECK(f[0] == f[1] && f[0] > 0.0);
  cq_ctx_destroy(ctx);
  bad_file("time, x1, y1, x2\n0, 0.9, 0.9, 0.9\n",
           "bad.csv:1: no column is called \"y2\"; the first line must name the columns");
  bad_file("x1, y1\n0.9, 0.9\n",
           "bad.csv:1: no column is called \"time\"; the first line must name the columns");
  bad_file(
      "time, id, x1, y1\n0, 1, 0.9, 0.9\n",
      "bad.csv:1: the column \"id\" is of a table with a line a sample, and \"x1\" of one with a "
      "line a time: a table has one form");
  bad_file(
      "time, x, y, x1, y1\n0, 0.9, 0.9, 0.9, 0.9\n",
      "bad.csv:1: the column \"x\" is of a table with a line a sample, and \"x1\" of one with a "
      "line a time: a table has one form");
  bad_file("time, x1, y1, x1\n0, 0.9, 0.9, 0.9\n", "bad.csv:1: two columns are called \"x1\"");
  bad_file("time, x1, y1, z1\n0, 0.9, 0.9, 0.9\n",
           "bad.csv:1: the scene is 2D and has no use for a column \"z1\"; take it out, or set "
           "simulation.dimension = 3");
  bad_file("time, x1, y1\n0, 0.9, 0.9\n0.01, 0.9, left\n",
           "bad.csv:3: y1 must be a number, not \"left\"");
}

/* The body moves as a whole, and is seen through x = 100 X / (2 - Y), y = 100 Y / (2 - Y) + 5. */
static void by_a_camera(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("matrix.txt", "# from a calibration\n100 0 0 0\n0, 95, 0, 10\n\n0 -1 0 2\n");
  test_write_file("places.csv", "marker,x,y\n3,0.9,0.9\n4,0.95,0.87\n");
  cq_scene *s = open_scene(ctx, "camera_file = \"matrix.txt\"; rest_positions = \"places.csv\"; "
                                "samples = [[1, 3, 80, 80], [1.08, 3, 85, 75]];");
  const cq_term *term = s->objective.functions[0].terms;
  /* the sample at rest is compared with, too: 0.08 s later the body is at (0.932, 0.86) from 0.9 */
  CHECK(term->n_instants == 2);
  const double x[2][2] = {{0.9, 0.9}, {0.932, 0.86}}, at[2][2] = {{80, 80}, {85, 75}};
  double sum = 0.0;
  for (int i = 0; i < 2; i++) {
    const double depth = 2 - x[i][1];
    sum += 0.5 * (pow(100 * x[i][0] / depth - at[i][0], 2) +
                  pow((95 * x[i][1] + 10) / depth - at[i][1], 2));
  }
  CHECK_NEAR(value_at(s, 0.4, -0.5), sum, 1e-9 * sum);
  FILE *out = fopen("seen.cfg", "w"); /* what is written needs no files */
  CHECK(out != NULL && cq_scene_write_config(s, out) == CQ_OK && fclose(out) == 0);
  remove("matrix.txt");
  remove("places.csv");
  cq_scene *again = test_load(ctx, "seen.cfg");
  CHECK(value_at(again, 0.4, -0.5) == value_at(s, 0.4, -0.5));
  cq_scene_destroy(again);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
  /* a body that flies past the camera */
  ctx = cq_ctx_create(1, 1);
  s = open_scene(ctx,
                 "camera = [[1, 0, 0, 0], [0, 1, 0, 0], [-1, 0, 0, 0.91]]; rest_places = [[7, 0.9, "
                 "0.9]]; samples = [[0, 7, 1, 1], [0.08, 7, 1, 1]];");
  const cq_problem *p = cq_scene_problem(s);
  const double v[2] = {0.4, 0};
  double f = 0.0;
  CHECK(p->eval(p->data, v, &f, NULL, NULL, NULL) == CQ_NONFINITE);
  CHECK_STR(cq_ctx_error(ctx), "marker 7 of \"marker_distance\" is behind the camera at 0.08 s");
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
#define MATRIX(text, message)                                                                      \
  test_write_file("bad.txt", text);                                                                \
  refused("camera_file = \"bad.txt\"; rest_places = [[1, 0.9, 0.9]]; samples = [[0, 1, 9, 9], "    \
          "[0.01, 1, 9, 9]];",                                                                     \
          message)
  MATRIX("1 2 3 4\n1 2 3 4\n", "bad.txt: the matrix of a camera has 3 lines of 4 numbers, and this "
                               "file has 8 numbers");
  MATRIX("1 2 3 4\n1 2 3 4\n1 2 3 4 5\n", "bad.txt:3: the matrix of a camera has 3 lines of 4 "
                                          "numbers, and this file has more");
  MATRIX("1 2 3 4\n1 2 f 4\n", "bad.txt:2: number 7 of the matrix is no number: \"f\"");
}

/* Markers all over A, at two of 41 states; f[0] is what they give, f[1] a term at every state. */
static void load_many(cq_ctx *ctx, bool markers, bool running, const char *memory, double *f,
                      cq_sim_stats *stats) {
  static char text[32768];
  int used = snprintf(text, sizeof text, "%sobjective: (", scene_text);
  if (running) {
    used +=
        snprintf(text + used, sizeof text - (size_t)used,
                 "{ term = \"mean_square_velocity\"; when = \"running\"; }%s", markers ? ", " : "");
  }
  for (int row = 0; markers && row < 3 * 77; row++) {
    const int time = row / 77, i = row % 77;
    used += snprintf(text + used, sizeof text - (size_t)used, "%s[%g, %d, %g, %g]%s",
                     row == 0 ? "{ term = \"marker_distance\"; samples = [" : "", 0.04 * time, i,
                     0.825 + 0.025 * (i % 11), 0.825 + 0.025 * (i / 11) + 0.01 * time,
                     row < 3 * 77 - 1 ? ", " : "]; }");
  }
  snprintf(text + used, sizeof text - (size_t)used, ");\n");
  test_write_file("many.cfg", text);
  cq_scene *s = NULL;
  CHECK_MSG(cq_scene_load(ctx, "many.cfg", &memory, 1, &s) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_problem *p = cq_scene_problem(s);
  double grad[2], sum = 0.0;
  CHECK(p->eval(p->data, p->start, &sum, NULL, grad, NULL) == CQ_OK);
  for (int i = 0; i < cq_scene_term_count(s); i++) {
    f[markers && i == cq_scene_term_count(s) - 1 ? 0 : 1] = cq_scene_term_value(s, i);
  }
  *stats = *cq_sim_statistics(s->sim);
  cq_scene_destroy(s);
}

/* What markers see takes room at their own states alone, is counted in simulation.memory, and has
 * the bits that it has without the other term, and with room for everything. */
static void stored_where_wanted(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  double alone[2], both[2], roomy[2];
  cq_sim_stats stats;
  const char *plenty = "simulation.memory=1 GiB", *little = "simulation.memory=192 KiB";
  load_many(ctx, false, true, plenty, alone, &stats);
  CHECK(stats.z_bytes == 2 * 40 * sizeof(double));
  load_many(ctx, true, false, plenty, alone, &stats);
  CHECK(stats.z_bytes == 2 * 2 * 96 * 2 * sizeof(double)); /* all of A's particles carry some */
  load_many(ctx, true, true, plenty, roomy, &stats);
  CHECK(stats.memo_states == 41);
  load_many(ctx, true, true, little, both, &stats);
  CHECK(stats.z_bytes == 2 * (40 + 2 * 96 * 2) * sizeof(double));
  CHECK(stats.memo_bytes + stats.z_bytes <= 192 * 1024 && stats.memo_states < 41);
  for (int i = 0; i < 2; i++) {
    CHECK(alone[i] == both[i] && both[i] == roomy[i]);
  }
  const char *const longer[] = {"simulation.steps=8000", plenty};
  char text[4096] = "";
  cq_scene *scene = NULL;
  CHECK(cq_scene_load(ctx, "many.cfg", longer, 2, &scene) == CQ_OK);
  FILE *out = tmpfile();
  CHECK(out != NULL && cq_scene_describe(scene, out) == CQ_OK);
  rewind(out);
  text[fread(text, 1, sizeof text - 1, out)] = '\0';
  fclose(out);
  CHECK_MSG(strstr(text, " MiB, beside 0.128 MiB of observations)") != NULL, "%s", text);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(rigid_motion);
  RUN(affine_maps_are_exact);
  RUN(near_a_particle);
  RUN(gradient);
  RUN(tracks_in_a_file);
  RUN(in_3d);
  RUN(bad_tracks);
  RUN(gaps);
  RUN(rest_is_a_mean);
  RUN(bad_files);
  RUN(wide_tables);
  RUN(by_a_camera);
  RUN(stored_where_wanted);
  return TEST_RESULT();
}
