/* The kinds an MPM model is made of, from the list headers: one enum each. */
#ifndef CQ_MPM_KINDS_H
#define CQ_MPM_KINDS_H

#include "channels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_material_kind {
#define CQ_MATERIAL(name, inversion_ok, phase) CQ_MATERIAL_##name,
#include "material/material_list.h"
#undef CQ_MATERIAL
  CQ_N_MATERIALS
} cq_material_kind;

/* A liquid's F is settled each step (material_settle). */
static inline int cq_material_is_liquid(int kind) {
  enum { SOLID, LIQUID };
  static const int liquid[CQ_N_MATERIALS] = {
#define CQ_MATERIAL(name, inversion_ok, phase) phase,
#include "material/material_list.h"
#undef CQ_MATERIAL
  };
  return liquid[kind];
}

typedef enum cq_boundary_kind {
#define CQ_BOUNDARY(name) CQ_BOUNDARY_##name,
#include "boundary/boundary_list.h"
#undef CQ_BOUNDARY
  CQ_N_BOUNDARIES
} cq_boundary_kind;

enum { CQ_MAX_BOUNDARIES = 32 };

/* its own quantities of a group (type.c), behind those that every engine has */
enum {
  CQ_Q_VOLUME = CQ_N_SHARED_QUANTITIES, /* sum J_p V_p / sum V_p, J_p = det F_p */
  CQ_Q_ENERGY,                          /* sum V_p Psi(F_p) [J] */
  CQ_Q_STRESS, /* (sum V_p s_p^q / sum V_p)^(1/q) of the von Mises stresses s_p [Pa], where q is
                  the group's parameter */
  /* of the rigid body that carries the group's first particle, or of a group without particles of
   * body number parameter - 1; x, y, z each, 0 where there is none */
  CQ_Q_TURN,                    /* from where the file has it, an axis times an angle [rad] */
  CQ_Q_SPIN = CQ_Q_TURN + 3,    /* [rad/s] */
  CQ_Q_FORCE = CQ_Q_SPIN + 3,   /* of what touches it, mean of the step before [N] */
  CQ_Q_TORQUE = CQ_Q_FORCE + 3, /* the same, about its centre of mass [N m] */
  /* of a contact between bodies, a group without particles of number friction[parameter - 1]: its
   * CQ_Q_FORCE, by which the first body pushes the second, and the sum of all its impulses */
  CQ_Q_IMPULSE = CQ_Q_TORQUE + 3, /* [N s] */
  CQ_N_QUANTITIES = CQ_Q_IMPULSE + 3
};

/* the branch a boundary condition is in: nothing presses, or it slides, or holds */
enum { CQ_CONTACT_NONE, CQ_CONTACT_SLIDES, CQ_CONTACT_HOLDS };

typedef enum cq_actuation_kind {
#define CQ_ACTUATION(name, ...) CQ_ACTUATION_##name,
#include "actuation/actuation_list.h"
#undef CQ_ACTUATION
  CQ_N_ACTUATIONS,
  CQ_DRIVES_A_BODY = CQ_N_ACTUATIONS /* and one kind more, which acts on no particle: its controls
                                        are velocities of a rigid body */
} cq_actuation_kind;

/* how a push is directed: a control an axis, or one control along a direction, or along the slope
 * of the ground under the group's centre of mass */
typedef enum cq_along { CQ_ALONG_AXES, CQ_ALONG_DIRECTION, CQ_ALONG_SLOPE } cq_along;

typedef enum cq_acts { CQ_ACTS_STRESS, CQ_ACTS_PUSH, CQ_ACTS_CABLE, CQ_ACTS_BODY } cq_acts;
typedef enum cq_drive {
  CQ_DRIVE_SAME,
  CQ_DRIVE_OWN,
  CQ_DRIVE_PLACED,
  CQ_DRIVE_SEEN,
  CQ_DRIVE_WEIGHED
} cq_drive;

/* what actuation_list.h says of a model; arrays are of 2D and 3D */
typedef struct cq_actuation_info {
  const char *name;
  cq_acts acts;
  cq_drive drive;
  int drives[2];
  const char *unit;
  double rest;           /* control of an idle actuator */
  int one_sided;         /* controls do not go below it */
  const char *labels[2]; /* "a|b|c"; NULL: it has no controls */
} cq_actuation_info;

/* sim/mpm/actuators.c; one for each cq_actuation_kind */
extern const cq_actuation_info cq_actuations[CQ_N_ACTUATIONS + 1];

#ifdef __cplusplus
}
#endif

#endif
