/* What threads of a team do side by side without barriers: a thread that is not running, on a
 * machine that has other things to do, is not waited for, unless it is in the middle of something.
 *
 * A turn is done by one thread, once, and is then over for all. Passes are loops over the same
 * items, one after the other: an item of a pass may be begun as soon as those that it depends on
 * have been through the pass before. */
#ifndef CQ_CORE_TURNS_H
#define CQ_CORE_TURNS_H

#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* Until a counter that another thread raises is `least` or more. Short on an idle machine; on a
 * busy one, where the other thread may not be running, this one makes way. */
static inline void cq_await(const int *counter, int least) {
  enum { SPINS = 20000, YIELDS = 20 };
  static const struct timespec nap = {0, 20000}; /* [s], [ns] */
  for (int k = 0; __atomic_load_n(counter, __ATOMIC_ACQUIRE) < least; k++) {
    if (k > SPINS + YIELDS) {
      nanosleep(&nap, NULL);
    } else if (k > SPINS) {
      sched_yield();
    }
  }
}

/* --- turns, numbered from 0 ------------------------------------------------------------------- */

typedef struct cq_turns {
  int done, taken; /* how many of them */
} cq_turns;

static inline bool cq_turn_is_over(const cq_turns *t, int k) {
  return __atomic_load_n(&t->done, __ATOMIC_ACQUIRE) > k;
}

/* Is turn k, which comes next, this thread's? */
static inline bool cq_turn_take(cq_turns *t, int k) {
  int next = k;
  return __atomic_compare_exchange_n(&t->taken, &next, k + 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

static inline void cq_turn_end(cq_turns *t, int k) {
  __atomic_store_n(&t->done, k + 1, __ATOMIC_RELEASE);
}

static inline void cq_turn_await(const cq_turns *t, int k) {
  cq_await(&t->done, k + 1);
}

/* --- passes, numbered from 0 ------------------------------------------------------------------ */

/* What a thread does first. Others help when they have done theirs. */
typedef struct cq_share {
  int first, last; /* items */
  int taken;       /* of them in all passes */
  char apart[52];  /* a line of a cache for each */
} cq_share;

typedef struct cq_passes {
  int n, n_shares;
  int *done;       /* [n] passes that an item has been through */
  cq_share *share; /* [n_shares] */
} cq_passes;

/* A thread in passes. */
typedef struct cq_worker {
  int share, pass; /* its own; the one it is in */
  int from, to;    /* items that it has seen to be through the pass before */
} cq_worker;

/* Passes over n items that none has been through, in shares of about the same weight; weight [n],
 * NULL: all items have the same. No thread may be in them. */
static inline void cq_passes_begin(cq_passes *p, int n, const int *weight) {
  long long all = 0, before = 0;
  for (int i = 0; i < n; i++) {
    all += weight != NULL ? weight[i] : 1;
  }
  p->n = n;
  memset(p->done, 0, (size_t)n * sizeof *p->done);
  for (int s = 0, i = 0; s < p->n_shares; s++) {
    p->share[s].first = i;
    p->share[s].taken = 0;
    for (; i < n && (s + 1 == p->n_shares || before * p->n_shares < all * (s + 1)); i++) {
      before += weight != NULL ? weight[i] : 1;
    }
    p->share[s].last = i;
  }
}

/* The next item of a share in a pass, -1: there is none. Neighbours in the line of shares begin at
 * the same end, or end there, so that neither waits for the other to come near. */
static inline int cq_share_take(const cq_passes *p, int share, int pass) {
  cq_share *of = &p->share[share];
  const int size = of->last - of->first, end = (pass + 1) * size;
  int k = __atomic_load_n(&of->taken, __ATOMIC_RELAXED);
  if (p->n_shares == 1) {
    of->taken += k < end;
  } else {
    while (k < end && !__atomic_compare_exchange_n(&of->taken, &k, k + 1, true, __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED)) {
    }
  }
  const bool back = share % 2 == 0 && p->n_shares > 1;
  return k >= end ? -1 : back ? end - 1 - k + of->first : k - pass * size + of->first;
}

/* The next item for a thread in its pass. -1: all are taken, and it is in the next pass; items may
 * still be at others. */
static inline int cq_pass_take(const cq_passes *p, cq_worker *w) {
  for (int k = 0; k < p->n_shares; k++) {
    const int item = cq_share_take(p, (w->share + k) % p->n_shares, w->pass);
    if (item >= 0) {
      return item;
    }
  }
  w->pass++;
  w->from = w->to = 0;
  return -1;
}

static inline void cq_pass_end(const cq_passes *p, const cq_worker *w, int item) {
  __atomic_store_n(&p->done[item], w->pass + 1, __ATOMIC_RELEASE);
}

/* Until items from .. to - 1 are through all passes before the thread's. */
static inline void cq_pass_await(const cq_passes *p, cq_worker *w, int from, int to) {
  if (from > w->to || to < w->from || w->from == w->to) {
    w->from = w->to = from;
  }
  while (w->from > from) {
    cq_await(&p->done[--w->from], w->pass);
  }
  while (w->to < to) {
    cq_await(&p->done[w->to++], w->pass);
  }
}

/* Until all items are through the first n passes, which all have been taken for. */
static inline void cq_passes_await(const cq_passes *p, int n) {
  for (int k = 0; k < p->n; k++) {
    cq_await(&p->done[k], n);
  }
}

/* Are they already? */
static inline bool cq_passes_are_through(const cq_passes *p, int n) {
  int k = 0;
  while (k < p->n && __atomic_load_n(&p->done[k], __ATOMIC_ACQUIRE) >= n) {
    k++;
  }
  return k == p->n;
}

#endif
