/* Mean pressures of friction (point/pressed.h) as rows of numbers, in which a run begins and which
 * a state has (engine.h): of nodes that walls hold, and of those at which bodies meet (mpm_kept.h).
 */
#ifndef CQ_MPM_MEANS_H
#define CQ_MPM_MEANS_H

#include "mpm_kept.h"
#include "mpm_model.h"
#include "sim.h"

#include <math.h>
#include <string.h>

/* columns */
enum {
  CQ_MEAN_wall,  /* whose friction it is; those of contacts are behind all others */
  CQ_MEAN_field, /* of the material that a wall holds */
  CQ_MEAN_place, /* of the node, three numbers [m] */
  CQ_MEAN_sum = CQ_MEAN_place + 3, /* as struct pressed has them */
  CQ_MEAN_weight,
  CQ_MEAN_owed,
  CQ_MEAN_step, /* time step [s], which sum is of */
  CQ_MEAN_NUMBERS
};

/* along an axis, the node of a row's place */
static inline int mean_index(const cq_mpm_model *own, const double *row, int axis) {
  return (int)lround(row[CQ_MEAN_place + axis] / own->cell);
}

/* The impulses of other time steps are as much longer; the same step has the same bits. */
static inline node_mean mean_of(const cq_model *model, const double *row) {
  const double longer = model->dt / row[CQ_MEAN_step];
  return (node_mean){row[CQ_MEAN_sum] * longer, row[CQ_MEAN_weight], row[CQ_MEAN_owed]};
}

/* index [3] of the node */
static inline void mean_put(const cq_model *model, int wall, int field, const int *index,
                            node_mean mean, cq_means *out) {
  const double cell = cq_mpm_of(model)->cell;
  const double row[CQ_MEAN_NUMBERS] = {
      wall,     field,       index[0] * cell, index[1] * cell, index[2] * cell,
      mean.sum, mean.weight, mean.owed,       model->dt};
  if (out->rows != NULL) {
    memcpy(out->rows + (size_t)out->n * CQ_MEAN_NUMBERS, row, sizeof row);
  }
  out->n++;
}

#endif
