#include "grades.h"

#include "alloc.h"
#include "graded.h"
#include "status.h"
#include "style.h"

#include <math.h>
#include <string.h>

enum { MOST_GRADES = 16 };

/* parts of a run */
static const double horizons[] = {0.125, 0.25, 0.5, 1.0};
enum { HORIZONS = sizeof horizons / sizeof *horizons };

typedef struct grades {
  cli_session *session;
  int n, count; /* variables, words */
  int exact;    /* the first word that is exact, else the first that is given */
  int instead;  /* the heuristic to take where that is too long; -1: none */
  int steps, all_steps;
  double time_step;
  double first;  /* |g| of the exact one in the first part of the run */
  int last_good; /* steps of the longest run in which it was not too long; 0: none */
  cli_graded graded[MOST_GRADES];
} grades;

/* Words of the engine, but for "none". */
static void find_words(grades *g) {
  const char *const instead = cq_scene_gradient_instead(g->session->scene);
  const char *word = NULL;
  cq_gradient_kind kind = CQ_GRADIENT_NONE;
  g->exact = g->instead = -1;
  for (int i = 0; g->count < MOST_GRADES &&
                  (word = cq_scene_gradient_word(g->session->scene, i, &kind)) != NULL;
       i++) {
    if (kind == CQ_GRADIENT_NONE) {
      continue;
    }
    g->instead = instead != NULL && strcmp(word, instead) == 0 ? g->count : g->instead;
    g->exact = g->exact < 0 && cli_graded_is_exact(kind) ? g->count : g->exact;
    g->graded[g->count++] = (cli_graded){.word = word, .kind = kind};
  }
}

/* The one that others are measured by: exact, if the problem has what that needs. */
static const cli_graded *measure_of(const grades *g) {
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < g->count; i++) {
      if (g->graded[i].done && (pass == 1 || cli_graded_is_exact(g->graded[i].kind))) {
        return &g->graded[i];
      }
    }
  }
  return NULL;
}

/* A gradient beside the one that the others are measured by. */
static void print_row(FILE *out, const grades *g, const cli_graded *by, const cli_graded *a) {
  fprintf(out, "  %-18s", a->word);
  if (!a->done) {
    fprintf(out, "  %12s\n", "-");
    return;
  }
  fprintf(out, "  %12.5g  %9.5f  %11.4g", a->norm, cli_graded_cosine(by, a, g->n),
          a->norm / by->norm);
  if (a == by && cli_graded_is_exact(a->kind) && g->first > 0.0) {
    fprintf(out, "  |g| is %.3g times that of the first", a->norm / g->first);
  }
  if (!isnan(a->health.rate)) {
    fprintf(out, ", %.3g-fold backward in time", a->health.growth);
  }
  fputc('\n', out);
}

/* One horizon. */
static void print_horizon(FILE *out, const cli_style *style, void *user) {
  const grades *const g = user;
  const cli_graded *const by = measure_of(g);
  fprintf(out, "\n%sFirst %d of %d steps%s, %g s\n", style->bold, g->steps, g->all_steps,
          style->end, g->steps * g->time_step);
  if (by == NULL) {
    fprintf(out, "  none of its gradients can be made: %s\n", g->graded[0].why);
    return;
  }
  fprintf(out, "  %-18s  %12s  %9s  %11s\n", "gradient", "|g|", "cosine", "norm ratio");
  for (int i = 0; i < g->count; i++) {
    print_row(out, g, by, &g->graded[i]);
  }
}

/* The gradients there are, and what each is worth. */
static void print_heading(FILE *out, const cli_style *style, void *user) {
  const grades *const g = user;
  fprintf(
      out,
      "\n%sGrades%s  the gradient of the objective at the start, by variables in parts of their "
      "scales, if the run ended earlier\n",
      style->bold, style->end);
  for (int i = 0; i < g->count; i++) {
    const cli_graded *const a = &g->graded[i];
    fprintf(out, "  %-18s  %s", a->word, cq_gradient_kind_name(a->kind));
    if (!isnan(a->step)) {
      fprintf(out, ", steps of %g of what a variable may change by", a->step);
    }
    if (!a->done) {
      fprintf(out, "; left out: %s", a->why);
    }
    fputc('\n', out);
  }
}

/* All words in the first `steps` of the run. */
static cq_status find_all(grades *g, int steps) {
  const cq_problem *const p = cq_scene_problem(g->session->scene);
  g->steps = steps;
  for (int i = 0; i < g->count; i++) {
    cli_graded *const a = &g->graded[i];
    const cq_gradient_kind kind = a->kind;
    cli_graded_free(g->session, a);
    CQ_TRY(cli_graded_find(g->session, a->word, steps, p->start, a));
    a->kind = kind;
  }
  return CQ_OK;
}

/* Notes how far the exact gradient is of use. */
static void note(grades *g) {
  const cli_graded *const exact = g->exact >= 0 ? measure_of(g) : NULL;
  if (exact == NULL || !cli_graded_is_exact(exact->kind)) {
    return;
  }
  g->first = g->first > 0.0 ? g->first : exact->norm;
  const cli_graded *const beside = g->instead >= 0 ? &g->graded[g->instead] : NULL;
  if (beside != NULL && beside->done && cli_graded_ratio(exact, beside, g->n) <= CLI_OUTGROWN) {
    g->last_good = g->steps;
  }
}

/* Where the exact gradient has outgrown its use, and what to take. */
static void print_advice(FILE *out, const cli_style *style, void *user) {
  const grades *const g = user;
  const cli_graded *const exact = measure_of(g);
  const cli_graded *const beside = g->instead >= 0 ? &g->graded[g->instead] : NULL;
  const double ratio =
      beside != NULL && exact != NULL ? cli_graded_ratio(exact, beside, g->n) : NAN;
  if (!(ratio > CLI_OUTGROWN) || !cli_graded_is_exact(exact->kind)) {
    return;
  }
  fprintf(out,
          "\n%sOutgrown%s  over the whole run \"%s\" is %.3g times as long as \"%s\": it tells how "
          "chaotic the run is, not where a better design lies; take simulation.gradient = \"%s\"",
          style->fair, style->end, exact->word, ratio, beside->word, beside->word);
  if (g->last_good > 0) {
    fprintf(out, ", or a run of at most %d steps", g->last_good);
  }
  fputc('\n', out);
}

static cq_status report(grades *g, cli_report_fn print) {
  cli_session *const s = g->session;
  return cli_style_report(s->ctx, s->has_folder ? &s->folder : NULL, s->options->quiet, print, g);
}

static cq_status run(grades *g) {
  find_words(g);
  for (int h = 0; h < HORIZONS; h++) {
    const int steps = (int)fmax(1.0, round(horizons[h] * g->all_steps));
    CQ_TRY(find_all(g, steps));
    note(g);
    CQ_TRY(h == 0 ? report(g, print_heading) : CQ_OK);
    CQ_TRY(report(g, print_horizon));
  }
  return report(g, print_advice);
}

/* Each word is a problem of its own, and each horizon, too: the one that is open stays as it is. */
cq_status cli_grades_print(cli_session *session) {
  const cq_scene_info info = cq_scene_information(session->scene);
  grades g = {.session = session,
              .n = cq_scene_problem(session->scene)->n,
              .all_steps = info.steps,
              .time_step = info.time_step};
  const cq_status status = run(&g);
  for (int i = 0; i < g.count; i++) {
    cli_graded_free(session, &g.graded[i]);
  }
  return status;
}
