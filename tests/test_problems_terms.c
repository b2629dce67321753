/* What differs from the formula of a term; its adjoint is proven by test_problems_terms_dual.cpp.
 */
#include "objective.h"
#include "test.h"

static void no_gradient_at_the_target(void) {
  cq_term_keys keys = {.own.distance = {.target = {0.5, 0.25}, .squared = 0}};
  const cq_term term = {.kind = CQ_TERM_distance, .keys = &keys};
  const double z[5] = {0.5, 0.25};
  double dz[5] = {0};
  const cq_term_in in = {.dim = 2, .z = z};
  CHECK_NEAR(cq_term_value(&term, &in), 0.0, 0);
  cq_term_adjoint(&term, &in, 1.0, dz, NULL);
  CHECK_NEAR(dz[0], 0.0, 0);
  CHECK_NEAR(dz[1], 0.0, 0);
}

int main(void) {
  RUN(no_gradient_at_the_target);
  return TEST_RESULT();
}
