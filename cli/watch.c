#include "watch.h"

#include "status.h"

#include <errno.h>
#include <string.h>
#include <time.h>

typedef struct watched {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool done;
  void (*run)(void *user);
  void *user;
} watched;

static bool abandoned;

static void *thread(void *argument) {
  watched *const w = argument;
  w->run(w->user);
  pthread_mutex_lock(&w->mutex);
  w->done = true;
  pthread_cond_signal(&w->changed);
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

/* True when it is done, after a tenth of a second at the latest. */
static bool wait_a_little(watched *w) {
  enum { TENTH = 100000000, SECOND = 1000000000 };
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TENTH;
  until.tv_sec += until.tv_nsec / SECOND;
  until.tv_nsec %= SECOND;
  pthread_mutex_lock(&w->mutex);
  if (!w->done) {
    pthread_cond_timedwait(&w->changed, &w->mutex, &until);
  }
  const bool done = w->done;
  pthread_mutex_unlock(&w->mutex);
  return done;
}

static cli_watch_end look(const cq_ctx *ctx, double stall_time) {
  static const double patience = 2; /* [s] for a method to hear of a stop */
  const double silence = cq_ctx_method_silence(ctx);
  if (stall_time > 0 && silence > stall_time) {
    return CLI_WATCH_STALLED;
  }
  return cq_ctx_stop_requested(ctx) != CQ_OK && silence > patience ? CLI_WATCH_STOPPED
                                                                   : CLI_WATCH_DONE;
}

cq_status cli_watch(cq_ctx *ctx, double stall_time, pthread_mutex_t *lock, void (*run)(void *user),
                    void *user, cli_watch_end *end) {
  /* outlives the call when the thread does */
  static watched w = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  pthread_t id;
  w.done = false;
  w.run = run;
  w.user = user;
  *end = CLI_WATCH_DONE;
  const int error = pthread_create(&id, NULL, thread, &w);
  CQ_CHECK(ctx, error == 0, CQ_MEMORY, "no thread for the optimizer: %s", strerror(error));
  while (!wait_a_little(&w)) {
    if (look(ctx, stall_time) == CLI_WATCH_DONE) {
      continue;
    }
    pthread_mutex_lock(lock);
    *end = look(ctx, stall_time); /* it may have spoken meanwhile */
    if (*end != CLI_WATCH_DONE) {
      abandoned = true;
      cq_ctx_request_stop(ctx, CQ_OPTIMIZER); /* should it come back after all */
      return CQ_OK;
    }
    pthread_mutex_unlock(lock);
  }
  pthread_join(id, NULL);
  return CQ_OK;
}

bool cli_watch_abandoned(void) {
  return abandoned;
}
