#include "plot.h"

#include "gnuplot.h"

/* the best feasible objective goes down in steps through everything evaluated */
static void put_objective(cli_script *script, const char *title, double tolerance, bool labelled) {
  FILE *const out = script->out;
  fprintf(out,
          "stats 'history.csv' using 'f' name 'F' nooutput\n"
          "if (F_records > 0 && F_min > 0 && F_max > 10*F_min) {\n"
          "  set logscale y\n  set format y '10^{%%T}'\n} else {\n  set format y '%%.4g'\n}\n"
          "stats 'history.csv' using 'eval' name 'E' nooutput\n"
          "if (E_max < 12) { set xtics 1 }\n"
          "lowest = NaN\n"
          "best(f, v) = (v <= %g && f == f && !(lowest <= f) ? (lowest = f) : lowest)\n"
          "set title ",
          tolerance);
  cli_script_text(script, title);
  fprintf(out,
          " noenhanced font ',17'\nset ylabel 'objective'\n%sset key top right\n"
          "plot 'history.csv' using 'eval':'f' with linespoints pt 7 ps 0.6 lw 0.7 "
          "lc rgb '#6baed6' title 'evaluated', \\\n"
          "  '' using 'eval':(best(column('f'), column('violation'))) with steps lw 2 "
          "lc rgb '#08519c' title 'best feasible'\n",
          labelled ? "set xlabel 'evaluation'\n" : "");
}

static void put_violation(cli_script *script, double tolerance) {
  const double least = 0.01 * tolerance;
  fprintf(script->out,
          "unset title\nset xlabel 'evaluation'\n"
          "set ylabel 'violation'\nset logscale y\nset format y '10^{%%T}'\n"
          "least = %g\nset yrange [least : *]\n"
          "plot 'history.csv' using 'eval':(column('violation') > least ? column('violation') : "
          "least) with linespoints pt 7 ps 0.6 lw 0.9 lc rgb '#cb181d' "
          "title 'largest violation (none: on the axis)', \\\n"
          "  %g with lines dashtype 2 lc rgb '#555555' title 'tolerance'\n",
          least, tolerance);
}

bool cli_plot_convergence(cq_ctx *ctx, const char *folder, const char *title, double tolerance) {
  const bool constrained = tolerance > 0.0;
  cli_script script = cli_script_open(ctx, folder, "convergence", 900, constrained ? 720 : 480);
  if (script.out == NULL) {
    return false;
  }
  fprintf(script.out, "set lmargin 12\nset rmargin 3\nset offsets graph 0.02, graph 0.02, 0, 0\n%s",
          constrained ? "set multiplot layout 2,1\n" : "");
  put_objective(&script, title, constrained ? tolerance : 0.0, !constrained);
  if (constrained) {
    put_violation(&script, tolerance);
    fprintf(script.out, "unset multiplot\n");
  }
  return cli_script_close(&script);
}
