#include "h5.h"

#include "open.h"
#include "status.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t h5_lock = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t h5_told_before; /* how errors are told outside */
static void *h5_told_to;

void h5_enter(void) {
  pthread_mutex_lock(&h5_lock);
  H5dont_atexit(); /* after a write that failed, the library crashes when it tries again at the end
                    */
  H5Eget_auto2(H5E_DEFAULT, &h5_told_before, &h5_told_to);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are ours to tell */
}

void h5_leave(void) {
  H5Eset_auto2(H5E_DEFAULT, h5_told_before, h5_told_to);
  pthread_mutex_unlock(&h5_lock);
}

/* What a call failed of. */
typedef struct reason {
  cq_status status;
  char text[200];
} reason;

/* The innermost reason: the system's own words where there are some. Any call that succeeds forgets
 * it. */
static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *user) {
  static const char mark[] = "error message = '";
  reason *const r = user;
  const char *const words = strstr(error->desc, mark);
  if (n > 0) {
    return 0;
  }
  snprintf(r->text, sizeof r->text, "%.199s", error->desc);
  if (words != NULL) {
    const char *const from = words + sizeof mark - 1;
    snprintf(r->text, sizeof r->text, "%.*s", (int)strcspn(from, "'"), from);
  }
  if (error->maj_num == H5E_RESOURCE && error->min_num == H5E_NOSPACE) {
    r->status = CQ_MEMORY; /* what the library says of its own allocations */
  }
  return 0;
}

/* A call that failed of memory may be hidden by those that failed of its result; errno is not. */
cq_status h5_fail(const h5_file *file, const char *what, const char *name) {
  reason r = {errno == ENOMEM ? CQ_MEMORY : CQ_IO, "HDF5 does not say why"};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &r);
  return CQ_FAIL(file->ctx, r.status, "%s: cannot %s%s%s: %s", file->path, what,
                 name[0] != '\0' ? " " : "", name,
                 r.status == CQ_MEMORY ? "out of memory" : r.text);
}

/* Locks are of no use to a file that has a name of its own while it is written, and some file
 * systems have none. */
static hid_t access_list(void) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(list, false, true);
  return list;
}

