/* A build with one SIMD level, as ./bootstrap solve makes it: it is taken, and no other. */
#include "simd.h"
#include "test.h"

#include <stdlib.h>

int main(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_simd level = (cq_simd)(CQ_N_SIMD - 1);
  unsetenv("CQ_SIMD");
  CHECK(cq_simd_count() == 1 && cq_simd_widest() == 0);
  CHECK(cq_simd_choose(ctx, &level) == CQ_OK && level == 0);
  CHECK_STR(cq_simd_level(), cq_simd_names[0]);
  for (int other = 1; other < CQ_N_SIMD; other++) {
    setenv("CQ_SIMD", cq_simd_names[other], 1);
    CHECK(cq_simd_level() == NULL);
    CHECK(cq_simd_choose(ctx, &level) == CQ_DEVICE);
    CHECK(strstr(cq_ctx_error(ctx), cq_simd_names[other]) != NULL);
    cq_ctx_clear_error(ctx);
  }
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
