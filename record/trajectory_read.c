#include "h5.h"
#include "layout.h"

#include "alloc.h"
#include "status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { NAME = 128, TITLE = 512, MOST_FIELDS = 64 };

/* an open file; what the caller sees comes first */
typedef struct reader {
  cq_trajectory shown;
  cq_ctx *ctx;
  h5_file file;
  char path[4096], problem[NAME], title[TITLE];
  char (*body_names)[NAME];
  const char **bodies;
  int *body, *steps;
  double *times;
  int n_fields;
  bool fixed; /* of the group whose fields are read */
  cq_cover cover;
  cq_moving moving;
  char (*mover_names)[NAME];
  const char **movers;
  cq_trajectory_field fields[MOST_FIELDS];
  char names[MOST_FIELDS][NAME], units[MOST_FIELDS][NAME];
} reader;

static cq_status wrong(const reader *r, const char *name, const char *what) {
  return CQ_FAIL(r->ctx, CQ_IO, "%s: /%s %s", r->path, name, what);
}

/* the length of a list */
static cq_status find_list(reader *r, const char *name, hid_t *dataset, int *count) {
  h5_shape shape;
  CQ_TRY(h5_find(&r->file, name, dataset, &shape));
  *count = (int)shape.size[0];
  if (shape.n_axes != 1 || shape.size[0] > INT_MAX) {
    H5Dclose(*dataset);
    return wrong(r, name, "is no list");
  }
  return CQ_OK;
}

static cq_status read_list(reader *r, const char *name, hid_t type, size_t size, int *count,
                           void **values) {
  hid_t dataset = H5I_INVALID_HID;
  CQ_TRY(find_list(r, name, &dataset, count));
  cq_status status = cq_alloc(r->ctx, values, (size_t)*count, size);
  status = status == CQ_OK ? h5_read(&r->file, dataset, name, type, *values) : status;
  H5Dclose(dataset);
  return status;
}

/* What the file is and when its frames are; refuses one that this program cannot read. */
static cq_status read_head(reader *r) {
  cq_trajectory_def *const def = &r->shown.def;
  int version = 0, n_steps = 0;
  CQ_TRY(h5_get_int(&r->file, r->file.id, "cqopt_trajectory", &version));
  CQ_CHECK(r->ctx, version == CQ_TRAJECTORY_VERSION, CQ_IO,
           "%s: a trajectory of version %d; this program reads version %d", r->path, version,
           CQ_TRAJECTORY_VERSION);
  CQ_TRY(h5_get_int(&r->file, r->file.id, "dimension", &def->dimension));
  CQ_CHECK(r->ctx, def->dimension == 2 || def->dimension == 3, CQ_IO,
           "%s: dimension = %d must be 2 or 3", r->path, def->dimension);
  CQ_TRY(h5_get_text(&r->file, r->file.id, "problem", r->problem, NAME));
  CQ_TRY(h5_get_text(&r->file, r->file.id, "title", r->title, TITLE));
  def->problem = r->problem;
  def->title = r->title;
  CQ_TRY(read_list(r, "time", H5T_NATIVE_DOUBLE, sizeof(double), &r->shown.n_frames,
                   (void **)&r->times));
  CQ_TRY(read_list(r, "step", H5T_NATIVE_INT, sizeof(int), &n_steps, (void **)&r->steps));
  r->shown.time = r->times;
  r->shown.step = r->steps;
  if (n_steps != r->shown.n_frames) {
    return wrong(r, "step", "is not as long as /time");
  }
  for (int i = 0; i < r->shown.n_frames; i++) {
    if (!isfinite(r->times[i]) || (i > 0 && r->times[i] < r->times[i - 1])) {
      return wrong(r, "time", "does not ascend");
    }
  }
  return CQ_OK;
}

