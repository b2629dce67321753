/* What is observed: groups as they are named first, and the channels that are asked of them. */
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Room for one more of *items, which the arena holds: it keeps the old ones, too. */
static cq_status grow(cq_scene *scene, void **items, size_t size, int n, int *room) {
  void *more = NULL;
  if (n < *room) {
    return CQ_OK;
  }
  *room = 2 * n + 8;
  CQ_TRY(cq_arena_alloc(&scene->arena, &more, (size_t)*room, size));
  if (n > 0) {
    memcpy(more, *items, (size_t)n * size);
  }
  *items = more;
  return CQ_OK;
}

static bool another_parameter(const cq_group *group, double parameter) {
  return parameter > 0.0 && group->parameter > 0.0 && parameter != group->parameter;
}

/* Sets of the same particles are one group, but for a group for each parameter. */
cq_status cq_scene_share_group(cq_scene *scene, cq_group wanted, int *index) {
  int i = 0;
  while (i < scene->n_groups && (scene->groups[i].count != wanted.count ||
                                 scene->groups[i].particles != wanted.particles ||
                                 another_parameter(&scene->groups[i], wanted.parameter))) {
    i++;
  }
  if (i == scene->n_groups) {
    CQ_TRY(grow(scene, (void **)&scene->groups, sizeof *scene->groups, i, &scene->groups_room));
    scene->groups[i] = wanted;
    scene->n_groups++;
  }
  scene->groups[i].parameter = fmax(wanted.parameter, scene->groups[i].parameter);
  *index = i;
  return CQ_OK;
}

cq_status cq_scene_group(cq_scene *scene, const cq_set *set, double parameter, int *group) {
  return cq_scene_share_group(
      scene, (cq_group){.count = set->count, .particles = set->particles, .parameter = parameter},
      group);
}

cq_status cq_scene_particle_group(cq_scene *scene, int particle, int *group) {
  const cq_group one = {.count = 1, .particles = scene->sets[0].particles + particle};
  return cq_scene_share_group(scene, one, group);
}

cq_status cq_scene_own_group(cq_scene *scene, const int *particle, int *group) {
  const int i = *group = scene->n_groups;
  CQ_TRY(grow(scene, (void **)&scene->groups, sizeof *scene->groups, i, &scene->groups_room));
  scene->groups[scene->n_groups++] = (cq_group){.count = 1, .particles = particle};
  return CQ_OK;
}

cq_status cq_scene_want(cq_scene *scene, int group, int quantity, const unsigned char *at) {
  const int n = scene->n_channels;
  CQ_TRY(grow(scene, (void **)&scene->channels, sizeof *scene->channels, n, &scene->channels_room));
  scene->channels[n] = (cq_channel){.group = group, .quantity = quantity, .at = at};
  scene->n_channels++;
  return CQ_OK;
}

cq_status cq_scene_want_always(cq_scene *scene, const cq_set *set, int quantity, int *place) {
  int group = 0;
  CQ_TRY(cq_scene_group(scene, set, 0.0, &group));
  return cq_scene_want_of_group_always(scene, group, quantity, place);
}

cq_status cq_scene_want_of_group_always(cq_scene *scene, int group, int quantity, int *place) {
  *place = 0;
  for (int i = 0; i < scene->n_channels; i++) {
    const cq_channel *c = &scene->channels[i];
    if (c->group == group && c->quantity == quantity) {
      return CQ_OK;
    }
    *place += cq_quantity_numbers(scene->config.dim, c->quantity);
  }
  return cq_scene_want(scene, group, quantity, NULL);
}
