/* Rigid bodies of a scene and their step, for all engines.
 *
 * The state is two plain arrays, poses and twists (rigid_pose.h), one after the other: in 3D 7 and
 * 6 numbers a body, in 2D 3 and 3. A step takes a state, and the wrenches that an engine has added
 * up, and makes the next; it keeps nothing, runs on one thread, and so has the same bits wherever
 * it runs.
 *
 * cq_rigids_place gives the bodies as they are in this step, for whatever meets them (rigid.h):
 * those that are driven move as tracks and controls say. cq_rigids_step moves on: free bodies fall,
 * are pushed, meet walls and each other. cq_rigids_adjoint is its derivative, where contacts are
 * smooth.
 *
 * Where it is, and how contacts are treated: docs/design.md, "Rigid bodies". */
#ifndef CQ_RIGID_BODIES_H
#define CQ_RIGID_BODIES_H

#include "driven.h"
#include "inertia.h"
#include "placement.h"
#include "shapes.h"
#include "skin.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cq_rigid_motion {
  CQ_RIGID_FIXED,  /* a wall */
  CQ_RIGID_DRIVEN, /* moves as its track or its controls say; pushes and is not pushed */
  CQ_RIGID_FREE    /* forces and contacts move it */
} cq_rigid_motion;

typedef struct cq_rigid {
  const char *name;
  cq_rigid_motion motion;
  const cq_shape *shape; /* its coordinates less `inertia.center` are the body's frame */
  cq_inertia inertia;    /* of unit density */
  cq_skin skin;          /* none of unbounded shapes */
  double reach;          /* farthest point from the centre of mass; INFINITY: unbounded [m] */
  double restitution;    /* of a pair: the larger one */
  double rolling; /* friction of rolling [m]; of a pair: the geometric mean, as of friction */
  double belt[3]; /* velocity of the surface in the body's frame: a conveyor [m/s] */
  double ground, ground_arm; /* 2D, seen from above: cq_rigid_on_ground [m/s^2, m] */
  /* DRIVEN: by a track, or by a joint, or else by controls that are velocities */
  const struct track *track; /* tags, since C++ takes these files, too */
  const struct joint *joint; /* its rate is a control; where it stands is in the poses */
  int parent;                /* of the joint: a body before this one, FIXED or DRIVEN */
  struct drive drive;
  int first_control;
  double release; /* DRIVEN bodies are free from this time on; INFINITY: never [s] */
  /* DRIVEN by a track or controls: what drives it pushes and turns it by no more, so that it yields
   * (cq_rigid_limited), and beside that carries its weight. 0: it does not push at all, nor carry;
   * INFINITY: no limit [N, N m] */
  double max_force, max_torque;
} cq_rigid;

typedef struct cq_rigids {
  int dim, n;
  const cq_rigid *bodies; /* [n] */
  bool smooth;            /* contacts by a law of springs, which has a gradient; else by impulses */
  double ground_rest;     /* the ground's friction is smooth at speeds below [m/s] */
  /* smooth: contact_law.h */
  double stiffness, depth, damping, slip, roll;
  /* impulses */
  int iterations;      /* at most */
  double tolerance;    /* until no velocity changes by more [m/s] */
  double margin;       /* contacts nearer than this, and those that a step may reach, count [m] */
  double bounce_speed; /* slower ones do not bounce [m/s] */
  double recovery;     /* the part of an overlap that a step takes back */
  double overlap;      /* is left [m] */
} cq_rigids;

/* One step. Arrays of bodies one after the other; NULL where it says so. */
typedef struct cq_rigid_step {
  double time, dt;
  const double *mass, *friction; /* [n]; those of bodies that are never free do not matter */
  const double *gravity;         /* [dim] */
  const double *controls;        /* NULL: there are none */
  const double *pose, *twist;    /* the state */
  const double *wrench; /* from elsewhere, about the centres of mass; NULL: none [N, N m] */
  double *next_pose, *next_twist;
  double *contact; /* mean wrench of the contacts; NULL: not wanted */
  double *memory;  /* impulses of the step before and of this one [cq_rigids_memory]; NULL: none */
  /* what became of it */
  int contacts, iterations;
  double overlap; /* deepest, at the beginning [m] */
  double change;  /* of a velocity in the last iteration [m/s] */
} cq_rigid_step;

/* dL/d(next state), dL/d(contact) and where derivatives go. pose and twist are set, all others
 * added to. */
typedef struct cq_rigid_adjoint {
  const double *next_pose, *next_twist;
  const double *contact; /* NULL: nothing depends on it */
  double *pose, *twist;
  double *mass, *friction, *gravity, *wrench, *controls; /* NULL: not wanted */
  track_gradient *tracks;                                /* [n], of those that have one; NULL */
} cq_rigid_adjoint;

/* Directions of what a step takes (NULL: not moved), and where those of the next state go. */
typedef struct cq_rigid_tangent {
  const double *pose, *twist, *mass, *friction, *gravity, *wrench, *controls;
  const track *tracks; /* [n], of those that have one; NULL */
  double *next_pose, *next_twist;
} cq_rigid_tangent;

