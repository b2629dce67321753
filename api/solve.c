/* A file solved by its own optimizer, with the record that the program keeps. */
#include "settings.h"

#include "alloc.h"
#include "csv.h"
#include "fresh.h"
#include "method.h"
#include "point.h"
#include "rest.h"
#include "run_json.h"
#include "trace.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

struct cq_solve {
  cq_file *file;
  cq_trace *trace;         /* NULL: nothing is kept */
  cq_trace_reader *reader; /* of the run that goes on; NULL: it is a new one */
  cq_replay replay;
  cq_record_fn record;
  void *user;
  int n_extra;
  double *extra, *multipliers; /* [n_extra], [constraints] */
  bool ran;
};

enum { LABEL = 512, PATH = 4096 };

static int n_constraints(const cq_file *file) {
  return cq_problem_constraints(cq_scene_problem(file->scene));
}

/* --- the record ---------------------------------------------------------------------------------
 */

/* Of an evaluation at hand; one that is replayed has its own. */
static void take_extra(const cq_solve *s, cq_evaluation *e) {
  for (int i = 0; i < s->n_extra; i++) {
    s->extra[i] = e->status == CQ_OK ? cq_scene_recorded_value(s->file->scene, i) : NAN;
  }
  e->n_extra = s->n_extra;
  e->extra = s->n_extra > 0 ? s->extra : NULL;
}

/* To the disk first, then to the caller. */
static cq_status on_evaluation(void *user, const cq_evaluation *evaluation) {
  cq_solve *const s = user;
  cq_evaluation e = *evaluation;
  if (!e.replayed) {
    take_extra(s, &e);
  }
  CQ_TRY(s->trace != NULL ? cq_trace_record(s->trace, &e) : CQ_OK);
  return s->record != NULL ? s->record(s->user, &e) : CQ_OK;
}

/* "folder/name" */
static cq_status join(cq_ctx *ctx, const char *folder, const char *name, char path[PATH]) {
  const int length = snprintf(path, PATH, "%s/%s", folder, name);
  CQ_CHECK(ctx, length > 0 && length < PATH, CQ_IO, "the path of %s is too long", name);
  return CQ_OK;
}

static cq_status make_folder(cq_ctx *ctx, const char *folder) {
  CQ_CHECK(ctx, mkdir(folder, 0777) == 0 || errno == EEXIST, CQ_IO, "cannot make %s: %s", folder,
           strerror(errno));
  return CQ_OK;
}

/* New files, or those of the run that goes on, which is replayed from them. */
static cq_status open_files(cq_solve *s, const char *folder, unsigned how,
                            const cq_trace_def *def) {
  cq_ctx *const ctx = s->file->ctx;
  cq_trace_past past;
  char bin[PATH];
  if ((how & CQ_SOLVE_RESUME) == 0) {
    CQ_TRY(make_folder(ctx, folder));
    return cq_trace_create(ctx, folder, def, &s->trace);
  }
  CQ_TRY(join(ctx, folder, "evals.bin", bin));
  CQ_TRY(cq_trace_append(ctx, folder, def, &s->trace, &past));
  CQ_TRY(cq_trace_open(ctx, bin, &s->reader));
  s->replay = (cq_replay){.next = cq_trace_next,
                          .user = s->reader,
                          .elapsed = past.elapsed,
                          .eval_seconds = past.eval_seconds,
                          .warm = (how & CQ_SOLVE_DIVERGE) != 0};
  return CQ_OK;
}

static bool takes_residuals(const cq_scene *scene) {
  return cq_optimizer_find(cq_scene_optimizer(scene)->name)->needs_residuals;
}

/* The columns of history.csv are headed by labels of terms, scenarios and constraints. */
static cq_status label_and_open(cq_solve *s, const char *folder, unsigned how, char (*texts)[LABEL],
                                const char **labels) {
  const cq_scene *const scene = s->file->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  const int m = n_constraints(s->file);
  for (int i = 0; i < s->n_extra; i++) {
    cq_scene_recorded_label(scene, i, texts[i], LABEL);
    labels[i] = texts[i];
  }
  for (int i = 0; i < m; i++) {
    labels[s->n_extra + i] = cq_scene_constraint_label(scene, i);
  }
  const cq_trace_def def = {.n = problem->n,
                            .n_constraints = m,
                            .n_parts = problem->n_parts,
                            .n_residuals = takes_residuals(scene) ? problem->n_residuals : 0,
                            .n_extra = s->n_extra,
                            .extra_labels = labels,
                            .constraint_labels = labels + s->n_extra};
  return open_files(s, folder, how, &def);
}

