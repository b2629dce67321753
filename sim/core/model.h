/* What is simulated: constant after build. The reader in problems/ builds it, engines read it.
 *
 * Two kinds of quantity are kept apart. A model says what exists (particles, walls, actuators,
 * groups), and what only one engine knows of it is `own`. Numbers that a design may change
 * (positions, Young's moduli, gravity, controller weights) are *inputs* (inputs.h).
 */
#ifndef CQ_CORE_MODEL_H
#define CQ_CORE_MODEL_H

#include "controller.h"
#include "cqopt/base.h"
#include "devices.h"
#include "inputs.h"
#include "observed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An observed set of particles (CSR-like: owned by the model's builder). */
typedef struct cq_group {
  int count;
  const int *particles;   /* ascending */
  unsigned quantities;    /* CQ_OBSERVE_... bits: what is observed beside the means and the mass */
  double stress_exponent; /* q >= 1 of CQ_Z_STRESS, for CQ_OBSERVE_STRESS */
} cq_group;

typedef struct cq_box {
  double low[3], high[3]; /* [m] */
} cq_box;

typedef struct cq_model {
  const char *engine;   /* of engine_list.h; NULL: the first one */
  const char *gradient; /* one of the engine's words; NULL: its first one */
  cq_backend device;    /* what it runs on */
  int dim;              /* 2 (plane strain) or 3 */
  int bits;             /* 32 or 64 */
  int steps;            /* state k is at time k*dt, k = 0 .. steps */
  double dt;            /* [s] */
  cq_box room;          /* that everything is in */
  double length;        /* [m] of what is resolved: a cell, a support, a diameter */

  int n_particles;
  int n_boundaries;    /* walls, each with a number friction[i] */
  int n_actuators;     /* of the engine's kinds */
  const int *actuator; /* [n_particles] actuator index or -1 */
  int n_controls, n_drives;
  cq_controller controller; /* controller.kind CQ_CONTROLLER_none when n_controls is 0 */

  int n_groups; /* observed groups; z holds them one after the other */
  const cq_group *groups;
  const unsigned char *observe; /* [steps + 1] 1 where z is wanted; NULL: at the last state only */

  size_t memory;    /* byte budget of the stored states; 0: no limit */
  const char *memo; /* policy name of memo_list.h; NULL: binomial */
  const void *own;  /* what the engine alone knows */
} cq_model;

/* Where the inputs of a model stand; without an engine of that name there are none. */
cq_layout cq_model_layout(const cq_model *model);

/* Is a state observed? */
static inline bool cq_model_observes(const cq_model *model, int state) {
  return model->observe != NULL ? model->observe[state] != 0 : state == model->steps;
}

/* Length of the observation of one group inside z: observed.h. */
static inline int cq_group_z_size(int dim) {
  return 2 * dim + CQ_Z_SCALARS;
}

#ifdef __cplusplus
}
#endif

#endif
