#include "model.h"

#include "engine.h"

/* How many things of a model a block has numbers of. */
static size_t population(const cq_model *model, cq_of of) {
  switch (of) {
  case CQ_OF_PARTICLE:
    return (size_t)model->n_particles;
  case CQ_OF_WALL:
    return (size_t)model->n_boundaries;
  case CQ_OF_CONTROLLER:
    return (size_t)model->controller.n_parameters;
  case CQ_OF_KNOT:
    return (size_t)model->n_knots;
  default:
    return 1;
  }
}

/* The blocks of the engine's list one after the other; states come first in it. */
cq_layout cq_model_layout(const cq_model *model) {
  const cq_engine_type *type = cq_engine_type_of(model->engine);
  cq_layout layout = {.n = 0};
  if (type == NULL) {
    return layout;
  }
  layout.n = type->n_inputs;
  layout.inputs = type->inputs;
  for (int i = 0; i < layout.n; i++) {
    const cq_input *input = &layout.inputs[i];
    layout.offset[i] = layout.total;
    layout.count[i] = population(model, input->of) * (size_t)input->numbers[model->dim - 2];
    layout.total += layout.count[i];
    layout.n_states += input->state;
    layout.state_total = input->state ? layout.total : layout.state_total;
  }
  return layout;
}
