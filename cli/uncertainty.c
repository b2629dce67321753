#include "uncertainty.h"

#include "alloc.h"
#include "aside.h"
#include "csv.h"
#include "label.h"
#include "plural.h"
#include "residuals.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { LABEL = 128, SENTENCE = 400, MOST_NAMED = 4, MOST_ROWS = 12 };

/* of the largest part of a combination: parts that count, and that are alike */
static const double A_PART = 1e-3, ALIKE = 0.02;
/* a correlation worth a word */
static const double STRONG = 0.9;

static void label_of(const cli_uncertainty *u, int i, char text[LABEL]) {
  cq_scene_variable_label(u->scene, i, text, LABEL);
}

/* In the units of the file: the value, its standard error, the ends of its 95 % interval, which is
 * one of the optimizer's variable and so may be lopsided. */
typedef struct bar {
  double value, error, low, high;
} bar;

static bar bar_of(const cli_uncertainty *u, int i) {
  const double x = u->x[i], half = u->of->quantile * u->of->errors[i];
  const double a = cq_scene_user_value(u->scene, i, x - half);
  const double b = cq_scene_user_value(u->scene, i, x + half);
  const bool is_finite = isfinite(half);
  return (bar){.value = cq_scene_user_value(u->scene, i, x),
               .error = u->of->errors[i] * fabs(cq_scene_user_slope(u->scene, i, x)),
               .low = is_finite ? fmin(a, b) : NAN,
               .high = is_finite ? fmax(a, b) : NAN};
}

static const char *word_of(const bar *b) {
  return isnan(b->error) ? "held" : isfinite(b->error) ? "determined" : "undetermined";
}

/* --- what is not determined, in words --- */

/* part of combination k that variable i is, as a part of its own size */
static double part_of(const cli_uncertainty *u, int k, int i) {
  const double value = fabs(cq_scene_user_value(u->scene, i, u->x[i]));
  const double size = value > 0 ? value : 1.0;
  return u->of->directions[(size_t)k * (size_t)u->of->n + (size_t)i] *
         cq_scene_user_slope(u->scene, i, u->x[i]) / size;
}

/* "A.density +1 %, B.density -0.5 %, ..." of up to so many, the first of them those of the first
 * variables */
static void list_parts(const cli_uncertainty *u, int k, double most, char *text, size_t size) {
  size_t used = 0;
  int named = 0;
  text[0] = '\0';
  for (int i = 0; i < u->of->n && used < size; i++) {
    const double part = part_of(u, k, i) / most;
    if (fabs(part) <= A_PART) {
      continue;
    }
    char label[LABEL];
    label_of(u, i, label);
    if (named < MOST_NAMED) {
      used += (size_t)snprintf(text + used, size - used, "%s%s %+.2g %%", named > 0 ? ", " : "",
                               label, part);
    } else if (named == MOST_NAMED) {
      used += (size_t)snprintf(text + used, size - used, ", ...");
    }
    named++;
  }
}

/* A combination that the data leave open: one variable, the ratio or the product of two, or more.
 */
static void say_open(const cli_uncertainty *u, int k, char text[SENTENCE]) {
  int parts[2] = {0}, count = 0;
  double most = 0, of[2] = {0};
  for (int i = 0; i < u->of->n; i++) {
    const double part = part_of(u, k, i);
    most = fabs(part) > fabs(most) ? part : most;
  }
  for (int i = 0; i < u->of->n; i++) {
    if (fabs(part_of(u, k, i)) > A_PART * fabs(most)) {
      parts[count > 0] = i;
      of[count > 0] = part_of(u, k, i) / most;
      count++;
    }
  }
  char a[LABEL], b[LABEL], list[SENTENCE / 2];
  label_of(u, parts[0], a);
  label_of(u, parts[1], b);
  if (count == 1) {
    snprintf(text, SENTENCE, "the data do not determine %s", a);
  } else if (count == 2 && fabs(fabs(of[0]) - fabs(of[1])) <= ALIKE) {
    snprintf(text, SENTENCE, "the data determine %s and %s only as their %s", a, b,
             of[0] * of[1] > 0 ? "ratio" : "product");
  } else {
    list_parts(u, k, most, list, sizeof list);
    snprintf(text, SENTENCE,
             "the data do not determine a combination of the design: %s together "
             "change nothing",
             list);
  }
}

