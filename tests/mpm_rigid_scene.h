/* Scenes of MPM with rigid bodies, for tests: a block of material on a floor, and what meets it. */
#ifndef CQ_TESTS_MPM_RIGID_SCENE_H
#define CQ_TESTS_MPM_RIGID_SCENE_H

#include "actuators.h"
#include "bodies.h"
#include "device.h"
#include "mpm_inputs.h"
#include "rng.h"
#include "sim.h"
#include "test.h"
#include "walls.h"

enum { RIGID_BODIES = 4, RIGID_KNOTS = 8, RIGID_CARRIED = 64, RIGID_GROUPS = 5 };

typedef struct rigid_scene {
  cq_ctx *ctx;
  cq_model model;
  cq_mpm_model mpm; /* model.own */
  cq_rigids rigids;
  cq_rigid body[RIGID_BODIES];
  cq_mpm_rigid rigid[RIGID_BODIES];
  cq_shape shapes[RIGID_BODIES];
  track tracks[RIGID_BODIES];
  double times[RIGID_KNOTS];
  track_sway sway;
  double placed[RIGID_CARRIED * 3], placed_center[RIGID_BODIES * 3];
  cq_boundary boundaries[1];
  cq_actuator actuators[1];
  unsigned char *material;
  int *actuator, *particles;
  cq_group groups[RIGID_GROUPS];
  cq_channel channels[RIGID_GROUPS * CQ_N_QUANTITIES];
  cq_layout layout;
  double *inputs;
} rigid_scene;

/* No walls, no bodies, smooth contacts; `soft` particles along each axis. */
static inline void rigid_scene_begin(rigid_scene *s, int dim, int bits, int steps, int soft) {
  memset(s, 0, sizeof *s);
  cq_model *m = &s->model;
  s->ctx = cq_ctx_create(1, 1);
  m->own = &s->mpm;
  m->dim = dim;
  m->device = CQ_TEST_DEVICE;
  m->bits = bits;
  m->steps = steps;
  m->dt = 2e-3;
  s->mpm.cell = 0.05;
  for (int a = 0; a < 3; a++) {
    s->mpm.grid[a] = a < dim ? 24 : 1;
  }
  s->mpm.contact_epsilon = 1e-7;
  s->mpm.n_soft = m->n_particles = dim == 2 ? soft * soft : soft * soft * soft;
  s->mpm.rigids = &s->rigids;
  s->mpm.rigid = s->rigid;
  s->mpm.placed = s->placed;
  s->mpm.placed_center = s->placed_center;
  s->mpm.boundaries = s->boundaries;
  s->rigids.dim = dim;
  s->rigids.bodies = s->body;
  s->rigids.smooth = true;
  cq_rigids_usual(&s->rigids, 0.02, 9.8, 4e-3);
  const size_t most = (size_t)m->n_particles + RIGID_CARRIED;
  s->material = calloc(most, 1);
  s->actuator = malloc(most * sizeof(int));
  s->particles = malloc(most * sizeof(int));
  for (size_t p = 0; p < most; p++) {
    s->actuator[p] = -1;
    s->particles[p] = (int)p;
  }
  s->mpm.material = s->material;
  m->actuator = s->actuator;
}

/* The floor, at y = 0.175, and walls around. Before the bodies. */
static inline void rigid_scene_walls(rigid_scene *s) {
  s->boundaries[0] = scene_domain(&s->mpm, CQ_BOUNDARY_separate, 3, 4, 3);
  s->model.n_boundaries = s->mpm.n_walls = 1;
}

static inline cq_shape rigid_box(double x, double y, double z, double a, double b) {
  return (cq_shape){.kind = CQ_SHAPE_box, .center = {x, y, z}, .size = {a, b, a}};
}

static inline cq_shape rigid_ball(double x, double y, double z, double radius) {
  return (cq_shape){.kind = CQ_SHAPE_ball, .center = {x, y, z}, .radius = radius};
}

/* Which particles a body carries: at the corners of a cube a third of its size, more on one side,
 * two of the corners, or one. */
typedef enum carry { CARRY_EVENLY, CARRY_LOPSIDED, CARRY_ROW, CARRY_ONE } carry;

