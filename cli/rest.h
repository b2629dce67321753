/* The rest of a record whose run, with other settings than before, ends before it does. */
#ifndef CQ_CLI_REST_H
#define CQ_CLI_REST_H

#include "outcome.h"

#include "cqopt/trace.h"

/* Reads on to the end of the record. What is better than the outcome's best, and feasible within
 * the tolerance or less violating, becomes the best and its result, without multipliers
 * [n_constraints] and residual, and the reason says so; a verified end stays as it is, with a
 * warning. terms [n_values of the outcome] is room. */
cq_status cli_rest_take_best(cq_trace_reader *reader, double tolerance, cli_outcome *outcome,
                             double *terms, double *multipliers);

#endif
