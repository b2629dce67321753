/* Vector-Jacobian products of runs against differences of runs, and whatever must not change their
 * bits: how the steps are cut, how many states are kept, a state that was saved on the way. */
#include "test_api_run.h"

enum { STEPS = 60, SEEN = 3 };
static const int seen[SEEN] = {20, 45, 60};
static const double weight[SEEN][4] = {{1, 0.5, 0.1, -0.2}, {-0.3, 2, 0, 0.1}, {0.7, 1, 0.3, 0.2}};

/* Controls of both muscles, different in each step. */
static void fill_controls(double *u) {
  for (int k = 0; k < STEPS; k++) {
    u[2 * k] = 1 + sin(0.3 * k);
    u[2 * k + 1] = 0.5 * cos(0.2 * k);
  }
}

/* L of the present run: weights times place and velocity of the tip at three states. */
static double loss(const run_world *w) {
  double sum = 0, z[4];
  const int place = cq_run_find(w->run, CQ_OBSERVABLES, "tip.position");
  const int velocity = cq_run_find(w->run, CQ_OBSERVABLES, "tip.velocity");
  for (int i = 0; i < SEEN; i++) {
    MUST(w, cq_run_observe(w->run, place, seen[i], z, 2));
    MUST(w, cq_run_observe(w->run, velocity, seen[i], z + 2, 2));
    for (int j = 0; j < 4; j++) {
      sum += weight[i][j] * z[j];
    }
  }
  return sum;
}

static void seed(const run_world *w) {
  const int place = cq_run_find(w->run, CQ_OBSERVABLES, "tip.position");
  const int velocity = cq_run_find(w->run, CQ_OBSERVABLES, "tip.velocity");
  for (int i = 0; i < SEEN; i++) {
    MUST(w, cq_run_seed(w->run, place, seen[i], weight[i], 2));
    MUST(w, cq_run_seed(w->run, velocity, seen[i], weight[i] + 2, 2));
  }
}

/* A direction of the input, of size 1 or so, which is smooth over the particles' numbers. */
static void fill_direction(double *d, size_t n) {
  for (size_t i = 0; i < n; i++) {
    d[i] = sin(0.37 * (double)i) + 0.2;
  }
}

/* L where an input (-1: the controls) is moved by t d from what the file says. */
static double loss_at(const run_world *w, int input, const double *d, size_t n, double t) {
  double u[2 * STEPS];
  fill_controls(u);
  MUST(w, cq_run_reset(w->run, NULL, 0));
  if (input >= 0) {
    double *values = malloc(n * sizeof *values);
    MUST(w, cq_run_read_input(w->run, input, values, n));
    for (size_t i = 0; i < n; i++) {
      values[i] += t * d[i];
    }
    MUST(w, cq_run_write(w->run, input, values, n));
    free(values);
  } else {
    for (size_t i = 0; i < n; i++) {
      u[i] += t * d[i];
    }
  }
  MUST(w, cq_run_advance(w->run, STEPS, u, sizeof u / sizeof *u));
  return loss(w);
}

/* The slope along a direction by the pull, and by differences. */
static void check_input(const run_world *w, const char *name, double step) {
  const int input = name != NULL ? cq_run_find(w->run, CQ_INPUTS, name) : CQ_GRADIENT_CONTROLS;
  const size_t n = name != NULL ? numbers(w, CQ_INPUTS, input) : 2 * STEPS;
  double *d = calloc(n, sizeof *d), *g = calloc(n, sizeof *g), slope = 0, size = 0;
  fill_direction(d, n);
  loss_at(w, input, d, n, 0.0);
  seed(w);
  MUST(w, cq_run_pull(w->run));
  MUST(w, cq_run_gradient(w->run, input, g, n));
  for (size_t i = 0; i < n; i++) {
    slope += g[i] * d[i];
    size += g[i] * g[i];
  }
  const double difference =
      (loss_at(w, input, d, n, step) - loss_at(w, input, d, n, -step)) / (2 * step);
  CHECK(size > 0);
  CHECK_MSG(fabs(slope - difference) < 1e-6 * (fabs(slope) + fabs(difference)),
            "%s: %.10g by the pull, %.10g by differences", name != NULL ? name : "controls", slope,
            difference);
  free(d);
  free(g);
}

