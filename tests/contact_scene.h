/* The scene of the whole-run proofs: two bodies of every material thrown against walls of every
 * shape and kind, under gravity and damping, with actuators of every model, with random F and C.
 * 2D and 3D. C and C++.
 */
#ifndef CQ_TESTS_CONTACT_SCENE_H
#define CQ_TESTS_CONTACT_SCENE_H

#include "actuators.h"
#include "device.h"
#include "mpm_inputs.h"
#include "rng.h"
#include "walls.h"

#include <stdlib.h>
#include <string.h>

enum {
  SCENE_SIDE_2D = 6,
  SCENE_SIDE_3D = 4,
  SCENE_MAX = 2 * 64,
  SCENE_POINTS = 4,
  SCENE_WALLS = 10,
  SCENE_ACTUATORS = CQ_N_ACTUATIONS + 2
};

typedef struct contact_scene {
  cq_model model;
  cq_mpm_model mpm; /* model.own */
  unsigned char material[SCENE_MAX];
  double viscosity[SCENE_MAX];
  int actuator[SCENE_MAX];
  int particles[SCENE_MAX];
  cq_group groups[2];
  cq_channel channels[2 * CQ_N_QUANTITIES];
  cq_boundary boundaries[SCENE_WALLS];
  cq_part parts[3];
  cq_cubic pieces[5];
  cq_curve ground;
  cq_actuator actuators[SCENE_ACTUATORS];
  cq_anchor anchors[SCENE_POINTS * CQ_ANCHORS];
  unsigned char observe[1025];
  int field[SCENE_MAX];
  cq_mpm_contact contact;
  cq_layout layout;
  double *inputs;
} contact_scene;

static inline double scene_random(cq_rng *rng, double size) {
  return size * (2.0 * cq_rng_uniform(rng) - 1.0);
}

static inline cq_boundary scene_capsule_wall(cq_boundary_kind kind, int dim) {
  static const double flat[4] = {0.42, 0.25, 0.52, 0.25};
  static const double ends[6] = {0.42, 0.25, 0.3, 0.52, 0.25, 0.36};
  const double rotation[3] = {0.2, 0.1, -0.1};
  cq_boundary b = scene_wall(kind, CQ_SHAPE_capsule, dim, 0.0, 0.0, 0.0);
  b.shape.n_points = 2;
  b.shape.points = dim == 2 ? flat : ends;
  b.shape.radius = 0.025;
  cq_shape_turn(&b.shape, rotation);
  return b;
}

/* A box (2D: a polygon) and a turned box less a ball, turned as a whole. */
static inline cq_boundary scene_composite_wall(cq_boundary_kind kind, int dim, cq_part *parts) {
  static const double corners[6] = {0.2, 0.2, 0.34, 0.2, 0.27, 0.27};
  const double rotation[3] = {0.1, -0.2, 0.15};
  cq_boundary b = scene_box_wall(kind, dim, 0.27, 0.22, 0.33, 0.1, 0.3);
  parts[0].shape = scene_box_wall(kind, dim, 0.24, 0.23, 0.33, 0.08, 0.2).shape;
  parts[1].shape = b.shape;
  parts[2].shape = scene_ball_wall(kind, dim, 0.3, 0.27, 0.33, 0.04).shape;
  parts[2].subtract = true;
  if (dim == 2) {
    parts[0].shape = scene_wall(kind, CQ_SHAPE_polygon, 2, 0.0, 0.0, 0.0).shape;
    parts[0].shape.n_points = 3;
    parts[0].shape.points = corners;
  }
  b = scene_wall(kind, CQ_SHAPE_composite, dim, 0.0, 0.0, 0.0);
  b.shape.n_parts = 3;
  b.shape.parts = parts;
  cq_shape_turn(&b.shape, rotation);
  return b;
}

