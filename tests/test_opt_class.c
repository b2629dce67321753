/* Large problems with nonlinear constraints (test_opt_class.h) from feasible and infeasible starts,
 * with f times 1e-8 ... 1e6: no method claims a wrong answer, and f's unit does not matter.
 *
 *   test_opt_class         a few problems
 *   test_opt_class long    20 of each size
 *   test_opt_class table   the same, and prints the counts as CSV, with the time a method takes
 *                          besides the evaluations
 *
 * How it is judged: a verified answer is false when its f is more than 0.1 % above the least
 * feasible f that any run on the same problem found. That the optimum is one point is not assumed:
 * a method that verified another one would be counted, and the test would fail. */
#include "test_opt_class.h"
#include "test.h"
#include "test_opt_facts.h"

enum { MOST_PROBLEMS = 20 };

static const char *const methods[] = {"LD_SLSQP",     "LD_MMA", "LD_CCSAQ", "AUGLAG_LBFGS",
                                      "AUGLAG_CCSAQ", "IPOPT",  "sqp"};
static const double factors[] = {1, 1e-8, 1e6};

enum { N_METHODS = 7, N_FACTORS = 3, SLSQP_MOST = 300 };

static bool printing;

typedef struct run {
  cq_status status;
  int evaluations;
  double f, violation; /* f / factor */
  double distance;     /* largest |x_i - x_i at factor 1| */
  double overhead;     /* [ms] an evaluation, outside of it */
} run;

static run runs[MOST_PROBLEMS][2][N_METHODS][N_FACTORS]; /* of one n */

static bool takes(int method, int n) {
  return facts_of(methods[method]).missing == NULL &&
         (strcmp(methods[method], "LD_SLSQP") != 0 || n <= SLSQP_MOST);
}

static void check_start(const chain *p, bool feasible) {
  double f = 0, c[2];
  chain copy = *p;
  chain_eval(&copy, p->start, &f, c, NULL, NULL);
  CHECK_MSG(feasible ? c[0] < 0 && c[1] < 0 : c[0] > 0 && c[1] > -0.1, "the start has c = %g, %g",
            c[0], c[1]);
}

/* x: the answer; reference: that at factor 1, NULL in that case */
static run solve(int method, int n, int seed, bool feasible, double factor, const double *reference,
                 double *x) {
  chain p = chain_make(n, seed, feasible, factor);
  const cq_problem problem = chain_problem(&p);
  cq_optimizer_def def = cq_optimizer_default();
  double multipliers[2];
  cq_result r;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  def.name = methods[method];
  def.max_evaluations = 3000;
  check_start(&p, feasible);
  cq_optimize(ctx, &problem, &def, NULL, NULL, x, multipliers, &r);
  if (r.status != CQ_OK) {
    printf("  %s, n = %d, problem %d, f times %g: %s\n", def.name, n, seed, factor, r.reason);
  } else {
    CHECK(multipliers[0] > 0 && multipliers[1] > 0);
  }
  const double overhead = 1e3 * (r.seconds - r.eval_seconds) / r.evaluations;
  run out = {r.status, r.evaluations, r.f / factor, r.violation, 0, overhead};
  for (int i = 0; reference != NULL && i < n; i++) {
    out.distance = fmax(out.distance, fabs(x[i] - reference[i]));
  }
  cq_ctx_destroy(ctx);
  chain_free(&p);
  return out;
}

static void run_all(int n, int problems) {
  double *x = malloc(2 * (size_t)n * sizeof *x), *reference = x + n;
  for (int s = 0; s < problems; s++) {
    for (int k = 0; k < 2 * N_METHODS; k++) {
      const int method = k / 2;
      const bool feasible = k % 2 == 0;
      for (int l = 0; takes(method, n) && l < N_FACTORS; l++) {
        runs[s][!feasible][method][l] = solve(method, n, s, feasible, factors[l],
                                              l > 0 ? reference : NULL, l > 0 ? x : reference);
      }
    }
  }
  free(x);
}

