#include "h5.h"
#include "trajectory.h"
#include "xdmf.h"

#include "alloc.h"
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

struct cq_trajectory_writer {
  cq_ctx *ctx;
  const cq_trajectory_def *def;
  h5_file file;
  hid_t time, step;
  hid_t *fields; /* [n_fields] */
  int n_frames;
  double *times; /* [room] */
  int room;
  char path[PATH], temporary[PATH], xdmf[PATH];
};

double cq_trajectory_bytes(const cq_trajectory_def *def, int n_frames) {
  double numbers = 0.0;
  for (int i = 0; i < def->n_fields; i++) {
    numbers += (double)def->fields[i].components * (def->fields[i].fixed ? 1 : n_frames);
  }
  return numbers * def->n_particles * (def->double_precision ? 8 : 4);
}

static cq_status write_bodies(cq_trajectory_writer *w) {
  const cq_trajectory_def *const def = w->def;
  size_t longest = 1;
  for (int i = 0; i < def->n_bodies; i++) {
    const size_t length = strlen(def->bodies[i]) + 1;
    longest = length > longest ? length : longest;
  }
  char *names = NULL;
  CQ_TRY(cq_alloc(w->ctx, (void **)&names, (size_t)def->n_bodies, longest));
  for (int i = 0; i < def->n_bodies; i++) {
    strcpy(names + (size_t)i * longest, def->bodies[i]);
  }
  const cq_status status = h5_put_list(&w->file, "bodies", def->n_bodies, longest, names);
  cq_free(w->ctx, names);
  return status;
}

static cq_status write_head(cq_trajectory_writer *w) {
  const cq_trajectory_def *const def = w->def;
  const h5_file *const file = &w->file;
  CQ_TRY(h5_put_int(file, file->id, "cqopt_trajectory", CQ_TRAJECTORY_VERSION));
  CQ_TRY(h5_put_int(file, file->id, "dimension", def->dimension));
  CQ_TRY(h5_put_text(file, file->id, "problem", def->problem));
  CQ_TRY(h5_put_text(file, file->id, "title", def->title));
  CQ_TRY(write_bodies(w));
  hid_t body = H5I_INVALID_HID;
  const h5_shape shape = {1, {(hsize_t)def->n_particles}, false};
  CQ_TRY(h5_add(file, "body", H5T_STD_I32LE, shape, &body));
  const cq_status status = h5_write(file, body, "body", -1, H5T_NATIVE_INT, def->body);
  H5Dclose(body);
  return status;
}

/* [N], [N][3], [N][3][3] or [N][k], behind an axis of frames unless fixed */
static h5_shape field_shape(const cq_trajectory_def *def, const cq_trajectory_field *field) {
  h5_shape shape = {0, {0}, !field->fixed};
  if (!field->fixed) {
    shape.size[shape.n_axes++] = 1;
  }
  shape.size[shape.n_axes++] = (hsize_t)def->n_particles;
  if (field->components == 9) {
    shape.size[shape.n_axes++] = 3;
    shape.size[shape.n_axes++] = 3;
  } else if (field->components > 1) {
    shape.size[shape.n_axes++] = (hsize_t)field->components;
  }
  return shape;
}

static cq_status add_datasets(cq_trajectory_writer *w) {
  const cq_trajectory_def *const def = w->def;
  const h5_file *const file = &w->file;
  const h5_shape one = {1, {1}, true};
  CQ_TRY(h5_add(file, "time", H5T_IEEE_F64LE, one, &w->time));
  CQ_TRY(h5_put_text(file, w->time, "unit", "s"));
  CQ_TRY(h5_add(file, "step", H5T_STD_I32LE, one, &w->step));
  for (int i = 0; i < def->n_fields; i++) {
    const cq_trajectory_field *const field = &def->fields[i];
    const hid_t type = def->double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    CQ_TRY(h5_add(file, field->name, type, field_shape(def, field), &w->fields[i]));
    CQ_TRY(h5_put_text(file, w->fields[i], "unit", field->unit));
  }
  return CQ_OK;
}