static int open_count(const cq_uncertainty *of) {
  return of->n - of->held - of->rank;
}

/* --- finding --- */

static void tell(const cli_session *session, const cli_uncertainty *u) {
  char text[SENTENCE];
  for (int k = 0; k < open_count(u->of); k++) {
    say_open(u, u->of->rank + k, text);
    cq_log(session->ctx, CQ_LOG_WARNING, "%s", text);
  }
}

static int free_variables(const cq_problem *problem) {
  int n = 0;
  for (int j = 0; j < problem->n; j++) {
    n += problem->lower[j] < problem->upper[j];
  }
  return n;
}

/* Of gauss_newton always; of other methods where it is asked for, or a fit to data is plain to see
 * and the derivatives cost less than it did. */
static bool is_wanted(const cli_outcome *o) {
  const cq_problem *problem = o->problem;
  const char *const word = cq_scene_information(o->scene).error_bars;
  if (strcmp(word, "auto") != 0 || o->best_index == 0) {
    return o->best_index > 0 && strcmp(word, "yes") == 0;
  }
  return strcmp(cq_scene_optimizer(o->scene)->name, "gauss_newton") == 0 ||
         (problem->n_residuals >= free_variables(problem) && problem->has_deviations &&
          problem->jacobian_cost <= o->simulations);
}

/* An inequality that is at its bound holds the design as an equality does. */
static bool has_active(const cli_outcome *o) {
  const cq_optimizer_def *def = cq_scene_optimizer(o->scene);
  const double near = def->constraint_margin + 2.0 * def->constraint_tolerance;
  bool active = o->problem->n_equality > 0;
  for (int i = 0; i < o->problem->n_inequality; i++) {
    active = active || o->c_best[i] >= -near * fmax(1.0, fabs(o->c_start[i]));
  }
  return active;
}

/* Why there can be none; false: they can be found. */
static bool is_left_out(const cli_outcome *o, char note[256]) {
  const cq_problem *problem = o->problem;
  const int n = free_variables(problem);
  if (cli_aside_exceeds_time(o)) {
    snprintf(note, 256, "left out: they would go beyond optimizer.max_time");
  } else if (problem->n_residuals == 0) {
    snprintf(note, 256, "left out: the objective is no sum of squares: %.180s",
             problem->no_residuals != NULL ? problem->no_residuals : "it does not tell residuals");
  } else if (problem->n_residuals < n) {
    snprintf(note, 256, "left out: %d residuals cannot tell %d variables", problem->n_residuals, n);
  } else if (has_active(o)) {
    snprintf(
        note, 256,
        "left out: a constraint holds the design, which they do not know of; 'cqopt profile' does");
  }
  return note[0] != '\0';
}

static cq_status take_errors(cq_ctx *ctx, cli_uncertainty *u) {
  CQ_TRY(CQ_ALLOC(ctx, u->errors, u->of->n));
  for (int i = 0; i < u->of->n; i++) {
    u->errors[i] = bar_of(u, i).error;
  }
  return CQ_OK;
}

/* Where something is in the way, the note says so. */
void cli_uncertainty_find(cli_session *session, cli_outcome *o, cli_uncertainty *u) {
  const bool was_clean = cq_ctx_status(session->ctx) == CQ_OK;
  *u = (cli_uncertainty){.scene = session->scene, .x = o->best};
  if (!is_wanted(o) || is_left_out(o, u->note)) {
    return;
  }
  cli_folder_deafen(&session->folder, true);
  cq_status status =
      cq_uncertainty_find(session->ctx, o->problem, o->best_refinement, o->best, &u->of);
  cli_folder_deafen(&session->folder, false);
  status = status == CQ_OK ? take_errors(session->ctx, u) : status;
  o->errors = u->errors;
  if (status == CQ_OK) {
    tell(session, u);
  } else {
    cli_aside_take_error(session->ctx, was_clean, status, u->note);
    cq_log(session->ctx, CQ_LOG_WARNING, "no error bars: %s", u->note);
  }
}

