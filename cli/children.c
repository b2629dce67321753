#include "children.h"

#include "alloc.h"
#include "open.h"
#include "share.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

static sigset_t stop_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

static void redirect(int file, int to) {
  if (file >= 0 && file != to) {
    dup2(file, to);
    close(file);
  }
}

/* Between fork and exec. Ends with its parent: two runs in one folder would be worse than one that
 * is cut off, which its record survives. */
static void become(const char *const *argv, const char *errors, pid_t parent) {
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(CANNOT_RUN);
  }
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  cli_share_forget_ranks();
  redirect(open("/dev/null", O_RDONLY), STDIN_FILENO);
  redirect(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  redirect(cq_open(errors, O_WRONLY | O_CREAT | O_APPEND), STDERR_FILENO);
  execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
  _exit(CANNOT_RUN);
}

cq_status cli_child_start(cq_ctx *ctx, const char *const *argv, const char *errors, pid_t *pid) {
  const sigset_t stops = stop_signals();
  const pid_t parent = getpid();
  sigset_t before;
  /* a signal that came while the child still has our handler would be lost on it */
  sigprocmask(SIG_BLOCK, &stops, &before);
  *pid = fork();
  if (*pid == 0) {
    become(argv, errors, parent);
  }
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  CQ_CHECK(ctx, *pid > 0, CQ_MEMORY, "no process for another start: %s", strerror(error));
  return CQ_OK;
}

typedef struct pool {
  cq_ctx *ctx;
  const cli_jobs *jobs;
  pid_t *pids; /* [jobs->count] 0: does not run */
  int next, running;
  bool told; /* those that run, to stop */
  cq_status status;
} pool;

static void note(pool *p, cq_status status) {
  p->status = p->status == CQ_OK ? status : p->status;
}

static bool may_start(const pool *p) {
  return p->status == CQ_OK && cq_ctx_stop_requested(p->ctx) == CQ_OK && p->next < p->jobs->count &&
         p->running < p->jobs->workers;
}

static void start_some(pool *p) {
  while (may_start(p)) {
    const int i = p->next++;
    note(p, p->jobs->start(p->jobs->user, i, &p->pids[i]));
    p->running += p->pids[i] > 0;
  }
}

static void reap(pool *p) {
  for (int i = 0; i < p->next; i++) {
    int wait_status = 0;
    const pid_t pid = p->pids[i] > 0 ? waitpid(p->pids[i], &wait_status, WNOHANG) : 0;
    if (pid != 0 && !(pid < 0 && errno == EINTR)) {
      p->pids[i] = 0;
      p->running--;
      note(p, p->jobs->ended(p->jobs->user, i, wait_status));
    }
  }
}

static void pass_on_stop(pool *p) {
  const cq_status stop = cq_ctx_stop_requested(p->ctx);
  if (stop == CQ_OK || p->told) {
    return;
  }
  p->told = true;
  for (int i = 0; i < p->next; i++) {
    if (p->pids[i] > 0) {
      kill(p->pids[i], stop == CQ_INTERRUPTED ? SIGINT : SIGTERM);
    }
  }
}

cq_status cli_children_run(cq_ctx *ctx, const cli_jobs *jobs) {
  static const struct timespec a_while = {.tv_nsec = 100000000};
  pool p = {.ctx = ctx, .jobs = jobs};
  sigset_t child, before;
  CQ_TRY(CQ_ALLOC(ctx, p.pids, jobs->count));
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  signal(SIGCHLD, SIG_DFL); /* ignored, it would take the exit codes with it */
  sigprocmask(SIG_BLOCK, &child, &before);
  for (start_some(&p); p.running > 0; start_some(&p)) {
    sigtimedwait(&child, NULL, &a_while); /* until one ends, a signal comes, or for a while */
    pass_on_stop(&p);
    reap(&p);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  cq_free(ctx, p.pids);
  return p.status;
}
