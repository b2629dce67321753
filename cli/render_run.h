/* What 'cqopt render' draws: a motion, read or recorded, and its scene. */
#ifndef CQ_CLI_RENDER_RUN_H
#define CQ_CLI_RENDER_RUN_H

#include "options.h"
#include "render.h"

#include "cqopt/file.h"

typedef struct cli_render_run {
  cq_ctx *ctx;
  cq_file *file;
  cq_scene *scene; /* of the file */
  cq_motion *motion;
  int take;
  cq_prop *props; /* [n_props] */
  int n_props;
} cli_render_run;

/* The motion of a run folder by its files: of `take` ("first", "best", "last"), which motion.bin
 * has of some particles at some fifty times, and trajectory.h5 of all of them, of the best design
 * alone. The second is taken where it has more, if it has what is needed for the colour: more
 * particles, or of many wanted frames more. CQ_IO when there is neither. */
cq_status cli_render_read(cli_render_run *run, const char *folder, const char *take,
                          const char *colour, int frames);
/* The motion of run->scene at its start, recorded in a folder of its own, which is removed. Returns
 * CQ_OK also when the run fails: *ended says how it ended. */
cq_status cli_render_record(cli_render_run *run, const char *colour, int frames, cq_status *ended);
/* Walls and targets of run->scene. */
cq_status cli_render_props(cli_render_run *run);
void cli_render_close(cli_render_run *run);

/* The best design's motion in trajectory.h5, all of it, as a motion with one take. */
cq_status cli_render_trajectory(cq_ctx *ctx, const char *path, cq_motion **out);

#endif
