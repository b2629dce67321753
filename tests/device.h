/* Where the models of a test run. The tests of the engine are built a second time with
 * CQ_TEST_ON_CUDA, for a device and for the shim. */
#ifndef CQ_TESTS_DEVICE_H
#define CQ_TESTS_DEVICE_H

#ifdef CQ_TEST_ON_CUDA
#  define CQ_TEST_DEVICE CQ_ON_CUDA
#else
#  define CQ_TEST_DEVICE CQ_ON_CPU
#endif

#endif
