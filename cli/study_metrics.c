/* What is measured of the runs of a study. */
#include "alloc.h"
#include "nearest.h"
#include "run_read.h"
#include "run_state.h"
#include "statistics.h"
#include "status.h"
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double metric_f(const cli_start *end, bool feasible) {
  return feasible ? end->f : INFINITY;
}

static double known(double value, bool feasible) {
  return feasible && !isnan(value) ? value : INFINITY;
}

static double metric_f_mean(const cli_start *end, bool feasible) {
  return known(end->f_mean, feasible);
}

static double metric_f_deviation(const cli_start *end, bool feasible) {
  return known(end->f_deviation, feasible);
}

static double metric_f_worst(const cli_start *end, bool feasible) {
  return known(end->f_worst, feasible);
}

static double metric_violation(const cli_start *end, bool feasible) {
  (void)feasible;
  return isnan(end->violation) ? INFINITY : end->violation;
}

static double metric_kkt_residual(const cli_start *end, bool feasible) {
  (void)feasible;
  return isnan(end->kkt_residual) ? INFINITY : end->kkt_residual;
}

static double metric_evaluations(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->evaluations;
}

static double metric_simulations(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->simulations;
}

static double metric_gradients(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->gradients;
}

static double metric_failures(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->failures;
}

static double metric_recovered(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->recovered;
}

static double metric_verified(const cli_start *end, bool feasible) {
  (void)feasible;
  return end->exit_code == 0;
}

static double metric_seconds(const cli_start *end, bool feasible) {
  (void)feasible;
  return isnan(end->seconds) ? INFINITY : end->seconds;
}

static const cli_metric metrics[] = {{"f", metric_f},
                                     {"violation", metric_violation},
                                     {"kkt_residual", metric_kkt_residual},
                                     {"evaluations", metric_evaluations},
                                     {"simulations", metric_simulations},
                                     {"gradients", metric_gradients},
                                     {"failures", metric_failures},
                                     {"recovered", metric_recovered},
                                     {"seconds", metric_seconds},
                                     {"verified", metric_verified},
                                     {"f_mean", metric_f_mean},
                                     {"f_deviation", metric_f_deviation},
                                     {"f_worst", metric_f_worst}};

enum { N_METRICS = sizeof metrics / sizeof metrics[0] };

const cli_metric *cli_metric_at(int i) {
  return i < N_METRICS ? &metrics[i] : NULL;
}

int cli_study_run(const cli_study *s, int cell, int seed) {
  return seed * s->plan->cells.count + cell;
}

/* --- what is wanted --- */

/* What a row of a history has beside f: terms, where there are several, and constraints; "" past
 * the end. */
static void recorded_label(const cq_scene *scene, int i, char *text, size_t size) {
  const int n = cq_scene_recorded_count(scene);
  const cq_problem *const problem = cq_scene_problem(scene);
  text[0] = '\0';
  if (i < n) {
    cq_scene_recorded_label(scene, i, text, size);
  } else if (i - n < problem->n_inequality + problem->n_equality) {
    snprintf(text, size, "%s", cq_scene_constraint_label(scene, i - n));
  }
}

static cq_status find_metric(const cli_study *s, const char *name, const cq_scene *scene,
                             cli_metric *out) {
  char label[192];
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < N_METRICS; i++) {
    cq_nearest_offer(&nearest, metrics[i].name);
    if (strcmp(metrics[i].name, name) == 0) {
      *out = metrics[i];
      return CQ_OK;
    }
  }
  recorded_label(scene, 0, label, sizeof label);
  for (int i = 1; label[0] != '\0'; recorded_label(scene, i++, label, sizeof label)) {
    cq_nearest_offer(&nearest, label);
    if (strcmp(label, name) == 0) {
      *out = (cli_metric){.name = name};
      return CQ_OK;
    }
  }
  return CQ_FAIL(s->ctx, CQ_USAGE, "--metric: nothing is called \"%s\"; %s", name,
                 cq_nearest_text(&nearest));
}

cq_status cli_study_want(cli_study *s, const char *const *names, int n, const cq_scene *scene) {
  CQ_TRY(CQ_ALLOC(s->ctx, s->wanted, n > 0 ? n : 1));
  s->wanted[0] = metrics[0];
  s->n_wanted = n > 0 ? n : 1;
  for (int i = 0; i < n; i++) {
    CQ_TRY(find_metric(s, names[i], scene, &s->wanted[i]));
  }
  return CQ_OK;
}

/* The columns of one run; NAN: it has no such column. */
static cq_status read_history(cli_study *s, int run) {
  char folder[CLI_PATH], *json = NULL;
  cli_history history;
  cli_folder_path(s->batch.folder, s->batch.runs[run].folder, folder, sizeof folder);
  CQ_TRY(cli_run_read(s->ctx, folder, &json));
  const cq_status status = cli_history_read(s->ctx, folder, json, &history);
  free(json);
  CQ_TRY(status);
  for (int i = 0; i < s->n_wanted; i++) {
    if (s->wanted[i].of == NULL) {
      s->columns[(size_t)i * (size_t)s->batch.count + (size_t)run] =
          cli_history_best(&history, s->wanted[i].name);
    }
  }
  cli_history_free(&history);
  return CQ_OK;
}

cq_status cli_study_read_columns(cli_study *s) {
  const size_t count = (size_t)s->n_wanted * (size_t)s->batch.count;
  bool any = false;
  CQ_TRY(CQ_ALLOC(s->ctx, s->columns, count));
  for (size_t i = 0; i < count; i++) {
    s->columns[i] = NAN;
  }
  for (int i = 0; i < s->n_wanted; i++) {
    any = any || s->wanted[i].of == NULL;
  }
  for (int run = 0; run < s->batch.count && any; run++) {
    if (cli_batch_has_ended(&s->batch.runs[run])) {
      CQ_TRY(read_history(s, run));
    }
  }
  return CQ_OK;
}

/* --- values --- */

double cli_study_value(const cli_study *s, const cli_metric *metric, int cell, int seed) {
  const int run = cli_study_run(s, cell, seed);
  const cli_start *const end = &s->batch.runs[run].end;
  return metric->of != NULL
             ? metric->of(end, end->violation <= s->tolerances[cell])
             : s->columns[(size_t)(metric - s->wanted) * (size_t)s->batch.count + (size_t)run];
}

int cli_study_ended(const cli_study *s, int cell) {
  int n = 0;
  for (int k = 0; k < s->seeds; k++) {
    n += cli_batch_has_ended(&s->batch.runs[cli_study_run(s, cell, k)]);
  }
  return n;
}

int cli_study_successes(const cli_study *s, int cell) {
  int n = 0;
  for (int k = 0; k < s->seeds; k++) {
    n += s->batch.runs[cli_study_run(s, cell, k)].end.exit_code == 0;
  }
  return n;
}

void cli_study_quartiles(const cli_study *s, int cell, const cli_metric *metric,
                         double quartiles[3]) {
  double *const values = calloc((size_t)s->seeds, sizeof *values);
  int n = 0;
  for (int k = 0; k < s->seeds && values != NULL; k++) {
    if (cli_batch_has_ended(&s->batch.runs[cli_study_run(s, cell, k)])) {
      const double value = cli_study_value(s, metric, cell, k);
      values[n++] = isnan(value) ? INFINITY : value;
    }
  }
  if (values != NULL) {
    cli_sort(values, n);
  }
  for (int q = 0; q < 3; q++) {
    quartiles[q] = values != NULL ? cli_quantile(values, n, 0.25 * (q + 1)) : NAN;
  }
  free(values);
}