static inline void scene_boundaries(contact_scene *s) {
  const int dim = s->model.dim;
  const double width = 0.5 * s->mpm.cell * (dim == 2 ? SCENE_SIDE_2D : SCENE_SIDE_3D);
  const double top = 0.26 + width, right = 0.46 + width;
  cq_boundary *b = s->boundaries;
  /* the domain box, with friction, up to y = 0.2 below the bodies */
  b[0] = scene_domain(&s->mpm, CQ_BOUNDARY_separate, 3, 6, 2);
  b[1] = scene_half_space(CQ_BOUNDARY_separate, dim, 1.0, 0.4, 0.2, 0.215, 0.3);
  b[2] = scene_half_space(CQ_BOUNDARY_slip, dim, -1.0, 0.1, 0.1, right + 0.03, 0.3);
  b[3] = scene_half_space(CQ_BOUNDARY_sticky, dim, 0.1, -1.0, 0.0, 0.3, top);
  b[4] = scene_half_space(CQ_BOUNDARY_separate_stick, dim, -0.3, 1.0, 0.1, 0.5, 0.215);
  b[5] = scene_ball_wall(CQ_BOUNDARY_separate, dim, 0.27, 0.22, 0.33, 0.06);
  b[6] = scene_box_wall(CQ_BOUNDARY_separate, dim, 0.56, 0.23, 0.35, 0.07, 0.4);
  const double x[4] = {0.1, 0.4, 0.5, 0.7}, y[4] = {0.1, 0.2, 0.25, 0.22};
  b[7] = scene_height_field(CQ_BOUNDARY_separate, dim, 4, x, y, s->pieces);
  s->ground = b[7].shape.curve;
  if (dim == 3) { /* over x and z there */
    static const double hills[27] = {0.1, 0.1,  0.2, 0.4, 0.2,  0.2, 0.7, 0.24, 0.2,
                                     0.1, 0.15, 0.5, 0.4, 0.24, 0.5, 0.7, 0.2,  0.5,
                                     0.1, 0.12, 0.8, 0.4, 0.2,  0.8, 0.7, 0.22, 0.8};
    b[7].shape.n_points = 9;
    b[7].shape.points = hills;
  }
  b[8] = scene_capsule_wall(CQ_BOUNDARY_separate, dim);
  b[9] = scene_composite_wall(CQ_BOUNDARY_separate, dim, s->parts);
  s->model.n_boundaries = SCENE_WALLS;
  s->mpm.boundaries = s->boundaries;
}

/* A cable through both bodies; every point has shares of some particles. */
static inline void scene_cable(contact_scene *s, cq_actuator *cable) {
  cq_rng rng = cq_rng_seed(5);
  cable->n_points = SCENE_POINTS;
  cable->anchors = s->anchors;
  for (int i = 0; i < SCENE_POINTS * CQ_ANCHORS; i++) {
    const int spread = s->model.n_particles / 2;
    const int first = i / CQ_ANCHORS * (s->model.n_particles - spread) / (SCENE_POINTS - 1);
    s->anchors[i].particle = first + (int)(cq_rng_uniform(&rng) * spread);
    s->anchors[i].share = 0.05 + 0.1 * cq_rng_uniform(&rng);
  }
}

/* how many quantities are observed of a group */
static inline int scene_quantities(int group) {
  return group == 0 ? (int)CQ_Q_TURN : (int)CQ_N_SHARED_QUANTITIES;
}

/* All that is observed of the first group, all states, then what is shared of the second. */
static inline void scene_channels(contact_scene *s) {
  s->model.channels = s->channels;
  for (int g = 0; g < 2; g++) {
    for (int k = 0; k < scene_quantities(g); k++) {
      cq_channel *c = &s->channels[s->model.n_channels++];
      c->group = g;
      c->quantity = k;
      c->at = NULL;
    }
  }
}

/* where a quantity of a group begins in a row of z; of group 2: the length of a row */
static inline int contact_scene_place(int dim, int group, int quantity) {
  int place = 0;
  for (int g = 0; g <= group; g++) {
    const int end = g == group ? quantity : scene_quantities(g);
    for (int k = 0; k < end; k++) {
      place += cq_quantity_numbers(dim, k);
    }
  }
  return place;
}

static inline int contact_scene_row(int dim) {
  return contact_scene_place(dim, 2, 0);
}