static void test_against_differences(void) {
  run_world w = open_run("finger", NULL, CQ_RUN_KEEP);
  check_input(&w, NULL, 1e-4);
  check_input(&w, "youngs_modulus", 1e-3);
  check_input(&w, "v", 1e-5);
  check_input(&w, "x", 1e-7);
  check_input(&w, "gravity", 1e-4);
  close_run(&w);
}

/* By the design, with the controller of the file, whose parameters are the design. */
static void test_by_design(void) {
  run_world w = open_run("finger", NULL, CQ_RUN_KEEP);
  const int n = w.about.variables;
  double *g = malloc((size_t)n * 8), *grad = malloc((size_t)n * 8), z[2], sum = 0;
  const double target[2] = {0.6, 0.6};
  const int tip = cq_run_find(w.run, CQ_OBSERVABLES, "tip.position");
  cq_answer a = {.struct_size = sizeof a, .grad = grad, .n_grad = n};
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_advance(w.run, w.about.steps, NULL, 0));
  MUST(&w, cq_run_observe(w.run, tip, w.about.steps, z, 2));
  for (int i = 0; i < 2; i++) {
    const double d = 2 * (z[i] - target[i]);
    sum += (z[i] - target[i]) * (z[i] - target[i]);
    MUST(&w,
         cq_run_seed(w.run, tip, w.about.steps, (double[2]){i == 0 ? d : 0, i == 1 ? d : 0}, 2));
  }
  MUST(&w, cq_run_pull(w.run));
  MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_DESIGN, g, (size_t)n));
  MUST(&w, cq_file_evaluate(w.file, NULL, 0, &a));
  CHECK_NEAR(sum, a.f, 1e-15);
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(g[i], grad[i], 1e-12 * (1 + fabs(grad[i])));
  }
  free(g);
  free(grad);
  close_run(&w);
}

/* Gradients by controls, inputs and what is observed, of a run made in pieces. */
typedef struct bits {
  double l, u[2 * STEPS], *v, *e;
  size_t n_v, n_e;
} bits;

static bits pull(const run_world *w) {
  bits b = {.l = loss(w)};
  const int v = cq_run_find(w->run, CQ_INPUTS, "v"),
            e = cq_run_find(w->run, CQ_INPUTS, "youngs_modulus");
  b.n_v = numbers(w, CQ_INPUTS, v);
  b.n_e = numbers(w, CQ_INPUTS, e);
  b.v = malloc(b.n_v * 8);
  b.e = malloc(b.n_e * 8);
  seed(w);
  MUST(w, cq_run_pull(w->run));
  MUST(w, cq_run_gradient(w->run, CQ_GRADIENT_CONTROLS, b.u, 2 * STEPS));
  MUST(w, cq_run_gradient(w->run, v, b.v, b.n_v));
  MUST(w, cq_run_gradient(w->run, e, b.e, b.n_e));
  return b;
}

static void free_bits(bits *b) {
  free(b->v);
  free(b->e);
}

static void check_same(const char *what, const bits *a, const bits *b) {
  CHECK_MSG(memcmp(&a->l, &b->l, 8) == 0, "%s: another L", what);
  CHECK_MSG(memcmp(a->u, b->u, sizeof a->u) == 0, "%s: another gradient by controls", what);
  CHECK_MSG(memcmp(a->v, b->v, a->n_v * 8) == 0, "%s: another gradient by v", what);
  CHECK_MSG(memcmp(a->e, b->e, a->n_e * 8) == 0, "%s: another gradient by E", what);
}

