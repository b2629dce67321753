/* The fluid engine: picks the variant for a model. */
#include "device_pick.h"
#include "devices.h"
#include "fluid_inputs.h"
#include "fluid_kernels.h"
#include "fluid_model.h"
#include "status.h"

#include <stdbool.h>
#include <string.h>

static const cq_host_steps *pick(const cq_model *model) {
  static const cq_host_steps *const tables[2][2][2] = {
      {{&cq_fluid_cpu_2d_f32, &cq_fluid_cpu_2d_f64}, {&cq_fluid_cpu_3d_f32, &cq_fluid_cpu_3d_f64}},
      {{&cq_fluid_there_2d_f32, &cq_fluid_there_2d_f64},
       {&cq_fluid_there_3d_f32, &cq_fluid_there_3d_f64}}};
  return tables[model->device == CQ_ON_CUDA][model->dim - 2][model->bits == 64];
}

static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                        void **engine) {
  return cq_host_create(ctx, model, layout, pick(model), engine);
}

void cq_fluid_density(const cq_model *model, const cq_layout *layout, const double *inputs,
                      double *out) {
  pick(model)->field(model, layout, 0, inputs, inputs, out);
}

/* Gradients that go with the particles are where these are. */
static bool is_of_host(const char *word) {
  static const char *const words[] = {"local", "complete", "complete_published", "exact",
                                      "tangent"};
  bool found = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    found = found || (word != NULL && strcmp(word, words[i]) == 0);
  }
  return found;
}

/* wherever its steps are made: states are the host's */
static const cq_engine on_host = {
    .name = "fluid", .create = create, CQ_HOST_ENGINE, .tangent = cq_host_tangent};

cq_status cq_fluid_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine) {
  *engine = &on_host;
  if (model->device == CQ_ON_CUDA) {
    CQ_CHECK(ctx, !is_of_host(model->gradient), CQ_DEVICE,
             "the gradient \"%s\" of the fluid engine is on the CPU alone: set "
             "simulation.device = \"cpu\", or simulation.gradient = \"difference\" or \"rigid\"",
             model->gradient);
    CQ_CHECK(ctx, cq_fluid_of(model)->n_pins == 0, CQ_DEVICE,
             "joints of rigid bodies in the fluid engine are on the CPU alone: set "
             "simulation.device = \"cpu\"");
    CQ_TRY(cq_cuda_check(ctx));
  }
  return CQ_OK;
}
