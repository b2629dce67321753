/* What is handed to an optimizer: the problem of a scene, or of its scenarios or experiments, and
 * the copies of the scene that answer it. It stands above scenes: making a scene needs none of
 * this. */
#ifndef CQ_PROBLEMS_TASK_H
#define CQ_PROBLEMS_TASK_H

#include "differences.h"
#include "experiments.h"
#include "scenarios.h"
#include "scene.h"

/* How copies with tasks are made and freed, for who stands below (repeats.h). */
typedef struct cq_repeatable {
  cq_task *task;
  cq_status (*make)(cq_ctx *ctx, const cq_scene *scene, const char *const *sets, int n_sets,
                    cq_scene **out);
  void (*destroy)(cq_scene *scene);
} cq_repeatable;

struct cq_task {
  cq_scene *scene;
  cq_problem problem;
  cq_optimizer_def optimizer;
  cq_scenarios *scenarios; /* NULL, as the next: the problem is the scene's own */
  cq_experiments *experiments;
  cq_repeatable repeatable;
  cq_differences beside; /* copies: those of level 0 are for evaluations ahead, too */
};

/* cq_scene_variation, with a task. */
cq_status cq_task_make_variation(cq_ctx *ctx, const cq_scene *scene, const char *const *sets,
                                 int n_sets, cq_scene **out);
/* cq_scene_make_finer, with a task. */
cq_status cq_task_make_finer(cq_scene *scene, int level, cq_scene **out);

#endif
