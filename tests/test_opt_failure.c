/* What a method is told in place of an evaluation that failed: above all seen, finite wherever it
 * is asked, and with the gradients of just these functions. */
#include "evaluator.h"
#include "kkt.h"
#include "method.h"
#include "status.h"
#include "test.h"

enum { MANY = 3000 };

/* f = factor sum x_j^2, c = {sum x_j - 1, x_0 - 2, x_1}, the last one an equality; fails on order
 */
typedef struct bowl {
  int n;
  double factor, constraint_factor;
  bool failing;
  double lower[MANY], upper[MANY], start[MANY], scale[MANY];
} bowl;

static bowl bowl_; /* large */

static cq_status eval(void *data, const double *x, double *f, double *c, double *grad,
                      double *jac) {
  const bowl *b = data;
  if (b->failing) {
    return CQ_OUT_OF_ROOM;
  }
  double sum = 0;
  *f = 0;
  for (int j = 0; j < b->n; j++) {
    *f += b->factor * x[j] * x[j];
    sum += x[j];
    if (grad != NULL) {
      grad[j] = 2 * b->factor * x[j];
      jac[j] = b->constraint_factor;
      jac[b->n + j] = j == 0;
      jac[2 * b->n + j] = j == 1;
    }
  }
  c[0] = b->constraint_factor * (sum - 1);
  c[1] = x[0] - 2;
  c[2] = x[1];
  return CQ_OK;
}

typedef struct rig {
  cq_ctx *ctx;
  cq_problem problem;
  cq_optimizer_def def;
  cq_evaluator *ev;
  double worst_f, worst_c[3], best[MANY];
} rig;

static rig rig_;

/* An evaluator that has seen two points, the second one the best. */
static rig *begin(cq_failure_policy policy, int n, double factor, double constraint_factor) {
  rig *r = &rig_;
  bowl_ = (bowl){.n = n, .factor = factor, .constraint_factor = constraint_factor};
  for (int j = 0; j < n; j++) {
    bowl_.lower[j] = -INFINITY;
    bowl_.upper[j] = INFINITY;
    bowl_.scale[j] = j % 3 == 0 ? 1 : j % 3 == 1 ? 1e-3 : 1e2;
    bowl_.start[j] = 1 + 0.01 * j;
    r->best[j] = 0.5 / n;
  }
  r->problem = (cq_problem){.n = n,
                            .n_inequality = 2,
                            .n_equality = 1,
                            .lower = bowl_.lower,
                            .upper = bowl_.upper,
                            .start = bowl_.start,
                            .scale = bowl_.scale,
                            .eval = eval,
                            .data = &bowl_};
  r->def = cq_optimizer_default();
  r->def.on_failure = policy;
  r->def.constraint_tolerance = 1;
  r->ctx = cq_ctx_create(1, 1);
  CHECK(cq_evaluator_create(r->ctx, &r->problem, &r->def, NULL, NULL, &r->ev) == CQ_OK);
  const cq_point *p = cq_evaluate(r->ev, bowl_.start, true);
  r->worst_f = p->f;
  for (int i = 0; i < 3; i++) {
    r->worst_c[i] = fabs(p->c[i]);
  }
  CHECK(cq_evaluate(r->ev, r->best, true)->index == 2 && r->ev->best.index == 2);
  bowl_.failing = true;
  return r;
}

static void end(rig *r) {
  cq_evaluator_destroy(r->ev);
  CHECK(cq_ctx_bytes(r->ctx) == 0);
  cq_ctx_destroy(r->ctx);
}

/* x_j of a point that is `far` scales from the best one, here and there */
static void place(const rig *r, double far, double *x) {
  for (int j = 0; j < r->problem.n; j++) {
    x[j] = r->best[j] + far * bowl_.scale[j] * (j % 2 == 0 ? 1 : -0.4 - 0.001 * j);
  }
}

static void check_finite(const rig *r, const cq_point *p, double far) {
  const int n = r->problem.n;
  bool finite = isfinite(p->f) && isfinite(p->violation);
  for (int i = 0; i < 3; i++) {
    finite = finite && isfinite(p->c[i]);
  }
  for (int k = 0; k < n; k++) {
    finite = finite && isfinite(p->grad[k]);
  }
  for (int k = 0; k < 3 * n; k++) {
    finite = finite && isfinite(p->jac[k]);
  }
  CHECK_MSG(finite, "%d variables, %g away: not finite", n, far);
  CHECK(p->failed && p->has_gradient &&
        p->violation == cq_violation(&r->problem, r->ev->size, p->c));
}

static void check_above(const rig *r, const cq_point *p, double far) {
  const cq_point *best = &r->ev->best;
  if (r->def.on_failure == CQ_FAILURE_INFEASIBLE) {
    CHECK_MSG(p->f == best->f && p->c[0] >= r->worst_c[0] && p->c[1] >= r->worst_c[1],
              "%g away: c = %g, %g", far, p->c[0], p->c[1]);
  } else {
    CHECK_MSG(p->f > r->worst_f && p->c[0] == best->c[0], "%g away: f = %g", far, p->f);
  }
  CHECK(p->c[2] == best->c[2]); /* an equality says nothing about failures */
}

