/* gauss_newton on the nonlinear regression data of NIST's Statistical Reference Datasets
 * (www.itl.nist.gov/div898/strd), the eight of the higher level of difficulty, from both starts
 * that they come with: what is called verified has the certified parameters to 6 digits and their
 * standard deviations to 4.
 *
 *   test_opt_nist FOLDER         checks; FOLDER has the figures, a file a set
 *   test_opt_nist FOLDER table   also prints digits and evaluations as CSV */
#include "cqopt/uncertainty.h"
#include "test.h"

enum { MOST_PARAMETERS = 7, MOST_SAMPLES = 154, STARTS = 2, LINE = 256 };

typedef struct fit {
  const char *name;
  /* y, and its derivatives by b */
  double (*model)(const double *b, double x, double *d);
  int n, m;
  double start[STARTS][MOST_PARAMETERS], best[MOST_PARAMETERS], deviation[MOST_PARAMETERS];
  double x[MOST_SAMPLES], y[MOST_SAMPLES];
} fit;

static const char *folder;
static bool with_table;

static double mgh09(const double *b, double x, double *d) {
  const double above = x * x + x * b[1], below = x * x + x * b[2] + b[3];
  d[0] = above / below;
  d[1] = b[0] * x / below;
  d[2] = -b[0] * above * x / (below * below);
  d[3] = -b[0] * above / (below * below);
  return b[0] * above / below;
}

static double thurber(const double *b, double x, double *d) {
  const double above = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
  const double below = 1 + x * (b[4] + x * (b[5] + x * b[6]));
  for (int i = 0; i < 4; i++) {
    d[i] = pow(x, i) / below;
  }
  for (int i = 4; i < 7; i++) {
    d[i] = -above * pow(x, i - 3) / (below * below);
  }
  return above / below;
}

static double boxbod(const double *b, double x, double *d) {
  const double e = exp(-b[1] * x);
  d[0] = 1 - e;
  d[1] = b[0] * x * e;
  return b[0] * (1 - e);
}

static double rat42(const double *b, double x, double *d) {
  const double e = exp(b[1] - b[2] * x), below = 1 + e;
  d[0] = 1 / below;
  d[1] = -b[0] * e / (below * below);
  d[2] = b[0] * e * x / (below * below);
  return b[0] / below;
}

static double mgh10(const double *b, double x, double *d) {
  const double e = exp(b[1] / (x + b[2]));
  d[0] = e;
  d[1] = b[0] * e / (x + b[2]);
  d[2] = -b[0] * e * b[1] / ((x + b[2]) * (x + b[2]));
  return b[0] * e;
}

static double eckerle4(const double *b, double x, double *d) {
  const double z = (x - b[2]) / b[1], e = exp(-0.5 * z * z) / b[1];
  d[0] = e;
  d[1] = b[0] * e * (z * z - 1) / b[1];
  d[2] = b[0] * e * z / b[1];
  return b[0] * e;
}

static double rat43(const double *b, double x, double *d) {
  const double e = exp(b[1] - b[2] * x), p = pow(1 + e, -1 / b[3]), slope = -b[0] * p / b[3];
  d[0] = p;
  d[1] = slope * e / (1 + e);
  d[2] = -slope * x * e / (1 + e);
  d[3] = b[0] * p * log(1 + e) / (b[3] * b[3]);
  return b[0] * p;
}

static double bennett5(const double *b, double x, double *d) {
  const double p = pow(b[1] + x, -1 / b[2]);
  d[0] = p;
  d[1] = -b[0] * p / (b[2] * (b[1] + x));
  d[2] = b[0] * p * log(b[1] + x) / (b[2] * b[2]);
  return b[0] * p;
}

static cq_status residuals(void *data, int level, const double *b, double *f, double *r,
                           double *jac) {
  const fit *t = data;
  double d[MOST_PARAMETERS];
  (void)level;
  *f = 0;
  for (int i = 0; i < t->m; i++) {
    const double off = t->model(b, t->x[i], d) - t->y[i];
    *f += off * off;
    if (r != NULL) {
      r[i] = off;
    }
    for (int j = 0; jac != NULL && j < t->n; j++) {
      jac[i * t->n + j] = d[j];
    }
  }
  return CQ_OK;
}

/* The sum and its gradient. */
static cq_status eval(void *data, const double *b, double *f, double *c, double *grad,
                      double *jac) {
  const fit *t = data;
  double d[MOST_PARAMETERS];
  (void)c;
  (void)jac;
  *f = 0;
  for (int j = 0; grad != NULL && j < t->n; j++) {
    grad[j] = 0;
  }
  for (int i = 0; i < t->m; i++) {
    const double off = t->model(b, t->x[i], d) - t->y[i];
    *f += off * off;
    for (int j = 0; grad != NULL && j < t->n; j++) {
      grad[j] += 2 * off * d[j];
    }
  }
  return CQ_OK;
}

