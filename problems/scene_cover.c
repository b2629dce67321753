#include "scene_cover.h"

#include "alloc.h"
#include "near.h"
#include "outline.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* --- which bodies --- */

static bool is_outline(const cq_shape *shape) {
  return shape->kind == CQ_SHAPE_mesh || shape->kind == CQ_SHAPE_polygon;
}

bool cq_body_has_cover(const cq_body *body) {
  const cq_shape *const shape = &body->shape;
  bool has = is_outline(shape) || (shape->kind == CQ_SHAPE_composite && shape->n_parts > 0);
  for (int i = 0; i < shape->n_parts && shape->kind == CQ_SHAPE_composite; i++) {
    has = has && !shape->parts[i].subtract && is_outline(&shape->parts[i].shape);
  }
  return has && body->count > 0 && !body->flows && body->keys->sampling != CQ_SAMPLING_POINTS;
}

static int count_covered(const cq_scene *scene) {
  int count = 0;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    count += cq_body_has_cover(&scene->bodies[b]);
  }
  return count;
}

double cq_scene_cover_bytes(const cq_scene *scene) {
  const cq_cover most = {
      .dim = scene->model.dim, .n_vertices = CQ_COVER_FACES, .n_faces = CQ_COVER_FACES};
  return count_covered(scene) > 0 ? cq_cover_bytes(&most) : 0.0;
}

/* --- carriers --- */

/* One body's particles among those that are kept. */
typedef struct carrying {
  const cq_scene *scene;
  const int *kept;
  int first, count; /* of them: kept[first ...] */
  double pitch;     /* about what they are apart [m] */
  cq_near near;
} carrying;

enum { MOST_FOUND = 1024 };

static double square_to(const carrying *c, int i, const double *vertex) {
  const int dim = c->scene->model.dim;
  const double *const x = c->scene->x + (size_t)c->kept[c->first + i] * (size_t)dim;
  double square = 0.0;
  for (int a = 0; a < dim; a++) {
    square += (x[a] - vertex[a]) * (x[a] - vertex[a]);
  }
  return square;
}

/* Keeps a particle if it is among the nearest. */
static int insert(int n, int *nearest, double *squares, int i, double square) {
  if (n == CQ_COVER_CARRIERS && square >= squares[n - 1]) {
    return n;
  }
  int at = n < CQ_COVER_CARRIERS ? n++ : n - 1;
  for (; at > 0 && squares[at - 1] > square; at--) {
    squares[at] = squares[at - 1];
    nearest[at] = nearest[at - 1];
  }
  squares[at] = square;
  nearest[at] = i;
  return n;
}

/* The nearest particles of a vertex; of all of the body where too few are near. */
static int find_carriers(const carrying *c, const double *vertex, int *nearest) {
  int found[MOST_FOUND], n = 0;
  double squares[CQ_COVER_CARRIERS];
  const int near = cq_near_find(&c->near, vertex, 3.0 * c->pitch, MOST_FOUND, found);
  const bool enough = near >= CQ_COVER_CARRIERS && near < MOST_FOUND;
  for (int k = 0; k < (enough ? near : c->count); k++) {
    const int i = enough ? found[k] : k;
    n = insert(n, nearest, squares, i, square_to(c, i, vertex));
  }
  return n;
}

/* Carriers and weights of the vertices from `first` on, which stand in outline->vertices. */
static void carry(const carrying *c, const cq_outline *outline, int first, cq_cover *out) {
  const int dim = c->scene->model.dim;
  for (int v = 0; v < outline->n_vertices; v++) {
    const double *const vertex = outline->vertices + (size_t)v * (size_t)dim;
    const size_t at = (size_t)(first + v) * CQ_COVER_CARRIERS;
    double places[3 * CQ_COVER_CARRIERS];
    int nearest[CQ_COVER_CARRIERS];
    const int n = find_carriers(c, vertex, nearest);
    for (int i = 0; i < CQ_COVER_CARRIERS; i++) {
      out->carriers[at + (size_t)i] = c->first + nearest[i < n ? i : 0];
    }
    for (int i = 0; i < n; i++) {
      const size_t p = (size_t)c->kept[c->first + nearest[i]];
      memcpy(places + i * dim, c->scene->x + p * (size_t)dim, (size_t)dim * sizeof *places);
    }
    cq_cover_weigh(dim, n, places, vertex, out->weights + at);
  }
}

