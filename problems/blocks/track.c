/* The knots of a track, of a body, an obstacle or a half-space: how far each is from where the file
 * has that [m], and how it is turned [rad]. A knot at time 0 stays: it is where it begins. Ties
 * share the change. */
#include "scene.h"
#include "status.h"

#include <string.h>

/* the first knot after the start */
static int first_free(const cq_knots *knots) {
  return knots->n > 0 && knots->times[0] <= 0.0 ? 1 : 0;
}

/* The knots of what a key names; a body that is not rigid has none, nor has a wall that stands. */
static cq_status find_knots(cq_scene *scene, const cq_block *block, const char *key,
                            const char *name, const cq_knots **out) {
  const cq_wall *wall = cq_scene_wall(scene, name);
  const cq_body *body = NULL;
  if (wall == NULL) {
    CQ_TRY(cq_scene_find_body(scene, block->keys->node, key, name, &body));
  }
  if (wall == NULL || wall->knots.n == 0) {
    return cq_config_fail(scene->ctx, block->keys->node, key, "\"%s\" has no track", name);
  }
  *out = &wall->knots;
  return CQ_OK;
}

static cq_status check_tie(const cq_scene *scene, const cq_block *block, const char *name,
                           const cq_knots *knots) {
  CQ_KEY_CHECK(scene->ctx,
               knots->n == block->knots->n && memcmp(knots->times, block->knots->times,
                                                     (size_t)knots->n * sizeof *knots->times) == 0,
               block->keys, tie, "\"%s\" and \"%s\" have knots at different times",
               block->keys->body, name);
  return CQ_OK;
}

/* Rows of all numbers of these knots, by those of the block's own. */
static void add_rows(const cq_scene *scene, cq_block *block, const cq_knots *knots, int tie) {
  const int n = block->components, dim = scene->config.dim, begin = first_free(block->knots);
  const size_t first = cq_layout_offset(&scene->layout, "track");
  for (int j = 0; j < block->count; j++) {
    const int at = begin * n + j, c = j % n;
    const size_t target = first + (size_t)(knots->first * n + at);
    const bool place = c < dim;
    const double factor = cq_block_factor(block, tie, place ? CQ_PARITY_VECTOR : CQ_PARITY_AXIAL,
                                          place      ? c
                                          : dim == 2 ? 2
                                                     : c - dim);
    const double own = block->knots->moved[at];
    /* of a tie: its own knot, and the change of the block's */
    const double base = scene->inputs[target] - (tie < 0 ? own : factor * own);
    cq_block_row(block, target, base);
    cq_block_add(block, j, factor);
    block->start[j] = own;
  }
}

/* Variables of all knots but one at the start, and those that are tied. */
static cq_status link_block(cq_scene *scene, cq_block *block) {
  const cq_texts *tie = &block->keys->tie;
  CQ_TRY(find_knots(scene, block, "body", block->keys->body, &block->knots));
  const int n = scene->config.dim == 2 ? 3 : 6, knots = block->knots->n - first_free(block->knots);
  CQ_KEY_CHECK(scene->ctx, knots > 0, block->keys, body,
               "the track of \"%s\" has no knots after its start", block->keys->body);
  const size_t rows = (size_t)(knots * n) * (1 + (size_t)tie->count);
  CQ_TRY(cq_block_reserve(scene, block, knots * n, rows, rows));
  block->components = n;
  block->unit = "m|rad";
  add_rows(scene, block, block->knots, -1);
  for (int t = 0; t < tie->count; t++) {
    const cq_knots *tied = NULL;
    CQ_TRY(find_knots(scene, block, "tie", tie->values[t], &tied));
    CQ_TRY(check_tie(scene, block, tie->values[t], tied));
    add_rows(scene, block, tied, t);
  }
  return CQ_OK;
}

/* "[knot].x" */
static void label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  static const char *const in_2d[] = {"x", "y", "turn"};
  static const char *const in_3d[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  const int n = block->components, knot = first_free(block->knots) + j / n;
  snprintf(text, size, "[%d].%s", knot, (scene->config.dim == 2 ? in_2d : in_3d)[j % n]);
}

const cq_block_type cq_block_track = {
    .unit = "m|rad",
    .usual = CQ_USUAL_PLACE,
    .link = link_block,
    .label = label,
};
