#include "h5.h"
#include "layout.h"
#include "xdmf.h"

#include "alloc.h"
#include "fresh.h"
#include "status.h"
#include "utf8.h"

#include <string.h>

enum { PATH = 4096 };

struct cq_trajectory_writer {
  cq_ctx *ctx;
  const cq_trajectory_def *def;
  h5_file file;
  int n_frames, room;
  double *times;  /* [room] */
  int *steps;     /* [room] */
  cq_fresh fresh; /* of the file that HDF5 writes by another name */
  char path[PATH], xdmf[PATH];
};

double cq_trajectory_bytes(const cq_trajectory_def *def, int n_frames) {
  double numbers = 0.0;
  for (int i = 0; i < def->n_fields; i++) {
    numbers += (double)def->fields[i].components * (def->fields[i].fixed ? 1 : n_frames);
  }
  const double surface = def->cover != NULL ? 12.0 * def->cover->n_vertices : 0.0;
  const double moving = def->moving != NULL ? 12.0 * def->moving->n_vertices : 0.0;
  return numbers * def->n_particles * (def->double_precision ? 8 : 4) +
         (surface + moving) * n_frames;
}

/* HDF5 gets texts of one length, as the layout has them: that of the longest name. */
static cq_status write_names(const cq_trajectory_writer *w, const char *at, int n,
                             const char *const *names) {
  size_t longest = 1;
  for (int i = 0; i < n; i++) {
    const size_t length = strlen(names[i]) + 1;
    longest = length > longest ? length : longest;
  }
  char *texts = NULL;
  CQ_TRY(cq_alloc(w->ctx, (void **)&texts, (size_t)n, longest));
  for (int i = 0; i < n; i++) {
    strcpy(texts + (size_t)i * longest, names[i]);
  }
  const cq_status status = h5_put_list(&w->file, at, n, longest, texts);
  cq_free(w->ctx, texts);
  return status;
}

static cq_status write_numbers(cq_trajectory_writer *w, const h5_shape *shape) {
  int *numbers = NULL;
  CQ_TRY(CQ_ALLOC(w->ctx, numbers, w->def->n_particles));
  for (int p = 0; p < w->def->n_particles; p++) {
    numbers[p] = p;
  }
  const cq_status status =
      h5_add(&w->file, "particle", H5T_STD_I32LE, shape, NULL, H5T_NATIVE_INT, numbers);
  cq_free(w->ctx, numbers);
  return status;
}

/* The surface but for its places, which change. A vertex is of the body of its nearest carrier. */
static cq_status write_surface(const cq_trajectory_writer *w, const cq_cover *cover) {
  const h5_file *const file = &w->file;
  const h5_shape faces = {2, {(hsize_t)cover->n_faces, (hsize_t)cover->dim}};
  const h5_shape vertices = {1, {(hsize_t)cover->n_vertices}};
  const h5_shape carriers = {2, {(hsize_t)cover->n_vertices, CQ_COVER_CARRIERS}};
  int *body = NULL;
  CQ_TRY(h5_add_group(file, CQ_TRAJECTORY_SURFACE));
  CQ_TRY(h5_add(file, CQ_TRAJECTORY_SURFACE "/faces", H5T_STD_I32LE, &faces, NULL, H5T_NATIVE_INT,
                cover->faces));
  CQ_TRY(h5_add(file, CQ_TRAJECTORY_SURFACE "/carriers", H5T_STD_I32LE, &carriers, NULL,
                H5T_NATIVE_INT, cover->carriers));
  CQ_TRY(h5_add(file, CQ_TRAJECTORY_SURFACE "/weights", H5T_IEEE_F32LE, &carriers, NULL,
                H5T_NATIVE_FLOAT, cover->weights));
  CQ_TRY(CQ_ALLOC(w->ctx, body, cover->n_vertices));
  for (int v = 0; v < cover->n_vertices; v++) {
    body[v] = w->def->body[cover->carriers[(size_t)v * CQ_COVER_CARRIERS]];
  }
  const cq_status status = h5_add(file, CQ_TRAJECTORY_SURFACE "/body", H5T_STD_I32LE, &vertices,
                                  NULL, H5T_NATIVE_INT, body);
  cq_free(w->ctx, body);
  return status;
}

/* The surface at a frame, by the places x [n_particles][3]. */
static cq_status write_vertices(const cq_trajectory_writer *w, int frame, const double *x) {
  const cq_cover *const cover = w->def->cover;
  const h5_shape shape = {2, {(hsize_t)cover->n_vertices, 3}};
  char name[32];
  double *places = NULL;
  snprintf(name, sizeof name, CQ_TRAJECTORY_SURFACE_FRAME, frame);
  CQ_TRY(CQ_ALLOC(w->ctx, places, 3 * (size_t)cover->n_vertices));
  cq_cover_place(cover, x, 3, places);
  const cq_status status =
      h5_add(&w->file, name, H5T_IEEE_F32LE, &shape, "m", H5T_NATIVE_DOUBLE, places);
  cq_free(w->ctx, places);
  return status;
}

