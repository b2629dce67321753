/* The engine's own inputs by their index; type.c says what they are. The state comes first. */
#ifndef CQ_GRANULAR_INPUTS_H
#define CQ_GRANULAR_INPUTS_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CQ_GRAIN_x,
  CQ_GRAIN_v,
  CQ_GRAIN_spin,
  CQ_GRAIN_density,
  CQ_GRAIN_volume, /* of the sphere: its radius follows */
  CQ_GRAIN_grain_friction,
  CQ_GRAIN_rolling_friction,
  CQ_GRAIN_restitution,
  CQ_GRAIN_cohesion,
  CQ_GRAIN_gravity,
  CQ_GRAIN_friction, /* of grains on a wall */
  CQ_GRAIN_track,    /* knots of driven bodies */
  CQ_GRAIN_theta,
  CQ_N_GRAIN_INPUTS
};

/* what it observes of a group beside what all engines do */
enum {
  CQ_GRAIN_UNEVENNESS = CQ_N_SHARED_QUANTITIES,
  CQ_GRAIN_SHARE_IN, /* of the mass of the group's grains, in its box */
  /* Of wall number parameter - 1, the group's; without a parameter of the rigid body that carries
   * the group's first particle, 0 where none does. Force [N] on it in the step that led to the
   * state, then torque about its origin [N m], along x, y, z: six quantities (2D: by metre of
   * depth) */
  CQ_GRAIN_WRENCH,
  CQ_GRAIN_WRENCH_END = CQ_GRAIN_WRENCH + 6,
  /* how far it has turned from where the file has it, an axis times an angle [rad], and its spin
   * [rad/s]: six quantities */
  CQ_GRAIN_TURN = CQ_GRAIN_WRENCH_END,
  CQ_GRAIN_TURN_END = CQ_GRAIN_TURN + 6,
  /* work that it has done on what it pushed [J] */
  CQ_GRAIN_WORK = CQ_GRAIN_TURN_END
};

/* what it counts */
enum {
  CQ_GRAIN_CONTACTS,    /* of all steps */
  CQ_GRAIN_LISTS,       /* lists of neighbours that were made */
  CQ_GRAIN_PENETRATION, /* the deepest, in millionths of a radius */
  CQ_GRAIN_JAMS, /* steps in which a tool was pushed by more than ten times the weight of all */
  CQ_N_GRAIN_TALLIES
};

/* The engine for a model (granular.c). */
cq_status cq_granular_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);

#ifdef __cplusplus
}
#endif

#endif