cq_status cli_uncertainty_judge(const cli_uncertainty *u, cq_outcome *result, cq_status status) {
  char text[SENTENCE], reason[sizeof result->reason];
  if (u->of == NULL || open_count(u->of) == 0 || status != CQ_OK || result->reached_target) {
    return status;
  }
  say_open(u, u->of->rank, text);
  snprintf(reason, sizeof reason, "%.150s; %.100s", text, result->reason);
  snprintf(result->reason, sizeof result->reason, "%s", reason);
  return CQ_FLAT;
}

void cli_uncertainty_destroy(cq_ctx *ctx, cli_uncertainty *u) {
  cq_uncertainty_free(ctx, u->of);
  cq_free(ctx, u->errors);
  u->of = NULL;
  u->errors = NULL;
}

/* --- telling --- */

static void put_row(FILE *out, const cli_uncertainty *u, int i) {
  const bar b = bar_of(u, i);
  const double numbers[] = {b.value, b.error, b.low, b.high};
  char label[LABEL];
  label_of(u, i, label);
  fputc('\n', out);
  cli_label_put(out, 2, CLI_LABEL_COLUMN, label);
  for (int c = 0; c < 4; c++) {
    if (isfinite(numbers[c])) {
      fprintf(out, " %12.5e", numbers[c]);
    } else {
      fprintf(out, " %12s", c == 1 ? word_of(&b) : "-");
    }
  }
}

void cli_uncertainty_print(FILE *out, const cli_style *style, const cli_uncertainty *u) {
  if (u->of == NULL) {
    return;
  }
  fprintf(out, "\n%s%-*s %12s %12s %12s %12s%s", style->bold, CLI_LABEL_COLUMN + 2, "Error bars",
          "best", "std. error", "95 % from", "to", style->end);
  for (int i = 0; i < u->of->n && i < MOST_ROWS; i++) {
    put_row(out, u, i);
  }
  if (u->of->n > MOST_ROWS) {
    fprintf(out, "\n  %severy variable is in uncertainty.csv%s", style->dim, style->end);
  }
  fputc('\n', out);
}

/* the pair that depends most on each other, where that is worth a word */
static void put_strongest(FILE *out, const cli_uncertainty *u) {
  const int n = u->of->n;
  int a = 0, b = 0;
  double most = STRONG;
  for (int k = 0; k < n * n; k++) {
    const double value = u->of->correlation[k];
    if (k / n < k % n && fabs(value) > fabs(most)) {
      most = value;
      a = k / n;
      b = k % n;
    }
  }
  if (b > 0) {
    char first[LABEL], second[LABEL];
    label_of(u, a, first);
    label_of(u, b, second);
    fprintf(out, "; correlation %.3f of %s and %s", most, first, second);
  }
}

/* What the bars are made of, and what the data leave open. */
void cli_uncertainty_print_sentences(FILE *out, const cli_style *style, const cli_uncertainty *u) {
  const cq_uncertainty *const of = u->of;
  char text[SENTENCE];
  if (of == NULL && u->note[0] == '\0') {
    return;
  }
  fprintf(out, "\n%sError bars  %s", style->bold, style->end);
  if (of == NULL) {
    fputs(u->note, out);
    return;
  }
  fprintf(out, "of %d residuals with %d degree%s of freedom, ", of->n_residuals, of->degrees,
          cq_plural(of->degrees));
  if (of->has_deviations) {
    fprintf(out, "by the deviations given: chi-square %.4g, probability %.3g", of->chi_square,
            of->probability);
  } else {
    fputs("by the deviation that they have", out);
  }
  put_strongest(out, u);
  if (cq_scene_problem(u->scene)->jacobian_way != NULL) {
    fprintf(out, "; derivatives by %s", cq_scene_problem(u->scene)->jacobian_way);
  }
  for (int k = 0; k < open_count(of); k++) {
    say_open(u, of->rank + k, text);
    fprintf(out, "; %s%s%s", style->bad, text, style->end);
  }
}

