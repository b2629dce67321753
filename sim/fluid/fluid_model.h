/* What the fluid engine knows of a model beside what all engines do: cq_model.own. */
#ifndef CQ_FLUID_MODEL_H
#define CQ_FLUID_MODEL_H

#include "driven.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rigid body: particles that keep their distances. Mass, centre of mass and moment of inertia are
 * those of its particles, each a cube of its volume; the fluid meets its samples alone. An obstacle
 * is one without particles, which is driven. */
typedef struct cq_fluid_body {
  int first, count;            /* its particles; count 0: an obstacle */
  int first_sample, n_samples; /* its samples */
  bool driven;                 /* it keeps its velocity, whatever pushes it */
  /* of an obstacle: the wall that it is, an index of input friction; its centre, which it turns
   * about [m]; how it moves, NULL: it stands still. Its samples are where an unturned one has them
   * whose centre is there. */
  int wall;
  double center[3];
  const track *track;
  double release; /* [s] until then it is driven, with a velocity that grows linearly from 0 */
} cq_fluid_body;

/* Particles of the fluid that glide at their velocities, whatever pushes them, until they have
 * passed the mouth: the plane across their mean velocity at the foremost of them. What is far from
 * it sleeps. */
typedef struct cq_fluid_emitter {
  int first, count; /* its particles */
} cq_fluid_emitter;

/* A point that two rigid bodies share, in 2D a hinge; a body has one at most. It follows the
 * particles of each, as samples do. */
typedef struct cq_fluid_pin {
  int body[2];
  double point[3]; /* when they are at `placed` [m] */
} cq_fluid_pin;

/* A drive that accelerates a rigid body along a direction, as gravity does. */
typedef struct cq_fluid_thrust {
  int body;
  double direction[3];
} cq_fluid_thrust;

/* Samples are points behind the surfaces of walls and bodies, CQ_FLUID_INSET radii deep and about
 * two radii apart. */
#define CQ_FLUID_INSET 1.2

typedef struct cq_fluid_model {
  double radius; /* of a particle [m]: they are two radii apart at rest, and see four */
  /* Sweeps of the two solvers: at most so many, and where a tolerance is not 0 only until the mean
   * error of the density is below it. */
  int sweeps, divergence_sweeps;
  double tolerance, divergence_tolerance; /* as parts of the density */
  double cfl;      /* 0, or diameters of a particle that anything may move in a part of a step */
  int horizon;     /* steps after which heuristic gradients begin anew; 0: they do not */
  bool warm_start; /* begin with half the pressures of the step before */
  double surface_tension;   /* gamma of point/pair.h [N m^2/kg^2 in 3D] */
  double xsph;              /* part of the mean velocity nearby that is taken on */
  double contact_stiffness; /* of a sample of a body that meets another or a wall [N/m] */
  double contact_speed;     /* below which their friction fades [m/s] */
  double friction;          /* of bodies with each other; that of walls is an input */
  const int *body;          /* [n_particles] index of a body, -1: fluid */
  int n_bodies;
  const cq_fluid_body *bodies;
  int n_emitters;
  const cq_fluid_emitter *emitters;
  int n_pins;
  const cq_fluid_pin *pins;
  const cq_fluid_thrust *thrusts; /* [cq_model.n_drives], a drive each */
  /* [n_samples][dim] [m]: those of walls first, then those of the bodies, when their particles are
   * at `placed` */
  int n_samples, n_wall_samples;
  const double *samples;
  const unsigned char *sticky; /* [n_samples] the fluid's viscosity drags at them */
  const int *sample_wall;      /* [n_wall_samples] the wall, an index of input friction */
  const double *placed;        /* [n_particles][dim] */
} cq_fluid_model;

/* The largest step [s] at which the explicit viscosity is stable, for a kinematic one of nu
 * [m^2/s]: 0.62 radius^2/nu on a lattice in 2D, 0.60 in 3D, and a bit less. */
static inline double cq_fluid_viscous_dt(double radius, double nu) {
  return 0.45 * radius * radius / nu;
}

static inline const cq_fluid_model *cq_fluid_of(const cq_model *model) {
  return (const cq_fluid_model *)model->own;
}

#ifdef __cplusplus
}
#endif

#endif
