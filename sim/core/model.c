#include "model.h"

const char *const cq_input_names[CQ_N_INPUTS] = {
#define CQ_INPUT_NAME(name, count, unit) #name,
    CQ_INPUT_LIST(CQ_INPUT_NAME)
#undef CQ_INPUT_NAME
};

const char *const cq_input_units[CQ_N_INPUTS] = {
#define CQ_INPUT_UNIT(name, count, unit) unit,
    CQ_INPUT_LIST(CQ_INPUT_UNIT)
#undef CQ_INPUT_UNIT
};

cq_layout cq_model_layout(const cq_model *model) {
  const size_t n = (size_t)model->n_particles, dim = (size_t)model->dim;
  const size_t boundaries = (size_t)model->n_boundaries;
  const size_t parameters = (size_t)model->controller.n_parameters;
  const size_t counts[CQ_N_INPUTS] = {
#define CQ_INPUT_COUNT(name, count, unit) count,
      CQ_INPUT_LIST(CQ_INPUT_COUNT)
#undef CQ_INPUT_COUNT
  };
  cq_layout layout = {.total = 0};
  for (int i = 0; i < CQ_N_INPUTS; i++) {
    layout.offset[i] = layout.total;
    layout.count[i] = counts[i];
    layout.total += counts[i];
  }
  layout.state_total = layout.offset[CQ_INPUT_youngs_modulus];
  layout.n_z = model->n_groups * cq_group_z_size(model->dim);
  return layout;
}
