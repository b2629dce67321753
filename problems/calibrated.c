/* What the design has between the scene and a term's samples, by blocks that name the term. */
#include "block_kinds.h"
#include "scene.h"

#include <string.h>

static const cq_block_type *const types[CQ_N_CALIBRATES] = {
    [CQ_CALIBRATES_TIME] = &cq_block_time_offset,
    [CQ_CALIBRATES_TURN] = &cq_block_view_rotation,
    [CQ_CALIBRATES_SHIFT] = &cq_block_view_offset,
    [CQ_CALIBRATES_MARKERS] = &cq_block_marker_offset,
};

static int count_marker_terms(const cq_items *list) {
  const cq_term_keys *keys = list->items;
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    n += cq_term_measures((cq_term_kind)keys[i].term) == CQ_MEASURES_MARKERS;
  }
  return n;
}

static bool names(const cq_scene *scene, const cq_block_keys *keys, const char *label) {
  const int n =
      count_marker_terms(&scene->config.objective) + count_marker_terms(&scene->config.constraints);
  bool named = keys->term == NULL ? n == 1 : strcmp(keys->term, label) == 0;
  for (int i = 0; i < keys->tie.count; i++) {
    named = named || strcmp(keys->tie.values[i], label) == 0;
  }
  return named;
}

const cq_block_keys *cq_term_calibrated(const cq_scene *scene, const cq_term *term,
                                        cq_calibrates kind) {
  const cq_items *list = &scene->config.design;
  const cq_block_keys *keys = list->items;
  for (int i = 0; i < list->count; i++) {
    if (cq_block_kind_at(keys[i].variable)->type == types[kind] &&
        names(scene, &keys[i], term->label)) {
      return &keys[i];
    }
  }
  return NULL;
}
