/* An experiment of a file as a file of its own. */
#include "api.h"

#include "alloc.h"
#include "text_file.h"

#include <stdlib.h>

/* Its part of x, in the units of the file, is where its design starts. */
static cq_status start_at(const cq_file *file, const cq_experiment *e, const double *x,
                          cq_scene *alone) {
  double *values = NULL;
  const int n = e->scene->design.n;
  CQ_TRY(CQ_ALLOC(file->ctx, values, n + 1));
  for (int j = 0; j < n; j++) {
    values[j] = cq_scene_user_value(file->scene, e->of[j], x[e->of[j]]);
  }
  const cq_status status = n > 0 ? cq_scene_set_start(alone, values) : CQ_OK;
  cq_free(file->ctx, values);
  return status;
}

/* By way of the file's text, in which every experiment is written out. */
static cq_status load_alone(cq_file *file, const cq_experiment *e, cq_scene **out) {
  cq_text_file text;
  char set[200];
  snprintf(set, sizeof set, "experiments=%.150s", e->name);
  const char *const sets[] = {set};
  CQ_TRY(cq_text_begin(file->ctx, &text));
  const cq_status written = cq_scene_write_config(file->scene, text.out);
  const cq_status closed = cq_text_end(file->ctx, &text);
  cq_status status = written != CQ_OK ? written : closed;
  if (status == CQ_OK) {
    status = cq_scene_load_text(file->ctx, e->name, file->scene->folder, text.text, sets, 1, out);
  }
  free(text.text);
  return status;
}

cq_status cq_file_experiment_alone(cq_file *file, int i, const double *x, int n, cq_file **out) {
  const cq_experiment *e = NULL;
  cq_scene *scene = NULL;
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, out != NULL, CQ_USAGE, "there is nowhere to put the file");
  *out = NULL;
  CQ_TRY(cq_api_index(file->ctx, "experiment", i, cq_scene_experiment_count(file->scene)));
  e = &file->scene->joined->all[i];
  CQ_TRY(cq_api_design(file, x, n, &x));
  CQ_TRY(load_alone(file, e, &scene));
  const cq_status status = start_at(file, e, x, scene);
  if (status != CQ_OK) {
    cq_scene_destroy(scene);
    return status;
  }
  return cq_api_wrap(file->ctx, scene, out);
}
