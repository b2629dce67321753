/* Columns of the record of a run. */
#include "cqopt/trace.h"

#include "folder.h"
#include "plot_data.h"
#include "run_read.h"
#include "run_state.h"
#include "status.h"
#include "table.h"
#include "whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What history.csv does not have, or under another name; what is spent is known from evals.bin. */
enum { EVALUATIONS, SIMULATIONS, COST, TIME, OBJECTIVE, BEST, N_NAMES };
static const char *const names[N_NAMES] = {"evaluations", "simulations", "cost",
                                           "time",        "objective",   "best"};

typedef struct reading {
  cli_plot_data *data;
  cli_table table;
  cq_trace_reader *trace; /* NULL: is not needed */
  double tolerance, gradient_cost;
  int x, y; /* as of cli_plot_column */
  int eval, time, f, violation, status;
  double values[N_NAMES];
} reading;

static bool is_spent(int column) {
  return column == -1 - SIMULATIONS || column == -1 - COST;
}

/* The columns that are drawn, and those that the derived ones are made of; evals.bin only for what
 * it alone has. */
static cq_status open_files(reading *r, const cli_plot_def *def, const char *folder) {
  cq_ctx *const ctx = r->data->ctx;
  char path[CLI_PATH], *json = NULL;
  snprintf(path, sizeof path, "%.1000s/history.csv", folder);
  CQ_TRY(cli_table_open(ctx, path, &r->table));
  CQ_TRY(cli_plot_column(ctx, &r->table, path, names, N_NAMES, def->x, &r->x));
  CQ_TRY(cli_plot_column(ctx, &r->table, path, names, N_NAMES, def->y, &r->y));
  r->eval = cli_table_column(&r->table, "eval");
  r->time = cli_table_column(&r->table, "elapsed_seconds");
  r->f = cli_table_column(&r->table, "f");
  r->violation = cli_table_column(&r->table, "violation");
  r->status = cli_table_column(&r->table, "status");
  CQ_TRY(cli_run_read(ctx, folder, &json));
  r->tolerance = fmax(cli_run_number(json, "constraint_tolerance"), 0.0);
  r->gradient_cost = fmax(cli_run_number(json, "gradient_cost"), 1.0);
  free(json);
  snprintf(path, sizeof path, "%.1000s/evals.bin", folder);
  return is_spent(r->x) || is_spent(r->y) ? cq_trace_open(ctx, path, &r->trace) : CQ_OK;
}

/* the records of evals.bin are the rows of history.csv */
static cq_status take_spent(reading *r) {
  const cq_evaluation *e = NULL;
  if (r->trace == NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_trace_next(r->trace, &e));
  if (e != NULL) {
    r->values[SIMULATIONS] += e->simulations;
    r->values[COST] += cq_evaluation_cost(e, cq_whole(r->values[EVALUATIONS], 0), r->gradient_cost);
  }
  return CQ_OK;
}

static double value_of(const reading *r, int column) {
  return column < 0 ? r->values[-1 - column] : cli_table_number(&r->table, column);
}

static cq_status take_row(reading *r, cli_plot_curve *curve) {
  double *const v = r->values;
  char status[32];
  cli_table_text(&r->table, r->status, status, sizeof status);
  const bool good = strcmp(status, "OK") == 0;
  CQ_TRY(take_spent(r));
  v[EVALUATIONS] = cli_table_number(&r->table, r->eval);
  v[TIME] = cli_table_number(&r->table, r->time);
  v[OBJECTIVE] = good ? cli_table_number(&r->table, r->f) : NAN;
  if (good && cli_table_number(&r->table, r->violation) <= r->tolerance) {
    v[BEST] = fmin(v[BEST], v[OBJECTIVE]); /* of NAN and f it is f */
  }
  return cli_plot_point(r->data, curve, value_of(r, r->x), value_of(r, r->y));
}

/* One curve, by default the objective over the evaluations. */
cq_status cli_plot_read_run(const cli_plot_def *def, const char *folder, cli_plot_data *data) {
  cli_plot_def columns = *def;
  columns.x = def->x != NULL ? def->x : names[EVALUATIONS];
  columns.y = def->y != NULL ? def->y : names[OBJECTIVE];
  reading r = {.data = data, .values = {[BEST] = NAN}};
  cq_status status = open_files(&r, &columns, folder);
  cli_plot_curve *const curve = status == CQ_OK ? cli_plot_add(data, folder) : NULL;
  if (status == CQ_OK && curve == NULL) {
    status = CQ_FAIL(data->ctx, CQ_MEMORY, "out of memory");
  }
  while (status == CQ_OK && cli_table_next(&r.table)) {
    status = take_row(&r, curve);
  }
  cli_table_close(&r.table);
  cq_trace_close(r.trace);
  snprintf(data->x, sizeof data->x, "%s", columns.x);
  snprintf(data->y, sizeof data->y, "%s", columns.y);
  return status;
}
