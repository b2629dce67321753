/* A run step by step, with controls from outside: a finger is bent by a simple feedback. */
#include <cqopt/cqopt.h>

#include <stdio.h>

enum { ACTION = 10 }; /* steps with the same controls */

/* The right muscle pulls while the tip is left of where it is wanted. */
static cq_status step(cq_run *run, int controls, int tip) {
  double place[3] = {0, 0, 0}, u[64] = {0};
  cq_about_control about = {.struct_size = sizeof about};
  cq_status status = cq_run_observe(run, tip, cq_run_step(run), place, 2);
  for (int i = 0; i < controls && status == CQ_OK; i++) {
    status = cq_run_control(run, i, &about);
    u[i] = i == 1 && place[0] < 0.6 ? about.upper : about.rest;
  }
  printf("state %3d: tip at (%.4f, %.4f)\n", cq_run_step(run), place[0], place[1]);
  return status == CQ_OK ? cq_run_advance(run, ACTION, u, (size_t)controls) : status;
}

static cq_status simulate(cq_file *file, cq_run *run) {
  cq_about_file about = {.struct_size = sizeof about};
  cq_status status = cq_file_info(file, &about);
  int tip = cq_run_find(run, CQ_OBSERVABLES, "tip.position");
  if (status == CQ_OK) {
    status = cq_run_reset(run, NULL, 0);
  }
  while (status == CQ_OK && cq_run_step(run) + ACTION <= about.steps) {
    status = step(run, about.controls, tip);
  }
  return status;
}

int main(void) {
  cq_ctx *ctx = cq_ctx_create(0, 1);
  cq_file *file = NULL;
  cq_run *run = NULL;
  cq_status status = cq_file_load(ctx, "finger", NULL, 0, &file);
  if (status == CQ_OK) {
    status = cq_run_create(file, 0, &run);
  }
  if (status == CQ_OK) {
    status = simulate(file, run);
  }
  if (status != CQ_OK) {
    fprintf(stderr, "%s\n", cq_ctx_error(ctx));
  }
  cq_run_destroy(run);
  cq_file_destroy(file);
  cq_ctx_destroy(ctx);
  return status != CQ_OK;
}
