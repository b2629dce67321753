/* The folder of a batch and its run.json: a new one, or an earlier one of the same settings, whose
 * runs are gone on with. */
#ifndef CQ_CLI_BATCH_FOLDER_H
#define CQ_CLI_BATCH_FOLDER_H

#include "folder.h"
#include "options.h"
#include "share.h"

#include "cqopt/file.h"

enum { CLI_FACT = 256 };

/* A member of run.json. */
typedef struct cli_fact {
  const char *name;
  const char *words; /* for errors, "the budget"; NULL: it may be another one than before */
  char value[CLI_FACT];
} cli_fact;

typedef struct cli_batch_folder {
  cli_folder folder;
  const char *command; /* "compare" */
  const cli_options *options;
  const cq_scene *scene;
  cli_share share;
  int lock;
  bool resumed;
  char started[32];
} cli_batch_folder;

/* Opens --output, or a new folder below ./results, by itself or with those that share it. CQ_IO
 * when it is neither new nor empty nor of this command, or another process has it for itself. */
cq_status cli_batch_folder_open(cli_batch_folder *f);
/* The value of a fact that the folder has; false: it has none. */
bool cli_batch_folder_fact(const cli_batch_folder *f, const char *name, char value[CLI_FACT]);
/* Whether the tables of a batch that is done are for this process to make. */
bool cli_batch_folder_makes_tables(const cli_batch_folder *f);
/* The fact of all settings of a problem, as a hash. */
cq_status cli_fact_problem(cq_file *file, cli_fact *fact);
/* CQ_CONFIG, in words, when the folder has other ones. */
cq_status cli_batch_folder_check(const cli_batch_folder *f, const cli_fact *facts, int n);
/* Writes run.json: with status "running", or how it ended. */
cq_status cli_batch_folder_write(cli_batch_folder *f, const cli_fact *facts, int n,
                                 const char *status);
/* Writes a problem with all its settings to a file of the folder. */
cq_status cli_batch_folder_problem(cli_batch_folder *f, const char *name, cq_file *file);
/* Writes x, for the optimizer of the scene, as a table to begin at. */
cq_status cli_batch_folder_start(cli_batch_folder *f, const char *name, const cq_scene *scene,
                                 const double *x);
/* Closes log and lock; status, or CQ_IO when the log was not written. */
cq_status cli_batch_folder_close(cli_batch_folder *f, cq_status status);

#endif
