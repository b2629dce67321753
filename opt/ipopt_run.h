/* The driver of IPOPT, in builds that have the library. */
#ifndef CQ_OPT_IPOPT_RUN_H
#define CQ_OPT_IPOPT_RUN_H

#include "method.h"

/* cq_optimizer.run */
cq_status cq_ipopt_run(cq_run *run);

#endif
