/* The granular engine: picks the variant for a model, and refuses settings that add energy. */
#include "device_shapes.h"
#include "grains_cuda_pick.h"
#include "granular_inputs.h"
#include "granular_kernels.h"
#include "granular_model.h"
#include "host_loop.h"
#include "status.h"

#include <math.h>

/* Can contacts move it, now or after its release? */
static bool is_moved(const cq_rigid *body) {
  return body->motion == CQ_RIGID_FREE || cq_rigid_limited(body) ||
         (body->motion == CQ_RIGID_DRIVEN && body->release < INFINITY);
}

/* Refuses what would run and be wrong; a model need not come from a file. */
static cq_status check(cq_ctx *ctx, const cq_model *model) {
  const cq_granular_model *own = cq_granular_of(model);
  CQ_CHECK(ctx, own->iterations >= 1, CQ_CONFIG, "%d iterations; at least 1 is needed",
           own->iterations);
  CQ_CHECK(ctx, own->n_materials <= CQ_MOST_GRAIN_MATERIALS, CQ_CONFIG,
           "%d materials of grains; at most %d are possible", own->n_materials,
           CQ_MOST_GRAIN_MATERIALS);
  const int least = own->solver == CQ_GRANULAR_JACOBI ? 5 : 2;
  CQ_CHECK(ctx, !own->warm || own->solver == CQ_GRANULAR_PAPER || own->iterations >= least,
           CQ_CONFIG,
           "a warm start with %d iteration%s adds energy to a bed at rest: take at least %d "
           "iterations, or no warm start",
           own->iterations, own->iterations == 1 ? "" : "s", least);
  for (int i = 0; own->rigids != NULL && i < own->rigids->n; i++) {
    const cq_rigid *body = &own->rigids->bodies[i];
    CQ_CHECK(ctx, !is_moved(body) || own->solver == CQ_GRANULAR_NCP, CQ_CONFIG,
             "rigid body \"%s\" is moved by grains, which the solver \"ncp\" alone does",
             body->name);
  }
  return CQ_OK;
}

/* What a device cannot do. */
static cq_status check_device(cq_ctx *ctx, const cq_model *model) {
  const cq_granular_model *own = cq_granular_of(model);
  CQ_CHECK(ctx, !own->hashed, CQ_DEVICE,
           "simulation.broadphase = \"hash\" runs on the CPU alone: set simulation.device = "
           "\"cpu\"");
  for (int i = 0; own->rigids != NULL && i < own->rigids->n; i++) {
    CQ_CHECK(ctx, !is_moved(&own->rigids->bodies[i]), CQ_DEVICE,
             "rigid body \"%s\" is moved by grains, which runs on the CPU alone: set "
             "simulation.device = \"cpu\"",
             own->rigids->bodies[i].name);
  }
  for (int t = 0; t < model->n_boundaries; t++) {
    for (int k = 0; k < own->tools[t].n_parts; k++) {
      CQ_CHECK(ctx, cq_shape_on_device(&own->tools[t].parts[k]), CQ_DEVICE,
               "wall or tool %d has a shape that runs on the CPU alone (a mesh without a grid of "
               "distances, a composite with one): set simulation.device = \"cpu\"",
               t + 1);
    }
  }
  return CQ_OK;
}

static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                        void **engine) {
  static const cq_host_steps *const tables[2][2] = {{&cq_grains_2d_f32, &cq_grains_2d_f64},
                                                    {&cq_grains_3d_f32, &cq_grains_3d_f64}};
  CQ_TRY(check(ctx, model));
  return cq_host_create(ctx, model, layout, tables[model->dim - 2][model->bits == 64], engine);
}

static const cq_engine on_host = {.name = "granular",
                                  .create = create,
                                  .destroy = cq_host_destroy,
                                  .state_bytes = cq_host_state_bytes,
                                  .upload = cq_host_upload,
                                  .run_segment = cq_host_run_segment,
                                  .download = cq_host_download,
                                  .failure = cq_host_failure,
                                  .tally = cq_host_tally,
                                  .walls = cq_host_walls};

cq_status cq_granular_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine) {
  *engine = &on_host;
  if (model->device == CQ_ON_CUDA) {
    CQ_TRY(check(ctx, model));
    CQ_TRY(check_device(ctx, model));
    CQ_TRY(cq_cuda_check(ctx));
    *engine = cq_grains_cuda(model->dim, model->bits);
  }
  return CQ_OK;
}
