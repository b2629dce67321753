#include "tanh_linear.h"

#include "export.h"

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

static cq_layers layer(const cq_scene *scene, const double *theta) {
  const cq_controller *c = &scene->model.controller;
  return (cq_layers){.count = 1, .sizes = {c->n_features, c->n_controls}, .theta = theta};
}

static void write_c(const cq_scene *scene, const double *theta, FILE *out) {
  const cq_layers only = layer(scene, theta);
  cq_export_layers_c(scene, out, &only);
}

static void write_json(const cq_scene *scene, const double *theta, cq_json *json) {
  const cq_layers only = layer(scene, theta);
  cq_export_layers_json(json, &only);
}

const cq_controller_type cq_controller_tanh_linear = {
    .reads_inputs = true,
    .configure = configure,
    .parameter = parameter,
    .write_c = write_c,
    .write_json = write_json,
};
