/* Shapes as sections of the file say them. */
#include "gear.h"
#include "scene.h"
#include "status.h"

#include <math.h>

/* a key of the shape, in the section where it stands */
typedef struct place {
  cq_scene *scene;
  const cq_node *section;
  const cq_shape_keys *keys;
} place;

#define SHAPE_CHECK(at, cond, key, ...)                                                            \
  do {                                                                                             \
    (void)sizeof((at)->keys->key);                                                                 \
    if (!(cond)) {                                                                                 \
      return cq_config_fail((at)->scene->ctx, (at)->section, #key, __VA_ARGS__);                   \
    }                                                                                              \
  } while (0)

static cq_status read_center(const place *at, cq_shape *shape) {
  const cq_shape_keys *keys = at->keys;
  const bool has_low = !isnan(keys->low[0]), has_center = !isnan(keys->center[0]);
  SHAPE_CHECK(at, shape->kind != CQ_SHAPE_box || has_low != has_center, low,
              "give either low or center");
  SHAPE_CHECK(at, shape->kind == CQ_SHAPE_box || has_center, center, "give the centre of the ball");
  for (int a = 0; a < shape->dim; a++) {
    shape->size[a] = keys->size[a];
    shape->center[a] = has_center ? keys->center[a] : keys->low[a] + 0.5 * keys->size[a];
  }
  return CQ_OK;
}

/* On which side of the line a b is c? */
static double side(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static cq_status check_crossings(const place *at, const cq_shape *shape) {
  const int n = shape->n_points;
  for (int i = 0; i < n; i++) {
    const double *a = shape->points + 2 * i, *b = shape->points + 2 * ((i + 1) % n);
    for (int j = 0; j < i; j++) {
      const double *c = shape->points + 2 * j, *d = shape->points + 2 * ((j + 1) % n);
      SHAPE_CHECK(at, side(a, b, c) * side(a, b, d) >= 0.0 || side(c, d, a) * side(c, d, b) >= 0.0,
                  points, "the edges that begin at corners %d and %d cross (the first is 0)", j, i);
    }
  }
  return CQ_OK;
}

static cq_status read_points(const place *at, cq_shape *shape) {
  const cq_table *points = &at->keys->points;
  shape->n_points = points->rows;
  shape->points = points->values;
  SHAPE_CHECK(at, points->columns == shape->dim, points, "a row must be a point, %d numbers",
              shape->dim);
  if (shape->kind == CQ_SHAPE_capsule) {
    SHAPE_CHECK(at, points->rows == 2, points, "a capsule has two ends");
    return CQ_OK;
  }
  SHAPE_CHECK(at, shape->dim == 2, shape, "a polygon is a shape of 2D scenes");
  SHAPE_CHECK(at, points->rows >= 3, points, "a polygon has at least three corners");
  SHAPE_CHECK(at, cq_shape_volume(shape) > 0.0, points, "the polygon has no area");
  return check_crossings(at, shape);
}

/* How many parts the keys of one make. */
static int copies_of(const cq_part_keys *keys) {
  return keys->array * (keys->mirror == CQ_MIRROR_NONE ? 1 : 2);
}

/* A part and its copies: first those of the array, then the mirrored ones. */
static cq_status read_part(cq_scene *scene, const cq_part_keys *keys, cq_part *parts) {
  const int dim = scene->config.dim;
  CQ_KEY_CHECK(scene->ctx, keys->array == 1 || !isnan(keys->step[0]), keys, step,
               "an array needs the step from one to the next");
  CQ_KEY_CHECK(scene->ctx, keys->mirror == CQ_MIRROR_NONE || !isnan(keys->mirror_at), keys,
               mirror_at, "mirror needs the place of its plane");
  CQ_KEY_CHECK(scene->ctx, keys->mirror <= dim, keys, mirror, "the scene has no axis z");
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, &parts[0].shape));
  for (int i = 0; i < copies_of(keys); i++) {
    cq_move m = {.axis = i < keys->array ? -1 : keys->mirror - 1, .at = keys->mirror_at};
    parts[i].subtract = keys->operation == CQ_PART_SUBTRACT;
    for (int a = 0; a < dim && i % keys->array > 0; a++) {
      m.shift[a] = i % keys->array * keys->step[a];
    }
    if (m.axis >= 0) { /* the copies are mirrored, too */
      m.shift[m.axis] = -m.shift[m.axis];
    }
    if (i > 0) {
      CQ_TRY(cq_scene_move_shape(scene, &m, &parts[0].shape, &parts[i].shape));
    }
  }
  return CQ_OK;
}

