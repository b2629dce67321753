#include "shape_bend.h"

#include "composite.h"
#include "gear.h"
#include "height_field.h"
#include "mesh.h"
#include "polygon.h"

/* H of a normal along d, a difference that changes with x along the axes that P keeps: (P - n
 * n^T)/|d| */
static void round_bend(int dim, const double *d, double P[3][3], double sign, double H[3][3]) {
  double length = 0.0;
  for (int a = 0; a < dim; a++) {
    length += d[a] * d[a];
  }
  length = sqrt(length);
  for (int a = 0; a < dim && length > 0.0; a++) {
    for (int b = 0; b < dim; b++) {
      H[a][b] = sign * (P[a][b] - d[a] * d[b] / (length * length)) / length;
    }
  }
}

static void identity(double P[3][3]) {
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      P[a][b] = a == b ? 1.0 : 0.0;
    }
  }
}

/* outside, near an edge or a corner: the axes along which x is outside */
static void box_bend(const cq_shape *s, const double *x, double sign, double H[3][3]) {
  double d[3] = {0}, P[3][3] = {{0}};
  for (int a = 0; a < s->dim; a++) {
    const double at = x[a] - s->center[a], out = fabs(at) - 0.5 * s->size[a];
    d[a] = out > 0.0 ? copysign(out, at) : 0.0;
    P[a][a] = out > 0.0 ? 1.0 : 0.0;
  }
  round_bend(s->dim, d, P, sign, H);
}

static void ball_bend(const cq_shape *s, const double *x, double H[3][3]) {
  double d[3] = {0}, P[3][3];
  for (int a = 0; a < s->dim; a++) {
    d[a] = x[a] - s->center[a];
  }
  identity(P);
  round_bend(s->dim, d, P, 1.0, H);
}

/* of a segment p q: x less its nearest point, and the axes along which that changes with x */
static double segment(int dim, const double *p, const double *q, const double *x, double *d,
                      double P[3][3], bool *at_end) {
  double square, length = 0.0;
  const double t = polygon_segment(p, q, x, dim, d, &square);
  *at_end = t == 0.0 || t == 1.0;
  for (int a = 0; a < dim; a++) {
    length += (q[a] - p[a]) * (q[a] - p[a]);
  }
  identity(P);
  for (int a = 0; a < dim && !*at_end; a++) {
    for (int b = 0; b < dim; b++) {
      P[a][b] -= (q[a] - p[a]) * (q[b] - p[b]) / length;
    }
  }
  return square;
}

static void capsule_bend(const cq_shape *s, const double *x, double H[3][3]) {
  double d[3] = {0}, P[3][3];
  bool at_end;
  segment(s->dim, s->points, s->points + s->dim, x, d, P, &at_end);
  round_bend(s->dim, d, P, 1.0, H);
}

/* round at the nearest corner, flat at the nearest edge */
static void polygon_bend(const cq_shape *s, const double *x, double H[3][3]) {
  double least = INFINITY, nearest[3] = {0}, P[3][3];
  bool corner = false;
  for (int i = 0, j = s->n_points - 1; i < s->n_points; j = i++) {
    double d[3] = {0};
    bool at_end;
    const double square = segment(2, s->points + 2 * j, s->points + 2 * i, x, d, P, &at_end);
    if (square < least) {
      least = square;
      corner = at_end;
      nearest[0] = d[0];
      nearest[1] = d[1];
    }
  }
  identity(P);
  if (corner) {
    round_bend(2, nearest, P, cq_shape_distance(s, x) < 0.0 ? -1.0 : 1.0, H);
  }
}

/* (y - h)/l and the normal (-h_x, 1, -h_z)/l, both derived by x and z */
static void height_field_bend(const cq_shape *s, const double *x, double *g, double H[3][3]) {
  const cq_heights_point at = height_field_at(s, x);
  const double l = height_field_length(&at), cube = l * l * l;
  const double m[3] = {-at.slope[0], 1.0, -at.slope[1]};
  for (int b = 0; b < s->dim; b += 2) { /* along x, along z */
    const double bend[3] = {at.bend[b / 2], 0.0, at.bend[b / 2 + 1]};
    const double turn = at.slope[0] * bend[0] + at.slope[1] * bend[2];
    g[b] -= (x[1] - at.y) * turn / cube;
    for (int a = 0; a < s->dim; a++) {
      H[a][b] = -bend[a] / l - m[a] * turn / cube;
    }
  }
}