/* In calls of so many steps. */
static bits run_in_pieces(const run_world *w, int piece) {
  double u[2 * STEPS];
  fill_controls(u);
  MUST(w, cq_run_reset(w->run, NULL, 0));
  for (int at = 0; at < STEPS; at += piece) {
    const int k = at + piece < STEPS ? piece : STEPS - at;
    MUST(w, cq_run_advance(w->run, k, u + 2 * at, 2 * (size_t)k));
  }
  return pull(w);
}

/* The least memory that holds some states: one in some is kept. */
static void test_bits(void) {
  run_world whole = open_run("finger", NULL, CQ_RUN_KEEP);
  bits reference = run_in_pieces(&whole, STEPS);
  bits stepwise = run_in_pieces(&whole, 1), odd = run_in_pieces(&whole, 7);
  check_same("steps one by one", &reference, &stepwise);
  check_same("seven steps", &reference, &odd);
  run_world little = open_run("finger", "simulation.memory=\"24 MiB\"", CQ_RUN_KEEP);
  run_world least = open_run("finger", "simulation.memory=\"5 MiB\"", 0);
  cq_run *none = NULL;
  CHECK(cq_run_create(least.file, CQ_RUN_KEEP, &none) == CQ_MEMORY && none == NULL);
  CHECK(strstr(cq_ctx_error(least.ctx), "simulation.memory") != NULL);
  close_run(&least);
  CHECK(cq_ctx_bytes(little.ctx) < cq_ctx_bytes(whole.ctx));
  bits scarce = run_in_pieces(&little, STEPS), both = run_in_pieces(&little, 7);
  check_same("little memory", &reference, &scarce);
  check_same("little memory, seven steps", &reference, &both);
  free_bits(&reference);
  free_bits(&stepwise);
  free_bits(&odd);
  free_bits(&scarce);
  free_bits(&both);
  close_run(&whole);
  close_run(&little);
}

/* On from a state that another run has saved: the same states, and gradients of the rest. */
static void test_saved(void) {
  run_world w = open_run("finger", NULL, CQ_RUN_KEEP);
  double u[2 * STEPS], l[2], g[2][2 * STEPS];
  cq_run *other = NULL, *const first = w.run;
  size_t size = 0;
  fill_controls(u);
  MUST(&w, cq_run_create(w.file, CQ_RUN_KEEP, &other));
  MUST(&w, cq_run_reset(w.run, NULL, 0));
  MUST(&w, cq_run_advance(w.run, seen[0], u, 2 * (size_t)seen[0]));
  MUST(&w, cq_run_save(w.run, NULL, &size));
  char *blob = malloc(size);
  MUST(&w, cq_run_save(w.run, blob, &size));
  MUST(&w, cq_run_load(other, blob, size));
  CHECK(cq_run_step(other) == seen[0]);
  for (int i = 0; i < 2; i++) {
    w.run = i == 0 ? first : other;
    MUST(&w,
         cq_run_advance(w.run, STEPS - seen[0], u + 2 * seen[0], 2 * (size_t)(STEPS - seen[0])));
    l[i] = loss(&w);
    seed(&w);
    MUST(&w, cq_run_pull(w.run));
    MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g[i], 2 * STEPS));
  }
  CHECK(l[0] == l[1]);
  CHECK(memcmp(g[0] + 2 * seen[0], g[1] + 2 * seen[0], 16 * (size_t)(STEPS - seen[0])) == 0);
  CHECK(g[0][3] != 0 && g[1][3] == 0); /* what was before the state is no controls of this run */
  CHECK(cq_run_gradient(other, CQ_GRADIENT_DESIGN, g[0], 2 * STEPS) == CQ_USAGE);
  blob[size / 2] ^= 1;
  CHECK(cq_run_load(other, blob, size) == CQ_CONFIG);
  CHECK_STR(cq_ctx_error(w.ctx), "the state is damaged");
  free(blob);
  cq_run_destroy(other);
  w.run = first;
  close_run(&w);
}

