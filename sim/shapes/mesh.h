/* A body bounded by triangles, in 2D by segments, that a file or a table gives (surface.h). The
 * sign of the distance is that of the angle-weighted pseudonormal of the face, edge or corner that
 * is nearest (Baerentzen and Aanaes 2005), which is right for every point off a closed surface that
 * does not cross itself; of features as near any will do. A tree of boxes finds it.
 *
 * The normal is that of the face, or away from the nearest edge or corner; on an edge or corner
 * itself it is the pseudonormal. A shape with a grid (sdf.h) takes distance and normal from that.
 */
#ifndef CQ_SHAPES_MESH_H
#define CQ_SHAPES_MESH_H

#include "polygon.h"
#include "sdf.h"

enum {
  MESH_MOST_DEPTH = 64, /* halves of halves of 2^31 faces are far fewer */
  MESH_FACE = 6         /* features: 0.. corners, 3.. edges from corner k to the next, the face */
};

typedef struct cq_mesh_node {
  double low[3], high[3];
  int first, count; /* faces order[first ...]; count 0: the children are nodes first, first + 1 */
} cq_mesh_node;

struct cq_mesh {
  int dim, n_vertices, n_faces, n_nodes;
  double low[3], high[3], volume;
  double touch;                 /* nearer than this a point is on the surface [m] */
  const double *vertices;       /* [n_vertices][3], z = 0 in 2D [m] */
  const int *faces;             /* [n_faces][dim], counterclockwise seen from outside */
  const double *face_normals;   /* [n_faces][3] of length 1, outwards; 0: the face has no area */
  const double *edge_normals;   /* [n_faces][3][3] 3D: pseudonormals of its edges, of any length */
  const double *vertex_normals; /* [n_vertices][3] pseudonormals, of any length */
  const int *order;             /* [n_faces] */
  const cq_mesh_node *nodes;    /* [n_nodes] */
};

static inline const double *mesh_corner(const cq_mesh *m, int face, int k) {
  return m->vertices + 3 * (long)m->faces[(long)m->dim * face + k % m->dim];
}

/* x less the nearest point of a face, and the square of its length; returns the feature. */
static inline int mesh_face(const cq_mesh *m, int face, const double *x, double *d,
                            double *square) {
  const double *n = m->face_normals + 3 * (long)face;
  int feature = MESH_FACE;
  *square = INFINITY;
  for (int k = 0; k < 2 * m->dim - 3; k++) {
    const double *a = mesh_corner(m, face, k), *b = mesh_corner(m, face, k + 1);
    const double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double to[3], there, within = 0.0;
    for (int i = 0; i < 3 && m->dim == 3; i++) { /* n x e points into the face */
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      within += (n[j] * e[l] - n[l] * e[j]) * (x[i] - a[i]);
    }
    if (within > 0.0) {
      continue; /* the nearest point is not on this edge */
    }
    const double t = polygon_segment(a, b, x, m->dim, to, &there);
    if (there < *square) {
      *square = there;
      feature = t == 0.0 ? k : (t == 1.0 ? (k + 1) % m->dim : 3 + k);
      for (int i = 0; i < m->dim; i++) {
        d[i] = to[i];
      }
    }
  }
  if (m->dim == 2 && feature == 3 && (n[0] != 0.0 || n[1] != 0.0)) {
    feature = MESH_FACE;
  }
  if (feature == MESH_FACE) { /* from the plane, so that rounding does no harm near it */
    const double *a = mesh_corner(m, face, 0);
    double height = 0.0;
    for (int i = 0; i < m->dim; i++) {
      height += n[i] * (x[i] - a[i]);
    }
    for (int i = 0; i < m->dim; i++) {
      d[i] = height * n[i];
    }
    *square = height * height;
  }
  return feature;
}

/* Square of the distance from a box; 0 inside. */
static inline double mesh_to_box(const cq_mesh_node *node, const double *x, int dim) {
  double square = 0.0;
  for (int a = 0; a < dim; a++) {
    const double below = node->low[a] - x[a], above = x[a] - node->high[a];
    const double out = below > above ? below : above;
    square += out > 0.0 ? out * out : 0.0;
  }
  return square;
}

/* Square of the distance from the plane of a face, or 0 where it has none: less than from the face.
 */
static inline double mesh_to_plane(const cq_mesh *m, int face, const double *x) {
  const double *n = m->face_normals + 3 * (long)face, *a = mesh_corner(m, face, 0);
  double height = 0.0;
  for (int i = 0; i < m->dim; i++) {
    height += n[i] * (x[i] - a[i]);
  }
  return height * height;
}

/* The nearest point of the surface: x less it, the square of that, its face and feature. */
typedef struct mesh_near {
  double d[3], square;
  int face, feature;
} mesh_near;

