#include "cqopt/version.h"

#define TEXT(number)  #number
#define JOIN(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

int cq_abi(void) {
  return CQ_ABI;
}

const char *cq_version(void) {
  return JOIN(CQ_VERSION_MAJOR, CQ_VERSION_MINOR, CQ_VERSION_PATCH);
}
