#include "side_by_side.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct work {
  const cq_dealing *dealing;
  atomic_int next, workers, helpers; /* item that nobody has taken; who has begun */
  atomic_int n_back;
  int *back; /* [count] items that helpers gave back */
} work;

/* The next item, or -1. */
static int take(work *w) {
  const cq_dealing *const d = w->dealing;
  const int i = atomic_fetch_add(&w->next, 1);
  return i >= d->count ? -1 : (d->order != NULL ? d->order[i] : i);
}

static void *run_worker(void *data) {
  work *const w = data;
  const int worker = atomic_fetch_add(&w->workers, 1);
  for (int i = take(w); i >= 0; i = take(w)) {
    w->dealing->task(w->dealing->user, worker, i);
  }
  return NULL;
}

static void *run_helper(void *data) {
  work *const w = data;
  const int helper = atomic_fetch_add(&w->helpers, 1);
  cq_far_end end = CQ_FAR_DONE;
  for (int i = take(w); i >= 0; i = end == CQ_FAR_GONE ? -1 : take(w)) {
    end = w->dealing->far(w->dealing->user, helper, i);
    if (end != CQ_FAR_DONE) {
      w->back[atomic_fetch_add(&w->n_back, 1)] = i;
    }
  }
  return NULL;
}

static int start(pthread_t *threads, int most, void *(*run)(void *), work *w) {
  int started = 0;
  while (started < most && pthread_create(&threads[started], NULL, run, w) == 0) {
    started++;
  }
  return started;
}

static void join(const pthread_t *threads, int n) {
  for (int i = 0; i < n; i++) {
    pthread_join(threads[i], NULL);
  }
}

/* Helpers first: the caller's own thread works from then on. */
static void deal(const cq_dealing *d, int *back, pthread_t *far, work *w) {
  pthread_t threads[CQ_MOST_SIDE_BY_SIDE];
  const int most = d->workers - 1 < CQ_MOST_SIDE_BY_SIDE ? d->workers - 1 : CQ_MOST_SIDE_BY_SIDE;
  const int helpers = back != NULL && far != NULL ? d->helpers : 0;
  *w = (work){.dealing = d, .back = back};
  const int n_far = start(far, helpers < d->count ? helpers : d->count, run_helper, w);
  const int n = start(threads, most, run_worker, w);
  run_worker(w);
  join(threads, n);
  join(far, n_far);
}

void cq_side_by_side(int workers, int count, void (*task)(void *user, int worker, int item),
                     void *user) {
  const cq_dealing alone = {.count = count, .workers = workers, .task = task, .user = user};
  work w;
  deal(&alone, NULL, NULL, &w);
}

/* Without memory for helpers there are none. */
void cq_deal(const cq_dealing *d) {
  work w;
  int *const back = d->helpers > 0 ? malloc((size_t)d->count * sizeof *back) : NULL;
  pthread_t *const far = d->helpers > 0 ? malloc((size_t)d->helpers * sizeof *far) : NULL;
  deal(d, back, far, &w);
  const int n = atomic_load(&w.n_back);
  if (n > 0) {
    cq_dealing again = *d;
    again.count = n;
    again.order = back;
    again.helpers = 0;
    deal(&again, NULL, NULL, &w);
  }
  free(back);
  free(far);
}