/* One actuator of every model, a thrust along a direction and one along the ground under a body. */
static inline void scene_actuators(contact_scene *s) {
  const int dim = s->model.dim;
  memset(s->actuators, 0, sizeof s->actuators);
  for (int i = 0; i < SCENE_ACTUATORS; i++) {
    cq_actuator *a = &s->actuators[i];
    const int last = i >= CQ_N_ACTUATIONS;
    a->kind = last ? CQ_ACTUATION_thrust : (cq_actuation_kind)i;
    a->along = last ? (cq_along)(i - CQ_N_ACTUATIONS + CQ_ALONG_DIRECTION) : CQ_ALONG_AXES;
    a->ground = &s->ground;
    a->first_z = a->kind == CQ_ACTUATION_hydraulic ? contact_scene_place(dim, 0, CQ_Q_VOLUME)
                 : a->kind == CQ_ACTUATION_push    ? contact_scene_place(dim, 1, CQ_Q_MASS)
                                                   : contact_scene_place(dim, 1, CQ_Q_POSITION);
    a->from = 1.5 * s->model.dt;
    a->until = 7.2 * s->model.dt;
    a->stiffness = 5.0;
    a->direction[0] = last ? 0.6 : 0.0;
    a->direction[dim + 1] = 1.0;        /* yy */
    a->direction[1] = last ? 0.8 : 0.3; /* and some shear */
    a->direction[dim] = 0.3;
    if (a->kind == CQ_ACTUATION_cable) {
      scene_cable(s, a);
    }
  }
  s->mpm.actuators = s->actuators;
  s->model.n_actuators = SCENE_ACTUATORS;
  cq_actuators_number(&s->model, s->actuators);
  s->model.controller.kind = CQ_CONTROLLER_open_loop;
  s->model.controller.n_controls = s->model.n_controls;
  s->model.controller.hold = 7;
  s->model.controller.joined = 1; /* lines between rows */
  s->model.controller.n_parameters =
      ((s->model.steps + s->model.controller.hold - 1) / s->model.controller.hold + 1) *
      s->model.n_controls;
}

/* Of particle p: none, or one of those that act on particles. */
static inline int scene_actuator_of(int p) {
  const int i = p % (SCENE_ACTUATORS + 1) - 1;
  const bool acts = i >= 0 && i != CQ_ACTUATION_cable;
  return acts ? i : -1;
}

/* how far a control may be from rest: it moves the bodies, but not far */
static inline double scene_control_size(const contact_scene *s, int control, double *rest) {
  const cq_actuator *a = s->actuators;
  while (control >= a->first_control + a->n_controls) {
    a++;
  }
  *rest = cq_actuations[a->kind].rest;
  switch (a->kind) {
  case CQ_ACTUATION_cable:
    return 0.5 * pow(s->mpm.cell, s->model.dim - 1);
  case CQ_ACTUATION_hydraulic:
    return 0.5;
  default:
    return 3.0;
  }
}

static inline double scene_control(const contact_scene *s, int control, cq_rng *rng) {
  double rest = 0.0;
  const double size = scene_control_size(s, control, &rest);
  return rest + scene_random(rng, size);
}

static inline double *scene_input(contact_scene *s, int which) {
  return s->inputs + s->layout.offset[which];
}

static inline void scene_particle(contact_scene *s, cq_rng *rng, int p, const double *x,
                                  double side) {
  const int dim = s->model.dim, body = p >= s->model.n_particles / 2;
  for (int a = 0; a < dim; a++) {
    const double throwing = a == 0 ? (body == 0 ? -1.2 : 1.2) : (a == 1 ? -0.8 : 0.3);
    scene_input(s, CQ_INPUT_x)[p * dim + a] = x[a] + scene_random(rng, 0.1 * side);
    scene_input(s, CQ_INPUT_v)[p * dim + a] = throwing + scene_random(rng, 0.1);
    for (int b = 0; b < dim; b++) {
      scene_input(s, CQ_INPUT_F)[(p * dim + a) * dim + b] =
          (a == b ? 1.0 : 0.0) + scene_random(rng, 0.05);
      scene_input(s, CQ_INPUT_C)[(p * dim + a) * dim + b] = scene_random(rng, 1.0);
    }
  }
  scene_input(s, CQ_INPUT_youngs_modulus)[p] = 20.0 + scene_random(rng, 5.0);
  scene_input(s, CQ_INPUT_poisson_ratio)[p] = 0.25 + scene_random(rng, 0.1);
  scene_input(s, CQ_INPUT_density)[p] = 1.5 + scene_random(rng, 0.5);
  scene_input(s, CQ_INPUT_volume)[p] = pow(side, dim) * (1.0 + scene_random(rng, 0.2));
}

