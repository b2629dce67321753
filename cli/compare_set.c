/* A comparison on closed-form functions. */
#include "alloc.h"
#include "closed_form.h"
#include "compare.h"
#include "csv.h"
#include "label.h"
#include "plural.h"
#include "signals.h"
#include "status.h"

#include "cqopt/cqopt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_FORMS = CQ_N_CLOSED_FORMS };

typedef struct set {
  cq_ctx *ctx;
  const cli_options *options;
  const char *const *sets; /* [n_sets] */
  int n_sets;
  cli_folder folder;
  cli_compare compares[N_FORMS];
} set;

/* Settings of a method: those of the command line, its own, those of every run. */
static cq_status read_settings(const set *s, const cli_variant *method,
                               cq_optimizer_settings **out) {
  const char **sets = NULL;
  int n = 0;
  CQ_TRY(cli_variant_sets(s->ctx, s->options, method, s->sets, s->n_sets, &sets, &n));
  const cq_status status = cq_optimizer_settings_read(s->ctx, sets, n, out);
  cq_free(s->ctx, sets);
  return status;
}

static cq_status take(void *taker, const cq_evaluation *evaluation) {
  return cli_curve_take(taker, evaluation, evaluation->elapsed);
}

/* A method that refuses a function has not reached anything there. */
static cq_status solve(const set *s, const cq_optimizer_def *def, const cq_problem *problem,
                       const cli_compare *c, cli_batch_run *run, cli_curve *curve) {
  double x[CQ_CLOSED_FORM_MOST];
  cq_result result = {.status = CQ_OK};
  cli_curve_taker taker = cli_curve_begin(s->ctx, &c->counted, curve);
  cq_ctx_set_seed(s->ctx, (uint64_t)run->seed);
  cq_status status = cq_optimizer_accepts(s->ctx, def, problem);
  if (status == CQ_OK) {
    status = cq_optimize(s->ctx, problem, def, take, &taker, x, NULL, &result);
  } else {
    snprintf(result.reason, sizeof result.reason, "%.250s", cq_ctx_error(s->ctx));
  }
  snprintf(run->end.status, sizeof run->end.status, "%s", cq_status_name(status));
  snprintf(run->end.reason, sizeof run->end.reason, "%s", result.reason);
  const cq_status stop = cq_ctx_stop_requested(s->ctx);
  if (status != CQ_MEMORY && stop == CQ_OK) {
    cq_ctx_clear_error(s->ctx);
    return CQ_OK;
  }
  return stop != CQ_OK ? stop : status;
}

/* All runs on a function. */
static cq_status solve_all(const set *s, const cq_closed_form *form, cli_compare *c) {
  double x[CQ_CLOSED_FORM_MOST * 64];
  cq_problem problem = cq_closed_form_problem(form);
  CQ_CHECK(s->ctx, c->seeds <= 64, CQ_USAGE, "--problem-set takes 64 seeds at most");
  CQ_TRY(cq_draw_starts(s->ctx, &problem, (uint64_t)c->first_seed, c->seeds, x));
  for (int m = 0; m < c->methods->count; m++) {
    cq_optimizer_settings *settings = NULL;
    CQ_TRY(read_settings(s, &c->methods->items[m], &settings));
    cq_status status = CQ_OK;
    for (int k = 0; k < c->seeds && status == CQ_OK; k++) {
      const int i = cli_compare_run(c, m, k);
      cli_batch_run *const run = &c->batch.runs[i];
      run->variant = &c->methods->items[m];
      run->seed = c->first_seed + k;
      problem.start = x + k * form->n;
      status = solve(s, cq_optimizer_settings_def(settings), &problem, c, run, &c->curves[i]);
    }
    cq_optimizer_settings_free(settings);
    CQ_TRY(status);
  }
  return CQ_OK;
}

/* The tables of one function, in a folder of its name. */
static cq_status write_function(set *s, const char *name, cli_compare *c) {
  static const struct {
    const char *name;
    cli_write_fn write;
  } files[] = {{"compare.csv", cli_compare_write_table},
               {"runs.csv", cli_compare_write_runs},
               {"curves.csv", cli_compare_write_curves}};
  char path[CLI_PATH];
  CQ_TRY(cli_folder_make(&s->folder, name));
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", name, files[i].name);
    CQ_TRY(cli_folder_write(&s->folder, path, files[i].write, c));
  }
  cli_folder_path(&s->folder, name, path, sizeof path);
  cli_plot_compare(c, path);
  return CQ_OK;
}

