#include "progress.h"

#include "clock.h"
#include "label.h"
#include "plural.h"
#include "style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { COLUMNS = 80, TERM = 11, LONGEST_TERM = 28, BAR = 40 };

/* the cursor back to the first column, the line empty; no wrapping of a long one */
#define LINE_CLEAR "\r\033[K"
#define LINE_UP    "\033[A"
#define WRAP_OFF   "\033[?7l"
#define WRAP_ON    "\033[?7h"

static int screen_width(FILE *out) {
  struct winsize size;
  const char *const columns = getenv("COLUMNS");
  if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return columns != NULL ? atoi(columns) : COLUMNS;
}

/* of the column of a term: its label, within reason */
static int term_width(const cq_scene *scene, int term) {
  const int length = cli_columns(cq_scene_term_label(scene, term));
  return length < TERM ? TERM : length > LONGEST_TERM ? LONGEST_TERM : length;
}

/* how many terms have room beside the other columns; a single one is the objective itself */
static int terms_shown(const cq_scene *scene, int width) {
  const int n = cq_scene_term_count(scene);
  int shown = 0;
  for (width -= COLUMNS; n > 1 && shown < n; shown++) {
    width -= 1 + term_width(scene, shown);
    if (width < 0) {
      break;
    }
  }
  return shown;
}

static void print_heading(const cli_progress *p) {
  fprintf(p->out, "\n%4s %13s %9s %8s %8s %13s %8s %8s", "eval", "objective", "violation", "|g|",
          "step", "best", "elapsed", "at most");
  for (int i = 0; i < p->terms; i++) {
    const int width = term_width(p->scene, i);
    char label[4 * LONGEST_TERM + 1];
    cli_label_cut(cq_scene_term_label(p->scene, i), width, label, sizeof label);
    fprintf(p->out, "%s %*s%s", i == 0 ? "  " : "", width - cli_columns(label), "", label);
  }
  fputc('\n', p->out);
  fflush(p->out);
}

cli_progress cli_progress_begin(FILE *out, cli_progress_mode mode, cq_scene *scene) {
  cli_progress progress = {.out = mode == CLI_PROGRESS_NONE ? NULL : out, .scene = scene};
  if (progress.out != NULL) {
    progress.live =
        mode == CLI_PROGRESS_BAR || (mode == CLI_PROGRESS_AUTO && cli_style_is_terminal(out));
    progress.terms = terms_shown(scene, screen_width(out));
    progress.within = cli_within_begin(scene);
    print_heading(&progress);
  }
  return progress;
}

/* In a row below what is shown. */
void cli_progress_tick(void *progress, long long forward, long long backward) {
  cli_progress *const p = progress;
  char text[CLI_WITHIN];
  if (!p->live || !cli_within_tick(&p->within, forward, backward, text)) {
    return;
  }
  fputs(p->shows_within ? LINE_CLEAR : p->shown > 0 ? "\n" : "", p->out);
  fprintf(p->out, WRAP_OFF "evaluation %d: %s" WRAP_ON, p->index + 1, text);
  fflush(p->out);
  p->shown += !p->shows_within;
  p->shows_within = true;
}

/* How much of a budget is spent, of that which ends first; limit 0: there is none. */
typedef struct budget {
  double spent, limit;
  const char *unit;
} budget;

static budget nearest_budget(const cli_progress *p, const cq_evaluation *e) {
  const cq_optimizer_def *const def = cq_scene_optimizer(p->scene);
  const budget all[] = {{e->index, def->max_evaluations, "evaluation"},
                        {p->simulations, def->max_simulations, "simulation"},
                        {p->cost, def->max_cost, "forward run"},
                        {e->elapsed, def->max_time, "s"}};
  budget nearest = {.limit = 0.0};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (all[i].limit > 0.0 &&
        (nearest.limit == 0.0 || all[i].spent / all[i].limit > nearest.spent / nearest.limit)) {
      nearest = all[i];
    }
  }
  return nearest;
}

/* until the budget ends at this pace; NAN without one */
static double time_left(budget b, double elapsed) {
  return b.limit > 0.0 && b.spent > 0.0 ? fmax(elapsed * (b.limit / b.spent - 1.0), 0.0) : NAN;
}

