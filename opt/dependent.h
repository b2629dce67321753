/* Equality constraints of which one is a combination of the others. */
#ifndef CQ_OPT_DEPENDENT_H
#define CQ_OPT_DEPENDENT_H

#include "point.h"

/* The first equality, in the order of all constraints, whose gradient at the point is a combination
 * of those before it, and not zero; -1: there is none, or no gradient, or no memory to tell. */
int cq_dependent_equality(const cq_problem *problem, const cq_point *point);

#endif
