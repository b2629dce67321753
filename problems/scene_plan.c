/* What an evaluation of a problem takes, before there has been one. */
#include "give.h"
#include "status.h"
#include "task.h"
#include "timer.h"

#include <math.h>

static cq_status take_time(void *user, int step, const double *state) {
  double *const times = user;
  (void)state;
  times[step > 1] = cq_now();
  return CQ_OK;
}

/* Seconds of a step from the start, by so many of them after the first, which finds its memory
 * untouched; NAN where the run does not get that far. */
static double time_steps(cq_scene *scene, int timed) {
  double times[2] = {0.0, 0.0};
  const int states[] = {1, 1 + timed};
  cq_scene_take_design(scene, scene->design.start, scene->current);
  if (cq_sim_visit(scene->sim, scene->current, states, 2, take_time, times) != CQ_OK) {
    cq_ctx_clear_error(scene->ctx); /* an evaluation says so, or takes smaller steps */
    return NAN;
  }
  return (times[1] - times[0]) / timed;
}

/* Adds what `runs` runs of a scene take. */
static cq_status add(cq_scene *scene, int runs, int timed, cq_plan *plan) {
  const int steps = scene->model.steps, n = timed < steps ? timed : steps - 1;
  long long replayed = 0;
  if (cq_sim_sweeps(scene->sim) && scene->difference == NULL) {
    CQ_TRY(cq_sim_planned(scene->sim, &replayed));
  }
  plan->steps += (long long)runs * steps;
  plan->replayed += runs * replayed;
  plan->timed = n > 0 ? n : 0;
  plan->seconds += n > 0 ? (double)runs * steps * time_steps(scene, n) : NAN;
  return CQ_OK;
}

cq_status cq_scene_get_plan(cq_scene *scene, int timed, cq_plan *out) {
  const cq_joined *const joined = scene->joined;
  cq_plan plan = {.steps = 0};
  CQ_CHECK(scene->ctx, timed >= 0, CQ_USAGE, "%d steps cannot be timed", timed);
  for (int k = 0; joined != NULL && k < joined->count; k++) {
    CQ_TRY(add(joined->all[k].scene, 1, timed, &plan));
  }
  if (joined == NULL) {
    CQ_TRY(add(scene, scene->n_scenarios > 0 ? scene->n_judged : 1, timed, &plan));
  }
  return CQ_GIVE(scene->ctx, out, plan);
}
