/* What the engine knows of a model beside what all engines do: cq_model.own. */
#ifndef CQ_MPM_MODEL_H
#define CQ_MPM_MODEL_H

#include "kinds.h"
#include "model.h"
#include "shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_transfer { CQ_TRANSFER_APIC, CQ_TRANSFER_PIC } cq_transfer;
typedef enum cq_kernels { CQ_KERNELS_FAST, CQ_KERNELS_REFERENCE } cq_kernels;
typedef enum cq_on_inversion { CQ_INVERSION_FAIL, CQ_INVERSION_CONTINUE } cq_on_inversion;

/* A wall: a condition on the grid velocities of the nodes inside of a shape. Its friction
 * coefficient is input friction[i], i its index in cq_mpm_model.boundaries (read by kind separate
 * alone). */
typedef struct cq_boundary {
  cq_boundary_kind kind;
  cq_shape shape; /* what it points to is not copied */
  double touch;   /* density [kg/m^dim] of a body that ends at the wall from which on its nodes take
                     all of the condition, below half of it none; 0: whatever their mass */
  bool mirror; /* slip: bodies are mirrored in its planes (cq_mpm_planes), and it holds no node */
  bool smooth; /* separate: its friction is 0 in every design, and takes no mean of the pressure */
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
  int first_z;                   /* where what it sees begins in every row of z but the last */
  cq_along along;                /* thrust */
  const cq_curve *ground;        /* thrust along its slope */
  double direction[9]; /* muscle: symmetric dim x dim pattern, row-major; sigma = u * direction.
                          thrust along a direction: its unit vector. push: its force [N] */
  double from, until;  /* push: when it begins and ends [s] */
  double
      stiffness; /* hydraulic: pressure [Pa] of a chamber without volume; cable: one over the area
                    [m^(dim-1)] of the stress that its tension counts as for the time step */
  int n_points;  /* cable: it runs through the points sum of share * x of their anchors */
  const cq_anchor *anchors; /* [n_points][CQ_ANCHORS] */
} cq_actuator;

/* How particles meet a rigid body, and which of them it carries along. */
typedef struct cq_mpm_rigid {
  bool meets;            /* nodes meet it; false: a wall that is there for rigid bodies alone */
  cq_boundary_kind kind; /* condition at its surface */
  double friction_time, friction_slip; /* as of the model, on this body; 0: none */
  int wall;                            /* its friction is input friction[wall] */
  int first, count;                    /* its particles, after those of material */
  int first_knot;                      /* of its track, in the input track; -1: it has none */
} cq_mpm_rigid;

/* Two fields that meet with friction, each a body of material (mpm_between.h). */
typedef struct cq_mpm_contact {
  int field[2];
  cq_boundary_kind kind;               /* separate or separate_stick */
  double friction_time, friction_slip; /* as of the model, between the two; 0: none */
  int wall; /* its friction is input friction[wall], behind those of all walls */
} cq_mpm_contact;

typedef struct cq_mpm_model {
  int grid[3]; /* nodes per axis; node i is at i*cell. Unused axes are 1 */
  double cell; /* [m] */
  cq_transfer transfer;
  cq_on_inversion on_inversion;
  cq_kernels kernels;                  /* the same step, fast or as plain loops to compare with */
  double friction_time, friction_slip; /* of the mean pressure of friction at walls
                                          (point/pressed.h) [s], [m]; 0: none is taken */
  double contact_epsilon; /* smoothing of the tangential speed, epsilon of eq. (94) [m^2/s^2] */
  const unsigned char *material; /* [n_particles] cq_material_kind */
  const double *viscosity;       /* [n_particles] of the material [Pa s]; NULL: 0 */
  const cq_boundary *boundaries; /* [n_boundaries] */
  const cq_actuator *actuators;  /* [n_actuators] */

  /* Rigid bodies; NULL: there are none, and nothing below is read. Particles 0 .. n_soft-1 are
   * material; the others are carried by bodies, which are where shapes and places below say when
   * they are not turned. Of frictions (cq_model.n_boundaries), those of the n_walls walls come
   * first. */
  const struct cq_rigids *rigids; /* bodies.h */
  const cq_mpm_rigid *rigid;      /* [rigids->n] */
  int n_soft, n_walls;
  const double *placed;        /* [n_particles - n_soft][dim] of the carried ones [m] */
  const double *placed_center; /* [rigids->n][dim] centre of mass of each body [m] */
  int first_rigid_drive;       /* of the actuators that drive bodies; their drives are the last */
  int n_rigid_drives;

  /* [n_fields, at least 1] is the field one body, of a solid? With such a one free rigid bodies
   * meet as point/lean.h has it. NULL: none is. */
  const unsigned char *single;
  int n_fields, n_contacts; /* 0: all material is one on the grid, and the rest is not read */
  const int *field;         /* [n_soft] of a particle */
  const cq_mpm_contact *contacts;
} cq_mpm_model;

/* The walls along the faces of the grid: nodes 0 .. low[a]-1 and the last high[a] of each axis are
 * inside, by half a cell. */
static inline cq_shape cq_mpm_domain(const cq_mpm_model *m, const int *low, const int *high) {
  cq_shape s;
  memset(&s, 0, sizeof s);
  s.kind = CQ_SHAPE_domain;
  s.dim = m->grid[2] > 1 ? 3 : 2;
  for (int a = 0; a < s.dim; a++) {
    const int free_nodes = m->grid[a] - high[a] - low[a];
    s.size[a] = free_nodes * m->cell;
    s.center[a] = (low[a] + 0.5 * free_nodes - 0.5) * m->cell;
  }
  return s;
}

/* A plane across an axis: of a half-space, or a side of the domain. */
typedef struct cq_mpm_plane {
  int axis;
  double at; /* [m] */
} cq_mpm_plane;

/* Those of a wall, at most 6. 0: it has none that lie along the grid. */
static inline int cq_mpm_planes(const cq_shape *wall, cq_mpm_plane *planes) {
  int n = 0;
  for (int i = 0; i < 2 * wall->dim; i++) {
    const int a = i / 2;
    const double out = i % 2 == 0 ? -0.5 : 0.5;
    const bool side = wall->kind == CQ_SHAPE_domain;
    const bool flat = wall->kind == CQ_SHAPE_half_space && fabs(wall->normal[a]) > 1.0 - 1e-12;
    if (side || (flat && i % 2 == 0)) {
      planes[n].axis = a;
      planes[n++].at = wall->center[a] + (side ? out * wall->size[a] : 0.0);
    }
  }
  return n;
}

/* Does friction at a wall go by a mean of the pressure? */
static inline bool cq_mpm_wall_remembers(const cq_mpm_model *own, int wall) {
  const cq_boundary *is = &own->boundaries[wall];
  return own->friction_time > 0.0 && is->kind == CQ_BOUNDARY_separate && !is->smooth;
}

static inline const cq_mpm_model *cq_mpm_of(const cq_model *model) {
  return (const cq_mpm_model *)model->own;
}

/* particles of material, and walls of the grid */
static inline int cq_mpm_n_soft(const cq_model *model) {
  const cq_mpm_model *own = cq_mpm_of(model);
  return own->rigids != NULL ? own->n_soft : model->n_particles;
}

static inline int cq_mpm_n_walls(const cq_model *model) {
  const cq_mpm_model *own = cq_mpm_of(model);
  return own->rigids != NULL ? own->n_walls : model->n_boundaries - own->n_contacts;
}

#ifdef __cplusplus
}
#endif

#endif