/* central differences of what fails: f and every constraint */
static void check_slopes(rig *r, double far, int j) {
  static double x[MANY];
  double value[2][4], slope[4];
  place(r, far, x);
  const cq_point *p = cq_evaluate(r->ev, x, true);
  for (int i = 0; i < 4; i++) {
    slope[i] = i == 0 ? p->grad[j] : p->jac[(i - 1) * r->problem.n + j];
  }
  const double at = x[j], h = 1e-4 * bowl_.scale[j] * fmax(far, 1);
  for (int side = 0; side < 2; side++) {
    x[j] = side == 0 ? at - h : at + h;
    p = cq_evaluate(r->ev, x, false);
    value[side][0] = p->f;
    memcpy(&value[side][1], p->c, 3 * sizeof(double));
  }
  const bool infeasible = r->def.on_failure == CQ_FAILURE_INFEASIBLE;
  for (int i = infeasible; i < (infeasible ? 3 : 1); i++) {
    const double difference = (value[1][i] - value[0][i]) / (2 * h);
    const double rounding = 1e-15 * fabs(value[1][i]) / h;
    CHECK_MSG(fabs(difference - slope[i]) <= 1e-6 * fabs(slope[i]) + rounding,
              "function %d, variable %d, %g away: slope %g, difference %g", i, j, far, slope[i],
              difference);
  }
  /* downhill is back to the best point */
  CHECK(!(slope[infeasible] * (at - r->best[j]) < 0));
}

static const cq_failure_policy policies[] = {CQ_FAILURE_PENALTY, CQ_FAILURE_INFEASIBLE};

static void test_values_and_slopes(void) {
  const double fars[] = {0.01, 1, 30, 900, 5000, 1e7};
  for (int p = 0; p < 2; p++) {
    rig *r = begin(policies[p], 5, 2, 3);
    for (int k = 0; k < 6; k++) {
      for (int j = 0; j < 5; j++) {
        check_slopes(r, fars[k], j);
      }
    }
    CHECK(r->ev->best.index == 2 && r->ev->failures == r->ev->evaluations - 2);
    end(r);
  }
}

/* No bounds, many variables, values near the largest there are. */
static void test_finite(void) {
  static double x[MANY];
  const double fars[] = {0, 1e-8, 1, 1e3, 1e9, 1e150, 1e300};
  const double factors[] = {1, 1e-300, 1e300, 0};
  const int sizes[] = {2, 5, MANY};
  for (int p = 0; p < 2; p++) {
    for (int s = 0; s < 3; s++) {
      for (int f = 0; f < 4; f++) {
        rig *r = begin(policies[p], sizes[s], factors[f], factors[f]);
        double before = -INFINITY;
        for (int k = 1; k < 7; k++) {
          place(r, fars[k], x);
          const cq_point *point = cq_evaluate(r->ev, x, true);
          check_finite(r, point, fars[k]);
          check_above(r, point, fars[k]);
          const double now_ = p == 0 ? point->f : point->c[0];
          CHECK_MSG(now_ >= before, "%g away is better than nearer by: %g < %g", fars[k], now_,
                    before);
          before = now_;
        }
        end(r);
      }
    }
  }
}

/* At the best point itself only a gradient can fail. */
static void test_gradient_of_the_best(void) {
  for (int p = 0; p < 2; p++) {
    rig *r = begin(policies[p], 2, 1, 1);
    const double better[2] = {0.1, 0.1};
    bowl_.failing = false;
    CHECK(cq_evaluate(r->ev, better, false)->index == 3 && r->ev->best.index == 3);
    bowl_.failing = true;
    const cq_point *point = cq_evaluate(r->ev, better, true);
    CHECK(point != NULL && point->failed && point->index == 3);
    check_finite(r, point, 0);
    check_above(r, point, 0);
    CHECK(r->ev->best.index == 3 && !r->ev->best.failed && r->ev->failures == 1);
    end(r);
  }
}

/* f is 1 % off in larger steps, whose gradients fail */
static cq_status eval_level(int level, const double *x, double *f, double *grad) {
  *f = (1 + (level == 0 ? 0.01 : 0)) * x[0] * x[0];
  if (grad != NULL) {
    grad[0] = level < 2 ? NAN : 2 * x[0];
  }
  return CQ_OK;
}

static cq_status eval_coarse(void *data, const double *x, double *f, double *c, double *grad,
                             double *jac) {
  (void)data, (void)c, (void)jac;
  return eval_level(0, x, f, grad);
}

static cq_status eval_fine(void *data, int level, const double *x, double *f, double *c,
                           double *grad, double *jac) {
  (void)data, (void)c, (void)jac;
  return eval_level(level, x, f, grad);
}

