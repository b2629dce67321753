/* GSL is quiet until the last of several threads is done with it, and the handler that the program
 * had is there again then. */
#include "quiet_gsl.h"
#include "test.h"

#include <gsl/gsl_errno.h>

static int handled; /* by the handler of the program */

static void handle(const char *reason, const char *file, int line, int code) {
  (void)reason, (void)file, (void)line, (void)code;
  handled++;
}

static void fail(void) {
  gsl_error("no fault at all", __FILE__, __LINE__, GSL_ESANITY);
}

/* In the order of two threads, the first of which ends in the middle of the second. */
static void test_two_inside(void) {
  gsl_error_handler_t *const before = gsl_set_error_handler(handle);
  cq_quiet_gsl_begin();
  cq_quiet_gsl_begin();
  fail();
  cq_quiet_gsl_end();
  fail();
  CHECK_MSG(handled == 0, "%d errors were not quiet", handled);
  cq_quiet_gsl_end();
  fail();
  CHECK(handled == 1);
  CHECK(gsl_set_error_handler(before) == handle);
}

int main(void) {
  RUN(test_two_inside);
  return TEST_RESULT();
}
