/* The tables of a comparison, as files and for people. */
#include "compare.h"
#include "csv.h"
#include "label.h"
#include "plural.h"
#include "repeats.h"
#include "statistics.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_POINTS = 200 };

static void put(FILE *out, double value) {
  fputc(',', out);
  cq_csv_number(out, value);
}

/* compare.csv: a row a method. */
cq_status cli_compare_write_table(void *user, FILE *out) {
  const cli_compare *const c = user;
  fputs("method,runs,f_q25,f_median,f_q75,target,successes,success_rate,unit,expected_to_target,"
        "median_to_target,seconds_to_target,p_value,f_mean,f_deviation\n",
        out);
  for (int m = 0; m < c->methods->count; m++) {
    const cli_score *const s = &c->scores[m];
    cq_csv_text(out, c->methods->items[m].label);
    fprintf(out, ",%d", c->seeds);
    for (int q = 0; q < 3; q++) {
      put(out, s->f[q]);
    }
    put(out, c->target);
    fprintf(out, ",%d", s->successes);
    put(out, (double)s->successes / c->seeds);
    fprintf(out, ",%s", cli_unit_name(c->counted.unit));
    put(out, s->expected);
    put(out, s->hit);
    put(out, s->hit_seconds);
    put(out, s->p);
    double mean = NAN, deviation = NAN;
    cli_repeats_medians(c, m, &mean, &deviation);
    put(out, mean);
    put(out, deviation);
    fputc('\n', out);
  }
  return CQ_OK;
}

/* A row of runs.csv: how it ended, what it spent, and what it took to the target. */
static void put_run(const cli_compare *c, const cli_batch_run *run, const cli_curve *curve,
                    FILE *out) {
  const cli_step *const last = curve->count > 0 ? &curve->steps[curve->count - 1] : NULL;
  cq_csv_text(out, run->variant->label);
  fprintf(out, ",%lld,%s,%s", run->seed, run->folder, run->end.status);
  put(out, curve->f_first);
  put(out, last != NULL ? last->f : NAN);
  put(out, curve->violation);
  for (int u = 0; u < CLI_N_UNITS; u++) {
    put(out, curve->end[u]);
  }
  for (int u = 0; u < CLI_N_UNITS; u++) {
    put(out, isnan(c->target) ? NAN : cli_curve_hit(curve, (cli_unit)u, c->target));
  }
  put(out, run->end.f_mean);
  put(out, run->end.f_deviation);
  put(out, run->end.f_worst);
  fprintf(out, ",%d,%d,", run->end.failures, run->end.recovered);
  cq_csv_text(out, run->end.reason);
  fputc('\n', out);
}

/* runs.csv: method by method, so that a reader finds the runs of one together. */
cq_status cli_compare_write_runs(void *user, FILE *out) {
  const cli_compare *const c = user;
  fputs("method,seed,folder,status,f_start,f,violation", out);
  for (int i = 0; i < 2 * CLI_N_UNITS; i++) {
    fprintf(out, ",%s%s", cli_unit_name((cli_unit)(i % CLI_N_UNITS)),
            i < CLI_N_UNITS ? "" : "_to_target");
  }
  fputs(",f_mean,f_deviation,f_worst,failures,recovered,reason\n", out);
  for (int m = 0; m < c->methods->count; m++) {
    for (int k = 0; k < c->seeds; k++) {
      const int i = cli_compare_run(c, m, k);
      put_run(c, &c->batch.runs[i], &c->curves[i], out);
    }
  }
  return CQ_OK;
}

/* quartiles of the method's values when so much was spent */
static void put_point(const cli_compare *c, int method, cli_unit unit, double spent, double *room,
                      FILE *out) {
  for (int k = 0; k < c->seeds; k++) {
    room[k] = cli_curve_at(&c->curves[cli_compare_run(c, method, k)], unit, spent);
  }
  cli_sort(room, c->seeds);
  if (isinf(cli_quantile(room, c->seeds, 0.5))) {
    return; /* most have no feasible point yet */
  }
  cq_csv_text(out, c->methods->items[method].label);
  fprintf(out, ",%s", cli_unit_name(unit));
  put(out, spent);
  for (int q = 1; q <= 3; q++) {
    put(out, cli_quantile(room, c->seeds, 0.25 * q));
  }
  fputc('\n', out);
}

double cli_compare_longest(const cli_compare *c, int method, cli_unit unit) {
  double end = 0;
  for (int k = 0; k < c->seeds; k++) {
    end = fmax(end, c->curves[cli_compare_run(c, method, k)].end[unit]);
  }
  return end;
}

