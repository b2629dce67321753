#include "progress.h"

#include "clock.h"
#include "style.h"

#include <math.h>

/* the cursor back to the first column, the line empty, and no wrapping of a long one */
#define LINE_BEGIN "\r\033[K\033[?7l"
#define LINE_END   "\033[?7h"

cli_progress cli_progress_begin(FILE *out, const cq_optimizer_def *def) {
  cli_progress progress = {
      .out = out, .max_evaluations = def->max_evaluations, .max_time = def->max_time};
  if (out != NULL) {
    progress.live = cli_style_is_terminal(out);
    fprintf(out, "\n%4s %14s %9s %9s %14s %11s %11s\n", "eval", "objective", "violation", "|g|",
            "best", "elapsed", "at most");
    fflush(out);
  }
  return progress;
}

/* what the budgets leave; NAN without one */
static double time_left(const cli_progress *progress, const cq_evaluation *evaluation) {
  double left = INFINITY;
  if (progress->max_evaluations > 0) {
    left =
        evaluation->elapsed / evaluation->index * (progress->max_evaluations - evaluation->index);
  }
  if (progress->max_time > 0.0) {
    left = fmin(left, progress->max_time - evaluation->elapsed);
  }
  return isfinite(left) ? fmax(left, 0.0) : NAN;
}

static void put_number(FILE *out, int width, int digits, double value) {
  if (isfinite(value)) {
    fprintf(out, " %*.*e", width, digits, value);
  } else {
    fprintf(out, " %*s", width, "-");
  }
}

static void say_replayed(cli_progress *progress) {
  if (progress->out != NULL && progress->replayed > 0) {
    fprintf(progress->out, "     %d of the record\n", progress->replayed);
    progress->replayed = 0;
  }
}

void cli_progress_show(cli_progress *progress, const cq_evaluation *evaluation, double norm) {
  FILE *const out = progress->out;
  if (out == NULL) {
    return;
  }
  if (evaluation->replayed) {
    progress->replayed++;
    return;
  }
  say_replayed(progress);
  char elapsed[CLI_STAMP], left[CLI_STAMP];
  cli_clock_duration(evaluation->elapsed, elapsed);
  cli_clock_duration(time_left(progress, evaluation), left);
  fprintf(out, "%s%4d", progress->live ? LINE_BEGIN : "", evaluation->index);
  put_number(out, 14, 7, evaluation->f);
  put_number(out, 9, 2, evaluation->violation);
  put_number(out, 9, 2, norm);
  put_number(out, 14, 7, evaluation->best_f);
  fprintf(out, " %11s %11s%s", elapsed, left,
          evaluation->status != CQ_OK ? "  failed" : (evaluation->is_best ? " *" : ""));
  fputs(progress->live ? LINE_END : "\n", out);
  fflush(out);
  progress->shown = progress->live;
}

void cli_progress_end(cli_progress *progress) {
  say_replayed(progress);
  if (progress->shown) {
    fputc('\n', progress->out);
    fflush(progress->out);
    progress->shown = false;
  }
}
