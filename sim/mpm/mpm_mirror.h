/* Which nodes are images of each other in the planes of walls that mirror (point/mirror.h). */
#ifndef CQ_MPM_MIRROR_H
#define CQ_MPM_MIRROR_H

#include "point/grid.h"
#include "point/mirror.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a node and its images, the first one first; `across` and `on` as in point/mirror.h */
typedef struct image_nodes {
  int n;
  int index[CQ_IMAGES][CQ_DIM];
  unsigned across[CQ_IMAGES], on;
} image_nodes;

typedef void image_action(void *work, const image_nodes *nodes);

/* Calls `act` once for each node of the box that has images, or is on a plane, with all of these;
 * in an order that depends on the box alone. Some of the images may be outside of it. */
void V(cq_mpm_each_image)(const grid_model *g, const int *low, const int *size, image_action *act,
                          void *work);

#ifdef __cplusplus
}
#endif

#endif
