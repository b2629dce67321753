#include "starts_report.h"

#include "alloc.h"
#include "best.h"
#include "clock.h"
#include "design_table.h"
#include "open.h"
#include "plural.h"
#include "report.h"
#include "run_read.h"
#include "start.h"
#include "status.h"
#include "summary.h"
#include "table.h"
#include "tear.h"
#include "warnings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* until all have ended */
static bool is_silent(const cli_options *options) {
  return options->quiet || options->progress == CLI_PROGRESS_NONE;
}

void cli_starts_begin(const cli_start_plan *plan, const cli_starts *starts) {
  if (is_silent(plan->session->options)) {
    return;
  }
  printf("\n%d start%s, %d at a time, %d thread%s each", starts->count, cq_plural(starts->count),
         plan->workers, plan->threads, cq_plural(plan->threads));
  if (starts->ended > 0 && !plan->session->options->allow_diverge) {
    printf(", %d done before", starts->ended);
  }
  cli_starts_print_heading(stdout);
  fflush(stdout);
}

void cli_starts_progress(cli_session *session, const cli_start *start) {
  char line[700];
  snprintf(line, sizeof line, "start %d: %s, f = %.9g, %d evaluation%s: %s", start->number,
           start->status, start->f, start->evaluations, cq_plural(start->evaluations),
           start->reason);
  cli_folder_log(&session->folder, line);
  if (is_silent(session->options)) {
    return;
  }
  cli_start_print(stdout, start);
  fputc('\n', stdout);
  fflush(stdout);
}

/* The file `name` of the best start; a cli_write_fn copies it. */
typedef struct best_file {
  cq_ctx *ctx;
  char path[CLI_PATH];
} best_file;

static best_file best_file_of(const cli_session *session, const cli_starts *s, const char *name) {
  best_file file = {.ctx = session->ctx};
  snprintf(file.path, sizeof file.path, "%.960s/%s/%.40s", session->folder.path,
           s->starts[s->best].folder, name);
  return file;
}

static cq_status copy_file(void *user, FILE *out) {
  const best_file *const file = user;
  char buffer[1 << 12];
  FILE *const in = cq_open_read(file->path);
  CQ_CHECK(file->ctx, in != NULL, CQ_IO, "%s: %s", file->path, cq_open_error(errno));
  for (size_t got = 0; (got = fread(buffer, 1, sizeof buffer, in)) > 0;) {
    fwrite(buffer, 1, got, out);
  }
  const bool good = !ferror(in);
  fclose(in);
  CQ_CHECK(file->ctx, good, CQ_IO, "%s: it could not be read", file->path);
  return CQ_OK;
}

/* "[1, 2.5]" into values [n]; NAN where there are fewer */
static void read_numbers(const char *text, double *values, int n) {
  for (int i = 0; i < n; i++) {
    char *end = NULL;
    text += strspn(text, "[, ");
    values[i] = strtod(text, &end);
    values[i] = end != text ? values[i] : NAN;
    text = end;
  }
}

/* what the best start's run.json says beyond what starts.csv has */
static void take_best(cli_session *session, const cli_starts *s, double *multipliers,
                      cli_half_step *half_step) {
  enum { TEXT = 4096 };
  const cq_problem *const problem = cq_scene_problem(session->scene);
  char folder[CLI_PATH], text[TEXT], *json = NULL;
  snprintf(folder, sizeof folder, "%.960s/%s", session->folder.path, s->starts[s->best].folder);
  if (cli_run_read(session->ctx, folder, &json) == CQ_OK) {
    cli_run_member(json, "multipliers", text, sizeof text);
    read_numbers(text, multipliers, problem->n_inequality + problem->n_equality);
    *half_step = cli_half_step_read(json);
    session->run.uncertainty_said = cli_run_object(json, "uncertainty");
    free(json);
  }
}

/* how the best one ended, or the first one where none has a point */
static void say_best(const cli_starts *s, char reason[256]) {
  const cli_start *const said = &s->starts[s->best >= 0 ? s->best : 0];
  const int status = cli_status_find(said->status);
  const char *const words[] = {cli_start_word(said),
                               status > CQ_OK ? cq_status_text((cq_status)status) : ""};
  const char *rest = said->reason;
  char text[64];
  for (int i = 0; i < 2; i++) { /* it may say the word itself, or a longer one */
    const size_t length = strlen(words[i]);
    if (length > 0 && strncmp(rest, words[i], length) == 0) {
      rest += length;
      rest += strspn(rest, ": ");
    }
  }
  snprintf(reason, 256, "%sstart %d: %s%s%.180s",
           s->best >= 0 ? "" : "no start has a valid point; ", said->number,
           cli_starts_word(s, text), rest[0] != '\0' ? ": " : "", rest);
}

