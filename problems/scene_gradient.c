/* What gradients there are of a scene. */
#include "engine.h"
#include "scene.h"

#include <math.h>

const char *cq_scene_gradient_word(const cq_scene *scene, int i, cq_gradient_kind *kind) {
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const cq_gradient_word *word = i >= 0 ? cq_engine_gradient_at(type, i) : NULL;
  *kind = word != NULL ? word->grade : CQ_GRADIENT_NONE;
  return word != NULL ? word->word : NULL;
}

const char *cq_scene_gradient_instead(const cq_scene *scene) {
  cq_gradient_kind kind = CQ_GRADIENT_NONE;
  const char *word = NULL;
  for (int i = 0; (word = cq_scene_gradient_word(scene, i, &kind)) != NULL; i++) {
    if (kind == CQ_GRADIENT_HEURISTIC) {
      break;
    }
  }
  return word;
}

double cq_scene_difference_step(const cq_scene *scene) {
  return scene->difference != NULL ? scene->difference_part : NAN;
}
