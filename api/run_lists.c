/* What a run has: observables, fields, inputs, images, by number and by name. */
#include "run.h"

#include "cameras.h"

#include <string.h>

static int count_of(const cq_run *run, cq_list list) {
  switch (list) {
  case CQ_OBSERVABLES:
    return run->n_observables;
  case CQ_FIELDS:
    return run->n_records;
  case CQ_INPUTS:
    return run->file->scene->layout.n;
  case CQ_IMAGES:
    return run->file->scene->n_cameras;
  }
  return 0;
}

/* [rows][components], or [components] where rows is 0 */
static void shape(cq_about_array *about, size_t rows, size_t components) {
  about->rank = rows > 0 ? 2 : 1;
  about->shape[0] = rows > 0 ? rows : components;
  about->shape[1] = rows > 0 ? components : 0;
  about->numbers = (rows > 0 ? rows : 1) * components;
}

static void describe_input(const cq_run *run, int i, cq_about_array *about) {
  const cq_layout *const layout = &run->file->scene->layout;
  const cq_input *const input = &layout->inputs[i];
  const size_t width = (size_t)input->numbers[run->model.dim - 2];
  snprintf(about->name, sizeof about->name, "%s", input->name);
  about->unit = input->unit;
  shape(about, input->of == CQ_OF_PARTICLE ? (size_t)run->model.n_particles : 0,
        input->of == CQ_OF_PARTICLE ? width : layout->count[i]);
}

static void describe_image(const cq_run *run, int i, cq_about_array *about) {
  const cq_scene_camera *const camera = &run->file->scene->cameras[i];
  snprintf(about->name, sizeof about->name, "%s", camera->keys->name);
  about->unit = "m";
  shape(about, (size_t)camera->eye.high, (size_t)camera->eye.wide);
}

static void describe(const cq_run *run, cq_list list, int i, cq_about_array *about) {
  if (list == CQ_OBSERVABLES) {
    const cq_observable *const o = &run->observables[i];
    cq_run_observable_name(o, about->name, sizeof about->name);
    about->unit = o->unit;
    shape(about, 0, (size_t)o->numbers);
  } else if (list == CQ_FIELDS) {
    const cq_record *const record = &run->records[i];
    snprintf(about->name, sizeof about->name, "%s", record->name);
    about->unit = record->unit;
    shape(about, (size_t)run->model.n_particles, (size_t)record->components);
  } else if (list == CQ_IMAGES) {
    describe_image(run, i, about);
  } else {
    describe_input(run, i, about);
  }
}

cq_status cq_run_describe(const cq_run *run, cq_list list, int i, cq_about_array *out) {
  cq_about_array about = {.rank = 0};
  CQ_TRY(cq_run_begin(run));
  CQ_TRY(cq_api_index(run->ctx, "entry", i, count_of(run, list)));
  describe(run, list, i, &about);
  return CQ_GIVE(run->ctx, out, about);
}

int cq_run_find(const cq_run *run, cq_list list, const char *name) {
  const int n = run != NULL && name != NULL && !run->file->destroyed ? count_of(run, list) : 0;
  for (int i = 0; i < n; i++) {
    cq_about_array about = {.rank = 0};
    describe(run, list, i, &about);
    if (strcmp(about.name, name) == 0) {
      return i;
    }
  }
  return -1;
}
