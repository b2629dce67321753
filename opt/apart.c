#include "apart.h"

#include "status.h"
#include "timer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef enum state { IDLE, WORKING, CALLING, GIVEN_UP, CLOSED } state;

struct cq_apart {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_t thread;
  state state; /* changed under the mutex */
  cq_apart_job job;
  void (*call)(void *user);
  void *user;
};

static void release(cq_apart *a) {
  pthread_cond_destroy(&a->changed);
  pthread_mutex_destroy(&a->mutex);
  free(a);
}

static void change(cq_apart *a, state to) {
  a->state = to;
  pthread_cond_broadcast(&a->changed);
}

static void wait_while(cq_apart *a, state is) {
  while (a->state == is) {
    pthread_cond_wait(&a->changed, &a->mutex);
  }
}

/* The other thread: jobs one after the other, until one was given up, whose memory is left to it.
 */
static void *work(void *argument) {
  cq_apart *const a = argument;
  pthread_mutex_lock(&a->mutex);
  for (wait_while(a, IDLE); a->state == WORKING; wait_while(a, IDLE)) {
    pthread_mutex_unlock(&a->mutex);
    a->job.run(a->job.job);
    pthread_mutex_lock(&a->mutex);
    if (a->state == GIVEN_UP) {
      pthread_mutex_unlock(&a->mutex);
      a->job.dispose(a->job.job);
      release(a);
      return NULL;
    }
    change(a, IDLE);
  }
  pthread_mutex_unlock(&a->mutex);
  return NULL;
}

/* Until something changes, a tenth of a second at most. */
static void wait_a_little(cq_apart *a) {
  enum { TENTH = 100000000, SECOND = 1000000000 };
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += TENTH;
  until.tv_sec += until.tv_nsec / SECOND;
  until.tv_nsec %= SECOND;
  pthread_cond_timedwait(&a->changed, &a->mutex, &until);
}

/* Serves the job under the mutex until it is done; false when it was given up. */
static bool serve(cq_apart *a) {
  double since = cq_now();
  while (a->state != IDLE) {
    if (a->state == CALLING) {
      pthread_mutex_unlock(&a->mutex);
      a->call(a->user);
      pthread_mutex_lock(&a->mutex);
      since = cq_now();
      change(a, WORKING);
    }
    wait_a_little(a);
    if (a->state == WORKING && a->job.gives_up(a->job.watch, cq_now() - since)) {
      change(a, GIVEN_UP);
      pthread_detach(a->thread);
      return false;
    }
  }
  return true;
}

bool cq_apart_run(cq_apart *a, const cq_apart_job *job) {
  pthread_mutex_lock(&a->mutex);
  a->job = *job;
  change(a, WORKING);
  const bool done = serve(a);
  pthread_mutex_unlock(&a->mutex);
  return done;
}

bool cq_apart_call(cq_apart *a, void (*call)(void *user), void *user) {
  pthread_mutex_lock(&a->mutex);
  const bool served = a->state != GIVEN_UP;
  if (served) {
    a->call = call;
    a->user = user;
    change(a, CALLING);
    wait_while(a, CALLING);
  }
  pthread_mutex_unlock(&a->mutex);
  return served;
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

/* From malloc: it may outlive the context. */
cq_status cq_apart_create(cq_ctx *ctx, cq_apart **out) {
  *out = NULL;
  cq_apart *const a = calloc(1, sizeof *a);
  CQ_CHECK(ctx, a != NULL, CQ_MEMORY, "out of memory for the method's thread");
  pthread_mutex_init(&a->mutex, NULL);
  int error = make_condition(&a->changed);
  if (error == 0) {
    error = pthread_create(&a->thread, NULL, work, a);
    if (error != 0) {
      pthread_cond_destroy(&a->changed);
    }
  }
  if (error != 0) {
    pthread_mutex_destroy(&a->mutex);
    free(a);
    return CQ_FAIL(ctx, CQ_MEMORY, "no thread for the method: %s", strerror(error));
  }
  *out = a;
  return CQ_OK;
}

void cq_apart_destroy(cq_apart *a) {
  if (a == NULL) {
    return;
  }
  pthread_mutex_lock(&a->mutex);
  change(a, CLOSED);
  pthread_mutex_unlock(&a->mutex);
  pthread_join(a->thread, NULL);
  release(a);
}
