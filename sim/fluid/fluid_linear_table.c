/* The table of one variant at one SIMD level. */
#include "fluid_hot.h"
#include "fluid_linear_hot.h"

const linear_hot CQ_LINEAR_HOT(CQ_LEVEL) = {
    .geometry = H(cq_linear_geometry),
    .measure = H(cq_linear_measure),
    .push = H(cq_linear_push),
    .forces = H(cq_linear_forces),
    .back_push = H(cq_linear_back_push),
    .back_measure = H(cq_linear_back_measure),
    .back_forces = H(cq_linear_back_forces),
    .back_geometry = H(cq_linear_back_geometry),
};
