/* The knots of a body's track: how far each is from where the file has the body [m], and how it is
 * turned [rad]. A knot at time 0 stays: it is where the body begins. Ties share the change. */
#include "scene.h"
#include "status.h"

#include <string.h>

/* the first knot after the start */
static int first_free(const cq_body *body) {
  return body->n_knots > 0 && body->knot_times[0] <= 0.0 ? 1 : 0;
}

static cq_status check_tie(const cq_scene *scene, const cq_block *block, const cq_body *body) {
  CQ_KEY_CHECK(scene->ctx,
               body->n_knots == block->body->n_knots &&
                   memcmp(body->knot_times, block->body->knot_times,
                          (size_t)body->n_knots * sizeof *body->knot_times) == 0,
               block->keys, tie, "\"%s\" and \"%s\" have knots at different times",
               block->body->keys->name, body->keys->name);
  return CQ_OK;
}

/* Rows of all numbers of the knots of a body, by those of the block's own. */
static void add_rows(const cq_scene *scene, cq_block *block, const cq_body *body, int tie) {
  const int n = block->components, dim = scene->config.dim, begin = first_free(block->body);
  const size_t first = cq_layout_offset(&scene->layout, "track");
  for (int j = 0; j < block->count; j++) {
    const int at = begin * n + j, c = j % n;
    const size_t target = first + (size_t)(body->first_knot * n + at);
    const bool place = c < dim;
    const double factor = cq_block_factor(block, tie, place ? CQ_PARITY_VECTOR : CQ_PARITY_AXIAL,
                                          place      ? c
                                          : dim == 2 ? 2
                                                     : c - dim);
    const double moved = tie < 0 ? block->body->knots[at] : body->knots[at];
    /* of a tie: its own knot, and the change of the block's */
    const double base = scene->inputs[target] - (tie < 0 ? moved : factor * block->body->knots[at]);
    cq_block_row(block, target, base);
    cq_block_add(block, j, factor);
    block->start[j] = block->body->knots[at];
  }
}

/* Variables of all knots but one at the start, and those of tied bodies. */
static cq_status link_block(cq_scene *scene, cq_block *block) {
  const cq_texts *tie = &block->keys->tie;
  const cq_body *body = block->body;
  const int n = scene->config.dim == 2 ? 3 : 6, knots = body->n_knots - first_free(body);
  CQ_KEY_CHECK(scene->ctx, body->n_knots > 0, block->keys, body, "\"%s\" has no track",
               block->keys->body);
  CQ_KEY_CHECK(scene->ctx, knots > 0, block->keys, body,
               "the track of \"%s\" has no knots after its start", block->keys->body);
  const size_t rows = (size_t)(knots * n) * (1 + (size_t)tie->count);
  CQ_TRY(cq_block_reserve(scene, block, knots * n, rows, rows));
  block->components = n;
  block->unit = "m|rad";
  add_rows(scene, block, body, -1);
  for (int t = 0; t < tie->count; t++) {
    CQ_TRY(cq_scene_find_body(scene, block->keys->node, "tie", tie->values[t], &body));
    CQ_TRY(check_tie(scene, block, body));
    add_rows(scene, block, body, t);
  }
  return CQ_OK;
}

/* "[knot].x" */
static void label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  static const char *const in_2d[] = {"x", "y", "turn"};
  static const char *const in_3d[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  const int n = block->components, knot = first_free(block->body) + j / n;
  snprintf(text, size, "[%d].%s", knot, (scene->config.dim == 2 ? in_2d : in_3d)[j % n]);
}

const cq_block_type cq_block_track = {
    .unit = "m|rad",
    .usual = CQ_USUAL_PLACE,
    .link = link_block,
    .label = label,
};
