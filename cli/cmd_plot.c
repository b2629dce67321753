/* cqopt plot: columns of runs and of tables as a picture, by gnuplot. */
#include "gnuplot.h"
#include "options.h"
#include "plot_data.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IN_KEY = 24, WIDTH = 900, HEIGHT = 560 };

/* folder/name.ending of --output */
typedef struct picture {
  char folder[CLI_FOLDER], name[256], ending[8];
} picture;

/* gnuplot takes the folder, the name and the ending by themselves. */
static cq_status split(cq_ctx *ctx, const char *output, picture *p) {
  const char *const slash = strrchr(output, '/');
  const char *const name = slash != NULL ? slash + 1 : output;
  const char *const dot = strrchr(name, '.');
  CQ_CHECK(ctx, dot != NULL && dot > name && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0),
           CQ_USAGE, "--output %s: the name of a picture ends with .svg or .png", output);
  CQ_CHECK(ctx, strlen(output) < sizeof p->name, CQ_USAGE, "--output: the name is too long");
  snprintf(p->folder, sizeof p->folder, "%.*s",
           slash == NULL     ? 1
           : slash == output ? 1
                             : (int)(slash - output),
           slash == NULL ? "." : output);
  snprintf(p->name, sizeof p->name, "%.*s", (int)(dot - name), name);
  snprintf(p->ending, sizeof p->ending, "%s", dot + 1);
  return CQ_OK;
}

static bool is_shown(const cli_plot_curve *c, int i, bool log) {
  return isfinite(c->x[i]) && isfinite(c->y[i]) && (!log || c->y[i] > 0.0);
}

static int count_shown(const cli_plot_data *data, bool log) {
  int n = 0;
  for (int k = 0; k < data->count; k++) {
    for (int i = 0; i < data->curves[k].count; i++) {
      n += is_shown(&data->curves[k], i, log);
    }
  }
  return n;
}

static void put_block(FILE *out, const cli_plot_curve *c, int k, bool log) {
  fprintf(out, "$curve_%d << END\nx,y\n", k);
  for (int i = 0; i < c->count; i++) {
    if (is_shown(c, i, log)) {
      fprintf(out, "%.17g,%.17g\n", c->x[i], c->y[i]);
    } else {
      fputs("NaN,NaN\n", out); /* a gap */
    }
  }
  fputs("END\n", out);
}

static void put_axis(cli_script *script, char axis, const char *name) {
  static const struct {
    const char *name, *words;
  } known[] = {{"evaluations", "evaluations"},
               {"cost", "cost [forward runs]"},
               {"time", "time [s]"},
               {"best", "best feasible objective"}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    name = strcmp(known[i].name, name) == 0 ? known[i].words : name;
  }
  fprintf(script->out, "set %clabel ", axis);
  cli_script_text(script, name);
  fprintf(script->out, " noenhanced\n");
}

/* few points are marked; what is the best so far goes down in steps */
static void put_curves(cli_script *script, const cli_plot_data *data) {
  const bool steps = strcmp(data->y, "best") == 0;
  fprintf(script->out, "plot ");
  for (int k = 0; k < data->count; k++) {
    fprintf(script->out, "%s$curve_%d using 1:2 with %s lw 1.6 lc rgb '%s' title ",
            k > 0 ? ", \\\n  " : "", k,
            steps                         ? "steps"
            : data->curves[k].count <= 60 ? "linespoints pt 7 ps 0.5"
                                          : "lines",
            cli_script_colour(k));
    cli_script_text(script, data->curves[k].label);
  }
  fprintf(script->out, "\n");
}

/* Writes the script and runs it; the data stand in the script. */
static cq_status draw(const cli_plot_data *data, const cli_options *o, const picture *p) {
  cli_script script = cli_script_open_as(data->ctx, p->folder, p->name, p->ending, WIDTH, HEIGHT);
  const char *const output = o->file != NULL ? o->file : "plot.svg";
  CQ_CHECK(data->ctx, script.out != NULL, CQ_IO, "%s could not be begun", output);
  for (int k = 0; k < data->count; k++) {
    put_block(script.out, &data->curves[k], k, o->log);
  }
  fprintf(script.out, "set lmargin 12\nset rmargin 3\nset autoscale xfix\nset offsets graph 0.01, "
                      "graph 0.01, 0, 0\n");
  fprintf(script.out, "%s",
          o->log ? "set logscale y\nset format y '10^{%T}'\n" : "set format y '%.4g'\n");
  put_axis(&script, 'x', data->x);
  put_axis(&script, 'y', data->y);
  if (data->count == 1) {
    fprintf(script.out, "unset key\nset title ");
    cli_script_text(&script, data->curves[0].label);
    fprintf(script.out, " noenhanced\n");
  } else {
    fputs(data->count <= MOST_IN_KEY ? "set key noenhanced outside center top horizontal\n"
                                     : "unset key\n",
          script.out);
  }
  put_curves(&script, data);
  CQ_CHECK(data->ctx, cli_script_close(&script), CQ_IO,
           "%s was not made: gnuplot is missing or refused %s/%s.gp", output, p->folder, p->name);
  printf("%s\n", output);
  return CQ_OK;
}

static cq_status plot(const cli_options *o, cli_plot_data *data) {
  const cli_plot_def def = {.x = o->x, .y = o->y, .wheres = o->sets, .n_wheres = o->n_sets};
  picture p;
  CQ_TRY(split(data->ctx, o->file != NULL ? o->file : "plot.svg", &p));
  for (int i = 0; i < o->n_arguments; i++) {
    CQ_TRY(cli_plot_read(&def, o->arguments[i], data));
  }
  CQ_CHECK(data->ctx, count_shown(data, false) > 0, CQ_IO, "there are no numbers of %s over %s",
           data->y, data->x);
  CQ_CHECK(data->ctx, count_shown(data, o->log) > 0, CQ_USAGE,
           "no value of %s is positive: --log cannot show them", data->y);
  return draw(data, o, &p);
}

cq_status cmd_plot(cq_ctx *ctx, const cli_options *options) {
  cli_plot_data data = {.ctx = ctx};
  const cq_status status = plot(options, &data);
  cli_plot_free(&data);
  return status;
}
