/* Walls of a scene of grains, where they start. */
#include "artist.h"
#include "granular_scene.h"

#include <string.h>

void cq_granular_draw_wall(const cq_artist *artist, int wall) {
  const cq_tool *tool = &cq_granular_scene_of(artist->scene)->tools[wall];
  const cq_place path = cq_node_path(artist->scene->walls[wall].node);
  if (wall >= cq_granular_scene_of(artist->scene)->n_walls) {
    return; /* a rigid body, which its particles show */
  }
  if (wall == 0) { /* the room */
    const cq_point low = {0.0, 0.0, 0.0};
    cq_artist_box(artist, "domain", path.text, low, artist->size);
    return;
  }
  for (int k = 0; k < tool->n_parts; k++) {
    cq_artist_shape(artist, "wall", path.text, &tool->parts[k]);
  }
}