/* A member a variable. */
static void put_parameters(cq_json *json, const cli_uncertainty *u) {
  cq_json_open(json, "parameters", '[');
  for (int i = 0; i < u->of->n; i++) {
    const bar b = bar_of(u, i);
    char label[LABEL];
    label_of(u, i, label);
    cq_json_open(json, NULL, '{');
    cq_json_text(json, "name", label);
    cq_json_text(json, "unit", cq_scene_variable(u->scene, i).unit);
    cq_json_number(json, "value", b.value);
    cq_json_text(json, "is", word_of(&b));
    cq_json_number(json, "standard_error", b.error);
    cq_json_number(json, "lower_95", b.low);
    cq_json_number(json, "upper_95", b.high);
    cq_json_shut(json, '{');
  }
  cq_json_shut(json, '[');
}

/* Everything of uncertainty.csv, and what it was made of. */
void cli_uncertainty_json(cq_json *json, const cli_uncertainty *u) {
  const cq_uncertainty *const of = u->of;
  char text[SENTENCE];
  if (of == NULL) {
    return;
  }
  cq_json_open(json, "uncertainty", '{');
  cq_json_count(json, "residuals", of->n_residuals);
  cq_json_count(json, "degrees_of_freedom", of->degrees);
  cq_json_text(json, "deviations", of->has_deviations ? "given" : "estimated");
  if (cq_scene_problem(u->scene)->jacobian_way != NULL) {
    cq_json_text(json, "derivatives", cq_scene_problem(u->scene)->jacobian_way);
  }
  cq_json_number(json, "deviation", of->deviation);
  cq_json_number(json, "chi_square", of->chi_square);
  cq_json_number(json, "probability", of->probability);
  put_parameters(json, u);
  cq_json_open(json, "correlation", '[');
  for (int i = 0; i < of->n; i++) {
    cq_json_numbers(json, NULL, of->correlation + (size_t)i * (size_t)of->n, of->n);
  }
  cq_json_shut(json, '[');
  cq_json_numbers(json, "singular_values", of->singular, of->n - of->held);
  cq_json_open(json, "undetermined", '[');
  for (int k = 0; k < open_count(of); k++) {
    say_open(u, of->rank + k, text);
    cq_json_text(json, NULL, text);
  }
  cq_json_shut(json, '[');
  cli_residuals_json(json, u);
  cq_json_shut(json, '{');
}

/* The heading names the variables that correlations are with. */
cq_status cli_uncertainty_write(void *uncertainty, FILE *out) {
  const cli_uncertainty *const u = uncertainty;
  const int n = u->of->n;
  char label[LABEL], heading[LABEL + 16];
  fputs("name,unit,value,standard_error,lower_95,upper_95", out);
  for (int i = 0; i < n; i++) {
    label_of(u, i, label);
    snprintf(heading, sizeof heading, "correlation %s", label);
    fputc(',', out);
    cq_csv_text(out, heading);
  }
  fputc('\n', out);
  for (int i = 0; i < n; i++) {
    const bar b = bar_of(u, i);
    const double numbers[] = {b.value, b.error, b.low, b.high};
    label_of(u, i, label);
    cq_csv_text(out, label);
    fputc(',', out);
    cq_csv_text(out, cq_scene_variable(u->scene, i).unit);
    for (int c = 0; c < 4; c++) {
      fputc(',', out);
      cq_csv_number(out, numbers[c]);
    }
    for (int j = 0; j < n; j++) {
      fputc(',', out);
      cq_csv_number(out, u->of->correlation[(size_t)i * (size_t)n + (size_t)j]);
    }
    fputc('\n', out);
  }
  return CQ_OK;
}
