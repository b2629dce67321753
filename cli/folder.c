#include "folder.h"

#include "cqopt/trace.h"

#include "clock.h"
#include "fresh.h"
#include "open.h"
#include "status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cq_status fail_io(cq_ctx *ctx, const char *path, int error) {
  return CQ_FAIL(ctx, CQ_IO, "%s: %s", path, strerror(error));
}

/* mkdir -p */
static cq_status make_path(cq_ctx *ctx, const char *path) {
  char part[CLI_FOLDER];
  CQ_CHECK(ctx, strlen(path) < sizeof part, CQ_IO, "%s: the path is too long", path);
  for (size_t i = 1; i <= strlen(path); i++) {
    if (path[i] == '/' || path[i] == '\0') {
      snprintf(part, sizeof part, "%.*s", (int)i, path);
      if (mkdir(part, 0777) != 0 && errno != EEXIST) {
        return fail_io(ctx, part, errno);
      }
    }
  }
  return CQ_OK;
}

/* What a run leaves that was killed before it had a run.json: nothing of it is worth keeping. The
 * log goes on. */
static bool is_leftover(int folder, const char *name) {
  static const char *const files[] = {"log.txt", "problem.cfg", "history.csv"};
  struct stat info;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(name, files[i]) == 0) {
      return true;
    }
  }
  return cq_fresh_is_temporary(name) ||
         (strcmp(name, "evals.bin") == 0 && fstatat(folder, name, &info, 0) == 0 &&
          info.st_size <= CQ_TRACE_HEAD);
}

/* Whether there is a log and it is of a run: empty, or with a time in front. */
static bool has_log(int folder) {
  char line[32] = "";
  int year = 0, month = 0;
  const int file = openat(folder, "log.txt", O_RDONLY | CQ_OPEN_SAFELY);
  const ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : -1;
  if (file >= 0) {
    close(file);
  }
  return length == 0 || (length > 0 && sscanf(line, "%4d-%2d-%*2dT", &year, &month) == 2);
}

/* Whether there is nothing in the folder but what such a run leaves; which is removed if wanted. */
static bool is_free(DIR *dir, bool clear) {
  bool is_empty = true, is_left = has_log(dirfd(dir));
  for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
      is_empty = false;
      is_left = is_left && is_leftover(dirfd(dir), e->d_name);
      if (clear && is_left && strcmp(e->d_name, "log.txt") != 0) {
        unlinkat(dirfd(dir), e->d_name, 0);
      }
    }
  }
  return is_empty || is_left;
}

static cq_status check_free(cq_ctx *ctx, const char *path, bool clear) {
  DIR *const dir = opendir(path);
  if (dir == NULL) {
    return fail_io(ctx, path, errno);
  }
  const bool good = is_free(dir, clear);
  closedir(dir);
  CQ_CHECK(ctx, good, CQ_IO, "%s: the folder is not empty; name a new one with --output", path);
  return CQ_OK;
}

/* results/<problem>/<time>-<n> with the first n that is free */
static cq_status make_default(cq_ctx *ctx, const char *problem, char path[CLI_FOLDER]) {
  char parent[256], stamp[CLI_STAMP];
  snprintf(parent, sizeof parent, "results/%.200s", problem);
  CQ_TRY(make_path(ctx, parent));
  cli_clock_compact(stamp);
  for (int n = 1; n < 10000; n++) {
    snprintf(path, CLI_FOLDER, "%s/%s-%d", parent, stamp, n);
    if (mkdir(path, 0777) == 0) {
      return CQ_OK;
    }
    if (errno != EEXIST) {
      return fail_io(ctx, path, errno);
    }
  }
  return CQ_FAIL(ctx, CQ_IO, "%s: no free name", path);
}

/* the context's log: everything into log.txt, warnings and errors on the terminal too */
static void on_log(void *user, cq_log_level level, const char *line) {
  cli_folder *const folder = user;
  static const char *const marks[] = {"", "warning: ", "error: "};
  char text[1100];
  snprintf(text, sizeof text, "%s%s", marks[level], line);
  cli_folder_log(folder, text);
  if (level == CQ_LOG_ERROR || (level == CQ_LOG_WARNING && !folder->quiet)) {
    if (folder->aside != NULL) {
      folder->aside(folder->aside_user);
    }
    fprintf(stderr, "cqopt: %s\n", text);
  }
}

void cli_folder_listen(cq_ctx *ctx, bool quiet, cli_folder *folder) {
  *folder = (cli_folder){.ctx = ctx, .quiet = quiet};
  cq_ctx_set_log(ctx, on_log, folder);
}

void cli_folder_deafen(cli_folder *folder, bool deaf) {
  cq_ctx_set_log(folder->ctx, deaf ? NULL : on_log, folder);
}

