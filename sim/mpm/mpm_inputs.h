/* The engine's own inputs by their index; type.c says what they are. Kernels rely on the order: the
 * four of the state, then the four numbers that a particle has of its substance. */
#ifndef CQ_MPM_INPUTS_H
#define CQ_MPM_INPUTS_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All arrays are particle-major: x[p*dim + a], F[(p*dim + row)*dim + column]. */
enum {
  CQ_INPUT_x,
  CQ_INPUT_v,
  CQ_INPUT_F,
  CQ_INPUT_C,
  CQ_INPUT_youngs_modulus,
  CQ_INPUT_poisson_ratio,
  CQ_INPUT_density,
  CQ_INPUT_volume,
  CQ_INPUT_gravity,
  CQ_INPUT_damping,
  CQ_INPUT_friction,
  CQ_INPUT_track, /* of a knot: place, and turn (2D: an angle; 3D: three, as a body's rotation) */
  CQ_INPUT_theta,
  CQ_N_INPUTS
};

/* what it counts under on_inversion = "continue" */
enum {
  CQ_TALLY_INVERTED, /* det F <= 0 */
  CQ_TALLY_CLAMPED,  /* of these, the rotation of F is undefined and held by a floor (polar.h) */
  CQ_N_TALLIES
};

extern const cq_input cq_mpm_inputs[CQ_N_INPUTS];

/* The engine for a model: of its dimension, its precision and its device (mpm.c). */
cq_status cq_mpm_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);

#ifdef __cplusplus
}
#endif

#endif
