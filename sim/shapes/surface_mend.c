/* What a file says is a surface is made one, or refused. */
#include "alloc.h"
#include "mesh.h"
#include "mesh_sides.h"
#include "status.h"
#include "surface.h"
#include "surface_cross.h"

#include <math.h>
#include <stdint.h>

enum { MOST_PIECES = 1000 };

void cq_surface_free(cq_ctx *ctx, cq_surface *s) {
  cq_free(ctx, s->vertices);
  cq_free(ctx, s->faces);
  s->vertices = NULL;
  s->faces = NULL;
  s->n_vertices = s->n_faces = 0;
}

/* --- vertices --------------------------------------------------------------------------------- */

static cq_status check_numbers(cq_ctx *ctx, const char *name, cq_surface *s) {
  for (size_t i = 0; i < (size_t)s->n_vertices * (size_t)s->dim; i++) {
    CQ_CHECK(ctx, fabs(s->vertices[i]) < 1e30, CQ_CONFIG,
             "%s: the coordinate %c of vertex %zu is %g (the first vertex is 0)", name,
             "xyz"[i % (size_t)s->dim], i / (size_t)s->dim, s->vertices[i]);
    s->vertices[i] += 0.0; /* of 0 and -0 one is enough */
  }
  for (size_t i = 0; i < (size_t)s->n_faces * (size_t)s->dim; i++) {
    CQ_CHECK(ctx, s->faces[i] >= 0 && s->faces[i] < s->n_vertices, CQ_CONFIG,
             "%s: face %zu has a vertex %d, and there are %d (the first is 0)", name,
             i / (size_t)s->dim, s->faces[i], s->n_vertices);
  }
  return CQ_OK;
}

static size_t hash_of(const double *x, size_t bytes) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes / sizeof *x; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return (size_t)h;
}

/* Makes one vertex of equal ones: the first of each stays, in their order, and those that no face
 * has go. renamed: [n_vertices], 1 where a face has the vertex; table: [room], 0. */
static void weld(cq_surface *s, int *renamed, int *table, size_t room) {
  const size_t dim = (size_t)s->dim;
  int n = 0;
  for (int v = 0; v < s->n_vertices; v++) {
    const double *x = s->vertices + (size_t)v * dim;
    if (!renamed[v]) {
      continue;
    }
    size_t at = hash_of(x, dim * sizeof *x) % room;
    while (table[at] != 0 &&
           memcmp(s->vertices + (size_t)(table[at] - 1) * dim, x, dim * sizeof *x) != 0) {
      at = (at + 1) % room;
    }
    if (table[at] == 0) {
      memmove(s->vertices + (size_t)n * dim, x, dim * sizeof *x);
      table[at] = ++n;
    }
    renamed[v] = table[at] - 1;
  }
  s->n_vertices = n;
  for (size_t i = 0; i < (size_t)s->n_faces * dim; i++) {
    s->faces[i] = renamed[s->faces[i]];
  }
}

/* Faces with a vertex twice go: their edges cancel. */
static void drop_faces(cq_surface *s) {
  int n = 0;
  for (int f = 0; f < s->n_faces; f++) {
    const int *face = s->faces + (size_t)f * (size_t)s->dim;
    const bool real =
        face[0] != face[1] && (s->dim == 2 || (face[1] != face[2] && face[2] != face[0]));
    if (real) {
      memmove(s->faces + (size_t)n++ * (size_t)s->dim, face, (size_t)s->dim * sizeof *face);
    }
  }
  s->n_faces = n;
}

