/* Shapes that a file or two tables give: meshes in 3D, outlines in 2D. */
#include "alloc.h"
#include "csv.h"
#include "scene.h"
#include "status.h"
#include "surface.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct reader {
  cq_scene *scene;
  const cq_node *section;
  const cq_shape_keys *keys;
  cq_surface surface;
} reader;

#define MESH_CHECK(r, cond, key, ...)                                                              \
  do {                                                                                             \
    (void)sizeof((r)->keys->key);                                                                  \
    if (!(cond)) {                                                                                 \
      return cq_config_fail((r)->scene->ctx, (r)->section, #key, __VA_ARGS__);                     \
    }                                                                                              \
  } while (0)

static cq_status make_room(reader *r, int n_vertices, int n_faces) {
  const int dim = r->scene->config.dim;
  r->surface = (cq_surface){.dim = dim, .n_vertices = n_vertices, .n_faces = n_faces};
  CQ_TRY(CQ_ALLOC(r->scene->ctx, r->surface.vertices, (size_t)n_vertices * (size_t)dim));
  return CQ_ALLOC(r->scene->ctx, r->surface.faces, (size_t)n_faces * (size_t)dim);
}

/* From the keys vertices and faces. */
static cq_status read_tables(reader *r) {
  const cq_table *vertices = &r->keys->vertices, *faces = &r->keys->faces;
  const int dim = r->scene->config.dim;
  MESH_CHECK(r, vertices->rows > 0 && faces->rows > 0, file, "give file, or vertices and faces");
  MESH_CHECK(r, vertices->columns == dim, vertices, "a row must be a point, %d numbers", dim);
  MESH_CHECK(r, faces->columns == dim, faces, "a row is %s",
             dim == 2 ? "an edge, two vertices" : "a triangle, three vertices");
  CQ_TRY(make_room(r, vertices->rows, faces->rows));
  memcpy(r->surface.vertices, vertices->values,
         (size_t)vertices->rows * (size_t)dim * sizeof *vertices->values);
  for (size_t i = 0; i < (size_t)faces->rows * (size_t)dim; i++) {
    const double v = faces->values[i];
    MESH_CHECK(r, v >= 0.0 && v < vertices->rows && v == floor(v), faces,
               "%g is no vertex; there are %d (the first is 0)", v, vertices->rows);
    r->surface.faces[i] = (int)v;
  }
  return CQ_OK;
}

/* The points of a loop follow each other in a file, and the last is joined to the first. */
static cq_status read_outline(reader *r) {
  static const cq_csv_column columns[] = {
      {"x", "", true, 0.0}, {"y", "", true, 0.0}, {"loop", "", false, 0.0}};
  cq_table table = {0};
  CQ_TRY(
      cq_csv_read(&r->scene->arena, r->section, "file", r->scene->folder, 2, columns, 3, &table));
  CQ_TRY(make_room(r, table.rows, table.rows));
  for (int i = 0, first = 0; i < table.rows; i++) {
    const double *row = table.values + 3 * i;
    const bool last = i + 1 == table.rows || row[3 + 2] != row[2];
    memcpy(r->surface.vertices + 2 * i, row, 2 * sizeof *row);
    r->surface.faces[2 * i] = i;
    r->surface.faces[2 * i + 1] = last ? first : i + 1;
    first = last ? i + 1 : first;
  }
  return CQ_OK;
}

/* Does the name of the file end so? */
static bool ends(const reader *r, const char *with) {
  const char *end = strrchr(r->keys->file, '.');
  return end != NULL && strcasecmp(end, with) == 0;
}

/* By the end of its name, which says what there is in 2D and in 3D. */
static cq_status read_file(reader *r) {
  const cq_node *node = cq_node_find(r->section, "file");
  const char *path = NULL, *where = NULL;
  const bool flat = r->scene->config.dim == 2;
  MESH_CHECK(r, r->keys->vertices.rows == 0 && r->keys->faces.rows == 0, file,
             "give file, or vertices and faces");
  MESH_CHECK(r, !flat || ends(r, ".csv") || ends(r, ".png") || ends(r, ".pgm"), file,
             "in 2D the file is an outline, .csv, or a picture, .png or .pgm");
  MESH_CHECK(r, flat || ends(r, ".stl") || ends(r, ".obj") || ends(r, ".ply"), file,
             "in 3D the file is a mesh, .stl, .obj or .ply");
  if (flat && ends(r, ".csv")) {
    return read_outline(r);
  }
  CQ_TRY(cq_node_file(&r->scene->arena, node, r->scene->folder, &path));
  CQ_TRY(cq_arena_text(&r->scene->arena, &where, "%s: %s: ", cq_node_where(node).text,
                       cq_node_path(node).text));
  return (flat ? cq_mask_read : cq_surface_read)(r->scene->ctx, path, where, &r->surface);
}

/* What was read goes to the settings, where it needs no file and no mending. */
static cq_status put_tables(reader *r) {
  cq_arena *arena = &r->scene->arena;
  const cq_surface *s = &r->surface;
  cq_table vertices = {s->n_vertices, s->dim, NULL}, faces = {s->n_faces, s->dim, NULL};
  double *numbers = NULL;
  CQ_TRY(CQ_ARENA(arena, numbers, (size_t)s->n_faces * (size_t)s->dim));
  for (size_t i = 0; i < (size_t)s->n_faces * (size_t)s->dim; i++) {
    numbers[i] = s->faces[i];
  }
  vertices.values = s->vertices;
  faces.values = numbers;
  CQ_TRY(cq_config_inline(arena, r->section, "file", "vertices", &vertices));
  CQ_TRY(cq_config_inline(arena, r->section, NULL, "faces", &faces));
  cq_node_find(r->section, "faces")->was = "file";
  return CQ_OK;
}

static cq_status mend(reader *r) {
  cq_ctx *ctx = r->scene->ctx;
  const cq_node *node = cq_node_find(r->section, r->keys->file != NULL ? "file" : "faces");
  const char *name = NULL;
  int turned = 0;
  CQ_TRY(cq_arena_text(&r->scene->arena, &name, "%s: %s%s%s", cq_node_where(node).text,
                       cq_node_path(node).text, r->keys->file != NULL ? ": " : "",
                       r->keys->file != NULL ? r->keys->file : ""));
  CQ_TRY(cq_surface_mend(ctx, name, &r->surface, &turned));
  if (turned > 0) {
    cq_log(ctx, CQ_LOG_WARNING, "%s: %d of %d faces were inside out; they are turned", name, turned,
           r->surface.n_faces);
  }
  return r->keys->file != NULL ? put_tables(r) : CQ_OK;
}

/* Where the bounds begin, times scale, and how large they are. */
static void bounds_of(const reader *r, double *low, double *size) {
  const cq_surface *s = &r->surface;
  for (int a = 0; a < s->dim; a++) {
    double least = INFINITY, largest = -INFINITY;
    for (int i = 0; i < s->n_vertices; i++) {
      least = fmin(least, s->vertices[i * s->dim + a]);
      largest = fmax(largest, s->vertices[i * s->dim + a]);
    }
    low[a] = r->keys->scale * least;
    size[a] = r->keys->scale * (largest - least);
  }
}

/* Moved so that the bounds begin at low, or have center in their middle. */
static cq_status place(reader *r, cq_shape *shape) {
  const cq_shape_keys *keys = r->keys;
  const bool has_low = !isnan(keys->low[0]), has_center = !isnan(keys->center[0]);
  double low[3] = {0}, size[3] = {0}, shift[3] = {0};
  char *memory = NULL;
  MESH_CHECK(r, !has_low || !has_center, low, "give either low or center");
  bounds_of(r, low, size);
  for (int a = 0; a < shape->dim && (has_low || has_center); a++) {
    shift[a] = (has_low ? keys->low[a] : keys->center[a] - 0.5 * size[a]) - low[a];
  }
  CQ_TRY(CQ_ARENA(&r->scene->arena, memory, cq_mesh_bytes(&r->surface)));
  CQ_TRY(cq_mesh_make(r->scene->ctx, &r->surface, keys->scale, shift, memory, &shape->mesh));
  if (keys->cells > 0) {
    CQ_TRY(CQ_ARENA(&r->scene->arena, memory, cq_sdf_bytes(shape, keys->cells)));
    shape->sdf = cq_sdf_make(shape, keys->cells, memory);
  }
  return CQ_OK;
}

cq_status cq_scene_read_mesh(cq_scene *scene, const cq_node *section, const cq_shape_keys *keys,
                             cq_shape *shape) {
  reader r = {.scene = scene, .section = section, .keys = keys};
  cq_status status = keys->file != NULL ? read_file(&r) : read_tables(&r);
  status = status == CQ_OK ? mend(&r) : status;
  status = status == CQ_OK ? place(&r, shape) : status;
  cq_surface_free(scene->ctx, &r.surface);
  return status;
}
