#include "ipopt_guard.h"

#include "status.h"

#include <exception>
#include <new>

cq_status cq_ipopt_guard(cq_ctx *ctx, cq_status (*call)(void *user), void *user) {
  try {
    return call(user);
  } catch (const std::bad_alloc &) {
    return CQ_FAIL(ctx, CQ_MEMORY, "IPOPT is out of memory");
  } catch (const std::exception &e) {
    return CQ_FAIL(ctx, CQ_OPTIMIZER, "IPOPT failed: %s", e.what());
  } catch (...) { /* its own are of no common kind, and memory may be what they are of */
    return CQ_FAIL(ctx, CQ_OPTIMIZER, "IPOPT failed with an exception; memory may have been short");
  }
}
