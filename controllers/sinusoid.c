#include "sinusoid.h"

#include "scene.h"

#include <math.h>

static cq_status configure(cq_scene *scene, cq_controller *controller) {
  controller->rate = scene->config.controller.rate;
  controller->learns_rate = scene->config.controller.learn_rate;
  controller->n_parameters = sinusoid_parameters(controller);
  return CQ_OK;
}

/* Phases start anywhere: where all are equal, mirrored actuators have equal gradients. */
static double parameter(const cq_scene *scene, int j, double spread, cq_rng *rng, char *label,
                        size_t size) {
  static const char *const parts[] = {"amplitude", "phase", "bias"};
  const int n = scene->model.n_controls, part = j / n;
  if (part == 3) {
    snprintf(label, size, ".rate");
    return scene->model.controller.rate;
  }
  snprintf(label, size, ".%s.%s", scene->controls[j % n].name, parts[part]);
  if (part == 0) {
    return (isnan(spread) ? 0.02 : spread) * cq_rng_normal(rng);
  }
  return part == 1 ? 2.0 * 3.14159265358979323846 * cq_rng_uniform(rng) : 0.0;
}

const cq_controller_type cq_controller_sinusoid = {.configure = configure, .parameter = parameter};
