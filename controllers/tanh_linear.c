#include "tanh_linear.h"

#include "scene.h"

#include <math.h>

static cq_status configure(cq_scene *scene, cq_controller *controller) {
  (void)scene;
  controller->n_parameters = tanh_linear_parameters(controller);
  return CQ_OK;
}

static double parameter(const cq_scene *scene, int j, double spread, cq_rng *rng, char *label,
                        size_t size) {
  const int n = scene->model.controller.n_features, weights = n * scene->model.n_controls;
  if (j >= weights) {
    snprintf(label, size, ".%s.bias", scene->controls[j - weights].name);
    return 0.0;
  }
  snprintf(label, size, ".%s.%s", scene->controls[j / n].name, scene->features[j % n]);
  return (isnan(spread) ? 0.02 : spread) * cq_rng_normal(rng);
}

const cq_controller_type cq_controller_tanh_linear = {
    .reads_inputs = true,
    .configure = configure,
    .parameter = parameter,
};
