/* The rows of a block. */
#include "scene.h"
#include "status.h"

#include <math.h>

/* Room for variables and for the rows that turn them into inputs; at first without bounds. */
cq_status cq_block_reserve(cq_scene *scene, cq_block *block, int count, size_t n_rows,
                           size_t n_weights) {
  cq_rows *rows = &block->rows;
  block->count = count;
  CQ_TRY(CQ_ARENA(&scene->arena, rows->target, n_rows));
  CQ_TRY(CQ_ARENA(&scene->arena, rows->base, n_rows));
  CQ_TRY(CQ_ARENA(&scene->arena, rows->first, n_rows + 1));
  CQ_TRY(CQ_ARENA(&scene->arena, rows->variable, n_weights));
  CQ_TRY(CQ_ARENA(&scene->arena, rows->weight, n_weights));
  CQ_TRY(CQ_ARENA(&scene->arena, block->start, count));
  CQ_TRY(CQ_ARENA(&scene->arena, block->lower, count));
  CQ_TRY(CQ_ARENA(&scene->arena, block->upper, count));
  CQ_TRY(CQ_ARENA(&scene->arena, block->scale, count));
  for (int j = 0; j < count; j++) {
    block->lower[j] = -INFINITY;
    block->upper[j] = INFINITY;
  }
  return CQ_OK;
}

void cq_block_row(cq_block *block, size_t target, double base) {
  cq_rows *rows = &block->rows;
  rows->target[rows->count] = target;
  rows->base[rows->count] = base;
  rows->first[rows->count + 1] = rows->first[rows->count];
  rows->count++;
}

void cq_block_add(cq_block *block, int variable, double weight) {
  cq_rows *rows = &block->rows;
  const size_t k = rows->first[rows->count]++;
  rows->variable[k] = variable;
  rows->weight[k] = weight;
}

double cq_block_factor(const cq_block *block, int tie, cq_parity parity, int component) {
  const cq_numbers *factors = &block->keys->tie_factor;
  const int axis = block->keys->mirror - 1;
  if (tie < 0) {
    return 1.0;
  }
  const double factor = factors->count == 0 ? 1.0 : factors->values[factors->count == 1 ? 0 : tie];
  const bool flips = axis >= 0 && ((parity == CQ_PARITY_VECTOR && component == axis) ||
                                   (parity == CQ_PARITY_AXIAL && component != axis));
  return flips ? -factor : factor;
}

/* Rows of one body's slots, whose values without a design are rest; own are those of the block's.
 */
static void pose_rows(cq_block *block, size_t first, const double *rest, const double *own, int tie,
                      const cq_pose_link *link) {
  for (int i = 0; i < link->count; i++) {
    const double factor = cq_block_factor(block, tie, link->parity, (link->slot + i) % 3);
    const double bases[] = {[CQ_POSE_VALUE] = 0.0,
                            [CQ_POSE_CHANGE] = rest[i],
                            [CQ_POSE_PLACE] = tie < 0 ? 0.0 : rest[i] - factor * own[i]};
    cq_block_row(block, first + (size_t)i, bases[link->meaning]);
    cq_block_add(block, link->shared != 0.0 ? 0 : i,
                 factor * (link->shared != 0.0 ? link->shared : 1.0));
  }
}

/* Variables of a body's pose, one for all components or one each; tied bodies follow with rows of
 * their own. */
cq_status cq_block_pose(cq_scene *scene, cq_block *block, const cq_pose_link *link) {
  const cq_texts *tie = &block->keys->tie;
  const size_t n_rows = (size_t)(link->count * (1 + tie->count));
  const int n = link->shared != 0.0 ? 1 : link->count;
  const double *own = NULL;
  CQ_TRY(cq_block_reserve(scene, block, n, n_rows, n_rows));
  block->components = n;
  for (int t = -1; t < tie->count; t++) {
    const cq_body *body = block->body;
    if (t >= 0) {
      CQ_TRY(cq_scene_find_body(scene, block->keys->node, "tie", tie->values[t], &body));
      CQ_KEY_CHECK(scene->ctx, body->shape.kind == block->body->shape.kind, block->keys, tie,
                   "\"%s\" and \"%s\" have different shapes", block->keys->body, tie->values[t]);
    }
    const size_t index = (size_t)(body - scene->bodies);
    const double *rest = scene->design.poses.poses[index].rest + link->slot;
    own = t < 0 ? rest : own;
    pose_rows(block, scene->layout.total + index * CQ_POSE_SLOTS + (size_t)link->slot, rest, own, t,
              link);
  }
  for (int i = 0; i < n; i++) {
    block->start[i] = link->meaning == CQ_POSE_CHANGE ? 0.0
                      : link->shared != 0.0           ? own[i] / link->shared
                                                      : own[i];
  }
  return CQ_OK;
}

void cq_block_range(const cq_block *block, size_t i, double *least, double *largest) {
  const cq_rows *rows = &block->rows;
  *least = *largest = rows->base[i];
  for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
    const double w = rows->weight[k];
    const double lower = block->lower[rows->variable[k]], upper = block->upper[rows->variable[k]];
    *least += w * (w > 0.0 ? lower : upper);
    *largest += w * (w > 0.0 ? upper : lower);
  }
}