static void put_number(FILE *out, int width, int digits, double value) {
  if (isfinite(value)) {
    fprintf(out, " %*.*e", width, digits, value);
  } else {
    fprintf(out, " %*s", width, "-");
  }
}

/* A plain line: where anything is not known, there is a dash. */
static void print_row(const cli_progress *p, const cq_evaluation *e, const cli_outcome *o,
                      const double *terms, double left) {
  FILE *const out = p->out;
  char elapsed[CLI_STAMP], at_most[CLI_STAMP];
  cli_clock_short(e->elapsed, elapsed);
  cli_clock_short(left, at_most);
  fprintf(out, "%4d", e->index);
  if (e->status != CQ_OK) {
    fprintf(out, " %13s", "failed");
  } else {
    put_number(out, 13, 6, e->f);
  }
  put_number(out, 9, 2, e->violation);
  put_number(out, 8, 2, cli_scaled_norm(o->problem, e->grad));
  put_number(out, 8, 2, o->step);
  put_number(out, 13, 6, e->best_f);
  fprintf(out, " %8s %8s%s", elapsed, at_most, e->is_best ? " *" : p->terms > 0 ? "  " : "");
  for (int i = 0; i < p->terms; i++) {
    put_number(out, term_width(p->scene, i), 3, terms[i]);
  }
}

static void print_bar(FILE *out, budget b) {
  const double share = fmin(b.spent / b.limit, 1.0);
  fputc('[', out);
  for (int i = 0; i < BAR; i++) {
    fputc(i < (int)lround(share * BAR) ? '#' : '-', out);
  }
  fprintf(out, "] %.0f %% of %g %s%s", 100.0 * share, b.limit, b.unit,
          strcmp(b.unit, "s") == 0 ? "" : cq_plural(b.limit));
}

/* on the rows that are there, or on new ones */
static void show_live(cli_progress *p, const cq_evaluation *e, const cli_outcome *o,
                      const double *terms, budget b) {
  for (int i = 0; i < p->shown; i++) {
    fputs(i == 0 ? LINE_CLEAR : LINE_UP LINE_CLEAR, p->out);
  }
  fputs(WRAP_OFF, p->out);
  print_row(p, e, o, terms, time_left(b, e->elapsed));
  p->shows_within = false;
  if (b.limit > 0.0) {
    fputc('\n', p->out);
    print_bar(p->out, b);
  }
  fputs(WRAP_ON, p->out);
  p->shown = b.limit > 0.0 ? 2 : 1;
}

static void say_replayed(cli_progress *p) {
  if (p->out != NULL && p->replayed > 0) {
    fprintf(p->out, "     %d of the record\n", p->replayed);
    p->replayed = 0;
  }
}

/* Replayed evaluations are counted and said in one line. */
void cli_progress_show(cli_progress *p, const cq_evaluation *e, const cli_outcome *o,
                       const double *terms) {
  if (p->out == NULL) {
    return;
  }
  p->simulations += e->simulations;
  p->cost += cq_evaluation_cost(e, p->index, cq_scene_optimizer(p->scene)->gradient_cost);
  p->index = e->index;
  cli_within_next(&p->within, e->has_gradient);
  if (e->replayed) {
    p->replayed++;
    return;
  }
  say_replayed(p);
  const budget b = nearest_budget(p, e);
  if (p->live) {
    show_live(p, e, o, terms, b);
  } else {
    print_row(p, e, o, terms, time_left(b, e->elapsed));
    fputc('\n', p->out);
  }
  fflush(p->out);
}

/* The rows above the one of the evaluation under way stay. */
static void clear_within(cli_progress *p) {
  if (p->shows_within) {
    fputs(p->shown > 1 ? LINE_CLEAR LINE_UP : LINE_CLEAR, p->out);
    p->shows_within = false;
    p->shown--;
  }
}

void cli_progress_end(void *progress) {
  cli_progress *const p = progress;
  say_replayed(p);
  clear_within(p);
  if (p->shown > 0) {
    fputc('\n', p->out);
    fflush(p->out);
    p->shown = 0;
  }
}