/* Checks once that every particle's body has a name, so that callers may look it up unchecked. */
static cq_status read_bodies(reader *r) {
  cq_trajectory_def *const def = &r->shown.def;
  hid_t dataset = H5I_INVALID_HID;
  CQ_TRY(read_list(r, "body", H5T_NATIVE_INT, sizeof(int), &def->n_particles, (void **)&r->body));
  CQ_TRY(find_list(r, "bodies", &dataset, &def->n_bodies));
  H5Dclose(dataset);
  CQ_TRY(CQ_ALLOC(r->ctx, r->body_names, def->n_bodies));
  CQ_TRY(CQ_ALLOC(r->ctx, r->bodies, def->n_bodies));
  CQ_TRY(h5_get_list(&r->file, "bodies", NAME, (char *)r->body_names));
  for (int i = 0; i < def->n_bodies; i++) {
    r->bodies[i] = r->body_names[i];
  }
  for (int p = 0; p < def->n_particles; p++) {
    if (r->body[p] < 0 || r->body[p] >= def->n_bodies) {
      return wrong(r, "body", "names a body that is not in /bodies");
    }
  }
  def->bodies = r->bodies;
  def->body = r->body;
  return CQ_OK;
}

/* Takes an open dataset for a field by its shape. */
static cq_status take_field(reader *r, hid_t dataset, const h5_shape *shape, const char *name) {
  const int i = r->n_fields;
  hsize_t components = 1;
  for (int a = 1; a < shape->n_axes; a++) {
    components *= shape->size[a];
  }
  if (shape->n_axes < 1 || shape->size[0] != (hsize_t)r->shown.def.n_particles || components < 1 ||
      components > 1024) {
    return wrong(r, name, "has not a number, or a few, for each particle");
  }
  CQ_CHECK(r->ctx, i < MOST_FIELDS && strlen(name) < NAME, CQ_IO, "%s: too many fields", r->path);
  CQ_TRY(h5_get_text(&r->file, dataset, "unit", r->units[i], NAME));
  snprintf(r->names[i], NAME, "%s", name);
  r->fields[i] = (cq_trajectory_field){r->names[i], r->units[i], (int)components, r->fixed};
  r->n_fields++;
  return CQ_OK;
}

/* Called for each name in a group: all but the layout's own are fields. -1 ends the walk. */
static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *user) {
  static const char *const others[] = {"time",
                                       "step",
                                       "bodies",
                                       "body",
                                       "particle",
                                       "frames",
                                       CQ_TRAJECTORY_SURFACE,
                                       CQ_TRAJECTORY_MOVERS,
                                       CQ_TRAJECTORY_CAMERAS};
  reader *const r = user;
  (void)group;
  (void)info;
  for (size_t i = 0; r->fixed && i < sizeof others / sizeof *others; i++) {
    if (strcmp(name, others[i]) == 0) {
      return 0;
    }
  }
  const cq_trajectory_field field = {.name = name, .fixed = r->fixed};
  char path[CQ_TRAJECTORY_NAME];
  hid_t dataset = H5I_INVALID_HID;
  h5_shape shape;
  trajectory_path(&field, 0, path);
  if (h5_find(&r->file, path, &dataset, &shape) != CQ_OK) {
    return -1;
  }
  const cq_status status = take_field(r, dataset, &shape, name);
  H5Dclose(dataset);
  return status == CQ_OK ? 0 : -1;
}

static cq_status read_fields(reader *r, bool fixed, const char *group) {
  r->fixed = fixed;
  H5_TRY(&r->file,
         H5Literate_by_name(r->file.id, group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, r,
                            H5P_DEFAULT),
         "read", group);
  return CQ_OK;
}

