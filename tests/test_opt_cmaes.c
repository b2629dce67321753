/* The core of CMA-ES: parameters and steps against figures of pycma 4.4.0
 * (`bench/peers/cmaes_pycma.py
 * --figures` prints them again), and what pycma has no figures for. */
#include "test_opt_cmaes.h"
#include "alloc.h"
#include "test.h"

static double sphere(const double *x, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += x[j] * x[j];
  }
  return sum;
}

/* --- parameters --- */
static const struct {
  int n, lambda, mu;
  double mueff, c1, cmu, cc, cs, damping, weights[15];
} parameters[] = {
    {10,
     10,
     5,
     3.167299,
     .01528382,
     .02355178,
     .29499,
     .319614,
     1.319614,
     {.45627, .27075, .16223, .08523, .02551, -.08001, -.22176, -.34455, -.45286, -.54975}},
    {20,
     12,
     6,
     3.729459,
     .00437235,
     .00921656,
     .171767,
     .214350,
     1.214350,
     {.4024, .25339, .16622, .10438, .0564, .01721, -.05019, -.14062, -.22038, -.29173, -.35628,
      -.4152}},
    {40,
     15,
     7,
     4.540915,
     .00116943,
     .00340522,
     .093009,
     .137585,
     1.137585,
     {.3448, .22986, .16263, .11493, .07793, .0477, .02214, 0, -.05778, -.10946, -.15622, -.1989,
      -.23817, -.27452, -.30837}},
};

