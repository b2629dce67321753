/* Meshes as polygons; of very many faces fewer, larger ones. */
#include "alloc.h"
#include "artist.h"
#include "mesh.h"

#include <math.h>
#include <string.h>

enum { MOST_FACES = 1200, CELLS = 20, MOST_LOOP = 400 };

/* a mesh, and how its points get into the room */
typedef struct drawn {
  const cq_artist *a;
  const char *role, *name;
  const cq_mesh *mesh;
  cq_to_room_fn to_room;
  const void *user;
  const cq_shape *whole;
} drawn;

static void place(const drawn *d, const double *x, double *at) {
  memcpy(at, x, sizeof(cq_point));
  d->to_room(d->user, at);
}

/* The part of a line from t to u. */
static void draw_piece(const drawn *d, const double *p, const double *q, double t, double u) {
  cq_point ends[2], middle;
  double square = 0.0;
  for (int a = 0; a < 3; a++) {
    ends[0][a] = p[a] + t * (q[a] - p[a]);
    ends[1][a] = p[a] + u * (q[a] - p[a]);
    middle[a] = 0.5 * (ends[0][a] + ends[1][a]);
    square += (ends[1][a] - ends[0][a]) * (ends[1][a] - ends[0][a]);
  }
  const double near = 0.1 * sqrt(square);
  if (d->whole != NULL && fabs(cq_shape_distance(d->whole, middle)) > near) {
    return;
  }
  const cq_drawing line = {.form = CQ_FORM_LINE,
                           .role = d->role,
                           .name = d->name,
                           .n = 2,
                           .points = (const double(*)[3])ends,
                           .time = NAN,
                           .moves = d->a->moves};
  d->a->draw(d->a->user, &line);
}

static void draw_line(const drawn *d, const double *p, const double *q, int pieces) {
  for (int i = 0; i < pieces; i++) {
    draw_piece(d, p, q, (double)i / pieces, (double)(i + 1) / pieces);
  }
}

/* --- 3D: the vertices of a cell of a coarse grid are drawn as one, their mean ----------------- */

static int cell_of(const cq_mesh *m, double spacing, const double *x) {
  int cell = 0;
  for (int a = 0; a < 3; a++) {
    const int i = spacing > 0.0 ? (int)((x[a] - m->low[a]) / spacing) : 0;
    cell = cell * (CELLS + 1) + (i < CELLS ? i : CELLS);
  }
  return cell;
}

/* Faces whose corners are in three cells. */
static void draw_coarse(const drawn *d, double (*cells)[4]) {
  const cq_mesh *m = d->mesh;
  double longest = 0.0;
  for (int a = 0; a < 3; a++) {
    longest = fmax(longest, m->high[a] - m->low[a]);
  }
  for (int v = 0; v < m->n_vertices; v++) {
    const double *x = m->vertices + 3 * (size_t)v;
    double *cell = cells[cell_of(m, longest / CELLS, x)];
    cell[3] += 1.0;
    for (int a = 0; a < 3; a++) {
      cell[a] += (x[a] - cell[a]) / cell[3];
    }
  }
  for (int f = 0; f < m->n_faces; f++) {
    int at[3];
    cq_point points[3];
    for (int k = 0; k < 3; k++) {
      at[k] = cell_of(m, longest / CELLS, mesh_corner(m, f, k));
      place(d, cells[at[k]], points[k]);
    }
    if (at[0] != at[1] && at[1] != at[2] && at[2] != at[0]) {
      cq_artist_polygon(d->a, d->role, d->name, 3, points);
    }
  }
}

static void draw_faces(const drawn *d) {
  for (int f = 0; f < d->mesh->n_faces; f++) {
    cq_point points[3];
    for (int k = 0; k < 3; k++) {
      place(d, mesh_corner(d->mesh, f, k), points[k]);
    }
    cq_artist_polygon(d->a, d->role, d->name, 3, points);
  }
}

/* --- 2D: loops, filled; holes by their rim --------------------------------------------------- */

/* A loop from a vertex on; of very many points some. */
static void draw_loop(const drawn *d, const int *next, int start, cq_point *points) {
  int count = 0, n = 0, v = start;
  double twice = 0.0;
  do {
    count++;
    v = next[v];
  } while (v != start);
  const int every = 1 + count / MOST_LOOP;
  for (int i = 0; i < count; i++, v = next[v]) {
    if (i % every == 0) {
      place(d, d->mesh->vertices + 3 * (size_t)v, points[n++]);
    }
  }
  for (int i = 0; i < n; i++) {
    const double *p = points[i], *q = points[(i + 1) % n];
    twice += p[0] * q[1] - q[0] * p[1];
  }
  const bool filled = twice > 0.0 && d->whole == NULL;
  if (filled) {
    cq_artist_polygon(d->a, d->role, d->name, n, points);
  }
  for (int i = 0; i < n && !filled; i++) {
    draw_line(d, points[i], points[(i + 1) % n], d->whole != NULL ? 1 + MOST_LOOP / n : 1);
  }
}

static void draw_loops(const drawn *d, int *next, int *seen) {
  cq_point points[MOST_LOOP + 1];
  for (int f = 0; f < d->mesh->n_faces; f++) {
    next[d->mesh->faces[2 * f]] = d->mesh->faces[2 * f + 1];
  }
  for (int f = 0; f < d->mesh->n_faces; f++) {
    int v = d->mesh->faces[2 * f];
    if (!seen[v]) {
      draw_loop(d, next, v, points);
    }
    for (; !seen[v]; v = next[v]) {
      seen[v] = 1;
    }
  }
}

/* Draws nothing where there is no memory for it. */
void cq_artist_mesh(const cq_artist *a, const char *role, const char *name, const cq_mesh *mesh,
                    cq_to_room_fn to_room, const void *user, const cq_shape *whole) {
  const drawn d = {a, role, name, mesh, to_room, user, whole};
  const size_t cells = (size_t)(CELLS + 1) * (CELLS + 1) * (CELLS + 1);
  double(*sums)[4] = NULL;
  int *next = NULL;
  if (mesh->dim == 3 && mesh->n_faces <= MOST_FACES) {
    draw_faces(&d);
  } else if (mesh->dim == 3 && CQ_ALLOC(a->scene->ctx, sums, cells) == CQ_OK) {
    draw_coarse(&d, sums);
  } else if (mesh->dim == 2 && CQ_ALLOC(a->scene->ctx, next, 2 * mesh->n_vertices) == CQ_OK) {
    draw_loops(&d, next, next + mesh->n_vertices);
  }
  cq_free(a->scene->ctx, sums);
  cq_free(a->scene->ctx, next);
}