static inline void scene_fill(contact_scene *s) {
  cq_rng rng = cq_rng_seed(7);
  const int dim = s->model.dim, n = dim == 2 ? SCENE_SIDE_2D : SCENE_SIDE_3D;
  const double side = 0.5 * s->mpm.cell;
  const int per_body = dim == 2 ? n * n : n * n * n;
  for (int p = 0; p < 2 * per_body; p++) {
    const int body = p / per_body, i = p % per_body;
    const double corner[3] = {body == 0 ? 0.22 : 0.46, 0.26, 0.3};
    double x[3];
    x[0] = corner[0] + side * (i % n);
    x[1] = corner[1] + side * (i / n % n);
    x[2] = corner[2] + side * (i / (n * n));
    s->material[p] = (unsigned char)((i / 2 + body) % CQ_N_MATERIALS);
    s->viscosity[p] = i % 4 == 0 ? 0.05 : 0.0;
    s->actuator[p] = scene_actuator_of(i);
    s->particles[p] = p;
    scene_particle(s, &rng, p, x, side);
  }
  for (int a = 0; a < dim; a++) {
    scene_input(s, CQ_INPUT_gravity)[a] = a == 1 ? -9.8 : 0.7;
  }
  scene_input(s, CQ_INPUT_damping)[0] = 0.8;
  for (int i = 0; i < s->model.n_boundaries; i++) {
    scene_input(s, CQ_INPUT_friction)[i] = i == 1 ? 0.4 : 0.15;
  }
  for (size_t i = 0; i < s->layout.count[CQ_INPUT_theta]; i++) {
    scene_input(s, CQ_INPUT_theta)[i] = scene_control(s, (int)i % s->model.n_controls, &rng);
  }
}

/* Free with free(scene->inputs). */
static inline void contact_scene_make(contact_scene *s, int dim, int bits, int steps) {
  memset(s, 0, sizeof *s);
  cq_model *m = &s->model;
  m->own = &s->mpm;
  m->dim = dim;
  m->device = CQ_TEST_DEVICE;
  m->bits = bits;
  m->steps = steps;
  m->dt = 2e-3;
  s->mpm.cell = 0.04;
  for (int a = 0; a < 3; a++) {
    s->mpm.grid[a] = a < dim ? 22 : 1;
  }
  s->mpm.contact_epsilon = 1e-7;
  const int n = dim == 2 ? SCENE_SIDE_2D : SCENE_SIDE_3D;
  m->n_particles = 2 * (dim == 2 ? n * n : n * n * n);
  s->mpm.material = s->material;
  s->mpm.viscosity = s->viscosity;
  m->actuator = s->actuator;
  scene_boundaries(s);
  scene_actuators(s);
  s->groups[0].count = m->n_particles;
  s->groups[0].particles = s->particles;
  s->groups[1].count = m->n_particles / 2;
  s->groups[1].particles = s->particles + m->n_particles / 2;
  s->groups[0].parameter = 8.0;
  m->groups = s->groups;
  m->n_groups = 2;
  scene_channels(s);
  s->layout = cq_model_layout(m);
  s->inputs = (double *)calloc(s->layout.total, sizeof(double));
  scene_fill(s);
}

/* As many boundaries; those that are new have a friction of 0. */
static inline void contact_scene_resize(contact_scene *s, int n) {
  s->model.n_boundaries = n;
  const cq_layout old = s->layout;
  s->layout = cq_model_layout(&s->model);
  double *inputs = (double *)calloc(s->layout.total, sizeof(double));
  for (int i = 0; i < CQ_N_INPUTS; i++) {
    const size_t kept = old.count[i] < s->layout.count[i] ? old.count[i] : s->layout.count[i];
    memcpy(inputs + s->layout.offset[i], s->inputs + old.offset[i], kept * sizeof(double));
  }
  free(s->inputs);
  s->inputs = inputs;
}

