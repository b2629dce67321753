/* Shapes of a file: bodies, groups, walls and parts; what is refused; their place, size and turn as
 * design variables. */
#include "mesh.h"
#include "mesh_maker.h"
#include "outline.h"
#include "scene.h"
#include "scene_cover.h"
#include "test_problems_scene.h"

#define HEAD(dim, grid)                                                                            \
  "simulation: { dimension = " dim "; grid = " grid                                                \
  "; cell = 0.05; time_step = 1e-3; steps = 10; "                                                  \
  "};\n"                                                                                           \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 2; } );\n"

static cq_ctx *ctx;

static cq_scene *load(const char *text) {
  cq_scene *scene = NULL;
  test_write_file("meshes.cfg", text);
  CHECK_MSG(cq_scene_load(ctx, "meshes.cfg", NULL, 0, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static double total_volume(const cq_scene *s) {
  double sum = 0.0;
  for (int p = 0; p < s->model.n_particles; p++) {
    sum += cq_body_volume(&s->bodies[0], (size_t)p);
  }
  return sum;
}

#define SOLID HEAD("3", "[24, 24, 24]")
#define BODY  "name = \"b\"; material = \"soft\"; "

/* The same as the body of a closed shape: a box, from a file in other units. */
static void solid(void) {
  const double low[3] = {-20, 0, 5}, high[3] = {20, 10, 25};
  maker_write_obj(ctx, "box.obj", maker_box(ctx, low, high));
  cq_scene *mesh = load(SOLID "bodies: ( { " BODY "shape = \"mesh\"; file = \"box.obj\";\n"
                              "  scale = 0.01; low = [0.3, 0.4, 0.5]; spacing = 0.025; } );\n");
  cq_scene *box = load(SOLID "bodies: ( { " BODY "low = [0.3, 0.4, 0.5]; size = [0.4, 0.1, 0.2];\n"
                             "  spacing = 0.025; } );\n");
  CHECK(mesh->model.n_particles == 16 * 4 * 8 && box->model.n_particles == 16 * 4 * 8);
  for (int i = 0; i < 3 * mesh->model.n_particles; i++) {
    CHECK_NEAR(mesh->x[i], box->x[i], 1e-15);
  }
  CHECK_NEAR(mesh->bodies[0].volume, box->bodies[0].volume, 1e-18);
  cq_scene_destroy(mesh);
  cq_scene_destroy(box);
  /* about another centre, and turned: x becomes y */
  mesh = load(SOLID "bodies: ( { " BODY "shape = \"mesh\"; file = \"box.obj\"; spacing = 0.025;\n"
                    "  scale = 0.01; center = [0.6, 0.6, 0.6]; "
                    "  rotation = [0, 0, 1.5707963267948966]; } );\n");
  double least[3] = {9, 9, 9}, largest[3] = {0, 0, 0};
  for (int i = 0; i < 3 * mesh->model.n_particles; i++) {
    least[i % 3] = fmin(least[i % 3], mesh->x[i]);
    largest[i % 3] = fmax(largest[i % 3], mesh->x[i]);
  }
  const double half[3] = {0.05, 0.2, 0.1};
  for (int a = 0; a < 3; a++) {
    CHECK_NEAR(least[a], 0.6 - half[a] + 0.0125, 1e-12);
    CHECK_NEAR(largest[a], 0.6 + half[a] - 0.0125, 1e-12);
  }
  cq_scene_destroy(mesh);
}

/* What was read is in the settings, mended; from them alone comes the same scene, bit by bit. */
static void settings(void) {
  cq_surface s = maker_scan(ctx, 12);
  const int first = s.faces[0]; /* one face is inside out */
  s.faces[0] = s.faces[1];
  s.faces[1] = first;
  maker_write_obj(ctx, "scan.obj", s);
  test_log log = {{0}};
  cq_ctx_set_log(ctx, test_log_line, &log);
  cq_scene *one = load(SOLID "bodies: ( { " BODY "shape = \"mesh\"; file = \"scan.obj\";\n"
                             "  scale = 0.3; center = [0.6, 0.6, 0.6]; } );\n");
  CHECK_MSG(strstr(log.text, "meshes.cfg:3: bodies.[0].file: scan.obj: 1 of 336 faces were inside "
                             "out; they are turned") != NULL,
            "%s", log.text);
  log.text[0] = '\0';
  FILE *out = fopen("whole.cfg", "w");
  CHECK(out != NULL && cq_scene_write_config(one, out) == CQ_OK && fclose(out) == 0);
  CHECK(remove("scan.obj") == 0);
  cq_scene *two = test_load(ctx, "whole.cfg");
  CHECK_MSG(strstr(log.text, "inside out") == NULL, "%s", log.text);
  CHECK(one->model.n_particles == two->model.n_particles && one->model.n_particles > 100);
  CHECK(memcmp(one->x, two->x, sizeof(double) * 3 * (size_t)one->model.n_particles) == 0);
  CHECK(one->bodies[0].volume == two->bodies[0].volume);
  cq_ctx_set_log(ctx, NULL, NULL);
  cq_scene_destroy(one);
  cq_scene_destroy(two);
}

#define FLAT HEAD("2", "[24, 24]")

/* An outline with a hole; a group of it, and a wall of the same file. */
static void flat(void) {
  test_write_file("ring.csv", "x,y,loop\n0,0,1\n4,0,1\n4,3,1\n0,3,1\n1,1,2\n1,2,2\n3,2,2\n3,1,2\n");
  cq_scene *s = load(
      FLAT
      "bodies: ( { " BODY "shape = \"mesh\"; file = \"ring.csv\"; scale = 0.1;\n"
      "  low = [0.3, 0.4]; spacing = 0.025; } );\n"
      "groups: ( { name = \"g\"; shape = \"mesh\"; file = \"ring.csv\"; scale = 0.05;\n"
      "  low = [0.3, 0.4]; } );\n"
      "boundaries: { obstacles = ( { type = \"sticky\"; shape = \"mesh\"; file = \"ring.csv\";\n"
      "  scale = 0.05; center = [0.9, 0.3]; rotation = 0.5; } ); };\n");
  CHECK(s->model.n_particles == 16 * 12 - 8 * 4);
  CHECK_NEAR(s->bodies[0].shape_volume, 0.1, 1e-15);
  CHECK(s->sets[2].count == 8 * 6 - 4 * 2 - 4 * 2); /* its hole, and that of the body */
  CHECK(s->model.n_boundaries == 2);
  cq_scene_destroy(s);
  FILE *out = fopen("disc.pgm", "wb");
  CHECK(out != NULL);
  fprintf(out, "P2 40 40 255\n");
  for (int i = 0; i < 1600; i++) {
    const double r = hypot(i % 40 + 0.5 - 20, i / 40 + 0.5 - 20);
    fprintf(out, "%d\n", (int)(255 * fmax(0, fmin(1, 16.5 - r))));
  }
  fclose(out);
  s = load(FLAT "bodies: ( { " BODY "shape = \"mesh\"; file = \"disc.pgm\"; scale = 0.0125;\n"
                "  center = [0.6, 0.6]; } );\n");
  CHECK_NEAR(s->bodies[0].shape_volume, maker_pi * 0.2 * 0.2, 1e-3 * 0.2);
  for (int i = 0; i < s->model.n_particles; i++) {
    CHECK(hypot(s->x[2 * i] - 0.6, s->x[2 * i + 1] - 0.6) < 0.202);
  }
  cq_scene_destroy(s);
}

/* Parts that are repeated and mirrored against the same written out. */
static void legs(void) {
  const double low[3] = {0, 0, 0}, high[3] = {1, 2, 1};
  maker_write_obj(ctx, "leg.obj", maker_box(ctx, low, high));
  cq_scene *short_one = load(
      SOLID
      "bodies: ( { " BODY "shape = \"composite\"; spacing = 0.025; parts = (\n"
      "  { low = [0.3, 0.5, 0.3]; size = [0.5, 0.1, 0.5]; },\n"
      "  { shape = \"mesh\"; file = \"leg.obj\"; scale = 0.1; low = [0.3, 0.3, 0.3];\n"
      "    array = 2; step = [0, 0, 0.4]; mirror = \"x\"; mirror_at = 0.55; },\n"
      "  { operation = \"subtract\"; shape = \"capsule\"; points = [[0.35, 0.3, 0.35], [0.32, "
      "0.4, 0.35]];\n"
      "    radius = 0.03; mirror = \"x\"; mirror_at = 0.55; array = 2; step = [0, 0, 0.4]; },\n"
      "  { size = [0.05, 0.02, 0.1]; center = [0.35, 0.65, 0.5]; rotation = [0.2, 0.1, 0.4];\n"
      "    mirror = \"x\"; mirror_at = 0.55; } ); } );\n");
  cq_scene *long_one = load(
      SOLID
      "bodies: ( { " BODY "shape = \"composite\"; spacing = 0.025; parts = (\n"
      "  { low = [0.3, 0.5, 0.3]; size = [0.5, 0.1, 0.5]; },\n"
      "  { low = [0.3, 0.3, 0.3]; size = [0.1, 0.2, 0.1]; },\n"
      "  { low = [0.3, 0.3, 0.7]; size = [0.1, 0.2, 0.1]; },\n"
      "  { low = [0.7, 0.3, 0.3]; size = [0.1, 0.2, 0.1]; },\n"
      "  { low = [0.7, 0.3, 0.7]; size = [0.1, 0.2, 0.1]; },\n"
      "  { operation = \"subtract\"; shape = \"capsule\"; radius = 0.03; points = [[0.35, 0.3, "
      "0.35], [0.32, 0.4, 0.35]]; },\n"
      "  { operation = \"subtract\"; shape = \"capsule\"; radius = 0.03; points = [[0.75, 0.3, "
      "0.35], [0.78, 0.4, 0.35]]; },\n"
      "  { operation = \"subtract\"; shape = \"capsule\"; radius = 0.03; points = [[0.35, 0.3, "
      "0.75], [0.32, 0.4, 0.75]]; },\n"
      "  { operation = \"subtract\"; shape = \"capsule\"; radius = 0.03; points = [[0.75, 0.3, "
      "0.75], [0.78, 0.4, 0.75]]; },\n"
      "  { size = [0.05, 0.02, 0.1]; center = [0.35, 0.65, 0.5]; rotation = [0.2, 0.1, 0.4]; },\n"
      "  { size = [0.05, 0.02, 0.1]; center = [0.75, 0.65, 0.5]; rotation = [0.2, -0.1, -0.4]; "
      "} ); } );\n");
  const cq_shape *a = &short_one->bodies[0].shape, *b = &long_one->bodies[0].shape;
  cq_rng rng = cq_rng_seed(2);
  CHECK(short_one->model.n_particles == long_one->model.n_particles);
  for (int i = 0; i < 3000; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) {
      x[k] = 0.2 + 0.7 * cq_rng_uniform(&rng);
    }
    CHECK_NEAR(cq_shape_distance(a, x), cq_shape_distance(b, x), 1e-14);
  }
  cq_scene_destroy(short_one);
  cq_scene_destroy(long_one);
}

/* A mirrored gear of an odd number of teeth that turn: left-handed, its teeth where they belong. */
static void mirrored_gears(void) {
  for (int axis = 0; axis < 3; axis++) {
    char text[1000];
    snprintf(text, sizeof text,
             SOLID "bodies: ( { " BODY "shape = \"composite\"; spacing = 0.025; parts = (\n"
                   "  { shape = \"gear\"; center = [0.35, 0.4, 0.3]; teeth = 9; module = 0.02;\n"
                   "    helix_angle = 0.4; width = 0.1; bore = 0.03; rotation = [0.2, 0.1, 0.4];\n"
                   "    mirror = \"%c\"; mirror_at = 0.55; } ); } );\n",
             "xyz"[axis]);
    cq_scene *s = load(text);
    cq_rng rng = cq_rng_seed(2);
    for (int i = 0; i < 500; i++) {
      double x[3], y[3];
      for (int k = 0; k < 3; k++) {
        x[k] = 0.2 + 0.4 * cq_rng_uniform(&rng);
        y[k] = k == axis ? 1.1 - x[k] : x[k];
      }
      CHECK_NEAR(cq_shape_distance(&s->bodies[0].shape, x),
                 cq_shape_distance(&s->bodies[0].shape, y), 1e-13);
    }
    cq_scene_destroy(s);
  }
}

/* Distances from a grid: nearly the same body. */
static void grid(void) {
  maker_write_obj(ctx, "ball.obj", maker_sphere(ctx, 0.2, 16, NULL));
  cq_scene *exact = load(SOLID "bodies: ( { " BODY "shape = \"mesh\"; file = \"ball.obj\";\n"
                               "  center = [0.6, 0.6, 0.6]; } );\n");
  cq_scene *fast = load(SOLID "bodies: ( { " BODY "shape = \"mesh\"; file = \"ball.obj\";\n"
                              "  center = [0.6, 0.6, 0.6]; cells = 32; } );\n");
  const cq_shape *a = &exact->bodies[0].shape, *b = &fast->bodies[0].shape;
  CHECK(a->sdf == NULL && b->sdf != NULL);
  CHECK_NEAR(exact->model.n_particles, fast->model.n_particles, 20);
  CHECK_NEAR(cq_shape_distance(a, (double[]){0.6, 0.75, 0.6}),
             cq_shape_distance(b, (double[]){0.6, 0.75, 0.6}), 1e-3);
  cq_scene_destroy(exact);
  cq_scene_destroy(fast);
}

/* Particles of a lattice that are moved, and such that keep apart. */
static void samplings(void) {
  maker_write_obj(ctx, "ball.obj", maker_sphere(ctx, 0.2, 16, NULL));
#define BALL "shape = \"mesh\"; file = \"ball.obj\"; center = [0.6, 0.6, 0.6]; "
  cq_scene *lattice = load(SOLID "bodies: ( { " BODY BALL "spacing = 0.04; } );\n");
  cq_scene *moved = load(SOLID "bodies: ( { " BODY BALL
                               "spacing = 0.04; sampling = \"jittered\"; jitter = 0.6; } );\n");
  cq_scene *apart = load(SOLID "bodies: ( { " BODY BALL
                               "sampling = \"blue_noise\"; particles = 400; seed = 3; } );\n");
  const int n = lattice->model.n_particles;
  double most = 0.0;
  CHECK(n == moved->model.n_particles && apart->model.n_particles == 400);
  for (int i = 0; i < 3 * n; i++) {
    most = fmax(most, fabs(lattice->x[i] - moved->x[i]));
  }
  CHECK(most <= 0.3 * 0.04 * (1.0 + 1e-12) && most > 0.28 * 0.04);
  for (int i = 0; i < n; i++) {
    CHECK(cq_shape_distance(&moved->bodies[0].shape, moved->x + 3 * i) <= 0.0);
  }
  CHECK_NEAR(total_volume(moved), moved->bodies[0].shape.mesh->volume, 1e-15);
  CHECK_NEAR(total_volume(apart), moved->bodies[0].shape.mesh->volume, 1e-15);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  CHECK(out != NULL && cq_scene_describe(lattice, out) == CQ_OK && fclose(out) == 0);
  const char *at = strstr(text, "lattice cells ");
  const double wanted =
      100.0 * (n * 0.04 * 0.04 * 0.04 / moved->bodies[0].shape.mesh->volume - 1.0);
  CHECK_MSG(at != NULL && fabs(atof(at + strlen("lattice cells ")) - wanted) < 0.06, "%s", text);
  free(text);
  cq_scene_destroy(lattice);
  cq_scene_destroy(moved);
  cq_scene_destroy(apart);
}

/* Density, modulus and group of single points: from a file, and from what is written of it. */
static void properties(void) {
  test_write_file("gear.csv", "x,y,volume [m^2],group,Density [kg/m2],youngs_modulus [Pa]\n"
                              "0.5,0.5,1e-3,0,3,50\n0.52,0.5,1e-3,2,4,60\n0.54,0.5,2e-3,2,5,70\n");
  cq_scene *one =
      load(FLAT "bodies: ( { " BODY "sampling = \"points\"; points_file = \"gear.csv\"; } );\n"
                "groups: ( { name = \"tooth\"; by = \"number\"; number = 2; } );\n");
  FILE *out = fopen("whole.cfg", "w");
  CHECK(out != NULL && cq_scene_write_config(one, out) == CQ_OK && fclose(out) == 0);
  cq_scene *two = test_load(ctx, "whole.cfg");
  const cq_scene *scenes[] = {one, two};
  for (int k = 0; k < 2; k++) {
    const cq_scene *s = scenes[k];
    for (int i = 0; i < 3; i++) {
      CHECK(s->inputs[cq_layout_offset(&s->layout, "density") + (size_t)i] == 3 + i);
      CHECK(s->inputs[cq_layout_offset(&s->layout, "youngs_modulus") + (size_t)i] == 50 + 10 * i);
    }
    CHECK(s->sets[2].count == 2 && s->sets[2].particles[0] == 1 && s->sets[2].particles[1] == 2);
  }
  char *text = NULL;
  size_t size = 0;
  out = open_memstream(&text, &size);
  CHECK(out != NULL && cq_scene_describe(two, out) == CQ_OK && fclose(out) == 0);
  CHECK_MSG(strstr(text, "E 50..70 Pa, nu 0.3, density 3..5 kg/m^2\n") != NULL, "%s", text);
  free(text);
  cq_scene_destroy(one);
  cq_scene_destroy(two);
  /* what is not there is that of the body */
  test_write_file("gear.csv", "x,y,volume,density\n0.5,0.5,1e-3,3\n0.52,0.5,1e-3,4\n");
  one = load(FLAT "bodies: ( { " BODY
                  "sampling = \"points\"; points_file = \"gear.csv\"; youngs_modulus = 30; } );\n");
  CHECK(one->inputs[cq_layout_offset(&one->layout, "youngs_modulus") + 1] == 30.0);
  CHECK(one->bodies[0].properties[CQ_MOST_PROPERTIES + CQ_OWN_GROUP] == 0.0);
  cq_scene_destroy(one);
#define POINTS FLAT "bodies: ( { " BODY "sampling = \"points\"; positions = [[0.5, 0.5, 1e-3]]; "
  test_refused(POINTS "properties = [[1, 2]]; } );\n", NULL,
               "my.cfg:3: bodies.[0].properties: must have a row [density, group, youngs_modulus] "
               "for each of the 1 positions");
  test_refused(
      POINTS "properties = [[1, 1, 0]]; } );\n", NULL,
      "my.cfg:3: bodies.[0].properties: the youngs_modulus of point 0 is not > 0 (the first is 0)");
  test_refused(POINTS "properties = [[1, 0.5, 1]]; } );\n", NULL,
               "my.cfg:3: bodies.[0].properties: the group of point 0 is no whole number >= 0 (the "
               "first is 0)");
  test_refused(POINTS "properties = [[1, 3, 1]]; } );\n"
                      "groups: ( { name = \"g\"; by = \"number\"; number = 1; } );\n",
               NULL, "my.cfg:4: groups.[0].number: no point of \"*\" has 1 as its group");
}

/* d f / d x by differences, of the place, size and turn of a body made of a mesh */
static void gradients(void) {
  maker_write_obj(ctx, "scan.obj", maker_scan(ctx, 10));
  cq_scene *s = load(
      "simulation: { dimension = 3; grid = [20, 20, 20]; cell = 0.06; time_step = 2e-3; steps = "
      "40; "
      "gravity = [0, -2, 0]; };\n"
      "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } "
      ");\n"
      "bodies: ( { " BODY "shape = \"mesh\"; file = \"scan.obj\"; scale = 0.25;\n"
      "  center = [0.6, 0.42, 0.6]; velocity = [0, -1, 0.2]; } );\n"
      "boundaries: { obstacles = ( { type = \"sticky\"; shape = \"mesh\"; file = \"scan.obj\";\n"
      "  scale = 0.25; center = [0.6, 0.2, 0.65]; rotation = [0.3, 0, 0]; } ); };\n"
      "design: ( { variable = \"center\"; body = \"b\"; lower = 0.2; upper = 1; },\n"
      "  { variable = \"size\"; body = \"b\"; lower = 0.1; upper = 1; },\n"
      "  { variable = \"rotation\"; body = \"b\"; lower = -1; upper = 1; } );\n"
      "objective: ( { term = \"distance\"; body = \"b\"; target = [0.5, 0.4, 0.5]; },\n"
      "  { term = \"kinetic_energy\"; } );\n");
  const cq_problem *p = cq_scene_problem(s);
  double x[9], grad[9], h = 1e-5;
  CHECK(p->n == 9);
  memcpy(x, p->start, sizeof x);
  double f = 0.0;
  CHECK(p->eval(p->data, x, &f, NULL, grad, NULL) == CQ_OK);
  for (int i = 0; i < 9; i++) {
    double up = 0.0, down = 0.0;
    const double at = x[i];
    x[i] = at + h;
    CHECK(p->eval(p->data, x, &up, NULL, NULL, NULL) == CQ_OK);
    x[i] = at - h;
    CHECK(p->eval(p->data, x, &down, NULL, NULL, NULL) == CQ_OK);
    x[i] = at;
    CHECK_MSG(fabs(grad[i]) > 1e-9, "variable %d does nothing", i);
    CHECK_NEAR(grad[i], (up - down) / (2 * h), 1e-6 * fmax(fabs(grad[i]), 1e-2));
  }
  cq_scene_destroy(s);
}

static void refused(const char *head, const char *keys, const char *message) {
  char text[2048];
  snprintf(text, sizeof text, "%sbodies: ( { " BODY "shape = \"mesh\"; %s } );\n", head, keys);
  test_refused(text, NULL, message);
}

/* What is wrong with a mesh is said with its key and place. */
static void messages(void) {
  const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  cq_surface open = maker_box(ctx, low, high);
  open.n_faces--;
  maker_write_obj(ctx, "open.obj", open);
  maker_write_obj(ctx, "box.obj", maker_box(ctx, low, high));
  refused(SOLID, "", "my.cfg:3: bodies.[0].file: give file, or vertices and faces");
  refused(SOLID, "file = \"open.obj\";",
          "my.cfg:3: bodies.[0].file: open.obj: the surface is open: 3 edges have a face on one "
          "side alone, the first from (0, 0, 1) to (0, 1, 1); close the hole");
  refused(SOLID, "file = \"leg.step\";",
          "my.cfg:3: bodies.[0].file: in 3D the file is a mesh, .stl, .obj or .ply");
  refused(FLAT, "file = \"box.obj\";",
          "my.cfg:3: bodies.[0].file: in 2D the file is an outline, .csv, or a picture, .png or "
          ".pgm");
  refused(SOLID, "file = \"box.obj\"; low = [0, 0, 0]; center = [0, 0, 0];",
          "my.cfg:3: bodies.[0].low: give either low or center");
  refused(SOLID, "file = \"box.obj\"; vertices = [[0, 0, 0]];",
          "my.cfg:3: bodies.[0].file: give file, or vertices and faces");
  refused(FLAT, "vertices = [[0, 0], [1, 0], [0, 1]]; faces = [[0, 1], [1, 2], [2, 3]];",
          "my.cfg:3: bodies.[0].faces: 3 is no vertex; there are 3 (the first is 0)");
  refused(FLAT, "vertices = [[0, 0], [1, 0], [0, 1], [0, 2]]; faces = [[0, 1], [1, 2], [2, 3]];",
          "my.cfg:3: bodies.[0].faces: the outline is open: it ends at (0, 0); close it");
  char text[2048];
  snprintf(text, sizeof text,
           "%sbodies: ( { " BODY
           "shape = \"composite\"; parts = ( { low = [0, 0, 0]; size = [1, 1, "
           "1]; array = 2; } ); } );\n",
           SOLID);
  test_refused(text, NULL,
               "my.cfg:3: bodies.[0].parts.[0].step: an array needs the step from one to the next");
}

/* --- surfaces for pictures --- */

/* What the faces enclose, by the divergence theorem: a volume, in 2D an area. */
static double enclosed(int dim, int n_faces, const int *faces, const double *x, int width) {
  double sum = 0.0;
  for (int f = 0; f < n_faces; f++) {
    const double *a = x + width * faces[dim * f], *b = x + width * faces[dim * f + 1];
    const double *c = x + width * faces[dim * f + dim - 1];
    sum += dim == 2 ? (a[0] * b[1] - a[1] * b[0]) / 2
                    : (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0])) /
                          6;
  }
  return sum;
}

