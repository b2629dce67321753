/* What is simulated: constant after build. The reader in problems/ builds it, engines read it.
 *
 * Two kinds of quantity are kept apart. A model says what exists (particles, walls, actuators,
 * groups), and what only one engine knows of it is `own`. Numbers that a design may change
 * (positions, Young's moduli, gravity, controller weights) are *inputs* (inputs.h).
 */
#ifndef CQ_CORE_MODEL_H
#define CQ_CORE_MODEL_H

#include "channels.h"
#include "controller.h"
#include "cqopt/base.h"
#include "devices.h"
#include "inputs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_box {
  double low[3], high[3]; /* [m] */
} cq_box;

typedef struct cq_model {
  const char *engine;   /* of engine_list.h; NULL: the first one */
  const char *gradient; /* one of the engine's words; NULL: its first one */
  int horizon;       /* steps after which an adjoint sweep begins anew, as if a run ended there and
                        the next began at its state; 0: it does not. Then gradients are heuristic */
  cq_backend device; /* what it runs on */
  int dim;           /* 2 (plane strain) or 3 */
  int bits;          /* 32 or 64 */
  int steps;         /* state k is at time k*dt, k = 0 .. steps */
  double dt;         /* [s] */
  cq_box room;       /* that everything is in */
  double length;     /* [m] of what is resolved: a cell, a support, a diameter */

  int n_particles;
  int n_boundaries;    /* walls, each with a number friction[i] */
  int n_knots;         /* of the tracks of driven bodies, all together */
  int n_actuators;     /* of the engine's kinds */
  const int *actuator; /* [n_particles] actuator index or -1 */
  int n_controls, n_drives;
  cq_controller controller; /* controller.kind CQ_CONTROLLER_none when n_controls is 0 */

  int n_groups, n_channels; /* what is observed, and where */
  const cq_group *groups;
  const cq_channel *channels; /* first those that controllers and actuators read, at all states */
  int n_seeds;                /* seeds of a sweep that have a dz */

  int n_means; /* that state 0 has, of those that an engine may have (cq_engine_type.means) */
  const double *means; /* [n_means] rows */

  size_t memory;    /* byte budget of stored states, z and dz of the seeds; 0: no limit */
  const char *memo; /* policy name of memo_list.h; NULL: binomial */
  const void *own;  /* what the engine alone knows */
} cq_model;

/* Where the inputs of a model stand; without an engine of that name there are none. */
cq_layout cq_model_layout(const cq_model *model);

#ifdef __cplusplus
}
#endif

#endif
