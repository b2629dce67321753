/* Where the models of a test run. The tests of the engine are built once more with
 * CQ_TEST_ON_CUDA, for a device, without which they are skipped, and for the shim. */
#ifndef CQ_TESTS_DEVICE_H
#define CQ_TESTS_DEVICE_H

#ifdef CQ_TEST_ON_CUDA
#  include "devices.h"

#  include <stdio.h>
#  include <stdlib.h>

#  define CQ_TEST_DEVICE CQ_ON_CUDA
static inline void test_begin(void) {
  const cq_cuda cuda = cq_cuda_look();
  if (cuda.problem != NULL) {
    printf("skipped: %s\n", cuda.problem);
    exit(77);
  }
}
#else
#  define CQ_TEST_DEVICE CQ_ON_CPU
static inline void test_begin(void) {
}
#endif

#endif
