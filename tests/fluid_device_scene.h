/* A scene with all that a device has of the fluid engine: an emitter, a body that floats and drags,
 * walls, an obstacle that moves. */
#ifndef CQ_TESTS_FLUID_DEVICE_SCENE_H
#define CQ_TESTS_FLUID_DEVICE_SCENE_H

#include "fluid_scene.h"

enum { STEPS = 6 };

/* how a scene differs from the plain one */
typedef struct variety {
  bool tolerances, warm, crowded;
} variety;

static cq_fluid_emitter emitter;
static double knots[7];
static const double knot_times[1] = {0.0};
static track_sway sway;
static track path;

/* A ball of samples without particles, which sways. */
static inline void add_obstacle(fluid_scene *s, const double *center) {
  cq_fluid_body *body = &s->bodies[s->fluid.n_bodies++];
  cq_shape ball = {.kind = CQ_SHAPE_ball, .dim = s->model.dim};
  ball.radius = 3.0 * s->fluid.radius;
  memset(knots, 0, sizeof knots);
  for (int a = 0; a < s->model.dim; a++) {
    ball.center[a] = center[a];
    body->center[a] = knots[a] = center[a];
  }
  if (s->model.dim == 3) {
    knots[3] = 1.0;
  }
  sway = (track_sway){.amplitude = {0.01}, .frequency = 5.0};
  path = (track){.n_knots = 1,
                 .times = knot_times,
                 .knots = knots,
                 .axis = {0, 0, 1},
                 .n_sways = 1,
                 .sways = &sway};
  body->driven = true;
  body->track = &path;
  body->first_sample = (int)s->samples.n;
  CHECK(cq_fluid_sample(s->ctx, &ball, -CQ_FLUID_INSET * s->fluid.radius, 2.0 * s->fluid.radius,
                        1u << 24, &s->samples) == CQ_OK);
  body->n_samples = (int)s->samples.n - body->first_sample;
}

static inline void make_scene(fluid_scene *s, int dim, int bits, variety v) {
  /* more particles than a block has threads, in either near what is rigid; the emitter of 2D is so
   * far away that there are more cells than a block adds up */
  const int across = dim == 2 ? 18 : 8, up = dim == 2 ? 200 : 3, deep = dim == 2 ? 9 : 3,
            pool[3] = {across, deep, 8};
  const int jet[3] = {3, 2, 2}, box[3] = {3, 2, 3};
  const double r = 0.02, d = 2.0 * r, low[3] = {0};
  const double high[3] = {across * d, (deep + up + 3) * d, 8 * d};
  const double mouth[3] = {0.5 * d, (deep + up) * d, 3 * d};
  const double above[3] = {(across - 7) * d, (deep + 0.2) * d, 2 * d};
  const double ball[3] = {(across - 2) * d, (deep + 1.8) * d, 4 * d};
  scene_begin(s, dim, bits, r, 2e-3, STEPS, 1);
  s->fluid.sweeps = v.tolerances ? 60 : v.crowded ? 1 : 5;
  s->fluid.divergence_sweeps = v.tolerances ? 20 : v.crowded ? 1 : 2;
  s->fluid.tolerance = v.tolerances ? 1e-3 : 0.0;
  s->fluid.divergence_tolerance = v.tolerances ? 1e-3 : 0.0;
  s->fluid.warm_start = v.warm;
  s->fluid.surface_tension = 0.3;
  s->fluid.xsph = 0.05;
  s->fluid.contact_stiffness = 1e4;
  s->fluid.contact_speed = 1e-3;
  scene_walls(s, low, high);
  scene_fluid(s, low, pool);
  emitter = (cq_fluid_emitter){.first = (int)s->particles.n};
  scene_fluid(s, mouth, jet);
  emitter.count = (int)s->particles.n - emitter.first;
  s->fluid.emitters = &emitter;
  s->fluid.n_emitters = 1;
  scene_box(s, above, box, 300.0);
  add_obstacle(s, ball);
  scene_open(s);
  s->model.device = CQ_ON_CPU;
  memset(s->sticky, 1, s->samples.n);
  double *const x = scene_at(s, CQ_FLUID_x), *const speed = scene_at(s, CQ_FLUID_v);
  scene_at(s, CQ_FLUID_gravity)[1] = -9.81;
  scene_at(s, CQ_FLUID_friction)[0] = 0.3;
  for (int p = 0; p < s->model.n_particles; p++) {
    scene_at(s, CQ_FLUID_viscosity)[p] = s->body[p] < 0 ? 2.0 : 0.0;
    const bool waits = p >= emitter.first && p < emitter.first + emitter.count;
    speed[p * dim] = waits ? 3.0 : s->body[p] == 0 ? 0.2 : 0.0;
    speed[p * dim + 1] = s->body[p] == 0 ? -1.0 : 0.0;
    for (int a = 0; a < dim && s->body[p] < 0 && !waits; a++) {
      x[p * dim + a] += v.crowded ? -0.26 * (x[p * dim + a] - 2 * d) : 0.1 * r * sin(7.0 * p + a);
    }
  }
}

#endif
