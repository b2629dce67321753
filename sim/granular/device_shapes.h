/* Shapes of walls and tools whose distance CUDA kernels know; of a mesh the grid of its distances.
 */
#ifndef CQ_GRANULAR_DEVICE_SHAPES_H
#define CQ_GRANULAR_DEVICE_SHAPES_H

#include "shapes.h"

#define CQ_SHAPES_ON_DEVICE(DO)                                                                    \
  DO(box)                                                                                          \
  DO(ball)                                                                                         \
  DO(polygon)                                                                                      \
  DO(capsule)                                                                                      \
  DO(domain)                                                                                       \
  DO(half_space)                                                                                   \
  DO(height_field)

static inline bool cq_shape_on_device(const cq_shape *s) {
#define CQ_KNOWN(name) || s->kind == CQ_SHAPE_##name
  return (s->kind == CQ_SHAPE_mesh && s->sdf != NULL) CQ_SHAPES_ON_DEVICE(CQ_KNOWN);
#undef CQ_KNOWN
}

#endif
