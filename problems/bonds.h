/* Particles of a body that have come apart from it.
 *
 * A cell is the length of the model here; the figures are MPM's.
 * Particles of a body at most a cell apart at rest are neighbours, and have a bond. It is broken
 * where they are now more than a cell farther apart than at rest: half a cell apart, two particles
 * share 80 % of what one shares with itself on the nodes of the grid (the quintic B-spline, over
 * its value at 0), at a cell and a half 11 %, at two cells 1.5 %. A particle is lost
 * - if at least a quarter of its neighbours can no longer be reached from it by whole bonds between
 *   them: it lies at a crack (of a lattice of half a cell, a straight cut takes a third of their
 *   neighbours from the particles beside it, and a twelfth from those in the second row), or
 * - if it is of another piece than the largest one of what was whole at rest, by whole bonds.
 * No bond is longer than a cell at rest, so no stretch up to 2 breaks any, whatever the particles'
 * places; and a stretched lattice of half a cell is one piece up to 3. Compression and rotation
 * break none. */
#ifndef CQ_PROBLEMS_BONDS_H
#define CQ_PROBLEMS_BONDS_H

#include "cqopt/base.h"

typedef struct cq_bonds {
  cq_ctx *ctx;
  size_t dim;
  int count;
  double length;
  double *rest;        /* [count][dim] */
  int *first, *other;  /* the neighbours of i: other[first[i] .. first[i + 1]) */
  int *whole;          /* [count] the first particle of the part that i is of at rest */
  int *piece;          /* [count] work: the same now */
  int *size, *largest; /* [count] work: of pieces; of parts at rest their largest piece */
  int *seen, *waiting; /* [count] work of a search */
} cq_bonds;

/* Of the particles of one body, which are at rest[i*dim], i < count; copied. Where a particle has
 * more than 64 neighbours within a cell, those of its body are nearer than that. */
cq_status cq_bonds_create(cq_ctx *ctx, int dim, double length, const double *rest, int count,
                          cq_bonds *out);
void cq_bonds_destroy(cq_bonds *bonds);
/* How many are lost where they are at now[i*dim]. */
int cq_bonds_lost(cq_bonds *bonds, const double *now);

#endif
