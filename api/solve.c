/* A file solved by its own optimizer, with the record that the program keeps. */
#include "settings.h"

#include "alloc.h"
#include "csv.h"
#include "fresh.h"
#include "point.h"
#include "trace.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

typedef struct solve {
  cq_file *file;
  const char *folder; /* NULL: nothing is kept */
  cq_record_fn record;
  void *user;
  cq_trace *trace;
  int n_terms, n_values, first; /* values from `first` on go to the record */
  double *values;               /* [n_values] of terms, then of each scenario's */
  const double *x;              /* the best */
} solve;

enum { LABEL = 512, PATH = 4096, MOST_KEPT = 256 };

/* Terms of scenarios are kept one by one unless they change or are too many to read. */
static void count_values(solve *s) {
  const cq_scenarios_info info = cq_scene_scenarios(s->file->scene);
  s->n_terms = cq_scene_term_count(s->file->scene);
  const bool kept =
      strcmp(info.combine, "batch") != 0 && (long long)info.count * s->n_terms <= MOST_KEPT;
  s->n_values = s->n_terms * (1 + (kept ? info.count : 0));
  s->first = s->n_terms == 1; /* it is f */
}

static void put_label(const solve *s, int i, char *text) {
  const char *const term = cq_scene_term_label(s->file->scene, i % s->n_terms);
  const int scenario = i / s->n_terms - 1;
  if (scenario < 0) {
    snprintf(text, LABEL, "%s", term);
  } else if (s->n_terms == 1) {
    snprintf(text, LABEL, "scenario %d", scenario);
  } else {
    snprintf(text, LABEL, "scenario %d: %s", scenario, term);
  }
}

static void take_values(const solve *s, const cq_evaluation *e) {
  for (int i = 0; i < s->n_values; i++) {
    const int scenario = i / s->n_terms - 1, term = i % s->n_terms;
    s->values[i] = e->status != CQ_OK ? NAN
                   : scenario < 0     ? cq_scene_term_value(s->file->scene, term)
                                      : cq_scene_scenario_term(s->file->scene, scenario, term);
  }
}

/* To the disk first, then to the caller. */
static cq_status on_evaluation(void *user, const cq_evaluation *evaluation) {
  solve *const s = user;
  cq_evaluation e = *evaluation;
  if (s->trace != NULL) {
    take_values(s, evaluation);
    e.n_extra = s->n_values - s->first;
    e.extra = e.n_extra > 0 ? s->values + s->first : NULL;
    CQ_TRY(cq_trace_record(s->trace, &e));
  }
  return s->record != NULL ? s->record(s->user, &e) : CQ_OK;
}

/* --- the folder ---------------------------------------------------------------------------------
 */

typedef cq_status (*write_fn)(const solve *s, FILE *out);

static cq_status write_file(const solve *s, const char *name, write_fn write) {
  char path[PATH];
  cq_fresh fresh;
  const int length = snprintf(path, sizeof path, "%s/%s", s->folder, name);
  CQ_CHECK(s->file->ctx, length > 0 && (size_t)length < sizeof path, CQ_IO,
           "the path of %s is too long", name);
  CQ_TRY(cq_fresh_begin(s->file->ctx, path, &fresh));
  return cq_fresh_end(&fresh, write(s, fresh.out));
}

static cq_status write_problem(const solve *s, FILE *out) {
  return cq_scene_write_config(s->file->scene, out);
}

static cq_status write_design(const solve *s, FILE *out) {
  const cq_scene *const scene = s->file->scene;
  fprintf(out, "name,unit,best,start,lower,upper\n");
  for (int i = 0; i < cq_scene_problem(scene)->n; i++) {
    char label[128];
    const cq_variable_info info = cq_scene_variable(scene, i);
    cq_scene_variable_label(scene, i, label, sizeof label);
    cq_csv_text(out, label);
    fputc(',', out);
    cq_csv_text(out, info.unit);
    fprintf(out, ",%.17g,%.17g,%.17g,%.17g\n", cq_scene_user_value(scene, i, s->x[i]), info.start,
            info.lower, info.upper);
  }
  return CQ_OK;
}

