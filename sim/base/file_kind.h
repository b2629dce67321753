/* What cannot be read to an end: it has none, or is waited for. */
#ifndef CQ_BASE_FILE_KIND_H
#define CQ_BASE_FILE_KIND_H

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

/* "a folder", "a named pipe" or "a device"; NULL for a file, for a pipe of the shell, <(command),
 * and for what is not there. */
static inline const char *cq_no_file(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) {
    return NULL;
  }
  if (S_ISFIFO(info.st_mode)) {
    const int is_shells = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return is_shells ? NULL : "a named pipe";
  }
  return S_ISDIR(info.st_mode) ? "a folder" : "a device";
}

#endif
