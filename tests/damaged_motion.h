/* What a reader makes of damaged motions. */
#ifndef CQ_TESTS_DAMAGED_MOTION_H
#define CQ_TESTS_DAMAGED_MOTION_H

#include "motion.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/* The file `name`, of at most 32 kB, cut off at every fourth of its last `tail` bytes, and with
 * that byte turned over: it is refused as damaged, or read. */
static inline void check_damaged(cq_ctx *ctx, const char *name, size_t tail) {
  static unsigned char bytes[1 << 15];
  cq_motion *m = NULL;
  FILE *file = fopen(name, "rb");
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  const size_t from = size - tail;
  for (size_t at = from; at < 2 * size - from; at += 4) {
    const bool torn = at < size;
    const size_t place = torn ? at : from + (at - size);
    file = fopen("damaged.bin", "wb");
    bytes[place] ^= torn ? 0 : 0xff;
    fwrite(bytes, 1, torn ? at : size, file);
    bytes[place] ^= torn ? 0 : 0xff;
    fclose(file);
    const cq_status status = cq_motion_read(ctx, "damaged.bin", &m);
    CHECK_MSG(!torn || status == CQ_IO, "cut after %zu bytes: %d", at, status);
    CHECK(status == CQ_OK || (m == NULL && strstr(cq_ctx_error(ctx), "damaged") != NULL));
    cq_motion_free(m);
    cq_ctx_clear_error(ctx);
  }
}

#endif
