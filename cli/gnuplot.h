/* Running gnuplot: a script is opened, written to, and run when it is closed. */
#ifndef CQ_CLI_GNUPLOT_H
#define CQ_CLI_GNUPLOT_H

#include "folder.h"
#include "text_file.h"

typedef struct cli_script {
  cq_ctx *ctx;
  const char *folder, *name, *ending;
  int width, height;
  FILE *out; /* NULL: could not be opened; the log says so */
  cq_text_file *body;
} cli_script;

/* Opens <folder>/<name>.gp, with what all pictures share: an SVG of width x height pixels, quiet
 * axes, commas between fields. */
cli_script cli_script_open(cq_ctx *ctx, const char *folder, const char *name, int width,
                           int height);
/* The same with the picture <folder>/<name>.<ending>: "svg" or "png". */
cli_script cli_script_open_as(cq_ctx *ctx, const char *folder, const char *name, const char *ending,
                              int width, int height);
/* A text in quotes, as gnuplot reads it. */
void cli_script_text(cli_script *script, const char *text);
/* Of the i-th of several curves: "#08519c". */
const char *cli_script_colour(int i);
/* Writes the script and runs it; true when the picture is there. */
bool cli_script_close(cli_script *script);

#endif
