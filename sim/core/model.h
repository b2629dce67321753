/* What is simulated: constant after build. The reader in problems/ builds it, engines read it.
 *
 * Two kinds of quantity are kept apart. A model says what exists (grid, particles, which material a
 * particle is of, walls, actuators, groups). Numbers that a design may change (positions, Young's
 * moduli, gravity, controller weights) are *inputs* (inputs.h).
 */
#ifndef CQ_CORE_MODEL_H
#define CQ_CORE_MODEL_H

#include "controller.h"
#include "cqopt/base.h"
#include "devices.h"
#include "geometry/geometry.h"
#include "inputs.h"
#include "kinds.h"
#include "observed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_transfer { CQ_TRANSFER_APIC, CQ_TRANSFER_PIC } cq_transfer;
typedef enum cq_kernels { CQ_KERNELS_FAST, CQ_KERNELS_REFERENCE } cq_kernels;
typedef enum cq_on_inversion { CQ_INVERSION_FAIL, CQ_INVERSION_CONTINUE } cq_on_inversion;

/* A condition on the grid velocities of the nodes that a geometry holds. Its friction coefficient
 * is input friction[i], i its index in cq_model.boundaries (read by kind separate alone). */
typedef struct cq_boundary {
  cq_boundary_kind kind;
  cq_geometry geometry; /* a height field's curve is not copied */
} cq_boundary;

/* A share of a particle in a point of a cable. */
typedef struct cq_anchor {
  int particle;
  double share;
} cq_anchor;

enum { CQ_ANCHORS = 8 }; /* of a point; those that are not needed have share 0 */

/* An actuator acts on the particles whose cq_model.actuator[p] is its index; a cable on those it is
 * anchored to. */
typedef struct cq_actuator {
  cq_actuation_kind kind;
  int first_control, n_controls; /* its controls are u[first_control .. + n_controls) */
  int first_drive, n_drives;     /* and what drives it, after cq_actuators_number() */
  int group;                     /* index in cq_model.groups of what it sees */
  cq_along along;                /* thrust */
  const cq_curve *ground;        /* thrust along its slope */
  double direction[9]; /* muscle: symmetric dim x dim pattern, row-major; sigma = u * direction.
                          thrust along a direction: its unit vector */
  double
      stiffness; /* hydraulic: pressure [Pa] of a chamber without volume; cable: one over the area
                    [m^(dim-1)] of the stress that its tension counts as for the time step */
  int n_points;  /* cable: it runs through the points sum of share * x of their anchors */
  const cq_anchor *anchors; /* [n_points][CQ_ANCHORS] */
} cq_actuator;

/* An observed set of particles (CSR-like: owned by the model's builder). */
typedef struct cq_group {
  int count;
  const int *particles;   /* ascending */
  unsigned quantities;    /* CQ_OBSERVE_... bits: what is observed beside the means and the mass */
  double stress_exponent; /* q >= 1 of CQ_Z_STRESS, for CQ_OBSERVE_STRESS */
} cq_group;

typedef struct cq_model {
  const char *engine; /* of engine_list.h; NULL: the first one */
  cq_backend device;  /* what it runs on */
  int dim;            /* 2 (plane strain) or 3 */
  int bits;           /* 32 or 64 */
  int steps;          /* state k is at time k*dt, k = 0 .. steps */
  double dt;          /* [s] */
  int grid[3];        /* nodes per axis; node i is at i*cell. Unused axes are 1 */
  double cell;        /* [m] */
  cq_transfer transfer;
  cq_on_inversion on_inversion;
  cq_kernels kernels;     /* the same step, fast or as plain loops to compare with */
  double contact_epsilon; /* smoothing of the tangential speed, epsilon of eq. (94) [m^2/s^2] */

  int n_particles;
  const unsigned char *material; /* [n_particles] cq_material_kind */
  const int *actuator;           /* [n_particles] actuator index or -1 */
  const double *viscosity;       /* [n_particles] of the material [Pa s]; NULL: 0 */

  int n_boundaries;
  const cq_boundary *boundaries;
  int n_actuators;
  const cq_actuator *actuators;
  int n_controls, n_drives;
  cq_controller controller; /* controller.kind CQ_CONTROLLER_none when n_controls is 0 */

  int n_groups; /* observed groups; z holds them one after the other */
  const cq_group *groups;
  const unsigned char *observe; /* [steps + 1] 1 where z is wanted; NULL: at the last state only */

  size_t memory;    /* byte budget of the stored states; 0: no limit */
  const char *memo; /* policy name of memo_list.h; NULL: binomial */
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
