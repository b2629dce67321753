/* Instants that move with the time_offset of their term. Between two states markers are then on the
 * cubic that has their places and velocities there: its slope goes on at the states, so that the
 * derivative by the offset exists. */
#ifndef CQ_PROBLEMS_OBJECTIVE_MOVING_H
#define CQ_PROBLEMS_OBJECTIVE_MOVING_H

#include "objective.h"

/* The instant where its term sees it now. */
cq_instant cq_moving_instant(const cq_objective *objective, const cq_term *term,
                             const cq_instant *at);
/* The states that it may look at within the bounds of the offset. */
void cq_moving_states(const cq_model *model, const cq_term *term, const cq_instant *at, int *first,
                      int *last);
/* Place of a set, and how fast that changes with the offset, in to [2 dim], at an instant as it is
 * now; here, next: rows of z of its two states, a and b: the set in them. */
void cq_moving_gather(const cq_objective *objective, const cq_instant *at, const double *here,
                      const double *next, const cq_view *a, const cq_view *b, double *to);
/* The transpose of what it makes of the place. */
void cq_moving_scatter(const cq_objective *objective, const cq_instant *at, const double *from,
                       const cq_view *a, const cq_view *b, double *here, double *next);

#endif
