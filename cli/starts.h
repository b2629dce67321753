/* The starts of a multi-start run: how each ended, and which is the best. */
#ifndef CQ_CLI_STARTS_H
#define CQ_CLI_STARTS_H

#include "run_json.h"
#include "style.h"

enum { CLI_START_FOLDER = 192 };
#define CLI_VERIFIED "verified optimum"

typedef struct cli_start {
  int number;                    /* 1, 2, ... */
  char folder[CLI_START_FOLDER]; /* below the run folder: "start-01" */
  char status[32]; /* a name of CQ_STATUS_LIST, "waiting", "running", or of the signal that ended
                      its process */
  char reason[256];
  int exit_code;  /* -1: has not ended */
  double f_start; /* where it began; NAN: not known, as are the others without a point */
  double f, violation, kkt_residual;
  double f_mean, f_deviation, f_worst; /* of re-runs from other starts; NAN: there were none */
  int evaluations, simulations, gradients, failures, recovered;
  double seconds;
  char stop_hash[CLI_HASH]; /* of the settings it ended by; "": not known */
} cli_start;

typedef struct cli_starts {
  int count;
  cli_start *starts; /* [count] */
  double constraint_tolerance;
  char stop_hash[CLI_HASH]; /* of the settings that hold now; "": not known */
  /* by cli_starts_judge */
  int best;     /* index; -1: no start has a point */
  int ended;    /* how many */
  int verified; /* of these, optima or at the target */
  int at_best;  /* feasible, with the f of the best */
  int optima;   /* different objectives of verified optima: above 1 they are local ones */
} cli_starts;

/* Reads what the folder of a start below `run` says. */
void cli_start_read(cq_ctx *ctx, const char *run, int number, const char *folder, cli_start *start);
/* After its process has ended: what the folder says, or, where that does not say so, what the
 * process said, by a status of waitpid and the file with its errors. */
void cli_start_note_end(cq_ctx *ctx, const char *run, const char *errors, int wait_status,
                        cli_start *start);
/* Has something to go on with: it waits, was cut off or stopped, its machine failed it, or it ended
 * by other settings than hold now. */
bool cli_start_is_open(const cli_starts *starts, const cli_start *start);

/* Finds the best start by the rule that is written there. */
void cli_starts_judge(cli_starts *starts);

/* order [count]: indices, the best first. */
void cli_starts_rank(const cli_starts *starts, int *order);

/* starts.csv; a cli_write_fn on a cli_starts. */
cq_status cli_starts_write(void *starts, FILE *out);
/* Reads the starts.csv of a run, judged. Frees nothing of *out; its starts are by malloc. */
cq_status cli_starts_read(cq_ctx *ctx, const char *run, double constraint_tolerance,
                          cli_starts *out);

/* "verified optimum" and its like, of one start alone. */
const char *cli_start_word(const cli_start *start);
/* The same of the best one among all: "local optimum, the best of 3 different ones" where verified
 * ones differ. */
const char *cli_starts_word(const cli_starts *starts, char text[64]);
/* A start that its machine failed, not its problem: a full disk, no memory, no device; the first
 * one, or -1. */
int cli_starts_failed(const cli_starts *starts);
void cli_starts_print_heading(FILE *out);
void cli_start_print(FILE *out, const cli_start *start);
/* All of them, the best first. */
void cli_starts_print(FILE *out, const cli_style *style, const cli_starts *starts);

#endif
