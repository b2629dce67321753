/* Whether a run goes on, and what it has found so far, from its folder alone: reads only and takes
 * no lock, so that the run is not disturbed. */
#ifndef CQ_CLI_RUN_STATE_H
#define CQ_CLI_RUN_STATE_H

#include "folder.h"

typedef enum cli_state {
  CLI_ENDED,
  CLI_RUNNING,
  CLI_CUT_OFF,  /* its process is gone without a last word */
  CLI_UNCERTAIN /* one of the last two: it runs, or did, on another machine */
} cli_state;

/* The text of <folder>/run.json, by malloc, and what it and the process it names say. CQ_IO with
 * path and reason when it cannot be read or is damaged; *json is NULL then. */
cq_status cli_run_state(cq_ctx *ctx, const char *folder, char **json, cli_state *state);
/* "running", "cut off"; NULL: it has ended, and run.json says how. */
const char *cli_state_word(cli_state state);
/* A member that is a number; NAN: it is none, or is not there. */
double cli_run_number(const char *json, const char *name);

/* A column of history.csv. */
typedef struct cli_history_value {
  char name[128];
  double first, best, last; /* NAN: not known */
} cli_history_value;

/* history.csv in short. */
typedef struct cli_history {
  int rows, evaluations, failures;
  int best;       /* the best evaluation; 0: none succeeded */
  double elapsed; /* [s] at the last one; NAN: there is none */
  double age;     /* [s] since the file was written to */
  bool torn;      /* its last line has no end and is left out */
  /* f, the terms if there are several, the constraints, violation */
  int n_terms, n_constraints, n;
  cli_history_value *values; /* [n] by malloc */
} cli_history;

/* Of the run that json is of; a folder without one gives zeros, and so does a failure: CQ_IO as
 * above. */
cq_status cli_history_read(cq_ctx *ctx, const char *folder, const char *json, cli_history *out);
void cli_history_free(cli_history *history);
/* The value of a name, such as "f" and "violation", at the best evaluation; NAN: there is none. */
double cli_history_best(const cli_history *history, const char *name);

#endif
