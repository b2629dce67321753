/* A file that gets its name when it is whole: until then it has one that nobody can guess, so that
 * neither a link planted in the folder nor what was there before is written through. */
#ifndef CQ_BASE_FRESH_H
#define CQ_BASE_FRESH_H

#include "cqopt/base.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CQ_FRESH_PATH = 4096, CQ_FRESH_TEMPORARY = CQ_FRESH_PATH + 32 };

typedef struct cq_fresh {
  cq_ctx *ctx;
  FILE *out; /* to be written; NULL: not begun, or ended */
  char path[CQ_FRESH_PATH], temporary[CQ_FRESH_TEMPORARY];
} cq_fresh;

/* Makes the file beside path. CQ_IO with path and reason. */
cq_status cq_fresh_begin(cq_ctx *ctx, const char *path, cq_fresh *fresh);
/* The open file under a name that only this process and its children can follow, for libraries and
 * programs that want a name; written there it is still this file. */
void cq_fresh_alias(const cq_fresh *fresh, char alias[64]);
/* With CQ_OK the file is on the disk, replaces what was at path in one step and keeps its bits;
 * with anything else it is removed. status, or CQ_IO when it could not be written. Does nothing to
 * one that was not begun. */
cq_status cq_fresh_end(cq_fresh *fresh, cq_status status);

/* Whether a name is that of such a file before it has its own. */
bool cq_fresh_is_temporary(const char *name);
/* Removes those that processes which were killed have left in the folder. */
void cq_fresh_sweep(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