/* The columns of history.csv are headed by labels of terms and constraints. */
static cq_status create_trace(solve *s, char (*texts)[LABEL], const char **labels) {
  const cq_scene *const scene = s->file->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  const int n_extra = s->n_values - s->first, m = cq_problem_constraints(problem);
  for (int i = 0; i < n_extra; i++) {
    put_label(s, s->first + i, texts[i]);
    labels[i] = texts[i];
  }
  for (int i = 0; i < m; i++) {
    labels[n_extra + i] = cq_scene_constraint_label(scene, i);
  }
  const cq_trace_def def = {.n = problem->n,
                            .n_constraints = m,
                            .n_parts = problem->n_parts,
                            .n_extra = n_extra,
                            .extra_labels = labels,
                            .constraint_labels = labels + n_extra};
  return cq_trace_create(s->file->ctx, s->folder, &def, &s->trace);
}

static cq_status open_trace(solve *s) {
  cq_ctx *const ctx = s->file->ctx;
  const int m = cq_problem_constraints(cq_scene_problem(s->file->scene));
  char(*texts)[LABEL] = NULL;
  const char **labels = NULL;
  cq_status status = CQ_ALLOC(ctx, texts, s->n_values);
  status = status == CQ_OK ? CQ_ALLOC(ctx, labels, s->n_values + m) : status;
  status = status == CQ_OK ? create_trace(s, texts, labels) : status;
  cq_free(ctx, texts);
  cq_free(ctx, labels);
  return status;
}

static cq_status make_folder(cq_ctx *ctx, const char *folder) {
  CQ_CHECK(ctx, mkdir(folder, 0777) == 0 || errno == EEXIST, CQ_IO, "cannot make %s: %s", folder,
           strerror(errno));
  return CQ_OK;
}

static cq_status open_folder(solve *s) {
  cq_ctx *const ctx = s->file->ctx;
  count_values(s);
  CQ_TRY(CQ_ALLOC(ctx, s->values, s->n_values));
  CQ_TRY(make_folder(ctx, s->folder));
  CQ_TRY(open_trace(s));
  return write_file(s, "problem.cfg", write_problem);
}

/* --- solving ------------------------------------------------------------------------------------
 */

static cq_status run(solve *s, double *x, cq_outcome *out) {
  const cq_scene *const scene = s->file->scene;
  cq_result result = {.status = CQ_OK};
  if (s->folder != NULL) {
    CQ_TRY(open_folder(s));
  }
  const cq_status status =
      cq_optimize(s->file->ctx, cq_scene_problem(scene), cq_scene_optimizer(scene), on_evaluation,
                  s, x, NULL, &result);
  CQ_TRY(cq_outcome_of(s->file->ctx, &result, out));
  s->x = x;
  if (s->folder != NULL && result.has_point) {
    CQ_TRY(write_file(s, "design.csv", write_design));
  }
  return status;
}

cq_status cq_file_solve(cq_file *file, const char *folder, cq_record_fn record, void *user,
                        double *x, int n, cq_outcome *out) {
  const cq_result nothing = {.status = CQ_USAGE, .reason = "nothing was evaluated"};
  CQ_TRY(cq_api_begin(file));
  const cq_problem *const problem = cq_scene_problem(file->scene);
  CQ_CHECK(file->ctx, problem->n > 0, CQ_CONFIG, "%s has no design variables",
           cq_scene_name(file->scene));
  CQ_TRY(cq_api_length(file->ctx, "x", x, (size_t)n, (size_t)problem->n));
  CQ_TRY(cq_outcome_of(file->ctx, &nothing, out));
  solve s = {.file = file, .folder = folder, .record = record, .user = user};
  const cq_status status = run(&s, x, out);
  const cq_status closed = cq_trace_destroy(s.trace);
  cq_free(file->ctx, s.values);
  return status != CQ_OK ? status : closed;
}

cq_status cq_file_simulate(cq_file *file, const double *x, int n, const char *folder, int frames,
                           unsigned what) {
  const unsigned known = CQ_RECORD_TABLES | CQ_RECORD_TRAJECTORY;
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, folder != NULL, CQ_USAGE, "there is no folder to write to");
  CQ_CHECK(file->ctx, frames >= 0, CQ_USAGE, "there cannot be %d frames", frames);
  CQ_CHECK(file->ctx, what != 0 && (what & ~known) == 0, CQ_USAGE, "there is no record %u", what);
  CQ_TRY(cq_api_design(file, x, n, &x));
  CQ_TRY(make_folder(file->ctx, folder));
  return cq_scene_simulate(file->scene, 0, x, folder, frames, what);
}
