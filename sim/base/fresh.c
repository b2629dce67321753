#include "fresh.h"

#include "open.h"
#include "status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".tmp";
enum { DIGITS = 16, TAIL = 1 + DIGITS + sizeof ending - 1 };

/* As long as its lock is held nobody sweeps the file away; somebody may have been before. */
static bool is_kept(int file) {
  struct stat info;
  const bool others = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  return !others && (fstat(file, &info) != 0 || info.st_nlink > 0);
}

/* A file of an unpredictable name that nobody has made before, or -1. */
static int make(cq_fresh *fresh) {
  enum { TRIES = 100 };
  int file = -1;
  for (int i = 0; i < TRIES && file < 0; i++) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
      return -1;
    }
    snprintf(fresh->temporary, sizeof fresh->temporary, "%s.%016" PRIx64 "%s", fresh->path, number,
             ending);
    file = open(fresh->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) {
      return -1;
    }
    if (file >= 0 && !is_kept(file)) {
      close(file);
      file = -1;
    }
  }
  return file;
}

cq_status cq_fresh_begin(cq_ctx *ctx, const char *path, cq_fresh *fresh) {
  fresh->ctx = ctx;
  fresh->out = NULL;
  const int length = snprintf(fresh->path, sizeof fresh->path, "%s", path);
  CQ_CHECK(ctx, length < (int)sizeof fresh->path, CQ_IO, "%.200s...: the path is too long", path);
  const int file = make(fresh);
  CQ_CHECK(ctx, file >= 0, CQ_IO, "%s: %s", path, strerror(errno));
  fresh->out = fdopen(file, "wb");
  errno = 0;
  if (fresh->out == NULL) {
    close(file);
    unlink(fresh->temporary);
    return CQ_FAIL(ctx, CQ_MEMORY, "%s: out of memory", path);
  }
  return CQ_OK;
}

void cq_fresh_alias(const cq_fresh *fresh, char alias[64]) {
  snprintf(alias, 64, "/proc/%ld/fd/%d", (long)getpid(), fileno(fresh->out));
}

cq_status cq_fresh_end(cq_fresh *fresh, cq_status status) {
  FILE *const out = fresh->out;
  if (out == NULL) {
    return status;
  }
  fresh->out = NULL;
  /* of a write that failed before, errno is what there is to say why */
  const bool good = !ferror(out) && fflush(out) == 0 && fsync(fileno(out)) == 0 &&
                    (status != CQ_OK || rename(fresh->temporary, fresh->path) == 0);
  const int reason = errno != 0 ? errno : EIO;
  fclose(out); /* all of it is on the disk */
  if (!good || status != CQ_OK) {
    unlink(fresh->temporary);
  }
  CQ_CHECK(fresh->ctx, good || status != CQ_OK, CQ_IO, "%s: %s", fresh->path, strerror(reason));
  return status;
}

bool cq_fresh_is_temporary(const char *name) {
  const size_t length = strlen(name);
  if (length <= TAIL || name[length - TAIL] != '.') {
    return false;
  }
  const char *const digits = name + length - TAIL + 1;
  return strspn(digits, "0123456789abcdef") == DIGITS && strcmp(digits + DIGITS, ending) == 0;
}

/* A file that is still locked belongs to a process that is writing it, and stays. */
void cq_fresh_sweep(const char *folder) {
  DIR *const dir = opendir(folder);
  for (const struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
    const int file = cq_fresh_is_temporary(e->d_name)
                         ? openat(dirfd(dir), e->d_name, CQ_OPEN_SAFELY | O_RDONLY)
                         : -1;
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) {
      unlinkat(dirfd(dir), e->d_name, 0);
    }
    if (file >= 0) {
      close(file);
    }
  }
  if (dir != NULL) {
    closedir(dir);
  }
}