/* Leaves n of the walls, from `first` on. */
static inline void contact_scene_keep_walls(contact_scene *s, int first, int n) {
  memmove(s->boundaries, s->boundaries + first, (size_t)n * sizeof s->boundaries[0]);
  contact_scene_resize(s, n);
}

/* The bodies are cut along a plane, and the halves meet with friction; some particles of both are
 * a third field, which no contact names. */
static inline void contact_scene_fields(contact_scene *s) {
  const int n = s->model.dim == 2 ? SCENE_SIDE_2D : SCENE_SIDE_3D;
  for (int p = 0; p < s->model.n_particles; p++) {
    s->field[p] = p / n % n >= n / 2 ? 2 : 1;
    s->field[p] = p % n == 0 ? 0 : s->field[p];
  }
  contact_scene_resize(s, s->model.n_boundaries + 1);
  const cq_mpm_contact first = {{1, 2},
                                CQ_BOUNDARY_separate,
                                s->mpm.friction_time,
                                s->mpm.friction_slip,
                                s->model.n_boundaries - 1};
  s->contact = first;
  scene_input(s, CQ_INPUT_friction)[s->contact.wall] = 0.3;
  s->mpm.n_fields = 3;
  s->mpm.field = s->field;
  s->mpm.n_contacts = 1;
  s->mpm.contacts = &s->contact;
}

/* Number k of each wall with each condition, alone, so that no other hides it; also a body that
 * leaves a wall far behind. */
enum { CONTACT_SINGLE_WALLS = 2 * SCENE_WALLS * CQ_N_BOUNDARIES };

static inline void contact_scene_one_wall(contact_scene *s, int k, int steps) {
  contact_scene_make(s, 2 + k % 2, 64, steps);
  contact_scene_keep_walls(s, k / 2 % SCENE_WALLS, 1);
  s->boundaries[0].kind = (cq_boundary_kind)(k / (2 * SCENE_WALLS));
}

/* All walls ask for the mass of nodes: it is below, within and above what they ask for. */
static inline void contact_scene_touch(contact_scene *s) {
  for (int i = 0; i < s->model.n_boundaries; i++) {
    s->boundaries[i].touch = 0.4 * s->inputs[s->layout.offset[CQ_INPUT_density]];
  }
}

/* Friction by the mean of some 20 steps, or of what slides a third of a cell; fields come after. */
static inline void contact_scene_mean_pressure(contact_scene *s) {
  s->mpm.friction_time = 20.0 * s->model.dt;
  s->mpm.friction_slip = 0.3 * s->mpm.cell;
}

/* Mirrors below and beside the bodies, through nodes and half way between them; other walls hold
 * some of the same nodes, by their mass. */
static inline void contact_scene_mirrors(contact_scene *s) {
  const int dim = s->model.dim;
  contact_scene_touch(s);
  s->boundaries[1] = scene_half_space(CQ_BOUNDARY_slip, dim, 0.0, 1.0, 0.0, 0.5, 0.24);
  s->boundaries[2] = scene_half_space(CQ_BOUNDARY_slip, dim, 1.0, 0.0, 0.0, 0.18, 0.5);
  s->boundaries[1].mirror = s->boundaries[2].mirror = true;
  if (dim == 3) {
    s->boundaries[3] = scene_half_space(CQ_BOUNDARY_slip, dim, 0.0, 0.0, 1.0, 0.5, 0.5);
    s->boundaries[3].shape.center[2] = 0.26;
    s->boundaries[3].mirror = true;
  }
}

/* Two bodies with empty blocks of planes between them. */
static inline void contact_scene_far_apart(contact_scene *s, int dim, int bits, int steps) {
  contact_scene_make(s, dim, bits, steps);
  s->mpm.grid[0] = 60;
  for (int p = s->model.n_particles / 2; p < s->model.n_particles; p++) {
    scene_input(s, CQ_INPUT_x)[p * dim] += 1.2;
  }
}

#endif
