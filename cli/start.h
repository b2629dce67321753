/* --start, --design and --at: the design of an earlier run, or of a table, for this one. */
#ifndef CQ_CLI_START_H
#define CQ_CLI_START_H

#include "cqopt/cqopt.h"

#include <stdio.h>

/* Reads the design in path into x, in the units of the file: of a run folder (its design.csv), or
 * of a file with the columns name and best, or name and start. CQ_CONFIG with file, line and name
 * unless it has every variable of the scene once, inside its bounds, and no other; CQ_IO when it
 * cannot be read. The design of a run folder with other variables, of another problem.cfg, is
 * fitted (cq_scene_fit_design). */
cq_status cli_design_read(cq_ctx *ctx, cq_file *file, const char *path, double *x);
/* The same of an open file like design.csv, which is closed; path is for messages. */
cq_status cli_design_read_file(cq_ctx *ctx, const cq_scene *scene, FILE *file, const char *path,
                               double *x);

/* where something stands, for messages */
typedef struct cli_place {
  const char *path;
  int line;
} cli_place;
/* Index of the variable with this label. CQ_CONFIG with the nearest one. */
cq_status cli_design_find(cq_ctx *ctx, const cq_scene *scene, const cli_place *place,
                          const char *name, int guess, int *out);
/* x[i] = text, which is a number within the bounds of variable i, else CQ_CONFIG. */
cq_status cli_design_take(cq_ctx *ctx, const cq_scene *scene, const cli_place *place, int i,
                          const char *text, double *x);
/* CQ_CONFIG with some names when a value of x is NAN, that is: was not given. */
cq_status cli_design_check(cq_ctx *ctx, const cq_scene *scene, const char *path, const double *x);

/* Makes it the start of the file. */
cq_status cli_start_apply(cq_ctx *ctx, cq_file *file, const char *path);
/* Writes such a file with the columns name, unit and start, of the optimizer's x. */
void cli_start_write(const cq_scene *scene, const double *x, FILE *out);

#endif
