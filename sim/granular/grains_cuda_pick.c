#include "grains_cuda_pick.h"

extern const cq_engine cq_grains_cuda_2d_f32, cq_grains_cuda_2d_f64;
extern const cq_engine cq_grains_cuda_3d_f32, cq_grains_cuda_3d_f64;

const cq_engine *cq_grains_cuda(int dim, int bits) {
  static const cq_engine *const variants[2][2] = {{&cq_grains_cuda_2d_f32, &cq_grains_cuda_2d_f64},
                                                  {&cq_grains_cuda_3d_f32, &cq_grains_cuda_3d_f64}};
  return variants[dim - 2][bits == 64];
}
