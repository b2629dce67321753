/* The gradient of a file against differences. */
#include "settings.h"

#include "point.h"

#include <math.h>

/* The agreement of a function with differences, a number a block. */
cq_status cq_file_gradcheck(cq_file *file, const double *x, int n, int function, double *agreement,
                            int n_blocks) {
  CQ_TRY(cq_api_begin(file));
  cq_scene *const scene = file->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  CQ_CHECK(file->ctx, function >= -1 && function < cq_problem_constraints(problem), CQ_USAGE,
           "there is no function %d", function);
  CQ_TRY(cq_api_length(file->ctx, "agreement", agreement, (size_t)n_blocks,
                       (size_t)cq_scene_block_count(scene)));
  CQ_TRY(cq_api_design(file, x, n, &x));
  const double tolerance = scene->model.bits == 32 ? 1e-2 : 1e-5;
  for (int i = 0; i < n_blocks; i++) {
    const cq_block_info block = cq_scene_block(scene, i);
    cq_gradcheck result = {.best = NAN};
    CQ_TRY(cq_gradcheck_block(file->ctx, problem, x, function, block.first, block.count, tolerance,
                              &result));
    agreement[i] = result.best;
  }
  return CQ_OK;
}
