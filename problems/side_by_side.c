#include "side_by_side.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct work {
  void (*task)(void *user, int worker, int item);
  void *user;
  int count;
  atomic_int next, workers; /* item that nobody has taken; workers that have begun */
} work;

static void *take(void *data) {
  work *w = data;
  const int worker = atomic_fetch_add(&w->workers, 1);
  for (int i = 0; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
    w->task(w->user, worker, i);
  }
  return NULL;
}

void cq_side_by_side(int workers, int count, void (*task)(void *user, int worker, int item),
                     void *user) {
  work w = {.task = task, .user = user, .count = count};
  pthread_t threads[CQ_MOST_SIDE_BY_SIDE];
  int started = 0;
  while (started < workers - 1 && started < CQ_MOST_SIDE_BY_SIDE &&
         pthread_create(&threads[started], NULL, take, &w) == 0) {
    started++;
  }
  take(&w);
  for (int i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
  }
}
