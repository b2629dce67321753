#include "summary.h"

#include "clock.h"
#include "counted.h"
#include "design_table.h"
#include "experiments.h"
#include "label.h"
#include "plural.h"
#include "repeats.h"
#include "scenarios_table.h"
#include "tear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_value(FILE *out, int width, double value) {
  if (isfinite(value)) {
    fprintf(out, " %*.5e", width, value);
  } else {
    fprintf(out, " %*s", width, isinf(value) ? (value > 0 ? "inf" : "-inf") : "-");
  }
}

static void put_heading(FILE *out, const cli_style *style, const char *text) {
  fprintf(out, "\n%s%s%s", style->bold, text, style->end);
}

static void put_label(FILE *out, const char *label) {
  fputc('\n', out);
  cli_label_put(out, 2, CLI_LABEL_COLUMN, label);
}

/* The terms as they are combined, and f. */
static void print_terms(FILE *out, const cli_style *style, const cli_outcome *o) {
  char objective[64], heading[128];
  cli_scenarios_heading(o->scene, objective, sizeof objective);
  snprintf(heading, sizeof heading, "%-*s %12s %12s", CLI_LABEL_COLUMN + 2, objective, "start",
           "best");
  put_heading(out, style, heading);
  for (int i = 0; i < o->n_terms; i++) {
    put_label(out, cq_scene_term_label(o->scene, i));
    put_value(out, 12, o->terms_start[i]);
    put_value(out, 12, o->terms_best[i]);
  }
  if (o->n_terms != 1) {
    put_label(out, "sum");
    put_value(out, 12, o->f_start);
    put_value(out, 12, o->f_best);
  }
  fputc('\n', out);
}

/* A row a constraint, at the best design. */
static void print_constraints(FILE *out, const cli_style *style, const cli_outcome *o) {
  if (o->n_constraints == 0) {
    return;
  }
  char heading[128];
  snprintf(heading, sizeof heading, "%-26s %12s %15s %12s", "Constraints", "value", "bound",
           "multiplier");
  put_heading(out, style, heading);
  const double tolerance = cq_scene_optimizer(o->scene)->constraint_tolerance;
  for (int i = 0; i < o->n_constraints; i++) {
    const bool equality = i >= o->problem->n_inequality;
    const double violation = equality ? fabs(o->c_best[i]) : fmax(o->c_best[i], 0.0);
    const bool satisfied = !isnan(o->c_best[i]) && violation <= tolerance;
    const cq_constraint_info info = cq_scene_constraint(o->scene, i, o->c_best[i]);
    put_label(out, cq_scene_constraint_label(o->scene, i));
    put_value(out, 12, info.value);
    fprintf(out, " %2s", info.relation);
    put_value(out, 12, info.bound);
    put_value(out, 12, o->multipliers[i]);
    fprintf(out, "  %s%s%s", satisfied ? style->good : style->bad,
            satisfied ? "satisfied" : "violated", style->end);
  }
  fputc('\n', out);
}

static void print_design(FILE *out, const cli_style *style, const cli_outcome *o) {
  double *const values = calloc(2 * (size_t)o->n, sizeof *values), *const best = values + o->n;
  if (values == NULL) {
    return;
  }
  for (int i = 0; i < o->n; i++) {
    values[i] = cq_scene_variable(o->scene, i).start;
    best[i] = cq_scene_user_value(o->scene, i, o->best[i]);
  }
  const cli_design_table table = {
      .scene = o->scene, .heading = "Design", .start = values, .best = best};
  cli_design_print(out, style, &table);
  free(values);
}

/* "violation 0 (<= 1e-06)" in the colour of the answer */
static void put_verified(FILE *out, const cli_style *style, const char *name, double value,
                         double tolerance) {
  if (!isfinite(value)) {
    fprintf(out, "%s not known", name);
    return;
  }
  const bool good = value <= tolerance;
  fprintf(out, "%s %s%.3g%s (%s %.3g)", name, good ? style->good : style->bad, value, style->end,
          good ? "<=" : "above", tolerance);
}

/* what the residual stands on, where that is not an exact gradient */
static void put_gradient(FILE *out, const cli_style *style, cq_gradient_kind kind) {
  if (kind != CQ_GRADIENT_EXACT_REVERSE) {
    fprintf(out, ", gradient %s%s%s", style->fair, cq_gradient_kind_name(kind), style->end);
  }
}

static void print_verified(FILE *out, const cli_style *style, const cli_outcome *o) {
  const cq_outcome *const result = &o->result;
  const cq_optimizer_def *const def = cq_scene_optimizer(o->scene);
  if (result->has_point) {
    put_heading(out, style, result->status == CQ_OK ? "Verified    " : "Measured    ");
    put_verified(out, style, "violation", result->violation, def->constraint_tolerance);
    fputs(", ", out);
    put_verified(out, style, "KKT residual", result->kkt_residual, def->optimality_tolerance);
    put_gradient(out, style, cq_scene_problem(o->scene)->gradient);
  }
}

