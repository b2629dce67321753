/* What the machine can do at most: multiply-adds in registers, and memory streamed. */
#ifndef CQ_BENCH_PEAK_H
#define CQ_BENCH_PEAK_H

#include "simd.h"

/* Multiply-adds at one SIMD level: does some work on one core and returns its operations. */
typedef struct cq_peak_kernel {
  double (*f32)(int rounds);
  double (*f64)(int rounds);
} cq_peak_kernel;

/* [GFLOP/s] of one core, the best of a few tries of some milliseconds. */
double cq_peak_flops(cq_simd level, int bits);

/* [GB/s] of a[i] = b[i] + s c[i] over arrays that no cache holds: three arrays moved. 0 when there
 * is no memory for it. */
double cq_peak_bandwidth(cq_ctx *ctx, int threads);

#endif
