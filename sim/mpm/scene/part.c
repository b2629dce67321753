/* What MPM is to a problem file: its grid, and the rest of its parts. */
#include "engine.h"
#include "mpm_scene.h"
#include "status.h"

#include <math.h>

/* The grid and how the engine runs on it. */
static cq_status read(cq_scene *scene) {
  const cq_mpm_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_model *model = &scene->model;
  cq_mpm_scene *own = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, own, 1));
  scene->own = own;
  own->model = (cq_mpm_model){.cell = keys->cell,
                              .transfer = (cq_transfer)keys->transfer,
                              .on_inversion = (cq_on_inversion)keys->on_inversion,
                              .kernels = (cq_kernels)keys->kernels,
                              .contact_epsilon = keys->contact_speed * keys->contact_speed};
  model->own = &own->model;
  model->horizon = keys->horizon;
  model->length = keys->cell;
  double nodes = 1.0;
  for (int a = 0; a < 3; a++) {
    own->model.grid[a] = a < model->dim ? keys->grid[a] : 1;
    model->room.high[a] = (own->model.grid[a] - 1) * keys->cell;
    nodes *= own->model.grid[a];
  }
  CQ_KEY_CHECK(
      scene->ctx, nodes < INT32_MAX / 16, keys, grid,
      "%.0f nodes are too many: at most %d, as the grid is dense; take a larger cell, or a "
      "grid no larger than what the bodies move in",
      nodes, INT32_MAX / 16 - 1);
  return CQ_OK;
}

/* F = I, no C, and the elasticity of the bodies. */
static cq_status fill(const cq_scene *scene, double *inputs) {
  const cq_layout *layout = &scene->layout;
  const size_t dim = (size_t)scene->model.dim;
  double *F = inputs + cq_layout_offset(layout, "F");
  double *E = inputs + cq_layout_offset(layout, "youngs_modulus");
  double *nu = inputs + cq_layout_offset(layout, "poisson_ratio");
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    const cq_mpm_body *own = &cq_mpm_scene_of(scene)->bodies[b];
    for (size_t p = (size_t)body->first; p < (size_t)(body->first + body->count); p++) {
      E[p] = cq_body_own(body, p - (size_t)body->first, CQ_OWN_INPUT, own->youngs_modulus);
      nu[p] = own->poisson_ratio;
      for (size_t a = 0; a < dim; a++) {
        F[(p * dim + a) * dim + a] = 1.0;
      }
    }
  }
  const cq_mpm_simulation_keys *simulation = scene->config.simulation.of_engine;
  inputs[cq_layout_offset(layout, "damping")] = simulation->damping;
  cq_mpm_fill_rigids(scene, inputs);
  cq_mpm_find_mirrors(scene, inputs);
  cq_mpm_find_friction_time(scene, inputs);
  return cq_mpm_relax(scene, inputs);
}

static void describe(const cq_scene *scene, FILE *out) {
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  fprintf(out, "  grid %d x %d", own->grid[0], own->grid[1]);
  if (scene->model.dim == 3) {
    fprintf(out, " x %d", own->grid[2]);
  }
  fprintf(out, " nodes, cell %g m\n", own->cell);
}

/* What a body is made of. */
static void describe_body(const cq_scene *scene, const cq_body *body, FILE *out) {
  const cq_mpm_body *own = &cq_mpm_scene_of(scene)->bodies[body - scene->bodies];
  const cq_mpm_material_keys *material = body->material->of_engine;
  if (cq_mpm_is_rigid(body)) {
    const cq_mpm_scene *mpm = cq_mpm_scene_of(scene);
    cq_rigid_describe(&mpm->rigid[mpm->rigid_of[body - scene->bodies]], out);
    return;
  }
  fprintf(out, "%s, ", CQ_WORD(material, model));
  if (body->flows) {
    fprintf(out, "bulk modulus %g Pa", own->youngs_modulus);
  } else {
    fputs("E ", out);
    cq_body_describe_property(body, CQ_OWN_INPUT, own->youngs_modulus, out);
    fprintf(out, " Pa, nu %g", own->poisson_ratio);
  }
  if (material->viscosity > 0.0) {
    fprintf(out, ", viscosity %g Pa s", material->viscosity);
  }
}

