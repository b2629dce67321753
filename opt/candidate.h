/* Candidates of methods that compare values: which of two is better, and a ranking. */
#ifndef CQ_OPT_CANDIDATE_H
#define CQ_OPT_CANDIDATE_H

#include <stdbool.h>

typedef struct cq_candidate {
  double f;
  double violation; /* 0: within the tolerance of the run */
  bool failed;      /* could not be evaluated: f and violation mean nothing */
} cq_candidate;

/* Feasible ones by f, then infeasible ones by violation, then failed ones: < 0 where a is better
 * than b, 0 where they are alike. */
int cq_candidate_compare(const cq_candidate *a, const cq_candidate *b);

/* Numbers of the candidates, the best first, into the first half of order [2 count], of which the
 * second half is scratch. Those that are alike stay in their order. Returns
 * how many have not failed. */
int cq_candidate_rank(const cq_candidate *candidates, int count, int *order);

#endif
