/* What springs are to a problem file. */
#include "../spring.h"

#include "engine_part.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

#define OWN_TABLE         "spring/scene/spring_keys.h"
#define OWN_KEYS(section) cq_spring_##section##_keys
#include "own_structs.h"
#define OWN_ROWS cq_spring_rows
extern const cq_engine_keys OWN_ROWS[];
#include "own_rows.h"

static double stiffness(const cq_body *body) {
  const cq_spring_material_keys *keys = body->material->of_engine;
  return keys->youngs_modulus;
}

static cq_status read(cq_scene *scene) {
  const cq_spring_simulation_keys *keys = scene->config.simulation.of_engine;
  cq_spring_model *own = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, own, 1));
  scene->own = own;
  scene->model.own = own;
  scene->model.length = keys->reach;
  memcpy(scene->model.room.high, keys->high_corner, sizeof keys->high_corner);
  return CQ_OK;
}

/* Springs of a body into `to`, NULL: none; returns how many there are. */
static int join(const cq_body *body, int dim, double reach, cq_spring *to) {
  int n = 0;
  for (int i = 0; i < body->count; i++) {
    for (int j = i + 1; j < body->count; j++) {
      double square = 0.0;
      for (int a = 0; a < dim; a++) {
        const double d = body->x[j * dim + a] - body->x[i * dim + a];
        square += d * d;
      }
      if (square < reach * reach) {
        if (to != NULL) {
          to[n] = (cq_spring){{body->first + i, body->first + j}, sqrt(square), -1};
        }
        n++;
      }
    }
  }
  return n;
}

static cq_status read_bodies(cq_scene *scene) {
  cq_spring_model *own = scene->own;
  cq_spring *springs = NULL;
  for (int b = 0; b < scene->config.bodies.count; b++) {
    own->n_springs += join(&scene->bodies[b], scene->model.dim, scene->model.length, NULL);
  }
  CQ_TRY(CQ_ARENA(&scene->arena, springs, own->n_springs));
  own->springs = springs;
  own->floor = stiffness(&scene->bodies[0]);
  for (int b = 0; b < scene->config.bodies.count; b++) {
    springs += join(&scene->bodies[b], scene->model.dim, scene->model.length, springs);
  }
  return CQ_OK;
}

static cq_status read_walls(cq_scene *scene) {
  (void)scene;
  return CQ_OK;
}

/* One control an actuator, which shortens the springs within its body. */
static cq_status read_actuators(cq_scene *scene) {
  const cq_actuator_keys *keys = scene->config.actuators.items;
  const cq_spring_model *own = scene->own;
  cq_model *model = &scene->model;
  const int n = scene->config.actuators.count;
  model->n_actuators = model->n_controls = model->n_drives = n;
  CQ_TRY(CQ_ARENA(&scene->arena, scene->acting, n));
  CQ_TRY(cq_scene_make_controls(scene));
  int *actuator = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, actuator, model->n_particles));
  for (int p = 0; p < model->n_particles; p++) {
    actuator[p] = -1;
  }
  for (int i = 0; i < n; i++) {
    const cq_set *set = NULL;
    CQ_TRY(cq_scene_find_set(scene, keys[i].node, "body", keys[i].body, &set));
    scene->acting[i] = (cq_acting){set, i, 1};
    scene->controls[i] = (cq_control){keys[i].name, "1", &keys[i], false};
    const cq_spring_actuator_keys *its = keys[i].of_engine;
    scene->u_max[i] = scene->u_strength[i] = its->max;
    scene->u_min[i] = -its->max;
    for (int k = 0; k < set->count; k++) {
      actuator[set->particles[k]] = i;
    }
  }
  model->actuator = actuator;
  for (int e = 0; e < own->n_springs; e++) {
    cq_spring *s = (cq_spring *)&own->springs[e];
    s->actuator = actuator[s->ends[0]] == actuator[s->ends[1]] ? actuator[s->ends[0]] : -1;
  }
  return CQ_OK;
}

static cq_status fill(const cq_scene *scene, double *inputs) {
  double *E = inputs + cq_layout_offset(&scene->layout, "youngs_modulus");
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (int p = body->first; p < body->first + body->count; p++) {
      E[p] = stiffness(body);
    }
  }
  const cq_spring_simulation_keys *keys = scene->config.simulation.of_engine;
  inputs[cq_layout_offset(&scene->layout, "damping")] = keys->damping;
  return CQ_OK;
}

static cq_status preflight(cq_scene *scene, const double *least, const double *largest,
                           const double *away) {
  (void)scene;
  (void)least;
  (void)largest;
  (void)away;
  return CQ_OK;
}

static bool holds(const cq_scene *scene, size_t particle) {
  (void)scene;
  (void)particle;
  return false;
}

static void describe(const cq_scene *scene, FILE *out) {
  fprintf(out, "  %d springs\n", ((const cq_spring_model *)scene->own)->n_springs);
}

static void describe_body(const cq_scene *scene, const cq_body *body, FILE *out) {
  (void)scene;
  fprintf(out, "stiffness %g N/m", stiffness(body));
}

static void draw_wall(const cq_artist *artist, int wall) {
  (void)artist;
  (void)wall;
}

const cq_engine_part cq_part_spring = {
    .name = "spring",
    .keys = cq_spring_rows,
    .read = read,
    .read_bodies = read_bodies,
    .read_walls = read_walls,
    .read_actuators = read_actuators,
    .fill = fill,
    .preflight = preflight,
    .holds = holds,
    .describe = describe,
    .describe_body = describe_body,
    .draw_wall = draw_wall,
};