/* Column i of obstacles and half-spaces that move, n of each: groups without particles, told by the
 * number of the body. */
static bool column_of_mover(const cq_scene *scene, int i, const int *quantities, int n,
                            cq_own_column *out) {
  static const cq_set none = {.name = ""};
  const cq_mpm_scene *own = cq_mpm_scene_of(scene);
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const int body = own->model.n_walls + i / n, quantity = quantities[i % n];
  if (i / n >= own->n_movers) {
    return false;
  }
  *out = (cq_own_column){.quantity = quantity, .of = &none, .parameter = 1 + body};
  snprintf(out->name, sizeof out->name, "%.120s.%s", own->rigid[body].name,
           type->quantities[quantity - CQ_N_SHARED_QUANTITIES].name);
  return true;
}

/* Force and impulse of contact i / (2 dim): groups without particles, told by the wall's number. */
static bool column_of_contact(const cq_scene *scene, int i, cq_own_column *out) {
  static const cq_set none = {.name = ""};
  const cq_mpm_model *own = &cq_mpm_scene_of(scene)->model;
  const cq_engine_type *type = cq_engine_type_of(scene->model.engine);
  const int dim = scene->model.dim, number = i % (2 * dim);
  const int quantity = number < dim ? CQ_Q_FORCE + number : CQ_Q_IMPULSE + number - dim;
  if (i / (2 * dim) >= own->n_contacts) {
    return false;
  }
  const int wall = own->contacts[i / (2 * dim)].wall;
  *out = (cq_own_column){.quantity = quantity, .of = &none, .parameter = 1 + wall};
  snprintf(out->name, sizeof out->name, "%.120s.%s", scene->walls[wall].name,
           type->quantities[quantity - CQ_N_SHARED_QUANTITIES].name);
  return true;
}

/* Turn, spin and what pushes of rigid bodies and of what moves of the walls; in a plane those about
 * z, and forces in it. */
static bool column(const cq_scene *scene, int i, cq_own_column *out) {
  static const int in_2d[] = {CQ_Q_TURN + 2, CQ_Q_SPIN + 2, CQ_Q_FORCE, CQ_Q_FORCE + 1,
                              CQ_Q_TORQUE + 2};
  static const int in_3d[] = {CQ_Q_TURN,      CQ_Q_TURN + 1, CQ_Q_TURN + 2,   CQ_Q_SPIN,
                              CQ_Q_SPIN + 1,  CQ_Q_SPIN + 2, CQ_Q_FORCE,      CQ_Q_FORCE + 1,
                              CQ_Q_FORCE + 2, CQ_Q_TORQUE,   CQ_Q_TORQUE + 1, CQ_Q_TORQUE + 2};
  const int *quantities = scene->model.dim == 2 ? in_2d : in_3d;
  const int n = scene->model.dim == 2 ? 5 : 12;
  const int movers = i - n * cq_mpm_scene_of(scene)->n_rigid;
  return cq_column_of_rigid(scene, i, quantities, n, out) ||
         column_of_mover(scene, movers, quantities, n, out) ||
         column_of_contact(scene, movers - n * cq_mpm_scene_of(scene)->n_movers, out);
}

const cq_engine_part cq_part_mpm = {
    .name = "mpm",
    .keys = cq_mpm_rows,
    .also_called = cq_mpm_also_called,
    .read = read,
    .point_input = "youngs_modulus",
    .point_default = cq_mpm_point_default,
    .read_bodies = cq_mpm_read_bodies,
    .read_walls = cq_mpm_read_walls,
    .read_actuators = cq_mpm_read_actuators,
    .reads_contacts = true,
    .fill = fill,
    .preflight = cq_mpm_preflight,
    .explain = cq_mpm_explain,
    .holds = cq_mpm_holds,
    .describe = describe,
    .describe_body = describe_body,
    .draw_wall = cq_mpm_draw_wall,
    .pushed = cq_mpm_pushed,
    .column = column,
};