/* What was spent, and on what. */
static void print_effort(FILE *out, const cli_style *style, const cli_outcome *o) {
  const cq_outcome *const result = &o->result;
  const cq_scene_stats stats = cq_scene_statistics(o->scene);
  put_heading(out, style, "Effort      ");
  fprintf(out, "%d evaluation%s", result->evaluations, cq_plural(result->evaluations));
  if (result->replayed > 0) {
    fprintf(out, " (%d replayed)", result->replayed);
  }
  if (result->probes > 0) {
    fprintf(out, ", %d probe%s among them", result->probes, cq_plural(result->probes));
  }
  fprintf(out, ", %d gradient%s, %d failed (%.3g %%)", result->gradients,
          cq_plural(result->gradients), result->failures,
          100.0 * result->failures / (result->evaluations > 0 ? result->evaluations : 1));
  if (result->recovered > 0) {
    fprintf(out, ", %d solved in smaller steps", result->recovered);
  }
  cq_counted counted;
  for (int i = 0; (counted = cli_counted(&stats, i)).what != NULL; i++) {
    if (counted.count > 0) {
      fprintf(out, ", %lld %s in the last run", counted.count, counted.what);
    }
  }
  char total[CLI_STAMP], forward[CLI_STAMP], backward[CLI_STAMP], method[CLI_STAMP];
  cli_clock_duration(result->seconds, total);
  cli_clock_duration(stats.forward_seconds, forward);
  cli_clock_duration(stats.backward_seconds, backward);
  cli_clock_duration(fmax(result->seconds - result->eval_seconds, 0.0), method);
  put_heading(out, style, "Time        ");
  fprintf(out, "%s: forward %s, backward %s, optimizer %s", total, forward, backward, method);
}

const char *cli_summary_word(cq_status status, bool reached_target) {
  if (status == CQ_OK) {
    return reached_target ? "target reached" : "verified optimum";
  }
  return cq_status_text(status);
}

void cli_summary_go_on(FILE *out, const cli_style *style, cq_status status, bool has_point,
                       const char *folder) {
  if (status == CQ_INTERRUPTED || status == CQ_TERMINATED) {
    put_heading(out, style, "To go on    ");
    fprintf(out, "cqopt solve --resume %s", folder);
  } else if (cq_status_is_numeric(status) && has_point) {
    put_heading(out, style, "To go on    ");
    fprintf(out, "past such a design: optimizer.on_failure = \"penalty\", \"infeasible\" or "
                 "\"retry_smaller_step\"");
  }
}

/* From what was verified to the outcome, which stands last, where it is seen. */
static void print_sentences(FILE *out, const cli_style *style, void *summary) {
  const cli_summary *const s = summary;
  const cli_outcome *const o = s->outcome;
  print_verified(out, style, o);
  cli_repeats_print(out, style, o);
  if (s->half_step->wanted) {
    cli_half_step_print(out, style, s->half_step);
  }
  cli_health_print(out, style, s->health, o);
  cli_tear_print(out, style, o->scene, s->tear);
  cli_inactive_print(out, style, s->inactive);
  cli_uncertainty_print_sentences(out, style, s->uncertainty);
  print_effort(out, style, o);
  put_heading(out, style, "Files       ");
  fprintf(out, "%s: %sdesign.csv, %shistory.csv, run.json%s%s%s%s", s->folder->path,
          cq_scene_information(o->scene).report ? "report.html, " : "",
          s->uncertainty->of != NULL ? "uncertainty.csv, residuals.csv, " : "",
          s->with_picture ? ", convergence.svg" : "", s->with_failure ? ", failed_state.csv" : "",
          s->with_trajectory ? ", trajectory.xdmf" : "",
          s->health->with_file ? ", adjoint.csv" : "");
  cli_summary_go_on(out, style, s->status, o->result.has_point, s->folder->path);
  put_heading(out, style, "Outcome     ");
  const char *const word = cli_summary_word(s->status, o->result.reached_target);
  const char *const reason = o->result.reason;
  const bool repeats = strncmp(reason, word, strlen(word)) == 0;
  fprintf(out, "%s%s%s%s%s\n", cli_style_of(style, s->status), repeats ? "" : word,
          repeats ? "" : ": ", reason, style->end);
}

void cli_summary_print(FILE *out, const cli_style *style, void *summary) {
  const cli_summary *const s = summary;
  if (s->outcome->result.has_point) {
    print_terms(out, style, s->outcome);
    cli_scenarios_print(out, style, s->outcome);
    cli_experiments_print(out, style, s->outcome);
    print_constraints(out, style, s->outcome);
    print_design(out, style, s->outcome);
    cli_uncertainty_print(out, style, s->uncertainty);
  }
  cli_style_wrapped(out, style, CLI_HEADING, print_sentences, summary);
}