/* About the distance of a body's particles: that of so many in the box around them. */
static double find_pitch(const carrying *c) {
  const int dim = c->scene->model.dim;
  double room = 1.0;
  for (int a = 0; a < dim; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < c->count; i++) {
      const double x = c->scene->x[c->kept[c->first + i] * dim + a];
      low = fmin(low, x);
      high = fmax(high, x);
    }
    room *= fmax(high - low, 1e-12);
  }
  return pow(room / c->count, 1.0 / dim);
}

/* Which of the kept particles a body has. */
static carrying particles_of(const cq_scene *scene, const cq_body *body, int n, const int *kept) {
  carrying c = {.scene = scene, .kept = kept};
  for (int k = 0; k < n; k++) {
    const bool of_body = kept[k] >= body->first && kept[k] < body->first + body->count;
    c.first += kept[k] < body->first;
    c.count += of_body;
  }
  c.pitch = c.count > 0 ? find_pitch(&c) : 0.0;
  return c;
}

/* --- all bodies --- */

/* Appends an outline to the cover, with the body's particles as carriers. */
static cq_status append(carrying *c, const cq_outline *outline, int n_vertices, int n_faces,
                        cq_cover *out) {
  const size_t dim = (size_t)c->scene->model.dim;
  CQ_TRY(cq_near_create(c->scene->ctx, (int)dim, c->scene->x, c->kept + c->first, c->count,
                        3.0 * c->pitch, &c->near));
  carry(c, outline, n_vertices, out);
  for (size_t i = 0; i < (size_t)outline->n_faces * dim; i++) {
    out->faces[(size_t)n_faces * dim + i] = n_vertices + outline->faces[i];
  }
  cq_near_destroy(&c->near);
  return CQ_OK;
}

/* outlines [bodies]: made first, for what they have in all. */
static cq_status make(const cq_scene *scene, int n, const int *kept, cq_outline *outlines,
                      cq_cover *out) {
  const int covered = count_covered(scene);
  int n_vertices = 0, n_faces = 0;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const carrying c = particles_of(scene, &scene->bodies[b], n, kept);
    if (cq_body_has_cover(&scene->bodies[b]) && c.count > 0) {
      CQ_TRY(cq_outline_make(scene->ctx, &scene->bodies[b].shape, CQ_COVER_FACES / covered,
                             2.0 * c.pitch, &outlines[b]));
      n_vertices += outlines[b].n_vertices;
      n_faces += outlines[b].n_faces;
    }
  }
  CQ_TRY(cq_cover_create(scene->ctx, scene->model.dim, n_vertices, n_faces, out));
  n_vertices = n_faces = 0;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    carrying c = particles_of(scene, &scene->bodies[b], n, kept);
    if (outlines[b].n_faces > 0) {
      CQ_TRY(append(&c, &outlines[b], n_vertices, n_faces, out));
      n_vertices += outlines[b].n_vertices;
      n_faces += outlines[b].n_faces;
    }
  }
  return CQ_OK;
}

/* The surfaces of all bodies that have one, carried by the kept particles. */
cq_status cq_scene_cover(const cq_scene *scene, int n, const int *kept, cq_cover *out) {
  cq_outline *outlines = NULL;
  *out = (cq_cover){.dim = scene->model.dim};
  if (count_covered(scene) == 0) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, outlines, scene->config.bodies.count));
  const cq_status status = make(scene, n, kept, outlines, out);
  if (status != CQ_OK) {
    cq_cover_free(scene->ctx, out);
  }
  for (int b = 0; b < scene->config.bodies.count; b++) {
    cq_outline_free(scene->ctx, &outlines[b]);
  }
  cq_free(scene->ctx, outlines);
  return status;
}
