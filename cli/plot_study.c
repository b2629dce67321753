/* The picture of a study. */
#include "gnuplot.h"
#include "study.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a value of the axis as a number; NAN: it is a word, a list or a fraction */
static double number_of(const char *text) {
  char *end = NULL;
  const double value = strtod(text, &end);
  return end != text && *end == '\0' ? value : NAN;
}

typedef struct range {
  double least, largest; /* NAN: not all are numbers */
} range;

static bool is_wide(range r, double ratio) {
  return r.least > 0 && r.largest > ratio * r.least;
}

static const char *place_of(const cli_study *s, int cell) {
  return cli_plan_value(s->plan, cell, s->axis);
}

static range range_of_axis(const cli_study *s) {
  range r = {INFINITY, -INFINITY};
  for (int cell = 0; cell < s->plan->cells.count && !isnan(r.least); cell++) {
    const char *const text = place_of(s, cell);
    const double value = number_of(text);
    if (text[0] != '\0') {
      r = isnan(value) ? (range){NAN, NAN} : (range){fmin(r.least, value), fmax(r.largest, value)};
    }
  }
  return r;
}

/* A curve has one value for every other factor; samples are all on one. */
static bool share_curve(const cli_study *s, int a, int b) {
  bool same = true;
  for (int k = 0; k < s->plan->n_factors && !s->plan->sampled && same; k++) {
    same =
        k == s->axis || strcmp(cli_plan_value(s->plan, a, k), cli_plan_value(s->plan, b, k)) == 0;
  }
  return same;
}

static bool is_first_of_curve(const cli_study *s, int cell) {
  bool first = place_of(s, cell)[0] != '\0';
  for (int i = 0; i < cell && first; i++) {
    first = place_of(s, i)[0] == '\0' || !share_curve(s, i, cell);
  }
  return first;
}

/* a field that gnuplot can read: it knows no commas in quotes */
static void put_word(const char *text, FILE *out) {
  for (; *text != '\0'; text++) {
    fputc(*text == ',' ? ';' : *text == '"' ? '\'' : (unsigned char)*text < ' ' ? ' ' : *text, out);
  }
}

/* A block of the script: x, its text, median, quartiles. */
static void put_curve(const cli_study *s, int first, bool numbers, range *seen, FILE *out) {
  int n = 0;
  fprintf(out, "$curve_%d << END\nx,text,median,q25,q75\n", first);
  for (int cell = first; cell < s->plan->cells.count; cell++) {
    const char *const place = place_of(s, cell);
    double q[3];
    if (place[0] == '\0' || !share_curve(s, first, cell)) {
      continue;
    }
    cli_study_quartiles(s, cell, &s->wanted[0], q);
    if (isfinite(q[1])) {
      seen->least = fmin(seen->least, q[1]);
      seen->largest = fmax(seen->largest, q[1]);
      fprintf(out, "%.17g,", numbers ? number_of(place) : n);
      put_word(place, out);
      fprintf(out, ",%.17g,%.17g,%.17g\n", q[1], q[0], isfinite(q[2]) ? q[2] : q[1]);
    }
    n++;
  }
  fprintf(out, "END\n");
}

/* the values of the other factors */
static void put_title(const cli_study *s, int cell, cli_script *script) {
  char text[4 * CLI_LABEL] = "";
  size_t used = 0;
  for (int k = 0; k < s->plan->n_factors && !s->plan->sampled; k++) {
    const char *const value = cli_plan_value(s->plan, cell, k);
    if (k != s->axis && value[0] != '\0' && used < sizeof text) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", used > 0 ? ", " : "",
                               s->plan->factors[k].key, value);
    }
  }
  cli_script_text(script, text);
}

static void put_axes(cli_script *script, const cli_study *s, range x, range y) {
  FILE *const out = script->out;
  fprintf(out, "set title ");
  cli_script_text(script, s->title);
  fprintf(out, " noenhanced font ',17'\nset xlabel ");
  cli_script_text(script, s->plan->factors[s->axis].key);
  fprintf(out, " noenhanced\nset ylabel '%s' noenhanced\n", s->wanted[0].name);
  fprintf(out, "%s%s%s", is_wide(x, 20) ? "set logscale x\n" : "",
          is_wide(y, 10) ? "set logscale y\nset format y '10^{%T}'\n" : "set format y '%.6g'\n",
          s->plan->n_factors > 1 && !s->plan->sampled ? "set key noenhanced below\n"
                                                      : "unset key\n");
  fprintf(out, "set xtics noenhanced\nset lmargin 12\nset rmargin 4\nset offsets graph 0.04, graph "
               "0.04, 0, 0\n");
}

/* Words are not joined by lines, nor are samples. */
static void put_curves(const cli_study *s, bool words, cli_script *script) {
  int n = 0;
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    if (is_first_of_curve(s, cell)) {
      const char *const colour = cli_script_colour(n);
      fprintf(script->out, "%s$curve_%d using 1:3:4:5%s with yerrorbars pt 7 ps 0.7 lc rgb '%s' ",
              n++ == 0 ? "plot " : ", \\\n  ", cell, words ? ":xtic(2)" : "", colour);
      if (!words && !s->plan->sampled) {
        fprintf(script->out, "notitle, $curve_%d using 1:3 with lines lw 2 lc rgb '%s' ", cell,
                colour);
      }
      fprintf(script->out, "title ");
      put_title(s, cell, script);
    }
  }
  fprintf(script->out, "\n");
}

void cli_plot_study(const cli_study *s, const char *folder) {
  cli_script script = cli_script_open(s->ctx, folder, "study", 900, 480);
  const range x = range_of_axis(s);
  range y = {INFINITY, -INFINITY};
  if (script.out == NULL) {
    return;
  }
  for (int cell = 0; cell < s->plan->cells.count; cell++) {
    if (is_first_of_curve(s, cell)) {
      put_curve(s, cell, !isnan(x.least), &y, script.out);
    }
  }
  put_axes(&script, s, x, y);
  put_curves(s, isnan(x.least), &script);
  if (!isfinite(y.least)) {
    fclose(script.out); /* nothing to see */
    return;
  }
  cli_script_close(&script);
}
