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
  clock_gettime(CLOCK_MONOTONIC, &until);
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

/* A user who asks for the end gets it under that name, stalled or not. */
static cli_watch_end look(const cq_ctx *ctx, double stall_time) {
  static const double patience = 2; /* [s] for a method to hear of a stop */
  const double silence = cq_ctx_method_silence(ctx);
  const bool stalled = stall_time > 0 && silence > stall_time;
  if (cq_ctx_stop_requested(ctx) != CQ_OK) {
    return stalled || silence > patience ? CLI_WATCH_STOPPED : CLI_WATCH_DONE;
  }
  return stalled ? CLI_WATCH_STALLED : CLI_WATCH_DONE;
}

/* Gives the method up, unless it has just spoken. With the stop requested before the last look, it
 * cannot begin another evaluation after it. */
static cli_watch_end give_up(cq_ctx *ctx, double stall_time) {
  const cli_watch_end end = look(ctx, stall_time);
  if (end == CLI_WATCH_STALLED) {
    cq_ctx_request_stop(ctx, CQ_OPTIMIZER);
  }
  return end != CLI_WATCH_DONE && look(ctx, stall_time) != CLI_WATCH_DONE ? end : CLI_WATCH_DONE;
}

/* The clock that never jumps. */
static int make_condition(pthread_cond_t *changed) {
  pthread_condattr_t attributes;
  int error = pthread_condattr_init(&attributes);
  if (error == 0) {
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    error = error != 0 ? error : pthread_cond_init(changed, &attributes);
    pthread_condattr_destroy(&attributes);
  }
  return error;
}

cq_status cli_watch(cq_ctx *ctx, double stall_time, pthread_mutex_t *lock, void (*run)(void *user),
                    void *user, cli_watch_end *end) {
  /* outlives the call when the thread does */
  static watched w = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  pthread_t id;
  w.done = false;
  w.run = run;
  w.user = user;
  *end = CLI_WATCH_DONE;
  int error = make_condition(&w.changed);
  error = error != 0 ? error : pthread_create(&id, NULL, thread, &w);
  CQ_CHECK(ctx, error == 0, CQ_MEMORY, "no thread for the optimizer: %s", strerror(error));
  while (!wait_a_little(&w)) {
    if (look(ctx, stall_time) == CLI_WATCH_DONE) {
      continue;
    }
    pthread_mutex_lock(lock);
    *end = give_up(ctx, stall_time);
    if (*end != CLI_WATCH_DONE) {
      abandoned = true;
      return CQ_OK;
    }
    pthread_mutex_unlock(lock);
  }
  pthread_join(id, NULL);
  pthread_cond_destroy(&w.changed);
  return CQ_OK;
}

bool cli_watch_abandoned(void) {
  return abandoned;
}
