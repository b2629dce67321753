/* The two passes of a case, and what they take at least. */
#include "cases.h"

const char *const cq_pass_names[CQ_N_PASSES] = {"forward", "backward"};

/* In 3D what a lean implementation needs; the naive loops need 2100 and 6012, as
 * tests/test_bench_operations.cpp counts, since going back they work out some things twice. In 2D
 * they need 457 and 1235, and the nominal counts keep the same distance. */
double cq_bench_operations(int dim, int pass) {
  static const double counts[2][CQ_N_PASSES] = {{450, 1100}, {2200, 5400}};
  return counts[dim - 2][pass];
}

double cq_bench_bytes(int dim, int bits, int pass) {
  const double state = (2.0 + 2.0 * dim) * dim * bits / 8.0;
  return (pass == CQ_FORWARD ? 2.0 : 3.0) * state;
}