static cq_status open_log(cli_folder *folder) {
  char path[CLI_PATH];
  cli_folder_path(folder, "log.txt", path, sizeof path);
  const int file = cq_open(path, O_WRONLY | O_CREAT | O_APPEND);
  CQ_CHECK(folder->ctx, file >= 0, CQ_IO, "%s: %s", path, cq_open_error(errno));
  folder->log = fdopen(file, "a");
  if (folder->log == NULL) {
    close(file);
    return CQ_FAIL(folder->ctx, CQ_MEMORY, "%s: out of memory", path);
  }
  return CQ_OK;
}

/* Until it has a run.json a run is known by the lock on its log: what one that was killed has left
 * is taken over, what one that lives is about to do is not. */
static cq_status take(cli_folder *folder) {
  CQ_TRY(check_free(folder->ctx, folder->path, false));
  CQ_TRY(open_log(folder));
  if (!cq_open_lock(fileno(folder->log)) && errno == EWOULDBLOCK) {
    fclose(folder->log);
    folder->log = NULL;
    return CQ_FAIL(folder->ctx, CQ_IO,
                   "%s is being used by another process; wait for it or stop it", folder->path);
  }
  return check_free(folder->ctx, folder->path, true);
}

cq_status cli_folder_create(cli_folder *folder, const char *output, const char *problem) {
  cq_ctx *const ctx = folder->ctx;
  if (output != NULL) {
    CQ_TRY(make_path(ctx, output));
    snprintf(folder->path, sizeof folder->path, "%s", output);
  } else {
    CQ_TRY(make_default(ctx, problem, folder->path));
  }
  CQ_TRY(take(folder));
  cli_folder_log(folder, folder->early);
  return CQ_OK;
}

cq_status cli_folder_reopen(cli_folder *folder, const char *path) {
  CQ_CHECK(folder->ctx, strlen(path) < sizeof folder->path, CQ_IO, "%s: the path is too long",
           path);
  snprintf(folder->path, sizeof folder->path, "%s", path);
  CQ_TRY(open_log(folder));
  cli_folder_log(folder, folder->early);
  return CQ_OK;
}

/* An error of the log shows here at the latest. */
cq_status cli_folder_close(cli_folder *folder) {
  cq_ctx_set_log(folder->ctx, NULL, NULL);
  if (folder->log == NULL) {
    return CQ_OK;
  }
  if (fclose(folder->log) != 0 && folder->log_errno == 0) {
    folder->log_errno = errno;
  }
  folder->log = NULL;
  if (folder->log_errno != 0) {
    char path[CLI_PATH];
    cli_folder_path(folder, "log.txt", path, sizeof path);
    return fail_io(folder->ctx, path, folder->log_errno);
  }
  return CQ_OK;
}

static cq_status lock_folder(const cli_folder *folder, bool (*take_lock)(int file), int *lock) {
  *lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  CQ_CHECK(folder->ctx, *lock < 0 || take_lock(*lock) || errno != EWOULDBLOCK, CQ_IO,
           "%s is being solved by another process; wait for it or stop it", folder->path);
  cq_fresh_sweep(folder->path);
  return CQ_OK;
}

cq_status cli_folder_lock(const cli_folder *folder, int *lock) {
  return lock_folder(folder, cq_open_lock, lock);
}

cq_status cli_folder_share(const cli_folder *folder, int *lock) {
  return lock_folder(folder, cq_open_share, lock);
}

cq_status cli_folder_make(const cli_folder *folder, const char *name) {
  char path[CLI_PATH];
  cli_folder_path(folder, name, path, sizeof path);
  struct stat info;
  CQ_CHECK(folder->ctx, lstat(path, &info) != 0 || !S_ISLNK(info.st_mode), CQ_IO,
           "%s: it is a link, which is not followed", path);
  CQ_TRY(make_path(folder->ctx, path));
  cq_fresh_sweep(path);
  return CQ_OK;
}

void cli_folder_path(const cli_folder *folder, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/%s", folder->path, name);
}

/* Line by line with the time; what comes before there is a folder is kept for it. */
void cli_folder_log(cli_folder *folder, const char *text) {
  if (folder->log == NULL) {
    const size_t used = strlen(folder->early);
    snprintf(folder->early + used, sizeof folder->early - used, "%s\n", text);
    return;
  }
  char stamp[CLI_STAMP];
  cli_clock_iso(stamp);
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    if (length > 0) {
      fprintf(folder->log, "%s %.*s\n", stamp, (int)length, text);
    }
    text += length + (text[length] == '\n');
  }
  if (fflush(folder->log) != 0 && folder->log_errno == 0) {
    folder->log_errno = errno;
  }
}

cq_status cli_folder_write(cli_folder *folder, const char *name, cli_write_fn fn, void *user) {
  char path[CLI_PATH];
  cq_fresh fresh;
  cli_folder_path(folder, name, path, sizeof path);
  CQ_TRY(cq_fresh_begin(folder->ctx, path, &fresh));
  return cq_fresh_end(&fresh, fn(user, fresh.out));
}