/* What moves, but where it is. */
static cq_status write_movers(const cq_trajectory_writer *w, const cq_moving *m) {
  const h5_file *const file = &w->file;
  const h5_shape faces = {2, {(hsize_t)m->n_faces, (hsize_t)w->def->dimension}};
  const h5_shape vertices = {1, {(hsize_t)m->n_vertices}};
  CQ_TRY(h5_add_group(file, CQ_TRAJECTORY_MOVERS));
  CQ_TRY(write_names(w, CQ_TRAJECTORY_MOVERS "/names", m->n, m->names));
  CQ_TRY(h5_add(file, CQ_TRAJECTORY_MOVERS "/faces", H5T_STD_I32LE, &faces, NULL, H5T_NATIVE_INT,
                m->faces));
  return h5_add(file, CQ_TRAJECTORY_MOVERS "/mover", H5T_STD_I32LE, &vertices, NULL, H5T_NATIVE_INT,
                m->mover);
}

cq_status cq_trajectory_move(cq_trajectory_writer *w, int frame, const double *maps,
                             const double *vertices) {
  const cq_moving *const m = w->def->moving;
  const h5_shape places = {2, {(hsize_t)m->n_vertices, 3}}, map = {2, {(hsize_t)m->n, CQ_MAP}};
  char name[48];
  snprintf(name, sizeof name, CQ_TRAJECTORY_MOVERS_FRAME, frame);
  CQ_TRY(h5_add_group(&w->file, name));
  snprintf(name, sizeof name, CQ_TRAJECTORY_MOVERS_FRAME "/x", frame);
  CQ_TRY(h5_add(&w->file, name, H5T_IEEE_F32LE, &places, "m", H5T_NATIVE_DOUBLE, vertices));
  snprintf(name, sizeof name, CQ_TRAJECTORY_MOVERS_FRAME "/map", frame);
  return h5_add(&w->file, name, H5T_IEEE_F64LE, &map, "m", H5T_NATIVE_DOUBLE, maps);
}

static void name_images(const cq_recorded_camera *camera, char path[CQ_TRAJECTORY_NAME]) {
  snprintf(path, CQ_TRAJECTORY_NAME, CQ_TRAJECTORY_CAMERAS "/%.120s", camera->name);
}

/* A group each. */
static cq_status write_cameras(const cq_trajectory_writer *w) {
  char path[CQ_TRAJECTORY_NAME];
  CQ_TRY(h5_add_group(&w->file, CQ_TRAJECTORY_CAMERAS));
  for (int i = 0; i < w->def->n_cameras; i++) {
    name_images(&w->def->cameras[i], path);
    CQ_TRY(h5_add_group(&w->file, path));
  }
  return CQ_OK;
}

cq_status cq_trajectory_look(cq_trajectory_writer *w, int camera, int frame, const double *image) {
  const cq_recorded_camera *const c = &w->def->cameras[camera];
  const h5_shape shape = {2, {(hsize_t)c->high, (hsize_t)c->wide}};
  char path[CQ_TRAJECTORY_NAME], name[CQ_TRAJECTORY_NAME + 16];
  name_images(c, path);
  snprintf(name, sizeof name, "%s/%04d", path, frame);
  h5_enter();
  const cq_status status =
      h5_add(&w->file, name, H5T_IEEE_F32LE, &shape, "m", H5T_NATIVE_DOUBLE, image);
  h5_leave();
  return status;
}

/* All that is known before the first frame; fixed fields come later, from the caller. */
static cq_status write_head(cq_trajectory_writer *w) {
  const cq_trajectory_def *const def = w->def;
  const h5_file *const file = &w->file;
  char title[1024];
  CQ_TRY(h5_put_int(file, file->id, "cqopt_trajectory", CQ_TRAJECTORY_VERSION));
  CQ_TRY(h5_put_int(file, file->id, "dimension", def->dimension));
  CQ_TRY(h5_put_text(file, file->id, "problem", def->problem));
  cq_utf8_copy(def->title, title, sizeof title);
  CQ_TRY(h5_put_text(file, file->id, "title", title));
  CQ_TRY(write_names(w, "bodies", def->n_bodies, def->bodies));
  const h5_shape shape = {1, {(hsize_t)def->n_particles}};
  CQ_TRY(h5_add(file, "body", H5T_STD_I32LE, &shape, NULL, H5T_NATIVE_INT, def->body));
  CQ_TRY(write_numbers(w, &shape));
  if (def->cover != NULL) {
    CQ_TRY(write_surface(w, def->cover));
  }
  if (def->moving != NULL) {
    CQ_TRY(write_movers(w, def->moving));
  }
  if (def->n_cameras > 0) {
    CQ_TRY(write_cameras(w));
  }
  return h5_add_group(file, "frames");
}

static cq_status write_times(cq_trajectory_writer *w) {
  const h5_shape shape = {1, {(hsize_t)w->n_frames}};
  CQ_TRY(h5_add(&w->file, "time", H5T_IEEE_F64LE, &shape, "s", H5T_NATIVE_DOUBLE, w->times));
  return h5_add(&w->file, "step", H5T_STD_I32LE, &shape, NULL, H5T_NATIVE_INT, w->steps);
}

