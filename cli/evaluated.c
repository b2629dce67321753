#include "evaluated.h"

#include "csv.h"
#include "status.h"

enum { LABEL = 512 };

static int n_constraints(const cq_scene *scene) {
  const cq_problem *const problem = cq_scene_problem(scene);
  return problem->n_inequality + problem->n_equality;
}

/* --- JSON: names once, then lists in their order --- */

typedef void (*member_fn)(cq_json *json, const cq_scene *scene, int i);

static void put_list(cq_json *json, const cq_scene *scene, const char *name, int first, int end,
                     member_fn put) {
  cq_json_open(json, name, '[');
  for (int i = first; i < end; i++) {
    put(json, scene, i);
  }
  cq_json_shut(json, '[');
}

static void put_variable(cq_json *json, const cq_scene *scene, int i) {
  char label[LABEL];
  cq_scene_variable_label(scene, i, label, sizeof label);
  cq_json_text(json, NULL, label);
}

static void put_unit(cq_json *json, const cq_scene *scene, int i) {
  cq_json_text(json, NULL, cq_scene_variable(scene, i).unit);
}

static void put_lower(cq_json *json, const cq_scene *scene, int i) {
  cq_json_number(json, NULL, cq_scene_variable(scene, i).lower);
}

static void put_upper(cq_json *json, const cq_scene *scene, int i) {
  cq_json_number(json, NULL, cq_scene_variable(scene, i).upper);
}

static void put_term(cq_json *json, const cq_scene *scene, int i) {
  cq_json_text(json, NULL, cq_scene_term_label(scene, i));
}

static void put_constraint(cq_json *json, const cq_scene *scene, int i) {
  cq_json_text(json, NULL, cq_scene_constraint_label(scene, i));
}

/* Names, units and bounds, once. */
static void begin_json(cli_evaluated_writer *w) {
  const cq_scene *const scene = w->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  const int n = problem->n, inequalities = problem->n_inequality;
  w->json = cq_json_begin(w->out);
  cq_json *const json = &w->json;
  cq_json_text(json, "problem", cq_scene_name(scene));
  cq_json_text(json, "gradient", cq_gradient_kind_name(problem->gradient));
  put_list(json, scene, "variables", 0, n, put_variable);
  put_list(json, scene, "units", 0, n, put_unit);
  put_list(json, scene, "lower", 0, n, put_lower);
  put_list(json, scene, "upper", 0, n, put_upper);
  put_list(json, scene, "terms", 0, cq_scene_term_count(scene), put_term);
  put_list(json, scene, "inequalities", 0, inequalities, put_constraint);
  put_list(json, scene, "equalities", inequalities, n_constraints(scene), put_constraint);
  cq_json_open(json, "designs", '[');
}

/* A design as an object of lists in the order of the names. */
static void put_json(cli_evaluated_writer *w, const cli_evaluated *e) {
  const int n = cq_scene_problem(w->scene)->n, m = n_constraints(w->scene);
  const cq_answer *const answer = e->answer;
  cq_json *const json = &w->json;
  cq_json_open(json, NULL, '{');
  cq_json_text(json, "status", cq_status_name(answer->status));
  cq_json_text(json, "reason", answer->reason);
  cq_json_count(json, "halvings", answer->refinement);
  cq_json_numbers(json, "values", e->values, n);
  cq_json_number(json, "f", answer->f);
  cq_json_numbers(json, "terms", answer->terms, cq_scene_term_count(w->scene));
  cq_json_numbers(json, "constraints", answer->c, m);
  if (w->gradient) {
    cq_json_numbers(json, "gradient", answer->grad, n);
    cq_json_open(json, "jacobian", '[');
    for (int i = 0; i < m; i++) {
      cq_json_numbers(json, NULL, answer->jac + (size_t)i * (size_t)n, n);
    }
    cq_json_shut(json, '[');
  }
  cq_json_shut(json, '{');
}

/* --- CSV: a row for each design --- */

/* a heading in two parts: a term and a constraint may have one label */
static void put_name(FILE *out, const char *before, const char *label) {
  char text[2 * LABEL];
  snprintf(text, sizeof text, "%.*s%.*s", LABEL - 1, before, LABEL - 1, label);
  fputc(',', out);
  cq_csv_text(out, text);
}

static void put_slope_names(const cli_evaluated_writer *w, const char *function) {
  for (int i = 0; i < cq_scene_problem(w->scene)->n; i++) {
    char before[LABEL], label[LABEL];
    snprintf(before, sizeof before, "d %.*s/d ", LABEL - 8, function);
    cq_scene_variable_label(w->scene, i, label, sizeof label);
    put_name(w->out, before, label);
  }
}

static void put_heading(const cli_evaluated_writer *w) {
  const int m = n_constraints(w->scene);
  fputs("design,status,halvings,f", w->out);
  for (int i = 0; i < cq_scene_term_count(w->scene); i++) {
    put_name(w->out, "term ", cq_scene_term_label(w->scene, i));
  }
  for (int i = 0; i < m; i++) {
    put_name(w->out, "constraint ", cq_scene_constraint_label(w->scene, i));
  }
  for (int i = -1; w->gradient && i < m; i++) {
    put_slope_names(w, i < 0 ? "f" : cq_scene_constraint_label(w->scene, i));
  }
  fputc('\n', w->out);
}

static void put_numbers(FILE *out, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++) {
    fputc(',', out);
    cq_csv_number(out, values[i]);
  }
}

static void put_row(const cli_evaluated_writer *w, const cli_evaluated *e) {
  const size_t n = (size_t)cq_scene_problem(w->scene)->n, m = (size_t)n_constraints(w->scene);
  const cq_answer *const answer = e->answer;
  fprintf(w->out, "%d,%s,%d", e->number, cq_status_name(answer->status), answer->refinement);
  put_numbers(w->out, &answer->f, 1);
  put_numbers(w->out, answer->terms, (size_t)cq_scene_term_count(w->scene));
  put_numbers(w->out, answer->c, m);
  if (w->gradient) {
    put_numbers(w->out, answer->grad, n);
    put_numbers(w->out, answer->jac, m * n);
  }
  fputc('\n', w->out);
}

/* --- either --- */

void cli_evaluated_begin(cli_evaluated_writer *writer) {
  if (writer->format == CLI_FORMAT_JSON) {
    begin_json(writer);
  } else {
    put_heading(writer);
  }
}

cq_status cli_evaluated_put(cq_ctx *ctx, cli_evaluated_writer *writer, const cli_evaluated *e) {
  if (writer->format == CLI_FORMAT_JSON) {
    put_json(writer, e);
  } else {
    put_row(writer, e);
  }
  CQ_CHECK(ctx, fflush(writer->out) == 0 && !ferror(writer->out), CQ_IO,
           "the output could not be written");
  return CQ_OK;
}

void cli_evaluated_end(cli_evaluated_writer *writer) {
  if (writer->format == CLI_FORMAT_JSON) {
    cq_json_shut(&writer->json, '[');
    cq_json_end(&writer->json);
  }
}