/* A gradient that fails at a known x comes from smaller steps, and so does its f then. */
static void test_gradient_in_smaller_steps(void) {
  const double lower = -5, upper = 5, start = 3;
  const cq_problem problem = {.n = 1,
                              .lower = &lower,
                              .upper = &upper,
                              .start = &start,
                              .eval = eval_coarse,
                              .refined = eval_fine};
  cq_optimizer_def def = cq_optimizer_default();
  def.on_failure = CQ_FAILURE_RETRY_SMALLER_STEP;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_evaluator *ev = NULL;
  CHECK(cq_evaluator_create(ctx, &problem, &def, NULL, NULL, &ev) == CQ_OK);
  const cq_point *p = cq_evaluate(ev, &start, false);
  CHECK(p->refinement == 0 && p->f == 1.01 * 9 && ev->simulations == 1 && ev->recovered == 0);
  p = cq_evaluate(ev, &start, true);
  CHECK_MSG(p != NULL, "%s", cq_ctx_error(ctx));
  CHECK(p->index == 1 && p->refinement == 2 && p->f == 9 && p->grad[0] == 6 && !p->failed);
  CHECK(ev->simulations == 4 && ev->recovered == 1 && ev->failures == 0 && ev->evaluations == 1);
  CHECK(ev->best.f == 9 && ev->best.has_gradient && cq_ctx_status(ctx) == CQ_OK);
  cq_evaluator_destroy(ev);
  cq_ctx_destroy(ctx);
}

typedef struct rescue {
  cq_ctx *ctx;
  cq_status fine; /* what smaller steps give */
  int fine_calls;
} rescue;

static cq_status eval_breaks(void *data, const double *x, double *f, double *c, double *grad,
                             double *jac) {
  const rescue *r = data;
  (void)c, (void)jac;
  *f = x[0] * x[0];
  if (grad != NULL) {
    grad[0] = 2 * x[0];
  }
  return x[0] < 2 ? CQ_FAIL(r->ctx, CQ_DEFORMED, "coarse: inverted") : CQ_OK;
}

static cq_status eval_rescue(void *data, int level, const double *x, double *f, double *c,
                             double *grad, double *jac) {
  rescue *r = data;
  (void)level, (void)x, (void)f, (void)c, (void)grad, (void)jac;
  r->fine_calls++;
  return CQ_FAIL(r->ctx, r->fine, "fine: %s", cq_status_text(r->fine));
}

/* The default tries smaller steps and then the penalty: also where a problem has no smaller steps,
 * or no room for them. The failure keeps its own words. */
static void test_default_policy(void) {
  const double lower = -5, upper = 5, start = 3, bad = 1;
  const struct {
    bool refined;
    cq_status fine;
    int calls; /* of refined */
  } cases[] = {{false, CQ_OK, 0}, {true, CQ_OUT_OF_ROOM, 3}, {true, CQ_MEMORY, 1}};
  for (int i = 0; i < 3; i++) {
    rescue r = {.ctx = cq_ctx_create(1, 1), .fine = cases[i].fine};
    const cq_problem problem = {.n = 1,
                                .lower = &lower,
                                .upper = &upper,
                                .start = &start,
                                .eval = eval_breaks,
                                .refined = cases[i].refined ? eval_rescue : NULL,
                                .data = &r};
    cq_optimizer_def def = cq_optimizer_default();
    def.name = "gradient_descent";
    cq_evaluator *ev = NULL;
    CHECK(cq_optimizer_check(r.ctx, &def, &problem) == CQ_OK);
    CHECK(cq_evaluator_create(r.ctx, &problem, &def, NULL, NULL, &ev) == CQ_OK);
    CHECK(cq_evaluate(ev, &start, true) != NULL);
    const cq_point *p = cq_evaluate(ev, &bad, true);
    CHECK_MSG(p != NULL && p->failed && p->f > 9, "case %d: %s", i, cq_ctx_error(r.ctx));
    CHECK(r.fine_calls == cases[i].calls && ev->failures == 1 && ev->recovered == 0);
    CHECK(ev->end == CQ_END_NONE && cq_ctx_status(r.ctx) == CQ_OK);
    cq_evaluator_destroy(ev);
    /* at the first evaluation: the run ends, with the words of the steps that were asked for */
    CHECK(cq_evaluator_create(r.ctx, &problem, &def, NULL, NULL, &ev) == CQ_OK);
    CHECK(cq_evaluate(ev, &bad, true) == NULL && ev->status == CQ_DEFORMED);
    CHECK_MSG(strstr(cq_ctx_error(r.ctx), "coarse: inverted") != NULL, "%s", cq_ctx_error(r.ctx));
    cq_evaluator_destroy(ev);
    cq_ctx_destroy(r.ctx);
  }
}

int main(void) {
  RUN(test_values_and_slopes);
  RUN(test_finite);
  RUN(test_gradient_of_the_best);
  RUN(test_gradient_in_smaller_steps);
  RUN(test_default_policy);
  return TEST_RESULT();
}
