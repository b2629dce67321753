/* Controllers in the published scenes: numbers of other programs, and gradients against
 * differences. */
#include "test_results_scene.h"

enum { WALKER = 20 };

/* DiffTaichi's walker with all parameters zero, computed in double precision by an independent
 * program whose grid velocity is p/(m + 1e-10): that moves the gradient by about 1e-8. */
static const double walker_gradient[WALKER] = {
    0.1184333956,  0.0461301495,  -0.1184333956, -0.0461301495, -0.0107347706,
    0.0028465965,  0.0107347706,  -0.0028465965, 0.0107347706,  -0.0028465965,
    -0.0107347706, 0.0028465965,  -0.1184333956, -0.0461301495, 0.1184333956,
    0.0461301495,  -0.0318644097, 0.0928846836,  -0.0928846836, 0.0318644097,
};

static void diffmpm_walker(void) {
  const char *const sets[] = {"controller.spread=0"};
  test_scene s = test_open("diffmpm_walker", sets, 1);
  double f = 0.0, gradient[WALKER];
  CHECK(s.problem->n == WALKER);
  CHECK_MSG(s.problem->eval(s.problem->data, s.problem->start, &f, NULL, gradient, NULL) == CQ_OK,
            "%s", cq_ctx_error(s.ctx));
  CHECK_NEAR(f, -0.25, 1e-8);
  for (int i = 0; i < WALKER; i++) {
    printf("  %2d % .10f published % .10f difference % .1e\n", i, gradient[i], walker_gradient[i],
           gradient[i] - walker_gradient[i]);
    CHECK_NEAR(gradient[i], walker_gradient[i], 1e-6);
  }
  test_close(&s);
}

int main(void) {
  RUN(diffmpm_walker);
  return TEST_RESULT();
}