static cq_status name_files(cq_trajectory_writer *w, const char *dir) {
  const int length = snprintf(w->path, PATH, "%s/trajectory.h5", dir);
  CQ_CHECK(w->ctx, length + 8 < PATH, CQ_IO, "the path %.200s... is too long", dir);
  snprintf(w->xdmf, PATH, "%s/trajectory.xdmf", dir);
  return CQ_OK;
}

static cq_status begin(cq_trajectory_writer *w, const char *dir) {
  char alias[64];
  CQ_TRY(name_files(w, dir));
  CQ_TRY(cq_fresh_begin(w->ctx, w->path, &w->fresh));
  cq_fresh_alias(&w->fresh, alias);
  CQ_TRY(h5_create(&w->file, alias));
  return write_head(w);
}

/* A start that fails is closed without keeping it, which leaves no file behind. */
cq_status cq_trajectory_create(cq_ctx *ctx, const char *dir, const cq_trajectory_def *def,
                               cq_trajectory_writer **out) {
  *out = NULL;
  cq_trajectory_writer *w = NULL;
  CQ_TRY(CQ_ALLOC(ctx, w, 1));
  w->ctx = ctx;
  w->def = def;
  w->file = (h5_file){ctx, w->path, H5I_INVALID_HID};
  h5_enter();
  const cq_status status = begin(w, dir);
  h5_leave();
  if (status != CQ_OK) {
    cq_trajectory_close(w, false);
    return status;
  }
  *out = w;
  return CQ_OK;
}

/* room for one more frame in an array of numbers */
static cq_status enlarge(cq_trajectory_writer *w, void **list, size_t size, int room) {
  void *larger = NULL;
  CQ_TRY(cq_alloc(w->ctx, &larger, (size_t)room, size));
  if (w->n_frames > 0) {
    memcpy(larger, *list, (size_t)w->n_frames * size);
  }
  cq_free(w->ctx, *list);
  *list = larger;
  return CQ_OK;
}

/* Times and steps are gathered for the end, when it is known how many there are. */
cq_status cq_trajectory_frame(cq_trajectory_writer *w, int step, double time) {
  char name[32];
  if (w->n_frames == w->room) {
    const int room = 2 * w->room + 64;
    CQ_TRY(enlarge(w, (void **)&w->times, sizeof *w->times, room));
    CQ_TRY(enlarge(w, (void **)&w->steps, sizeof *w->steps, room));
    w->room = room;
  }
  w->times[w->n_frames] = time;
  w->steps[w->n_frames] = step;
  snprintf(name, sizeof name, CQ_TRAJECTORY_FRAME, w->n_frames++);
  h5_enter();
  const cq_status status = h5_add_group(&w->file, name);
  h5_leave();
  return status;
}

/* [N], [N][3], [N][3][3] or [N][k] */
static h5_shape field_shape(const cq_trajectory_def *def, const cq_trajectory_field *field) {
  h5_shape shape = {1, {(hsize_t)def->n_particles}};
  if (field->components == 9) {
    shape.n_axes = 3;
    shape.size[1] = shape.size[2] = 3;
  } else if (field->components > 1) {
    shape.n_axes = 2;
    shape.size[1] = (hsize_t)field->components;
  }
  return shape;
}

static cq_status put(cq_trajectory_writer *w, int i, int frame, const double *values) {
  const cq_trajectory_field *const field = &w->def->fields[i];
  const h5_shape shape = field_shape(w->def, field);
  const hid_t type = w->def->double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
  char name[CQ_TRAJECTORY_NAME];
  trajectory_path(field, frame, name);
  if (w->def->cover != NULL && !field->fixed && strcmp(field->name, "x") == 0) {
    CQ_TRY(write_vertices(w, frame, values));
  }
  return h5_add(&w->file, name, type, &shape, field->unit, H5T_NATIVE_DOUBLE, values);
}

cq_status cq_trajectory_put(cq_trajectory_writer *w, int i, int frame, const double *values) {
  h5_enter();
  const cq_status status = put(w, i, frame, values);
  h5_leave();
  return status;
}

/* The .xdmf comes last: it names arrays of the .h5, which must be in its place by then. */
cq_status cq_trajectory_close(cq_trajectory_writer *w, bool keep) {
  if (w == NULL) {
    return CQ_OK;
  }
  cq_ctx *const ctx = w->ctx;
  h5_enter();
  cq_status status = keep ? write_times(w) : CQ_OK;
  const cq_status closed = h5_close(&w->file);
  h5_leave();
  status = status == CQ_OK ? closed : status;
  const cq_status placed = cq_fresh_end(&w->fresh, keep ? status : CQ_INTERRUPTED);
  if (keep && status == CQ_OK) {
    status = placed != CQ_OK ? placed : xdmf_write(ctx, w->xdmf, w->def, w->n_frames, w->times);
  }
  cq_free(ctx, w->times);
  cq_free(ctx, w->steps);
  cq_free(ctx, w);
  return status;
}
