/* --start and --design: the design of an earlier run, or of a table, as the start of this one. */
#ifndef CQ_CLI_START_H
#define CQ_CLI_START_H

#include "cqopt/cqopt.h"

#include <stdio.h>

/* Reads the design in path into x, in the units of the file: of a run folder (its design.csv), or
 * of a file with the columns name and best, or name and start. CQ_CONFIG with file, line and name
 * unless it has every variable of the scene once, inside its bounds, and no other; CQ_IO when it
 * cannot be read. The design of a run folder with other variables, of another problem.cfg, is
 * fitted (cq_scene_fit_design). */
cq_status cli_design_read(cq_ctx *ctx, const cq_scene *scene, const char *path, double *x);
/* Makes it the start of the scene. */
cq_status cli_start_apply(cq_ctx *ctx, cq_scene *scene, const char *path);
/* Writes such a file with the columns name, unit and start, of the optimizer's x. */
void cli_start_write(const cq_scene *scene, const double *x, FILE *out);

#endif
