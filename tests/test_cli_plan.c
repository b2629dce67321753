/* What a study varies, and how: values, ranges, conditions; grids, samples and tables. */
#include "alloc.h"
#include "plan.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cq_ctx *ctx;

static cq_status make(cli_plan *plan, const char *name, int samples, int n,
                      const char *const *vary) {
  const cli_plan_def def = {.vary = vary, .n_vary = n, .plan = name, .samples = samples, .seed = 5};
  return cli_plan_make(ctx, &def, plan);
}

static void test_grid(void) {
  static const char *const vary[] = {"bodies.[0].low=[0.6,0.6],[1, 2]",
                                     "materials.[0].density=1,2,4"};
  cli_plan p;
  CHECK(make(&p, NULL, 0, 2, vary) == CQ_OK);
  CHECK(p.cells.count == 6 && !p.sampled);
  CHECK_STR(p.cells.items[1].label, "low=[0.6,0.6], density=2");
  CHECK_STR(p.cells.items[1].folder, "low_0.6_0.6_density_2");
  CHECK_STR(p.cells.items[5].sets[0], "bodies.[0].low=[1, 2]");
  CHECK_STR(p.cells.items[5].sets[1], "materials.[0].density=4");
  for (int i = 0; i < 6; i++) {
    CHECK_STR(cli_plan_value(&p, i, 0), p.factors[0].values[i / 3]);
    CHECK_STR(cli_plan_value(&p, i, 1), p.factors[1].values[i % 3]);
  }
  cli_plan_free(ctx, &p);
}

/* a, then b where a is 2, then c where b is 3 */
static void test_conditions(void) {
  static const char *const vary[] = {"a=1,2", "b=3,4 if a=2", "c=\"x if y\",[6, 7] if b=3"};
  static const char *const wanted[][3] = {
      {"1", "", ""}, {"2", "3", "\"x if y\""}, {"2", "3", "[6, 7]"}, {"2", "4", ""}};
  cli_plan p;
  CHECK(make(&p, "grid", 0, 3, vary) == CQ_OK);
  CHECK(p.cells.count == 4);
  for (int i = 0; i < 4 && p.cells.count == 4; i++) {
    for (int k = 0; k < 3; k++) {
      CHECK_STR(cli_plan_value(&p, i, k), wanted[i][k]);
    }
  }
  CHECK(p.cells.items[0].n_sets == 1);
  CHECK_STR(p.cells.items[3].label, "a=2, b=4");
  cli_plan_free(ctx, &p);
}

/* Names that are too long for a folder are still names of one setting each. */
static void test_long_names(void) {
  char one[200], two[200];
  const char *vary[] = {one};
  cli_plan p;
  memset(two, 'v', sizeof two);
  snprintf(one, sizeof one, "key=%.90s1,%.90s2", two, two);
  CHECK(make(&p, NULL, 0, 1, vary) == CQ_OK);
  cli_plan_free(ctx, &p);
  snprintf(one, sizeof one, "key=%.140s,2", two);
  CHECK(make(&p, NULL, 0, 1, vary) == CQ_OK);
  CHECK(strncmp(p.cells.items[0].folder, "settings-", 9) == 0);
  CHECK_STR(p.cells.items[1].folder, "key_2");
  cli_plan_free(ctx, &p);
}

static void test_ranges(void) {
  cli_factor f;
  char text[CLI_SETTING];
  CHECK(cli_factor_parse(ctx, "k=1:4", NULL, 0, &f) == CQ_OK);
  cli_factor_value(&f, 0.5, text);
  CHECK_STR(text, "2.5");
  cli_factor_value(&f, 1.0 / 3, text);
  CHECK_STR(text, "2");
  CHECK(cli_factor_parse(ctx, "k=1e-2:100:log", NULL, 0, &f) == CQ_OK);
  cli_factor_value(&f, 0.25, text);
  CHECK_STR(text, "0.1");
  CHECK(cli_factor_parse(ctx, "k=-1:2:integer", NULL, 0, &f) == CQ_OK);
  for (int i = 0; i < 8; i++) {
    cli_factor_value(&f, i / 8.0, text);
    CHECK(atoi(text) == i / 2 - 1);
  }
  /* 1, 2, 3 with log: as much of the axis as log 2, log 3/2, log 4/3 to the end */
  CHECK(cli_factor_parse(ctx, "k=1:3:integer:log", NULL, 0, &f) == CQ_OK);
  cli_factor_value(&f, log(1.99) / log(4), text);
  CHECK_STR(text, "1");
  cli_factor_value(&f, log(2.01) / log(4), text);
  CHECK_STR(text, "2");
  cli_factor_value(&f, 0.999999, text);
  CHECK_STR(text, "3");
  /* a number that is shown stays inside */
  CHECK(cli_factor_parse(ctx, "k=1.00000000049:2", NULL, 0, &f) == CQ_OK);
  cli_factor_value(&f, 0, text);
  CHECK(strtod(text, NULL) >= 1.00000000049);
}