static cq_status name_files(cq_trajectory_writer *w, const char *dir) {
  const int length = snprintf(w->path, PATH, "%s/trajectory.h5", dir);
  CQ_CHECK(w->ctx, length + 8 < PATH, CQ_IO, "the path %.200s... is too long", dir);
  snprintf(w->temporary, PATH, "%s/trajectory.h5.tmp", dir);
  snprintf(w->xdmf, PATH, "%s/trajectory.xdmf", dir);
  return CQ_OK;
}

static cq_status begin(cq_trajectory_writer *w, const char *dir) {
  CQ_TRY(name_files(w, dir));
  CQ_TRY(CQ_ALLOC(w->ctx, w->fields, w->def->n_fields));
  for (int i = 0; i < w->def->n_fields; i++) {
    w->fields[i] = H5I_INVALID_HID;
  }
  CQ_TRY(h5_create(&w->file, w->temporary));
  CQ_TRY(write_head(w));
  return add_datasets(w);
}

cq_status cq_trajectory_create(cq_ctx *ctx, const char *dir, const cq_trajectory_def *def,
                               cq_trajectory_writer **out) {
  *out = NULL;
  cq_trajectory_writer *w = NULL;
  CQ_TRY(CQ_ALLOC(ctx, w, 1));
  w->ctx = ctx;
  w->def = def;
  w->file = (h5_file){ctx, w->path, H5I_INVALID_HID};
  w->time = w->step = H5I_INVALID_HID;
  const cq_status status = begin(w, dir);
  if (status != CQ_OK) {
    cq_trajectory_close(w, false);
    return status;
  }
  *out = w;
  return CQ_OK;
}

/* the times, for the XDMF */
static cq_status note_time(cq_trajectory_writer *w, double time) {
  if (w->n_frames == w->room) {
    double *larger = NULL;
    const int room = 2 * w->room + 64;
    CQ_TRY(CQ_ALLOC(w->ctx, larger, room));
    if (w->n_frames > 0) {
      memcpy(larger, w->times, (size_t)w->n_frames * sizeof *larger);
    }
    cq_free(w->ctx, w->times);
    w->times = larger;
    w->room = room;
  }
  w->times[w->n_frames++] = time;
  return CQ_OK;
}

cq_status cq_trajectory_frame(cq_trajectory_writer *w, int step, double time) {
  CQ_TRY(h5_write(&w->file, w->time, "time", w->n_frames, H5T_NATIVE_DOUBLE, &time));
  CQ_TRY(h5_write(&w->file, w->step, "step", w->n_frames, H5T_NATIVE_INT, &step));
  return note_time(w, time);
}

cq_status cq_trajectory_put(cq_trajectory_writer *w, int i, int frame, const double *values) {
  const cq_trajectory_field *const field = &w->def->fields[i];
  return h5_write(&w->file, w->fields[i], field->name, field->fixed ? -1 : frame, H5T_NATIVE_DOUBLE,
                  values);
}

static cq_status close_file(cq_trajectory_writer *w) {
  for (int i = 0; i < w->def->n_fields && w->fields != NULL; i++) {
    if (w->fields[i] >= 0) {
      H5Dclose(w->fields[i]);
    }
  }
  if (w->time >= 0) {
    H5Dclose(w->time);
  }
  if (w->step >= 0) {
    H5Dclose(w->step);
  }
  return h5_close(&w->file);
}

/* on the disk, then under its name */
static cq_status put_in_place(cq_trajectory_writer *w) {
  const int descriptor = open(w->temporary, O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) {
    close(descriptor);
  }
  CQ_CHECK(w->ctx, synced, CQ_IO, "%s: %s", w->path, strerror(error));
  CQ_CHECK(w->ctx, rename(w->temporary, w->path) == 0, CQ_IO, "%s: %s", w->path, strerror(errno));
  return xdmf_write(w->ctx, w->xdmf, w->def, w->n_frames, w->times);
}

cq_status cq_trajectory_close(cq_trajectory_writer *w, bool keep) {
  if (w == NULL) {
    return CQ_OK;
  }
  cq_ctx *const ctx = w->ctx;
  cq_status status = close_file(w);
  if (keep && status == CQ_OK) {
    status = put_in_place(w);
  }
  unlink(w->temporary); /* there unless it has its name */
  cq_free(ctx, w->fields);
  cq_free(ctx, w->times);
  cq_free(ctx, w);
  return status;
}
