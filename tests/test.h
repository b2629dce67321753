/* A small harness: one program a source file, each check says what it compared.
 *
 *   int main(int argc, char **argv) { RUN(test_name); ...; return TEST_RESULT(); }
 */
#ifndef CQ_TESTS_TEST_H
#define CQ_TESTS_TEST_H

#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_failures;
static int test_checks;

#define CHECK(cond)                                                                                \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(cond)) {                                                                                 \
      test_failures++;                                                                             \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #cond);                                  \
    }                                                                                              \
  } while (0)

#define CHECK_MSG(cond, ...)                                                                       \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(cond)) {                                                                                 \
      test_failures++;                                                                             \
      printf("%s:%d: ", __FILE__, __LINE__);                                                       \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
    }                                                                                              \
  } while (0)

/* |a - b| <= tolerance, NaN fails */
#define CHECK_NEAR(a, b, tolerance)                                                                \
  do {                                                                                             \
    const double near_a_ = (double)(a), near_b_ = (double)(b), near_t_ = (double)(tolerance);      \
    CHECK_MSG(fabs(near_a_ - near_b_) <= near_t_,                                                  \
              "%s = %.17g, not %.17g (difference %.3g > %.3g)", #a, near_a_, near_b_,              \
              fabs(near_a_ - near_b_), near_t_);                                                   \
  } while (0)

#define CHECK_STR(a, b) CHECK_MSG(strcmp((a), (b)) == 0, "%s is \"%s\", not \"%s\"", #a, (a), (b))

#define RUN(test)                                                                                  \
  do {                                                                                             \
    const int run_before_ = test_failures;                                                         \
    test_begin();                                                                                  \
    test();                                                                                        \
    printf("%-4s %s\n", test_failures == run_before_ ? "ok" : "FAIL", #test);                      \
    fflush(stdout);                                                                                \
  } while (0)

#define TEST_RESULT()                                                                              \
  (printf("%d checks, %d failed\n", test_checks, test_failures),                                   \
   test_failures != 0 || test_checks == 0)

#endif
