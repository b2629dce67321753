/* Scenes for the tests of problems/: a small file with every section, and loading with a log. */
#ifndef CQ_TESTS_PROBLEMS_SCENE_H
#define CQ_TESTS_PROBLEMS_SCENE_H

#include "alloc.h"
#include "cqopt/problem.h"
#include "scene.h"
#include "test.h"

/* Two soft boxes and a disc above a floor; a muscle; every kind of block and term. Line numbers
 * matter to the tests: the file begins at line 1 with "problem". */
#define TEST_SCENE                                                                                 \
  "problem: { title = \"test\"; };\n"                                                              \
  "simulation: {\n"                                                                                \
  "  dimension = 2; grid = [24, 20]; cell = 0.05;\n"                                               \
  "  time_step = 2e-3; steps = 40; gravity = [0, -2];\n"                                           \
  "  memory = \"16 MiB\";\n"                                                                       \
  "};\n"                                                                                           \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"  \
  "bodies: (\n"                                                                                    \
  "  { name = \"A\"; material = \"soft\"; low = [0.2, 0.16]; size = [0.2, 0.2];\n"                 \
  "    spacing = 0.025; velocity = [0.4, -0.5]; spin = 2; },\n"                                    \
  "  { name = \"B\"; material = \"soft\"; low = [0.45, 0.16]; size = [0.1, 0.2];\n"                \
  "    count = [4, 8]; },\n"                                                                       \
  "  { name = \"C\"; material = \"soft\"; shape = \"ball\"; center = [0.7, 0.3]; radius = 0.1;\n"  \
  "    sampling = \"random\"; particles = 60; seed = 3; density = 2; }\n"                          \
  ");\n"                                                                                           \
  "boundaries: { domain: { friction = 0.4; }; };\n"                                                \
  "actuators: ( { name = \"m\"; body = \"B\"; direction = \"y\"; max = 8; } );\n"                  \
  "controller: { type = \"open_loop\"; hold = 7; };\n"                                             \
  "design: (\n"                                                                                    \
  "  { variable = \"initial_velocity\"; body = \"A\"; },\n"                                        \
  "  { variable = \"density\"; body = \"A\"; lower = 0.8; upper = 3; },\n"                         \
  "  { variable = \"youngs_modulus\"; body = \"A\"; lower = 10; upper = 60; },\n"                  \
  "  { variable = \"youngs_modulus\"; body = \"C\"; per = \"particle\"; lower = 10; upper = 60; "  \
  "},\n"                                                                                           \
  "  { variable = \"actuation\"; start = [1, 2, 3, -2, -3, 1]; }\n"                                \
  ");\n"                                                                                           \
  "objective: (\n"                                                                                 \
  "  { term = \"distance\"; body = \"A\"; target = [0.6, 0.3]; squared = false; },\n"              \
  "  { term = \"mean_square_velocity\"; weight = 0.3; when = \"running\"; },\n"                    \
  "  { term = \"mean_position\"; body = \"B\"; direction = \"x\"; weight = -0.5; }\n"              \
  ");\n"                                                                                           \
  "constraints: (\n"                                                                               \
  "  { term = \"distance\"; body = \"C\"; target = [0.7, 0.3]; equals = 0.01; },\n"                \
  "  { term = \"actuation_cost\"; relative = true; upper = 0.02; },\n"                             \
  "  { term = \"mean_position\"; body = \"B\"; direction = [0, 1]; lower = 0.2; weight = 2; }\n"   \
  ");\n"

/* the last lines logged, joined */
typedef struct test_log {
  char text[4096];
} test_log;

static inline void test_log_line(void *user, cq_log_level level, const char *line) {
  test_log *log = user;
  (void)level;
  strncat(log->text, line, sizeof log->text - strlen(log->text) - 1);
}

static inline void test_write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
    printf("cannot write %s\n", path);
    exit(1);
  }
}

/* Every allocation of a load may fail: no leak, no crash, the right status. */
static inline void test_load_without_memory(const char *path) {
  cq_status status = CQ_MEMORY;
  int n = 1;
  for (; n < 1000 && status == CQ_MEMORY; n++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    cq_scene *scene = NULL;
    cq_alloc_fail_nth(ctx, n);
    status = cq_scene_load(ctx, path, NULL, 0, &scene);
    CHECK((status == CQ_OK) == (scene != NULL));
    cq_scene_destroy(scene);
    CHECK(cq_ctx_bytes(ctx) == 0);
    cq_ctx_destroy(ctx);
  }
  CHECK_MSG(status == CQ_OK && n > 3, "status %d after %d", status, n);
}

/* The text with one piece replaced; static storage. */
static inline const char *test_edit(const char *text, const char *from, const char *to) {
  static char out[16384];
  const char *at = strstr(text, from);
  if (at == NULL) {
    printf("the scene has no \"%s\"\n", from);
    exit(1);
  }
  snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return out;
}

/* The scene of a text as my.cfg, with a key set (NULL: none). */
static inline cq_scene *test_load_text(cq_ctx *ctx, const char *text, const char *set) {
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load_text(ctx, "my.cfg", ".", text, &set, set != NULL, &scene);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static inline cq_scene *test_load(cq_ctx *ctx, const char *path) {
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load(ctx, path, NULL, 0, &scene);
  CHECK_MSG(status == CQ_OK, "%s: %s", path, cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

/* Loading text with the sets must fail with this message. */
static inline void test_refused(const char *text, const char *set, const char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  test_write_file("my.cfg", text);
  const cq_status status = cq_scene_load(ctx, "my.cfg", &set, set != NULL ? 1 : 0, &scene);
  CHECK_MSG(status == CQ_CONFIG && scene == NULL, "status %d for: %s", status, message);
  CHECK_STR(cq_ctx_error(ctx), message);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%zu bytes leaked", cq_ctx_bytes(ctx));
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

#endif
