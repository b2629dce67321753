/* What the trajectory needs of HDF5, with errors as text. A handle below 0 is none. */
#ifndef CQ_RECORD_H5_H
#define CQ_RECORD_H5_H

#include "cqopt/base.h"

#include <hdf5.h>

enum { H5_MOST_AXES = 3 };

/* An open file, for messages. */
typedef struct h5_file {
  cq_ctx *ctx;
  const char *path; /* as messages call it; borrowed */
  hid_t id;
} h5_file;

/* Shape of a dataset: size[0 .. n_axes). */
typedef struct h5_shape {
  int n_axes;
  hsize_t size[H5_MOST_AXES];
} h5_shape;

/* CQ_IO with the path, what was tried and the library's reason; CQ_MEMORY where that is its own
 * memory. */
cq_status h5_fail(const h5_file *file, const char *what, const char *name);
#define H5_TRY(file, call, what, name)                                                             \
  do {                                                                                             \
    if ((call) < 0) {                                                                              \
      return h5_fail((file), (what), (name));                                                      \
    }                                                                                              \
  } while (0)

/* HDF5 tells errors on stderr, and where it was not built for threads (Debian's is) it is for one
 * at a time: between enter and leave it is this thread's, and silent. All that follows, handles and
 * types included, is for in there. */
void h5_enter(void);
void h5_leave(void);

/* Makes a file at `at`, which may be another place than file->path, or opens file->path. */
cq_status h5_create(h5_file *file, const char *at);
cq_status h5_open(h5_file *file);
/* Everything is handed to the system. */
cq_status h5_close(h5_file *file);

cq_status h5_put_text(const h5_file *file, hid_t object, const char *name, const char *text);
cq_status h5_put_int(const h5_file *file, hid_t object, const char *name, int value);
/* Copies an attribute; CQ_IO when it is not there or not one value of the kind. */
cq_status h5_get_text(const h5_file *file, hid_t object, const char *name, char *text, size_t size);
cq_status h5_get_int(const h5_file *file, hid_t object, const char *name, int *value);

cq_status h5_add_group(const h5_file *file, const char *name);
/* Makes a dataset of the type in the file and writes it, from values of the type in memory. A large
 * one goes through shuffle and deflate, in chunks along its first axis. unit: an attribute, or
 * NULL. name: a path in the file. */
cq_status h5_add(const h5_file *file, const char *name, hid_t in_file, const h5_shape *shape,
                 const char *unit, hid_t in_memory, const void *values);
/* Opens a dataset; *shape has 0 axes when it has too many. CQ_IO when the file cannot hold what it
 * claims to have. */
cq_status h5_find(const h5_file *file, const char *name, hid_t *dataset, h5_shape *shape);
cq_status h5_read(const h5_file *file, hid_t dataset, const char *name, hid_t type, void *values);

/* A list of texts of one length, null-terminated: texts [count][size]. */
cq_status h5_put_list(const h5_file *file, const char *name, int count, size_t size,
                      const char *texts);
cq_status h5_get_list(const h5_file *file, const char *name, size_t size, char *texts);

#endif
