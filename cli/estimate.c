#include "estimate.h"

#include "status.h"
#include "style.h"

#include <math.h>

/* steps that are timed at most, and what is worth a word [s] */
enum { TIMED = 20, LONG = 60 };

typedef struct estimate {
  cq_plan plan;
  double forward, with_gradient; /* [s] of an evaluation */
  double whole;                  /* [s] of the budget; NAN: there is none */
} estimate;

/* A gradient costs what the settings say, and the steps that it has to run again. */
static estimate make(const cq_scene *scene, cq_plan plan) {
  const cq_optimizer_def *const def = cq_scene_optimizer(scene);
  const double again = plan.steps > 0 ? (double)plan.replayed / (double)plan.steps : 0.0;
  estimate e = {.plan = plan, .forward = plan.seconds};
  e.with_gradient = e.forward * (def->gradient_cost + again);
  e.whole = def->max_time > 0.0 ? def->max_time : NAN;
  if (def->max_evaluations > 0) {
    e.whole = fmin(def->max_evaluations * e.with_gradient, isnan(e.whole) ? INFINITY : e.whole);
  }
  return e;
}

/* A clock's hundredths say nothing of a short one. */
static void put_duration(double seconds, char text[CLI_STAMP]) {
  if (seconds < 1.0) {
    snprintf(text, CLI_STAMP, "%.2g s", seconds);
  } else {
    cli_clock_duration(seconds, text);
  }
}

static void put(FILE *out, const cli_style *style, void *user) {
  const estimate *const e = user;
  char forward[CLI_STAMP], gradient[CLI_STAMP], whole[CLI_STAMP];
  (void)style;
  put_duration(e->forward, forward);
  put_duration(e->with_gradient, gradient);
  cli_clock_duration(e->whole, whole);
  fprintf(out, "  time: by %d steps, about %s an evaluation, %s with its gradient", e->plan.timed,
          forward, gradient);
  if (isfinite(e->whole)) {
    fprintf(out, "; the budget lasts at most about %s", whole);
  }
  fputc('\n', out);
}

static void print(FILE *out, const cli_style *style, void *user) {
  cli_style_wrapped(out, style, 4, put, user);
}

cq_status cli_estimate_say(cli_session *session) {
  cq_plan plan = {.struct_size = sizeof plan};
  CQ_TRY(cq_scene_get_plan(session->scene, TIMED, &plan));
  estimate e = make(session->scene, plan);
  if (!(fmax(e.with_gradient, isfinite(e.whole) ? e.whole : 0.0) > LONG)) {
    return CQ_OK;
  }
  return cli_style_report(session->ctx, &session->folder, session->options->quiet, print, &e);
}
