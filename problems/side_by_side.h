/* Simulations side by side, each on a thread. */
#ifndef CQ_PROBLEMS_SIDE_BY_SIDE_H
#define CQ_PROBLEMS_SIDE_BY_SIDE_H

enum { CQ_MOST_SIDE_BY_SIDE = 64 };

/* Calls task for items 0 ... count - 1 on as many threads as there are workers (the caller's among
 * them): whoever is free takes the next item. Threads of their own, not a team of OpenMP: the loops
 * of a simulation would join the team. */
void cq_side_by_side(int workers, int count, void (*task)(void *user, int worker, int item),
                     void *user);

#endif
