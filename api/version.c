#include "cqopt/version.h"

#include <stddef.h>
#include <string.h>

#define TEXT(number)  #number
#define JOIN(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

int cq_abi(void) {
  return CQ_ABI;
}

const char *cq_version(void) {
  return JOIN(CQ_VERSION_MAJOR, CQ_VERSION_MINOR, CQ_VERSION_PATCH);
}

/* " mpm fluid": the list of engines as a text */
static const char engines[] =
#define CQ_ENGINE(name) " " #name
#include <engine_list.h>
#undef CQ_ENGINE
    ;

/* What this build has. */
const char *cq_capability(const char *what) {
  if (what == NULL) {
    return NULL;
  }
  if (strcmp(what, "simd") == 0) {
    return cq_simd_level();
  }
  if (strcmp(what, "engines") == 0) {
    return engines + 1;
  }
#ifdef CQ_CUDA
  if (strcmp(what, "cuda") == 0) {
    return "yes";
  }
#endif
#ifdef CQ_IPOPT
  if (strcmp(what, "ipopt") == 0) {
    return "yes";
  }
#endif
  return NULL;
}
