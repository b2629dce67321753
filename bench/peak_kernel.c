/* The multiply-adds of peak.h for one CQ_LEVEL: enough independent chains in registers to keep
 * every unit busy whatever its latency. */
#include "peak.h"

#if defined(__AVX512F__)
enum { WIDTH = 64, CHAINS = 16 };
#elif defined(__AVX__)
enum { WIDTH = 32, CHAINS = 12 };
#else
enum { WIDTH = 16, CHAINS = 12 };
#endif

typedef float vector_f32 __attribute__((vector_size(WIDTH)));
typedef double vector_f64 __attribute__((vector_size(WIDTH)));

/* keeps the sums from being worked out when the program is compiled, or left out */
#define KEEP(value) __asm__ volatile("" : "+m"(value))

#define KERNEL(bits, type)                                                                         \
  static double run_f##bits(int rounds) {                                                          \
    vector_f##bits sum[CHAINS], scale = {0}, add = {0};                                            \
    KEEP(scale);                                                                                   \
    KEEP(add);                                                                                     \
    for (int c = 0; c < CHAINS; c++) {                                                             \
      sum[c] = add + (type)c;                                                                      \
    }                                                                                              \
    for (int i = 0; i < rounds; i++) {                                                             \
      _Pragma("GCC unroll 16") for (int c = 0; c < CHAINS; c++) {                                  \
        sum[c] = sum[c] * scale + add;                                                             \
      }                                                                                            \
    }                                                                                              \
    for (int c = 0; c < CHAINS; c++) {                                                             \
      KEEP(sum[c]);                                                                                \
    }                                                                                              \
    return 2.0 * CHAINS * (WIDTH / sizeof(type)) * rounds;                                         \
  }

KERNEL(32, float)
KERNEL(64, double)

#define NAME_(level) cq_peak_##level
#define NAME(level)  NAME_(level)
extern const cq_peak_kernel NAME(CQ_LEVEL);
const cq_peak_kernel NAME(CQ_LEVEL) = {run_f32, run_f64};
