#include "report_evals.h"

#include "alloc.h"
#include "folder.h"
#include "outcome.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

/* then come the terms and the constraints */
enum {
  INDEX,
  F,
  VIOLATION,
  STATUS,
  REFINEMENT,
  SIMULATIONS,
  GRADIENT_NORM,
  SECONDS,
  ELAPSED,
  N_COLUMNS
};
static const char *const column_names[N_COLUMNS] = {"index",    "f",          "violation",
                                                    "status",   "refinement", "simulations",
                                                    "gradient", "seconds",    "elapsed"};

static cq_status make_design(const cli_evals *e, cli_design *d) {
  CQ_TRY(CQ_ALLOC(e->ctx, d->x, e->n));
  CQ_TRY(CQ_ALLOC(e->ctx, d->gradient, e->n));
  CQ_TRY(CQ_ALLOC(e->ctx, d->terms, e->n_terms));
  CQ_TRY(CQ_ALLOC(e->ctx, d->own, e->n_scenarios * e->n_terms));
  return CQ_ALLOC(e->ctx, d->c, e->n_constraints);
}

static void free_design(const cli_evals *e, const cli_design *d) {
  cq_free(e->ctx, d->x);
  cq_free(e->ctx, d->gradient);
  cq_free(e->ctx, d->terms);
  cq_free(e->ctx, d->own);
  cq_free(e->ctx, d->c);
}

void cli_evals_free(cli_evals *e) {
  free_design(e, &e->first);
  free_design(e, &e->best);
  free_design(e, &e->last);
  cq_free(e->ctx, e->table);
  *e = (cli_evals){.ctx = e->ctx};
}

/* values of the record before those of scenarios: the only term is f itself */
static int combined_terms(const cli_evals *e) {
  return e->n_terms == 1 ? 0 : e->n_terms;
}

static double term(const cli_evals *e, const cq_evaluation *from, int i) {
  return e->n_terms == 1                            ? from->f
         : from->extra != NULL && i < from->n_extra ? from->extra[i]
                                                    : NAN;
}

/* A copy: the reader's evaluation is gone with the next one. */
static void take(const cli_evals *e, const cq_evaluation *from, cli_design *d) {
  d->index = from->index;
  d->refinement = from->refinement;
  d->status = from->status;
  d->f = from->f;
  d->has_gradient = from->grad != NULL;
  memcpy(d->x, from->x, (size_t)e->n * sizeof *d->x);
  memcpy(d->c, from->c, (size_t)e->n_constraints * sizeof *d->c);
  for (int i = 0; i < e->n && from->grad != NULL; i++) {
    d->gradient[i] = from->grad[i];
  }
  for (int i = 0; i < e->n_terms; i++) {
    d->terms[i] = term(e, from, i);
  }
  for (int i = 0; i < e->n_scenarios * e->n_terms; i++) {
    d->own[i] = from->extra != NULL ? from->extra[combined_terms(e) + i] : NAN;
  }
}

/* A row of the table that the page draws; the table doubles. */
static cq_status add_row(cli_evals *e, const cq_evaluation *from, double seconds, double elapsed) {
  if (e->rows == e->room) {
    double *larger = NULL;
    e->room = e->room > 0 ? 2 * e->room : 64;
    CQ_TRY(CQ_ALLOC(e->ctx, larger, (size_t)e->room * (size_t)e->width));
    if (e->rows > 0) {
      memcpy(larger, e->table, (size_t)e->rows * (size_t)e->width * sizeof *larger);
    }
    cq_free(e->ctx, e->table);
    e->table = larger;
  }
  double *const row = e->table + (size_t)e->rows++ * (size_t)e->width;
  row[INDEX] = from->index;
  row[F] = from->f;
  row[VIOLATION] = from->violation;
  row[STATUS] = from->status;
  row[REFINEMENT] = from->refinement;
  row[SIMULATIONS] = from->simulations;
  row[GRADIENT_NORM] = cli_scaled_norm(cq_scene_problem(e->scene), from->grad);
  row[SECONDS] = seconds;
  row[ELAPSED] = elapsed;
  for (int i = 0; i < e->n_terms; i++) {
    row[N_COLUMNS + i] = term(e, from, i);
  }
  for (int i = 0; i < e->n_constraints; i++) {
    const cq_constraint_info info = cq_scene_constraint(e->scene, i, from->c[i]);
    row[N_COLUMNS + e->n_terms + i] = info.value;
  }
  return CQ_OK;
}

/* by the rule of the verdict, as far as a record can tell */
static bool is_better(const cq_evaluation *a, const cli_design *than, double violation_than,
                      double tolerance) {
  const double mine = fmax(a->violation - tolerance, 0.0);
  const double other = fmax(violation_than - tolerance, 0.0);
  return than->index == 0 || mine < other || (mine == other && a->f < than->f);
}

typedef struct reading {
  cq_trace_reader *reader;
  cli_table times;
  bool has_times;
  int best;
  double best_violation;
} reading;

static void choose(cli_evals *e, reading *r, const cq_evaluation *from) {
  const double tolerance = cq_scene_optimizer(e->scene)->constraint_tolerance;
  if (e->first.index == 0) {
    take(e, from, &e->first);
  }
  take(e, from, &e->last);
  const bool chosen = r->best > 0 ? from->index == r->best
                                  : is_better(from, &e->best, r->best_violation, tolerance) ||
                                        from->index == e->best.index;
  /* a value and its gradient may be two records */
  if (from->status == CQ_OK && chosen && (from->grad != NULL || from->index != e->best.index)) {
    take(e, from, &e->best);
    r->best_violation = from->violation;
  }
}

