/* What blocks of variables do to single particles, for pictures. */
#include "alloc.h"
#include "block_kinds.h"
#include "scene.h"
#include "status.h"

#include <math.h>

bool cq_block_is_field(const cq_block *block) {
  return block->kind->belongs == CQ_BELONGS_FIELD;
}

/* Where the block's particle p begins among the rows' targets. */
typedef struct targets {
  size_t first, components;
} targets;

static targets targets_of(const cq_scene *scene, const cq_block *block) {
  const int input = cq_layout_at(&scene->layout, block->rows.target[0]);
  return (targets){scene->layout.offset[input], (size_t)block->components};
}

/* A component of a particle's value, and the mean |gradient| of what drives it. */
typedef struct driven {
  double value, slope;
} driven;

static driven read_row(const cq_block *block, size_t row, const double *x, const double *gradient) {
  driven d = {0.0, 0.0};
  double weights = 0.0;
  for (size_t k = block->rows.first[row]; k < block->rows.first[row + 1]; k++) {
    const int j = block->rows.variable[k];
    const double weight = block->rows.weight[k];
    d.value += weight * cq_transform_value(block, j, x[block->first + j]);
    d.slope += gradient != NULL ? fabs(weight * gradient[block->first + j]) : 0.0;
    weights += fabs(weight);
  }
  d.slope = weights > 0.0 ? d.slope / weights : 0.0;
  return d;
}

cq_status cq_scene_block_map(const cq_scene *scene, int i, const double *x, const double *gradient,
                             int n, const int *particles, double *values, double *slopes) {
  const cq_block *const block = &scene->design.blocks[i];
  const targets t = targets_of(scene, block);
  const size_t all = (size_t)scene->model.n_particles;
  driven *sums = NULL;
  CQ_TRY(CQ_ALLOC(scene->ctx, sums, all));
  for (size_t p = 0; p < all; p++) {
    sums[p] = (driven){NAN, NAN};
  }
  for (size_t row = 0; row < block->rows.count; row++) {
    driven *const sum = &sums[(block->rows.target[row] - t.first) / t.components];
    const driven d = read_row(block, row, x, gradient);
    const bool further = !isnan(sum->slope); /* component of the particle */
    sum->value = t.components == 1 ? d.value : hypot(further ? sum->value : 0.0, d.value);
    sum->slope = hypot(further ? sum->slope : 0.0, d.slope);
  }
  for (int k = 0; k < n; k++) {
    const driven *const sum = &sums[particles[k]];
    values[k] = sum->value;
    if (slopes != NULL) {
      slopes[k] = sum->slope;
    }
  }
  cq_free(scene->ctx, sums);
  return CQ_OK;
}
