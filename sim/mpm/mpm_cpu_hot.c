/* The table of one variant at one SIMD level. */
#include "mpm_cpu_hot.h"

const cpu_hot H(cq_cpu_hot) = {
    .scatter = H(cq_cpu_scatter),
    .scatter_adjoint = H(cq_cpu_scatter_adjoint),
    .grid = H(cq_cpu_grid),
    .grid_adjoint = H(cq_cpu_grid_adjoint),
    .gather = H(cq_cpu_gather),
    .gather_adjoint = H(cq_cpu_gather_adjoint),
};
