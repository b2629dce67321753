/* Points at a depth below the faces of a mesh: its corners are moved in until they are that deep
 * below the planes of all their faces, and points are spread over the faces between them. */
#include "alloc.h"
#include "apart.h"
#include "mesh.h"
#include "status.h"
#include "surface.h"

enum { SWEEPS = 50, FINE = 3 }; /* pieces in a pitch, before points are thinned out */

/* Moves [n_vertices][3]: a plane after the other, which is exact where they are at right angles. */
static void move_in(const cq_mesh *m, double inset, double *move) {
  const double close = 1e-12 * inset * inset;
  bool moves = true;
  for (int sweep = 0; sweep < SWEEPS && moves; sweep++) {
    moves = false;
    for (long corner = 0; corner < (long)m->dim * m->n_faces; corner++) {
      const double *n = m->face_normals + 3 * (corner / m->dim);
      double *v = move + 3 * (long)m->faces[corner];
      const double lacks = n[0] * v[0] + n[1] * v[1] + n[2] * v[2] + inset;
      if (lacks * inset > close) {
        moves = true;
        for (int a = 0; a < 3; a++) {
          v[a] -= lacks * n[a];
        }
      }
    }
  }
}

typedef struct spread {
  const cq_mesh *mesh;
  const double *move;
  double close, pitch; /* of corners of faces, and of points between them */
  double least, inset; /* keeps points that moved by `least` insets or more */
  cq_apart apart;
} spread;

/* weights of the corners of a face */
static cq_status try_point(spread *s, int face, const double *weight) {
  const cq_mesh *m = s->mesh;
  double x[3] = {0}, moved[3] = {0}, square = 0.0, pitch = s->pitch;
  for (int k = 0; k < m->dim; k++) {
    pitch = weight[k] == 1.0 ? s->close : pitch;
  }
  for (int a = 0; a < m->dim; a++) {
    for (int k = 0; k < m->dim; k++) {
      moved[a] += weight[k] * s->move[3 * (long)m->faces[(long)m->dim * face + k] + a];
      x[a] += weight[k] * mesh_corner(m, face, k)[a];
    }
    x[a] += moved[a];
    square += moved[a] * moved[a];
  }
  return square >= s->least * s->least * s->inset * s->inset &&
                 cq_apart_is_free(&s->apart, x, pitch)
             ? cq_apart_add(&s->apart, x)
             : CQ_OK;
}

/* a lattice on one face; none where it has no area */
static cq_status try_face(spread *s, int face) {
  const cq_mesh *m = s->mesh;
  double longest = 0.0;
  for (int k = 0; k < m->dim; k++) {
    const double *p = mesh_corner(m, face, k), *q = mesh_corner(m, face, k + 1);
    longest = fmax(longest, sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                                 (p[2] - q[2]) * (p[2] - q[2])));
  }
  const double pieces = fmax(1.0, ceil(FINE * longest / s->pitch));
  for (double i = 0.0; i <= pieces; i++) {
    for (double j = 0.0; j <= (m->dim == 3 ? pieces - i : 0.0); j++) {
      const double weight[3] = {(pieces - i - j) / pieces, i / pieces, j / pieces};
      CQ_TRY(try_point(s, face, weight));
    }
  }
  return CQ_OK;
}

/* Corners move farther than edges, and edges farther than faces: the sharper, the sooner. */
static cq_status spread_points(spread *s) {
  static const double least[] = {1.6, 1.2, 1.03, 0.0};
  for (size_t k = 0; k < sizeof least / sizeof *least; k++) {
    s->least = least[k];
    for (int face = 0; face < s->mesh->n_faces; face++) {
      CQ_TRY(try_face(s, face));
    }
  }
  return CQ_OK;
}

/* Corners move in first; points are kept if they are far enough from those before them. */
cq_status cq_mesh_inner_points(cq_ctx *ctx, const cq_mesh *mesh, double close, double pitch,
                               double inset, double **x, int *n) {
  spread s = {.mesh = mesh, .close = close, .pitch = pitch, .inset = inset};
  double low[3] = {0}, size[3] = {0}, longest = 0.0, *move = NULL;
  *x = NULL;
  *n = 0;
  for (int a = 0; a < mesh->dim; a++) {
    low[a] = mesh->low[a] - pitch;
    size[a] = mesh->high[a] - mesh->low[a] + 2.0 * pitch;
    longest = fmax(longest, size[a]);
  }
  CQ_TRY(CQ_ALLOC(ctx, move, 3 * (size_t)mesh->n_vertices));
  move_in(mesh, inset, move);
  s.move = move;
  const double around = pow(longest / close, mesh->dim - 1);
  cq_status status = cq_apart_begin(ctx, mesh->dim, low, size, fmin(around, 1e8), pitch, &s.apart);
  status = status == CQ_OK ? spread_points(&s) : status;
  if (status == CQ_OK) {
    *x = s.apart.points;
    *n = s.apart.n;
    s.apart.points = NULL;
  }
  cq_apart_end(&s.apart);
  cq_free(ctx, move);
  return status;
}