/* The objective of a file, earned in parts, is that of an evaluation, and so is its gradient: terms
 * over all times, at the end, and of controls. */
static void test_earned(void) {
  static const char *const objective =
      "objective=({term=\"distance\";body=\"tip\";target=[0.6,0.6];squared=true;weight=2.0},"
      "{term=\"mean_square_velocity\";body=\"left\";when=\"running\"},{term=\"actuation_rate\"})";
  run_world w = open_run("finger", objective, CQ_RUN_KEEP);
  enum { TERMS = 3 };
  const int n = w.about.variables;
  double *x = malloc((size_t)n * 8), *g = malloc((size_t)n * 8), *grad = malloc((size_t)n * 8);
  double terms[TERMS], part[TERMS], sum[TERMS] = {0, 0, 0};
  cq_answer a = {
      .struct_size = sizeof a, .terms = terms, .n_terms = TERMS, .grad = grad, .n_grad = n};
  CHECK(w.about.terms == TERMS);
  MUST(&w, cq_file_start(w.file, x, n));
  for (int i = 0; i < n; i++) {
    x[i] += 0.1 * sin(i);
  }
  MUST(&w, cq_file_evaluate(w.file, x, n, &a));
  MUST(&w, cq_run_reset(w.run, x, n));
  for (int from = -1, k = 0; k < 15; from = cq_run_step(w.run), k++) {
    MUST(&w, cq_run_advance(w.run, 10, NULL, 0));
    MUST(&w, cq_run_earned(w.run, from, part, TERMS));
    for (int i = 0; i < TERMS; i++) {
      sum[i] += part[i];
      MUST(&w, cq_run_seed_earned(w.run, i, from, 1.0));
    }
  }
  for (int i = 0; i < TERMS; i++) {
    CHECK_NEAR(sum[i], terms[i], 1e-13 * fabs(terms[i]));
    CHECK(terms[i] != 0);
  }
  MUST(&w, cq_run_pull(w.run));
  MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_DESIGN, g, (size_t)n));
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(g[i], grad[i], 1e-11 * (1 + fabs(grad[i])));
  }
  CHECK(cq_run_earned(w.run, -2, part, TERMS) == CQ_USAGE);
  CHECK(cq_run_earned(w.run, 151, part, TERMS) == CQ_USAGE);
  CHECK(cq_run_seed_earned(w.run, TERMS, 0, 1) == CQ_USAGE);
  free(x);
  free(g);
  free(grad);
  close_run(&w);
}

/* A controller outside, u = gain (height of the tip - 0.5), whose loop a sweep in parts closes. */
typedef struct feedback {
  const run_world *w;
  int tip, hold;
} feedback;

static double feedback_loss(const feedback *b, double gain) {
  const run_world *const w = b->w;
  double z[2], sum = 0;
  MUST(w, cq_run_reset(w->run, NULL, 0));
  for (int at = 0; at < STEPS; at += b->hold) {
    MUST(w, cq_run_observe(w->run, b->tip, at, z, 2));
    const double u = gain * (z[1] - 0.5);
    MUST(w, cq_run_advance(w->run, b->hold, (double[2]){u, -u}, 2));
  }
  for (int i = 0; i < SEEN; i++) {
    MUST(w, cq_run_observe(w->run, b->tip, seen[i], z, 2));
    sum += weight[i][0] * z[0] + weight[i][1] * z[1];
  }
  return sum;
}

