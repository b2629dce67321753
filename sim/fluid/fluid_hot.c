/* The table of one variant at one SIMD level. */
#include "fluid_hot.h"

const fluid_hot CQ_FLUID_HOT(CQ_LEVEL) = {
    .lists = H(cq_fluid_lists),
    .measure = H(cq_fluid_measure),
    .push = H(cq_fluid_push),
    .forces = H(cq_fluid_forces),
};
