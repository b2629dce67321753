#include "cameras.h"

#include "map.h"
#include "radii.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* --- reading ------------------------------------------------------------------------------------
 */

/* Pixels: wide and high, in 2D wide alone. What all cameras take has to fit into the memory. */
static cq_status read_size(const cq_scene *scene, const cq_camera_keys *keys, cq_eye *eye) {
  const cq_numbers *size = &keys->size;
  const int n = scene->config.dim - 1;
  double pixels = 1.0;
  CQ_KEY_CHECK(scene->ctx, size->count == n, keys, size, "must be %s",
               n == 2 ? "two numbers of pixels, [wide, high]"
                      : "one number of pixels: in 2D an image is a line");
  for (int i = 0; i < n; i++) {
    CQ_KEY_CHECK(scene->ctx, size->values[i] == floor(size->values[i]), keys, size,
                 "%g is no whole number of pixels", size->values[i]);
    pixels *= size->values[i];
  }
  CQ_KEY_CHECK(scene->ctx, pixels * sizeof(double) <= (double)scene->model.memory, keys, size,
               "an image of %.0f pixels takes %.3g MiB, and simulation.memory is %.3g MiB: take "
               "fewer pixels",
               pixels, pixels * sizeof(double) / 0x1p20, (double)scene->model.memory / 0x1p20);
  eye->wide = (int)size->values[0];
  eye->high = n == 2 ? (int)size->values[1] : 1;
  return CQ_OK;
}

/* Which way it looks. */
static cq_status read_aim(const cq_scene *scene, const cq_camera_keys *keys, cq_eye *eye) {
  double way[3] = {0.0}, across[3], square = 0.0, beside = 0.0, up = 0.0;
  for (int a = 0; a < scene->config.dim; a++) {
    way[a] = keys->at[a] - keys->eye[a];
    square += way[a] * way[a];
    up += keys->up[a] * keys->up[a];
  }
  CQ_KEY_CHECK(scene->ctx, square > 0.0, keys, at, "is the eye itself: give a point to look at");
  for (int a = 0; a < 3 && scene->config.dim == 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    across[a] = way[b] * keys->up[c] - way[c] * keys->up[b];
    beside += across[a] * across[a];
  }
  CQ_KEY_CHECK(scene->ctx, scene->config.dim == 2 || beside > 1e-12 * square * up, keys, up,
               "is along the way from eye to at: give another direction, that of the upper edge of "
               "the image");
  cq_eye_aim(eye, keys->eye, keys->at, keys->up);
  return CQ_OK;
}

static cq_status read_eye(const cq_scene *scene, const cq_camera_keys *keys, cq_eye *eye) {
  static const double half_turn = 3.14159265358979;
  *eye = (cq_eye){.dim = scene->config.dim,
                  .perspective = keys->kind == CQ_CAMERA_PERSPECTIVE,
                  .near = keys->near,
                  .far = keys->far};
  CQ_TRY(read_size(scene, keys, eye));
  CQ_TRY(read_aim(scene, keys, eye));
  CQ_KEY_CHECK(scene->ctx, keys->near < keys->far, keys, far, "must be more than near = %g",
               keys->near);
  CQ_KEY_CHECK(scene->ctx, !eye->perspective || keys->fov < half_turn, keys, fov,
               "must be below pi: it is the angle from the left to the right edge");
  eye->half = eye->perspective ? tan(0.5 * keys->fov) : 0.5 * keys->width;
  return CQ_OK;
}

static cq_status read_camera(cq_scene *scene, int i, const cq_camera_keys *keys) {
  cq_scene_camera *camera = &scene->cameras[i];
  *camera = (cq_scene_camera){.keys = keys, .wall = -1};
  for (int k = 0; k < i; k++) {
    CQ_KEY_CHECK(scene->ctx, strcmp(scene->cameras[k].keys->name, keys->name) != 0, keys, name,
                 "there are two cameras \"%s\"", keys->name);
  }
  CQ_TRY(read_eye(scene, keys, &camera->eye));
  return keys->on != NULL ? cq_scene_find_wall(scene, keys->node, "on", keys->on, &camera->wall)
                          : CQ_OK;
}

cq_status cq_scene_read_cameras(cq_scene *scene) {
  const cq_camera_keys *keys = scene->config.cameras.items;
  scene->n_cameras = scene->config.cameras.count;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->cameras, scene->n_cameras));
  for (int i = 0; i < scene->n_cameras; i++) {
    CQ_TRY(read_camera(scene, i, &keys[i]));
  }
  return CQ_OK;
}

/* --- images -------------------------------------------------------------------------------------
 */

/* Is it one of the walls? Then its shape is seen. */
static bool is_wall(const cq_scene *scene, const cq_body *body) {
  bool is = false;
  for (int i = 0; i < scene->model.n_boundaries && body->rigid; i++) {
    is = is || (scene->walls[i].node == body->keys->node && scene->walls[i].n_shapes > 0);
  }
  return is;
}

void cq_scene_seen_radii(const cq_scene *scene, const double *inputs, double *radii) {
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    cq_radii_of(scene, body, inputs, radii);
    if (is_wall(scene, body)) {
      memset(radii + body->first, 0, (size_t)body->count * sizeof *radii);
    }
  }
}

/* Balls first, then what has a shape, each where it is at the state. */
void cq_scene_look(const cq_scene *scene, int camera, const double *radii, const double *state,
                   const double *maps, double *image) {
  const cq_scene_camera *c = &scene->cameras[camera];
  const double *x = state + cq_layout_offset(&scene->layout, "x");
  const cq_eye eye = c->wall >= 0 ? cq_eye_moved(&c->eye, maps + (size_t)c->wall * CQ_MAP) : c->eye;
  cq_eye_clear(&eye, image);
  cq_eye_balls(&eye, scene->model.n_particles, x, radii, image);
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    for (int k = 0; k < scene->walls[i].n_shapes; k++) {
      cq_eye_shape(&eye, &scene->walls[i].shapes[k], maps + (size_t)i * CQ_MAP, image);
    }
  }
}
