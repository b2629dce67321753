#include "plot.h"

#include "gnuplot.h"
#include "status.h"
#include "table.h"
#include "whole.h"

#include <math.h>
#include <string.h>

enum { PANELS = 3, MOST_BODIES = 64, MOST_COLOURS = 8, MOST_POINTS = 2500 };
enum { BESIDE_TITLE = 3, IN_ROW = 4, ROW_HEIGHT = 20 }; /* of the key */

static const char *const colours[MOST_COLOURS] = {"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e",
                                                  "#9467bd", "#17becf", "#8c564b", "#7f7f7f"};

/* what particles.csv holds: the steps of the panels, the bodies and the box they move in */
typedef struct frames {
  long steps[PANELS];
  long numbers[PANELS]; /* of these frames */
  long particles;       /* in one frame */
  int n_bodies;
  char bodies[MOST_BODIES][64];
  double low[2], high[2]; /* [m] */
  int kept;               /* the column of the number that particles keep, the last one; -1: none */
  char kept_name[64];     /* with spaces */
  double least, largest;  /* of it */
  bool varies;            /* it does, within a body */
} frames;

static void note_body(frames *f, const char *body) {
  for (int i = 0; i < f->n_bodies; i++) {
    if (strcmp(f->bodies[i], body) == 0) {
      return;
    }
  }
  if (f->n_bodies < MOST_BODIES) {
    snprintf(f->bodies[f->n_bodies++], sizeof f->bodies[0], "%s", body);
  }
}

static void note_position(frames *f, int axis, double x) {
  f->low[axis] = fmin(f->low[axis], x);
  f->high[axis] = fmax(f->high[axis], x);
}

/* A particle of the first frame; `last` is the one before it. */
static void note_particle(frames *f, const char *body, double kept, double *last) {
  const int n_bodies = f->n_bodies;
  note_body(f, body);
  f->varies = f->varies || (f->n_bodies == n_bodies && kept != *last);
  f->least = fmin(f->least, kept);
  f->largest = fmax(f->largest, kept);
  f->particles++;
  *last = kept;
}

/* What stands behind the velocity. */
static void find_kept(const cli_table *table, frames *f) {
  const int vy = cli_table_column(table, "vy"), vz = cli_table_column(table, "vz");
  f->kept = 1 + (vz >= 0 ? vz : vy);
  if (!cli_table_heading(table, f->kept, f->kept_name, sizeof f->kept_name)) {
    f->kept = -1;
  }
  for (char *c = f->kept_name; *c != '\0'; c++) {
    *c = *c == '_' ? ' ' : *c;
  }
}

/* One pass: the frames of the panels, the size of the picture, and what is in the first frame. */
static void read_rows(cli_table *table, int n_frames, frames *f) {
  const int step_column = cli_table_column(table, "step");
  const int body_column = cli_table_column(table, "body");
  const int columns[2] = {cli_table_column(table, "x"), cli_table_column(table, "y")};
  const int panel_frames[PANELS] = {0, n_frames / 2, n_frames};
  double step = NAN, last = NAN;
  int frame = -1;
  while (cli_table_next(table)) {
    const double row_step = cli_table_number(table, step_column);
    frame += row_step != step;
    step = row_step;
    for (int i = 0; i < PANELS; i++) {
      if (frame <= panel_frames[i]) {
        f->steps[i] = cq_whole(step, 0);
        f->numbers[i] = frame;
      }
    }
    for (int axis = 0; axis < 2; axis++) {
      note_position(f, axis, cli_table_number(table, columns[axis]));
    }
    if (frame == 0) {
      char body[64];
      cli_table_text(table, body_column, body, sizeof body);
      note_particle(f, body, f->kept < 0 ? 0.0 : cli_table_number(table, f->kept), &last);
    }
  }
}

/* All that the script has to know of particles.csv; a file without positions is an error. */
static cq_status read_frames(cq_ctx *ctx, const char *folder, int n_frames, frames *f) {
  char path[CLI_PATH];
  cli_table table;
  snprintf(path, sizeof path, "%s/particles.csv", folder);
  CQ_TRY(cli_table_open(ctx, path, &table));
  *f = (frames){.low = {INFINITY, INFINITY},
                .high = {-INFINITY, -INFINITY},
                .least = INFINITY,
                .largest = -INFINITY};
  find_kept(&table, f);
  read_rows(&table, n_frames, f);
  cli_table_close(&table);
  CQ_CHECK(ctx, f->particles > 0 && isfinite(f->high[0] - f->low[0] + f->high[1] - f->low[1]),
           CQ_IO, "%s: no positions", path);
  return CQ_OK;
}

/* the box a little larger, and not thinner than a fifth of its length */
static void pad_box(frames *f) {
  const double longest = fmax(f->high[0] - f->low[0], f->high[1] - f->low[1]);
  for (int axis = 0; axis < 2; axis++) {
    const double size = f->high[axis] - f->low[axis];
    const double pad = 0.06 * longest + fmax(0.1 * longest - 0.5 * size, 0.0) + 1e-6;
    f->low[axis] -= pad;
    f->high[axis] += pad;
  }
}

/* Rows of the key below the title; 0: it has room beside it; -1: there is none, as colours repeat
 * or mean a number. */
static int key_rows(const frames *f) {
  if (f->n_bodies > MOST_COLOURS || f->varies) {
    return -1;
  }
  return f->n_bodies <= BESIDE_TITLE ? 0 : (f->n_bodies + IN_ROW - 1) / IN_ROW;
}