static void composite_bend(const cq_shape *s, const double *x, double *g, double H[3][3]) {
  int part;
  composite_nearest(s, x, &part);
  cq_shape_bend(&s->parts[part].shape, x, g, H);
  for (int a = 0; a < s->dim && s->parts[part].subtract; a++) {
    g[a] = -g[a];
    for (int b = 0; b < s->dim; b++) {
      H[a][b] = -H[a][b];
    }
  }
}

/* By differences of the normal over h, where it has no kink. */
static void bend_by_differences(const cq_shape *s, const double *x, double h, double H[3][3]) {
  for (int b = 0; b < s->dim; b++) {
    double y[3] = {0}, n[2][3] = {{0}};
    for (int side = 0; side < 2; side++) {
      memcpy(y, x, (size_t)s->dim * sizeof *y);
      y[b] += side == 0 ? -h : h;
      cq_shape_normal(s, y, n[side]);
    }
    for (int a = 0; a < s->dim; a++) {
      H[a][b] = (n[1][a] - n[0][a]) / (2.0 * h);
    }
  }
}

/* of distances on a grid, whose gradient is no longer than 1: smooth within a cell */
static void grid_bend(const cq_shape *s, const double *x, double *g, double H[3][3]) {
  cq_sdf_at(s->sdf, x, g);
  bend_by_differences(s, x, 1e-5 * s->sdf->spacing, H);
}

/* round at the nearest corner or edge, flat at the nearest face */
static void mesh_bend(const cq_shape *s, const double *x, double *g, double H[3][3]) {
  double y[3] = {0}, square = 0.0, P[3][3];
  if (s->sdf != NULL) {
    grid_bend(s, x, g, H);
    return;
  }
  memcpy(y, x, (size_t)s->dim * sizeof *y);
  const mesh_near near = mesh_nearest(s->mesh, y);
  if (near.feature == MESH_FACE) {
    return;
  }
  identity(P);
  if (near.feature >= 3) {
    const double *p = mesh_corner(s->mesh, near.face, near.feature - 3);
    const double *q = mesh_corner(s->mesh, near.face, near.feature - 2);
    for (int a = 0; a < 3; a++) {
      square += (q[a] - p[a]) * (q[a] - p[a]);
    }
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        P[a][b] -= (q[a] - p[a]) * (q[b] - p[b]) / square;
      }
    }
  }
  round_bend(s->dim, near.d, P, cq_shape_distance(s, x) < 0.0 ? -1.0 : 1.0, H);
}

/* of a shape that is not turned; H is 0 on entry */
static void plain_bend(const cq_shape *s, const double *x, double *g, double H[3][3]) {
  cq_shape_normal(s, x, g);
  switch (s->kind) {
  case CQ_SHAPE_box:
    box_bend(s, x, 1.0, H);
    break;
  case CQ_SHAPE_ball:
    ball_bend(s, x, H);
    break;
  case CQ_SHAPE_capsule:
    capsule_bend(s, x, H);
    break;
  case CQ_SHAPE_polygon:
    polygon_bend(s, x, H);
    break;
  case CQ_SHAPE_height_field:
    height_field_bend(s, x, g, H);
    break;
  case CQ_SHAPE_composite:
    composite_bend(s, x, g, H);
    break;
  case CQ_SHAPE_mesh:
    mesh_bend(s, x, g, H);
    break;
  case CQ_SHAPE_gear:
    gear_gradient(s, x, g);
    bend_by_differences(s, x, 1e-6 * s->gear.tip, H);
    break;
  default: /* planes: half_space, the walls of a domain */
    break;
  }
}

/* in the frame of the unturned shape, and back */
void cq_shape_bend(const cq_shape *shape, const double *x, double g[3], double H[3][3]) {
  const cq_shape plain = cq_shape_unturned(shape);
  const int dim = shape->dim;
  double own[3] = {0}, own_g[3] = {0}, own_H[3][3] = {{0}};
  double Q[3][3];
  identity(Q);
  for (int a = 0; a < dim && shape->turn.is; a++) {
    for (int b = 0; b < dim; b++) {
      Q[a][b] = shape->turn.Q[a][b];
    }
  }
  cq_shape_unturn_point(shape, x, own);
  plain_bend(&plain, own, own_g, own_H);
  for (int a = 0; a < 3; a++) {
    g[a] = 0.0;
    for (int b = 0; b < 3; b++) {
      g[a] += Q[a][b] * own_g[b];
      H[a][b] = 0.0;
      for (int c = 0; c < 9; c++) {
        H[a][b] += Q[a][c / 3] * own_H[c / 3][c % 3] * Q[b][c % 3];
      }
    }
  }
}
