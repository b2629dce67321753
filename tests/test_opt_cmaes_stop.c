/* Every rule by which CMA-ES stops, alone. */
#include "test.h"
#include "test_opt_cmaes.h"

static double sphere(const double *x, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += x[j] * x[j];
  }
  return sum;
}

static double slope(const double *x, int n) {
  (void)n;
  return x[0];
}

static double nothing(const double *x, int n) {
  (void)x, (void)n;
  return 7;
}

/* no function of x at all */
static double noise(const double *x, int n) {
  static unsigned state = 1;
  (void)x, (void)n;
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8);
}

/* Runs until it stops, and says in which generation it did. */
static cq_cmaes_stop stops(cq_cmaes *es, cma_function f) {
  cq_candidate values[CMA_MOST];
  while (es->stop == CQ_CMAES_GOES_ON && es->generation < 20000) {
    cma_step(es, f, values);
  }
  return (cq_cmaes_stop)es->stop;
}

static cq_ctx *ctx;

static cq_cmaes *make(int n, double f_tolerance, double start) {
  cq_cmaes_setup setup = cma_setup(n, 0.5, 1);
  setup.f_tolerance = f_tolerance;
  return cma_free(ctx, &setup, start);
}

#define CHECK_STOP(es, f, rule)                                                                    \
  do {                                                                                             \
    const char *const name_ = cq_cmaes_stop_name(stops(es, f));                                    \
    CHECK_MSG(strcmp(name_, #rule) == 0, "stopped by %s, not %s, in generation %d", name_, #rule,  \
              (es)->generation);                                                                   \
  } while (0)

static double largest_deviation(const cq_cmaes *es) {
  double largest = 0;
  for (int j = 0; j < es->setup.n; j++) {
    largest = fmax(largest, cq_cmaes_deviation(es, j));
  }
  return largest;
}

static void test_tolx(void) {
  cq_cmaes *es = make(4, 0, 1);
  CHECK_STOP(es, sphere, tolx);
  CHECK(largest_deviation(es) < 1e-11 && largest_deviation(es) > 1e-13);
  cq_cmaes_destroy(es);
  cq_cmaes_setup setup = cma_setup(4, 0.5, 1);
  setup.f_tolerance = 0;
  setup.x_tolerance = 1e6;
  es = cma_free(ctx, &setup, 1);
  CHECK_STOP(es, sphere, tolx);
  CHECK(largest_deviation(es) < 1e-5 && largest_deviation(es) > 1e-7);
  cq_cmaes_destroy(es);
}

/* relative to the mean, which goes to 0 here and to 1000 there */
static double far_sphere(const double *x, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += (x[j] - 1000) * (x[j] - 1000);
  }
  return sum;
}

static void test_relative(void) {
  cq_cmaes_setup setup = cma_setup(4, 0.5, 1);
  setup.f_tolerance = 0;
  setup.x_relative = 1e-6;
  cq_cmaes *es = cma_free(ctx, &setup, 990);
  CHECK_STOP(es, far_sphere, tolx);
  CHECK(largest_deviation(es) < 1e-3 && largest_deviation(es) > 1e-5);
  cq_cmaes_destroy(es);
  setup.x_relative = 0;
  setup.f_relative = 0.5;
  es = cma_free(ctx, &setup, 990);
  CHECK_STOP(es, nothing, tolfun);
  CHECK(es->generation == 1);
  cq_cmaes_destroy(es);
}

static void test_tolfun(void) {
  cq_cmaes *es = make(4, 1, 1);
  CHECK_STOP(es, sphere, tolfun);
  CHECK(es->n_recent == es->recent_room || es->generation < es->recent_room);
  CHECK(es->recent[es->n_recent - 1] < 1e-11 && es->recent[0] < 2e-11);
  cq_cmaes_destroy(es);
}

