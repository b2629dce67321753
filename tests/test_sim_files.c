/* Files in folders that others may write to: links, pipes, locks, texts that are not UTF-8. */
#define _DEFAULT_SOURCE /* flock, mkdtemp */
#include "fresh.h"
#include "open.h"
#include "status.h"
#include "test.h"
#include "utf8.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void put(const char *path, const char *text) {
  FILE *const file = fopen(path, "w");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static const char *text_of(const char *path) {
  static char text[64];
  FILE *const file = fopen(path, "r");
  const size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

static int count_temporaries(void) {
  return system("exit $(ls | grep -c '[.]tmp$')") / 256;
}

static void test_place(void) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  cq_fresh fresh;
  struct stat info;
  put("victim", "untouched");
  CHECK(symlink("victim", "file.tmp") == 0 && symlink("victim", "file") == 0);
  CHECK(cq_fresh_begin(ctx, "file", &fresh) == CQ_OK);
  CHECK(cq_fresh_is_temporary(fresh.temporary) && !cq_fresh_is_temporary("file.tmp"));
  CHECK(stat(fresh.temporary, &info) == 0 && (info.st_mode & 0777) == 0640); /* by the umask */
  fputs("new", fresh.out);
  CHECK_STR(text_of("file"), "untouched"); /* not yet */
  CHECK(cq_fresh_end(&fresh, CQ_OK) == CQ_OK && cq_fresh_end(&fresh, CQ_OK) == CQ_OK);
  CHECK_STR(text_of("file"), "new");
  CHECK_STR(text_of("victim"), "untouched");
  CHECK(lstat("file", &info) == 0 && S_ISREG(info.st_mode));
  CHECK(cq_fresh_begin(ctx, "file", &fresh) == CQ_OK);
  CHECK(cq_fresh_end(&fresh, CQ_TOO_FAST) == CQ_TOO_FAST && count_temporaries() == 1); /* the link */
  CHECK_STR(text_of("file"), "new");
  CHECK(cq_fresh_begin(ctx, "no/file", &fresh) == CQ_IO);
  CHECK(strstr(cq_ctx_error(ctx), "no/file: No such file") != NULL);
  cq_ctx_destroy(ctx);
}

/* Written under another name of the same file, it is the file. */
static void test_alias(void) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  cq_fresh fresh;
  char alias[64];
  CHECK(cq_fresh_begin(ctx, "alias", &fresh) == CQ_OK);
  cq_fresh_alias(&fresh, alias);
  put(alias, "by name");
  CHECK(cq_fresh_end(&fresh, CQ_OK) == CQ_OK);
  CHECK_STR(text_of("alias"), "by name");
  cq_ctx_destroy(ctx);
}

static void test_sweep(void) {
  cq_ctx *const ctx = cq_ctx_create(1, 1);
  cq_fresh fresh;
  put("run.json.0123456789abcdef.tmp", "left");
  put("run.json.0123456789abcdeg.tmp", "of another kind");
  CHECK(cq_fresh_begin(ctx, "held", &fresh) == CQ_OK);
  cq_fresh_sweep(".");
  CHECK(access("run.json.0123456789abcdef.tmp", F_OK) != 0);
  CHECK(access("run.json.0123456789abcdeg.tmp", F_OK) == 0);
  CHECK(cq_fresh_end(&fresh, CQ_OK) == CQ_OK && access("held", F_OK) == 0);
  cq_ctx_destroy(ctx);
}

static void test_open(void) {
  CHECK(mkfifo("pipe", 0666) == 0);
  CHECK(cq_open_read("pipe") == NULL && errno == EINVAL);
  CHECK(cq_open_read(".") == NULL);
  CHECK(cq_open("pipe", O_WRONLY | O_APPEND) < 0 && errno == EINVAL);
  CHECK(cq_open("pipe", O_RDWR) < 0 && errno == EINVAL);
  CHECK(cq_open("file.tmp", O_WRONLY) < 0 && errno == ELOOP);
  CHECK_STR(cq_open_error(ELOOP), "it is a link, which is not followed");
  FILE *const followed = cq_open_read("file.tmp");
  CHECK(followed != NULL && fclose(followed) == 0);
  const int file = cq_open("fresh", O_WRONLY | O_CREAT);
  CHECK(file >= 0 && (fcntl(file, F_GETFD) & FD_CLOEXEC) != 0 && close(file) == 0);
}

/* A lock is waited for as long as a process may take to die, not longer. */
static void test_lock(void) {
  const int file = cq_open("lock", O_RDWR | O_CREAT);
  int ready[2];
  char byte = 0;
  CHECK(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const int own = cq_open("lock", O_RDWR);
    const bool good = cq_open_lock(own) && write(ready[1], "x", 1) == 1;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    _exit(good ? 0 : 1); /* its lock goes with it */
  }
  int status = 0;
  CHECK(read(ready[0], &byte, 1) == 1);
  CHECK(flock(file, LOCK_EX | LOCK_NB) != 0);
  CHECK(cq_open_lock(file));
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  const int other = cq_open("lock", O_RDWR);
  CHECK(!cq_open_lock(other) && errno == EWOULDBLOCK);
  CHECK(close(other) == 0 && close(file) == 0);
}

static void test_utf8(void) {
  char text[64];
  CHECK(cq_utf8_length("a") == 1 && cq_utf8_length("\xc3\xa4") == 2);
  CHECK(cq_utf8_length("\xe2\x82\xac") == 3 && cq_utf8_length("\xf0\x9f\x98\x80") == 4);
  CHECK(cq_utf8_length("\xe4") == 0 && cq_utf8_length("\xc0\x80") == 0);
  CHECK(cq_utf8_length("\xed\xa0\x80") == 0 && cq_utf8_length("\xf4\x90\x80\x80") == 0);
  CHECK(cq_utf8_length("\xe0\x80\x80") == 0 && cq_utf8_length("\xe2\x82") == 0);
  cq_utf8_copy("K\xe4se \xc3\xa4", text, sizeof text);
  CHECK_STR(text, "K\xef\xbf\xbdse \xc3\xa4");
  cq_utf8_copy("ab\xc3\xa4", text, 4); /* no half of a character */
  CHECK_STR(text, "ab");
}

int main(void) {
  char folder[] = "/tmp/cq_files_XXXXXX";
  umask(0027);
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  RUN(test_place);
  RUN(test_alias);
  RUN(test_sweep);
  RUN(test_open);
  RUN(test_lock);
  RUN(test_utf8);
  CHECK(chdir("/") == 0);
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  CHECK(system(command) == 0);
  return TEST_RESULT();
}
