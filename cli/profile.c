#include "profile.h"

#include "csv.h"
#include "gnuplot.h"
#include "label.h"
#include "status.h"
#include "title.h"

#include <math.h>

enum { LABEL = 128, MOST_ROWS = 12 };

/* An interval in the units of the file; NAN: that end is not known. */
typedef struct interval {
  const char *by;
  double error, low, high;
} interval;

/* Ends a < b in x; a falling transform turns them round. */
static interval between(const cli_profile *p, int i, const char *by, double error, double a,
                        double b) {
  const double low = cq_scene_user_value(p->scene, i, a);
  const double high = cq_scene_user_value(p->scene, i, b);
  const bool falls = cq_scene_user_slope(p->scene, i, p->x[i]) < 0;
  return (interval){by, error * fabs(cq_scene_user_slope(p->scene, i, p->x[i])), falls ? high : low,
                    falls ? low : high};
}

static interval by_error_bars(const cli_profile *p, int i) {
  const double error = p->u->errors[i], half = p->u->quantile * error;
  const double x = isfinite(half) ? p->x[i] : NAN;
  return between(p, i, "error bars", isfinite(error) ? error : NAN, x - half, x + half);
}

static interval by_profile(const cli_profile *p, const cq_profile *of) {
  return between(p, of->variable, "profile", NAN, of->lower, of->upper);
}

static interval by_bootstrap(const cli_profile *p, int i) {
  const cq_bootstrap *b = p->bootstrap;
  return between(p, i, "bootstrap", b->deviation[i], b->lower[i], b->upper[i]);
}

/* Calls put for each interval of variable i. */
typedef void (*put_fn)(FILE *out, const cli_profile *p, int i, const interval *of);

static void each(FILE *out, const cli_profile *p, int i, put_fn put) {
  const cq_problem *const problem = cq_scene_problem(p->scene);
  if (problem->n_inequality + problem->n_equality == 0) { /* which error bars do not know of */
    const interval bars = by_error_bars(p, i);
    put(out, p, i, &bars);
  }
  for (int k = 0; k < p->count; k++) {
    if (p->profiles[k]->variable == i) {
      const interval of = by_profile(p, p->profiles[k]);
      put(out, p, i, &of);
    }
  }
  if (p->bootstrap != NULL) {
    const interval of = by_bootstrap(p, i);
    put(out, p, i, &of);
  }
}

static bool is_shown(const cli_profile *p, int i) {
  bool shown = p->bootstrap != NULL;
  for (int k = 0; k < p->count; k++) {
    shown = shown || p->profiles[k]->variable == i;
  }
  return shown;
}

static void put_number(FILE *out, double value) {
  if (isfinite(value)) {
    fprintf(out, " %12.5e", value);
  } else {
    fprintf(out, " %12s", "-");
  }
}

static void print_interval(FILE *out, const cli_profile *p, int i, const interval *of) {
  (void)p, (void)i;
  fprintf(out, "\n    %-*s", CLI_LABEL_COLUMN - 2, of->by);
  put_number(out, of->error);
  put_number(out, of->low);
  put_number(out, of->high);
}

/* Of each variable that was looked at, a line a way. */
void cli_profile_print(FILE *out, const cli_style *style, void *profile) {
  const cli_profile *const p = profile;
  int rows = 0;
  fprintf(out, "%s%-*s %12s %12s %12s%s", style->bold, CLI_LABEL_COLUMN + 2, "Intervals",
          "std. error", "95 % from", "to", style->end);
  for (int i = 0; i < p->u->n && rows < MOST_ROWS; i++) {
    char label[LABEL];
    if (is_shown(p, i)) {
      cq_scene_variable_label(p->scene, i, label, sizeof label);
      fprintf(out, "\n  %s  %.6g", label, cq_scene_user_value(p->scene, i, p->x[i]));
      each(out, p, i, print_interval);
      rows++;
    }
  }
  if (rows == MOST_ROWS) {
    fprintf(out, "\n  %severy variable is in intervals.csv%s", style->dim, style->end);
  }
  fputc('\n', out);
}

/* --- files --- */

static void write_interval(FILE *out, const cli_profile *p, int i, const interval *of) {
  const double numbers[] = {cq_scene_user_value(p->scene, i, p->x[i]), of->error, of->low,
                            of->high};
  char label[LABEL];
  cq_scene_variable_label(p->scene, i, label, sizeof label);
  cq_csv_text(out, label);
  fputc(',', out);
  cq_csv_text(out, cq_scene_variable(p->scene, i).unit);
  fprintf(out, ",%s", of->by);
  for (size_t c = 0; c < sizeof numbers / sizeof *numbers; c++) {
    fputc(',', out);
    cq_csv_number(out, numbers[c]);
  }
  fputc('\n', out);
}

static cq_status write_intervals(void *profile, FILE *out) {
  const cli_profile *const p = profile;
  fputs("name,unit,by,value,standard_error,lower_95,upper_95\n", out);
  for (int i = 0; i < p->u->n; i++) {
    each(out, p, i, write_interval);
  }
  return CQ_OK;
}

/* The labels of all variables as headings, and a design in the units of the file. */
static void write_labels(const cli_profile *p, FILE *out) {
  for (int j = 0; j < p->u->n; j++) {
    char label[LABEL];
    cq_scene_variable_label(p->scene, j, label, sizeof label);
    fputc(',', out);
    cq_csv_text(out, label);
  }
  fputc('\n', out);
}

