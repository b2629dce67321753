/* report.html: what there is to know of a run, or of several side by side, in one file that needs
 * no network: cli/report/ has its page, style and scripts, which travel inside the program. */
#ifndef CQ_CLI_REPORT_H
#define CQ_CLI_REPORT_H

#include "folder.h"
#include "json.h"
#include "motion.h"
#include "report_evals.h"

/* A run as a page shows it; borrowed. */
typedef struct cli_report_run {
  const cq_scene *scene; /* of its problem.cfg */
  const char *folder;
  const char *name; /* what the page calls it */
  const cli_evals *evals;
  const cq_motion *motion; /* NULL: none */
  int share;               /* how many runs share the room of the page */
  const char *json;        /* not NULL: its data, instead of all this but the motion */
} cli_report_run;

/* What a page is of. */
typedef struct cli_report_def {
  const char *title;
  const char *whole; /* the run.json of the run whose starts they are, the best one first, or of the
                        batch; "": there is none */
  const char *table; /* the table of a batch as JSON; "": it is none */
  int n;
  const cli_report_run *runs; /* [n] */
} cli_report_def;

/* Writes the page in one step. CQ_IO with path and reason. */
cq_status cli_report_page(cq_ctx *ctx, const char *path, const cli_report_def *def);
/* The data of a run as an object. */
cq_status cli_report_json(cq_ctx *ctx, const cli_report_run *run, int number, cq_json *json);
/* Those that a picture of its motion needs. */
void cli_report_json_drawings(const cq_scene *scene, cq_json *json);

/* Makes motion.bin in `to` of the first, best and last design of a record, the best one first.
 * what: CQ_RECORD_... of its run, whose files go there, too. ends: the first and the last, too. log
 * (NULL: none) hears nothing of the scenes that are made on the way. What cannot be made is left
 * out with a warning; CQ_IO alone is returned. *recorded: the best one was; *tear (NULL: it does
 * not matter): how its bodies come apart. */
cq_status cli_report_film(cq_ctx *ctx, cq_scene *scene, const cli_evals *evals, cli_folder *log,
                          const char *to, unsigned what, bool ends, bool *recorded, cq_tear *tear);
/* The evaluation that a run.json calls the best; 0: it does not say. */
int cli_report_best(cq_ctx *ctx, const char *folder);
/* Writes a page of n run folders to path; of one with several starts, a page of them. scene: that
 * of the only folder, NULL: what each problem.cfg says. simulate: makes each motion.bin that is not
 * there or not whole. CQ_IO when there is nothing to tell. */
cq_status cli_report_write(cq_ctx *ctx, int n, const char *const *folders, cq_scene *scene,
                           bool simulate, const char *path);
/* Of one run of a batch the motion of its best design in so many bytes, NULL where there is none,
 * and its data as JSON, by malloc. simulate: makes a motion.bin that is not there. A run that
 * evaluated nothing has no motion. */
cq_status cli_report_member(cq_ctx *ctx, const char *folder, int number, bool simulate,
                            double bytes, char **json, cq_motion **motion);
/* Whether a folder is one of a study or a comparison; and the page of it. */
bool cli_report_is_batch(const char *folder);
cq_status cli_report_batch(cq_ctx *ctx, const char *folder, bool simulate, const char *path);
/* <folder>/report.html of one that has just ended, with the motions that are there. */
cq_status cli_report_batch_ended(cq_ctx *ctx, const char *folder);
/* <folder>/report.html of a run that has just ended. Not of one that evaluated nothing. */
cq_status cli_report_ended(cq_ctx *ctx, const char *folder, cq_scene *scene);

#endif
