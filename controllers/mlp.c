#include "mlp.h"

#include "export.h"
#include "status.h"

#include <math.h>

/* Sizes are checked here, with the key to blame: arrays of layers have a fixed length. */
static cq_status configure(cq_scene *scene, cq_controller *controller) {
  const cq_controller_keys *keys = &scene->config.controller;
  const cq_numbers *hidden = &keys->hidden;
  CQ_KEY_CHECK(scene->ctx, hidden->count <= CQ_MOST_LAYERS, keys, hidden,
               "%d layers are more than the %d there can be", hidden->count, CQ_MOST_LAYERS);
  controller->n_layers = hidden->count;
  for (int k = 0; k < hidden->count; k++) {
    const double units = hidden->values[k];
    CQ_KEY_CHECK(scene->ctx, units == floor(units) && units <= CQ_MOST_UNITS, keys, hidden,
                 "%g is not a number of units (1 to %d)", units, CQ_MOST_UNITS);
    controller->units[k] = (int)units;
  }
  controller->activation = (cq_activation)keys->activation;
  controller->n_parameters = mlp_parameters(controller);
  return CQ_OK;
}

/* Biases start at 0; weights, by default, with a spread that keeps a unit's sum near 1. */
static double parameter(const cq_scene *scene, int j, double spread, cq_rng *rng, char *label,
                        size_t size) {
  const cq_controller *c = &scene->model.controller;
  int layer = 0;
  while (j >= mlp_offset(c, layer + 1)) {
    layer++;
  }
  const int i = j - mlp_offset(c, layer), n = mlp_inputs(c, layer);
  const int weights = n * mlp_outputs(c, layer);
  if (i >= weights) {
    snprintf(label, size, ".%d.bias[%d]", layer, i - weights);
    return 0.0;
  }
  snprintf(label, size, ".%d[%d][%d]", layer, i / n, i % n);
  return (isnan(spread) ? 1.0 / sqrt(n) : spread) * cq_rng_normal(rng);
}

static cq_layers layers(const cq_scene *scene, const double *theta) {
  const cq_controller *c = &scene->model.controller;
  cq_layers l = {.count = c->n_layers + 1, .activation = c->activation, .theta = theta};
  for (int k = 0; k <= c->n_layers; k++) {
    l.sizes[k] = mlp_inputs(c, k);
  }
  l.sizes[l.count] = c->n_controls;
  return l;
}

static void write_c(const cq_scene *scene, const double *theta, FILE *out) {
  const cq_layers l = layers(scene, theta);
  cq_export_layers_c(scene, out, &l);
}

static void write_json(const cq_scene *scene, const double *theta, cq_json *json) {
  const cq_layers l = layers(scene, theta);
  cq_export_layers_json(json, &l);
}

const cq_controller_type cq_controller_mlp = {
    .reads_inputs = true,
    .configure = configure,
    .parameter = parameter,
    .write_c = write_c,
    .write_json = write_json,
};
