#include "half_step.h"

#include "aside.h"
#include "run_read.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* what is worth a warning */
static const double large_share = 0.01;

/* A constraint that is violated by more than a hundredth of what it changed by over the run, or of
 * its bound: index, or -1. Active ones always miss by a little. */
static int missed_constraint(const cli_outcome *o, const double *c) {
  const double tolerance = cq_scene_optimizer(o->scene)->constraint_tolerance;
  for (int i = 0; i < o->n_constraints; i++) {
    const double violation = i < o->problem->n_inequality ? fmax(c[i], 0.0) : fabs(c[i]);
    const double bound = fabs(cq_scene_constraint(o->scene, i, c[i]).bound);
    const double unit = fmax(fabs(o->c_start[i] - o->c_best[i]), bound); /* fmax drops NAN */
    if (violation > tolerance + large_share * unit) {
      return i;
    }
  }
  return -1;
}

/* Warns where the time step made much of the result, or where a constraint holds by it alone. */
static void judge(cli_session *session, const cli_outcome *o, const double *c,
                  cli_half_step *half) {
  const double gain = fabs(o->f_start - o->f_best), change = fabs(half->f - o->f_best);
  half->share = gain > 0.0 ? change / gain : NAN;
  for (int i = 0; i < o->n_constraints; i++) {
    half->violation = fmax(half->violation, i < o->problem->n_inequality ? c[i] : fabs(c[i]));
  }
  if (half->share > large_share) {
    cq_log(session->ctx, CQ_LOG_WARNING,
           "at half the time step the objective of the best design is %.4g, not %.4g: a change of "
           "%.2g %% of what the run gained; a smaller simulation.time_step gives a result that "
           "depends less on it",
           half->f, o->f_best, 100.0 * half->share);
  }
  const int missed = missed_constraint(o, c);
  if (missed >= 0) {
    cq_log(session->ctx, CQ_LOG_WARNING,
           "at half the time step the best design violates %s by %.3g; a smaller "
           "simulation.time_step or a margin in the bound helps",
           cq_scene_constraint_label(o->scene, missed), fabs(c[missed]));
  }
}

static void simulate(cli_session *session, const cli_outcome *o, double *c, cli_half_step *half) {
  const bool was_clean = cq_ctx_status(session->ctx) == CQ_OK;
  cli_folder_deafen(&session->folder, true);
  const cq_status status = cq_scene_evaluate_finer(session->scene, 1 + o->best_refinement,
                                                   o->best_index, o->best, &half->f, c);
  cli_folder_deafen(&session->folder, false);
  half->done = status == CQ_OK && isfinite(half->f);
  if (half->done) {
    judge(session, o, c, half);
  } else {
    cli_aside_take_error(session->ctx, was_clean, status, half->note);
    cq_log(session->ctx, CQ_LOG_WARNING, "the best design at half the time step: %s", half->note);
  }
}

/* Unless it is not wanted, or there is no time or memory for it; the note says which. */
cli_half_step cli_half_step_simulate(cli_session *session, const cli_outcome *o) {
  cli_half_step half = {.f = NAN, .share = NAN};
  half.wanted = o->best_index > 0 && cq_scene_information(session->scene).verify_refined;
  if (half.wanted && cli_aside_exceeds_time(o)) {
    snprintf(half.note, sizeof half.note, "left out: it would go beyond optimizer.max_time");
  } else if (half.wanted) {
    double *const c = calloc((size_t)o->n_constraints + 1, sizeof *c);
    if (c != NULL) {
      simulate(session, o, c, &half);
    } else {
      snprintf(half.note, sizeof half.note, "left out: out of memory");
    }
    free(c);
  }
  return half;
}

void cli_half_step_print(FILE *out, const cli_style *style, const cli_half_step *half) {
  fprintf(out, "\n%sHalf step   %s", style->bold, style->end);
  if (!half->done) {
    fputs(half->note, out);
    return;
  }
  fprintf(out, "f %.5e", half->f);
  if (!isnan(half->share)) {
    const bool good = half->share <= large_share;
    fprintf(out, ": a change of %s%.2g %%%s of what the run gained",
            good ? style->good : style->fair, 100.0 * half->share, style->end);
  }
  fprintf(out, ", violation %.3g", half->violation);
}

void cli_half_step_json(cq_json *json, const cli_half_step *half) {
  if (half->done) {
    cq_json_number(json, "half_step_f", half->f);
    cq_json_number(json, "half_step_violation", half->violation);
    cq_json_number(json, "half_step_share", half->share);
  } else if (half->wanted) {
    cq_json_text(json, "half_step", half->note);
  }
}

static double read_number(const char *json, const char *name) {
  char text[64], *end = NULL;
  cli_run_member(json, name, text, sizeof text);
  const double value = strtod(text, &end);
  return end != text && *end == '\0' ? value : NAN;
}

cli_half_step cli_half_step_read(const char *json) {
  cli_half_step half = {.f = read_number(json, "half_step_f"),
                        .violation = read_number(json, "half_step_violation"),
                        .share = read_number(json, "half_step_share")};
  half.done = !isnan(half.f);
  cli_run_member(json, "half_step", half.note, sizeof half.note);
  half.wanted = half.done || strcmp(half.note, "-") != 0;
  return half;
}