/* what a start's machine had against it, and what there is all the same */
static void say_failed(const cli_starts *s, char reason[256]) {
  const int failed = cli_starts_failed(s);
  const cli_start *const said = &s->starts[failed >= 0 ? failed : 0];
  char text[64], best[100] = "no start has a valid point";
  if (s->best == failed) {
    snprintf(best, sizeof best, "it has the best design so far");
  } else if (s->best >= 0) {
    snprintf(best, sizeof best, "the best so far is start %d: %s", s->starts[s->best].number,
             cli_starts_word(s, text));
  }
  snprintf(reason, 256, "start %d: %.140s; %s", said->number, said->reason, best);
}

/* f and its like are those of the best start, counts and seconds the sums over all */
static void sum_up(const cli_starts *s, cq_status status, cq_outcome *r) {
  *r = (cq_outcome){
      .struct_size = sizeof *r, .status = status, .kkt_residual = NAN, .eval_seconds = NAN};
  for (int i = 0; i < s->count; i++) {
    const cli_start *const start = &s->starts[i];
    r->evaluations += start->evaluations;
    r->simulations += start->simulations;
    r->gradients += start->gradients;
    r->failures += start->failures;
    r->recovered += start->recovered;
    r->seconds += isnan(start->seconds) ? 0.0 : start->seconds;
  }
  if (s->best >= 0) {
    const cli_start *const said = &s->starts[s->best];
    r->has_point = true;
    r->f = said->f;
    r->violation = said->violation;
    r->kkt_residual = said->kkt_residual;
  }
  if (status == CQ_INTERRUPTED || status == CQ_TERMINATED) {
    snprintf(r->reason, sizeof r->reason, "%s with %d of %d starts done", cq_status_text(status),
             s->ended, s->count);
    return;
  }
  if (status == CQ_IO || status == CQ_MEMORY || status == CQ_DEVICE) {
    say_failed(s, r->reason);
  } else {
    say_best(s, r->reason);
  }
}

typedef struct telling {
  const char *line;
  bool known;
} telling;

static void compare_line(void *user, const char *line) {
  telling *const t = user;
  t->known = t->known || strcmp(line, t->line) == 0;
}

typedef struct warned {
  const cli_session *session;
  int number;
} warned;

/* What the whole has said itself, of the problem they share, it does not say again. */
static void tell_warning(void *user, const char *line) {
  static const char mark[] = "warning: ";
  const warned *const w = user;
  telling t = {.line = line};
  cli_warnings_read(w->session->folder.path, compare_line, &t);
  if (!t.known && strncmp(line, mark, sizeof mark - 1) == 0) {
    cq_log(w->session->ctx, CQ_LOG_WARNING, "start %d: %s", w->number, line + sizeof mark - 1);
  }
}

/* The best start's warnings are the run's. */
static void tell_warnings(const cli_session *session, const cli_starts *s) {
  const best_file file = best_file_of(session, s, "");
  warned w = {.session = session, .number = s->starts[s->best].number};
  cli_warnings_read(file.path, tell_warning, &w);
}

static cq_status record_best(cli_session *session, const cli_starts *s, cq_status status,
                             bool *written, cq_tear *tear) {
  const best_file file = best_file_of(session, s, "");
  const int best = cli_report_best(session->ctx, file.path);
  if (!cli_session_has_result(status)) {
    cli_best_record_late(session, status, file.path, best, written);
    return CQ_OK;
  }
  session->run.tear = tear;
  return cli_best_record(session, file.path, best, true, written, tear);
}

typedef struct report {
  cli_session *session;
  const cli_starts *starts;
  const cq_outcome *result;
  const cli_half_step *half_step;
  const cq_tear *tear;
  bool with_trajectory;
} report;

/* design.csv of the best start: its columns start and best [n] */
static bool read_design(const report *r, int n, double *start, double *best) {
  const best_file file = best_file_of(r->session, r->starts, "design.csv");
  cli_table table;
  if (cli_table_open(r->session->ctx, file.path, &table) != CQ_OK) {
    return false;
  }
  int i = 0;
  for (; i < n && cli_table_next(&table); i++) {
    start[i] = cli_table_number(&table, cli_table_column(&table, "start"));
    best[i] = cli_table_number(&table, cli_table_column(&table, "best"));
  }
  cli_table_close(&table);
  return i == n;
}

static void print_design(FILE *out, const cli_style *style, const report *r) {
  const cq_scene *const scene = r->session->scene;
  const int n = cq_scene_problem(scene)->n;
  double *const values = calloc(2 * (size_t)n, sizeof *values);
  if (values != NULL && read_design(r, n, values, values + n)) {
    const cli_design_table table = {
        .scene = scene, .heading = "Design of the best", .start = values, .best = values + n};
    cli_design_print(out, style, &table);
  }
  free(values);
}

