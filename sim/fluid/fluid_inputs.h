/* The inputs of the engine, in the order of its list (type.c), and what it counts in a run. */
#ifndef CQ_FLUID_INPUTS_H
#define CQ_FLUID_INPUTS_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_fluid_input {
  CQ_FLUID_x,
  CQ_FLUID_v,
  CQ_FLUID_pressure,
  CQ_FLUID_density,
  CQ_FLUID_volume,
  CQ_FLUID_viscosity,
  CQ_FLUID_gravity,
  CQ_FLUID_friction,
  CQ_FLUID_theta,
  CQ_N_FLUID_INPUTS
} cq_fluid_input;

enum {
  CQ_TALLY_SWEEPS,     /* of the density solver, in all steps */
  CQ_TALLY_DIVERGENCE, /* of the divergence solver */
  CQ_TALLY_ERROR,   /* largest mean error of the density that a step left, in parts per million */
  CQ_TALLY_OUTSIDE, /* most particles that were out of the room at once */
  CQ_TALLY_PARTS,   /* that simulation.cfl has made of all steps; 0: it is not set */
  CQ_TALLY_MOST_PARTS, /* the most that it has made of a step */
  CQ_N_FLUID_TALLIES
};

/* Its own quantities, of the rigid body that a group is of (its first particle is), or of a group
 * without particles of the obstacle that is wall number parameter - 1. 0: it is of fluid. */
enum {
  /* the mean wrench of a step about its centre, of all but its weight; 0: no step was made */
  CQ_FLUID_FORCE,      /* of them CQ_FLUID_FORCE + axis */
  CQ_FLUID_TORQUE = 3, /* in 2D about z alone, as those below */
  CQ_FLUID_TURN = 6,   /* since the run began, an axis times an angle */
  CQ_FLUID_SPIN = 9,
  CQ_N_FLUID_QUANTITIES = 12
};

extern const cq_input cq_fluid_inputs[CQ_N_FLUID_INPUTS];

/* Density/rest density of all particles (rigid ones: 1) at the start from these inputs; NAN where
 * there is no memory for that: out [n_particles]. */
void cq_fluid_density(const cq_model *model, const cq_layout *layout, const double *inputs,
                      double *out);

/* cq_engine_type.find */
cq_status cq_fluid_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);

#ifdef __cplusplus
}
#endif

#endif