/* Looks for what cannot work, in the bodies and in the state of `s`: CQ_CONFIG with the body's name
 * and what to do. Free bodies may overlap others by `allowed` at most [m]. */
cq_status cq_rigids_check(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, double allowed);

int cq_rigid_pose_size(int dim);
int cq_rigid_twist_size(int dim);

/* A body of a shape at rest: inertia, skin and reach; the rest is the caller's. Unbounded shapes
 * can be FIXED or DRIVEN. cq_rigid_free gives back what this took. */
cq_status cq_rigid_make(cq_ctx *ctx, const cq_shape *shape, double pitch, double rounding,
                        cq_rigid *body);
void cq_rigid_free(cq_ctx *ctx, cq_rigid *body);
/* A free body of 2D, seen from above, slides on the ground (ground.h): `slowing` is the coefficient
 * of friction times gravity [m/s^2]. Takes the body's arm from its shape, to 1e-5. */
void cq_rigid_on_ground(cq_rigid *body, double slowing);
/* Does what drives it have a limit? Contacts are by impulses then. */
static inline bool cq_rigid_limited(const cq_rigid *body) {
  return body->motion == CQ_RIGID_DRIVEN &&
         (body->max_force < INFINITY || body->max_torque < INFINITY);
}
/* What a body is in the step that begins at `time`. */
cq_rigid_motion cq_rigid_motion_at(const cq_rigid *body, double time, double dt);

/* The points of a body, which say where it is and how it moves; where the body has them is their
 * place when it is not turned. */
typedef struct cq_rigid_points {
  int n;                          /* at least 1 */
  const double *x, *v, *placed;   /* [n][dim] place, velocity, where the body has them */
  const double *density, *volume; /* [n] */
  const double *center;           /* [dim] its centre of mass, where the body has it */
  double length; /* of the scene: points closer than 1e-6 of it do not say a turn [m] */
} cq_rigid_points;
/* pose and twist that fit the points best */
void cq_rigid_fit(int dim, const cq_rigid_points *points, double *pose, double *twist);
/* Knots as inputs have them, a place and a turn as numbers (2D: an angle; 3D: an axis times an
 * angle), as poses of a track. */
void cq_rigid_knots(int dim, int n_knots, const double *numbers, double *poses);
/* Where a track has a body at a time, and how it moves there. */
void cq_rigid_on_track(int dim, const track *t, double time, double *pose, double *twist);

/* usual settings of impulses, and of the smooth law for bodies of this mass and size that fall by
 * gravity: they sink in by `depth` at rest */
void cq_rigids_usual(cq_rigids *r, double mass, double gravity, double depth);

/* numbers of `memory` */
size_t cq_rigids_memory(const cq_rigids *r);

/* All bodies [n] as they are and move in this step (by tracks: in its middle). All of these fail
 * when memory is short. */
cq_status cq_rigids_place(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, cq_placed *at);
/* `due` [n] is dL/d(at): adds to pose and twist of d, to controls and tracks. After
 * cq_rigids_adjoint, which sets the first two. */
cq_status cq_rigids_place_adjoint(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  const cq_placed *due, cq_rigid_adjoint *d);
/* CQ_NONFINITE, with the body's name, where a number of the next state is not finite. A body must
 * not turn by more than 1 rad a step. */
cq_status cq_rigids_step(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s);

/* The same step in parts, where contacts are by impulses, for an engine with contacts of its own
 * that are to be solved together with those of the bodies. _begin: forces have acted, contacts
 * begin with the impulses of the step before; then any number of sweeps, between which the engine
 * may change the velocities of movers; _end makes the next state, and is called once, whatever
 * happened. */
typedef struct cq_rigid_mover {
  double x[3], v[3], w[3]; /* as in this step, without belt; 2D: w[2] */
  double belt[3];
  double inverse_mass, inverse[3][3]; /* of mass, and of the moment in the world's frame; 0: nothing
                                         moves it */
} cq_rigid_mover;
typedef struct cq_rigid_sweeps cq_rigid_sweeps;
cq_status cq_rigids_begin(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, cq_rigid_sweeps **out);
/* All bodies [n]; and their velocities back. */
void cq_rigids_movers(const cq_rigids *r, const cq_rigid_sweeps *sweeps, cq_rigid_mover *movers);
void cq_rigids_push(const cq_rigids *r, cq_rigid_sweeps *sweeps, const cq_rigid_mover *movers);
void cq_rigids_sweep(const cq_rigids *r, cq_rigid_sweeps *sweeps);
cq_status cq_rigids_end(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, cq_rigid_sweeps *sweeps);

/* By the same arguments as the step, of which next_* and what became of it are not read. CQ_USAGE
 * where contacts are not smooth. */
cq_status cq_rigids_adjoint(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                            cq_rigid_adjoint *d);

/* The derivative of the step in a direction, and of bodies as they are placed. Where contacts are
 * by impulses it is refused as the adjoint is. */
cq_status cq_rigids_tangent(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                            const cq_rigid_tangent *d);
cq_status cq_rigids_place_tangent(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  const cq_rigid_tangent *d, cq_placed *dat);

#ifdef __cplusplus
}
#endif

#endif
