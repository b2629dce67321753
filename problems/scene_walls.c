/* Walls by their names. */
#include "nearest.h"
#include "scene.h"

#include <string.h>

cq_status cq_scene_find_wall(cq_scene *scene, const cq_node *section, const char *key,
                             const char *name, int *out) {
  cq_nearest nearest = cq_nearest_begin(name);
  for (*out = 0; *out < scene->model.n_boundaries; (*out)++) {
    const cq_place path = cq_node_path(scene->walls[*out].node);
    const char *other = path.text + strlen("boundaries.");
    if (strcmp(name, other) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, other);
  }
  return cq_config_fail(scene->ctx, section, key, "there is no boundary \"%s\"; %s", name,
                        cq_nearest_text(&nearest));
}