/* Vertices and faces that are there once, and enough of them. */
static cq_status tidy(cq_ctx *ctx, const char *name, cq_surface *s) {
  const size_t room = 2 * (size_t)s->n_vertices + 1;
  int *renamed = NULL, *table = NULL;
  CQ_TRY(check_numbers(ctx, name, s));
  drop_faces(s);
  cq_status status = CQ_ALLOC(ctx, renamed, s->n_vertices);
  status = status == CQ_OK ? CQ_ALLOC(ctx, table, room) : status;
  if (status == CQ_OK) {
    for (size_t i = 0; i < (size_t)s->n_faces * (size_t)s->dim; i++) {
      renamed[s->faces[i]] = 1;
    }
    weld(s, renamed, table, room);
    drop_faces(s);
    status =
        s->n_faces > s->dim
            ? CQ_OK
            : CQ_FAIL(ctx, CQ_CONFIG, "%s: has %d faces, which enclose nothing", name, s->n_faces);
  }
  cq_free(ctx, renamed);
  cq_free(ctx, table);
  return status;
}

/* --- orientation ------------------------------------------------------------------------------ */

/* pieces that hang together, and which faces are to be turned */
typedef struct pieces {
  int count;
  int *piece;          /* [n_faces] */
  unsigned char *turn; /* [n_faces] */
  int *stack;
} pieces;

static void turn_face(cq_surface *s, int f) {
  int *face = s->faces + (size_t)f * (size_t)s->dim;
  const int first = face[0];
  face[0] = face[1];
  face[1] = first;
}

/* Do the two faces of a side, as they are in the file, go along it the same way? */
static bool same_way(const cq_surface *s, int side, int twin) {
  return s->dim == 2 ? side % 2 == twin % 2 : s->faces[side] == s->faces[twin];
}

/* All that hangs together with a face gets its piece, and its way round. */
static cq_status fill(cq_ctx *ctx, const char *name, const cq_surface *s, const int *twins,
                      int start, pieces *p) {
  int n = 0;
  p->stack[n++] = start;
  p->piece[start] = p->count;
  while (n > 0) {
    const int f = p->stack[--n];
    for (int side = s->dim * f; side < s->dim * (f + 1); side++) {
      const int g = twins[side] / s->dim;
      const unsigned char turn = p->turn[f] ^ same_way(s, side, twins[side]);
      if (p->piece[g] < 0) {
        p->piece[g] = p->count;
        p->turn[g] = turn;
        p->stack[n++] = g;
      }
      CQ_CHECK(ctx, p->turn[g] == turn, CQ_CONFIG,
               "%s: the surface is one-sided, as a Moebius strip, near %s", name,
               cq_point_words(s->vertices + (size_t)s->faces[side] * (size_t)s->dim, s->dim).text);
    }
  }
  p->count++;
  return CQ_OK;
}

/* Numbers the pieces, and turns their faces so that all of a piece agree. */
static cq_status find_pieces(cq_ctx *ctx, const char *name, cq_surface *s, const int *twins,
                             pieces *p) {
  for (int f = 0; f < s->n_faces; f++) {
    p->piece[f] = -1;
  }
  for (int f = 0; f < s->n_faces; f++) {
    if (p->piece[f] < 0) {
      CQ_TRY(fill(ctx, name, s, twins, f, p));
    }
  }
  CQ_CHECK(ctx, p->count <= MOST_PIECES, CQ_CONFIG, "%s: has %d separate pieces; at most %d", name,
           p->count, (int)MOST_PIECES);
  for (int f = 0; f < s->n_faces; f++) {
    if (p->turn[f]) {
      turn_face(s, f);
    }
  }
  return CQ_OK;
}

/* The part of the full angle about x that a face takes up, positive where it goes round
 * counterclockwise seen from outside (van Oosterom and Strackee 1983). */
static double angle_of(const cq_surface *s, int f, const double *x) {
  static const double pi = 3.14159265358979323846;
  double r[3][3] = {{0}}, length[3] = {0}, dot[3] = {0};
  for (int k = 0; k < s->dim; k++) {
    const int v = s->faces[s->dim * f + k];
    for (int a = 0; a < s->dim; a++) {
      r[k][a] = s->vertices[(size_t)v * (size_t)s->dim + (size_t)a] - x[a];
      length[k] += r[k][a] * r[k][a];
    }
    length[k] = sqrt(length[k]);
  }
  for (int k = 0; k < 3; k++) {
    for (int a = 0; a < 3; a++) {
      dot[k] += r[k][a] * r[(k + 1) % 3][a];
    }
  }
  if (s->dim == 2) {
    return atan2(r[0][0] * r[1][1] - r[0][1] * r[1][0], dot[0]) / (2.0 * pi);
  }
  const double volume = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
                        r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                        r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  const double below = length[0] * length[1] * length[2] + dot[0] * length[2] + dot[1] * length[0] +
                       dot[2] * length[1];
  return 2.0 * atan2(volume, below) / (4.0 * pi);
}