/* Each edge of a solid, or point of a plane, is left as often as it is reached. */
static bool closed(const cq_outline *o) {
  bool is = true;
  for (int i = 0; i < o->dim * o->n_faces; i++) {
    const int f = i / o->dim, k = i % o->dim, from = o->faces[i];
    const int to = o->faces[o->dim * f + (k + 1) % o->dim];
    int back = 0;
    for (int j = 0; j < o->dim * o->n_faces; j++) {
      const int other = o->faces[o->dim * (j / o->dim) + (j % o->dim + 1) % o->dim];
      back += o->dim == 3 ? o->faces[j] == to && other == from
                          : k == 1 && j % 2 == 0 && o->faces[j] == from;
    }
    is = is && back == (o->dim == 2 && k == 0 ? 0 : 1);
  }
  return is;
}

static cq_shape mesh_shape(cq_surface s, void **memory) {
  int turned = 0;
  const double none[3] = {0};
  cq_shape shape = {.kind = CQ_SHAPE_mesh, .dim = s.dim};
  CHECK(cq_surface_mend(ctx, "m", &s, &turned) == CQ_OK);
  CHECK(cq_alloc(ctx, memory, 1, cq_mesh_bytes(&s)) == CQ_OK);
  CHECK(cq_mesh_make(ctx, &s, 1.0, none, *memory, &shape.mesh) == CQ_OK);
  cq_surface_free(ctx, &s);
  return shape;
}

