/* Vector-Jacobian products of a run against dual numbers: the same scene by loops of its own over
 * the physics headers (dual_run.h), which give exact derivatives forward. L is a weighted sum of
 * place and velocity of the tip at three states; controls come from outside. */
#include "dual.h" /* first: it says what a real is */

extern "C" {
#include "run.h"
}

#include "dual_run.h"

#include "rng.h"
#include "test.h"

enum { STEPS = 60, CONTROLS = 2, SEEN = 3 };
static const int seen[SEEN] = {20, 45, STEPS};
static const double weight[SEEN][2][2] = {
    {{1, 0.5}, {0.1, -0.2}}, {{-0.3, 2}, {0, 0.1}}, {{0.7, 1}, {0.3, 0.2}}};
static const char *const quantities[2] = {"tip.position", "tip.velocity"};

/* as few particles as a run in dual numbers makes in a moment, none of them halfway between nodes,
 * where a node may have weight 0 */
static const char *const sets[] = {"simulation.steps=60", "simulation.gravity=[0.3,-1]",
                                   "bodies.[0].count=[5,20]", "bodies.[1].count=[5,20]",
                                   "bodies.[2].count=[10,10]"};

static cq_ctx *ctx;
static cq_file *file;
static cq_run *run;
static std::vector<double> u(STEPS *CONTROLS);

static void must(cq_status status, int line) {
  CHECK_MSG(status == CQ_OK, "line %d: %s", line, cq_ctx_error(ctx));
}
#define MUST(call) must((call), __LINE__)

static void open_run() {
  ctx = cq_ctx_create(1, 1);
  MUST(cq_file_load(ctx, "finger", sets, sizeof sets / sizeof *sets, &file));
  MUST(cq_run_create(file, CQ_RUN_KEEP, &run));
  for (size_t i = 0; i < u.size(); i++) {
    u[i] = 1.5 + std::sin(0.3 * (double)i);
  }
}

/* L of the run, whose seeds are set. */
static double loss() {
  double sum = 0, z[2];
  for (int i = 0; i < SEEN; i++) {
    for (int q = 0; q < 2; q++) {
      const int observable = cq_run_find(run, CQ_OBSERVABLES, quantities[q]);
      MUST(cq_run_observe(run, observable, seen[i], z, 2));
      MUST(cq_run_seed(run, observable, seen[i], weight[i][q], 2));
      sum += weight[i][q][0] * z[0] + weight[i][q][1] * z[1];
    }
  }
  return sum;
}

/* The same of a run in dual numbers, which has the rows of the run's model. */
static Dual loss(DualRun &dual) {
  Dual sum(0.0);
  for (int i = 0; i < SEEN; i++) {
    for (int q = 0; q < 2; q++) {
      size_t place = 0;
      const int observable = cq_run_find(run, CQ_OBSERVABLES, quantities[q]);
      MUST(cq_run_place(run, observable, seen[i], weight[i][q], 2, &place));
      sum = sum + weight[i][q][0] * dual.z[place] + weight[i][q][1] * dual.z[place + 1];
    }
  }
  return sum;
}

/* dL along a direction of the inputs and one of the controls. */
static Dual push(DualRun &dual, const std::vector<double> &inputs, const std::vector<double> &du) {
  const double *const values = cq_stepper_inputs(run->stepper);
  dual.given.resize(u.size());
  for (size_t i = 0; i < u.size(); i++) {
    dual.given[i] = Dual(u[i], du[i]);
  }
  dual.run(std::vector<double>(values, values + dual.layout.total), inputs);
  return loss(dual);
}

/* Along a random direction, then by some of the numbers alone. NULL: the controls. */
static void check_input(DualRun &dual, const char *name, double value) {
  const int input = name != nullptr ? cq_run_find(run, CQ_INPUTS, name) : (int)CQ_GRADIENT_CONTROLS;
  const size_t n = name != nullptr ? dual.layout.count[input] : u.size();
  const size_t at = name != nullptr ? dual.layout.offset[input] : 0;
  std::vector<double> g(n);
  MUST(cq_run_gradient(run, input, g.data(), n));
  cq_rng rng = cq_rng_seed(7);
  double worst = 0;
  for (int trial = 0; trial < 4; trial++) {
    std::vector<double> inputs(dual.layout.total, 0.0), controls(u.size(), 0.0);
    double *const d = name != nullptr ? inputs.data() + at : controls.data();
    double dot = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
      const bool alone = i == (size_t)trial * (n - 1) / 3;
      d[i] = trial == 0 ? 2.0 * cq_rng_uniform(&rng) - 1.0 : (alone ? 1.0 : 0.0);
      dot += g[i] * d[i];
      size += std::fabs(g[i] * d[i]);
    }
    const Dual expected = push(dual, inputs, controls);
    const double error = std::fabs(dot - expected.d) / (size > 0 ? size : 1.0);
    CHECK_NEAR(expected.v, value, 1e-12 * std::fabs(value));
    CHECK_MSG(error < 1e-10, "%s: %.15g by the pull, %.15g in dual numbers",
              name != nullptr ? name : "controls", dot, expected.d);
    CHECK(trial > 0 || size > 0);
    worst = std::fmax(worst, error);
  }
  printf("  %-15s %4zu numbers, off by %.1e\n", name != nullptr ? name : "controls", n, worst);
}

static void test_against_dual_numbers() {
  open_run();
  MUST(cq_run_reset(run, nullptr, 0));
  MUST(cq_run_advance(run, STEPS, u.data(), u.size()));
  const double value = loss();
  MUST(cq_run_pull(run));
  {
    DualRun dual(run->model);
    check_input(dual, nullptr, value);
    for (const char *name : {"youngs_modulus", "v", "x", "density", "gravity"}) {
      check_input(dual, name, value);
    }
  }
  cq_run_destroy(run);
  cq_file_destroy(file);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

int main() {
  RUN(test_against_dual_numbers);
  return TEST_RESULT();
}