static void test_parameters(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int i = 0; i < 3; i++) {
    const cq_cmaes_setup setup = cma_setup(parameters[i].n, 0.5, 1);
    cq_cmaes *es = cma_free(ctx, &setup, 1);
    CHECK(es->lambda == parameters[i].lambda && es->mu == parameters[i].mu);
    CHECK_NEAR(es->mueff, parameters[i].mueff, 1e-6);
    CHECK_NEAR(es->c1, parameters[i].c1, 1e-8);
    CHECK_NEAR(es->cmu, parameters[i].cmu, 1e-8);
    CHECK_NEAR(es->cc, parameters[i].cc, 1e-6);
    CHECK_NEAR(es->cs, parameters[i].cs, 1e-6);
    CHECK_NEAR(es->damping, parameters[i].damping, 1e-6);
    for (int k = 0; k < es->lambda; k++) {
      CHECK_NEAR(es->weights[k], parameters[i].weights[k], 6e-6);
    }
    cq_cmaes_destroy(es);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* --- steps --- */

/* Four generations of these candidates, whatever was asked for; `drift` moves them on, so that the
 * path of sigma gets long and that of C stands still. */
static double fixed(int g, int k, int j, double drift) {
  return 1 + 0.4 * sin(7.1 * k + 3.3 * j + 1.7 * g + 0.5 * k * j) + (k % 3 == 0 ? 0.2 * j : 0) +
         drift * g;
}

static double value(int g, int k) {
  return cos(2.3 * k + 0.9 * g);
}

static const struct {
  bool separable;
  double drift, sigma, mean[4], ps[4], pc[4], c[16]; /* separable: axes instead of C */
} steps[] = {
    {false,
     0,
     0.44344871766361427,
     {1.0693019736946503, 1.2230162311232577, 1.0688777176416022, 1.6410203419008187},
     {0.1716026713349186, 0.46818299029067023, -0.017079523618950487, 0.7196651359707767},
     {0.00041408826619103445, -0.30286218549782185, -1.334531691827531, -0.22622145201012395},
     {0.8827007245382796, -0.0972231218296451, -0.054126897135802945, 0.01896907839359789,
      -0.0972231218296451, 0.863438867770575, 0.03261423571456574, -0.05010280716806059,
      -0.054126897135802945, 0.03261423571456573, 1.0590025656887194, -0.19450611302741597,
      0.018969078393597887, -0.05010280716806059, -0.19450611302741597, 0.5833558907288606}},
    {false,
     1.5,
     5.353662123823908,
     {5.56930197369465, 5.723016231123257, 5.568877717641602, 6.141020341900818},
     {2.3643936106336185, 2.5905767488787155, 2.4809737074084466, 2.4809793689266515},
     {-0.010327825721128022, 0.03217855909781628, 0.10200742136483827, 0.05487683911810536},
     {1.2085400064023921, 0.06510549752374595, 0.0598701953313418, 0.7428791715915526,
      0.06510549752374595, 1.1889549046865466, 0.04958860665066861, 0.6465144228960696,
      0.0598701953313418, 0.04958860665066861, 1.1360125300161361, 0.48089678786119994,
      0.7428791715915526, 0.6465144228960696, 0.48089678786119994, 2.1371117819419325}},
    {true,
     0,
     0.3741017199757039,
     {1.0693019736946503, 1.2230162311232577, 1.0688777176416022, 1.6410203419008187},
     {0.07539440908322045, 0.32376842127143446, -0.2502295558962687, 0.49157452260943324},
     {0.0584958006871005, 0.2724237560922453, -0.35613978266993174, 0.3558080086129549},
     {0.9285096794996557, 0.9481440623839035, 1.0551689320719513, 0.7169921604796202}},
    {true,
     1.5,
     8.450903283860724,
     {5.56930197369465, 5.723016231123257, 5.568877717641602, 6.141020341900818},
     {3.971494677088531, 4.147261439478611, 3.629292464136264, 3.430884901522232},
     {-0.00848178786664702, 0.02642683169640397, 0.08377419722238846, 0.045067928212585},
     {0.5861872861784233, 0.5861421003502897, 0.6837618752826217, 1.0722510743167246}},
};

static void test_steps(void) {
  enum { N = 4, LAMBDA = 8, GENERATIONS = 4 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int i = 0; i < 4; i++) {
    cq_cmaes_setup setup = cma_setup(N, 0.5, 1);
    setup.separable = steps[i].separable;
    cq_cmaes *es = cma_free(ctx, &setup, 1);
    cq_candidate values[LAMBDA];
    CHECK(es->lambda == LAMBDA);
    for (int g = 0; g < GENERATIONS; g++) {
      cq_cmaes_ask(es);
      for (int k = 0; k < LAMBDA; k++) {
        values[k] = (cq_candidate){.f = value(g, k)};
        for (int j = 0; j < N; j++) {
          es->population[k * N + j] = fixed(g, k, j, steps[i].drift);
        }
      }
      cq_cmaes_tell(es, values);
    }
    const double tolerance = 1e-11;
    CHECK_NEAR(es->sigma, steps[i].sigma, tolerance);
    for (int j = 0; j < N; j++) {
      CHECK_NEAR(es->mean[j], steps[i].mean[j], tolerance);
      CHECK_NEAR(es->ps[j], steps[i].ps[j], tolerance);
      CHECK_NEAR(es->pc[j], steps[i].pc[j], tolerance);
    }
    for (int j = 0; j < (setup.separable ? N : N * N); j++) {
      CHECK_NEAR(setup.separable ? es->axes[j] : es->c[j], steps[i].c[j], tolerance);
    }
    cq_cmaes_destroy(es);
  }
  cq_ctx_destroy(ctx);
}

/* What is drawn has the covariance sigma^2 C: of 4,000 candidates, to four standard errors. */
static void test_sampling(void) {
  enum { N = 3, GENERATIONS = 500 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const double c[N * N] = {4, 1.2, -0.5, 1.2, 1, 0.3, -0.5, 0.3, 0.5};
  double sum[N] = {0}, moment[N * N] = {0};
  cq_cmaes_setup setup = cma_setup(N, 2, 5);
  setup.population = 8;
  cq_cmaes *es = cma_free(ctx, &setup, 1);
  memcpy(es->c, c, sizeof c);
  es->generation = 1;
  const double count = (double)es->lambda * GENERATIONS;
  for (int g = 0; g < GENERATIONS; g++) {
    cq_cmaes_ask(es);
    for (int k = 0; k < es->lambda; k++) {
      for (int i = 0; i < N * N; i++) {
        const double *x = es->population + k * N;
        sum[i / N] += i % N == 0 ? (x[i / N] - 1) / count : 0;
        moment[i] += (x[i / N] - 1) * (x[i % N] - 1) / (4 * count);
      }
    }
  }
  for (int i = 0; i < N * N; i++) {
    const int a = i / N, b = i % N;
    const double error = sqrt((c[a * N + a] * c[b * N + b] + c[i] * c[i]) / count);
    CHECK_NEAR(moment[i], c[i], 4 * error);
    CHECK(i % N != 0 || fabs(sum[a]) < 4 * 2 * sqrt(c[a * N + a] / count));
  }
  /* whitened steps have the length of C^(-1/2) */
  const double v[N] = {1, -2, 0.5};
  double z[N], y[N];
  cq_cmaes_whiten(es, v, false, z);
  cq_cmaes_whiten(es, z, false, y); /* C^-1 v */
  for (int i = 0; i < N; i++) {
    CHECK_NEAR(c[i * N] * y[0] + c[i * N + 1] * y[1] + c[i * N + 2] * y[2], v[i], 1e-12);
  }
  cq_cmaes_destroy(es);
  cq_ctx_destroy(ctx);
}

/* --- state --- */

static void test_state(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int variant = 0; variant < 4; variant++) {
    cq_cmaes_setup setup = cma_setup(6, 0.5, 11);
    setup.separable = variant % 2 == 1;
    setup.penalty = variant / 2 == 1;
    cq_cmaes *a = cma_make(ctx, &setup, 0.5, INFINITY, 1), *b = NULL;
    cq_candidate values[CMA_MOST];
    for (int g = 0; g < 30; g++) {
      cma_step(a, sphere, values);
    }
    FILE *file = tmpfile();
    CHECK(cq_cmaes_save(a, file) == CQ_OK);
    rewind(file);
    CHECK(cq_cmaes_load(ctx, file, &b) == CQ_OK);
    for (int g = 0; g < 30; g++) {
      cma_step(a, sphere, values);
      cma_step(b, sphere, values);
    }
    CHECK(!setup.penalty || a->has_gamma);
    CHECK(a->generation == 60 && b->generation == 60 && a->n_long == b->n_long);
#define SAME(name, count)                                                                          \
  CHECK_MSG(memcmp(a->name, b->name, (size_t)(count) * sizeof *a->name) == 0, "%s is another",     \
            #name);
    cq_cmaes *const es = a;
    CQ_CMAES_ARRAYS(SAME)
    CHECK(memcmp(&a->sigma, &b->sigma, sizeof a->sigma) == 0);
    cq_cmaes_destroy(b);

    /* a text that is cut off, at any line, is refused and leaves nothing */
    const long size = ftell(file);
    for (long cut = 1; cut < size; cut += size / 40) {
      char *text = malloc((size_t)cut);
      rewind(file);
      CHECK(fread(text, 1, (size_t)cut, file) == (size_t)cut);
      FILE *part = fmemopen(text, (size_t)cut, "r");
      const size_t bytes = cq_ctx_bytes(ctx);
      CHECK(cq_cmaes_load(ctx, part, &b) == CQ_CONFIG && b == NULL);
      CHECK(cq_ctx_bytes(ctx) == bytes && strstr(cq_ctx_error(ctx), "CMA-ES") != NULL);
      cq_ctx_clear_error(ctx);
      fclose(part);
      free(text);
    }
    fclose(file);
    cq_cmaes_destroy(a);
  }
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void test_seeds(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const cq_cmaes_setup setup = cma_setup(3, 0.5, 1), other = cma_setup(3, 0.5, 2);
  cq_cmaes *a = cma_free(ctx, &setup, 1), *b = cma_free(ctx, &setup, 1),
           *c = cma_free(ctx, &other, 1);
  cq_cmaes_ask(a);
  cq_cmaes_ask(b);
  cq_cmaes_ask(c);
  const size_t bytes = (size_t)(3 * a->lambda) * sizeof *a->population;
  CHECK(memcmp(a->population, b->population, bytes) == 0);
  CHECK(memcmp(a->population, c->population, bytes) != 0);
  cq_cmaes_destroy(a);
  cq_cmaes_destroy(b);
  cq_cmaes_destroy(c);
  cq_ctx_destroy(ctx);
}

/* --- bounds --- */

/* The transformation is smooth, keeps to the bounds, and inverse() is its inverse. */
static void test_transformation(void) {
  const double bounds[][2] = {{-1, 2}, {0, INFINITY}, {-INFINITY, 0.3}, {0, 0.01}};
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int i = 0; i < 4; i++) {
    const double low = bounds[i][0], high = bounds[i][1];
    const cq_cmaes_setup setup = cma_setup(1, 0.5, 1);
    cq_cmaes *es = cma_make(ctx, &setup, low, high, i == 2 ? 0 : low);
    double before = NAN, slope_before = NAN;
    const double range = fmin(high - low, 1), step = 1e-4 * range, bend = 0.05 * range;
    for (double y = -3 * range; y < 3 * range; y += step) {
      double x = NAN;
      es->population[0] = y;
      cq_cmaes_candidate(es, 0, &x);
      const double slope = (x - before) / step;
      CHECK(x >= low && x <= high);
      CHECK(isnan(before) || fabs(slope) <= 1 + 1e-9);
      /* the slope changes by no more than the curvature 1 / (2 bend) allows */
      CHECK(isnan(slope_before) || fabs(slope - slope_before) <= 0.51 * step / bend);
      if (y > low - bend && y < high + bend) {
        CHECK_NEAR(cq_cmaes_inverse(es, 0, x), y, 1e-7);
        CHECK(y < low + bend || y > high - bend || x == y);
      }
      slope_before = isnan(before) ? NAN : slope;
      before = x;
    }
    cq_cmaes_destroy(es);
  }
  cq_ctx_destroy(ctx);
}

/* optimum in a corner of the box, at 0.5 */
static void test_bounds(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int variant = 0; variant < 4; variant++) {
    cq_cmaes_setup setup = cma_setup(5, 0.3, 3);
    setup.separable = variant % 2 == 1;
    setup.penalty = variant / 2 == 1;
    cq_cmaes *es = cma_make(ctx, &setup, 0.5, 2, 1.5);
    cq_candidate values[CMA_MOST];
    double best = INFINITY;
    for (int g = 0; g < 200; g++) {
      cma_step(es, sphere, values);
      for (int k = 0; k < es->lambda; k++) {
        best = fmin(best, values[k].f);
      }
    }
    CHECK_NEAR(best, 5 * 0.25, 1e-6);
    CHECK(!setup.penalty || (es->has_gamma && es->gamma[0] > 0));
    cq_cmaes_destroy(es);
  }
  cq_ctx_destroy(ctx);
}

/* The weights of the penalty begin as twice the typical range of f in variances when the mean
 * leaves the bounds, grow while it is far outside, and shrink above five times that. */
static void test_penalty_weights(void) {
  enum { LAMBDA = 8 };
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_cmaes_setup setup = cma_setup(2, 1, 3);
  setup.population = LAMBDA;
  setup.penalty = true;
  cq_cmaes *es = cma_make(ctx, &setup, 0, 1, 0.5);
  cq_candidate values[LAMBDA];
  for (int k = 0; k < LAMBDA; k++) {
    values[k] = (cq_candidate){.f = k * k};
  }
  cq_cmaes_ask(es);
  es->generation = 5;
  cq_cmaes_penalize(es, values);
  CHECK(!es->has_gamma && es->judged[3].f == 9);
  es->mean[0] = -0.5;
  cq_cmaes_penalize(es, values);
  const double range = 36 - 4; /* places 6 and 2 of the 8 */
  CHECK(es->has_gamma);
  CHECK_NEAR(es->gamma[0], 2 * range, 1e-12);
  for (int k = 0; k < LAMBDA; k++) {
    double penalty = 0;
    for (int j = 0; j < 2; j++) {
      const double y = es->population[2 * k + j], d = y - fmin(fmax(y, 0), 1);
      penalty += 2 * range * d * d / 2;
    }
    CHECK_NEAR(es->judged[k].f, values[k].f + penalty, 1e-9);
  }
  es->mean[0] = -10;
  cq_cmaes_penalize(es, values);
  const double damp = es->mueff / 20;
  CHECK_NEAR(es->gamma[0], 2 * range * exp(0.5 * damp * tanh((10 - 3) / 3.0)), 1e-9);
  CHECK_NEAR(es->gamma[1], 2 * range, 1e-12);
  es->gamma[1] = 6 * range;
  cq_cmaes_penalize(es, values);
  CHECK_NEAR(es->gamma[1], 6 * range * exp(-damp / 3), 1e-9);
  es->generation = 2; /* the first range was that of a single generation */
  es->mean[0] = -0.5;
  cq_cmaes_penalize(es, values);
  CHECK_NEAR(es->gamma[1], 2 * range, 1e-12);
  cq_cmaes_destroy(es);
  cq_ctx_destroy(ctx);
}

/* --- candidates that are worth nothing --- */

static void test_ranking(void) {
  const cq_candidate c[] = {{3, 0, false},  {NAN, NAN, true}, {1, 2, false},   {2, 0, false},
                            {-9, 1, false}, {2, 0, false},    {NAN, NAN, true}};
  const int expected[] = {3, 5, 0, 4, 2, 1, 6};
  int order[14];
  CHECK(cq_candidate_rank(c, 7, order) == 5);
  for (int i = 0; i < 7; i++) {
    CHECK_MSG(order[i] == expected[i], "place %d is %d's", i, order[i]);
  }
}

/* Failed candidates are where the mean would be drawn to if they counted. */
static void test_failed_candidates(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int failed = 0; failed <= 8; failed++) {
    const cq_cmaes_setup setup = cma_setup(4, 0.5, 1);
    cq_cmaes *es = cma_free(ctx, &setup, 0);
    cq_candidate values[8];
    double mean[4] = {0};
    cq_cmaes_ask(es);
    for (int k = 0; k < 8; k++) {
      const bool fails = k < failed;
      values[k] =
          (cq_candidate){.f = fails ? NAN : k, .violation = fails ? NAN : 0, .failed = fails};
      es->population[4 * k] = fails ? 1e6 : 0.1 * k;
    }
    const int used = 8 - failed < es->mu ? 8 - failed : es->mu;
    double total = 0;
    for (int i = 0; i < used; i++) {
      total += es->weights[i];
      for (int j = 0; j < 4; j++) {
        mean[j] += es->weights[i] * es->population[4 * (failed + i) + j];
      }
    }
    cq_cmaes_tell(es, values);
    for (int j = 0; j < 4; j++) {
      CHECK_NEAR(es->mean[j], used > 0 ? mean[j] / total : 0, 1e-12);
    }
    CHECK_MSG((es->sigma == 0.25) == (failed > 4), "sigma = %g after %d failures", es->sigma,
              failed);
    for (int i = 0; i < 16; i++) {
      CHECK(isfinite(es->c[i]));
      CHECK(failed <= 4 || es->c[i] == (i % 5 == 0));
    }
    CHECK(es->stop == CQ_CMAES_GOES_ON);
    cq_cmaes_destroy(es);
  }
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_parameters);
  RUN(test_steps);
  RUN(test_sampling);
  RUN(test_state);
  RUN(test_seeds);
  RUN(test_transformation);
  RUN(test_bounds);
  RUN(test_penalty_weights);
  RUN(test_ranking);
  RUN(test_failed_candidates);
  return TEST_RESULT();
}
