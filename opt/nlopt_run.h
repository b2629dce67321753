/* The one driver of all NLopt methods; nlopt_methods.c is the table. */
#ifndef CQ_OPT_NLOPT_RUN_H
#define CQ_OPT_NLOPT_RUN_H

#include "method.h"

#include <nlopt.h>

typedef struct cq_nlopt_kind {
  nlopt_algorithm algorithm;
  nlopt_algorithm local; /* of AUGLAG and MLSL; NLOPT_NUM_ALGORITHMS: none */
  bool feasible_start;   /* wrong from an infeasible start */
} cq_nlopt_kind;

/* cq_optimizer.run of a method whose detail is a cq_nlopt_kind */
cq_status cq_nlopt_run(cq_run *run);

/* cq_optimizer.check of LD_SLSQP: its time and memory grow with the number of variables */
cq_status cq_slsqp_check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem);
/* and what it warns of at the beginning of a run that was forced */
void cq_slsqp_warn(const cq_run *run);

#endif
