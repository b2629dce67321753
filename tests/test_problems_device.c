/* simulation.device: what a scene runs on, and whose memory it may fill. The device here is one of
 * paper, with as much memory as a test says, on which the CPU's engine runs: what this program
 * would link for CUDA stays out. */
#include "cuda_pick.h"
#include "devices.h"
#include "scene.h"
#include "test_problems_scene.h"

static struct {
  const char *problem;
  size_t free_memory;
} paper;

static const cq_engine *cpu_engine(void) {
  const cq_model on_cpu = {.device = CQ_ON_CPU};
  const cq_engine *engine = NULL;
  cq_engine_mpm.find(NULL, &on_cpu, &engine);
  return engine;
}

const cq_engine *cq_mpm_cuda(int dim, int bits) {
  (void)dim, (void)bits;
  return paper.problem == NULL ? cpu_engine() : NULL;
}

cq_cuda cq_cuda_look(void) {
  return (cq_cuda){.built = true,
                   .runtime = 13000,
                   .n_devices = paper.problem == NULL,
                   .problem = paper.problem};
}

bool cq_cuda_device_at(int i, cq_cuda_device *device) {
  *device = (cq_cuda_device){.name = "paper", .major = 9, .free_memory = paper.free_memory};
  return i == 0 && paper.problem == NULL;
}

static const size_t gib = (size_t)1 << 30;

static void place_card(size_t free_memory) {
  paper.problem = NULL;
  paper.free_memory = free_memory;
}

static cq_status load(cq_ctx *ctx, const char *const *sets, int n, cq_scene **scene) {
  return cq_scene_load(ctx, "bounce", sets, n, scene);
}

/* the device a scene of these settings has, and what its problem.cfg says */
static void check_device(const char *set, const char *wanted) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = NULL;
  char *text = NULL, line[64];
  size_t size = 0;
  CHECK_MSG(load(ctx, &set, set != NULL, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_STR(cq_scene_information(scene).device, wanted);
  CHECK(scene->model.device == (strcmp(wanted, "cuda") == 0 ? CQ_ON_CUDA : CQ_ON_CPU));
  FILE *file = open_memstream(&text, &size);
  CHECK(cq_scene_write_config(scene, file) == CQ_OK);
  fclose(file);
  snprintf(line, sizeof line, "\n  device = \"%s\";\n", wanted);
  CHECK_MSG(strstr(text, line) != NULL, "the settings do not have%s", line);
  CHECK(strstr(text, "\"auto\"") == NULL || strstr(text, "device = \"auto\"") == NULL);
  free(text);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void the_device_is_decided_at_loading(void) {
  place_card(gib);
  check_device(NULL, "cpu");
  check_device("simulation.device=cpu", "cpu");
  check_device("simulation.device=cuda", "cuda");
  check_device("simulation.device=auto", "cuda");
  paper.problem = "no card today";
  check_device("simulation.device=cpu", "cpu");
  check_device("simulation.device=auto", "cpu");
}

static void a_device_that_is_not_there(void) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = NULL;
  const char *set = "simulation.device=cuda";
  paper.problem = "no card today";
  CHECK(load(ctx, &set, 1, &scene) == CQ_DEVICE);
  CHECK(scene == NULL);
  CHECK_STR(cq_ctx_error(ctx), "no CUDA device: no card today");
  cq_ctx_clear_error(ctx);
  set = "simulation.device=gpu";
  CHECK(load(ctx, &set, 1, &scene) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "did you mean \"cuda\"?") != NULL, "%s", cq_ctx_error(ctx));
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static uint64_t hash(const char *set, bool with_optimizer) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = NULL;
  uint64_t value = 0;
  CHECK(load(ctx, &set, 1, &scene) == CQ_OK);
  CHECK(cq_scene_config_hash(scene, with_optimizer, &value) == CQ_OK);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return value;
}

/* The device decides the bits, but not which problem it is. */
static void the_hash_has_the_device(void) {
  const char *cpu = "simulation.device=cpu", *cuda = "simulation.device=cuda";
  cq_ctx *ctx = cq_ctx_create(1, 1);
  place_card(gib);
  CHECK(hash(cpu, true) != hash(cuda, true));
  CHECK(hash("simulation.device=auto", true) == hash(cuda, true));
  CHECK(hash(cpu, false) == hash(cuda, false));
  CHECK(hash("simulation.steps=7", false) != hash(cpu, false));
  CHECK(cq_scene_may_change(ctx, cuda, true) == CQ_CONFIG);
  cq_ctx_clear_error(ctx);
  CHECK(cq_scene_may_change(ctx, cuda, false) == CQ_OK);
  CHECK(cq_scene_may_change(ctx, "simulation.devices=cuda", false) == CQ_CONFIG);
  cq_ctx_clear_error(ctx);
  CHECK(cq_scene_may_change(ctx, "simulation.d=2", false) == CQ_CONFIG);
  cq_ctx_destroy(ctx);
}

static size_t memory_of(const char *const *sets, int n) {
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = NULL;
  CHECK_MSG(load(ctx, sets, n, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_scene_info info = cq_scene_information(scene);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return info.memory;
}

static void memory_is_that_of_the_device(void) {
  const char *const sets[] = {
      "simulation.device=cuda",
      "scenarios={vary=({key=\"simulation.damping\"; values=[0.0, 0.1, 0.2];});}"};
  place_card(gib);
  CHECK(memory_of(sets, 1) == gib / 2);
  CHECK(memory_of(sets, 2) == gib / 2 / 4); /* three scenarios and the scene itself */
  place_card(8 * gib);
  CHECK(memory_of(sets, 1) == 4 * gib);
}

static void too_little_memory(void) {
  const char *set = "simulation.device=cuda";
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_scene *scene = NULL;
  place_card(0);
  CHECK(load(ctx, &set, 1, &scene) == CQ_MEMORY);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "simulation.memory") != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* Copies for designs that are told ahead are as many as the card has room for. */
static double held_by_copies(size_t free_memory) {
  const char *const sets[] = {"simulation.device=cuda", "simulation.memory=128 KiB",
                              "optimizer.name=cmaes"};
  cq_ctx *ctx = cq_ctx_create(4, 1);
  cq_scene *scene = NULL;
  double values[5];
  place_card(gib);
  CHECK_MSG(load(ctx, sets, 3, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  const cq_problem *problem = cq_scene_problem(scene);
  const size_t n = (size_t)problem->n;
  double *x = malloc(4 * n * sizeof *x);
  for (size_t i = 0; i < 4 * n; i++) {
    x[i] = problem->start[i % n] * (1.0 + 1e-3 * (double)(i / n));
  }
  place_card(free_memory);
  CHECK(problem->ahead != NULL);
  problem->ahead(problem->data, 4, x);
  const cq_scene_stats stats = cq_scene_statistics(scene);
  for (size_t i = 0; i < 4; i++) {
    CHECK(problem->eval(problem->data, x + i * n, &values[i], NULL, NULL, NULL) == CQ_OK);
  }
  free(x);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return (double)stats.simulations;
}

static void copies_fit_the_card(void) {
  CHECK(held_by_copies(gib) == 4.0);
  CHECK(held_by_copies(1000) == 0.0); /* one after the other, when they are asked for */
}

int main(void) {
  RUN(the_device_is_decided_at_loading);
  RUN(a_device_that_is_not_there);
  RUN(the_hash_has_the_device);
  RUN(memory_is_that_of_the_device);
  RUN(too_little_memory);
  RUN(copies_fit_the_card);
  return TEST_RESULT();
}