/* Long edges are divided, on the surface and without gaps; many faces become fewer, larger ones. */
static void outlines(void) {
  const double low[3] = {0, 0, 0}, high[3] = {4, 0.5, 1};
  cq_outline o;
  void *memory = NULL;
  const cq_shape box = mesh_shape(maker_box(ctx, low, high), &memory);
  CHECK(cq_outline_make(ctx, &box, 4000, 0.3, &o) == CQ_OK);
  CHECK(o.n_faces > 200 && o.n_faces <= 4000 && closed(&o));
  CHECK_NEAR(enclosed(3, o.n_faces, o.faces, o.vertices, 3), 2.0, 1e-12);
  for (int v = 0; v < o.n_vertices; v++) {
    CHECK_NEAR(cq_shape_distance(&box, o.vertices + 3 * v), 0.0, 1e-12);
  }
  cq_outline_free(ctx, &o);
  CHECK(cq_outline_make(ctx, &box, 20, 0.3, &o) == CQ_OK && o.n_faces == 12); /* no room */
  cq_outline_free(ctx, &o);
  cq_free(ctx, memory);
  const cq_shape torus = mesh_shape(maker_torus(ctx, 0.5, 0.2, 200, 100), &memory);
  CHECK(cq_outline_make(ctx, &torus, 4000, 1e9, &o) == CQ_OK);
  CHECK(o.n_faces <= 4000 && o.n_faces > 1000);
  CHECK_NEAR(enclosed(3, o.n_faces, o.faces, o.vertices, 3), torus.mesh->volume,
             0.05 * torus.mesh->volume);
  cq_outline_free(ctx, &o);
  cq_free(ctx, memory);
}

