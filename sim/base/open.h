/* Files of a folder that others may have written to: links in it are not followed, and what is no
 * file (a pipe, on which a reader would wait for ever) is not opened. */
#ifndef CQ_BASE_OPEN_H
#define CQ_BASE_OPEN_H

#include "cqopt/base.h"

#include <fcntl.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* O_NONBLOCK: opening a pipe returns at once */
#define CQ_OPEN_SAFELY (O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

/* open(2) with these flags beside `flags`; -1 with errno, EINVAL where there is no regular file.
 * New files have mode 0666. */
int cq_open(const char *path, int flags);
/* Opens a file to be read; links are followed. NULL with errno, EINVAL where it is no regular file:
 * but what is below /dev is meant (/dev/stdin, or <(...) of a shell). */
FILE *cq_open_read(const char *path);
/* strerror, but in words that fit such a file where errno is ELOOP or EINVAL. */
const char *cq_open_error(int error);

/* Locks an open file for this process and, once its children have called exec, for it alone. Waits
 * for a moment: one that was killed may hold its locks a little longer than it is seen to live.
 * False with errno; EWOULDBLOCK: another process has it. */
bool cq_open_lock(int file);
/* The same among others that share it: none of them has it alone. */
bool cq_open_share(int file);

#ifdef __cplusplus
}
#endif

#endif