/* All methods from all starts on one function, whose optimum is known. */
static cq_status compare_function(set *s, const cli_compare *common, int i) {
  const cq_closed_form *const form = &cq_closed_forms[i];
  cli_compare *const c = &s->compares[i];
  *c = *common;
  c->ctx = s->ctx;
  c->n = form->n;
  c->title = form->name;
  c->optimum = form->f;
  c->share = 1e-6;
  c->target = NAN;
  c->aim = "the optimum + 1e-6 of the gap at the start";
  c->counted.constraint_tolerance = cq_optimizer_default().constraint_tolerance;
  c->batch.count = c->methods->count * c->seeds;
  CQ_TRY(CQ_ALLOC(s->ctx, c->batch.runs, c->batch.count));
  CQ_TRY(CQ_ALLOC(s->ctx, c->curves, c->batch.count));
  CQ_TRY(CQ_ALLOC(s->ctx, c->scores, c->methods->count));
  CQ_TRY(solve_all(s, form, c));
  cli_compare_score(c);
  return write_function(s, form->name, c);
}

/* A row for each function and method: the expected running time, and who got there. */
static cq_status write_table(void *user, FILE *out) {
  const set *const s = user;
  fputs("function,method,variables,runs,successes,target,expected_to_target,f_median\n", out);
  for (int i = 0; i < N_FORMS; i++) {
    const cli_compare *const c = &s->compares[i];
    for (int m = 0; m < c->methods->count; m++) {
      fprintf(out, "%s,", cq_closed_forms[i].name);
      cq_csv_text(out, c->methods->items[m].label);
      fprintf(out, ",%d,%d,%d,", c->n, c->seeds, c->scores[m].successes);
      cq_csv_number(out, c->target);
      fputc(',', out);
      cq_csv_number(out, c->scores[m].expected);
      fputc(',', out);
      cq_csv_number(out, c->scores[m].f[1]);
      fputc('\n', out);
    }
  }
  return CQ_OK;
}

static cli_pairs pairs_of(const set *s) {
  return (cli_pairs){.count = N_FORMS,
                     .compares = s->compares,
                     .per_variable = true,
                     .title = "closed-form functions"};
}

static bool is_refused(const cli_compare *c, int method) {
  return strcmp(c->batch.runs[cli_compare_run(c, method, 0)].end.status,
                cq_status_name(CQ_CONFIG)) == 0;
}

static void print_words(FILE *out, const cli_style *style, void *user) {
  const set *const s = user;
  const cli_compare *const first = s->compares;
  char unit[32];
  cli_compare_unit(first, first->counted.budget, unit);
  fprintf(out,
          "\n%sClosed-form functions%s: %d seed%s, a budget of %g %s each, in which a gradient "
          "makes a value cost %g.\nExpected %s to the optimum + 1e-6 of the gap at the start, and "
          "how many got there; x: refused.\n",
          style->bold, style->end, first->seeds, cq_plural(first->seeds), first->counted.budget,
          unit, first->counted.gradient_cost, cli_unit_name(first->counted.unit));
}

/* columns of a function's name and size, and of a method; so many methods beside each other */
enum { FUNCTION = 16, METHOD = 15, ABREAST = (CLI_SCREEN - FUNCTION) / (1 + METHOD) };

static bool has_long_label(const cli_variants *methods) {
  bool has = false;
  for (int m = 0; m < methods->count; m++) {
    has = has || cli_columns(methods->items[m].label) > METHOD;
  }
  return has;
}

/* Labels that are too long for their columns get numbers. */
static void print_legend(FILE *out, const cli_variants *methods) {
  for (int m = 0; m < methods->count && has_long_label(methods); m++) {
    fprintf(out, "  (%d) %s\n", m + 1, methods->items[m].label);
  }
}

