/* What every command that runs a problem begins and ends with: the scene, the folder, problem.cfg,
 * run.json and the header on the screen. */
#ifndef CQ_CLI_SESSION_H
#define CQ_CLI_SESSION_H

#include "folder.h"
#include "options.h"
#include "run_json.h"

typedef struct cli_session {
  cq_ctx *ctx;
  const cli_options *options;
  cq_file *file;
  cq_scene *scene; /* of the file */
  cli_folder folder;
  cli_run run;
  bool has_folder;
  bool resumed;
} cli_session;

/* what a command needs */
enum {
  SESSION_FOLDER = 1,
  SESSION_DESIGN = 2,    /* design variables, else CQ_CONFIG */
  SESSION_OPTIMIZER = 4, /* an optimizer that can take the problem, else CQ_CONFIG */
  SESSION_GRADIENT = 8   /* a gradient of any kind, else CQ_CONFIG */
};

/* Loads the problem, then makes the folder; with --resume loads problem.cfg of that folder and
 * checks that the run can go on. On failure there is nothing to close. */
cq_status cli_session_open(cq_ctx *ctx, const cli_options *options, const char *command,
                           unsigned needs, cli_session *session);
/* CQ_CONFIG unless a scene has design variables and something to optimize. */
cq_status cli_session_want_design(cq_ctx *ctx, const cq_scene *scene);
/* Writes problem.cfg and run.json. */
cq_status cli_session_write(cli_session *session);
/* The same, and prints the header. */
cq_status cli_session_begin(cli_session *session);
/* Loads the file once more with one more setting, its design from that of the run folder `start`.
 */
cq_status cli_session_reload(cli_session *session, const char *set, const char *start);
/* Writes the end into run.json, unless it is there. CQ_IO when it could not be written. */
cq_status cli_session_end(cli_session *session, cq_status status);
/* Writes the end, and report.html if it is wanted: all it tells of must be on the disk. Returns
 * status, or CQ_IO of a run that went well, as cli_session_close does. */
cq_status cli_session_report(cli_session *session, cq_status status);
/* Writes the end, and frees everything. Returns status, or CQ_IO when the run itself
 * went well but its record could not be written. */
cq_status cli_session_close(cli_session *session, cq_status status);
/* Whether a status says how an optimization ended, not that it broke or was stopped. */
bool cli_session_has_result(cq_status status);
/* Keeps the state at which the last simulation failed in failed_state.csv. */
void cli_session_keep_failure(cli_session *session);

#endif