/* the best of ten generations does not change, while others differ */
static void test_tolfunhist(void) {
  cq_cmaes *es = make(2, 1, 1);
  cq_candidate values[CMA_MOST];
  while (es->stop == CQ_CMAES_GOES_ON) {
    cq_cmaes_ask(es);
    for (int k = 0; k < es->lambda; k++) {
      values[k] = (cq_candidate){.f = k};
    }
    cq_cmaes_tell(es, values);
  }
  CHECK(es->stop == CQ_CMAES_tolfunhist && es->generation == 10);
  cq_cmaes_destroy(es);
}

static void test_tolflatfitness(void) {
  cq_cmaes *es = make(4, 0, 1);
  CHECK_STOP(es, nothing, tolflatfitness);
  CHECK(es->generation == 2);
  cq_cmaes_destroy(es);
}

static void test_tolfacupx(void) {
  cq_cmaes *es = make(4, 1, 1);
  CHECK_STOP(es, slope, tolfacupx);
  CHECK(largest_deviation(es) > 500);
  cq_cmaes_destroy(es);
}

static void test_tolstagnation(void) {
  cq_cmaes *es = make(4, 1, 1);
  CHECK_STOP(es, noise, tolstagnation);
  /* a history of more than 100 in steps of five generations */
  CHECK_MSG(es->generation > 500 && es->generation < 1500, "generation %d", es->generation);
  cq_cmaes_destroy(es);
}

static void test_maxiter(void) {
  cq_cmaes_setup setup = cma_setup(4, 0.5, 1);
  cq_cmaes *es = cma_free(ctx, &setup, 1);
  CHECK(es->setup.most_generations == (int)(100 + 150 * 49 / sqrt(8)));
  cq_cmaes_destroy(es);
  setup.most_generations = 7;
  es = cma_free(ctx, &setup, 1);
  CHECK_STOP(es, sphere, maxiter);
  CHECK(es->generation == 7);
  CHECK(!cq_cmaes_stop_is_convergence(CQ_CMAES_maxiter));
  CHECK(cq_cmaes_stop_is_convergence(CQ_CMAES_tolfun));
  cq_cmaes_destroy(es);
}

/* One step of a distribution of 2 variables with that covariance, at a mean of that size. */
static cq_cmaes_stop of_covariance(double sigma, double mean, double xx, double xy, double yy) {
  cq_cmaes *es = make(2, 0, mean);
  cq_candidate values[CMA_MOST];
  es->sigma = sigma;
  es->c[0] = xx;
  es->c[1] = es->c[2] = xy;
  es->c[3] = yy;
  es->generation = 1;
  cq_cmaes_ask(es);
  for (int k = 0; k < es->lambda; k++) {
    values[k] = (cq_candidate){.f = k};
  }
  cq_cmaes_tell(es, values);
  const cq_cmaes_stop stop = (cq_cmaes_stop)es->stop;
  cq_cmaes_destroy(es);
  return stop;
}

static void test_covariance(void) {
  CHECK(of_covariance(0.5, 1, 1, 0, 1) == CQ_CMAES_GOES_ON);
  CHECK(of_covariance(0.5, 1, 1, 0, 1e-13) == CQ_CMAES_GOES_ON);
  CHECK(of_covariance(0.5, 1, 1, 0, 1e-15) == CQ_CMAES_tolconditioncov);
  CHECK(of_covariance(1e11, 1, 1e-22, 0, 1e-22) == CQ_CMAES_tolupsigma);
  CHECK(of_covariance(1e9, 1, 1e-18, 0, 1e-18) == CQ_CMAES_GOES_ON);
  CHECK(of_covariance(1e-9, 1e8, 1, 0, 1) == CQ_CMAES_noeffectcoord);
  /* an ulp of 1e10 is 2e-6; the short axis is 2e-6, at 45 degrees, the long one 10 */
  const double a = 50, b = 2e-12;
  CHECK(of_covariance(1, 1e10, a + b, a - b, a + b) == CQ_CMAES_noeffectaxis);
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(test_tolx);
  RUN(test_relative);
  RUN(test_tolfun);
  RUN(test_tolfunhist);
  RUN(test_tolflatfitness);
  RUN(test_tolfacupx);
  RUN(test_tolstagnation);
  RUN(test_maxiter);
  RUN(test_covariance);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
