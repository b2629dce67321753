#include "within.h"

#include "clock.h"
#include "gradient_cost.h"
#include "timer.h"

#include <math.h>
#include <stdio.h>

/* [s] after which an evaluation is one that takes its time, and between two words on it */
static const double FIRST = 0.5, EVERY = 0.25;

cli_within cli_within_begin(cq_scene *scene) {
  const cq_problem *const problem = cq_scene_problem(scene);
  const cq_optimizer_def *const def = cq_scene_optimizer(scene);
  cq_plan plan = {.struct_size = sizeof plan};
  cli_within w = {.gradient = cli_takes_gradients(def->name),
                  .ratio = def->gradient_cost - 1.0,
                  .began = cq_now()};
  w.runs = problem->difference != NULL ? def->gradient_cost : 0.0;
  w.steps = cq_scene_get_plan(scene, 0, &plan) == CQ_OK ? plan.steps : 0;
  w.heard = w.spoke = w.began;
  return w;
}

/* Steps forward that the evaluation has. */
static double all_forward(const cli_within *w) {
  return (double)w->steps * (w->gradient && w->runs > 0.0 ? w->runs : 1.0);
}

/* of the steps of a kind; all of them forward where a gradient follows a value that was there */
static double share(const cli_within *w, bool backward) {
  const double all = backward ? (double)w->steps : all_forward(w);
  const bool there = !backward && w->made[0] == 0 && w->made[1] > 0;
  return there ? 1.0 : fmin((double)w->made[backward] / all, 1.0);
}

/* [s] NAN: no step forward was timed, and one backward is not wanted */
static double time_left(const cli_within *w) {
  const double forward = w->spent[0] / (double)w->made[0];
  const double backward = w->made[1] > 0 ? w->spent[1] / (double)w->made[1] : w->ratio * forward;
  const double on = w->made[0] > 0 ? (1.0 - share(w, false)) * all_forward(w) * forward : 0.0;
  const bool sweeps = w->runs == 0.0 && (w->gradient || w->made[1] > 0);
  return on + (sweeps ? (1.0 - share(w, true)) * (double)w->steps * backward : 0.0);
}

static void put(const cli_within *w, char text[CLI_WITHIN]) {
  char left[CLI_STAMP];
  const double forward = 100.0 * share(w, false), backward = 100.0 * share(w, true);
  cli_clock_short(time_left(w), left);
  if (w->made[1] == 0) {
    snprintf(text, CLI_WITHIN, "forward %.0f %%, about %s left", forward, left);
  } else if (forward < 100.0) {
    snprintf(text, CLI_WITHIN, "forward %.0f %%, backward %.0f %%, about %s left", forward,
             backward, left);
  } else {
    snprintf(text, CLI_WITHIN, "backward %.0f %%, about %s left", backward, left);
  }
}

/* What went by since the tick before is the time of this one's step. */
bool cli_within_tick(cli_within *w, long long forward, long long backward, char text[CLI_WITHIN]) {
  const double now = cq_now();
  const bool turned = backward - w->before[1] > w->made[1];
  w->spent[turned] += now - w->heard;
  w->heard = now;
  w->made[0] = forward - w->before[0];
  w->made[1] = backward - w->before[1];
  if (w->steps == 0 || now - w->began < FIRST || now - w->spoke < EVERY) {
    return false;
  }
  w->spoke = now;
  put(w, text);
  return true;
}

void cli_within_next(cli_within *w, bool with_gradient) {
  if (w->made[0] > 0 && w->made[1] > 0) {
    w->ratio = w->spent[1] / (double)w->made[1] / (w->spent[0] / (double)w->made[0]);
  }
  for (int k = 0; k < 2; k++) {
    w->before[k] += w->made[k];
    w->made[k] = 0;
    w->spent[k] = 0.0;
  }
  w->gradient = with_gradient;
  w->began = w->heard = cq_now();
}
