/* What the files of the API share: the objects, and how a call begins. */
#ifndef CQ_API_API_H
#define CQ_API_API_H

#include "cqopt/file.h"
#include "give.h"
#include "scene.h"
#include "status.h"

struct cq_file {
  cq_ctx *ctx;
  cq_scene *scene;
  int n_runs;
  bool destroyed; /* but for its runs */
};

/* A file of a scene, which is destroyed where there is no memory for it. */
cq_status cq_api_wrap(cq_ctx *ctx, cq_scene *scene, cq_file **out);
/* A call on a file: CQ_USAGE of none, or of one that was destroyed; the context is clean then. */
cq_status cq_api_begin(const cq_file *file);
/* Of a context alone. */
cq_status cq_api_begin_ctx(cq_ctx *ctx);
/* The last run of a file that was destroyed takes it along. */
void cq_api_leave(cq_file *file);

/* CQ_USAGE unless 0 <= i < count. */
cq_status cq_api_index(cq_ctx *ctx, const char *what, int i, int count);
/* CQ_USAGE unless there is an array of as many numbers as are wanted. */
cq_status cq_api_length(cq_ctx *ctx, const char *what, const void *array, size_t n, size_t wanted);
/* The design x [n], or the start where it is NULL. CQ_USAGE of another length, or of a number that
 * is not finite; bounds are the optimizer's to keep. */
cq_status cq_api_design(const cq_file *file, const double *x, int n, const double **out);

/* A text that is written to a stream, to the caller's room (file.h). */
typedef cq_status (*cq_text_fn)(const void *user, FILE *out);
cq_status cq_api_text(cq_ctx *ctx, cq_text_fn write, const void *user, char *text, size_t *size);

#endif
