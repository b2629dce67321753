#include "outcome.h"

#include "alloc.h"
#include "csv.h"
#include "start.h"
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
  CQ_TRY(CQ_ALLOC(o->ctx, o->c_start, o->n_constraints));
  CQ_TRY(CQ_ALLOC(o->ctx, o->c_best, o->n_constraints));
  CQ_TRY(CQ_ALLOC(o->ctx, o->multipliers, o->n_constraints));
  CQ_TRY(CQ_ALLOC(o->ctx, o->terms_start, o->n_values));
  return CQ_ALLOC(o->ctx, o->terms_best, o->n_values);
}

/* Scenarios whose terms the record has one by one. */
static int count_scenarios(const cq_scene *scene) {
  const int terms = cq_scene_term_count(scene);
  return terms > 0 ? (cq_scene_recorded_count(scene) + (terms == 1)) / terms - 1 : 0;
}

/* Everything is not known at first, but where the design starts. */
cq_status cli_outcome_create(cq_ctx *ctx, const cq_scene *scene, cli_outcome *out) {
  const cq_problem *const problem = cq_scene_problem(scene);
  *out = (cli_outcome){.ctx = ctx,
                       .scene = scene,
                       .problem = problem,
                       .n = problem->n,
                       .n_constraints = problem->n_inequality + problem->n_equality,
                       .n_terms = cq_scene_term_count(scene),
                       .n_scenarios = count_scenarios(scene),
                       .f_start = NAN,
                       .f_best = NAN,
                       .violation_best = NAN,
                       .step = NAN};
  out->n_values = out->n_terms * (1 + out->n_scenarios);
  const cq_status status = allocate(out);
  if (status != CQ_OK) {
    cli_outcome_destroy(out);
    return status;
  }
  for (int i = 0; i < out->n; i++) {
    out->best[i] = out->last[i] = problem->start[i];
  }
  fill_nan(out->c_start, out->n_constraints);
  fill_nan(out->c_best, out->n_constraints);
  fill_nan(out->multipliers, out->n_constraints);
  fill_nan(out->terms_start, out->n_values);
  fill_nan(out->terms_best, out->n_values);
  return CQ_OK;
}

void cli_outcome_destroy(cli_outcome *outcome) {
  cq_ctx *const ctx = outcome->ctx;
  cq_free(ctx, outcome->best);
  cq_free(ctx, outcome->last);
  cq_free(ctx, outcome->c_start);
  cq_free(ctx, outcome->c_best);
  cq_free(ctx, outcome->multipliers);
  cq_free(ctx, outcome->terms_start);
  cq_free(ctx, outcome->terms_best);
  *outcome = (cli_outcome){.ctx = ctx};
}

static void copy(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

/* The only term is f itself. */
void cli_outcome_terms(const cli_outcome *o, const cq_evaluation *evaluation, double *terms) {
  const int first = o->n_terms == 1, n_extra = o->n_values - first;
  fill_nan(terms, o->n_values);
  if (o->n_terms == 1) {
    terms[0] = evaluation->f;
  }
  if (evaluation->extra != NULL && evaluation->n_extra == n_extra) {
    copy(terms + first, evaluation->extra, n_extra);
  }
}

void cli_outcome_set_best(cli_outcome *o, const cq_evaluation *e, const double *terms) {
  o->best_index = e->index;
  o->best_refinement = e->refinement;
  o->f_best = e->f;
  o->violation_best = e->violation;
  copy(o->best, e->x, o->n);
  copy(o->terms_best, terms, o->n_values);
  copy(o->c_best, e->c, o->n_constraints);
}

static double scale_of(const cq_problem *problem, int i) {
  return problem->scale != NULL ? problem->scale[i] : 1.0;
}

/* what a block has changed by between two x, as a part of its size */
static double change_of(const cli_outcome *o, const cq_block_info *block, const double *from,
                        const double *to) {
  double change = 0.0, size_from = 0.0, size_to = 0.0;
  for (int i = block->first; i < block->first + block->count; i++) {
    const double a = cq_scene_user_value(o->scene, i, from[i]);
    const double b = cq_scene_user_value(o->scene, i, to[i]);
    change = hypot(change, b - a);
    size_from = hypot(size_from, a);
    size_to = hypot(size_to, b);
  }
  return change > 0.0 ? change / fmax(size_from, size_to) : 0.0;
}

/* From the x before; a gradient that is fetched later is no step. Not in scales of the variables:
 * that of a weight without bounds is its start, which may be next to nothing. */
static void note_step(cli_outcome *o, const cq_evaluation *e) {
  if (e->index <= o->evaluations || o->evaluations == 0) {
    return;
  }
  o->step = 0.0;
  for (int i = 0; i < cq_scene_block_count(o->scene); i++) {
    const cq_block_info block = cq_scene_block(o->scene, i);
    o->step = fmax(o->step, change_of(o, &block, o->last, e->x));
  }
}

/* Counts it, and keeps the first and the best. */
void cli_outcome_note(cli_outcome *o, const cq_evaluation *e, const double *terms) {
  note_step(o, e);
  o->evaluations = e->index > o->evaluations ? e->index : o->evaluations;
  o->replayed = e->replayed ? o->evaluations : o->replayed;
  o->simulations += e->simulations;
  o->gradients += e->has_gradient && e->status == CQ_OK;
  o->failures += e->status != CQ_OK;
  o->recovered += e->status == CQ_OK && e->simulations > 1;
  o->eval_seconds += e->replayed ? 0 : e->seconds;
  copy(o->last, e->x, o->n);
  if (e->status == CQ_OK && e->index == 1) {
    o->f_start = e->f;
    copy(o->terms_start, terms, o->n_values);
    copy(o->c_start, e->c, o->n_constraints);
  }
  if (e->is_best) {
    cli_outcome_set_best(o, e, terms);
  }
}

cq_status cli_outcome_write_design(void *outcome, FILE *out) {
  const cli_outcome *const o = outcome;
  fprintf(out, "name,unit,best,start,lower,upper,last%s\n",
          o->errors != NULL ? ",standard_error" : "");
  for (int i = 0; i < o->n; i++) {
    char label[128];
    cq_scene_variable_label(o->scene, i, label, sizeof label);
    cq_csv_text(out, label);
    fputc(',', out);
    const cq_variable_info info = cq_scene_variable(o->scene, i);
    cq_csv_text(out, info.unit);
    fprintf(out, ",%.17g,%.17g,%.17g,%.17g,%.17g", cq_scene_user_value(o->scene, i, o->best[i]),
            info.start, info.lower, info.upper, cq_scene_user_value(o->scene, i, o->last[i]));
    if (o->errors != NULL) {
      fputc(',', out);
      cq_csv_number(out, o->errors[i]);
    }
    fputc('\n', out);
  }
  return CQ_OK;
}

double cli_scaled_norm(const cq_problem *problem, const double *grad) {
  if (grad == NULL) {
    return NAN;
  }
  double sum = 0.0;
  for (int i = 0; i < problem->n; i++) {
    const double scaled = grad[i] * scale_of(problem, i);
    sum += scaled * scaled;
  }
  return sqrt(sum);
}
