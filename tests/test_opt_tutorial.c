/* The problem of NLopt's tutorial, from many starts: minimise sqrt(x_2) with x_2 >= (2 x_1)^3,
 * x_2 >= (1 - x_1)^3, x_2 >= 0. The slope of the objective is infinite on the bound, and
 * NLopt 2.7.1 alone gives wrong answers with a success code from a quarter of the starts. Ours may
 * fail, but not claim.
 *
 *   test_opt_tutorial [STARTS]   checks, from so many starts
 *   test_opt_tutorial table      also prints the counts as CSV, of 300 starts */
#include "test.h"

#include "cqopt/optimizer.h"

static const char *const methods[] = {"LD_SLSQP", "LD_MMA", "LD_CCSAQ", "AUGLAG_LBFGS",
                                      "AUGLAG_CCSAQ"};

enum { N_METHODS = (int)(sizeof methods / sizeof methods[0]) };

static int n_starts = 50;

static bool printing;

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  (void)data;
  const double a = 2 * x[0], b = 1 - x[0];
  *f = sqrt(x[1]);
  c[0] = a * a * a - x[1];
  c[1] = b * b * b - x[1];
  if (grad != NULL) {
    grad[0] = 0;
    grad[1] = 0.5 / sqrt(x[1]);
    jac[0] = 6 * a * a;
    jac[2] = -3 * b * b;
    jac[1] = jac[3] = -1;
  }
  return CQ_OK;
}

/* [0, 1), the same on every machine */
static double any(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 24);
}

typedef struct tally {
  int right, unclaimed, failed, wrong, most;
  long evaluations;
} tally;

static void solve(const char *method, double bound, const double *start, tally *counts) {
  const double lower[2] = {-INFINITY, bound}, upper[2] = {INFINITY, INFINITY};
  const double optimum = sqrt(8.0 / 27);
  const cq_problem problem = {
      .n = 2, .n_inequality = 2, .lower = lower, .upper = upper, .start = start, .eval = eval};
  cq_optimizer_def def = cq_optimizer_default();
  def.name = method;
  def.max_evaluations = 1000;
  double x[2];
  cq_result r;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &r);
  const bool near = fabs(r.f - optimum) < 1e-3 * optimum && r.violation <= 1e-6;
  counts->right += r.status == CQ_OK && near;
  counts->wrong += r.status == CQ_OK && !near;
  counts->unclaimed += r.status != CQ_OK && near;
  counts->failed += r.status != CQ_OK && !near;
  counts->evaluations += r.evaluations;
  counts->most = r.evaluations > counts->most ? r.evaluations : counts->most;
  CHECK_MSG(r.status != CQ_OK || near, "%s from (%g, %g): f = %.9g, not %.9g: %s", method, start[0],
            start[1], r.f, optimum, r.reason);
  CHECK_MSG(r.status != CQ_INFEASIBLE || r.violation > 1e-6, "%s", r.reason);
  cq_ctx_destroy(ctx);
}

static void from_all_starts(const char *method, double bound, int least) {
  tally counts = {0};
  unsigned state = 11;
  for (int s = 0; s < n_starts; s++) {
    const double start[2] = {6 * any(&state) - 3, 10 * any(&state) + 1e-3};
    solve(method, bound, start, &counts);
  }
  printf("%s%s,%g,%d,%d,%d,%d,%d,%.1f,%d\n", printing ? "" : "  ", method, bound, n_starts,
         counts.right, counts.unclaimed, counts.failed, counts.wrong,
         (double)counts.evaluations / n_starts, counts.most);
  CHECK_MSG(100 * counts.right >= least * n_starts, "%s solves it from %d of %d starts", method,
            counts.right, n_starts);
}

/* least: percent of the starts */
static void test_starts(void) {
  const int least_at_0[] = {85, 98, 98, 0, 0}, least[] = {98, 98, 98, 85, 70};
  if (printing) {
    printf("method,bound,starts,verified,reached_but_not_verified,said_it_failed,false_successes,"
           "mean_evaluations,most_evaluations\n");
  }
  for (int k = 0; k < N_METHODS; k++) {
    from_all_starts(methods[k], 0, least_at_0[k]);
    from_all_starts(methods[k], 1e-4, least[k]);
  }
}

int main(int argc, char **argv) {
  printing = argc > 1 && strcmp(argv[1], "table") == 0;
  n_starts = printing ? 300 : argc > 1 ? atoi(argv[1]) : n_starts;
  CHECK(n_starts > 0);
  RUN(test_starts);
  return TEST_RESULT();
}
