/* What cqopt claims on problems made to deceive it: test_opt_adversary.h says what is counted.
 *
 *   test_opt_adversary           checks a third of the cases, and prints the counts
 *   test_opt_adversary all       all of them
 *   test_opt_adversary verbose   also every run with a false success, as CSV:
 *                                FALSE,kind,case,method,f,x_0 x_1 ...,evaluations,residual
 *                                with f and x in natural units */
#include "test_opt_adversary_cases.h"

#include "test.h"

enum {
  GRADIENT_EVALUATIONS = 200,
  IPOPT_EVALUATIONS = 80,
  OTHER_EVALUATIONS = 1000,
  MOST_FALSE = 3, /* 0 with this seed, 0 to 2 with others: lying gradients */
  KINDS = 32,
  METHODS = 64
};

typedef struct tally {
  const char *name;
  int runs, false_, honest, open, exits[9];
  long evaluations;
} tally;

static tally kinds[KINDS], methods[METHODS];
static bool verbose;
static int every = 3; /* of the cases one in so many */

static void count(tally *t, const char *name, const cq_result *r, const adv_truth *truth) {
  t->name = name;
  t->runs++;
  t->evaluations += r->evaluations;
  if (r->status == CQ_OK) {
    t->open += truth->is_open;
    t->honest += truth->is_optimum;
    t->false_ += !truth->is_optimum && !truth->is_open;
  } else {
    const int exit = cq_status_exit_code(r->status);
    t->exits[exit < 9 ? exit : 0]++;
  }
}

static tally *tally_of(tally *all, int most, const char *name) {
  for (int i = 0; i < most; i++) {
    if (all[i].name == NULL || strcmp(all[i].name, name) == 0) {
      return &all[i];
    }
  }
  printf("too many kinds\n");
  abort();
}

static void say_false(const adv_case *a, const char *method, const adv_truth *truth,
                      const double *x, const cq_result *r) {
  double y[ADV_N];
  adv_natural(a, x, y);
  printf("FALSE,%s,\"%s\",%s,%.9g,", a->kind, a->name, method, truth->f);
  for (int i = 0; i < a->form.n; i++) {
    printf("%s%.9g", i > 0 ? " " : "", y[i]);
  }
  printf(",%d,%.3g\n", r->evaluations, r->kkt_residual);
}

typedef struct vectors {
  double lower[ADV_N], upper[ADV_N], start[ADV_N], scale[ADV_N];
} vectors;

static cq_problem problem_of(adv_case *a, vectors *v) {
  const adv_form *form = &a->form;
  const bool bounded = a->lower != 0 || a->upper != 0;
  for (int i = 0; i < form->n; i++) {
    const double unit = adv_unit(a, i);
    v->lower[i] = unit * (bounded ? a->lower : form->lower[i]);
    v->upper[i] = unit * (bounded ? a->upper : form->upper[i]);
    v->start[i] = unit * (a->from ? a->start[i] : form->start[i]);
    v->scale[i] = a->scale;
  }
  return (cq_problem){.n = form->n,
                      .n_inequality = form->n_inequality,
                      .n_equality = form->n_equality,
                      .lower = v->lower,
                      .upper = v->upper,
                      .start = v->start,
                      .scale = a->scale != 0 ? v->scale : NULL,
                      .eval = adv_eval,
                      .gradient = a->gradient,
                      .data = a};
}

/* IPOPT thinks for long between evaluations, and needs fewer */
static int budget_of(int i) {
  return strcmp(cq_optimizer_name(i), "IPOPT") == 0 ? IPOPT_EVALUATIONS
         : cq_optimizer_facts_of(i).needs_gradient  ? GRADIENT_EVALUATIONS
                                                    : OTHER_EVALUATIONS;
}

static void run_one(adv_case *a, int i) {
  vectors v;
  const cq_problem problem = problem_of(a, &v);
  cq_optimizer_def def = cq_optimizer_default();
  def.name = cq_optimizer_name(i);
  def.max_evaluations = budget_of(i);
  def.allow_heuristic = a->allow_heuristic;
  def.phases = a->phases;
  def.gradient_tolerance = a->gradient_tolerance;
  def.on_failure = a->fails_below ? CQ_FAILURE_PENALTY : CQ_FAILURE_ABORT;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  if (cq_optimizer_accepts(ctx, &def, &problem) == CQ_OK) {
    double x[ADV_N] = {0};
    cq_result r = {0};
    cq_optimize(ctx, &problem, &def, NULL, NULL, x, NULL, &r);
    const adv_truth truth = adv_judge(a, x);
    count(tally_of(kinds, KINDS, a->kind), a->kind, &r, &truth);
    count(tally_of(methods, METHODS, def.name), def.name, &r, &truth);
    if (verbose && r.status == CQ_OK && !truth.is_optimum && !truth.is_open) {
      say_false(a, def.name, &truth, x, &r);
    }
    CHECK_MSG(a->form.n_minima == 0 || truth.violation > 1e-12 || !r.has_point ||
                  truth.f >= a->form.minima[0] - 1e-6 * a->form.unit,
              "%s, %s: f = %.12g is less than the least, %.12g", a->name, def.name, truth.f,
              a->form.minima[0]);
  }
  cq_ctx_destroy(ctx);
}