static double best_of(int n, int s) {
  double best = INFINITY;
  for (int k = 0; k < 2 * N_METHODS * N_FACTORS; k++) {
    const run *r = &runs[s][k % 2][k / 2 % N_METHODS][k / 2 / N_METHODS];
    if (takes(k / 2 % N_METHODS, n) && r->violation <= 1e-6) {
      best = fmin(best, r->f);
    }
  }
  return best;
}

static int by_size(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int by_overhead(const void *a, const void *b) {
  return (((const run *)a)->overhead > ((const run *)b)->overhead) -
         (((const run *)a)->overhead < ((const run *)b)->overhead);
}

/* median over the problems */
static double overhead_of(int problems, int start, int method, int l) {
  run all[MOST_PROBLEMS];
  for (int s = 0; s < problems; s++) {
    all[s] = runs[s][start][method][l];
  }
  qsort(all, (size_t)problems, sizeof *all, by_overhead);
  return all[problems / 2].overhead;
}

static void judge(int n, int problems, int start, int method, int l) {
  int right = 0, unclaimed = 0, wrong = 0, infeasible = 0, evaluations[MOST_PROBLEMS];
  double gap = 0, distance = 0;
  for (int s = 0; s < problems; s++) {
    const run *r = &runs[s][start][method][l];
    const double best = best_of(n, s), over = r->f / best - 1;
    const bool near = over <= 1e-3 && r->violation <= 1e-6;
    evaluations[s] = r->evaluations;
    right += r->status == CQ_OK && near;
    unclaimed += r->status != CQ_OK && near;
    wrong += r->status == CQ_OK && !near;
    infeasible += r->violation > 1e-6;
    if (r->status == CQ_OK) {
      gap = fmax(gap, over);
      distance = fmax(distance, r->distance);
    }
    CHECK_MSG(r->status != CQ_OK || near,
              "%s, n = %d, problem %d, f times %g: a false success, %g above the best",
              methods[method], n, s, factors[l], over);
  }
  qsort(evaluations, (size_t)problems, sizeof *evaluations, by_size);
  printf("%s%d,%s,%g,%s,%d,%d,%d,%d,%d,%d,%d,%.1e,%.1e,%.2g\n", printing ? "" : "  ", n,
         start == 0 ? "feasible" : "infeasible", factors[l], methods[method], problems, right,
         unclaimed, problems - right - unclaimed - wrong, wrong, evaluations[problems / 2],
         evaluations[problems - 1], gap, distance, overhead_of(problems, start, method, l));
  CHECK_MSG(infeasible == 0, "%s, n = %d: %d runs found no feasible point", methods[method], n,
            infeasible);
  CHECK_MSG(right == problems, "%s, n = %d, f times %g: %d of %d solved", methods[method], n,
            factors[l], right, problems);
  CHECK_MSG(distance <= 1e-3, "%s, n = %d: x depends on the unit of f by %g", methods[method], n,
            distance);
}

static void check_size(int n, int problems) {
  run_all(n, problems);
  for (int k = 0; k < 2 * N_FACTORS * N_METHODS; k++) {
    const int method = k % N_METHODS;
    if (takes(method, n)) {
      judge(n, problems, k / N_METHODS / N_FACTORS, method, k / N_METHODS % N_FACTORS);
    }
  }
}

static bool whole;

static void test_class(void) {
  if (printing) {
    printf("variables,start,factor,method,problems,verified,reached_but_not_verified,"
           "said_it_failed,false_successes,median_evaluations,most_evaluations,largest_gap,"
           "largest_distance,overhead_ms_an_evaluation\n");
  }
  if (!whole) {
    check_size(100, 3);
    check_size(1000, 2);
    return;
  }
  const int sizes[] = {100, 300, 1000, 3000};
  for (int k = 0; k < 4; k++) {
    check_size(sizes[k], MOST_PROBLEMS);
  }
}

int main(int argc, char **argv) {
  whole = argc > 1;
  printing = whole && strcmp(argv[1], "table") == 0;
  RUN(test_class);
  return TEST_RESULT();
}
