#include "device_pick.h"

extern const struct fluid_device cq_fluid_device_2d_f32, cq_fluid_device_2d_f64;
extern const struct fluid_device cq_fluid_device_3d_f32, cq_fluid_device_3d_f64;

const struct fluid_device *cq_fluid_cuda(int dim, int bits) {
  static const struct fluid_device *const variants[2][2] = {
      {&cq_fluid_device_2d_f32, &cq_fluid_device_2d_f64},
      {&cq_fluid_device_3d_f32, &cq_fluid_device_3d_f64}};
  return variants[dim - 2][bits == 64];
}
