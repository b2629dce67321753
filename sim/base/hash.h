/* 64-bit FNV-1a, for identifying design vectors and configurations in logs (not cryptographic). */
#ifndef CQ_BASE_HASH_H
#define CQ_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t cq_hash(const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i++) {
    h = (h ^ p[i]) * 0x100000001b3u;
  }
  return h;
}

#endif
