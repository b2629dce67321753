/* fits.txt of a run folder: the fits that cqopt profile has made so far, so that one that was
 * killed goes on where it was. */
#ifndef CQ_CLI_FITS_H
#define CQ_CLI_FITS_H

#include "cqopt/cqopt.h"

#include <stdio.h>

typedef struct cli_fits {
  cq_ctx *ctx;
  cq_fit_memory memory; /* for cq_uncertainty.memory */
  char path[1280];
  FILE *file;
  int known;   /* fits that were there */
  bool passed; /* the last of these */
  bool failed; /* what is after them could not be cut off */
} cli_fits;

/* Opens fits.txt of a folder, whose fits are those of `key`, a line, or else are left behind. CQ_IO
 */
cq_status cli_fits_open(cq_ctx *ctx, const char *folder, const char *key, cli_fits *out);
/* Closes it; done: nothing is left to go on with, and it goes. */
void cli_fits_close(cli_fits *fits, bool done);

#endif