/* Of each piece: how often the others go round a vertex of it, and dim! times its own volume. */
typedef struct nest {
  double *around, *volume, *one; /* [count], [count], [count] */
  int *face;                     /* [count] one of its faces */
} nest;

static double volume_of(const cq_surface *s, int f, const double *about) {
  double r[3][3] = {{0}};
  for (int k = 0; k < s->dim; k++) {
    const double *x = s->vertices + (size_t)s->faces[s->dim * f + k] * (size_t)s->dim;
    for (int a = 0; a < s->dim; a++) {
      r[k][a] = x[a] - about[a];
    }
  }
  return s->dim == 2 ? r[0][0] * r[1][1] - r[0][1] * r[1][0]
                     : r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
                           r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

/* Inside is what an odd number of pieces goes round: such a piece has its inside there, and the
 * next one inwards its outside. Pieces do not cross, so that any point of one tells. */
static void nest_pieces(const cq_surface *s, const pieces *p, nest *at) {
  for (int f = s->n_faces - 1; f >= 0; f--) {
    at->face[p->piece[f]] = f;
  }
  for (int f = 0; f < s->n_faces; f++) {
    const int first = s->faces[s->dim * at->face[p->piece[f]]];
    at->volume[p->piece[f]] += volume_of(s, f, s->vertices + (size_t)first * (size_t)s->dim);
  }
  for (int c = 0; c < p->count && p->count > 1; c++) {
    const double *x = s->vertices + (size_t)s->faces[s->dim * at->face[c]] * (size_t)s->dim;
    memset(at->one, 0, (size_t)p->count * sizeof *at->one);
    for (int f = 0; f < s->n_faces; f++) {
      at->one[p->piece[f]] += p->piece[f] == c ? 0.0 : angle_of(s, f, x);
    }
    for (int other = 0; other < p->count; other++) {
      at->around[c] += fabs(at->one[other]) > 0.5 ? 1.0 : 0.0;
    }
  }
}

/* Turns those pieces that are inside out. */
static cq_status turn_pieces(cq_ctx *ctx, const char *name, cq_surface *s, pieces *p) {
  nest at = {0};
  double *numbers = NULL;
  cq_status status = CQ_ALLOC(ctx, numbers, 3 * p->count);
  status = status == CQ_OK ? CQ_ALLOC(ctx, at.face, p->count) : status;
  if (status == CQ_OK) {
    at.around = numbers;
    at.volume = numbers + p->count;
    at.one = numbers + 2 * p->count;
    nest_pieces(s, p, &at);
  }
  for (int f = 0; f < s->n_faces && status == CQ_OK; f++) {
    const int c = p->piece[f];
    const bool hole = fmod(at.around[c], 2.0) > 0.5;
    status = at.volume[c] != 0.0
                 ? CQ_OK
                 : CQ_FAIL(ctx, CQ_CONFIG, "%s: the piece at %s encloses nothing", name,
                           cq_point_words(
                               s->vertices + (size_t)s->faces[s->dim * f] * (size_t)s->dim, s->dim)
                               .text);
    if ((at.volume[c] < 0.0) != hole) {
      turn_face(s, f);
      p->turn[f] ^= 1;
    }
  }
  cq_free(ctx, numbers);
  cq_free(ctx, at.face);
  return status;
}

/* --- corners and crossings
 * -------------------------------------------------------------------------------- */

/* All faces at a vertex must follow each other around it: two bodies that touch there alone have no
 * side that is outside. The surface is consistent by now. */
static cq_status check_corners(cq_ctx *ctx, const char *name, const cq_surface *s, int *left) {
  int *twins = NULL;
  CQ_TRY(cq_mesh_sides(ctx, name, s, &twins));
  for (int i = 0; i < 3 * s->n_faces; i++) {
    left[s->faces[i]]++;
  }
  cq_status status = CQ_OK;
  for (int i = 0; i < 3 * s->n_faces && status == CQ_OK; i++) {
    const int v = s->faces[i];
    for (int side = i; left[v] > 0; side = twins[side] / 3 * 3 + (twins[side] + 1) % 3) {
      left[v]--;
      if (twins[side] / 3 * 3 + (twins[side] + 1) % 3 == i) {
        break;
      }
    }
    status = left[v] == 0 ? CQ_OK
                          : CQ_FAIL(ctx, CQ_CONFIG,
                                    "%s: the surface touches itself at the corner %s; part what "
                                    "meets there, or join it along faces",
                                    name, cq_point_words(s->vertices + 3 * (size_t)v, 3).text);
  }
  cq_free(ctx, twins);
  return status;
}

/* By a mesh for the time being, whose tree says which faces are near each other. */
static cq_status check_crossings(cq_ctx *ctx, const char *name, const cq_surface *s) {
  const double still[3] = {0.0, 0.0, 0.0};
  const cq_mesh *mesh = NULL;
  void *memory = NULL;
  int f = 0;
  CQ_TRY(cq_alloc(ctx, &memory, cq_mesh_bytes(s), 1));
  cq_status status = cq_mesh_make(ctx, s, 1.0, still, memory, &mesh);
  if (status == CQ_OK && cq_mesh_crosses(mesh, &f)) {
    double center[3] = {0};
    for (int k = 0; k < 3 * s->dim; k++) {
      center[k % 3] += mesh_corner(mesh, f, k / 3)[k % 3] / s->dim;
    }
    status =
        CQ_FAIL(ctx, CQ_CONFIG,
                "%s: the %s crosses or touches itself near %s; make one body of those that "
                "overlap there, or part them",
                name, s->dim == 2 ? "outline" : "surface", cq_point_words(center, s->dim).text);
  }
  cq_free(ctx, memory);
  return status;
}

static cq_status orient(cq_ctx *ctx, const char *name, cq_surface *s, const int *twins, pieces *p) {
  int *left = NULL;
  CQ_TRY(find_pieces(ctx, name, s, twins, p));
  if (s->dim == 3) {
    CQ_TRY(CQ_ALLOC(ctx, left, s->n_vertices));
    const cq_status status = check_corners(ctx, name, s, left);
    cq_free(ctx, left);
    CQ_TRY(status);
  }
  CQ_TRY(check_crossings(ctx, name, s));
  return turn_pieces(ctx, name, s, p);
}

/* Vertices, sides, pieces, crossings, outsides, in this order: each needs those before. */
cq_status cq_surface_mend(cq_ctx *ctx, const char *name, cq_surface *s, int *turned) {
  pieces p = {0};
  int *twins = NULL;
  *turned = 0;
  CQ_TRY(tidy(ctx, name, s));
  CQ_TRY(cq_mesh_sides(ctx, name, s, &twins));
  cq_status status = CQ_ALLOC(ctx, p.piece, s->n_faces);
  status = status == CQ_OK ? CQ_ALLOC(ctx, p.turn, s->n_faces) : status;
  status = status == CQ_OK ? CQ_ALLOC(ctx, p.stack, s->n_faces) : status;
  status = status == CQ_OK ? orient(ctx, name, s, twins, &p) : status;
  for (int f = 0; f < s->n_faces && status == CQ_OK; f++) {
    *turned += p.turn[f];
  }
  cq_free(ctx, twins);
  cq_free(ctx, p.piece);
  cq_free(ctx, p.turn);
  cq_free(ctx, p.stack);
  return status;
}
