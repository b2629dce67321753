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

/* A contact has the force by which its first body pushes the second, and its impulse. */
static cq_status of_contact(const cq_scene *scene, const cq_node *section, const char *key,
                            const char *name, const char *of, int wall, cq_group *group) {
  if (strcmp(of, "force") != 0 && strcmp(of, "impulse") != 0) {
    return cq_config_fail(scene->ctx, section, key,
                          "\"%s\" is a contact, which has a force and an impulse and no %s", name,
                          of);
  }
  *group = (cq_group){.parameter = 1 + wall};
  return CQ_OK;
}

/* Walls that stand have no number here, for the grid forgets what it held back. */
cq_status cq_mpm_pushed(const cq_scene *scene, const cq_node *section, const char *key,
                        const char *name, const char *of, cq_group *group) {
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const int i = cq_scene_wall_called(scene, name);
  const bool between = i >= scene->model.n_boundaries - own->model.n_contacts;
  if (i >= 0 && between) {
    return of_contact(scene, section, key, name, of, i, group);
  }
  if (strcmp(of, "impulse") == 0) {
    return cq_config_fail(scene->ctx, section, key,
                          "an impulse is that of a contact, as \"contact.[0]\", and \"%s\" is none",
                          name);
  }
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
