/* How far from a mirror nodes have images: what is in front reaches a cell and a half behind. */
#ifndef CQ_MPM_MIRROR_CELLS_H
#define CQ_MPM_MIRROR_CELLS_H

#define CQ_MIRROR_CELLS 2.0

#endif