/* Counts them first. */
static cq_status read_list(cq_scene *scene, const cq_items *list, cq_shape *shape) {
  enum { MOST_PARTS = 10000 };
  const cq_part_keys *keys = list->items;
  cq_part *parts = NULL;
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    CQ_KEY_CHECK(scene->ctx, keys[i].array <= MOST_PARTS && n <= MOST_PARTS, &keys[i], array,
                 "the shape has more than %d parts", (int)MOST_PARTS);
    n += copies_of(&keys[i]);
  }
  CQ_TRY(CQ_ARENA(&scene->arena, parts, n));
  shape->parts = parts;
  shape->n_parts = n;
  for (int i = 0; i < list->count; parts += copies_of(&keys[i]), i++) {
    CQ_TRY(read_part(scene, &keys[i], parts));
  }
  return CQ_OK;
}

static cq_status read_parts(const place *at, cq_shape *shape) {
  const cq_part_keys *keys = at->keys->parts.items;
  SHAPE_CHECK(at, at->keys->parts.count > 0 && keys[0].operation == CQ_PART_ADD, parts,
              "must begin with a part that is added");
  return read_list(at->scene, &at->keys->parts, shape);
}

static cq_status read_gear(const place *at, cq_shape *shape) {
  const cq_shape_keys *keys = at->keys;
  const bool solid = shape->dim == 3;
  SHAPE_CHECK(at, !isnan(keys->center[0]), center, "give the centre of the gear");
  SHAPE_CHECK(at, solid || keys->helix_angle == 0.0, helix_angle, "a gear in 2D has none");
  SHAPE_CHECK(at, solid || isnan(keys->width), width, "a gear in 2D has none");
  SHAPE_CHECK(at, !solid || !isnan(keys->width), width, "a gear in 3D needs a width");
  memcpy(shape->center, keys->center, (size_t)shape->dim * sizeof *shape->center);
  shape->gear = cq_gear_make(keys->teeth, keys->module, keys->pressure_angle, keys->helix_angle,
                             solid ? keys->width : 0.0, keys->bore);
  SHAPE_CHECK(at, gear_half_angle(&shape->gear, shape->gear.tip) > 0.0, pressure_angle,
              "the flanks of a tooth meet below its tip: take more teeth or a smaller angle");
  SHAPE_CHECK(at, keys->bore < shape->gear.root, bore,
              "must be less than the radius of the roots of the teeth, %g m", shape->gear.root);
  return CQ_OK;
}

static cq_status read_kind(const place *at, cq_shape *shape) {
  switch (shape->kind) {
  case CQ_SHAPE_polygon:
  case CQ_SHAPE_capsule:
    return read_points(at, shape);
  case CQ_SHAPE_composite:
    return read_parts(at, shape);
  case CQ_SHAPE_gear:
    return read_gear(at, shape);
  case CQ_SHAPE_mesh:
    return cq_scene_read_mesh(at->scene, at->section, at->keys, shape);
  default:
    return read_center(at, shape);
  }
}

/* The kind with its keys, then its turn. */
cq_status cq_scene_read_shape(cq_scene *scene, const cq_node *section, const cq_shape_keys *keys,
                              cq_shape *shape) {
  const place at = {scene, section, keys};
  *shape = (cq_shape){
      .kind = (cq_shape_kind)keys->shape, .dim = scene->config.dim, .radius = keys->radius};
  CQ_TRY(read_kind(&at, shape));
  if (keys->rotation.count == 0) {
    return CQ_OK;
  }
  const int numbers = shape->dim == 2 ? 1 : 3;
  SHAPE_CHECK(&at, keys->rotation.count == numbers, rotation, "must be %s",
              numbers == 1 ? "one number in 2D, an angle"
                           : "three numbers in 3D, axis times angle");
  cq_shape_turn(shape, keys->rotation.values);
  return CQ_OK;
}
