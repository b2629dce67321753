/* Shapes elsewhere, mirrored or not: copies of a part of a composite. */
#include "alloc.h"
#include "mesh.h"
#include "scene.h"
#include "status.h"
#include "surface.h"

#include <math.h>
#include <string.h>

static void move_point(const cq_move *m, int dim, const double *from, double *to) {
  for (int a = 0; a < dim; a++) {
    to[a] = (a == m->axis ? 2.0 * m->at - from[a] : from[a]) + m->shift[a];
  }
}

/* Its surface again, moved; mirrored, a face goes round the other way. */
static cq_status move_mesh(cq_scene *scene, const cq_move *m, const cq_shape *from, cq_shape *to) {
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
cq_status cq_scene_move_shape(cq_scene *scene, const cq_move *m, const cq_shape *from,
                              cq_shape *to) {
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
  if (m->axis >= 0) { /* right-handed teeth become left-handed */
    to->gear.twist = -from->gear.twist;
    to->gear.first = m->axis == 0   ? acos(-1.0) - from->gear.first
                     : m->axis == 1 ? -from->gear.first
                                    : from->gear.first;
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
      CQ_TRY(cq_scene_move_shape(scene, m, &from->parts[i].shape, &parts[i].shape));
    }
    to->parts = parts;
  }
  return from->mesh != NULL ? move_mesh(scene, m, from, to) : CQ_OK;
}
