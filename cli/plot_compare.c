/* The pictures of a comparison. */
#include "compare.h"
#include "gnuplot.h"

#include <math.h>

/* "(strcol('method') eq 'adam' ? " */
static void put_choice(cli_script *script, const char *label, const char *unit) {
  fprintf(script->out, "(strcol('method') eq ");
  cli_script_text(script, label);
  if (unit != NULL) {
    fprintf(script->out, " && strcol('unit') eq '%s'", unit);
  }
  fprintf(script->out, " ? ");
}

/* the quartile bands below, the medians above them */
static void put_curves(cli_script *script, const cli_compare *c, const char *unit,
                       const char *axis) {
  FILE *const out = script->out;
  fprintf(out, "set xlabel '%s'\nplot ", axis);
  for (int i = 0; i < 2 * c->methods->count; i++) {
    const int m = i % c->methods->count;
    const bool band = i < c->methods->count;
    const char *const label = c->methods->items[m].label;
    fprintf(out, "%s'curves.csv' using ", i > 0 ? ", \\\n  " : "");
    put_choice(script, label, unit);
    fprintf(out, "column('spent') : NaN):'%s'%s ", band ? "f_q25" : "f_median",
            band ? ":'f_q75'" : "");
    if (band) {
      fprintf(out, "with filledcurves fs transparent solid 0.15 noborder lc rgb '%s' notitle",
              cli_script_colour(m));
    } else {
      fprintf(out, "with lines lw 2 lc rgb '%s' title ", cli_script_colour(m));
      cli_script_text(script, label);
    }
  }
  fprintf(out, "\n");
}

/* Over what is counted, and below that over time, if those are two things. */
void cli_plot_compare(const cli_compare *c, const char *folder) {
  const char *const unit = cli_unit_name(c->counted.unit);
  const bool in_time = c->counted.unit == CLI_SECONDS;
  cli_script script = cli_script_open(c->ctx, folder, "curves", 900, in_time ? 480 : 860);
  if (script.out == NULL) {
    return;
  }
  fprintf(script.out, "set lmargin 12\nset rmargin 3\n"
                      "stats 'curves.csv' using 'f_median' name 'F' nooutput\n"
                      "if (F_records > 0 && F_min > 0 && F_max > 10*F_min) {\n"
                      "  set logscale y\n  set format y '10^{%%T}'\n"
                      "  if (F_min < 1e-9*F_max) {\n    set yrange [1e-9*F_max:*]\n  }\n} else {\n "
                      " set format y '%%.4g'\n}\n"
                      "set ylabel 'best feasible objective'\nset title ");
  cli_script_text(&script, c->title);
  fputs(" noenhanced font ',17'\n", script.out);
  if (!in_time) {
    fputs("set multiplot layout 2,1\nunset key\n", script.out);
    put_curves(&script, c, unit, unit);
    fputs("unset title\n", script.out);
  }
  fputs("set key noenhanced below\n", script.out);
  put_curves(&script, c, cli_unit_name(CLI_SECONDS), "time [s]");
  if (!in_time) {
    fputs("unset multiplot\n", script.out);
  }
  cli_script_close(&script);
}
