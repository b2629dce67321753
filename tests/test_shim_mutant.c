/* Kernels of one variant (2D, double) against the CPU in a second: what shim_mutation.sh runs with
 * one mistake in the kernels. States, observations and gradients after a few steps, which must have
 * the same bits in every order of blocks and threads. */
#include "cq_shim.h"
#include "cuda_pick.h"
#include "engine_compare.h"

extern const cq_engine cq_mpm_cuda_2d_f64;

const cq_engine *cq_mpm_cuda(int dim, int bits) {
  return dim == 2 && bits == 64 ? &cq_mpm_cuda_2d_f64 : NULL;
}

static engine_run run_with_seed(contact_scene *s, unsigned seed) {
  cq_shim_set_seed(seed);
  return engine_run_make(s, 1);
}

static void test_kernels(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 4);
  const engine_run cpu = engine_run_make(&s, 1);
  s.model.device = CQ_ON_CUDA;
  const engine_run first = run_with_seed(&s, 1);
  engine_compare("deterministic", &s, &first, &cpu, (engine_bounds){1e-11, 1e-10});
  for (unsigned seed = 2; seed <= 4 && test_failures == 0; seed++) {
    const engine_run again = run_with_seed(&s, seed);
    CHECK(memcmp(again.state, first.state, s.layout.state_total * sizeof(double)) == 0);
    CHECK(memcmp(again.z, first.z, engine_z_size(&s) * sizeof(double)) == 0);
    CHECK(memcmp(again.gradient, first.gradient, s.layout.total * sizeof(double)) == 0);
    engine_run_free(&again);
  }
  engine_run_free(&cpu);
  engine_run_free(&first);
  free(s.inputs);
}

int main(void) {
  RUN(test_kernels);
  return TEST_RESULT();
}
