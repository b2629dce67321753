/* --set, and the resolved file. */
#include "mpm_model.h"
#include "scene.h"
#include "test_problems_scene.h"

static cq_scene *load_with(cq_ctx *ctx, const char *const *sets, int n) {
  cq_scene *scene = NULL;
  test_write_file("set.cfg", TEST_SCENE);
  const cq_status status = cq_scene_load(ctx, "set.cfg", sets, n, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static void overrides(void) {
  const char *const sets[] = {
      "objective.[0].target=[0.66,0.52]",
      "optimizer.name=LD_MMA",
      "optimizer.max_evaluations=7",
      "simulation.memory=2 GiB",
      "bodies[1].count=[5,9]",
      "simulation.gravity.[1]=-3.5",
      "simulation.precision=float",
      "problem.title=a \"b\"",
      "design.[4].start=unset",
      "optimizer.target=unset",
      "scenarios=unset",
      "boundaries.half_spaces=({type=\"slip\";point=[0,0.11];normal=\"y\";})"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, sets, sizeof sets / sizeof *sets);
  const cq_term_keys *term = scene->config.objective.items;
  CHECK_NEAR(term->own.distance.target[0], 0.66, 0);
  CHECK_NEAR(term->own.distance.target[1], 0.52, 0);
  CHECK_STR(cq_scene_optimizer(scene)->name, "LD_MMA");
  CHECK(cq_scene_optimizer(scene)->max_evaluations == 7);
  CHECK(scene->model.memory == 2147483648u);
  CHECK(scene->bodies[1].count == 45);
  CHECK_NEAR(scene->config.simulation.gravity[1], -3.5, 0);
  CHECK(scene->model.bits == 32 && scene->model.n_boundaries == 2);
  CHECK_STR(cq_scene_title(scene), "a \"b\"");
  CHECK_NEAR(scene->design.start[scene->design.n - 1], 0.0, 0); /* the key was taken out */
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* However words are spelt, what is read, written and hashed is the schema's spelling. */
static void spellings(void) {
  static const char *const sets[][5] = {
      {"optimizer.name=slsqp", "materials.[0].model=Neo-Hookean", "simulation.precision=Double",
       "actuators.[0].direction=Y", "simulation.kernels=FAST"},
      {"optimizer.name=LD_SLSQP", "materials.[0].model=neo_hookean", "simulation.precision=double",
       "actuators.[0].direction=y", "simulation.kernels=fast"}};
  static char text[2][32768];
  uint64_t hash[2] = {0, 1};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int k = 0; k < 2; k++) {
    cq_scene *scene = load_with(ctx, sets[k], 5);
    CHECK_STR(cq_scene_optimizer(scene)->name, "LD_SLSQP");
    CHECK(cq_scene_config_hash(scene, true, &hash[k]) == CQ_OK);
    FILE *file = tmpfile();
    CHECK(cq_scene_write_config(scene, file) == CQ_OK);
    rewind(file);
    text[k][fread(text[k], 1, sizeof text[k] - 1, file)] = '\0';
    fclose(file);
    cq_scene_destroy(scene);
  }
  CHECK(hash[0] == hash[1]);
  CHECK(strcmp(text[0], text[1]) == 0 && strstr(text[0], "name = \"LD_SLSQP\"") != NULL);
  cq_ctx_destroy(ctx);
}

static void wrong_sets(void) {
  test_refused(
      TEST_SCENE, "optimizer.max_evalations=50",
      "--set optimizer.max_evalations=50: unknown key \"max_evalations\" in optimizer; did "
      "you mean \"max_evaluations\"?");
  test_refused(TEST_SCENE, "optimzer.name=x",
               "--set optimzer.name=x: unknown section \"optimzer\"; did you mean \"optimizer\"?");
  test_refused(TEST_SCENE, "objective.[3].weight=2",
               "--set objective.[3].weight=2: objective has 3 elements (the first is [0])");
  test_refused(TEST_SCENE, "bodies.density=2",
               "--set bodies.density=2: \"bodies\" has no keys; name an element, as in "
               "bodies.[0].density");
  test_refused(TEST_SCENE, "simulation.cell", "--set simulation.cell: write path=value");
  test_refused(TEST_SCENE, "simulation.cell=[1,",
               "--set simulation.cell=[1,:1: syntax error (text "
               "needs quotes, elements of a list a comma between them and none at the end)");
  static const char *const empty[] = {"optimizer.max_evaluations", "nonsense",
                                      "simulation.nonsense", "design.[4].start"};
  for (int i = 0; i < 4; i++) {
    char set[64], message[256];
    snprintf(set, sizeof set, "%s=", empty[i]);
    snprintf(
        message, sizeof message,
        "--set %s: there is no value; '%s=\"\"' is an empty text, %s=unset takes the key out of "
        "the file",
        set, empty[i], empty[i]);
    test_refused(TEST_SCENE, set, message);
  }
  test_refused(TEST_SCENE, "problem.name=..",
               "--set problem.name=..: problem.name must be begun with a letter, a digit or _");
  test_refused(TEST_SCENE, "optimizer.taget=unset",
               "--set optimizer.taget=unset: unknown key \"taget\" in optimizer; did you mean "
               "\"target\"?");
  test_refused(TEST_SCENE, "optimzer=unset",
               "--set optimzer=unset: unknown section \"optimzer\"; did you mean \"optimizer\"?");
  test_refused(TEST_SCENE, "bodies.[0]=unset",
               "--set bodies.[0]=unset: an element of a list cannot be taken out; set the whole "
               "list");
  test_refused(TEST_SCENE, "simulation.cell=0",
               "--set simulation.cell=0: simulation.cell = 0 is out of range: must be > 0 m");
}

/* What no double, or no integer of the key, can hold is refused by name, with the largest. */
static void large_numbers(void) {
  test_refused(test_edit(TEST_SCENE, "weight = 0.3", "weight = 1e400"), NULL,
               "my.cfg:28: objective.[1].weight is too large for a number; the largest is 1.8e308");
  test_refused(
      test_edit(TEST_SCENE, "gravity = [0, -2]", "gravity = [0, -1e999]"), NULL,
      "my.cfg:4: simulation.gravity.[1] is too large for a number; the largest is 1.8e308");
  test_refused(TEST_SCENE, "optimizer.target=1e400",
               "--set optimizer.target=1e400: value is too large for a number; the largest is "
               "1.8e308");
  test_refused(TEST_SCENE, "simulation.steps=1000000000000",
               "--set simulation.steps=1000000000000: simulation.steps = 1000000000000 is out of "
               "range: must be 1 to 1000000000");
  test_refused(TEST_SCENE, "optimizer.max_evaluations=99999999999999999999",
               "--set optimizer.max_evaluations=99999999999999999999: optimizer.max_evaluations = "
               "1e+20 is out of range: must be at most 2147483647");
  test_refused(TEST_SCENE, "optimizer.seed=9223372036854775808",
               "--set optimizer.seed=9223372036854775808: optimizer.seed must be an integer from 0 "
               "to 9223372036854775807");
  test_refused(TEST_SCENE, "optimizer.seed=-1",
               "--set optimizer.seed=-1: optimizer.seed must be an integer from 0 to "
               "9223372036854775807");
  const char *const sets[] = {"optimizer.seed=9223372036854775807", "bodies.[2].seed=5000000000",
                              "bodies.[2].density=99999999999999999999",
                              "bodies.[1].density=0x1000000000"};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, sets, 4);
  CHECK(cq_ctx_seed(ctx) == INT64_MAX && scene->bodies[2].seed == 5000000000u);
  CHECK_NEAR(scene->bodies[2].keys->density, 1e20, 0);
  CHECK_NEAR(scene->bodies[1].keys->density, 0x1p36, 0);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* JSON has no other encoding than UTF-8 */
static void encodings(void) {
  static const char message[] = "my.cfg:1: problem.title is not in UTF-8; save the file in that "
                                "encoding (of Latin-1: iconv -f latin1 -t utf-8)";
  test_refused(test_edit(TEST_SCENE, "\"test\"", "\"K\xf6rper\""), NULL, message);
  test_refused(test_edit(TEST_SCENE, "\"test\"", "\"\\xe4\""), NULL, message);
  test_refused(test_edit(TEST_SCENE, "\"test\"", "\"\xc0\x80\""), NULL, message);
  test_refused(test_edit(TEST_SCENE, "\"test\"", "\"\xed\xa0\x80\""), NULL, message);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("utf.cfg",
                  test_edit(TEST_SCENE, "\"test\"", "\"K\xc3\xb6rper \xf0\x9f\x98\x80\""));
  cq_scene *scene = test_load(ctx, "utf.cfg");
  CHECK_STR(cq_scene_title(scene), "K\xc3\xb6rper \xf0\x9f\x98\x80");
  cq_scene_destroy(scene);
  test_write_file("latin.cfg", test_edit(TEST_SCENE, "materials:", "# \xf6\nmaterials:"));
  cq_scene_destroy(test_load(ctx, "latin.cfg")); /* a comment may be what it is */
  cq_ctx_destroy(ctx);
}

/* What is missing, or wrong as a whole, has a place, too. */
static void places(void) {
  test_refused(
      "problem: { title = \"x\"; };\n", NULL,
      "my.cfg: there is no section \"simulation\", which needs \"grid\" (integer, or one an "
      "axis, nodes); add  simulation: { grid = ...; };");
  test_refused("simulation: { grid = [32, 32]; cell = 0.03; time_step = 1e-3; steps = 3; };\n"
               "bodies = ();\n",
               NULL, "my.cfg:2: the file has no bodies; add  bodies = ( { ... } );");
  test_refused(test_edit(TEST_SCENE, "design:", "optimizer: { name = \"sqpp\"; };\ndesign:"), NULL,
               "my.cfg:19: optimizer.name: there is no optimizer \"sqpp\"; did you mean \"sqp\"?");
  test_refused(
      "simulation: { dimension = 3; grid = 512; cell = 0.01; time_step = 1e-4; steps = 2; };\n"
      "materials: ( { name = \"m\"; youngs_modulus = 4; poisson_ratio = 0.3; density = 1; } );\n"
      "bodies: ( { name = \"a\"; material = \"m\"; low = [1, 1, 1]; size = [1, 1, 1]; count = 2; } "
      ");\n",
      NULL,
      "my.cfg:1: simulation.grid: 134217728 nodes are too many: at most 134217726, as the "
      "grid is dense; take a larger cell, or a grid no larger than what the bodies move in");
}

static void write_config(const cq_scene *scene, const char *path) {
  FILE *file = fopen(path, "w");
  CHECK(cq_scene_write_config(scene, file) == CQ_OK);
  fclose(file);
}

static char *read_all(const char *path) {
  char *text = calloc(1, 65536);
  FILE *file = fopen(path, "r");
  CHECK(fread(text, 1, 65535, file) > 0);
  fclose(file);
  return text;
}

/* name -> resolved file -> the same scene, bit for bit, and the same file, whatever the seed */
static void check_round_trip(const char *name) {
  cq_ctx *ctx = cq_ctx_create(1, 11), *other = cq_ctx_create(1, 12);
  const char *set = "simulation.torn_share=\"1/30\""; /* a number of any engine */
  cq_scene *scene = NULL;
  CHECK(cq_scene_load(ctx, name, &set, 1, &scene) == CQ_OK);
  write_config(scene, "resolved.cfg");
  cq_scene *again = test_load(other, "resolved.cfg");
  write_config(again, "again.cfg");
  char *first = read_all("resolved.cfg"), *second = read_all("again.cfg");
  CHECK_STR(second, first);
  CHECK(scene->layout.total == again->layout.total);
  CHECK(memcmp(scene->inputs, again->inputs, scene->layout.total * sizeof(double)) == 0);
  CHECK(scene->model.dt == again->model.dt && scene->model.length == again->model.length);
  CHECK(memcmp(scene->design.scale, again->design.scale,
               (size_t)scene->design.n * sizeof(double)) == 0);
  CHECK_STR(cq_scene_name(again), cq_scene_name(scene));
  free(first);
  free(second);
  cq_scene_destroy(scene);
  cq_scene_destroy(again);
  CHECK(cq_ctx_bytes(ctx) == 0 && cq_ctx_bytes(other) == 0);
  cq_ctx_destroy(ctx);
  cq_ctx_destroy(other);
}

static void round_trips(void) {
  test_write_file("unseeded.cfg", test_edit(TEST_SCENE, "seed = 3;", ""));
  check_round_trip("unseeded.cfg");
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    check_round_trip(cq_builtin_name(i));
  }
}

static void seeds(void) {
  test_write_file("unseeded.cfg", test_edit(TEST_SCENE, "seed = 3;", ""));
  test_write_file("seeded.cfg", TEST_SCENE);
  const char *const files[] = {"unseeded.cfg", "seeded.cfg"};
  for (int i = 0; i < 2; i++) {
    cq_ctx *a = cq_ctx_create(1, 1), *b = cq_ctx_create(1, 1), *c = cq_ctx_create(1, 2);
    cq_scene *x = test_load(a, files[i]), *y = test_load(b, files[i]), *z = test_load(c, files[i]);
    const size_t bytes = x->layout.total * sizeof(double);
    CHECK(memcmp(x->inputs, y->inputs, bytes) == 0);
    /* the seed of the run moves the particles only when the body has none */
    CHECK((memcmp(x->inputs, z->inputs, bytes) == 0) == (i == 1));
    cq_scene_destroy(x);
    cq_scene_destroy(y);
    cq_scene_destroy(z);
    cq_ctx_destroy(a);
    cq_ctx_destroy(b);
    cq_ctx_destroy(c);
  }
}

/* a new start is in the file that is written, and what is read from it is the same problem */
static void new_start(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, NULL, 0);
  const cq_problem *problem = cq_scene_problem(scene);
  const size_t bytes = (size_t)problem->n * sizeof(double);
  double *x = malloc(bytes), *scale = malloc(bytes);
  memcpy(scale, problem->scale, bytes);
  for (int i = 0; i < problem->n; i++) {
    x[i] = isfinite(problem->lower[i]) ? problem->lower[i] + 0.1 / (i + 1) : 1.0 / 3 - i;
  }
  uint64_t before = 0, after = 0, reloaded = 0;
  CHECK(cq_scene_config_hash(scene, true, &before) == CQ_OK);
  CHECK(cq_scene_set_start(scene, x) == CQ_OK);
  CHECK(cq_scene_config_hash(scene, true, &after) == CQ_OK && after != before);
  CHECK(memcmp(problem->start, x, bytes) == 0 && memcmp(problem->scale, scale, bytes) == 0);
  write_config(scene, "started.cfg");
  cq_scene *again = test_load(ctx, "started.cfg");
  CHECK(memcmp(cq_scene_problem(again)->start, x, bytes) == 0);
  CHECK(memcmp(cq_scene_problem(again)->scale, scale, bytes) == 0);
  CHECK(cq_scene_config_hash(again, true, &reloaded) == CQ_OK && reloaded == after);
  x[2] = 3.5; /* above 3 */
  CHECK(cq_scene_set_start(scene, x) == CQ_CONFIG && problem->start[2] != x[2]);
  free(x);
  free(scale);
  cq_scene_destroy(again);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static uint64_t hash_of(const char *text, const char *set) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  uint64_t hash = 0;
  test_write_file("hashed.cfg", text);
  CHECK_MSG(cq_scene_load(ctx, "hashed.cfg", &set, set != NULL ? 1 : 0, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  const size_t bytes = cq_ctx_bytes(ctx);
  CHECK(cq_scene_config_hash(scene, true, &hash) == CQ_OK && cq_ctx_bytes(ctx) == bytes);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return hash;
}

/* What is said in another way, or is the default, is the same problem; what is said is another. */
static void hashes(void) {
  static const char *const same[] = {"simulation.damping=0",
                                     "simulation.damping=0.0",
                                     "simulation.transfer=apic",
                                     "simulation.cell=\"1/20\"",
                                     "simulation.grid=[24,20]",
                                     "actuators.[0].direction=[0, 1]",
                                     "actuators.[0].direction=[0, 0, 0, 1.0]",
                                     "boundaries.half_spaces=()",
                                     "groups=()",
                                     "objective.[0].weight=1",
                                     "design.[1].start_spread=0",
                                     "optimizer.target=1e-3",
                                     "optimizer.max_evaluations=7",
                                     "simulation.memory=auto",
                                     "output.frames=3"};
  static const char *const others[] = {
      "simulation.damping=1e-9",   "simulation.transfer=pic",
      "simulation.cell=0.0500001", "bodies.[1].count=[4, 7]",
      "objective.[1].weight=1",    "optimizer.name=adam",
      "optimizer.seed=2",          "design.[1].upper=2.9",
      "actuators.[0].direction=x", "bodies.[0].velocity=[0.4, 0]",
      "problem.title=other",       "groups=({name=\"g\"; low=[0.2,0.16]; size=[0.2,0.2];})"};
  const uint64_t hash = hash_of(TEST_SCENE, NULL);
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    CHECK_MSG(hash_of(TEST_SCENE, same[i]) == hash, "%s", same[i]);
  }
  uint64_t seen[sizeof others / sizeof *others];
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    seen[i] = hash_of(TEST_SCENE, others[i]);
    CHECK_MSG(seen[i] != hash, "%s", others[i]);
    for (size_t k = 0; k < i; k++) {
      CHECK(seen[i] != seen[k]);
    }
  }
  /* in another order, with the sections apart */
  CHECK(hash_of(test_edit(TEST_SCENE, "dimension = 2; grid = [24, 20]; cell = 0.05;",
                          "cell = 0.05; grid = [24, 20]; dimension = 2;"),
                NULL) == hash);
}