/* How the starts went, what they cost, and the outcome of all. */
static void print_sentences(FILE *out, const cli_style *style, void *user) {
  const report *const r = user;
  const cli_starts *const s = r->starts;
  const cq_outcome *const result = r->result;
  char time[CLI_STAMP];
  cli_clock_duration(result->seconds, time);
  fprintf(out, "\n%sStarts%s      %d of %d done, %d verified", style->bold, style->end, s->ended,
          s->count, s->verified);
  if (s->at_best > 0) {
    fprintf(out, ", %d with the best objective (to a millionth)", s->at_best);
  }
  if (s->optima > 1) {
    fprintf(out, "; those verified are %d different optima", s->optima);
  }
  if (r->half_step->wanted) {
    cli_half_step_print(out, style, r->half_step);
  }
  cli_tear_print(out, style, r->session->scene, r->tear);
  fprintf(out, "\n%sEffort%s      %d evaluation%s, %d gradient%s, %d failed, ", style->bold,
          style->end, result->evaluations, cq_plural(result->evaluations), result->gradients,
          cq_plural(result->gradients), result->failures);
  if (result->recovered > 0) {
    fprintf(out, "%d solved in smaller steps, ", result->recovered);
  }
  fprintf(out, "%s of solving", time);
  fprintf(out, "\n%sFiles%s       %s: %s%sstarts.csv, run.json%s", style->bold, style->end,
          r->session->folder.path,
          cq_scene_information(r->session->scene).report ? "report.html, " : "",
          r->session->run.uncertainty_said != NULL ? "design.csv, uncertainty.csv, residuals.csv, "
          : s->best >= 0                           ? "design.csv, "
                                                   : "",
          r->with_trajectory ? ", trajectory.xdmf" : "");
  if (s->best >= 0) {
    fprintf(out, "; %s: history.csv", s->starts[s->best].folder);
  }
  cli_summary_go_on(out, style, result->status, false, r->session->folder.path);
  fprintf(out, "\n%sOutcome%s     %s%s%s\n", style->bold, style->end,
          result->status == CQ_OK && s->optima > 1 ? style->fair
                                                   : cli_style_of(style, result->status),
          result->reason, style->end);
}

static void print_report(FILE *out, const cli_style *style, void *user) {
  const report *const r = user;
  fprintf(out, "\n%sStarts, the best first%s", style->bold, style->end);
  cli_starts_print(out, style, r->starts);
  if (r->starts->best >= 0) {
    print_design(out, style, r);
  }
  cli_style_wrapped(out, style, CLI_HEADING, print_sentences, user);
}

void cli_starts_say(const char *name, const char *folder, const cli_starts *s,
                    const cq_outcome *result, cq_status status) {
  char text[64];
  const char *const word = status == CQ_OK ? cli_starts_word(s, text) : cq_status_text(status);
  printf("%s: %s", name, word);
  if (result->has_point) {
    printf(", f = %.6g, violation %.3g", result->f, result->violation);
  }
  printf(", %d of %d starts done, %d evaluation%s, %s\n", s->ended, s->count, result->evaluations,
         cq_plural(result->evaluations), folder);
}

/* What a fit has told of its best design, where it has. */
static cq_status copy_fit(cli_session *session, const cli_starts *starts) {
  static const char *const names[] = {"uncertainty.csv", "residuals.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names && session->run.uncertainty_said; i++) {
    best_file file = best_file_of(session, starts, names[i]);
    CQ_TRY(cli_folder_write(&session->folder, names[i], copy_file, &file));
  }
  return CQ_OK;
}

/* The best start's design and motion become those of the run. */
cq_status cli_starts_report(cli_session *session, const cli_starts *starts, cq_status status,
                            cq_outcome *result, double *multipliers, cli_half_step *half_step,
                            cq_tear *tear) {
  report r = {
      .session = session, .starts = starts, .result = result, .half_step = half_step, .tear = tear};
  sum_up(starts, status, result);
  session->run.result = result;
  session->run.multipliers = multipliers;
  session->run.reason = result->reason;
  session->run.half_step = half_step;
  if (starts->best >= 0) {
    best_file design = best_file_of(session, starts, "design.csv");
    take_best(session, starts, multipliers, half_step);
    tell_warnings(session, starts);
    CQ_TRY(cli_folder_write(&session->folder, "design.csv", copy_file, &design));
    CQ_TRY(copy_fit(session, starts));
    CQ_TRY(record_best(session, starts, status, &r.with_trajectory, tear));
  }
  CQ_TRY(
      cli_style_report(session->ctx, &session->folder, session->options->quiet, print_report, &r));
  if (cli_starts_failed(starts) >= 0 && !cli_session_has_result(status)) {
    return CQ_FAIL(session->ctx, status, "%s; 'cqopt solve --resume %s' goes on with what is left",
                   result->reason, session->folder.path);
  }
  return status;
}
