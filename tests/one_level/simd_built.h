/* A build that has the plainest level alone, for test_sim_one_level. */
#if defined(__x86_64__)
#  define CQ_SIMD_BUILT(CQ_SIMD_LEVEL) CQ_SIMD_LEVEL(sse2)
#else
#  define CQ_SIMD_BUILT(CQ_SIMD_LEVEL) CQ_SIMD_LEVEL(generic)
#endif
