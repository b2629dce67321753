/* Seeded random numbers with the same stream on every machine (splitmix64 into xoshiro256**,
 * Blackman and Vigna 2018). Never seeded from the clock. */
#ifndef CQ_BASE_RNG_H
#define CQ_BASE_RNG_H

#include <math.h>
#include <stdint.h>

typedef struct cq_rng {
  uint64_t s[4];
} cq_rng;

static inline uint64_t cq_rng_splitmix(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline cq_rng cq_rng_seed(uint64_t seed) {
  cq_rng rng;
  for (int i = 0; i < 4; i++) {
    rng.s[i] = cq_rng_splitmix(&seed);
  }
  return rng;
}

static inline uint64_t cq_rng_next(cq_rng *rng) {
  uint64_t *s = rng->s;
  const uint64_t x = s[1] * 5u;
  const uint64_t result = ((x << 7) | (x >> 57)) * 9u;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

/* uniform in [0, 1) with 53 bits */
static inline double cq_rng_uniform(cq_rng *rng) {
  return (double)(cq_rng_next(rng) >> 11) * 0x1p-53;
}

/* standard normal (Box-Muller, the cosine branch) */
static inline double cq_rng_normal(cq_rng *rng) {
  const double u = 1.0 - cq_rng_uniform(rng);
  const double v = cq_rng_uniform(rng);
  return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

#endif
