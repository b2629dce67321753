/* An objective of one's own, with a constraint: the least x0^2 + x1^2 at or above a parabola. */
#include <cqopt/cqopt.h>

#include <stdio.h>

/* f, c[0] = 1 + x0^2 - x0 - x1 <= 0, and their derivatives where they are wanted */
static cq_status evaluate(void *user, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  int *calls = user;
  ++*calls;
  *f = x[0] * x[0] + x[1] * x[1];
  c[0] = 1 + x[0] * x[0] - x[0] - x[1];
  if (grad != NULL) {
    grad[0] = 2 * x[0];
    grad[1] = 2 * x[1];
    jac[0] = 2 * x[0] - 1;
    jac[1] = -1;
  }
  return CQ_OK;
}

/* Any method by its name: those of 'cqopt help optimizers'. */
static cq_status minimise(cq_ctx *ctx, cq_settings *settings) {
  const double start[2] = {3, 3}, lower[2] = {-5, -5}, upper[2] = {5, 5};
  int calls = 0;
  double x[2];
  cq_function_def def = {.struct_size = sizeof def,
                         .n = 2,
                         .n_inequality = 1,
                         .lower = lower,
                         .upper = upper,
                         .start = start,
                         .function = evaluate,
                         .has_gradient = true,
                         .user = &calls};
  cq_outcome outcome = {.struct_size = sizeof outcome};
  cq_status status = cq_settings_set(settings, "name=slsqp");
  if (status == CQ_OK) {
    status = cq_minimise(ctx, &def, settings, NULL, NULL, x, 2, &outcome);
  }
  if (status == CQ_OK) {
    printf("x = (%.6f, %.6f), f = %.6f after %d evaluations\n", x[0], x[1], outcome.f,
           outcome.evaluations);
  }
  return status;
}

int main(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_settings *settings = NULL;
  cq_status status = cq_settings_create(ctx, &settings);
  if (status == CQ_OK) {
    status = minimise(ctx, settings);
  }
  if (status != CQ_OK) {
    fprintf(stderr, "%s\n", cq_ctx_error(ctx));
  }
  cq_settings_destroy(settings);
  cq_ctx_destroy(ctx);
  return status != CQ_OK;
}
