/* Pictures of a run by gnuplot: the script stays beside the picture, so that it can be changed and
 * run again. A picture that cannot be made is a line in the log, never a failed run. */
#ifndef CQ_CLI_PLOT_H
#define CQ_CLI_PLOT_H

#include "cqopt/base.h"

/* Each makes <folder>/<name>.gp and .svg and returns whether the picture is there. */

/* convergence.svg from history.csv: objective against the evaluations, and below it the violation,
 * with its tolerance; tolerance NAN: the problem has no constraints. */
bool cli_plot_convergence(cq_ctx *ctx, const char *folder, const char *title, double tolerance);
/* particles.svg from particles.csv of n_frames + 1 frames: the first, the middle and the last one,
 * coloured by body, or by the number that particles keep where that varies within one; in 3D seen
 * along z. time_step [s] turns steps into times. */
bool cli_plot_particles(cq_ctx *ctx, const char *folder, const char *title, int n_frames,
                        double time_step);

#endif