/* A line with a default that is deleted by hand from what was written changes nothing. */
static void hash_without_defaults(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, NULL, 0);
  uint64_t hash = 0;
  CHECK(cq_scene_config_hash(scene, true, &hash) == CQ_OK);
  write_config(scene, "full.cfg");
  char *text = read_all("full.cfg");
  static const char *const lines[] = {"  damping = 0.0;\n", "  restarts = 20;\n",
                                      "  beta_1 = 0.9;\n", "  on_inversion = \"fail\";\n",
                                      "    lattice_offset = 0.5;\n"};
  for (int i = 0; i < 5; i++) {
    CHECK(hash_of(test_edit(text, lines[i], ""), "problem.name=set") == hash);
  }
  free(text);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void builtins(void) {
  int n = 0;
  for (; cq_builtin_name(n) != NULL; n++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *scene = test_load(ctx, cq_builtin_name(n));
    CHECK_STR(cq_scene_title(scene), cq_builtin_title(n));
    CHECK_STR(cq_scene_name(scene), cq_builtin_name(n));
    CHECK(strchr(cq_builtin_text(n), '\n') != NULL);
    CHECK(cq_scene_problem(scene)->n > 0);
    CHECK_MSG(cq_optimizer_accepts(ctx, cq_scene_optimizer(scene), cq_scene_problem(scene)) ==
                  CQ_OK,
              "%s", cq_ctx_error(ctx));
    cq_scene_destroy(scene);
    cq_ctx_destroy(ctx);
  }
  CHECK(n >= 3 && cq_builtin_title(n) == NULL && cq_builtin_text(n) == NULL);
}

static void missing_files(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  CHECK(cq_scene_load(ctx, "velocty_2d", NULL, 0, &scene) == CQ_IO && scene == NULL);
  CHECK(strstr(cq_ctx_error(ctx), "did you mean \"velocity_2d\"?") != NULL);
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(overrides);
  RUN(spellings);
  RUN(wrong_sets);
  RUN(large_numbers);
  RUN(encodings);
  RUN(places);
  RUN(round_trips);
  RUN(seeds);
  RUN(new_start);
  RUN(hashes);
  RUN(hash_without_defaults);
  RUN(builtins);
  RUN(missing_files);
  return TEST_RESULT();
}