/* The cover of the only body at the places x of its particles. */
static double covered_room(const cq_scene *s, const cq_cover *cover, const double *x, double *at) {
  cq_cover_place(cover, x, s->model.dim, at);
  return enclosed(s->model.dim, cover->n_faces, cover->faces, at, 3);
}

/* In 2D: a ring with a hole, and polygons either way round; what is carried turns and grows with
 * the particles. */
static void covers(void) {
  static const char *const shapes[] = {
      "shape = \"mesh\"; file = \"ring.csv\"; scale = 0.1; low = [0.3, 0.4]; rotation = 0.3;",
      "shape = \"polygon\"; points = [[0.3, 0.3], [0.8, 0.3], [0.8, 0.5]];",
      "shape = \"polygon\"; points = [[0.3, 0.3], [0.8, 0.5], [0.8, 0.3]];",
      "shape = \"composite\"; parts = ( { shape = \"polygon\"; points = [[0.2, 0.3], [0.6, 0.3], "
      "[0.6, 0.55]]; mirror = \"x\"; mirror_at = 0.6; } );"};
  static const double areas[] = {0.1, 0.05, 0.05, 0.1};
  test_write_file("ring.csv", "x,y,loop\n0,0,1\n4,0,1\n4,3,1\n0,3,1\n1,1,2\n1,2,2\n3,2,2\n3,1,2\n");
  for (int i = 0; i < 4; i++) {
    char text[2048];
    snprintf(text, sizeof text, FLAT "bodies: ( { " BODY "%s spacing = 0.025; } );\n", shapes[i]);
    cq_scene *s = load(text);
    const int n = s->model.n_particles;
    int *kept = malloc((size_t)n * sizeof *kept);
    double *x = malloc((size_t)n * 2 * sizeof *x);
    for (int p = 0; p < n; p++) {
      kept[p] = p;
      x[2 * p] = -1.5 * s->x[2 * p + 1] + 3.0; /* a quarter turn, and half as large again */
      x[2 * p + 1] = 1.5 * s->x[2 * p] - 7.0;
    }
    cq_cover cover;
    CHECK(cq_scene_cover(s, n, kept, &cover) == CQ_OK && cover.n_faces > 20);
    double *at = malloc(3 * (size_t)cover.n_vertices * sizeof *at);
    CHECK_NEAR(covered_room(s, &cover, s->x, at), areas[i], 1e-6);
    for (int v = 0; v < cover.n_vertices; v++) {
      CHECK_NEAR(cq_shape_distance(&s->bodies[0].shape, at + 3 * v), 0.0, 1e-6);
    }
    CHECK_NEAR(covered_room(s, &cover, x, at), 2.25 * areas[i], 1e-5);
    CHECK(cq_cover_bytes(&cover) <= cq_scene_cover_bytes(s));
    cq_cover_free(ctx, &cover);
    free(kept);
    free(x);
    free(at);
    cq_scene_destroy(s);
  }
}

