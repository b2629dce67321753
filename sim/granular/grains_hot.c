/* The table of one variant at one SIMD level. */
#include "grains_hot.h"

const grains_hot H(cq_grains_hot) = {
    .contacts = H(cq_grains_contacts),
    .push = H(cq_grains_push),
    .solve = H(cq_grains_solve),
    .split = H(cq_grains_split),
};
