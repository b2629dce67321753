#include "give.h"

#include "status.h"

#include <string.h>

cq_status cq_give(cq_ctx *ctx, void *to, const void *from, size_t size) {
  size_t have = 0;
  CQ_CHECK(ctx, to != NULL, CQ_USAGE, "there is no struct to fill");
  memcpy(&have, to, sizeof have);
  CQ_CHECK(ctx, have > sizeof have && have <= (size_t)1 << 16, CQ_USAGE,
           "struct_size is %zu: set it to the sizeof of the struct before the call", have);
  const size_t known = have < size ? have : size;
  memcpy((char *)to + sizeof have, (const char *)from + sizeof have, known - sizeof have);
  return CQ_OK;
}