static cq_status open_record(cq_solve *s, const char *folder, unsigned how) {
  cq_ctx *const ctx = s->file->ctx;
  char(*texts)[LABEL] = NULL;
  const char **labels = NULL;
  cq_status status = CQ_ALLOC(ctx, texts, s->n_extra);
  status = status == CQ_OK ? CQ_ALLOC(ctx, labels, s->n_extra + n_constraints(s->file)) : status;
  status = status == CQ_OK ? label_and_open(s, folder, how, texts, labels) : status;
  cq_free(ctx, texts);
  cq_free(ctx, labels);
  return status;
}

/* --- in pieces ----------------------------------------------------------------------------------
 */

static cq_status check(const cq_file *file, const char *folder, unsigned how) {
  const unsigned known = CQ_SOLVE_RESUME | CQ_SOLVE_DIVERGE;
  CQ_CHECK(file->ctx, (how & ~known) == 0, CQ_USAGE, "there is no way %u to solve", how);
  CQ_CHECK(file->ctx, (how & CQ_SOLVE_DIVERGE) == 0 || (how & CQ_SOLVE_RESUME) != 0, CQ_USAGE,
           "only a run that goes on can diverge");
  CQ_CHECK(file->ctx, (how & CQ_SOLVE_RESUME) == 0 || folder != NULL, CQ_USAGE,
           "there is no folder whose run goes on");
  CQ_CHECK(file->ctx, cq_scene_problem(file->scene)->n > 0, CQ_CONFIG, "%s has no design variables",
           cq_scene_name(file->scene));
  CQ_CHECK(file->ctx, cq_scene_stage_count(file->scene) == 0, CQ_CONFIG,
           "%s has stages: load and solve it with stages=1, stages=2, ... and stages=unset, each "
           "from the best design of the one before, as cqopt solve does",
           cq_scene_name(file->scene));
  return CQ_OK;
}

static cq_status open_solve(cq_solve *s, const char *folder, unsigned how) {
  cq_ctx *const ctx = s->file->ctx;
  s->n_extra = cq_scene_recorded_count(s->file->scene);
  CQ_TRY(CQ_ALLOC(ctx, s->extra, s->n_extra));
  CQ_TRY(CQ_ALLOC(ctx, s->multipliers, n_constraints(s->file)));
  return folder != NULL ? open_record(s, folder, how) : CQ_OK;
}

/* The file is held until the solve is closed. */
cq_status cq_solve_create(cq_file *file, const char *folder, unsigned how, cq_solve **out) {
  cq_solve *s = NULL;
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, out != NULL, CQ_USAGE, "there is nowhere to put the solve");
  *out = NULL;
  CQ_TRY(check(file, folder, how));
  CQ_TRY(CQ_ALLOC(file->ctx, s, 1));
  s->file = file;
  file->n_runs++;
  const cq_status status = open_solve(s, folder, how);
  if (status != CQ_OK) {
    cq_solve_close(s);
    return status;
  }
  *out = s;
  return CQ_OK;
}

cq_status cq_solve_close(cq_solve *s) {
  if (s == NULL) {
    return CQ_OK;
  }
  cq_file *const file = s->file;
  cq_trace_close(s->reader);
  const cq_status status = cq_trace_destroy(s->trace);
  cq_free(file->ctx, s->extra);
  cq_free(file->ctx, s->multipliers);
  cq_free(file->ctx, s);
  file->n_runs--;
  cq_api_leave(file);
  return status;
}

/* The method, then what the record of an earlier run has behind this end. */
cq_status cq_solve_run(cq_solve *s, cq_record_fn record, void *user, double *x, int n,
                       cq_outcome *out) {
  cq_result result = {.status = CQ_USAGE, .reason = "nothing was evaluated"};
  CQ_TRY(cq_api_begin(s != NULL ? s->file : NULL));
  cq_ctx *const ctx = s->file->ctx;
  const cq_problem *const problem = cq_scene_problem(s->file->scene);
  const cq_optimizer_def *const def = cq_scene_optimizer(s->file->scene);
  CQ_CHECK(ctx, !s->ran, CQ_USAGE, "a solve runs once; create another one");
  CQ_TRY(cq_api_length(ctx, "x", x, (size_t)n, (size_t)problem->n));
  CQ_TRY(cq_outcome_of(ctx, &result, out));
  s->record = record;
  s->user = user;
  s->ran = true;
  cq_status status = cq_optimize_from(ctx, problem, def, s->reader != NULL ? &s->replay : NULL,
                                      on_evaluation, s, x, s->multipliers, &result);
  if (s->reader != NULL && !s->replay.warm) {
    const cq_status rest = cq_rest_take_best(ctx, s->reader, def->constraint_tolerance, problem, x,
                                             s->multipliers, &result);
    status = rest != CQ_OK ? rest : status;
  }
  CQ_TRY(cq_outcome_of(ctx, &result, out));
  return status;
}

