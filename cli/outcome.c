#include "outcome.h"

#include "alloc.h"
#include "csv.h"
#include "status.h"

#include <math.h>
#include <string.h>

static void fill_nan(double *values, int n) {
  for (int i = 0; i < n; i++) {
    values[i] = NAN;
  }
}

static cq_status allocate(cli_outcome *o) {
  CQ_TRY(CQ_ALLOC(o->ctx, o->best, o->n));
  CQ_TRY(CQ_ALLOC(o->ctx, o->last, o->n));
  CQ_TRY(CQ_ALLOC(o->ctx, o->c_best, o->n_constraints));
  CQ_TRY(CQ_ALLOC(o->ctx, o->multipliers, o->n_constraints));
  CQ_TRY(CQ_ALLOC(o->ctx, o->terms_start, o->n_terms));
  return CQ_ALLOC(o->ctx, o->terms_best, o->n_terms);
}

cq_status cli_outcome_create(cq_ctx *ctx, const cq_scene *scene, cli_outcome *out) {
  const cq_problem *const problem = cq_scene_problem(scene);
  *out = (cli_outcome){.ctx = ctx,
                       .scene = scene,
                       .problem = problem,
                       .n = problem->n,
                       .n_constraints = problem->n_inequality + problem->n_equality,
                       .n_terms = cq_scene_term_count(scene),
                       .f_start = NAN,
                       .f_best = NAN};
  const cq_status status = allocate(out);
  if (status != CQ_OK) {
    cli_outcome_destroy(out);
    return status;
  }
  for (int i = 0; i < out->n; i++) {
    out->best[i] = out->last[i] = problem->start[i];
  }
  fill_nan(out->c_best, out->n_constraints);
  fill_nan(out->multipliers, out->n_constraints);
  fill_nan(out->terms_start, out->n_terms);
  fill_nan(out->terms_best, out->n_terms);
  return CQ_OK;
}

void cli_outcome_destroy(cli_outcome *outcome) {
  cq_ctx *const ctx = outcome->ctx;
  cq_free(ctx, outcome->best);
  cq_free(ctx, outcome->last);
  cq_free(ctx, outcome->c_best);
  cq_free(ctx, outcome->multipliers);
  cq_free(ctx, outcome->terms_start);
  cq_free(ctx, outcome->terms_best);
  *outcome = (cli_outcome){.ctx = ctx};
}

static void copy_terms(const cli_outcome *outcome, double *terms) {
  for (int i = 0; i < outcome->n_terms; i++) {
    terms[i] = cq_scene_term_value(outcome->scene, i);
  }
}

void cli_outcome_note(cli_outcome *outcome, const cq_evaluation *evaluation) {
  const size_t bytes = (size_t)outcome->n * sizeof(double);
  memcpy(outcome->last, evaluation->x, bytes);
  if (evaluation->status != CQ_OK) {
    return;
  }
  if (evaluation->index == 1) {
    outcome->f_start = evaluation->f;
    copy_terms(outcome, outcome->terms_start);
  }
  if (evaluation->is_best) {
    outcome->f_best = evaluation->f;
    memcpy(outcome->best, evaluation->x, bytes);
    copy_terms(outcome, outcome->terms_best);
    for (int i = 0; i < outcome->n_constraints; i++) {
      outcome->c_best[i] = evaluation->c[i];
    }
  }
}

/* the unit of variable i */
static const char *unit_of(const cq_scene *scene, int i) {
  for (int b = 0; b < cq_scene_block_count(scene); b++) {
    const cq_block_info block = cq_scene_block(scene, b);
    if (i >= block.first && i < block.first + block.count) {
      return block.unit;
    }
  }
  return "";
}

cq_status cli_outcome_write_design(void *outcome, FILE *out) {
  const cli_outcome *const o = outcome;
  fprintf(out, "name,unit,best,start,lower,upper,last\n");
  for (int i = 0; i < o->n; i++) {
    char label[128];
    cq_scene_variable_label(o->scene, i, label, sizeof label);
    cq_csv_text(out, label);
    fputc(',', out);
    cq_csv_text(out, unit_of(o->scene, i));
    fprintf(out, ",%.17g,%.17g,%.17g,%.17g,%.17g\n", o->best[i], o->problem->start[i],
            o->problem->lower[i], o->problem->upper[i], o->last[i]);
  }
  return CQ_OK;
}

double cli_scaled_norm(const cq_problem *problem, const double *grad) {
  if (grad == NULL) {
    return NAN;
  }
  double sum = 0.0;
  for (int i = 0; i < problem->n; i++) {
    const double scaled = grad[i] * (problem->scale != NULL ? problem->scale[i] : 1.0);
    sum += scaled * scaled;
  }
  return sqrt(sum);
}
