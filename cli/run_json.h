/* run.json: who ran what, where and when, and how it ended. */
#ifndef CQ_CLI_RUN_JSON_H
#define CQ_CLI_RUN_JSON_H

#include "clock.h"
#include "folder.h"
#include "options.h"

#include "cqopt/cqopt.h"

typedef struct cli_run {
  const char *command; /* "solve" */
  const cq_ctx *ctx;
  const cq_file *file;
  const cq_scene *scene; /* of the file */
  const cli_options *options;
  char started[CLI_STAMP];
  int resumed;                     /* how many times */
  const struct cli_starts *starts; /* NULL: a solve from one start */
  /* at the end */
  bool finished;
  cq_status status;
  const char *reason;
  const cq_outcome *result;                  /* NULL: the command does not optimize */
  const double *multipliers;                 /* of the constraints */
  const struct cli_half_step *half_step;     /* of the best design; NULL: none */
  const struct cli_health *health;           /* of the gradient; NULL: none */
  const cq_tear *tear;                       /* of the bodies; NULL: nobody has looked */
  const struct cli_inactive *inactive;       /* NULL: not looked for */
  const struct cli_uncertainty *uncertainty; /* of the best design; NULL: none */
  const char *uncertainty_said;              /* the same as the best start's run.json has it */
} cli_run;

enum { CLI_HASH = 17 };
/* A hash as 16 hexadecimal digits. */
const char *cli_hash_text(uint64_t hash, char text[CLI_HASH]);

/* A hash of the settings that decide when a run ends (cq_scene_stop_setting). */
const char *cli_stop_hash(const cq_scene *scene, char text[CLI_HASH]);

cli_run cli_run_begin(const char *command, const cq_ctx *ctx, const cq_file *file,
                      const cq_scene *scene, const cli_options *options);
/* Writes run.json; status "running" until the run is finished. */
cq_status cli_run_write(const cli_run *run, cli_folder *folder);
/* The status of a name; -1: of none. */
int cli_status_find(const char *name);
/* The first status with this exit code; CQ_OPTIMIZER when there is none. */
cq_status cli_status_of_exit(int code);

#endif
