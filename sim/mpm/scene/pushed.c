/* What terms and controllers may ask of rigid bodies here: obstacles and half-spaces that move have
 * turn, spin, force and torque as bodies of the file do. */
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Is there anything that could push a rigid body? Those that are driven or fixed do not meet each
 * other. */
static bool is_pushed(const cq_mpm_scene *own) {
  bool comes_free = false;
  for (int i = 0; i < own->rigids.n; i++) {
    comes_free =
        comes_free || own->rigid[i].motion == CQ_RIGID_FREE || isfinite(own->rigid[i].release);
  }
  return own->model.n_soft > 0 || (comes_free && own->rigids.n > 1);
}

/* Walls that stand have no number here, for the grid forgets what it held back. */
cq_status cq_mpm_pushed(const cq_scene *scene, const cq_node *section, const char *key,
                        const char *name, const char *of, cq_group *group) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int i = cq_scene_wall_called(scene, name);
  if (i < 0) {
    return CQ_OK;
  }
  if (i >= own->rigids.n || !own->model.rigid[i].meets) {
    return cq_config_fail(scene->ctx, section, key,
                          "\"%s\" is a wall that stands, whose %s is not measured; a body of a "
                          "material with model = \"rigid\" and motion = \"fixed\" has one",
                          name, of);
  }
  if ((strcmp(of, "force") == 0 || strcmp(of, "torque") == 0) && !is_pushed(own)) {
    return cq_config_fail(scene->ctx, section, key,
                          "nothing can push \"%s\": there is no material and no free body", name);
  }
  if (own->model.rigid[i].count == 0) {
    *group = (cq_group){.parameter = 1 + i};
  }
  return CQ_OK;
}
