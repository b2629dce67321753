/* Simulations side by side, each on a thread or with a helper elsewhere. */
#ifndef CQ_PROBLEMS_SIDE_BY_SIDE_H
#define CQ_PROBLEMS_SIDE_BY_SIDE_H

enum { CQ_MOST_SIDE_BY_SIDE = 64, CQ_MOST_HELPERS = 4096 };

typedef enum cq_far_end {
  CQ_FAR_DONE,
  CQ_FAR_LEFT, /* a worker does the item in the end */
  CQ_FAR_GONE  /* the same, and the helper gets no other */
} cq_far_end;

/* Items 0 ... count - 1: whoever is free takes the next one. */
typedef struct cq_dealing {
  int count;
  const int *order; /* [count] in which they are taken; NULL: as they are */
  int workers;      /* threads, the caller's among them */
  void (*task)(void *user, int worker, int item);
  int helpers; /* each has a thread that waits for it */
  cq_far_end (*far)(void *user, int helper, int item);
  void *user;
} cq_dealing;

/* Returns when all items are done. Threads of their own, not a team of OpenMP: the loops of a
 * simulation would join the team. */
void cq_deal(const cq_dealing *dealing);
/* The same by workers alone. */
void cq_side_by_side(int workers, int count, void (*task)(void *user, int worker, int item),
                     void *user);

#endif
