#include "run_curve.h"

#include "cqopt/trace.h"

#include "nearest.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const units[CLI_N_UNITS] = {"simulations", "evaluations", "seconds"};

const char *cli_unit_name(cli_unit unit) {
  return units[unit];
}

cq_status cli_unit_find(cq_ctx *ctx, const char *name, cli_unit *unit) {
  cq_nearest nearest = cq_nearest_begin(name != NULL ? name : "");
  *unit = CLI_SIMULATIONS;
  for (int i = 0; i < CLI_N_UNITS && name != NULL; i++) {
    if (cq_same_word(units[i], name)) {
      *unit = (cli_unit)i;
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, units[i]);
  }
  CQ_CHECK(ctx, name == NULL, CQ_USAGE, "--budget-in: a budget is not counted in \"%s\"; %s", name,
           cq_nearest_text(&nearest));
  return CQ_OK;
}

cli_curve_taker cli_curve_begin(cq_ctx *ctx, const cli_curve_def *def, cli_curve *curve) {
  *curve = (cli_curve){.f_first = NAN, .violation = NAN};
  return (cli_curve_taker){.ctx = ctx, .def = def, .curve = curve};
}

static cq_status add_step(cli_curve_taker *t, double f) {
  cli_curve *const c = t->curve;
  cli_step *const more = realloc(c->steps, ((size_t)c->count + 1) * sizeof *more);
  CQ_CHECK(t->ctx, more != NULL, CQ_MEMORY, "out of memory");
  c->steps = more;
  c->steps[c->count].f = f;
  memcpy(c->steps[c->count++].spent, t->spent, sizeof t->spent);
  return CQ_OK;
}

cq_status cli_curve_take(cli_curve_taker *t, const cq_evaluation *e, double seconds) {
  static const double rounding = 1e-9;
  cli_curve *const c = t->curve;
  const bool is_first = t->index == 0;
  t->spent[CLI_SIMULATIONS] += cq_evaluation_cost(e, t->index, t->def->gradient_cost);
  t->spent[CLI_EVALUATIONS] = fmax(t->spent[CLI_EVALUATIONS], e->index);
  t->spent[CLI_SECONDS] = fmax(t->spent[CLI_SECONDS], seconds); /* fmax ignores NAN */
  t->index = e->index;
  t->over = t->over || t->spent[t->def->unit] > t->def->budget * (1 + rounding);
  if (t->over) {
    return CQ_OK;
  }
  memcpy(c->end, t->spent, sizeof c->end);
  if (e->status != CQ_OK) {
    return CQ_OK;
  }
  c->f_first = is_first ? e->f : c->f_first;
  c->violation = fmin(c->violation, e->violation);
  const bool feasible = e->violation <= t->def->constraint_tolerance;
  const bool better = c->count == 0 || e->f < c->steps[c->count - 1].f;
  return feasible && better ? add_step(t, e->f) : CQ_OK;
}

/* history.csv has the times of the records, row by row */
static cq_status read_all(cli_curve_taker *t, cq_trace_reader *trace, cli_table *history) {
  const int seconds = cli_table_column(history, "elapsed_seconds");
  const cq_evaluation *e = NULL;
  CQ_TRY(cq_trace_next(trace, &e));
  while (e != NULL && !t->over) {
    CQ_TRY(
        cli_curve_take(t, e, cli_table_next(history) ? cli_table_number(history, seconds) : NAN));
    CQ_TRY(cq_trace_next(trace, &e));
  }
  return CQ_OK;
}

/* A run that left no record has an empty curve. */
cq_status cli_curve_read(cq_ctx *ctx, const char *folder, const cli_curve_def *def,
                         cli_curve *out) {
  char bin[CLI_PATH + 16], csv[CLI_PATH + 16];
  cli_curve_taker taker = cli_curve_begin(ctx, def, out);
  cq_trace_reader *trace = NULL;
  cli_table history;
  snprintf(bin, sizeof bin, "%s/evals.bin", folder);
  snprintf(csv, sizeof csv, "%s/history.csv", folder);
  if (access(bin, R_OK) != 0 || access(csv, R_OK) != 0) {
    return CQ_OK;
  }
  CQ_TRY(cli_table_open(ctx, csv, &history));
  cq_status status = cq_trace_open(ctx, bin, &trace);
  if (status == CQ_OK) {
    status = read_all(&taker, trace, &history);
    cq_trace_close(trace);
  }
  cli_table_close(&history);
  return status;
}

void cli_curve_free(cli_curve *curve) {
  free(curve->steps);
  curve->steps = NULL;
}

double cli_curve_at(const cli_curve *curve, cli_unit unit, double spent) {
  double f = INFINITY;
  for (int i = 0; i < curve->count && curve->steps[i].spent[unit] <= spent; i++) {
    f = curve->steps[i].f;
  }
  return f;
}

double cli_curve_hit(const cli_curve *curve, cli_unit unit, double target) {
  for (int i = 0; i < curve->count; i++) {
    if (curve->steps[i].f <= target) {
      return curve->steps[i].spent[unit];
    }
  }
  return INFINITY;
}
