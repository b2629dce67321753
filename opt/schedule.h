/* The learning rate over a run, for methods that take steps of a given length.
 *
 *   constant  learning_rate
 *   plateau   halved after schedule_period (0: 20) iterates in a row none of which has an f below
 * the least before, and the count begins anew; an iterate is an evaluation, but for x that come
 *             back to a point still known
 *   cosine    learning_rate (1 + cos(pi k / period)) / 2 for the step from iterate k = 0, 1, ...,
 *             period = schedule_period, or max_evaluations when that is 0; 0 from k = period on */
#ifndef CQ_OPT_SCHEDULE_H
#define CQ_OPT_SCHEDULE_H

#include "cqopt/optimizer.h"

typedef struct cq_rate {
  const cq_optimizer_def *def; /* borrowed */
  double rate;                 /* plateau: the present one */
  double best;                 /* plateau: least f so far */
  int waited;                  /* plateau: iterates since it fell */
  int k;                       /* iterates seen */
} cq_rate;

/* CQ_CONFIG when learning_rate or the settings of the schedule make no sense. */
cq_status cq_rate_check(cq_ctx *ctx, const cq_optimizer_def *def);

cq_rate cq_rate_begin(const cq_optimizer_def *def);

/* The rate of the step from the next iterate, whose value is f. 0: the schedule has ended. */
double cq_rate_next(cq_rate *rate, double f);

#endif
