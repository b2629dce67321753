/* What the optimizer changes instead of a value: nothing else, its logarithm, or y of
 * lower + (upper - lower)(1 + tanh y)/2. */
#include "scene.h"
#include "status.h"

#include <math.h>

/* tanh never gets to the bounds: a start there is this part of the range inside */
static const double inside = 1e-6;

/* Rounding must not carry a value over its bounds; NAN stays. */
static double clamp(const cq_block *block, int j, double value) {
  const double above = value < block->lower[j] ? block->lower[j] : value;
  return above > block->upper[j] ? block->upper[j] : above;
}

double cq_transform_value(const cq_block *block, int j, double y) {
  switch (block->keys->transform) {
  case CQ_TRANSFORM_LOG:
    return clamp(block, j, exp(y));
  case CQ_TRANSFORM_TANH:
    return clamp(block, j,
                 block->lower[j] + 0.5 * (block->upper[j] - block->lower[j]) * (1.0 + tanh(y)));
  default:
    return y;
  }
}

double cq_transform_slope(const cq_block *block, int j, double y) {
  switch (block->keys->transform) {
  case CQ_TRANSFORM_LOG:
    return exp(y);
  case CQ_TRANSFORM_TANH:
    return 0.5 * (block->upper[j] - block->lower[j]) / (cosh(y) * cosh(y));
  default:
    return 1.0;
  }
}

double cq_transform_inverse(const cq_block *block, int j, double value) {
  switch (block->keys->transform) {
  case CQ_TRANSFORM_LOG:
    return log(value);
  case CQ_TRANSFORM_TANH: {
    const double part = (value - block->lower[j]) / (block->upper[j] - block->lower[j]);
    return atanh(2.0 * fmin(fmax(part, inside), 1.0 - inside) - 1.0);
  }
  default:
    return value;
  }
}

/* Bounds so many times as far apart as a usual change say nothing of it: 1e6 is often meant as
 * none, and a step of a part of that is thrown away, or fails. */
static const double WIDE = 10.0;

/* A logarithm needs positive values, tanh two bounds. */
static cq_status check(cq_scene *scene, cq_block *block) {
  const cq_block_keys *keys = block->keys;
  for (int j = 0; j < block->count; j++) {
    if (keys->transform == CQ_TRANSFORM_LOG) {
      CQ_KEY_CHECK(scene->ctx, block->lower[j] > 0.0 || keys->lower.count == 0, keys, lower,
                   "transform = \"log\" needs values > 0, and the lower bound is %g",
                   block->lower[j]);
      block->lower[j] = fmax(block->lower[j], 0.0);
      CQ_KEY_CHECK(scene->ctx, block->start[j] > 0.0, keys, start,
                   "transform = \"log\" needs values > 0, and the start is %g", block->start[j]);
    }
    if (keys->transform == CQ_TRANSFORM_TANH) {
      CQ_KEY_CHECK(scene->ctx,
                   isfinite(block->lower[j]) && isfinite(block->upper[j]) &&
                       block->lower[j] < block->upper[j],
                   keys, transform, "\"tanh\" needs a lower bound below an upper one");
    }
  }
  return CQ_OK;
}

/* What the scene says of a usual change of what a block designs; 0: nothing. */
static double usual_of_scene(const cq_scene *scene, cq_usual usual) {
  const cq_model *const m = &scene->model;
  const double time = m->steps * m->dt;
  double room = 0.0;
  for (int a = 0; a < m->dim; a++) {
    room = fmax(room, m->room.high[a] - m->room.low[a]);
  }
  switch (usual) {
  case CQ_USUAL_ONE:
    return 1.0;
  case CQ_USUAL_PLACE: /* bounds farther apart than the room is long say nothing */
    return 0.1 * room;
  case CQ_USUAL_SPEED: /* a length of the model a step is about the most that can be simulated */
    return fmin(room / time, 0.25 * m->length / m->dt);
  case CQ_USUAL_ACCELERATION:
    return room / (time * time);
  case CQ_USUAL_RATE:
    return 1.0 / time;
  default:
    return 0.0;
  }
}

/* What a usual change of the block's values is, by its start and by the scene; INFINITY: its bounds
 * say. */
static double usual_of(const cq_scene *scene, const cq_block *block) {
  const cq_usual kind = block->usual;
  double usual = usual_of_scene(scene, kind);
  for (int j = 0; j < block->count && kind != CQ_USUAL_PLACE; j++) {
    usual = fmax(usual, fabs(block->start[j]));
  }
  return kind == CQ_USUAL_BOUNDS || usual == 0.0 ? INFINITY : usual;
}

/* The range between the bounds, or what is usual where that is much less, or the size of the start.
 */
void cq_default_scale(const cq_scene *scene, const cq_block *block, double *scale) {
  const int transform = block->keys->transform;
  const double usual = transform == CQ_TRANSFORM_IDENTITY ? usual_of(scene, block) : 1.0;
  for (int j = 0; j < block->count; j++) {
    const double start = fabs(block->start[j]);
    const double range = transform == CQ_TRANSFORM_TANH
                             ? INFINITY
                             : cq_transform_inverse(block, j, block->upper[j]) -
                                   cq_transform_inverse(block, j, block->lower[j]);
    if (isfinite(range) && range > 0.0) {
      scale[j] = range > WIDE * usual ? usual : range;
    } else {
      scale[j] = start > 0.0 && transform == CQ_TRANSFORM_IDENTITY ? start : 1.0;
    }
  }
}

cq_status cq_transform_block(cq_scene *scene, cq_block *block, double *start, double *lower,
                             double *upper) {
  const bool bounded = block->keys->transform != CQ_TRANSFORM_TANH;
  CQ_TRY(check(scene, block));
  for (int j = 0; j < block->count; j++) {
    start[j] = cq_transform_inverse(block, j, block->start[j]);
    lower[j] = bounded ? cq_transform_inverse(block, j, block->lower[j]) : -INFINITY;
    upper[j] = bounded ? cq_transform_inverse(block, j, block->upper[j]) : INFINITY;
  }
  if (block->keys->scale.count == 0) {
    cq_default_scale(scene, block, block->scale);
  }
  return CQ_OK;
}
