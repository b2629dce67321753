/* A model for a CUDA device is refused in words where there is none, and runs where there is. */
#include "alloc.h"
#include "contact_scene.h"
#include "devices.h"
#include "test.h"

static void test_what_is_there(void) {
  const cq_cuda cuda = cq_cuda_look();
  cq_cuda_device card;
  CHECK(cq_free_memory(CQ_ON_CPU) > 0);
  CHECK(cq_free_memory(CQ_ON_CUDA) > 0); /* 0 would be no limit */
  CHECK(cuda.built || cuda.problem != NULL);
  CHECK(cuda.built || (cuda.n_devices == 0 && cuda.driver == 0 && cuda.runtime == 0));
  CHECK(!cuda.built || cuda.runtime > 0);
  CHECK(cuda.n_devices > 0 || cuda.problem != NULL);
  CHECK(!cq_cuda_device_at(-1, &card));
  CHECK(!cq_cuda_device_at(cuda.n_devices, &card));
  for (int i = 0; i < cuda.n_devices; i++) {
    CHECK(cq_cuda_device_at(i, &card));
    CHECK(card.name[0] != '\0' && card.major > 0 && card.multiprocessors > 0);
    CHECK(card.free_memory > 0 && card.free_memory <= card.memory);
  }
  if (cuda.problem != NULL) {
    CHECK_MSG(strstr(cuda.problem, "--device cpu") != NULL, "%s", cuda.problem);
    CHECK(strchr(cuda.problem, '\n') == NULL);
  }
}

static void test_every_variant(void) {
  const char *problem = cq_cuda_look().problem;
  for (int variant = 0; variant < 4; variant++) {
    cq_ctx *ctx = cq_ctx_create(1, 1);
    contact_scene s;
    cq_sim *sim = NULL;
    contact_scene_make(&s, 2 + variant / 2, variant % 2 == 0 ? 32 : 64, 5);
    s.model.device = CQ_ON_CUDA;
    const cq_status status = cq_sim_create(ctx, &s.model, &sim);
    CHECK_MSG(status == (problem == NULL ? CQ_OK : CQ_DEVICE), "%s: %s", cq_status_name(status),
              cq_ctx_error(ctx));
    if (problem != NULL) {
      CHECK(sim == NULL);
      CHECK(cq_ctx_error(ctx)[0] != '\0' && strchr(cq_ctx_error(ctx), '\n') == NULL);
    } else {
      CHECK_MSG(cq_sim_forward(sim, s.inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
    }
    cq_sim_destroy(sim);
    CHECK(cq_ctx_bytes(ctx) == 0);
    s.model.device = CQ_ON_CPU; /* and the CPU is there */
    cq_ctx_clear_error(ctx);
    CHECK(cq_sim_create(ctx, &s.model, &sim) == CQ_OK);
    cq_sim_destroy(sim);
    cq_ctx_destroy(ctx);
    free(s.inputs);
  }
  printf("  %s\n", problem != NULL ? problem : "there is a CUDA device");
}

int main(void) {
  RUN(test_what_is_there);
  RUN(test_every_variant);
  return TEST_RESULT();
}
