/* Two colliding balls of 1500 and 900 particles, walls, running and terminal seeds. */
#ifndef CQ_TESTS_COLLISION_SCENE_H
#define CQ_TESTS_COLLISION_SCENE_H

#include "mpm_inputs.h"
#include "scene_builder.h"

/* Not opened yet, so that the model may be changed. */
static inline void collision_scene_prepare(scene *s, int dim, int bits, int steps, int threads) {
  const int n = 2400;
  scene_make(s, dim, bits, 60, 0.02, 2e-3, steps, n, threads);
  s->boundaries[0] = scene_domain(&s->mpm, CQ_BOUNDARY_separate, 3, 3, 4);
  s->boundaries[1] = scene_half_space(CQ_BOUNDARY_slip, dim, 0.1, 1.0, 0.2, 0.5, 0.45);
  s->boundaries[2] = scene_ball_wall(CQ_BOUNDARY_separate, dim, 0.5, 0.47, 0.5, 0.06);
  s->model.n_boundaries = 3;
  s->groups[1] = (cq_group){.count = 900, .particles = s->particles + 1500};
  s->model.n_groups = 2;
  s->own[0] = 1u << CQ_Q_VOLUME | 1u << CQ_Q_ENERGY | 1u << CQ_Q_STRESS;
  s->groups[0].parameter = 5.5;
}

static inline void collision_scene_open(scene *s) {
  const int dim = s->model.dim, n = s->model.n_particles;
  scene_open(s);
  const double a[3] = {0.4, 0.55, 0.5}, b[3] = {0.6, 0.56, 0.52};
  scene_ball(s, 0, 1500, a, 0.095, 1);
  scene_ball(s, 1500, 900, b, 0.08, 2);
  for (int p = 0; p < n; p++) {
    scene_at(s, CQ_INPUT_v)[p * dim] = p < 1500 ? 0.9 : -0.9;
    scene_at(s, CQ_INPUT_v)[p * dim + 1] = -0.9;
    s->material[p] = p < 1500 ? CQ_MATERIAL_fixed_corotated : CQ_MATERIAL_neo_hookean;
  }
  scene_at(s, CQ_INPUT_friction)[0] = 0.5;
  scene_at(s, CQ_INPUT_friction)[2] = 0.3;
  for (int k = 0; k <= s->model.steps; k++) {
    if (cq_z_observes(s->layout.rows, k)) {
      s->dz[s->layout.rows->begin[k] + 3] = 0.1;
      s->dz[scene_place(s, k, 0, CQ_Q_ENERGY)] = 0.03;
      s->dz[scene_place(s, k, 0, CQ_Q_STRESS)] = 0.02;
    }
  }
  s->dz[scene_place(s, s->model.steps, 1, CQ_Q_POSITION)] = 1.0;
}

static inline void collision_scene_make(scene *s, int dim, int bits, int steps, int threads) {
  collision_scene_prepare(s, dim, bits, steps, threads);
  collision_scene_open(s);
}

#endif