/* Lines "b1 = start start value deviation", then those behind the last "Data:". */
static bool read_fit(const char *name, fit *t) {
  char path[LINE], line[LINE];
  double v[4];
  bool data = false;
  int j = 0;
  snprintf(path, sizeof path, "%s/%s.dat", folder, name);
  FILE *in = fopen(path, "r");
  while (in != NULL && fgets(line, sizeof line, in) != NULL) {
    if (sscanf(line, " b%d = %lf %lf %lf %lf", &j, &v[0], &v[1], &v[2], &v[3]) == 5) {
      t->start[0][j - 1] = v[0];
      t->start[1][j - 1] = v[1];
      t->best[j - 1] = v[2];
      t->deviation[j - 1] = v[3];
      t->n = j;
    } else if (strncmp(line, "Data:", 5) == 0) {
      data = true;
    } else if (data && t->m < MOST_SAMPLES && sscanf(line, "%lf %lf", &v[0], &v[1]) == 2) {
      t->y[t->m] = v[0];
      t->x[t->m++] = v[1];
    }
  }
  if (in != NULL) {
    fclose(in);
  }
  return t->m > 0 && t->n > 0;
}

/* least number of digits that n values have right */
static double digits(const double *values, const double *right, int n) {
  double least = 16;
  for (int j = 0; j < n; j++) {
    const double error = fabs(values[j] - right[j]) / fabs(right[j]);
    least = fmin(least, -log10(fmax(error, 1e-16)));
  }
  return least;
}

/* Whether it is verified; then it has to be right. */
static bool solve(fit *t, int start) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  double lower[MOST_PARAMETERS], upper[MOST_PARAMETERS], scale[MOST_PARAMETERS], x[MOST_PARAMETERS];
  for (int j = 0; j < t->n; j++) {
    lower[j] = -INFINITY;
    upper[j] = INFINITY;
    scale[j] = fabs(t->start[start][j]);
  }
  const cq_problem problem = {.n = t->n,
                              .lower = lower,
                              .upper = upper,
                              .start = t->start[start],
                              .scale = scale,
                              .eval = eval,
                              .n_residuals = t->m,
                              .residuals = residuals,
                              .data = t};
  cq_optimizer_def def = cq_optimizer_default();
  cq_result result;
  cq_uncertainty *u = NULL;
  def.name = "gauss_newton";
  const bool verified = cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &result) == CQ_OK;
  CHECK(cq_uncertainty_find(ctx, &problem, 0, x, &u) == CQ_OK || !verified);
  const double of_x = digits(x, t->best, t->n);
  const double of_errors = u != NULL ? digits(u->errors, t->deviation, t->n) : 0;
  if (with_table) {
    printf("%s,%d,%s,%.1f,%.1f,%d,\"%s\"\n", t->name, start + 1, cq_status_name(result.status),
           of_x, of_errors, result.evaluations, result.reason);
  }
  CHECK_MSG(!verified || (of_x >= 6 && of_errors >= 4),
            "%s from start %d is called verified with %.1f digits, its errors with %.1f", t->name,
            start + 1, of_x, of_errors);
  cq_uncertainty_free(ctx, u);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return verified;
}

static void test_sets(void) {
  fit fits[] = {{.name = "MGH09", .model = mgh09},   {.name = "Thurber", .model = thurber},
                {.name = "BoxBOD", .model = boxbod}, {.name = "Rat42", .model = rat42},
                {.name = "MGH10", .model = mgh10},   {.name = "Eckerle4", .model = eckerle4},
                {.name = "Rat43", .model = rat43},   {.name = "Bennett5", .model = bennett5}};
  const int n = (int)(sizeof fits / sizeof *fits);
  int verified[STARTS] = {0};
  for (int i = 0; i < n; i++) {
    const bool there = read_fit(fits[i].name, &fits[i]);
    CHECK_MSG(there, "%s.dat cannot be read", fits[i].name);
    for (int start = 0; start < STARTS && there; start++) {
      verified[start] += solve(&fits[i], start);
    }
  }
  CHECK_MSG(verified[0] >= 7, "%d of 8 from start 1", verified[0]);
  CHECK_MSG(verified[1] == n, "%d of 8 from start 2", verified[1]);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : "tests/data/nist";
  with_table = argc > 2;
  RUN(test_sets);
  return TEST_RESULT();
}
