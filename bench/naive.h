/* The yardstick of cqopt bench: MLS-MPM as one would first write it. Particles in an array of
 * structs, one scalar loop over them a pass, one thread, no sorting and no intrinsics; forward step
 * and hand-written adjoint, which builds the grid of the step again. It shares no code with the
 * engine, so it is also an independent check of the engine's gradient.
 *
 * A slow yardstick would flatter the engine. So it looks only at the nodes near the particles,
 * leaves out what ChainQueen's code leaves out (no gradient of material parameters, no checks, no
 * walls), and is compiled with -O3 and contraction at each of the engine's SIMD levels. */
#ifndef CQ_BENCH_NAIVE_H
#define CQ_BENCH_NAIVE_H

#include "simd.h"

#include <stddef.h>

/* One body of fixed corotated material in free flight; all its particles are alike. */
typedef struct cq_naive_config {
  int n;
  int count[3];    /* nodes an axis */
  double cell, dt; /* [m], [s] */
  double mu, lambda, mass, volume;
  double gravity[3];
} cq_naive_config;

/* The loops of one dimension, precision and SIMD level. A state is n particles; a grid is one node
 * for every node of the domain. Host arrays hold x, v, F and C one after the other, each
 * particle-major, as in the inputs of the simulator. */
typedef struct cq_naive_loops {
  size_t particle_bytes, node_bytes;
  void (*load)(const cq_naive_config *c, const double *host, void *state);
  void (*store)(const cq_naive_config *c, const void *state, double *host);
  void (*forward)(const cq_naive_config *c, const void *in, void *out, void *grid);
  /* adjoint: from the end of the step to its beginning, in place */
  void (*backward)(const cq_naive_config *c, const void *in, const void *out, void *adjoint,
                   void *grid, void *dgrid);
} cq_naive_loops;

/* NULL when this build has none for the level. */
const cq_naive_loops *cq_naive_pick(int dim, int bits, cq_simd level);

#endif