/* In 3D on a lattice, where many particles are as near as each other and in one plane. */
static void covers_solid(void) {
  const double low[3] = {0, 0, 0}, high[3] = {4, 2, 3};
  maker_write_obj(ctx, "block.obj", maker_box(ctx, low, high));
  cq_scene *s = load(SOLID "bodies: ( { " BODY "shape = \"mesh\"; file = \"block.obj\";\n"
                           "  scale = 0.1; low = [0.3, 0.4, 0.5]; spacing = 0.025; } );\n");
  const int n = s->model.n_particles;
  int *kept = malloc((size_t)n * sizeof *kept);
  for (int p = 0; p < n; p++) {
    kept[p] = p;
  }
  cq_cover cover;
  CHECK(cq_scene_cover(s, n, kept, &cover) == CQ_OK && cover.n_faces > 500);
  double *at = malloc(3 * (size_t)cover.n_vertices * sizeof *at);
  CHECK_NEAR(covered_room(s, &cover, s->x, at), 0.024, 1e-6);
  for (int v = 0; v < cover.n_vertices; v++) {
    CHECK_NEAR(cq_shape_distance(&s->bodies[0].shape, at + 3 * v), 0.0, 1e-5);
  }
  cq_cover_free(ctx, &cover);
  free(kept);
  free(at);
  cq_scene_destroy(s);
}

