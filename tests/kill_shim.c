/* Preloaded into the program by cli_resume.sh and cli_probe.sh: kills it, as with kill -9, at its
 * k-th record.
 *
 * KILL_AT=k       the k-th write to evals.bin that this process makes after the header
 * KILL_TORN=b     b bytes of that record are written first; without it all of them */
#ifndef _GNU_SOURCE
#  define _GNU_SOURCE /* syscall */
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_record(int file, size_t bytes) {
  enum { HEADER = 32 };
  char link[64], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || bytes == HEADER) {
    return 0;
  }
  path[length] = '\0';
  const char *name = strrchr(path, '/');
  return name != NULL && strcmp(name, "/evals.bin") == 0;
}

__attribute__((visibility("default"))) ssize_t write(int file, const void *from, size_t bytes) {
  static int records;
  const char *at = getenv("KILL_AT"), *torn = getenv("KILL_TORN");
  if (at != NULL && is_record(file, bytes) && ++records == atoi(at)) {
    const size_t some = torn != NULL ? (size_t)atoi(torn) : bytes;
    syscall(SYS_write, file, from, some < bytes ? some : bytes);
    kill(getpid(), SIGKILL);
  }
  return syscall(SYS_write, file, from, bytes);
}
