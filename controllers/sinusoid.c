#include "sinusoid.h"

#include "export.h"

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

static double rate_of(const cq_controller *c, const double *theta) {
  return c->learns_rate ? theta[3 * c->n_controls] : c->rate;
}

static void write_c(const cq_scene *scene, const double *theta, FILE *out) {
  const cq_controller *c = &scene->model.controller;
  const int n = c->n_controls;
  cq_export_array(out, "amplitude", theta, n);
  cq_export_array(out, "phase", theta + n, n);
  cq_export_array(out, "bias", theta + 2 * n, n);
  cq_export_ranges(out, c);
  cq_export_head(scene, out);
  fprintf(out, "  for (int i = 0; i < %d; i++) {\n    const double wave = sin(", n);
  cq_export_number(out, rate_of(c, theta));
  fputs(" * time + phase[i]);\n"
        "    u[i] = middle[i] + strength[i] * tanh(bias[i] + amplitude[i] * wave);\n"
        "  }\n",
        out);
}

static void write_json(const cq_scene *scene, const double *theta, cq_json *json) {
  const cq_controller *c = &scene->model.controller;
  const int n = c->n_controls;
  cq_json_number(json, "rate", rate_of(c, theta));
  cq_json_numbers(json, "amplitude", theta, n);
  cq_json_numbers(json, "phase", theta + n, n);
  cq_json_numbers(json, "bias", theta + 2 * n, n);
}

const cq_controller_type cq_controller_sinusoid = {
    .configure = configure, .parameter = parameter, .write_c = write_c, .write_json = write_json};
