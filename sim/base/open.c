#define _DEFAULT_SOURCE /* flock */
#include "open.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* closes what is no regular file */
static int keep_regular(int file) {
  struct stat info;
  if (file >= 0 && (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))) {
    close(file);
    errno = EINVAL;
    return -1;
  }
  return file;
}

int cq_open(const char *path, int flags) {
  const int file = keep_regular(open(path, flags | CQ_OPEN_SAFELY, 0666));
  if (file < 0 && errno == ENXIO) { /* a pipe that nobody reads */
    errno = EINVAL;
  }
  return file;
}

FILE *cq_open_read(const char *path) {
  if (strncmp(path, "/dev/", 5) == 0) {
    return fopen(path, "rbe");
  }
  const int file = keep_regular(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  FILE *const in = file >= 0 ? fdopen(file, "rb") : NULL;
  if (file >= 0 && in == NULL) {
    close(file);
  }
  return in;
}

const char *cq_open_error(int error) {
  return error == ELOOP    ? "it is a link, which is not followed"
         : error == EINVAL ? "it is not a regular file"
                           : strerror(error);
}

static bool lock(int file, int how) {
  enum { TRIES = 100 };
  static const struct timespec a_moment = {.tv_nsec = 20000000};
  bool locked = flock(file, how | LOCK_NB) == 0;
  for (int i = 0; i < TRIES && !locked && errno == EWOULDBLOCK; i++) {
    nanosleep(&a_moment, NULL);
    locked = flock(file, how | LOCK_NB) == 0;
  }
  return locked;
}

bool cq_open_lock(int file) {
  return lock(file, LOCK_EX);
}

bool cq_open_share(int file) {
  return lock(file, LOCK_SH);
}
