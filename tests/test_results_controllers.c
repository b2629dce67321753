/* Controllers in the published scenes: numbers of other programs, and gradients against
 * differences. */
#include "test_results_scene.h"

/* Tables for results/reference, where a folder was named on the command line. */
static const char *folder;

static FILE *table(const char *name, const char *heading) {
  char path[512];
  if (folder == NULL) {
    return NULL;
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *const out = fopen(path, "w");
  CHECK_MSG(out != NULL, "%s", path);
  fputs(heading, out);
  return out;
}

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
  FILE *const out = table("control_diffmpm.csv", "parameter,gradient,independent\n");
  for (int i = 0; i < WALKER; i++) {
    printf("  %2d % .10f published % .10f difference % .1e\n", i, gradient[i], walker_gradient[i],
           gradient[i] - walker_gradient[i]);
    CHECK_NEAR(gradient[i], walker_gradient[i], 1e-6);
    if (out != NULL) {
      fprintf(out, "%d,%.10f,%.10f\n", i, gradient[i], walker_gradient[i]);
    }
  }
  if (out != NULL) {
    fclose(out);
  }
  test_close(&s);
}

/* Case C of the paper's Table III: the finger's 30 weights, whose gradient is summed over all
 * steps.
 */
static const struct {
  int steps;
  double published, tolerance;
} table3[] = {{1, 5.63e-6, 6e-6}, {10, 2.24e-7, 1e-7}, {100, 6.97e-7, 1e-8}, {1000, 1.76e-6, 1e-8}};

static void finger_gradient(void) {
  FILE *const out = table("control_gradient.csv", "steps,eps,difference,published\n");
  for (size_t k = 0; k < sizeof table3 / sizeof table3[0]; k++) {
    char steps[32];
    const char *const sets[] = {steps, "simulation.memory=256 MiB"};
    snprintf(steps, sizeof steps, "simulation.steps=%d", table3[k].steps);
    test_scene s = test_open("finger", sets, 2);
    cq_gradcheck check;
    const cq_status status =
        cq_gradcheck_block(s.ctx, s.problem, s.problem->start, -1, 0, s.problem->n, 1e-9, &check);
    CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(s.ctx));
    printf("  %4d steps: |gradient| %.3e, best relative difference %.2e\n", table3[k].steps,
           check.gradient_norm, check.best);
    CHECK_MSG(check.best <= table3[k].tolerance, "%d steps: %g", table3[k].steps, check.best);
    for (int r = 0; out != NULL && r < CQ_GRADCHECK_ROWS; r++) {
      fprintf(out, "%d,%g,%.3e,%g\n", table3[k].steps, check.rows[r].eps, check.rows[r].agreement,
              table3[k].published);
    }
    test_close(&s);
  }
  if (out != NULL) {
    fclose(out);
  }
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(diffmpm_walker);
  RUN(finger_gradient);
  return TEST_RESULT();
}
