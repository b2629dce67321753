/* A scene with helpers, and as one (far.h). */
#include "far.h"
#include "method.h"
#include "status.h"
#include "task.h"

void cq_scene_set_helpers(cq_scene *scene, const cq_helpers *helpers) {
  scene->helpers = helpers;
}

bool cq_scene_needs_helpers(const cq_scene *scene) {
  const cq_task *const task = scene->task;
  if (task->scenarios != NULL || task->experiments != NULL) {
    return scene->n_judged > 1 || cq_scene_experiment_count(scene) > 1;
  }
  const cq_optimizer *const method = cq_optimizer_find(task->optimizer.name);
  return scene->difference != NULL ||
         (method != NULL && (method->asks_many || method->needs_residuals));
}

/* Numbers at x of the file's own scene. */
static cq_status help_ahead(cq_scene *scene, const double *x, const void **answer, size_t *n) {
  cq_task *const task = scene->task;
  cq_far_work before = {.failures = 0}, now = {.failures = 0};
  const double *row = NULL;
  bool known = false;
  int count = 0;
  cq_ahead_statistics(task->beside.ahead[0], &before.stats, &before.failures);
  CQ_TRY(cq_ahead_help(scene, &task->beside.ahead[0], x, &row, &count, &known));
  cq_ahead_statistics(task->beside.ahead[0], &now.stats, &now.failures);
  CQ_CHECK(scene->ctx, known, CQ_NONFINITE, "the run failed");
  const cq_far_work did = cq_far_since(&now, &before);
  const cq_far_part part = {(void *)(uintptr_t)row, (size_t)count * sizeof *row};
  return cq_far_answer(scene, &did, &part, 1, answer, n);
}

/* A request is read, done as this scene would do it for itself, and packed. */
cq_status cq_scene_help(cq_scene *scene, const void *bytes, size_t size, const void **answer,
                        size_t *n) {
  cq_task *const task = scene->task;
  cq_far_request request;
  const double *x = NULL;
  int n_x = 0;
  *answer = NULL;
  *n = 0;
  CQ_CHECK(scene->ctx, cq_far_read(bytes, size, &request, &x, &n_x), CQ_USAGE,
           "%zu bytes are no request", size);
  if (request.kind != CQ_FAR_VALUES && task->experiments != NULL) {
    return cq_experiments_help(task->experiments, &request, x, n_x, answer, n);
  }
  CQ_CHECK(scene->ctx, n_x == scene->design.n, CQ_USAGE, "%d variables are not the %d of the file",
           n_x, scene->design.n);
  if (request.kind == CQ_FAR_VALUES && task->problem.ahead != NULL) {
    return help_ahead(scene, x, answer, n);
  }
  CQ_CHECK(scene->ctx, request.kind != CQ_FAR_VALUES && task->scenarios != NULL, CQ_USAGE,
           "the file has no scenarios or experiments");
  return cq_scenarios_help(task->scenarios, &request, x, answer, n);
}
