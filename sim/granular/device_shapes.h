/* Shapes of walls and tools whose distance CUDA kernels know: of a mesh the grid of its distances,
 * and composites of such shapes. */
#ifndef CQ_GRANULAR_DEVICE_SHAPES_H
#define CQ_GRANULAR_DEVICE_SHAPES_H

#include "shapes.h"

#define CQ_SHAPES_ON_DEVICE(DO)                                                                    \
  DO(box)                                                                                          \
  DO(ball)                                                                                         \
  DO(polygon)                                                                                      \
  DO(capsule)                                                                                      \
  DO(gear)                                                                                         \
  DO(domain)                                                                                       \
  DO(half_space)                                                                                   \
  DO(height_field)

/* no composite */
static inline bool cq_simple_on_device(const cq_shape *s) {
#define CQ_KNOWN(name) || s->kind == CQ_SHAPE_##name
  return (s->kind == CQ_SHAPE_mesh && s->sdf != NULL) CQ_SHAPES_ON_DEVICE(CQ_KNOWN);
#undef CQ_KNOWN
}

static inline bool cq_shape_on_device(const cq_shape *s) {
  bool known = s->kind != CQ_SHAPE_composite ? cq_simple_on_device(s) : s->n_parts > 0;
  for (int k = 0; k < s->n_parts; k++) {
    known = known && cq_simple_on_device(&s->parts[k].shape);
  }
  return known;
}

#endif
