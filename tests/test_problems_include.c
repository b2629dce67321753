/* @include: one file holds what another does not say. */
#include "mpm_model.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <sys/stat.h>

static cq_status load(const char *name, char *error, size_t size) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load(ctx, name, NULL, 0, &scene);
  snprintf(error, size, "%s", cq_ctx_error(ctx));
  CHECK((status == CQ_OK) == (scene != NULL));
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return status;
}

static void refused(const char *text, cq_status wanted, const char *message) {
  char error[1024];
  test_write_file("refused.cfg", text);
  CHECK(load("refused.cfg", error, sizeof error) == wanted);
  CHECK_MSG(strcmp(error, message) == 0, "\"%s\" instead of \"%s\"", error, message);
}

static void what_the_file_says_itself_holds(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  mkdir("part", 0777);
  test_write_file("part/scene.cfg", TEST_SCENE);
  test_write_file("part/more.cfg", "# \"a quote\n@include \"scene.cfg\"\n"
                                   "simulation: { gravity = [0, -3.5]; damping = 0.5; };\n");
  test_write_file("whole.cfg", "simulation: { transfer = \"pic\"; gravity = [1, 0]; };\n"
                               "  @include \"part/more.cfg\" # and the rest\n"
                               "problem: { title = \"@include \\\"no.cfg\\\"\"; };\n");
  CHECK_MSG(cq_scene_load(ctx, "whole.cfg", NULL, 0, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene != NULL) {
    const cq_simulation_keys *keys = &scene->config.simulation;
    CHECK(cq_mpm_of(&scene->model)->transfer == CQ_TRANSFER_PIC);
    CHECK(keys->gravity[0] == 1.0 && keys->gravity[1] == 0.0);
    CHECK(scene->inputs[cq_layout_offset(&scene->layout, "damping")] == 0.5);
    CHECK(scene->config.bodies.count > 1 && cq_mpm_of(&scene->model)->cell > 0.0);
    CHECK_STR(cq_scene_title(scene), "@include \"no.cfg\"");
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* by its name, from any folder; a file that is called so needs its ending */
static void built_in_problems(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  test_write_file("part/mine.cfg", "@include \"reach\"\n"
                                   "optimizer: { max_evaluations = 7; };\n");
  CHECK_MSG(cq_scene_load(ctx, "part/mine.cfg", NULL, 0, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene != NULL) {
    CHECK(cq_scene_optimizer(scene)->max_evaluations == 7 && scene->config.bodies.count == 3);
    CHECK_STR(cq_scene_name(scene), "reach");
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  refused("@include \"reach.cfg\"\n", CQ_IO,
          "refused.cfg:1: cannot read reach.cfg: No such file or directory");
}

static void errors_name_their_file(void) {
  test_write_file("part/wrong.cfg", "\n\nsimulation: { stepz = 3; };\n");
  refused("@include \"part/wrong.cfg\"\n", CQ_CONFIG,
          "part/wrong.cfg:3: unknown key \"stepz\" in simulation; did you mean \"steps\"?");
  test_write_file("part/broken.cfg", "\nsimulation: { steps = ; };\n");
  refused("@include \"part/broken.cfg\"\n", CQ_CONFIG,
          "part/broken.cfg:2: syntax error (text needs quotes, elements of a list a comma between "
          "them and none at the end)");
  refused("\n@include \"none.cfg\"\n", CQ_IO,
          "refused.cfg:2: cannot read none.cfg: No such file or directory");
  refused("@include \"refused.cfg\"\n", CQ_CONFIG,
          "refused.cfg:1: files include each other 8 deep");
  refused(
      "simulation: {\n@include \"part/scene.cfg\"\n};\n", CQ_CONFIG,
      "refused.cfg:2: write @include \"file\" on a line of its own, outside of groups and lists "
      "(16 files at most)");
}

/* Files of 16 includes each, 7 deep, would not end; nor would what is no file. */
static void includes_have_an_end(void) {
  char text[4096], name[32];
  for (int k = 0; k < 7; k++) {
    text[0] = '\0';
    for (int i = 0; i < 16; i++) {
      snprintf(text + strlen(text), sizeof text - strlen(text), "@include \"bomb%d.cfg\"\n", k + 1);
    }
    snprintf(name, sizeof name, "bomb%d.cfg", k);
    test_write_file(name, text);
  }
  test_write_file("bomb7.cfg", TEST_SCENE);
  char error[1024];
  CHECK(load("bomb0.cfg", error, sizeof error) == CQ_CONFIG);
  CHECK_MSG(strstr(error, "more than 100 files are included in all") != NULL, "%s", error);
  refused("\n@include \"/etc\"\n", CQ_IO,
          "refused.cfg:2: cannot read /etc: it is a folder, not a file");
  refused("@include \"/dev/zero\"\n", CQ_IO,
          "refused.cfg:1: cannot read /dev/zero: it is a device, not a file");
}

int main(void) {
  RUN(what_the_file_says_itself_holds);
  RUN(built_in_problems);
  RUN(errors_name_their_file);
  RUN(includes_have_an_end);
  return TEST_RESULT();
}
