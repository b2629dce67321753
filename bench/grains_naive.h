/* The yardstick of the granular cases: projected Gauss-Seidel on accumulated impulses as one would
 * first write it. Contacts in an array of structs in the order they are found, grains in another,
 * one scalar loop over them an iteration, one thread. It does what the engine does to a contact:
 * normal, friction cone, rolling friction, two masses and radii; of that there is no less. */
#ifndef CQ_BENCH_GRAINS_NAIVE_H
#define CQ_BENCH_GRAINS_NAIVE_H

#include "simd.h"

#include <stddef.h>

/* Grains of one size in 3D that lie as a run of the engine has left them. */
typedef struct cq_naive_bed {
  int n, n_pairs;
  double radius, mass, dt, friction, rolling;
  const double *x, *v, *spin; /* [n][3] */
  const int *first, *second;  /* [n_pairs] of each pair that is near */
} cq_naive_bed;

typedef struct cq_naive_grains {
  size_t grain_bytes, contact_bytes;
  void (*load)(const cq_naive_bed *bed, void *grains, void *contacts);
  void (*iterate)(const cq_naive_bed *bed, void *grains, void *contacts);
} cq_naive_grains;

/* NULL when this build has none for the level. */
const cq_naive_grains *cq_naive_grains_pick(int bits, cq_simd level);

#endif