/* The faces of a leaf against the nearest so far. */
static inline void mesh_try_leaf(const cq_mesh *m, const cq_mesh_node *node, const double *x,
                                 mesh_near *near) {
  for (int i = node->first; i < node->first + node->count; i++) {
    double d[3] = {0.0, 0.0, 0.0}, square;
    if (mesh_to_plane(m, m->order[i], x) >= near->square) {
      continue;
    }
    const int feature = mesh_face(m, m->order[i], x, d, &square);
    if (square < near->square) {
      near->square = square;
      near->face = m->order[i];
      near->feature = feature;
      for (int a = 0; a < 3; a++) {
        near->d[a] = d[a];
      }
    }
  }
}

/* Down the tree, the nearer box first; boxes farther than the nearest face are passed over. */
static inline mesh_near mesh_nearest(const cq_mesh *m, const double *x) {
  mesh_near near = {{0.0, 0.0, 0.0}, INFINITY, 0, MESH_FACE};
  int stack[MESH_MOST_DEPTH], n = 1;
  double far[MESH_MOST_DEPTH]; /* of the boxes on the stack */
  stack[0] = 0;
  far[0] = 0.0;
  while (n > 0) {
    const cq_mesh_node *node = m->nodes + stack[--n];
    if (far[n] >= near.square) {
      continue;
    }
    if (node->count > 0) {
      mesh_try_leaf(m, node, x, &near);
      continue;
    }
    const double to[2] = {mesh_to_box(m->nodes + node->first, x, m->dim),
                          mesh_to_box(m->nodes + node->first + 1, x, m->dim)};
    const int farther = to[0] <= to[1];
    stack[n] = node->first + farther;
    far[n++] = to[farther];
    stack[n] = node->first + 1 - farther; /* is looked at next */
    far[n++] = to[1 - farther];
  }
  return near;
}

static inline const double *mesh_pseudonormal(const cq_mesh *m, const mesh_near *near) {
  if (near->feature < 3) {
    return m->vertex_normals + 3 * (long)m->faces[(long)m->dim * near->face + near->feature];
  }
  return near->feature == MESH_FACE || m->dim == 2
             ? m->face_normals + 3 * (long)near->face
             : m->edge_normals + 9 * (long)near->face + 3 * (near->feature - 3);
}

static inline double mesh_side(const cq_mesh *m, const mesh_near *near, int dim) {
  const double *p = mesh_pseudonormal(m, near);
  double side = 0.0;
  for (int a = 0; a < dim; a++) {
    side += near->d[a] * p[a];
  }
  return side;
}

static inline double mesh_distance(const cq_shape *s, const double *x) {
  if (s->sdf != NULL) {
    return cq_sdf_at(s->sdf, x, NULL);
  }
  const mesh_near near = mesh_nearest(s->mesh, x);
  const double distance = sqrt(near.square);
  return mesh_side(s->mesh, &near, s->dim) < 0.0 ? -distance : distance;
}

/* Of any length, along the normal. */
static inline void mesh_outwards(const cq_mesh *m, const double *x, double *normal) {
  const mesh_near near = mesh_nearest(m, x);
  const double distance = sqrt(near.square), *p = mesh_pseudonormal(m, &near);
  const int on = near.feature == MESH_FACE || distance <= m->touch;
  const double sign = mesh_side(m, &near, m->dim) < 0.0 ? -1.0 : 1.0;
  for (int a = 0; a < m->dim; a++) {
    normal[a] = on ? p[a] : sign * near.d[a];
  }
}

static inline void mesh_normal(const cq_shape *s, const double *x, double *normal) {
  double length = 0.0;
  if (s->sdf != NULL) {
    cq_sdf_at(s->sdf, x, normal);
  } else {
    mesh_outwards(s->mesh, x, normal);
  }
  for (int a = 0; a < s->dim; a++) {
    length += normal[a] * normal[a];
  }
  for (int a = 0; a < s->dim; a++) {
    normal[a] = length > 0.0 ? normal[a] / sqrt(length) : (a == 1 ? 1.0 : 0.0);
  }
}

static inline double mesh_volume(const cq_shape *s) {
  return s->mesh->volume;
}

/* Of a turned mesh by its vertices. */
static inline void mesh_bounds(const cq_shape *s, double *low, double *size) {
  const cq_mesh *m = s->mesh;
  if (s->turn.is) {
    cq_shape_bound_points(s, m->vertices, m->n_vertices, 3, low, size);
    return;
  }
  for (int a = 0; a < s->dim; a++) {
    low[a] = m->low[a];
    size[a] = m->high[a] - m->low[a];
  }
}

static inline void mesh_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