/* dark is little */
static void put_palette(FILE *out, const frames *f) {
  fprintf(out,
          "set palette defined (0 '#2c0f4a', 0.3 '#7b2382', 0.6 '#d8456c', 0.85 '#fd9668', 1 "
          "'#fcf0a5')\nset cbrange [%.6g:%.6g]\nset cblabel \"%s\"\n",
          f->least, f->largest, f->kept_name);
}

/* gnuplot's function from a body to its colour. */
static void put_colours(cli_script *script, const frames *f) {
  FILE *const out = script->out;
  fputs("colour(body) = ", out);
  for (int b = 0; b < f->n_bodies - 1; b++) {
    fputs("body eq ", out);
    cli_script_text(script, f->bodies[b]);
    fprintf(out, " ? 0x%s : \\\n  ", colours[b % MOST_COLOURS] + 1);
  }
  fprintf(out, "0x%s\n", colours[(f->n_bodies - 1) % MOST_COLOURS] + 1);
}

/* The particles of one frame, thinned where they are many; in one pass over the file, which may be
 * large. */
static void put_panel(cli_script *script, const frames *f, int panel, double time_step) {
  FILE *const out = script->out;
  const long stride = 1 + (f->particles - 1) / MOST_POINTS;
  const long first = f->numbers[panel] * f->particles;
  fprintf(out,
          "set label 1 't = %.4g s' at graph 0.5, 1.06 center font ',15'\n"
          "plot 'particles.csv' every %ld::%ld::%ld using 'x':'y':",
          (double)f->steps[panel] * time_step, stride, first, first + f->particles - 1);
  const double size = f->particles < 1500 ? 0.35 : 0.22;
  if (f->varies) {
    fprintf(out, "%d with points pt 7 ps %g lc palette notitle", f->kept + 1, size);
  } else {
    fprintf(out, "(colour(strcol('body'))) with points pt 7 ps %g lc rgb variable notitle", size);
  }
  for (int b = 0; panel == 0 && key_rows(f) >= 0 && b < f->n_bodies; b++) {
    fprintf(out, ", \\\n  keyentry with points pt 7 ps 1 lc rgb '%s' title ", colours[b]);
    cli_script_text(script, f->bodies[b]);
  }
  fputc('\n', out);
}

/* 1, 2 or 5 times a power of ten: about a quarter of size */
static double tic_step(double size) {
  const double quarter = 0.25 * size;
  const double power = pow(10.0, floor(log10(quarter)));
  const double first = quarter / power;
  return power * (first < 2.0 ? 1.0 : (first < 5.0 ? 2.0 : 5.0));
}

/* Panels of the same scale, beside or above each other as the motion is tall or wide. */
static void put_script(cli_script *script, const char *title, const frames *f, bool stacked,
                       int height, double time_step) {
  FILE *const out = script->out;
  const double step = tic_step(fmax(f->high[0] - f->low[0], f->high[1] - f->low[1]));
  fprintf(out, "set multiplot layout %d,%d title ", stacked ? PANELS : 1, stacked ? 1 : PANELS);
  cli_script_text(script, title);
  for (int i = 0; i < key_rows(f); i++) {
    fputs(".\"\\n\"", out);
  }
  fprintf(out,
          " noenhanced font ',17'\nset size ratio -1\nset xrange [%.6g:%.6g]\n"
          "set yrange [%.6g:%.6g]\nset xtics %g\nset ytics %g\nset ylabel 'y [m]'\n"
          "set key at screen 0.99, screen %.4f right top horizontal samplen 0.5 noenhanced\n",
          f->low[0], f->high[0], f->low[1], f->high[1], step, step,
          key_rows(f) > 0 ? 1.0 - 30.0 / height : 0.99);
  if (f->varies) {
    put_palette(out, f);
  } else {
    put_colours(script, f);
  }
  for (int i = 0; i < PANELS; i++) {
    if (!stacked || i == PANELS - 1) {
      fprintf(out, "set xlabel 'x [m]'\n");
    }
    put_panel(script, f, i, time_step);
  }
  fprintf(out, "unset multiplot\n");
}

bool cli_plot_particles(cq_ctx *ctx, const char *folder, const char *title, int n_frames,
                        double time_step) {
  frames f;
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  if (read_frames(ctx, folder, n_frames, &f) != CQ_OK) {
    if (was_clean) { /* else the run's own error is the one to be told */
      cq_log(ctx, CQ_LOG_WARNING, "no picture: %s", cq_ctx_error(ctx));
      cq_ctx_clear_error(ctx);
    }
    return false;
  }
  pad_box(&f);
  /* panels above each other when the scene is wide; some 90 pixels of each are labels */
  const double ratio = (f.high[1] - f.low[1]) / (f.high[0] - f.low[0]);
  const bool stacked = ratio < 0.45;
  const double height =
      stacked ? PANELS * (680.0 * ratio + 110.0) : fmin(265.0 * ratio, 620.0) + 90.0;
  const int total = (int)height + 50 + (key_rows(&f) > 0 ? ROW_HEIGHT * key_rows(&f) : 0);
  cli_script script = cli_script_open(ctx, folder, "particles", stacked ? 800 : 1140, total);
  if (script.out == NULL) {
    return false;
  }
  put_script(&script, title, &f, stacked, total, time_step);
  return cli_script_close(&script);
}
