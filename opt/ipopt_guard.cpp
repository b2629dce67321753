#include "ipopt_guard.h"

#include <new>

cq_status cq_ipopt_guard(void (*call)(void *user), void *user) {
  try {
    call(user);
    return CQ_OK;
  } catch (const std::bad_alloc &) {
    return CQ_MEMORY;
  } catch (...) { /* its own are of no common kind, and memory may be what they are of */
    return CQ_OPTIMIZER;
  }
}
