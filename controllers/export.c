#include "export.h"

#include "affine.h"
#include "tree.h"

#include <math.h>
#include <string.h>

/* "walker_2d_control": the name of the problem, as far as C takes it */
void cq_export_name(const cq_scene *scene, char name[64]) {
  snprintf(name, 56, "%s", scene->config.problem.name);
  for (char *c = name; *c != '\0'; c++) {
    const bool digit = *c >= '0' && *c <= '9' && c > name;
    const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
    *c = (char)(digit || letter ? *c : '_');
  }
  strcat(name, "_control");
}

void cq_export_number(FILE *out, double value) {
  char text[32];
  cq_number_text(value, text);
  fputs(text, out);
}

void cq_export_array(FILE *out, const char *name, const double *values, int n) {
  fprintf(out, "static const double %s[%d] = {", name, n);
  for (int i = 0; i < n; i++) {
    fputs(i == 0 ? "\n    " : i % 4 == 0 ? ",\n    " : ", ", out);
    cq_export_number(out, values[i]);
  }
  fputs("};\n", out);
}

void cq_export_head(const cq_scene *scene, FILE *out) {
  char name[64];
  cq_export_name(scene, name);
  fprintf(out, "\nvoid %s(int step, const double *z, double *u) {\n  const double time = step * ",
          name);
  cq_export_number(out, scene->model.controller.dt);
  fputs(";\n  (void)z, (void)time;\n", out);
}

void cq_export_ranges(FILE *out, const cq_controller *controller) {
  cq_export_array(out, "middle", controller->middle, controller->n_controls);
  cq_export_array(out, "strength", controller->strength, controller->n_controls);
}

/* Features as features_eval has them: an operation less may cost the last bit. */
static void put_feature(const cq_scene *scene, FILE *out, int i, int *n_read) {
  const cq_feature *f = &scene->model.controller.features[i];
  fprintf(out, "  x[%d] = ", i);
  cq_export_number(out, f->scale);
  if (f->kind == CQ_FEATURE_OBSERVED) {
    fprintf(out, " * (z[%d] - ", (*n_read)++);
  } else if (f->kind == CQ_FEATURE_CLOCK) {
    fputs(" * (sin(", out);
    cq_export_number(out, f->rate);
    fputs(" * time + ", out);
    cq_export_number(out, f->phase);
    fputs(") - ", out);
  } else {
    fputs(" * (", out);
    cq_export_number(out, f->value);
    fputs(" - ", out);
  }
  cq_export_number(out, f->center);
  fprintf(out, f->kind == CQ_FEATURE_OBSERVED ? ");\n" : "); /* %s */\n", scene->features[i]);
}

static const char affine_text[] =
    "\n/* y = W x + b, the numbers of W row by row, then those of b */\n"
    "static void affine(const double *w, int n_in, const double *x, int n_out, double *y) {\n"
    "  for (int i = 0; i < n_out; i++) {\n"
    "    double sum = w[n_out * n_in + i];\n"
    "    for (int j = 0; j < n_in; j++) {\n"
    "      sum += w[i * n_in + j] * x[j];\n"
    "    }\n"
    "    y[i] = sum;\n"
    "  }\n"
    "}\n";

/* Layer k from the one array to the other, its activation as mlp_activate has it. */
static void put_layer(FILE *out, const cq_layers *l, int k) {
  const char *const from = k % 2 == 0 ? "x" : "y", *const to = k % 2 == 0 ? "y" : "x";
  fprintf(out, "  affine(layer_%d, %d, %s, %d, %s);\n", k, l->sizes[k], from, l->sizes[k + 1], to);
  if (k < l->count - 1) {
    fprintf(out, "  for (int i = 0; i < %d; i++) {\n    %s[i] = ", l->sizes[k + 1], to);
    if (l->activation == CQ_ACTIVATION_TANH) {
      fprintf(out, "tanh(%s[i]);\n  }\n", to);
    } else {
      fprintf(out, "%s[i] > 0.0 ? %s[i] : %s[i] * 0.0;\n  }\n", to, to, to);
    }
  }
}

/* The arrays layer_0, layer_1 and so on. Returns the most numbers that are between any two. */
static int put_weights(FILE *out, const cq_layers *l) {
  const double *theta = l->theta;
  int most = l->sizes[0];
  for (int k = 0; k < l->count; k++) {
    char name[24];
    const int n = affine_parameters(l->sizes[k], l->sizes[k + 1]);
    snprintf(name, sizeof name, "layer_%d", k);
    cq_export_array(out, name, theta, n);
    theta += n;
    most = l->sizes[k + 1] > most ? l->sizes[k + 1] : most;
  }
  return most;
}

/* Arrays of weights, then a function that goes from layer to layer. */
void cq_export_layers_c(const cq_scene *scene, FILE *out, const cq_layers *l) {
  const cq_controller *c = &scene->model.controller;
  int n_read = 0;
  const int most = put_weights(out, l);
  cq_export_ranges(out, c);
  fputs(affine_text, out);
  cq_export_head(scene, out);
  fprintf(out, "  double x[%d], y[%d];\n", most, most);
  for (int i = 0; i < c->n_features; i++) {
    put_feature(scene, out, i, &n_read);
  }
  for (int k = 0; k < l->count; k++) {
    put_layer(out, l, k);
  }
  fprintf(out,
          "  for (int i = 0; i < %d; i++) {\n"
          "    u[i] = middle[i] + strength[i] * tanh(%s[i]);\n"
          "  }\n",
          c->n_controls, l->count % 2 == 0 ? "x" : "y");
}

/* A list with an object a layer. */
void cq_export_layers_json(cq_json *json, const cq_layers *l) {
  const double *theta = l->theta;
  cq_json_open(json, "layers", '[');
  for (int k = 0; k < l->count; k++) {
    const int n_in = l->sizes[k], n_out = l->sizes[k + 1];
    cq_json_open(json, NULL, '{');
    cq_json_open(json, "weights", '[');
    for (int i = 0; i < n_out; i++) {
      cq_json_numbers(json, NULL, theta + i * n_in, n_in);
    }
    cq_json_shut(json, '[');
    cq_json_numbers(json, "bias", theta + n_out * n_in, n_out);
    const bool last = k == l->count - 1;
    cq_json_text(json, "activation", last || l->activation == CQ_ACTIVATION_TANH ? "tanh" : "relu");
    cq_json_shut(json, '{');
    theta += affine_parameters(n_in, n_out);
  }
  cq_json_shut(json, '[');
}
