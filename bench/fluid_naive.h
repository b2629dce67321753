/* The yardstick of the fluid's cases: sweeps of its solvers as one would first write them. Arrays
 * of numbers, one scalar loop over the neighbours of each particle, one thread; the lists and the
 * sums are the engine's. */
#ifndef CQ_BENCH_FLUID_NAIVE_H
#define CQ_BENCH_FLUID_NAIVE_H

#include "simd.h"

/* n points of a lattice, two radii apart: sorts them, makes their lists, and returns the seconds of
 * the processor that a sweep takes a particle, of so many sweeps; below 0 where there is no memory
 * for them. */
typedef double cq_naive_fluid(int n, const double *x, double radius, double dt, int sweeps);

/* NULL when this build has none for the level. */
cq_naive_fluid *cq_naive_fluid_pick(int dim, int bits, cq_simd level);

#endif
