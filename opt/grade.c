#include "grade.h"

const char *cq_gradient_kind_name(cq_gradient_kind kind) {
  static const char *const names[] = {[CQ_GRADIENT_EXACT_REVERSE] = "exact",
                                      [CQ_GRADIENT_EXACT_TANGENT] = "tangent",
                                      [CQ_GRADIENT_HEURISTIC] = "heuristic",
                                      [CQ_GRADIENT_DIFFERENCE] = "difference",
                                      [CQ_GRADIENT_NONE] = "none"};
  return names[kind];
}
