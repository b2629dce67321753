#include "peak.h"

#include "alloc.h"
#include "simd_built.h"
#include "timer.h"

#define DECLARE(name) extern const cq_peak_kernel cq_peak_##name;
CQ_SIMD_LIST(DECLARE)

static const cq_peak_kernel *const kernels[CQ_N_SIMD] = {
#define KERNEL(name) [CQ_SIMD_##name] = &cq_peak_##name,
    CQ_SIMD_BUILT(KERNEL)};

/* The best of short tries, as whatever else the machine does only slows one down. */
double cq_peak_flops(cq_simd level, int bits) {
  enum { TRIES = 8, ROUNDS = 400000 };
  double (*const run)(int) = bits == 32 ? kernels[level]->f32 : kernels[level]->f64;
  double best = 0.0;
  for (int i = 0; i < TRIES; i++) {
    const double begin = cq_now();
    const double rate = run(ROUNDS) / (cq_now() - begin);
    best = rate > best ? rate : best;
  }
  return 1e-9 * best;
}

static void triad(size_t n, double *a, const double *b, const double *c, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (size_t i = 0; i < n; i++) {
    a[i] = b[i] + 3.0 * c[i];
  }
}

double cq_peak_bandwidth(cq_ctx *ctx, int threads) {
  enum { TRIES = 5 };
  const size_t n = (size_t)12 << 20; /* 96 MiB an array */
  double *arrays = NULL, best = 0.0;
  if (CQ_ALLOC(ctx, arrays, 3 * n) != CQ_OK) {
    cq_ctx_clear_error(ctx);
    return 0.0;
  }
  for (int i = 0; i < TRIES; i++) {
    const double begin = cq_now();
    triad(n, arrays, arrays + n, arrays + 2 * n, threads);
    const double rate = 3.0 * (double)n * sizeof(double) / (cq_now() - begin);
    best = rate > best ? rate : best;
  }
  cq_free(ctx, arrays);
  return 1e-9 * best;
}
