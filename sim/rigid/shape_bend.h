/* Derivatives of the distance of a shape and of its normal, for gradients through contacts.
 *
 * g is the gradient of the distance as it is computed: the normal, but for a height field away from
 * its curve. H[i][j] is the derivative of normal i by x_j: nothing at flat faces, (I - n n^T)/r at
 * what is round, with r the distance from the centre, corner or axis that the normal points from.
 */
#ifndef CQ_RIGID_SHAPE_BEND_H
#define CQ_RIGID_SHAPE_BEND_H

#include "shapes.h"

void cq_shape_bend(const cq_shape *shape, const double *x, double g[3], double H[3][3]);

#endif