/* evals.bin, with the times of history.csv beside it, row by row. */
static cq_status read_rows(cli_evals *e, reading *r) {
  const cq_evaluation *from = NULL;
  const int seconds = r->has_times ? cli_table_column(&r->times, "eval_seconds") : -1;
  const int elapsed = r->has_times ? cli_table_column(&r->times, "elapsed_seconds") : -1;
  CQ_TRY(cq_trace_next(r->reader, &from));
  while (from != NULL) {
    const bool timed = r->has_times && cli_table_next(&r->times);
    CQ_TRY(add_row(e, from, timed ? cli_table_number(&r->times, seconds) : NAN,
                   timed ? cli_table_number(&r->times, elapsed) : NAN));
    choose(e, r, from);
    CQ_TRY(cq_trace_next(r->reader, &from));
  }
  return CQ_OK;
}

/* The record and, where it is there, the table beside it. */
static cq_status read_all(cli_evals *e, const char *folder, reading *r) {
  char path[CLI_PATH];
  snprintf(path, sizeof path, "%s/evals.bin", folder);
  cq_trace_info info = {.struct_size = sizeof info};
  CQ_TRY(cq_trace_open(e->ctx, path, &r->reader));
  CQ_TRY(cq_trace_reader_info(r->reader, &info));
  CQ_CHECK(e->ctx, info.n == e->n && info.n_constraints == e->n_constraints, CQ_IO,
           "evals.bin is of another problem than problem.cfg beside it");
  const int more = info.n_extra - combined_terms(e);
  e->n_scenarios = e->n_terms > 0 && more > 0 ? more / e->n_terms : 0;
  CQ_TRY(make_design(e, &e->first));
  CQ_TRY(make_design(e, &e->best));
  CQ_TRY(make_design(e, &e->last));
  snprintf(path, sizeof path, "%s/history.csv", folder);
  r->has_times = cli_table_open(e->ctx, path, &r->times) == CQ_OK;
  if (!r->has_times) { /* a run that was killed before its first row */
    cq_ctx_clear_error(e->ctx);
  }
  return read_rows(e, r);
}

/* All evaluations of a folder, and the first, best and last design. */
cq_status cli_evals_read(cq_ctx *ctx, const cq_scene *scene, const char *folder, int best,
                         cli_evals *e) {
  const cq_problem *const problem = cq_scene_problem(scene);
  *e = (cli_evals){.ctx = ctx,
                   .scene = scene,
                   .n = problem->n,
                   .n_terms = cq_scene_term_count(scene),
                   .n_constraints = problem->n_inequality + problem->n_equality};
  e->width = N_COLUMNS + e->n_terms + e->n_constraints;
  reading r = {.best = best};
  const cq_status status = read_all(e, folder, &r);
  cq_trace_close(r.reader);
  if (r.has_times) {
    cli_table_close(&r.times);
  }
  if (status != CQ_OK) {
    cli_evals_free(e);
  }
  return status;
}

/* --- as JSON --- */

static void put_column(const cli_evals *e, int every, const char *name, int column, double *work,
                       cq_json *json) {
  int count = 0;
  for (int i = 0; i < e->rows; i++) {
    const double *const row = e->table + (size_t)i * (size_t)e->width;
    /* of many: some, and the last one, the best one and failures */
    if (i % every == 0 || i == e->rows - 1 || row[INDEX] == e->best.index) {
      work[count++] = row[column];
    }
  }
  cq_json_short(json, name, work, count);
}

static void put_failures(const cli_evals *e, cq_json *json) {
  enum { MOST = 100 };
  cq_json_open(json, "failures", '[');
  for (int i = 0, count = 0; i < e->rows && count < MOST; i++) {
    const double *const row = e->table + (size_t)i * (size_t)e->width;
    if (row[STATUS] != CQ_OK) {
      cq_json_open(json, NULL, '{');
      cq_json_count(json, "evaluation", (long long)row[INDEX]);
      cq_json_text(json, "status", cq_status_text((cq_status)row[STATUS]));
      cq_json_shut(json, '{');
      count++;
    }
  }
  cq_json_shut(json, '[');
}

/* Columns, thinned to some thousand rows: a page stays small however long the run was. */
cq_status cli_evals_json(const cli_evals *e, int share, cq_json *json) {
  enum { MOST_ROWS = 3000 };
  double *work = NULL;
  const int every = 1 + e->rows * share / MOST_ROWS;
  CQ_TRY(CQ_ALLOC(e->ctx, work, e->rows));
  cq_json_open(json, "evaluations", '{');
  cq_json_count(json, "rows", e->rows);
  cq_json_count(json, "every", every);
  for (int c = 0; c < N_COLUMNS; c++) {
    put_column(e, every, column_names[c], c, work, json);
  }
  for (int list = 0; list < 2; list++) {
    const int begin = list == 0 ? N_COLUMNS : N_COLUMNS + e->n_terms;
    const int end = list == 0 ? N_COLUMNS + e->n_terms : e->width;
    cq_json_open(json, list == 0 ? "terms" : "constraints", '[');
    for (int c = begin; c < end; c++) {
      put_column(e, every, NULL, c, work, json);
    }
    cq_json_shut(json, '[');
  }
  cq_json_shut(json, '{');
  put_failures(e, json);
  cq_free(e->ctx, work);
  return CQ_OK;
}
