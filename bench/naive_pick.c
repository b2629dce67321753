#include "naive.h"

#include "simd_built.h"

#define FOR_VARIANTS(X, level) X(2, 32, level) X(2, 64, level) X(3, 32, level) X(3, 64, level)

#define DECLARE(dim, bits, level) extern const cq_naive_loops cq_naive_##dim##d_f##bits##_##level;
#define DECLARE_LEVEL(name)       FOR_VARIANTS(DECLARE, name)
CQ_SIMD_LIST(DECLARE_LEVEL)

/* Looks in a table, made by macros: all dimensions and precisions at each level in this build. */
const cq_naive_loops *cq_naive_pick(int dim, int bits, cq_simd level) {
  static const struct {
    int dim, bits;
    cq_simd level;
    const cq_naive_loops *loops;
  } rows[] = {
#define ROW(dim, bits, level) {dim, bits, CQ_SIMD_##level, &cq_naive_##dim##d_f##bits##_##level},
#define LEVEL_ROWS(name)      FOR_VARIANTS(ROW, name)
      CQ_SIMD_BUILT(LEVEL_ROWS)};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (rows[i].dim == dim && rows[i].bits == bits && rows[i].level == level) {
      return rows[i].loops;
    }
  }
  return NULL;
}