/* Bodies that are no mesh have none, nor has a liquid or what something is cut from. */
static void uncovered(void) {
  static const char *const bodies[] = {
      "low = [0.3, 0.3]; size = [0.3, 0.3];",
      "shape = \"composite\"; parts = ( { shape = \"polygon\"; points = [[0.3, 0.3], [0.8, 0.3], "
      "[0.8, 0.5]]; }, { operation = \"subtract\"; shape = \"ball\"; center = [0.7, 0.4]; radius = "
      "0.04; } );"};
  for (int i = 0; i < 2; i++) {
    char text[2048];
    const int kept[] = {0, 5, 9};
    cq_cover cover;
    snprintf(text, sizeof text, FLAT "bodies: ( { " BODY "%s spacing = 0.025; } );\n", bodies[i]);
    cq_scene *s = load(text);
    CHECK(cq_scene_cover(s, 3, kept, &cover) == CQ_OK && cover.n_faces == 0);
    CHECK(cq_scene_cover_bytes(s) == 0.0);
    cq_scene_destroy(s);
  }
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(solid);
  RUN(settings);
  RUN(flat);
  RUN(legs);
  RUN(mirrored_gears);
  RUN(grid);
  RUN(samplings);
  RUN(properties);
  RUN(gradients);
  RUN(messages);
  RUN(outlines);
  RUN(covers);
  RUN(covers_solid);
  RUN(uncovered);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
