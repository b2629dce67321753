/* Numbers too small to be normal count as zero while the naive loops are timed, as they do in the
 * engine. They occur at the outermost nodes of a body, where they cost the naive loop going back
 * three times its time. */
#ifndef CQ_BENCH_FLUSH_H
#define CQ_BENCH_FLUSH_H

#if defined(__SSE2__)
#  include <xmmintrin.h>
static inline unsigned cq_flush_begin(void) {
  const unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040u); /* results flushed to zero, arguments taken as zero */
  return mode;
}
static inline void cq_flush_end(unsigned mode) {
  _mm_setcsr(mode);
}
#else
static inline unsigned cq_flush_begin(void) {
  return 0;
}
static inline void cq_flush_end(unsigned mode) {
  (void)mode;
}
#endif

#endif