static void print(const char *title, const tally *all, int most, tally *sum) {
  *sum = (tally){.name = "all"};
  printf("  %-27s%6s%8s%7s%6s%6s%6s%6s%6s%6s%7s%13s\n", title, "runs", "honest", "false", "open",
         "1", "3", "4", "5", "6", "7", "evaluations");
  for (int i = 0; i <= most; i++) {
    const tally *t = i < most ? &all[i] : sum;
    if (t->runs > 0) {
      printf("  %-27s%6d%8d%7d%6d%6d%6d%6d%6d%6d%7d%13ld\n", t->name, t->runs, t->honest, t->false_,
             t->open, t->exits[1], t->exits[3], t->exits[4], t->exits[5], t->exits[6], t->exits[7],
             t->evaluations);
    }
    if (i < most) {
      sum->runs += t->runs;
      sum->honest += t->honest;
      sum->false_ += t->false_;
      sum->open += t->open;
      sum->evaluations += t->evaluations;
      for (int k = 0; k < 9; k++) {
        sum->exits[k] += t->exits[k];
      }
    }
  }
}

/* Of each method that claims anything: how often it was right, and how often wrong, when the set
 * was made. */
static const struct {
  const char *method;
  int honest, false_;
} frozen[] = {
    {"LD_SLSQP", 452, 160},
    {"sqp", 405, 185},
    {"LD_MMA", 294, 163},
    {"LD_CCSAQ", 300, 160},
    {"LD_LBFGS", 207, 128},
    {"AUGLAG_LBFGS", 389, 173},
    {"AUGLAG_CCSAQ", 293, 163},
    {"gradient_descent", 78, 103},
    {"adam", 105, 89},
    {"LD_AUGLAG_EQ", 352, 163},
    {"IPOPT", 393, 180},
    {"LD_VAR2", 207, 129},
    {"LD_VAR1", 207, 129},
    {"LD_TNEWTON_PRECOND_RESTART", 203, 134},
    {"LD_TNEWTON_PRECOND", 193, 125},
    {"LD_TNEWTON_RESTART", 200, 136},
    {"LD_TNEWTON", 209, 124},
    {"GD_MLSL_LDS", 258, 40},
    {"GD_MLSL", 254, 39},
};

/* All together: a method may lose what another one wins. Methods that this build lacks have no
 * runs, and nothing is asked of them. */
static void check_counts(void) {
  int honest = 0, false_ = 0, least = 0, most = 0;
  for (int i = 0; i < METHODS && methods[i].name != NULL; i++) {
    honest += methods[i].honest;
    false_ += methods[i].false_;
    for (int k = 0; k < COUNT_OF(frozen); k++) {
      if (strcmp(frozen[k].method, methods[i].name) == 0) {
        least += frozen[k].honest;
        most += frozen[k].false_;
      }
    }
  }
  CHECK_MSG(honest >= 0.98 * least / every, "%d honest successes; there were %d", honest,
            least / every);
  CHECK_MSG(false_ <= MOST_FALSE, "%d false successes; there were %d when the set was made", false_,
            most);
}

/* LN_NEWUOA_BOUND does not come back from NLopt where f is huge. */
static bool takes_part(const adv_case *a, int i) {
  return cq_optimizer_facts_of(i).needs_gradient ||
         (a->no_gradient && (strcmp(cq_optimizer_name(i), "LN_NEWUOA_BOUND") != 0 ||
                             strcmp(a->form.name, "exp wall") != 0));
}

/* [-1, 1), the same on every machine */
static double any(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 23) - 1;
}

static bool near(double slope, double differences, double size) {
  return fabs(slope - differences) < 1e-5 * (1 + size + fabs(slope));
}

/* the gradients of a form against central differences near its start */
static void check_formula(const adv_form *form, unsigned *state) {
  double y[ADV_N], g[ADV_N] = {0}, c[ADV_N] = {0}, j[ADV_N][ADV_N] = {{0}};
  double unused[ADV_N], before[ADV_N], after[ADV_N], rows[ADV_N][ADV_N];
  for (int i = 0; i < form->n; i++) {
    y[i] = form->start[i] + 0.3 * any(state);
  }
  const double f = adv_value(form, y, g, c, j);
  for (int i = 0; i < form->n; i++) {
    const double at = y[i], h = 1e-6;
    y[i] = at + h;
    const double f_after = adv_value(form, y, unused, after, rows);
    y[i] = at - h;
    const double slope = (f_after - adv_value(form, y, unused, before, rows)) / (2 * h);
    y[i] = at;
    CHECK_MSG(near(g[i], slope, fabs(f)), "%s: df/dy_%d = %g, differences say %g", form->name, i,
              g[i], slope);
    for (int k = 0; k < form->n_inequality + form->n_equality; k++) {
      const double bend = (after[k] - before[k]) / (2 * h);
      CHECK_MSG(near(j[k][i], bend, fabs(c[k])), "%s: dc_%d/dy_%d = %g, differences say %g",
                form->name, k, i, j[k][i], bend);
    }
  }
}

static void test_formulas(void) {
  unsigned state = 3;
  for (int i = 0; i < ADV_FORMS; i++) {
    check_formula(&adv_forms[i], &state);
  }
}

static void test_claims(void) {
  tally sum;
  adv_make_cases();
  for (int k = 0; k < adv_count; k += every) {
    for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
      if (takes_part(&adv_cases[k], i)) {
        run_one(&adv_cases[k], i);
      }
    }
  }
  print("kind", kinds, KINDS, &sum);
  print("method", methods, METHODS, &sum);
  check_counts();
}

int main(int argc, char **argv) {
  verbose = argc > 1 && strcmp(argv[1], "verbose") == 0;
  every = argc > 1 ? 1 : every;
  RUN(test_formulas);
  RUN(test_claims);
  return TEST_RESULT();
}