static void test_wrong(void) {
  static const struct {
    const char *vary, *says;
  } wrong[] = {{"density", "does not vary"},
               {"=1,2", "does not vary"},
               {"density=", "empty"},
               {"density=1,,2", "empty"},
               {"low=[1,2", "do not match"},
               {"k=2:1", "does not rise"},
               {"k=1:inf", "does not rise"},
               {"k=0:1:log", "above 0"},
               {"k=1:2:lin", "not \":lin\""},
               {"k=1:2.5:integer", "whole numbers"},
               {"k=1:2,3", "a range stands alone"},
               {"k=3,1:2", "a range stands alone"},
               {"k=1,2 if j=1", "no KEY=VALUE of a --vary before it"},
               {"k=1,2 if k=1", "no KEY=VALUE of a --vary before it"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    cli_plan p;
    CHECK_MSG(make(&p, NULL, 4, 1, &wrong[i].vary) == CQ_USAGE, "'%s' is taken", wrong[i].vary);
    CHECK_MSG(strstr(cq_ctx_error(ctx), wrong[i].says) != NULL, "'%s': %s", wrong[i].vary,
              cq_ctx_error(ctx));
    cq_ctx_clear_error(ctx);
    cli_plan_free(ctx, &p);
  }
}

/* --- samples --- */

/* L2-star discrepancy by Warnock's formula (1972). */
static double discrepancy(const double *u, int count, int n) {
  double sum = pow(3, -n);
  for (int i = 0; i < count; i++) {
    double product = 1;
    for (int j = 0; j < n; j++) {
      product *= (1 - u[i * n + j] * u[i * n + j]) / 2;
    }
    sum -= 2.0 / count * product;
    for (int k = 0; k < count; k++) {
      product = 1;
      for (int j = 0; j < n; j++) {
        product *= 1 - fmax(u[i * n + j], u[k * n + j]);
      }
      sum += product / count / count;
    }
  }
  return sqrt(sum);
}

static double radical_inverse(int i, int base) {
  double value = 0, digit = 1.0 / base;
  for (; i > 0; i /= base, digit /= base) {
    value += digit * (i % base);
  }
  return value;
}

enum { N = 4, MOST = 128 };

/* Halton (1960): the digits of i behind the point, in the base of the axis. */
static void test_halton(void) {
  static const int primes[N] = {2, 3, 5, 7};
  double u[MOST * N];
  CHECK(cli_sampling_draw(ctx, "halton", 1, MOST, N, u) == CQ_OK);
  for (int i = 0; i < MOST * N; i++) {
    CHECK_NEAR(u[i], radical_inverse(i / N + 1, primes[i % N]), 1e-14);
  }
}

/* Sobol (1967): with the origin, which is left out, the first 2^m points are a (0, m, 2)-net:
 * every box of 2^-a by 2^-(m - a) has one. */
static void test_sobol(void) {
  double u[MOST * 2] = {0};
  CHECK(cli_sampling_draw(ctx, "sobol", 1, MOST - 1, 2, u + 2) == CQ_OK);
  for (int a = 0; a <= 7; a++) {
    int boxes[MOST] = {0}, most = 0;
    for (int i = 0; i < MOST; i++) {
      const int x = (int)(u[2 * i] * (1 << a)), y = (int)(u[2 * i + 1] * (1 << (7 - a)));
      const int in = ++boxes[x * (1 << (7 - a)) + y];
      most = in > most ? in : most;
    }
    CHECK(most == 1);
  }
}

/* Of 2^m places each has one on every axis, and between no two share one of 2^(m + 1). */
static void test_latin(void) {
  for (int count = 1; count <= MOST; count++) {
    double u[MOST * N];
    int parts = 1;
    CHECK(cli_sampling_draw(ctx, "latin_hypercube", 9, count, N, u) == CQ_OK);
    while (parts < count) {
      parts *= 2;
    }
    for (int j = 0; j < N; j++) {
      int in[MOST] = {0}, most = 0;
      for (int i = 0; i < count; i++) {
        const int now = ++in[(int)(u[i * N + j] * parts)];
        most = now > most ? now : most;
      }
      CHECK_MSG(most == 1, "%d samples: a part of %d has %d", count, parts, most);
    }
  }
}

/* All fill the cube better than random points do, and more of them begin with the same ones. */
static void test_sequences(void) {
  double u[MOST * N], first[40 * N], random = 0;
  for (int i = 0; cli_sampling_name(i) != NULL; i++) {
    double mean = 0;
    for (int seed = 1; seed <= 10; seed++) {
      CHECK(cli_sampling_draw(ctx, cli_sampling_name(i), (uint64_t)seed, MOST, N, u) == CQ_OK);
      mean += discrepancy(u, MOST, N) / 10;
    }
    CHECK(cli_sampling_draw(ctx, cli_sampling_name(i), 10, 40, N, first) == CQ_OK);
    CHECK(memcmp(u, first, sizeof first) == 0);
    printf("%-16s discrepancy %.4f\n", cli_sampling_name(i), mean);
    random = i == 0 ? mean : random;
    CHECK(i == 0 || mean < 0.85 * random);
  }
  /* of n random points it is sqrt((2^-N - 3^-N) / n) in the root of the mean square */
  CHECK_NEAR(random, sqrt((pow(2, -N) - pow(3, -N)) / MOST), 0.2 * random);
}

static void test_samples(void) {
  static const char *const vary[] = {"name=A,B", "rate=1e-3:1:log if name=B", "n=1:5:integer"};
  cli_plan p;
  int with = 0;
  CHECK(make(&p, "latin_hypercube", 32, 3, vary) == CQ_OK);
  CHECK(p.sampled && p.cells.count == 32);
  CHECK_STR(p.cells.items[8].folder, "sample-0009");
  for (int i = 0; i < 32; i++) {
    const bool is_b = strcmp(cli_plan_value(&p, i, 0), "B") == 0;
    CHECK(is_b == (cli_plan_value(&p, i, 1)[0] != '\0'));
    CHECK(p.cells.items[i].n_sets == 2 + is_b);
    with += is_b;
  }
  CHECK(with == 16);
  cli_plan_free(ctx, &p);
  CHECK(make(&p, "sobol", 0, 3, vary) == CQ_USAGE);
  cq_ctx_clear_error(ctx);
  cli_plan_free(ctx, &p);
}

static void test_tables(void) {
  cli_plan p;
  FILE *const file = fopen("plan.csv", "w");
  CHECK(file != NULL);
  if (file == NULL) {
    return;
  }
  fputs("a,\"bodies.[0].low\"\n1,\"[1, 2]\"\n,\"[3, 4]\"\n", file);
  fclose(file);
  CHECK(make(&p, "plan.csv", 0, 0, NULL) == CQ_OK);
  CHECK(p.n_factors == 2 && p.cells.count == 2);
  CHECK_STR(p.cells.items[0].sets[1], "bodies.[0].low=[1, 2]");
  CHECK_STR(p.cells.items[1].label, "low=[3, 4]");
  cli_plan_free(ctx, &p);
  remove("plan.csv");
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(test_grid);
  RUN(test_conditions);
  RUN(test_long_names);
  RUN(test_ranges);
  RUN(test_wrong);
  RUN(test_halton);
  RUN(test_sobol);
  RUN(test_latin);
  RUN(test_sequences);
  RUN(test_samples);
  RUN(test_tables);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
