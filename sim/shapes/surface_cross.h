/* Does a surface touch or cross itself? */
#ifndef CQ_SHAPES_SURFACE_CROSS_H
#define CQ_SHAPES_SURFACE_CROSS_H

#include "surface.h"

/* Two faces that have a point in common which is no corner of both: 1, and *f is one of them; else
 * 0. */
int cq_mesh_crosses(const cq_mesh *mesh, int *f);

#endif
