/* CQ_BENCH_LEVEL(name), from the plainest to the best */
#if defined(__x86_64__)
CQ_BENCH_LEVEL(sse2)
CQ_BENCH_LEVEL(avx2)
CQ_BENCH_LEVEL(avx512)
#else
CQ_BENCH_LEVEL(generic)
#endif