static void write_design(const cli_profile *p, const double *x, FILE *out) {
  for (int j = 0; j < p->u->n; j++) {
    fputc(',', out);
    cq_csv_number(out, isnan(x[j]) ? NAN : cq_scene_user_value(p->scene, j, x[j]));
  }
  fputc('\n', out);
}

/* rise: of f over that of the best design, in squares of the deviation, as chi-square is */
static cq_status write_profiles(void *profile, FILE *out) {
  const cli_profile *const p = profile;
  const double unit = p->u->deviation * p->u->deviation;
  fputs("by,at,f,rise", out);
  write_labels(p, out);
  for (int k = 0; k < p->count; k++) {
    const cq_profile *const of = p->profiles[k];
    char label[LABEL];
    cq_scene_variable_label(p->scene, of->variable, label, sizeof label);
    for (int i = 0; i < of->count; i++) {
      const double *const x = of->x + (size_t)i * (size_t)of->n;
      const double numbers[] = {cq_scene_user_value(p->scene, of->variable, x[of->variable]),
                                of->f[i], (of->f[i] - p->u->f) / unit};
      cq_csv_text(out, label);
      for (int c = 0; c < 3; c++) {
        fputc(',', out);
        cq_csv_number(out, numbers[c]);
      }
      write_design(p, x, out);
    }
  }
  return CQ_OK;
}

static cq_status write_bootstrap(void *profile, FILE *out) {
  const cli_profile *const p = profile;
  fputs("draw", out);
  write_labels(p, out);
  for (int i = 0; i < p->bootstrap->draws; i++) {
    fprintf(out, "%d", i + 1);
    write_design(p, p->bootstrap->x + (size_t)i * (size_t)p->u->n, out);
  }
  return CQ_OK;
}

/* Five ticks with as many digits as tell them apart: intervals of good fits are narrow. */
static void put_ticks(cli_script *script, const cli_profile *p, const cq_profile *of) {
  const int v = of->variable;
  const size_t last = (size_t)(of->count - 1) * (size_t)of->n;
  const double a = cq_scene_user_value(p->scene, v, of->x[v]);
  const double b = cq_scene_user_value(p->scene, v, of->x[last + (size_t)v]);
  const double most = fmax(fabs(a), fabs(b)), span = fabs(b - a);
  const int digits = span > 0 ? 2 + (int)ceil(fmin(fmax(log10(most / span), 0), 12)) : 6;
  if (span > 0) {
    fprintf(script->out, "set format x '%%.%dg'\nset xtics %.17g, %.17g, %.17g\n", digits,
            fmin(a, b), span / 4, fmax(a, b));
  }
}

/* A panel a variable: the rise, with that of a parabola, and the level of 95 %. */
static void put_panel(cli_script *script, const cli_profile *p, int k) {
  const cq_profile *const of = p->profiles[k];
  const int v = of->variable;
  const double unit = p->u->deviation * p->u->deviation, error = p->u->errors[v];
  char label[LABEL];
  cq_scene_variable_label(p->scene, v, label, sizeof label);
  fprintf(script->out, "$p%d << END\nvalue,rise,parabola\n", k);
  for (int i = 0; i < of->count; i++) {
    const double x = of->x[(size_t)i * (size_t)of->n + (size_t)v];
    const double parts[] = {(of->f[i] - p->u->f) / unit,
                            isfinite(error) ? pow((x - p->x[v]) / error, 2) : NAN};
    fprintf(script->out, "%.17g,%.17g,%.17g\n", cq_scene_user_value(p->scene, v, x), parts[0],
            parts[1]);
  }
  fprintf(script->out, "END\n");
  put_ticks(script, p, of);
  fprintf(script->out, "set xlabel ");
  cli_script_text(script, label);
  fprintf(script->out,
          " noenhanced\nset ylabel 'rise of chi-square'\nset yrange [0 : *]\n"
          "plot $p%d using 'value':'parabola' with lines dashtype 2 lc rgb '#777777' title 'error "
          "bars', \\\n  '' using 'value':'rise' with linespoints pt 7 ps 0.6 lw 2 lc rgb '%s' "
          "title 'profile', \\\n  %g with lines lc rgb '#cb181d' title '95 %%'\n",
          k, cli_script_colour(0), of->rise / unit);
}

static void draw(const cli_profile *p, const cli_folder *folder) {
  enum { WIDTH = 900, HEIGHT = 360 };
  cli_script script = cli_script_open(p->ctx, folder->path, "profile", WIDTH, HEIGHT * p->count);
  if (script.out == NULL) {
    return;
  }
  fprintf(script.out,
          "set lmargin 12\nset rmargin 8\nset key top center\nset multiplot layout "
          "%d,1\n",
          p->count);
  for (int k = 0; k < p->count; k++) {
    put_panel(&script, p, k);
  }
  fprintf(script.out, "unset multiplot\n");
  cli_script_close(&script);
}

cq_status cli_profile_write(cli_profile *p, cli_folder *folder) {
  CQ_TRY(cli_folder_write(folder, "intervals.csv", write_intervals, p));
  if (p->count > 0) {
    CQ_TRY(cli_folder_write(folder, "profile.csv", write_profiles, p));
    draw(p, folder);
  }
  return p->bootstrap != NULL ? cli_folder_write(folder, "bootstrap.csv", write_bootstrap, p)
                              : CQ_OK;
}