cq_status h5_create(h5_file *file, const char *at) {
  errno = 0;
  const hid_t list = access_list();
  file->id = H5Fcreate(at, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  const cq_status status = file->id >= 0 ? CQ_OK : h5_fail(file, "write", "");
  H5Pclose(list);
  return status;
}

cq_status h5_open(h5_file *file) {
  FILE *const regular = cq_open_read(file->path); /* HDF5 would wait for ever on a pipe */
  CQ_CHECK(file->ctx, regular != NULL, CQ_IO, "%s: cannot read: %s", file->path,
           cq_open_error(errno));
  fclose(regular);
  errno = 0;
  const hid_t list = access_list();
  file->id = H5Fopen(file->path, H5F_ACC_RDONLY, list);
  const cq_status status = file->id >= 0 ? CQ_OK : h5_fail(file, "read", "");
  H5Pclose(list);
  return status;
}

cq_status h5_close(h5_file *file) {
  errno = 0;
  const hid_t id = file->id;
  file->id = H5I_INVALID_HID;
  return id < 0 || H5Fclose(id) >= 0 ? CQ_OK : h5_fail(file, "write", "");
}

/* --- attributes --- */

static cq_status put_attribute(const h5_file *file, hid_t object, const char *name, hid_t type,
                               const void *value) {
  errno = 0;
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t id = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool written = id >= 0 && H5Awrite(id, type, value) >= 0;
  const cq_status status = written ? CQ_OK : h5_fail(file, "write", name);
  H5Aclose(id);
  H5Sclose(space);
  return status;
}

static hid_t text_type(size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

cq_status h5_put_text(const h5_file *file, hid_t object, const char *name, const char *text) {
  const hid_t type = text_type(strlen(text) + 1);
  const cq_status status = put_attribute(file, object, name, type, text);
  H5Tclose(type);
  return status;
}

cq_status h5_put_int(const h5_file *file, hid_t object, const char *name, int value) {
  return put_attribute(file, object, name, H5T_NATIVE_INT, &value);
}

/* Whether an attribute is one value of a class; texts have to be there, not pointers to them. */
static bool is_one(hid_t attribute, H5T_class_t wanted) {
  const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
  const bool one = H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(type) == wanted &&
                   (wanted != H5T_STRING || H5Tis_variable_str(type) == 0);
  H5Tclose(type);
  H5Sclose(space);
  return one;
}

/* Room is for one value: what is none is refused before it is read. */
static cq_status get_attribute(const h5_file *file, hid_t object, const char *name,
                               H5T_class_t class, hid_t type, void *value) {
  errno = 0;
  const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
  H5_TRY(file, id, "read", name);
  cq_status status = CQ_OK;
  if (!is_one(id, class)) {
    status = CQ_FAIL(file->ctx, CQ_IO, "%s: the attribute %s is not one %s", file->path, name,
                     class == H5T_STRING ? "text" : "integer");
  } else if (H5Aread(id, type, value) < 0) {
    status = h5_fail(file, "read", name);
  }
  H5Aclose(id);
  return status;
}

cq_status h5_get_text(const h5_file *file, hid_t object, const char *name, char *text,
                      size_t size) {
  const hid_t type = text_type(size);
  const cq_status status = get_attribute(file, object, name, H5T_STRING, type, text);
  text[size - 1] = '\0';
  H5Tclose(type);
  return status;
}

cq_status h5_get_int(const h5_file *file, hid_t object, const char *name, int *value) {
  return get_attribute(file, object, name, H5T_INTEGER, H5T_NATIVE_INT, value);
}

/* --- groups and datasets --- */

cq_status h5_add_group(const h5_file *file, const char *name) {
  errno = 0;
  const hid_t id = H5Gcreate2(file->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const cq_status status = id >= 0 ? CQ_OK : h5_fail(file, "write", name);
  H5Gclose(id);
  return status;
}

/* Chunks of about half a MiB of floats, equal but for the last. What is no larger than a few pages
 * is stored as it is: an index of chunks would be as large. */
static void set_layout(hid_t list, const h5_shape *shape) {
  enum { SMALL = 1 << 12, MOST_NUMBERS = 1 << 17, LEVEL = 4 };
  hsize_t chunk[H5_MOST_AXES], rest = 1;
  memcpy(chunk, shape->size, sizeof chunk);
  for (int a = 1; a < shape->n_axes; a++) {
    rest *= shape->size[a];
  }
  const hsize_t numbers = shape->size[0] * rest, parts = 1 + (numbers - 1) / MOST_NUMBERS;
  if (numbers <= SMALL) {
    return;
  }
  chunk[0] = (shape->size[0] + parts - 1) / parts;
  H5Pset_chunk(list, shape->n_axes, chunk);
  H5Pset_shuffle(list);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    H5Pset_deflate(list, LEVEL);
  }
}

cq_status h5_add(const h5_file *file, const char *name, hid_t in_file, const h5_shape *shape,
                 const char *unit, hid_t in_memory, const void *values) {
  errno = 0;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, false); /* the same run has the same bits */
  set_layout(list, shape);
  const hid_t space = H5Screate_simple(shape->n_axes, shape->size, NULL);
  const hid_t id = H5Dcreate2(file->id, name, in_file, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const bool written =
      id >= 0 && H5Dwrite(id, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  cq_status status = written ? CQ_OK : h5_fail(file, "write", name);
  if (status == CQ_OK && unit != NULL) {
    status = h5_put_text(file, id, "unit", unit);
  }
  H5Dclose(id);
  H5Sclose(space);
  H5Pclose(list);
  return status;
}

static h5_shape shape_of(hid_t dataset) {
  h5_shape shape = {.n_axes = 0};
  const hid_t space = H5Dget_space(dataset);
  const int n_axes = H5Sget_simple_extent_ndims(space);
  if (n_axes >= 1 && n_axes <= H5_MOST_AXES) {
    shape.n_axes = n_axes;
    H5Sget_simple_extent_dims(space, shape.size, NULL);
  }
  H5Sclose(space);
  return shape;
}

/* Whether the file can hold as much as the dataset claims to have: else a few bytes could ask for
 * all memory. Deflate makes at most 1032 bytes of one. */
static bool is_stored(const h5_file *file, hid_t dataset, const h5_shape *shape) {
  const hid_t type = H5Dget_type(dataset);
  double bytes = (double)H5Tget_size(type);
  for (int a = 0; a < shape->n_axes; a++) {
    bytes *= (double)shape->size[a];
  }
  H5Tclose(type);
  hsize_t whole = 0;
  H5Fget_filesize(file->id, &whole);
  const hsize_t stored = H5Dget_storage_size(dataset);
  return bytes <= 1040.0 * (double)(stored < whole ? stored : whole);
}

cq_status h5_find(const h5_file *file, const char *name, hid_t *dataset, h5_shape *shape) {
  errno = 0;
  *dataset = H5Dopen2(file->id, name, H5P_DEFAULT);
  H5_TRY(file, *dataset, "read", name);
  *shape = shape_of(*dataset);
  if (shape->n_axes == 0 || is_stored(file, *dataset, shape)) {
    return CQ_OK;
  }
  H5Dclose(*dataset);
  *dataset = H5I_INVALID_HID;
  return CQ_FAIL(file->ctx, CQ_IO, "%s: %s claims to be larger than what the file has of it",
                 file->path, name);
}

cq_status h5_read(const h5_file *file, hid_t dataset, const char *name, hid_t type, void *values) {
  errno = 0;
  H5_TRY(file, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "read", name);
  return CQ_OK;
}

cq_status h5_put_list(const h5_file *file, const char *name, int count, size_t size,
                      const char *texts) {
  const hid_t type = text_type(size);
  const h5_shape shape = {1, {(hsize_t)count}};
  const cq_status status = h5_add(file, name, type, &shape, NULL, type, texts);
  H5Tclose(type);
  return status;
}

cq_status h5_get_list(const h5_file *file, const char *name, size_t size, char *texts) {
  const hid_t type = text_type(size);
  hid_t dataset = H5I_INVALID_HID;
  h5_shape shape;
  cq_status status = h5_find(file, name, &dataset, &shape);
  if (status == CQ_OK) {
    status = h5_read(file, dataset, name, type, texts);
    H5Dclose(dataset);
  }
  for (hsize_t i = 0; status == CQ_OK && i < shape.size[0]; i++) {
    texts[(i + 1) * size - 1] = '\0';
  }
  H5Tclose(type);
  return status;
}
