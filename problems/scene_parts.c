/* Parts of a composite: each as often as `array` and `mirror` say. */
#include "alloc.h"
#include "mesh.h"
#include "scene.h"
#include "status.h"
#include "surface.h"

#include <math.h>
#include <string.h>

/* x mirrored at a plane across an axis (-1: not), then shifted */
typedef struct move {
  int axis;
  double at, shift[3];
} move;

static void move_point(const move *m, int dim, const double *from, double *to) {
  for (int a = 0; a < dim; a++) {
    to[a] = (a == m->axis ? 2.0 * m->at - from[a] : from[a]) + m->shift[a];
  }
}

/* Its surface again, moved; mirrored, a face goes round the other way. */
static cq_status move_mesh(cq_scene *scene, const move *m, const cq_shape *from, cq_shape *to) {
  static const double still[3] = {0.0, 0.0, 0.0};
  const cq_mesh *mesh = from->mesh;
  const size_t dim = (size_t)mesh->dim;
  cq_surface s = {mesh->dim, mesh->n_vertices, mesh->n_faces, NULL, NULL};
  char *memory = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, s.vertices, (size_t)s.n_vertices * dim));
  CQ_TRY(CQ_ARENA(&scene->arena, s.faces, (size_t)s.n_faces * dim));
  for (size_t i = 0; i < (size_t)s.n_vertices; i++) {
    move_point(m, s.dim, mesh->vertices + 3 * i, s.vertices + dim * i);
  }
  for (size_t f = 0; f < (size_t)s.n_faces; f++) {
    for (size_t k = 0; k < dim; k++) {
      const size_t other = k < 2 && m->axis >= 0 ? 1 - k : k;
      s.faces[f * dim + k] = mesh->faces[f * dim + other];
    }
  }
  CQ_TRY(CQ_ARENA(&scene->arena, memory, cq_mesh_bytes(&s)));
  CQ_TRY(cq_mesh_make(scene->ctx, &s, 1.0, still, memory, &to->mesh));
  if (from->sdf != NULL) {
    const cq_shape unturned = cq_shape_unturned(to);
    double longest = 0.0;
    for (int a = 0; a < s.dim; a++) {
      longest = fmax(longest, mesh->high[a] - mesh->low[a]);
    }
    const int cells = (int)lround(longest / from->sdf->spacing);
    CQ_TRY(CQ_ARENA(&scene->arena, memory, cq_sdf_bytes(&unturned, cells)));
    to->sdf = cq_sdf_make(&unturned, cells, memory);
  }
  return CQ_OK;
}

/* A shape elsewhere, with copies of what it points to. */
static cq_status move_shape(cq_scene *scene, const move *m, const cq_shape *from, cq_shape *to) {
  const size_t dim = (size_t)from->dim;
  double *points = NULL;
  cq_part *parts = NULL;
  *to = *from;
  move_point(m, from->dim, from->center, to->center);
  for (int a = 0; a < 3 && m->axis >= 0; a++) { /* M Q M */
    for (int b = 0; b < 3; b++) {
      to->turn.Q[a][b] =
          (a == m->axis) != (b == m->axis) ? -from->turn.Q[a][b] : from->turn.Q[a][b];
    }
  }
  if (from->n_points > 0) {
    CQ_TRY(CQ_ARENA(&scene->arena, points, (size_t)from->n_points * dim));
    for (size_t i = 0; i < (size_t)from->n_points; i++) {
      move_point(m, from->dim, from->points + i * dim, points + i * dim);
    }
    to->points = points;
  }
  if (from->n_parts > 0) {
    CQ_TRY(CQ_ARENA(&scene->arena, parts, from->n_parts));
    for (int i = 0; i < from->n_parts; i++) {
      parts[i].subtract = from->parts[i].subtract;
      CQ_TRY(move_shape(scene, m, &from->parts[i].shape, &parts[i].shape));
    }
    to->parts = parts;
  }
  return from->mesh != NULL ? move_mesh(scene, m, from, to) : CQ_OK;
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
    move m = {.axis = i < keys->array ? -1 : keys->mirror - 1, .at = keys->mirror_at};
    parts[i].subtract = keys->operation == CQ_PART_SUBTRACT;
    for (int a = 0; a < dim && i % keys->array > 0; a++) {
      m.shift[a] = i % keys->array * keys->step[a];
    }
    if (m.axis >= 0) { /* the copies are mirrored, too */
      m.shift[m.axis] = -m.shift[m.axis];
    }
    if (i > 0) {
      CQ_TRY(move_shape(scene, &m, &parts[0].shape, &parts[i].shape));
    }
  }
  return CQ_OK;
}

/* Counts them first. */
cq_status cq_scene_read_parts(cq_scene *scene, const cq_items *list, cq_shape *shape) {
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
