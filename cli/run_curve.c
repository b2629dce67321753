#include "run_curve.h"

#include "status.h"
#include "table.h"
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const units[CLI_N_UNITS] = {"simulations", "evaluations", "seconds"};

const char *cli_unit_name(cli_unit unit) {
  return units[unit];
}

int cli_unit_find(const char *name) {
  for (int i = 0; i < CLI_N_UNITS; i++) {
    if (strcmp(units[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

typedef struct reading {
  cq_ctx *ctx;
  const cli_curve_def *def;
  cli_table history; /* has the times of the records, row by row */
  int seconds_column;
  int index; /* of the record before */
  double spent[CLI_N_UNITS];
  cli_curve *curve;
} reading;

static cq_status add_step(reading *r, double f) {
  cli_curve *const c = r->curve;
  cli_step *const more = realloc(c->steps, ((size_t)c->count + 1) * sizeof *more);
  CQ_CHECK(r->ctx, more != NULL, CQ_MEMORY, "out of memory");
  c->steps = more;
  c->steps[c->count].f = f;
  memcpy(c->steps[c->count++].spent, r->spent, sizeof r->spent);
  return CQ_OK;
}

static void spend(reading *r, const cq_evaluation *e) {
  r->spent[CLI_SIMULATIONS] += cq_evaluation_cost(e, r->index, r->def->gradient_cost);
  r->spent[CLI_EVALUATIONS] = fmax(r->spent[CLI_EVALUATIONS], e->index);
  const double seconds =
      cli_table_next(&r->history) ? cli_table_number(&r->history, r->seconds_column) : NAN;
  r->spent[CLI_SECONDS] = fmax(r->spent[CLI_SECONDS], seconds); /* fmax ignores NAN */
  r->index = e->index;
}

/* *over: the budget is used up */
static cq_status take(reading *r, const cq_evaluation *e, bool *over) {
  static const double rounding = 1e-9;
  cli_curve *const c = r->curve;
  const bool is_first = r->index == 0;
  spend(r, e);
  *over = r->spent[r->def->unit] > r->def->budget * (1 + rounding);
  if (*over) {
    return CQ_OK;
  }
  memcpy(c->end, r->spent, sizeof c->end);
  if (e->status != CQ_OK) {
    return CQ_OK;
  }
  c->f_first = is_first ? e->f : c->f_first;
  c->violation = fmin(c->violation, e->violation);
  const bool feasible = e->violation <= r->def->constraint_tolerance;
  const bool better = c->count == 0 || e->f < c->steps[c->count - 1].f;
  return feasible && better ? add_step(r, e->f) : CQ_OK;
}

static cq_status read_all(reading *r, cq_trace_reader *trace) {
  const cq_evaluation *e = NULL;
  bool over = false;
  CQ_TRY(cq_trace_next(trace, &e));
  while (e != NULL && !over) {
    CQ_TRY(take(r, e, &over));
    CQ_TRY(cq_trace_next(trace, &e));
  }
  return CQ_OK;
}

cq_status cli_curve_read(cq_ctx *ctx, const char *folder, const cli_curve_def *def,
                         cli_curve *out) {
  char bin[CLI_PATH + 16], csv[CLI_PATH + 16];
  reading r = {.ctx = ctx, .def = def, .curve = out};
  cq_trace_reader *trace = NULL;
  *out = (cli_curve){.f_first = NAN, .violation = NAN};
  snprintf(bin, sizeof bin, "%s/evals.bin", folder);
  snprintf(csv, sizeof csv, "%s/history.csv", folder);
  if (access(bin, R_OK) != 0 || access(csv, R_OK) != 0) {
    return CQ_OK;
  }
  CQ_TRY(cli_table_open(ctx, csv, &r.history));
  r.seconds_column = cli_table_column(&r.history, "elapsed_seconds");
  cq_status status = cq_trace_open(ctx, bin, &trace);
  if (status == CQ_OK) {
    status = read_all(&r, trace);
    cq_trace_close(trace);
  }
  cli_table_close(&r.history);
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
