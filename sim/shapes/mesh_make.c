/* A mesh of a surface: its tree of boxes, its normals. */
#include "mesh.h"
#include "mesh_sides.h"
#include "surface.h"

#include "alloc.h"
#include "status.h"

enum { LEAF = 4 };

/* --- the tree --------------------------------------------------------------------------------- */

typedef struct tree {
  const cq_mesh *mesh;
  int *order;
  cq_mesh_node *nodes;
  int n_nodes;
} tree;

static double middle(const tree *t, int face, int axis) {
  double sum = 0.0;
  for (int k = 0; k < t->mesh->dim; k++) {
    sum += mesh_corner(t->mesh, face, k)[axis];
  }
  return sum;
}

/* by place, then by index: no two are equal */
static bool before(const tree *t, int axis, int f, int g) {
  const double a = middle(t, f, axis), b = middle(t, g, axis);
  return a < b || (a == b && f < g);
}

static void swap(int *a, int *b) {
  const int c = *a;
  *a = *b;
  *b = c;
}

/* Rearranges order[low ... high-1] so that those before position k come before it (Hoare). */
static void select_median(const tree *t, int axis, int low, int high, int k) {
  int *o = t->order;
  while (high - low > 1) {
    const int pivot = o[low + (high - low) / 2];
    int i = low, j = high - 1;
    while (i <= j) {
      while (before(t, axis, o[i], pivot)) {
        i++;
      }
      while (before(t, axis, pivot, o[j])) {
        j--;
      }
      if (i <= j) {
        swap(&o[i++], &o[j--]);
      }
    }
    if (k <= j) {
      high = j + 1;
    } else if (k >= i) {
      low = i;
    } else {
      return;
    }
  }
}

static void find_box(const tree *t, int first, int count, cq_mesh_node *node) {
  for (int a = 0; a < 3; a++) {
    node->low[a] = INFINITY;
    node->high[a] = -INFINITY;
    for (int i = first; i < first + count; i++) {
      for (int k = 0; k < t->mesh->dim; k++) {
        const double x = mesh_corner(t->mesh, t->order[i], k)[a];
        node->low[a] = fmin(node->low[a], x);
        node->high[a] = fmax(node->high[a], x);
      }
    }
  }
}

/* Halves of the same number, along the longest axis: at most 31 deep. */
static void grow(tree *t, int at, int first, int count) {
  cq_mesh_node *node = &t->nodes[at];
  int axis = 0;
  find_box(t, first, count, node);
  node->first = first;
  node->count = count;
  if (count <= LEAF) {
    return;
  }
  for (int a = 1; a < t->mesh->dim; a++) {
    axis = node->high[a] - node->low[a] > node->high[axis] - node->low[axis] ? a : axis;
  }
  const int half = count / 2, child = t->n_nodes;
  select_median(t, axis, first, first + count, first + half);
  node->first = child;
  node->count = 0;
  t->n_nodes += 2;
  grow(t, child, first, half);
  grow(t, child + 1, first + half, count - half);
}

/* --- normals ---------------------------------------------------------------------------------- */

/* Of length 1; 0 for a face so thin that rounding would decide where it points. */
static void find_face_normal(const cq_mesh *m, int face, double *n) {
  const double *a = mesh_corner(m, face, 0), *b = mesh_corner(m, face, 1);
  const double *c = mesh_corner(m, face, 2);
  double length = 0.0, longest = 0.0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    longest += (b[i] - a[i]) * (b[i] - a[i]) + (c[i] - a[i]) * (c[i] - a[i]);
  }
  if (m->dim == 2) { /* counterclockwise about the inside */
    n[0] = b[1] - a[1];
    n[1] = a[0] - b[0];
    n[2] = longest = 0.0;
  }
  for (int i = 0; i < 3; i++) {
    length += n[i] * n[i];
  }
  length = sqrt(length);
  for (int i = 0; i < 3; i++) {
    n[i] = length > 1e-13 * longest ? n[i] / length : 0.0;
  }
}

/* The angle of a face at its corner k; 1 in 2D, where both faces of a corner count the same. */
static double corner_angle(const cq_mesh *m, int face, int k) {
  const double *a = mesh_corner(m, face, k), *b = mesh_corner(m, face, k + 1);
  const double *c = mesh_corner(m, face, k + 2);
  double dot = 0.0, square = 0.0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, l = (i + 2) % 3;
    const double cross = (b[j] - a[j]) * (c[l] - a[l]) - (b[l] - a[l]) * (c[j] - a[j]);
    dot += (b[i] - a[i]) * (c[i] - a[i]);
    square += cross * cross;
  }
  return m->dim == 2 ? 1.0 : atan2(sqrt(square), dot);
}

