/* The one driver of all NLopt methods; nlopt_methods.c is the table. */
#ifndef CQ_OPT_NLOPT_RUN_H
#define CQ_OPT_NLOPT_RUN_H

#include "method.h"

#include <nlopt.h>

typedef struct cq_nlopt_kind {
  nlopt_algorithm algorithm;
  nlopt_algorithm local; /* of AUGLAG; NLOPT_NUM_ALGORITHMS: none */
} cq_nlopt_kind;

/* cq_optimizer.run of a method whose detail is a cq_nlopt_kind */
cq_status cq_nlopt_run(cq_run *run);

#endif
