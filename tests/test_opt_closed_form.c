/* The closed-form functions: gradients against central differences, and minima that are reached. */
#include "closed_form.h"

#include "rng.h"
#include "test.h"

enum { MOST = CQ_CLOSED_FORM_MOST };

/* a point between the bounds, or near the start */
static void draw(const cq_closed_form *form, cq_rng *rng, double *x) {
  for (int i = 0; i < form->n; i++) {
    const double low = fmax(form->lower[i], form->start[i] - 1);
    const double high = fmin(form->upper[i], form->start[i] + 1);
    x[i] = low + (0.1 + 0.8 * cq_rng_uniform(rng)) * (high - low);
  }
}

/* f and constraints in one list */
static void values(const cq_problem *p, const double *x, double *v) {
  CHECK(p->eval(p->data, x, v, v + 1, NULL, NULL) == CQ_OK);
}

static void check_gradient(const cq_closed_form *form, const double *x) {
  const double eps = 1e-6;
  const cq_problem p = cq_closed_form_problem(form);
  const int m = form->n_inequality + form->n_equality;
  double v[1 + MOST], grad[MOST], jac[MOST * MOST], y[MOST], above[1 + MOST], below[1 + MOST];
  CHECK(p.eval(p.data, x, v, v + 1, grad, jac) == CQ_OK);
  for (int k = 0; k < form->n; k++) {
    memcpy(y, x, sizeof y);
    y[k] = x[k] + eps;
    values(&p, y, above);
    y[k] = x[k] - eps;
    values(&p, y, below);
    for (int i = 0; i <= m; i++) {
      const double slope = i == 0 ? grad[k] : jac[(i - 1) * form->n + k];
      const double difference = (above[i] - below[i]) / (2 * eps);
      CHECK_MSG(fabs(slope - difference) <= 1e-7 * (1 + fabs(slope) + fabs(v[i])),
                "%s: function %d, variable %d: %g, by differences %g", form->name, i, k, slope,
                difference);
    }
  }
}

static void test_gradients(void) {
  cq_rng rng = cq_rng_seed(4);
  for (int i = 0; i < CQ_N_CLOSED_FORMS; i++) {
    for (int k = 0; k < 5; k++) {
      double x[MOST] = {0};
      draw(&cq_closed_forms[i], &rng, x);
      check_gradient(&cq_closed_forms[i], x);
    }
  }
}

/* from the start, where there is one minimum; Hock and Schittkowski's are those of test_opt_hs */
static void test_minima(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  for (int i = 0; i < CQ_N_CLOSED_FORMS; i++) {
    const cq_closed_form *const form = &cq_closed_forms[i];
    const cq_problem p = cq_closed_form_problem(form);
    cq_optimizer_def def = cq_optimizer_default();
    cq_result result;
    double x[MOST];
    const cq_status status = cq_optimize(ctx, &p, &def, NULL, NULL, x, NULL, &result);
    const bool many = strcmp(form->name, "rastrigin") == 0;
    CHECK_MSG(status == CQ_OK, "%s: %s", form->name, result.reason);
    CHECK_MSG(many ? result.f > 1 : fabs(result.f - form->f) <= 1e-6 * (1 + fabs(form->f)),
              "%s: f = %.9g, not %.9g", form->name, result.f, form->f);
    CHECK(cq_ctx_status(ctx) == CQ_OK);
  }
  cq_ctx_destroy(ctx);
}

int main(void) {
  RUN(test_gradients);
  RUN(test_minima);
  return TEST_RESULT();
}