/* An array of the surface of `rows` rows, as many as there are (0: as many as it has). */
static cq_status read_part(reader *r, const char *name, hid_t type, int rows, int columns,
                           int *found, void **values) {
  hid_t dataset = H5I_INVALID_HID;
  h5_shape shape;
  CQ_TRY(h5_find(&r->file, name, &dataset, &shape));
  const bool fits = shape.n_axes == 2 && shape.size[0] < INT_MAX / 64 &&
                    shape.size[1] == (hsize_t)columns &&
                    (rows == 0 || shape.size[0] == (hsize_t)rows);
  cq_status status = fits ? cq_alloc(r->ctx, values, shape.size[0] * (size_t)columns, 4)
                          : wrong(r, name, "has not the size of a surface");
  status = status == CQ_OK ? h5_read(&r->file, dataset, name, type, *values) : status;
  *found = fits ? (int)shape.size[0] : 0;
  H5Dclose(dataset);
  return status;
}

/* The surface, where the file has one: files of before have none. */
static cq_status read_surface(reader *r) {
  cq_cover *const c = &r->cover;
  int rows = 0;
  c->dim = r->shown.def.dimension;
  if (H5Lexists(r->file.id, CQ_TRAJECTORY_SURFACE, H5P_DEFAULT) <= 0) {
    return CQ_OK;
  }
  CQ_TRY(read_part(r, CQ_TRAJECTORY_SURFACE "/faces", H5T_NATIVE_INT, 0, c->dim, &c->n_faces,
                   (void **)&c->faces));
  CQ_TRY(read_part(r, CQ_TRAJECTORY_SURFACE "/carriers", H5T_NATIVE_INT, 0, CQ_COVER_CARRIERS,
                   &c->n_vertices, (void **)&c->carriers));
  CQ_TRY(read_part(r, CQ_TRAJECTORY_SURFACE "/weights", H5T_NATIVE_FLOAT, c->n_vertices,
                   CQ_COVER_CARRIERS, &rows, (void **)&c->weights));
  if (!cq_cover_is_right(c, r->shown.def.n_particles)) {
    return wrong(r, CQ_TRAJECTORY_SURFACE, "names a particle or vertex that is not there");
  }
  r->shown.def.cover = c->n_faces > 0 ? c : NULL;
  return CQ_OK;
}

/* The names of what moves; files of before have none. */
static cq_status read_movers(reader *r) {
  static const char names[] = CQ_TRAJECTORY_MOVERS "/names";
  hid_t dataset = H5I_INVALID_HID;
  if (H5Lexists(r->file.id, CQ_TRAJECTORY_MOVERS, H5P_DEFAULT) <= 0) {
    return CQ_OK;
  }
  CQ_TRY(find_list(r, names, &dataset, &r->moving.n));
  H5Dclose(dataset);
  CQ_TRY(CQ_ALLOC(r->ctx, r->mover_names, r->moving.n));
  CQ_TRY(CQ_ALLOC(r->ctx, r->movers, r->moving.n));
  CQ_TRY(h5_get_list(&r->file, names, NAME, (char *)r->mover_names));
  for (int i = 0; i < r->moving.n; i++) {
    r->movers[i] = r->mover_names[i];
  }
  r->moving.names = r->movers;
  r->shown.def.moving = &r->moving;
  return CQ_OK;
}

/* Reads and checks them. */
cq_status cq_trajectory_maps(cq_trajectory *trajectory, int frame, double *maps) {
  reader *const r = (reader *)trajectory;
  char name[48];
  hid_t dataset = H5I_INVALID_HID;
  h5_shape shape;
  snprintf(name, sizeof name, CQ_TRAJECTORY_MOVERS_FRAME "/map", frame);
  CQ_TRY(h5_find(&r->file, name, &dataset, &shape));
  const bool fits =
      shape.n_axes == 2 && shape.size[0] == (hsize_t)r->moving.n && shape.size[1] == CQ_MAP;
  cq_status status = fits ? h5_read(&r->file, dataset, name, H5T_NATIVE_DOUBLE, maps)
                          : wrong(r, name, "has not twelve numbers for each mover");
  H5Dclose(dataset);
  for (int i = 0; i < r->moving.n * CQ_MAP && status == CQ_OK; i++) {
    status = isfinite(maps[i]) ? CQ_OK : wrong(r, name, "has something that is no number");
  }
  return status;
}

