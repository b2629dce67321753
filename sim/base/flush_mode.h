/* Numbers too small to be normal count as zero while a step runs, in every thread that runs it.
 * They occur where a body's outermost weights or fading gradients are squared, and each would cost
 * a hundred cycles. */
#ifndef CQ_BASE_FLUSH_MODE_H
#define CQ_BASE_FLUSH_MODE_H

#if defined(__SSE2__)
#  include <xmmintrin.h>
static inline unsigned flush_begin(void) {
  const unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040u); /* results flushed to zero, arguments taken as zero */
  return mode;
}
static inline void flush_end(unsigned mode) {
  _mm_setcsr(mode);
}
#else
static inline unsigned flush_begin(void) {
  return 0;
}
static inline void flush_end(unsigned mode) {
  (void)mode;
}
#endif

#endif