/* The table of a few methods. */
static void print_methods(FILE *out, const cli_style *style, const set *s, int begin, int end) {
  const cli_variants *const methods = s->compares->methods;
  const cli_pairs pairs = pairs_of(s);
  const bool numbered = has_long_label(methods);
  fprintf(out, "\n%s%-*s", style->bold, FUNCTION, "function");
  for (int m = begin; m < end; m++) {
    char number[16];
    snprintf(number, sizeof number, "(%d)", m + 1);
    fprintf(out, " %*s", METHOD, numbered ? number : methods->items[m].label);
  }
  fprintf(out, "%s\n", style->end);
  for (int i = 0; i < N_FORMS; i++) {
    const cli_compare *const c = &s->compares[i];
    fprintf(out, "%-13s %2d", cq_closed_forms[i].name, c->n);
    for (int m = begin; m < end; m++) {
      char cell[48];
      snprintf(cell, sizeof cell, "%.4g (%d)", c->scores[m].expected, c->scores[m].successes);
      fprintf(out, " %*s", METHOD,
              is_refused(c, m)             ? "x"
              : c->scores[m].successes > 0 ? cell
                                           : "-");
    }
    fputc('\n', out);
  }
  fprintf(out, "%-*s", FUNCTION, "pairs reached");
  for (int m = begin; m < end; m++) {
    fprintf(out, " %*.1f%%", METHOD - 1, 100 * cli_pairs_share(&pairs, m));
  }
  fputc('\n', out);
}

static void print_set(FILE *out, const cli_style *style, void *user) {
  const set *const s = user;
  const int n = s->compares->methods->count;
  cli_style_wrapped(out, style, 0, print_words, user);
  print_legend(out, s->compares->methods);
  for (int m = 0; m < n; m += ABREAST) {
    print_methods(out, style, s, m, m + ABREAST < n ? m + ABREAST : n);
  }
}

/* what a quiet comparison says */
static void print_outcome(const set *s) {
  const cli_variants *const methods = s->compares->methods;
  int reached = 0;
  for (int i = 0; i < N_FORMS; i++) {
    for (int m = 0; m < methods->count; m++) {
      reached += s->compares[i].scores[m].successes;
    }
  }
  printf("test functions: %d runs, %d at the target, %s\n",
         N_FORMS * methods->count * s->compares->seeds, reached, s->folder.path);
}

/* Settings are right, and a sphere with bounds is refused by none. */
static cq_status check_methods(const set *s, const cli_compare *common) {
  for (int m = 0; m < common->methods->count; m++) {
    cq_optimizer_settings *settings = NULL;
    CQ_TRY(read_settings(s, &common->methods->items[m], &settings));
    const cq_problem sphere = cq_closed_form_problem(&cq_closed_forms[CQ_N_CLOSED_FORMS_HS]);
    const cq_status status =
        cq_optimizer_accepts(s->ctx, cq_optimizer_settings_def(settings), &sphere);
    cq_optimizer_settings_free(settings);
    CQ_TRY(status);
  }
  return CQ_OK;
}

/* Function by function, then all of them together. */
static cq_status run(set *s, const cli_compare *common) {
  CQ_TRY(check_methods(s, common));
  CQ_TRY(cli_folder_create(&s->folder, s->options->output, "test_functions"));
  for (int i = 0; i < N_FORMS; i++) {
    CQ_TRY(compare_function(s, common, i));
  }
  cli_pairs pairs = pairs_of(s);
  CQ_TRY(cli_folder_write(&s->folder, "compare.csv", write_table, s));
  CQ_TRY(cli_folder_write(&s->folder, "ecdf.csv", cli_pairs_write, &pairs));
  cli_plot_pairs(&pairs, s->folder.path);
  CQ_TRY(cli_style_report(s->ctx, &s->folder, s->options->quiet, print_set, s));
  if (s->options->quiet) {
    print_outcome(s);
  } else {
    printf("Files: %s\n", s->folder.path);
  }
  return CQ_OK;
}

static void free_all(set *s) {
  for (int i = 0; i < N_FORMS; i++) {
    cli_compare *const c = &s->compares[i];
    for (int k = 0; c->curves != NULL && k < c->batch.count; k++) {
      cli_curve_free(&c->curves[k]);
    }
    cq_free(s->ctx, c->curves);
    cq_free(s->ctx, c->scores);
    cq_free(s->ctx, c->batch.runs);
  }
}

cq_status cli_compare_set(const cli_compare *compare, const cli_options *options,
                          const char *const *sets, int n_sets) {
  static set s; /* too large for some stacks */
  s = (set){.ctx = compare->ctx, .options = options, .sets = sets, .n_sets = n_sets};
  cli_folder_listen(s.ctx, options->quiet, &s.folder);
  cli_signals_begin(s.ctx);
  cq_status status = run(&s, compare);
  cli_signals_end();
  const cq_status closed = cli_folder_close(&s.folder);
  free_all(&s);
  return status != CQ_OK ? status : closed;
}