/* Of faces, and the pseudonormals of edges (both faces alike) and vertices (by angles). */
static void find_normals(const cq_mesh *m, const int *twins, double *face_normals,
                         double *edge_normals, double *vertex_normals) {
  for (int f = 0; f < m->n_faces; f++) {
    find_face_normal(m, f, face_normals + 3 * (size_t)f);
  }
  for (int f = 0; f < m->n_faces; f++) {
    const double *n = face_normals + 3 * (size_t)f;
    for (int k = 0; k < m->dim; k++) {
      const double angle = corner_angle(m, f, k);
      const size_t vertex = (size_t)m->faces[(size_t)m->dim * (size_t)f + (size_t)k];
      const size_t edge = 3 * (size_t)f + (size_t)k;
      for (size_t a = 0; a < 3; a++) {
        vertex_normals[3 * vertex + a] += angle * n[a];
        if (m->dim == 3) {
          edge_normals[3 * edge + a] = n[a] + face_normals[3 * (size_t)(twins[edge] / 3) + a];
        }
      }
    }
  }
}

/* --- the mesh --------------------------------------------------------------------------------- */

/* Pieces of one block of memory. */
static void *take(char **memory, size_t count, size_t size) {
  void *piece = *memory;
  *memory += (count * size + 7) / 8 * 8;
  return piece;
}

size_t cq_mesh_bytes(const cq_surface *s) {
  const size_t faces = (size_t)s->n_faces, vertices = (size_t)s->n_vertices;
  return 64 + sizeof(cq_mesh) + faces * ((size_t)(s->dim + 1) * sizeof(int) + 12 * sizeof(double)) +
         vertices * 6 * sizeof(double) + (2 * faces + 1) * sizeof(cq_mesh_node);
}

static void place(const cq_surface *s, double scale, const double *shift, cq_mesh *m, double *x) {
  double largest = 0.0;
  for (int a = 0; a < 3; a++) {
    m->low[a] = a < s->dim ? INFINITY : 0.0;
    m->high[a] = a < s->dim ? -INFINITY : 0.0;
    for (int i = 0; i < s->n_vertices && a < s->dim; i++) {
      const double at = scale * s->vertices[(size_t)i * (size_t)s->dim + (size_t)a] + shift[a];
      x[3 * (size_t)i + (size_t)a] = at;
      m->low[a] = fmin(m->low[a], at);
      m->high[a] = fmax(m->high[a], at);
    }
    largest = fmax(largest, m->high[a] - m->low[a]);
  }
  m->touch = 1e-12 * largest;
}

/* All of it in one block: a mesh, its arrays, its tree. */
cq_status cq_mesh_make(cq_ctx *ctx, const cq_surface *s, double scale, const double *shift,
                       void *memory, const cq_mesh **out) {
  const size_t faces = (size_t)s->n_faces, vertices = (size_t)s->n_vertices;
  char *rest = memory;
  cq_mesh *m = take(&rest, 1, sizeof *m);
  double *x = take(&rest, 3 * vertices, sizeof *x);
  double *vertex_normals = take(&rest, 3 * vertices, sizeof *x);
  double *face_normals = take(&rest, 3 * faces, sizeof *x);
  double *edge_normals = take(&rest, 9 * faces, sizeof *x);
  cq_mesh_node *nodes = take(&rest, 2 * faces + 1, sizeof *nodes);
  int *corners = take(&rest, (size_t)s->dim * faces, sizeof *corners);
  int *order = take(&rest, faces, sizeof *order), *twins = NULL;
  memset(memory, 0, cq_mesh_bytes(s));
  memcpy(corners, s->faces, (size_t)s->dim * faces * sizeof *corners);
  *m = (cq_mesh){.dim = s->dim,
                 .n_vertices = s->n_vertices,
                 .n_faces = s->n_faces,
                 .vertices = x,
                 .faces = corners,
                 .face_normals = face_normals,
                 .edge_normals = edge_normals,
                 .vertex_normals = vertex_normals,
                 .order = order,
                 .nodes = nodes};
  place(s, scale, shift, m, x);
  CQ_TRY(cq_mesh_sides(ctx, "the surface", s, &twins));
  find_normals(m, twins, face_normals, edge_normals, vertex_normals);
  cq_free(ctx, twins);
  tree t = {.mesh = m, .order = order, .nodes = nodes, .n_nodes = 1};
  for (int f = 0; f < s->n_faces; f++) {
    order[f] = f;
  }
  grow(&t, 0, 0, s->n_faces);
  m->n_nodes = t.n_nodes;
  m->volume = cq_mesh_moments_of(m).volume;
  *out = m;
  return CQ_OK;
}
