/* The controller of a design for other programs: JSON, or a C function that needs nothing else. */
#include "export.h"

#include "fresh.h"
#include "status.h"
#include "tree.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {
#define CQ_CONTROLLER(name) [CQ_CONTROLLER_##name] = #name,
#include "controller_list.h"
#undef CQ_CONTROLLER
};

static int count_read(const cq_controller *c) {
  int n = 0;
  for (int i = 0; i < c->n_features; i++) {
    n += c->features[i].kind == CQ_FEATURE_OBSERVED;
  }
  return n;
}

/* What the function is and takes, for whoever opens the file. */
static void put_comment(const cq_scene *scene, FILE *out) {
  const cq_controller *c = &scene->model.controller;
  const int n_read = count_read(c);
  char name[64], step[32];
  cq_export_name(scene, name);
  cq_number_text(c->dt, step);
  fprintf(out,
          "/* The controller of %s (%s).\n *\n * %s(step, z, u) gives the controls u[%d]\n"
          " * of time step `step`, each %s s long, from 0 on",
          cq_scene_name(scene), kinds[c->kind], name, c->n_controls, step);
  fprintf(out,
          n_read == 0
              ? "; z is not read.\n *\n"
              : ", from the numbers z[%d]\n * that it reads as the step begins, in SI units.\n *\n",
          n_read);
  for (int i = 0, k = 0; i < c->n_features; i++) {
    if (c->features[i].kind == CQ_FEATURE_OBSERVED) {
      fprintf(out, " *   z[%d]  %s\n", k++, scene->features[i]);
    }
  }
  for (int i = 0; i < c->n_controls; i++) {
    fprintf(out, " *   u[%d]  %s [%s], %.6g to %.6g\n", i, scene->controls[i].name,
            scene->controls[i].unit, scene->u_min[i], scene->u_max[i]);
  }
  fputs(" *\n * Compiled with -std=c17, or -ffp-contract=off, and the same libm, it has the bits "
        "of the\n"
        " * simulation. */\n#include <math.h>\n\n",
        out);
}

static void put_c(const cq_scene *scene, const double *theta, FILE *out) {
  put_comment(scene, out);
  cq_scene_controller_type(scene)->write_c(scene, theta, out);
  fputs("}\n", out);
}

/* What the controller reads, in the order of its columns of weights. */
static void put_inputs(const cq_scene *scene, cq_json *json) {
  static const char *const names[] = {[CQ_FEATURE_OBSERVED] = "observed",
                                      [CQ_FEATURE_CONSTANT] = "constant",
                                      [CQ_FEATURE_CLOCK] = "clock"};
  const cq_controller *c = &scene->model.controller;
  cq_json_open(json, "inputs", '[');
  for (int i = 0; i < c->n_features; i++) {
    const cq_feature *f = &c->features[i];
    cq_json_open(json, NULL, '{');
    cq_json_text(json, "name", scene->features[i]);
    cq_json_text(json, "kind", names[f->kind]);
    if (f->kind == CQ_FEATURE_CONSTANT) {
      cq_json_number(json, "value", f->value);
    } else if (f->kind == CQ_FEATURE_CLOCK) {
      cq_json_number(json, "rate", f->rate);
      cq_json_number(json, "phase", f->phase);
    }
    cq_json_number(json, "center", f->center);
    cq_json_number(json, "scale", f->scale);
    cq_json_shut(json, '{');
  }
  cq_json_shut(json, '[');
}

/* What all controllers have, then what this one has. */
static void put_json(const cq_scene *scene, const double *theta, FILE *out) {
  const cq_controller *c = &scene->model.controller;
  cq_json json = cq_json_begin(out);
  cq_json_text(&json, "problem", cq_scene_name(scene));
  cq_json_text(&json, "type", kinds[c->kind]);
  cq_json_number(&json, "time_step", c->dt);
  put_inputs(scene, &json);
  cq_json_open(&json, "controls", '[');
  for (int i = 0; i < c->n_controls; i++) {
    cq_json_open(&json, NULL, '{');
    cq_json_text(&json, "name", scene->controls[i].name);
    cq_json_text(&json, "unit", scene->controls[i].unit);
    cq_json_number(&json, "min", scene->u_min[i]);
    cq_json_number(&json, "max", scene->u_max[i]);
    cq_json_number(&json, "middle", scene->u_middle[i]);
    cq_json_number(&json, "strength", scene->u_strength[i]);
    cq_json_shut(&json, '{');
  }
  cq_json_shut(&json, '[');
  cq_scene_controller_type(scene)->write_json(scene, theta, &json);
  cq_json_end(&json);
}

cq_status cq_scene_export_controller(cq_scene *scene, const double *x, const char *path) {
  const char *ending = strrchr(path, '.');
  const bool is_c = ending != NULL && strcmp(ending, ".c") == 0;
  CQ_CHECK(scene->ctx, is_c || (ending != NULL && strcmp(ending, ".json") == 0), CQ_USAGE,
           "%s: a controller is written as .c or .json", path);
  CQ_CHECK(scene->ctx, cq_scene_controller_type(scene)->write_c != NULL, CQ_CONFIG,
           "%s has no controller to write: give it controller.type and actuators",
           cq_scene_name(scene));
  cq_scene_take_design(scene, x != NULL ? x : cq_scene_problem(scene)->start, scene->current);
  const double *theta = scene->current + cq_layout_offset(&scene->layout, "theta");
  cq_fresh file;
  CQ_TRY(cq_fresh_begin(scene->ctx, path, &file));
  (is_c ? put_c : put_json)(scene, theta, file.out);
  return cq_fresh_end(&file, CQ_OK);
}
