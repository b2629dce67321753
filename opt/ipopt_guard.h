/* IPOPT is C++ behind an interface of C, which lets some of its exceptions through. */
#ifndef CQ_OPT_IPOPT_GUARD_H
#define CQ_OPT_IPOPT_GUARD_H

#include "cqopt/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* call(user), which may call IPOPT, on any thread. CQ_OK; CQ_MEMORY or CQ_OPTIMIZER where an
 * exception comes out of it. */
cq_status cq_ipopt_guard(void (*call)(void *user), void *user);

#ifdef __cplusplus
}
#endif

#endif
