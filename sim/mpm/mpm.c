/* The MPM engine: picks the variant for a model. */
#include "actuators.h"
#include "cuda_pick.h"
#include "devices.h"
#include "kernels.h"
#include "mpm_inputs.h"
#include "status.h"

static const cq_host_steps *pick(const cq_model *model) {
  static const cq_host_steps *const tables[2][2][2] = {
      {{&cq_mpm_cpu_2d_f32, &cq_mpm_cpu_2d_f64}, {&cq_mpm_cpu_3d_f32, &cq_mpm_cpu_3d_f64}},
      {{&cq_mpm_ref_2d_f32, &cq_mpm_ref_2d_f64}, {&cq_mpm_ref_3d_f32, &cq_mpm_ref_3d_f64}}};
  return tables[cq_mpm_of(model)->kernels == CQ_KERNELS_REFERENCE][model->dim - 2]
               [model->bits == 64];
}

static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                        void **engine) {
  CQ_TRY(cq_actuators_check(ctx, model, layout->rows));
  return cq_host_create(ctx, model, layout, pick(model), engine);
}

static const cq_engine on_host = {.name = "mpm", .create = create, CQ_HOST_ENGINE};

static cq_status check_mirrors(cq_ctx *ctx, const cq_model *model) {
  for (int i = 0; i < cq_mpm_n_walls(model); i++) {
    CQ_CHECK(ctx, !cq_mpm_of(model)->boundaries[i].mirror, CQ_DEVICE,
             "the mpm engine mirrors bodies that end at a slip wall on the CPU alone: set "
             "simulation.device = \"cpu\", or mirror = false for the wall");
  }
  return CQ_OK;
}

/* The engine on the CPU, or that on a device, with what it does not have there. */
cq_status cq_mpm_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine) {
  *engine = &on_host;
  if (model->device == CQ_ON_CUDA) {
    CQ_CHECK(ctx, cq_mpm_of(model)->rigids == NULL, CQ_DEVICE,
             "the mpm engine has rigid bodies on the CPU alone: set simulation.device = \"cpu\"");
    CQ_CHECK(ctx, cq_mpm_of(model)->n_contacts == 0, CQ_DEVICE,
             "the mpm engine has contact between bodies on the CPU alone: set simulation.device = "
             "\"cpu\"");
    CQ_TRY(check_mirrors(ctx, model));
    CQ_CHECK(ctx, model->horizon == 0, CQ_DEVICE,
             "the mpm engine has a horizon on the CPU alone: set simulation.device = \"cpu\", or "
             "horizon = 0");
    CQ_TRY(cq_cuda_check(ctx));
    *engine = cq_mpm_cuda(model->dim, model->bits);
  }
  return CQ_OK;
}