/* The sentence of a run that failed stays. */
cq_status cq_solve_multipliers(const cq_solve *s, double *multipliers, int n) {
  if (s == NULL) {
    return CQ_USAGE;
  }
  const int m = n_constraints(s->file);
  CQ_CHECK(s->file->ctx, s->ran, CQ_USAGE, "run the solve first");
  CQ_TRY(cq_api_length(s->file->ctx, "multipliers", multipliers, (size_t)n, (size_t)m));
  for (int i = 0; i < m; i++) {
    multipliers[i] = s->multipliers[i];
  }
  return CQ_OK;
}

/* --- in one ------------------------------------------------------------------------------------
 */

typedef struct part {
  cq_solve *solve;
  const double *x;           /* the best */
  const cq_outcome *outcome; /* NULL: it runs */
} part;

typedef cq_status (*write_fn)(const part *p, FILE *out);

static cq_status write_file(const part *p, const char *folder, const char *name, write_fn write) {
  char path[PATH];
  cq_fresh fresh;
  CQ_TRY(join(p->solve->file->ctx, folder, name, path));
  CQ_TRY(cq_fresh_begin(p->solve->file->ctx, path, &fresh));
  return cq_fresh_end(&fresh, write(p, fresh.out));
}

static cq_status write_problem(const part *p, FILE *out) {
  return cq_scene_write_config(p->solve->file->scene, out);
}

static cq_status write_run(const part *p, FILE *out) {
  cq_run_json_write(&(cq_run_json){p->solve->file, p->outcome, p->solve->multipliers}, out);
  return CQ_OK;
}

static cq_status write_design(const part *p, FILE *out) {
  const cq_scene *const scene = p->solve->file->scene;
  fprintf(out, "name,unit,best,start,lower,upper\n");
  for (int i = 0; i < cq_scene_problem(scene)->n; i++) {
    char label[128];
    const cq_variable_info info = cq_scene_variable(scene, i);
    cq_scene_variable_label(scene, i, label, sizeof label);
    cq_csv_text(out, label);
    fputc(',', out);
    cq_csv_text(out, info.unit);
    fprintf(out, ",%.17g,%.17g,%.17g,%.17g\n", cq_scene_user_value(scene, i, p->x[i]), info.start,
            info.lower, info.upper);
  }
  return CQ_OK;
}

/* The solve with the files of its folder around it. */
static cq_status run(cq_solve *s, const char *folder, cq_record_fn record, void *user, double *x,
                     int n, cq_outcome *out) {
  cq_outcome outcome = {.struct_size = sizeof outcome};
  part p = {.solve = s, .x = x};
  CQ_TRY(folder != NULL ? write_file(&p, folder, "problem.cfg", write_problem) : CQ_OK);
  CQ_TRY(folder != NULL ? write_file(&p, folder, "run.json", write_run) : CQ_OK);
  const cq_status status = cq_solve_run(s, record, user, x, n, &outcome);
  CQ_TRY(CQ_GIVE(s->file->ctx, out, outcome));
  p.outcome = &outcome;
  if (folder != NULL && outcome.has_point) {
    CQ_TRY(write_file(&p, folder, "design.csv", write_design));
  }
  CQ_TRY(folder != NULL ? write_file(&p, folder, "run.json", write_run) : CQ_OK);
  return status;
}

static cq_status solve_in(cq_file *file, const char *folder, unsigned how, cq_record_fn record,
                          void *user, double *x, int n, cq_outcome *out) {
  const cq_result nothing = {.status = CQ_USAGE, .reason = "nothing was evaluated"};
  cq_solve *s = NULL;
  CQ_TRY(check(file, folder, how));
  CQ_TRY(cq_api_length(file->ctx, "x", x, (size_t)n, (size_t)cq_scene_problem(file->scene)->n));
  CQ_TRY(cq_outcome_of(file->ctx, &nothing, out));
  CQ_TRY(cq_solve_create(file, folder, how, &s));
  const cq_status status = run(s, folder, record, user, x, n, out);
  const cq_status closed = cq_solve_close(s);
  return status != CQ_OK ? status : closed;
}

cq_status cq_file_solve(cq_file *file, const char *folder, cq_record_fn record, void *user,
                        double *x, int n, cq_outcome *out) {
  CQ_TRY(cq_api_begin(file));
  return solve_in(file, folder, 0, record, user, x, n, out);
}

cq_status cq_file_resume(cq_file *file, const char *folder, unsigned how, cq_record_fn record,
                         void *user, double *x, int n, cq_outcome *out) {
  CQ_TRY(cq_file_may_resume(file, folder, how));
  return solve_in(file, folder, how | CQ_SOLVE_RESUME, record, user, x, n, out);
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