/* Returns the number of the body. */
static inline int rigid_scene_add(rigid_scene *s, cq_shape shape, cq_rigid_motion motion,
                                  cq_boundary_kind kind, carry how) {
  const int i = s->rigids.n++, dim = s->model.dim;
  shape.dim = dim;
  s->shapes[i] = shape;
  CHECK(cq_rigid_make(s->ctx, &s->shapes[i], 0.03, 0.004, &s->body[i]) == CQ_OK);
  s->body[i].name = "tool";
  s->body[i].motion = motion;
  s->rigid[i] = (cq_mpm_rigid){.meets = true,
                               .kind = kind,
                               .wall = s->model.n_boundaries++,
                               .first = s->model.n_particles,
                               .first_knot = -1};
  const int corners = 1 << dim;
  const int n = how == CARRY_ONE ? 1 : how == CARRY_ROW ? 2 : corners + 2 * (how == CARRY_LOPSIDED);
  const double size = shape.kind == CQ_SHAPE_ball ? shape.radius : shape.size[1];
  for (int k = 0; k < n; k++) {
    double *x = s->placed + (s->model.n_particles - s->mpm.n_soft) * dim;
    for (int a = 0; a < dim; a++) {
      const double side = k < corners ? ((k >> a & 1) != 0 ? 1.0 : -1.0) : 0.4 * (k - a);
      x[a] = shape.center[a] + side * size / 3.0;
    }
    s->model.n_particles++;
  }
  s->rigid[i].count = n;
  for (int a = 0; a < dim; a++) {
    s->placed_center[i * dim + a] = s->body[i].inertia.center[a];
  }
  return i;
}

/* Moves body i along n knots, which are inputs. */
static inline void rigid_scene_track(rigid_scene *s, int i, int n) {
  for (int k = 0; k < n; k++) {
    s->times[k] = 0.5 * s->model.steps * s->model.dt * k / (n > 1 ? n - 1 : 1);
  }
  s->tracks[i] = (track){.n_knots = n, .times = s->times, .axis = {0.0, 0.0, 1.0}};
  s->body[i].track = &s->tracks[i];
  s->rigid[i].first_knot = s->model.n_knots;
  s->model.n_knots += n;
}

/* Lets controls be the velocity of body i along x and its last spin. */
static inline void rigid_scene_drive(rigid_scene *s, int i) {
  const int dim = s->model.dim, last = dim == 2 ? 2 : 5;
  s->body[i].drive = (drive){.n_controls = 2, .component = {0, last}};
  s->actuators[0] = (cq_actuator){.kind = CQ_DRIVES_A_BODY, .n_controls = 2};
  s->mpm.actuators = s->actuators;
  s->model.n_actuators = 1;
  cq_actuators_number(&s->model, s->actuators);
  s->mpm.n_rigid_drives = 2;
  cq_controller *c = &s->model.controller;
  c->kind = CQ_CONTROLLER_open_loop;
  c->n_controls = 2;
  c->hold = 7;
  c->joined = 1; /* lines between rows */
  c->n_parameters = ((s->model.steps + c->hold - 1) / c->hold + 1) * 2;
}

static inline double *rigid_scene_at(rigid_scene *s, int which) {
  return s->inputs + s->layout.offset[which];
}

/* All material, half of everything, what is carried: of the second all that particles have. Then
 * the first body, by its particles, and the last one, by its number: how they move, and what pushes
 * them. */
static inline void rigid_scene_groups(rigid_scene *s) {
  const int n = s->model.n_particles, soft = s->mpm.n_soft;
  s->groups[0] = (cq_group){soft, s->particles, 8.0};
  s->groups[1] = (cq_group){n - soft / 2, s->particles + soft / 2, 8.0};
  s->groups[2] = (cq_group){n - soft, s->particles + soft, 8.0};
  s->groups[3] = (cq_group){s->rigid[0].count, s->particles + s->rigid[0].first, 0.0};
  s->groups[4] = (cq_group){0, NULL, s->rigids.n};
  s->model.groups = s->groups;
  s->model.n_groups = RIGID_GROUPS;
  s->model.channels = s->channels;
  for (int g = soft > 0 ? 0 : 2; g < RIGID_GROUPS; g++) {
    const int quantities = g == 1 ? (int)CQ_Q_TURN : (int)CQ_N_SHARED_QUANTITIES;
    const bool moves = g >= 3;
    for (int k = moves ? (int)CQ_Q_TURN : 0; k < (moves ? (int)CQ_N_QUANTITIES : quantities); k++) {
      s->channels[s->model.n_channels++] = (cq_channel){g, k, NULL};
    }
  }
}