static cq_status read_all(reader *r) {
  char first[32];
  CQ_TRY(h5_open(&r->file));
  CQ_TRY(read_head(r));
  CQ_TRY(read_bodies(r));
  CQ_TRY(read_surface(r));
  CQ_TRY(read_movers(r));
  snprintf(first, sizeof first, CQ_TRAJECTORY_FRAME, 0);
  CQ_TRY(read_fields(r, true, "."));
  CQ_TRY(read_fields(r, false, first));
  r->shown.def.n_fields = r->n_fields;
  r->shown.def.fields = r->fields;
  const int x = cq_trajectory_find(&r->shown, "x");
  return x >= 0 && r->fields[x].components == 3 ? CQ_OK : wrong(r, first, "has no positions x");
}

/* HDF5 is entered once for all that is read, and left whatever becomes of it. */
cq_status cq_trajectory_open(cq_ctx *ctx, const char *path, cq_trajectory **out) {
  *out = NULL;
  reader *r = NULL;
  CQ_TRY(CQ_ALLOC(ctx, r, 1));
  r->ctx = ctx;
  snprintf(r->path, sizeof r->path, "%s", path);
  r->file = (h5_file){ctx, r->path, H5I_INVALID_HID};
  h5_enter();
  const cq_status status = read_all(r);
  h5_leave();
  if (status != CQ_OK) {
    cq_trajectory_free(&r->shown);
    return status;
  }
  *out = &r->shown;
  return CQ_OK;
}

int cq_trajectory_find(const cq_trajectory *trajectory, const char *name) {
  for (int i = 0; i < trajectory->def.n_fields; i++) {
    if (strcmp(trajectory->def.fields[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* A field must have as many numbers as in the first frame: `values` has room for no more. */
static cq_status read_frame(reader *r, int i, int frame, double *values) {
  const cq_trajectory_field *const field = &r->fields[i];
  char path[CQ_TRAJECTORY_NAME];
  hid_t dataset = H5I_INVALID_HID;
  h5_shape shape;
  CQ_CHECK(r->ctx, frame >= 0 && frame < r->shown.n_frames, CQ_USAGE,
           "%s: there are frames 0 to %d, not %d", r->path, r->shown.n_frames - 1, frame);
  trajectory_path(field, frame, path);
  CQ_TRY(h5_find(&r->file, path, &dataset, &shape));
  hsize_t numbers = 1;
  for (int a = 0; a < shape.n_axes; a++) {
    numbers *= shape.size[a];
  }
  const bool fits =
      shape.n_axes > 0 && numbers == (hsize_t)r->shown.def.n_particles * (hsize_t)field->components;
  const cq_status status = fits ? h5_read(&r->file, dataset, path, H5T_NATIVE_DOUBLE, values)
                                : wrong(r, path, "has not the size of the first frame");
  H5Dclose(dataset);
  return status;
}

cq_status cq_trajectory_read(cq_trajectory *trajectory, int i, int frame, double *values) {
  h5_enter();
  const cq_status status = read_frame((reader *)trajectory, i, frame, values);
  h5_leave();
  return status;
}

/* Also cleans up after an opening that failed: what it did not reach is empty. */
void cq_trajectory_free(cq_trajectory *trajectory) {
  reader *const r = (reader *)trajectory;
  if (r == NULL) {
    return;
  }
  cq_ctx *const ctx = r->ctx;
  h5_enter();
  h5_close(&r->file);
  h5_leave();
  cq_cover_free(ctx, &r->cover);
  cq_free(ctx, r->mover_names);
  cq_free(ctx, r->movers);
  cq_free(ctx, r->body_names);
  cq_free(ctx, r->bodies);
  cq_free(ctx, r->body);
  cq_free(ctx, r->steps);
  cq_free(ctx, r->times);
  cq_free(ctx, r);
}