/* curves.csv: quartiles over the seeds at even parts of what a method's longest run spent. */
cq_status cli_compare_write_curves(void *user, FILE *out) {
  const cli_compare *const c = user;
  double *const room = calloc((size_t)c->seeds, sizeof *room);
  CQ_CHECK(c->ctx, room != NULL, CQ_MEMORY, "out of memory");
  fputs("method,unit,spent,f_q25,f_median,f_q75\n", out);
  for (int u = 0; u < CLI_N_UNITS; u++) {
    for (int m = 0; m < c->methods->count; m++) {
      const double end = cli_compare_longest(c, m, (cli_unit)u);
      for (int i = 1; i <= CURVE_POINTS && end > 0; i++) {
        put_point(c, m, (cli_unit)u, end * i / CURVE_POINTS, room, out);
      }
    }
  }
  free(room);
  return CQ_OK;
}

static void print_number(FILE *out, int width, double value) {
  if (isfinite(value)) {
    fprintf(out, " %*.4g", width, value);
  } else {
    fprintf(out, " %*s", width, "-");
  }
}

void cli_compare_unit(const cli_compare *c, double count, char text[32]) {
  const char *const unit = cli_unit_name(c->counted.unit);
  snprintf(text, 32, "%.*s", (int)strlen(unit) - (count == 1), unit);
}

static void print_target(FILE *out, const cli_style *style, void *user) {
  const cli_compare *const c = user;
  (void)style;
  if (isnan(c->target)) {
    fprintf(out, "No run has a feasible point, so there is no target.\n");
    return;
  }
  fprintf(out,
          "Target: f <= %.6g (%s). ERT: expected running time to it, in %s. Then medians of the "
          "runs that reach it. p: of f against the first method's.\n",
          c->target, c->aim, cli_unit_name(c->counted.unit));
}

/* the columns of one of the two tables, which both begin with the method */
static int method_width(const cli_compare *c, int taken) {
  const int most = CLI_SCREEN - taken;
  int width = (int)strlen("method");
  for (int m = 0; m < c->methods->count; m++) {
    const int columns = cli_columns(c->methods->items[m].label);
    width = columns > width ? columns : width;
  }
  return width < most ? width : most;
}

static void print_values(FILE *out, const cli_style *style, const cli_compare *c, int width) {
  fprintf(out, "\n%s%-*s %11s %11s %11s %9s%s\n", style->bold, width, "method", "median f",
          "quartile 1", "quartile 3", "p", style->end);
  for (int m = 0; m < c->methods->count; m++) {
    const cli_score *const s = &c->scores[m];
    cli_label_put(out, 0, width, c->methods->items[m].label);
    print_number(out, 11, s->f[1]);
    print_number(out, 11, s->f[0]);
    print_number(out, 11, s->f[2]);
    print_number(out, 9, s->p);
    fputc('\n', out);
  }
}

static void print_hits(FILE *out, const cli_style *style, const cli_compare *c, int width) {
  fprintf(out, "\n%s%-*s %11s %11s %11s %9s%s\n", style->bold, width, "method", "reached", "ERT",
          cli_unit_name(c->counted.unit), "time [s]", style->end);
  for (int m = 0; m < c->methods->count; m++) {
    const cli_score *const s = &c->scores[m];
    char reached[24];
    snprintf(reached, sizeof reached, "%d/%d", s->successes, c->seeds);
    cli_label_put(out, 0, width, c->methods->items[m].label);
    fprintf(out, " %11s", reached);
    print_number(out, 11, s->expected);
    print_number(out, 11, s->hit);
    print_number(out, 9, s->hit_seconds);
    fputc('\n', out);
  }
}

void cli_compare_print(FILE *out, const cli_style *style, void *user) {
  enum { TAKEN = 3 * (1 + 11) + 1 + 9 };
  const cli_compare *const c = user;
  const int width = method_width(c, TAKEN);
  char unit[32];
  cli_compare_unit(c, c->counted.budget, unit);
  fprintf(out, "\n%s%s%s: %d seed%s, a budget of %g %s each\n", style->bold, c->title, style->end,
          c->seeds, cq_plural(c->seeds), c->counted.budget, unit);
  cli_style_wrapped(out, style, 0, print_target, user);
  print_values(out, style, c, width);
  if (!isnan(c->target)) {
    print_hits(out, style, c, width);
  }
  cli_repeats_print_compare(out, style, c, width);
}

void cli_compare_print_outcome(const cli_compare *c, const char *name) {
  int reached = 0;
  double f = INFINITY;
  for (int i = 0; i < c->batch.count; i++) {
    const cli_curve *const curve = &c->curves[i];
    f = curve->count > 0 ? fmin(f, curve->steps[curve->count - 1].f) : f;
  }
  for (int m = 0; m < c->methods->count; m++) {
    reached += c->scores[m].successes;
  }
  cli_batch_print_outcome(&c->batch, name, reached, "at the target", f);
}