static inline void rigid_scene_particle(rigid_scene *s, int p, const double *x, double volume) {
  const int dim = s->model.dim;
  for (int a = 0; a < dim; a++) {
    rigid_scene_at(s, CQ_INPUT_x)[p * dim + a] = x[a];
    rigid_scene_at(s, CQ_INPUT_F)[(p * dim + a) * dim + a] = 1.0;
  }
  rigid_scene_at(s, CQ_INPUT_youngs_modulus)[p] = 20.0;
  rigid_scene_at(s, CQ_INPUT_poisson_ratio)[p] = 0.25;
  rigid_scene_at(s, CQ_INPUT_density)[p] = 1.5;
  rigid_scene_at(s, CQ_INPUT_volume)[p] = volume;
}

/* The inputs: material from `corner` on, `spacing` apart; bodies where they were placed, at rest.
 */
static inline void rigid_scene_end(rigid_scene *s, int soft, const double *corner, double spacing) {
  const int dim = s->model.dim;
  cq_rng rng = cq_rng_seed(3);
  rigid_scene_groups(s);
  s->layout = cq_model_layout(&s->model);
  s->inputs = calloc(s->layout.total, sizeof(double));
  for (int p = 0; p < s->mpm.n_soft; p++) {
    double x[3];
    for (int a = 0, i = p; a < dim; a++, i /= soft) {
      x[a] = corner[a] + spacing * (i % soft + 0.1 * (cq_rng_uniform(&rng) - 0.5));
    }
    rigid_scene_particle(s, p, x, pow(spacing, dim));
  }
  for (int i = 0; i < s->rigids.n; i++) {
    for (int k = 0; k < s->rigid[i].count; k++) {
      const int p = s->rigid[i].first + k;
      rigid_scene_particle(s, p, s->placed + (p - s->mpm.n_soft) * dim,
                           s->body[i].inertia.volume / s->rigid[i].count);
    }
  }
  for (int i = 0; i < s->model.n_boundaries; i++) {
    rigid_scene_at(s, CQ_INPUT_friction)[i] = 0.3 + 0.1 * i;
  }
  rigid_scene_at(s, CQ_INPUT_gravity)[1] = -9.8;
}

/* Turns body i by `angle` about z and its centre, and has it move at v and spin about z. */
static inline void rigid_scene_throw(rigid_scene *s, int i, double angle, double vx, double vy,
                                     double spin_z) {
  const int dim = s->model.dim;
  const double *center = s->placed_center + i * dim, cosine = cos(angle), sine = sin(angle);
  for (int k = 0; k < s->rigid[i].count; k++) {
    double *x = rigid_scene_at(s, CQ_INPUT_x) + (s->rigid[i].first + k) * dim;
    double *v = rigid_scene_at(s, CQ_INPUT_v) + (s->rigid[i].first + k) * dim;
    const double a = x[0] - center[0], b = x[1] - center[1];
    x[0] = center[0] + cosine * a - sine * b;
    x[1] = center[1] + sine * a + cosine * b;
    v[0] = vx - spin_z * (x[1] - center[1]);
    v[1] = vy + spin_z * (x[0] - center[0]);
  }
}

static inline void rigid_scene_free(rigid_scene *s) {
  for (int i = 0; i < s->rigids.n; i++) {
    cq_rigid_free(s->ctx, &s->body[i]);
  }
  CHECK(cq_ctx_bytes(s->ctx) == 0);
  cq_ctx_destroy(s->ctx);
  free(s->material);
  free(s->actuator);
  free(s->particles);
  free(s->inputs);
}

#endif