/* dL/dgain: controls give their part, then the heights they were made of are seeded. */
static double feedback_slope(const feedback *b, double gain) {
  const run_world *const w = b->w;
  double du[2 * STEPS], z[2], slope = 0;
  feedback_loss(b, gain);
  for (int i = 0; i < SEEN; i++) {
    MUST(w, cq_run_seed(w->run, b->tip, seen[i], weight[i], 2));
  }
  for (int at = STEPS - b->hold; at >= 0; at -= b->hold) {
    double d = 0;
    MUST(w, cq_run_pull_to(w->run, at));
    MUST(w, cq_run_gradient(w->run, CQ_GRADIENT_CONTROLS, du, 2 * STEPS));
    for (int k = at; k < at + b->hold; k++) {
      d += du[2 * k] - du[2 * k + 1];
    }
    MUST(w, cq_run_observe(w->run, b->tip, at, z, 2));
    slope += d * (z[1] - 0.5);
    if (at > 0) {
      MUST(w, cq_run_seed(w->run, b->tip, at, (double[2]){0, d * gain}, 2));
    }
  }
  return slope;
}

static void check_feedback(const char *memory, int hold) {
  run_world w = open_run("finger", memory, CQ_RUN_KEEP);
  const feedback b = {
      .w = &w, .tip = cq_run_find(w.run, CQ_OBSERVABLES, "tip.position"), .hold = hold};
  const double gain = 3, h = 1e-4;
  const double difference = (feedback_loss(&b, gain + h) - feedback_loss(&b, gain - h)) / (2 * h);
  const double slope = feedback_slope(&b, gain);
  CHECK_MSG(difference != 0 && fabs(slope - difference) < 1e-6 * fabs(difference),
            "held for %d: %.10g by the sweep, %.10g by differences", hold, slope, difference);
  close_run(&w);
}

/* In parts the sweep has the bits of the whole, and its order is kept. */
static void check_parts(const char *memory) {
  run_world w = open_run("finger", memory, CQ_RUN_KEEP);
  double g[2 * STEPS];
  bits whole = run_in_pieces(&w, STEPS), parts = run_in_pieces(&w, STEPS);
  MUST(&w, cq_run_clear_seeds(w.run));
  seed(&w);
  CHECK(cq_run_pull_to(w.run, STEPS) == CQ_USAGE);
  MUST(&w, cq_run_pull_to(w.run, 50));
  CHECK(cq_run_pull_to(w.run, 51) == CQ_USAGE);
  CHECK(cq_run_seed(w.run, 0, 51, (double[2]){1, 1}, 2) == CQ_USAGE);
  CHECK(cq_run_gradient(w.run, cq_run_find(w.run, CQ_INPUTS, "v"), parts.v, parts.n_v) == CQ_USAGE);
  MUST(&w, cq_run_pull_to(w.run, 13));
  MUST(&w, cq_run_pull_to(w.run, 0));
  MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, parts.u, 2 * STEPS));
  MUST(&w, cq_run_gradient(w.run, cq_run_find(w.run, CQ_INPUTS, "v"), parts.v, parts.n_v));
  check_same("a sweep in parts", &whole, &parts);
  seed(&w); /* a sweep that is given up leaves nothing behind */
  MUST(&w, cq_run_pull_to(w.run, 30));
  MUST(&w, cq_run_clear_seeds(w.run));
  seed(&w);
  MUST(&w, cq_run_pull(w.run));
  MUST(&w, cq_run_gradient(w.run, CQ_GRADIENT_CONTROLS, g, 2 * STEPS));
  CHECK(memcmp(g, whole.u, sizeof g) == 0);
  free_bits(&whole);
  free_bits(&parts);
  close_run(&w);
}

static void test_in_parts(void) {
  static const char *const little = "simulation.memory=\"24 MiB\"";
  check_parts(NULL);
  check_parts(little);
  check_feedback(NULL, 1);
  check_feedback(NULL, 20);
  check_feedback(little, 4);
}

int main(void) {
  RUN(test_against_differences);
  RUN(test_by_design);
  RUN(test_bits);
  RUN(test_saved);
  RUN(test_earned);
  RUN(test_in_parts);
  return TEST_RESULT();
}
