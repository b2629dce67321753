/* The run folder: its creation, its log, and files that are checked when they are closed. */
#ifndef CQ_CLI_FOLDER_H
#define CQ_CLI_FOLDER_H

#include "cqopt/base.h"

#include <stdio.h>

enum { CLI_PATH = 1280, CLI_FOLDER = 960 };

typedef struct cli_folder {
  cq_ctx *ctx;
  char path[CLI_FOLDER];
  FILE *log;                 /* NULL: no folder yet */
  int log_errno;             /* of the first write to the log that failed */
  bool quiet;                /* warnings stay out of the terminal */
  char early[4096];          /* lines logged before the folder was there */
  void (*aside)(void *user); /* NULL, or: a line of the terminal is unfinished, end it */
  void *aside_user;
} cli_folder;

/* Makes the folder the context's log, which shows warnings and errors on the terminal too. */
void cli_folder_listen(cq_ctx *ctx, bool quiet, cli_folder *folder);
/* Listens no more, or again: while a second scene of the same file is made, which would say the
 * same things. */
void cli_folder_deafen(cli_folder *folder, bool deaf);
/* Makes the folder: output (CQ_IO unless it is new or empty, or has only what a run leaves that was
 * killed before it began), or a new one below ./results/<problem>; and opens log.txt in it. */
cq_status cli_folder_create(cli_folder *folder, const char *output, const char *problem);
/* Opens the folder of an earlier run, whose log goes on. */
cq_status cli_folder_reopen(cli_folder *folder, const char *path);
/* Closes the log, if there is one; CQ_IO when any line of it was lost. */
cq_status cli_folder_close(cli_folder *folder);
void cli_folder_path(const cli_folder *folder, const char *name, char *path, size_t size);

/* Locks the folder against a second process that would run solves in it: CQ_IO. Close *lock to let
 * go of it; -1: the file system has no locks, and the records of the solves have their own. */
cq_status cli_folder_lock(const cli_folder *folder, int *lock);
/* The same against those that would have it alone. */
cq_status cli_folder_share(const cli_folder *folder, int *lock);

/* Makes a folder in it, unless it is there. */
cq_status cli_folder_make(const cli_folder *folder, const char *name);

/* One line, or the lines of a text, into log.txt. */
void cli_folder_log(cli_folder *folder, const char *text);

typedef cq_status (*cli_write_fn)(void *user, FILE *out);
/* Writes a file of the folder through fn; what was there is replaced in one step when all of it is
 * on the disk. CQ_IO with path and reason. */
cq_status cli_folder_write(cli_folder *folder, const char *name, cli_write_fn fn, void *user);

#endif
