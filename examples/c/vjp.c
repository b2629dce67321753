/* A vector-Jacobian product: how the height of a finger's tip at three states depends on its
 * controls, on the stiffness of every particle and on the velocities at the start. */
#include <cqopt/cqopt.h>

#include <stdio.h>
#include <stdlib.h>

static double largest(const double *values, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double size = values[i] < 0 ? -values[i] : values[i];
    most = size > most ? size : most;
  }
  return most;
}

/* Prints the largest entry of dL by one input, of so many numbers. */
static cq_status show(cq_run *run, const char *name, int input, size_t n) {
  double *gradient = calloc(n, sizeof *gradient);
  cq_status status = gradient != NULL ? cq_run_gradient(run, input, gradient, n) : CQ_MEMORY;
  if (status == CQ_OK) {
    printf("dL/d(%s): %zu numbers, the largest is %.4g\n", name, n, largest(gradient, n));
  }
  free(gradient);
  return status;
}

static cq_status show_input(cq_run *run, const char *name) {
  cq_about_array about = {.struct_size = sizeof about};
  int input = cq_run_find(run, CQ_INPUTS, name);
  cq_status status = cq_run_describe(run, CQ_INPUTS, input, &about);
  return status == CQ_OK ? show(run, name, input, about.numbers) : status;
}

/* L is the sum of the heights at these states. */
static cq_status pull(cq_run *run, size_t controls) {
  const int states[3] = {20, 40, 60};
  const double up[2] = {0, 1};
  double u[64] = {0, 2}; /* the right muscle pulls */
  int tip = cq_run_find(run, CQ_OBSERVABLES, "tip.position");
  cq_status status = cq_run_reset(run, NULL, 0);
  if (status == CQ_OK) {
    status = cq_run_advance(run, states[2], u, controls);
  }
  for (int i = 0; i < 3 && status == CQ_OK; i++) {
    status = cq_run_seed(run, tip, states[i], up, 2);
  }
  if (status == CQ_OK) {
    status = cq_run_pull(run);
  }
  if (status == CQ_OK) {
    status = show(run, "controls", CQ_GRADIENT_CONTROLS, (size_t)states[2] * controls);
  }
  if (status == CQ_OK) {
    status = show_input(run, "youngs_modulus");
  }
  return status == CQ_OK ? show_input(run, "v") : status;
}

int main(void) {
  cq_ctx *ctx = cq_ctx_create(0, 1);
  cq_file *file = NULL;
  cq_run *run = NULL;
  cq_about_file about = {.struct_size = sizeof about};
  cq_status status = cq_file_load(ctx, "finger", NULL, 0, &file);
  if (status == CQ_OK) {
    status = cq_file_info(file, &about);
  }
  if (status == CQ_OK) {
    status = cq_run_create(file, CQ_RUN_KEEP, &run);
  }
  if (status == CQ_OK) {
    status = pull(run, (size_t)about.controls);
  }
  if (status != CQ_OK) {
    fprintf(stderr, "%s\n", cq_ctx_error(ctx));
  }
  cq_run_destroy(run);
  cq_file_destroy(file);
  cq_ctx_destroy(ctx);
  return status != CQ_OK;
}
