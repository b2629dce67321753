/* Launches that a search will make nothing of: of chaotic runs whose speed has no bounds, and of
 * bodies that should turn and start without a spin. */
#include "engine.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* cosine of an angle that counts as none; m between two places that tell a direction */
static const double ALONG = 0.995, LEAST_LENGTH = 1e-9;

static bool is_launch(const cq_block *block) {
  return block->usual == CQ_USUAL_SPEED || block->usual == CQ_USUAL_RATE;
}

/* Where runs are chaotic nothing leads a search back from speeds that steps cannot follow. */
static void warn_of_bounds(const cq_scene *scene, const cq_block *block) {
  bool open = false;
  for (int i = 0; i < block->count; i++) {
    open = open || isinf(block->lower[i]) || isinf(block->upper[i]);
  }
  if (open && is_launch(block)) {
    cq_log(
        scene->ctx, CQ_LOG_WARNING,
        "%s: %s has no bounds: searches have found speeds at which bodies pass through what they "
        "should meet; give lower and upper, such as what a particle can move in a step",
        cq_node_where(block->keys->node).text, cq_node_path(block->keys->node).text);
  }
}

/* Where the centre of a set is at the start. */
static void center_of(const cq_scene *scene, const cq_set *set, double *center) {
  const size_t dim = (size_t)scene->model.dim;
  for (size_t a = 0; a < dim; a++) {
    center[a] = 0.0;
    for (int i = 0; i < set->count; i++) {
      center[a] += scene->x[(size_t)set->particles[i] * dim + a] / set->count;
    }
  }
}

static bool is_of(const cq_set *set, const cq_body *body) {
  return set->count > 0 && set->particles[0] >= body->first &&
         set->particles[set->count - 1] < body->first + body->count;
}

/* Where the set of `name` is, if it is a part of the body. */
static bool place_of(cq_scene *scene, const cq_body *body, const cq_term_keys *term,
                     const char *key, const char *name, double *center) {
  const cq_set *set = NULL;
  if (cq_scene_find_set(scene, term->node, key, name, &set) != CQ_OK || !is_of(set, body)) {
    return false;
  }
  center_of(scene, set, center);
  return true;
}

/* From part a to part b of the body: from[0] and from[1] now, and *to as the terms want it; false
 * where they say nothing of it. b is a itself where one term is of both. */
static bool find_parts(cq_scene *scene, const cq_body *body, const cq_term_keys *a,
                       const cq_term_keys *b, double from[2][3], double *to) {
  const int wanted = a == b ? CQ_TERM_distance_between : CQ_TERM_distance;
  if ((int)a->term != wanted || (int)b->term != wanted) {
    return false;
  }
  for (int i = 0; i < scene->model.dim; i++) {
    to[i] = a == b ? a->own.distance_between.offset[i]
                   : b->own.distance.target[i] - a->own.distance.target[i];
  }
  return place_of(scene, body, b, "body", b->body, from[1]) &&
         (a == b ? place_of(scene, body, a, "to", a->to, from[0])
                 : place_of(scene, body, a, "body", a->body, from[0]));
}

/* The cosine between where part b lies from part a and where it should; 0 where there is no
 * saying. */
static double turned(cq_scene *scene, const cq_body *body, const cq_term_keys *a,
                     const cq_term_keys *b) {
  double from[2][3], to[3], dot = 0.0, before = 0.0, after = 0.0;
  if (!find_parts(scene, body, a, b, from, to)) {
    return 0.0;
  }
  for (int i = 0; i < scene->model.dim; i++) {
    const double was = from[1][i] - from[0][i];
    dot += was * to[i];
    before += was * was;
    after += to[i] * to[i];
  }
  return fmin(before, after) > LEAST_LENGTH ? dot / sqrt(before * after) : 0.0;
}

/* Distances cannot tell a full turn from none, and have no slope half a turn away. */
static void warn_of_turn(cq_scene *scene, const cq_block *block) {
  const cq_items *terms = &scene->config.objective;
  const cq_term_keys *keys = terms->items;
  double spin = 0.0, cosine = 0.0;
  for (int i = 0; i < block->count; i++) {
    spin = fmax(spin, fabs(block->start[i]));
  }
  for (int i = 0; i < terms->count && cosine == 0.0 && spin == 0.0; i++) {
    for (int j = i; j < terms->count && cosine == 0.0; j++) {
      cosine = turned(scene, block->body, &keys[i], &keys[j]);
    }
  }
  if (fabs(cosine) < ALONG) {
    return;
  }
  const double full = 2.0 * acos(-1.0) / (scene->model.dt * scene->model.steps);
  cq_log(
      scene->ctx, CQ_LOG_WARNING,
      "%s: %s starts from no spin, and the targets on body \"%s\" are %s: for %s turn start near "
      "%.3g rad/s",
      cq_node_where(block->keys->node).text, cq_node_path(block->keys->node).text,
      block->body->keys->name,
      cosine > 0.0 ? "turned by nothing, or by full turns, which distances cannot tell apart"
                   : "half a turn away, where distances have no slope",
      cosine > 0.0 ? "a full" : "half a", cosine > 0.0 ? full : 0.5 * full);
}

void cq_scene_warn_of_launches(cq_scene *scene) {
  const bool chaotic = cq_engine_type_of(scene->model.engine)->repeats > 0;
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_block *block = &scene->design.blocks[b];
    if (chaotic) {
      warn_of_bounds(scene, block);
    }
    if (block->usual == CQ_USUAL_RATE && block->body != NULL) {
      warn_of_turn(scene, block);
    }
  }
}
