/* Inside of sim/rigid: the bodies of one step, and where they meet. One dimension, in double. */
#ifndef CQ_RIGID_ACTORS_H
#define CQ_RIGID_ACTORS_H

#include "bodies.h"
#include "contact_law.h"
#include "drive.h"
#include "ground.h"
#include "linkage.h"
#include "rigid_free.h"
#include "track.h"

/* a body in this step */
typedef struct actor {
  const cq_rigid *body;
  bool is_free;    /* contacts move it */
  bool is_limited; /* it is free, and what drives it does what it can towards `goal` */
  twist goal;
  motion now; /* with the twist of this step */
  placed at;
  heft m;          /* of free bodies */
  ground friction; /* of the ground, of free bodies that it slows */
} actor;

/* A point of body a that is near body b. */
typedef struct meeting {
  int a, b, point;
  real radius;
  real gap;
  vec x; /* the point of a's surface, in the world */
  vec n; /* from b to a */
} meeting;

typedef struct meetings {
  int n, room;
  meeting *list; /* cq_alloc */
} meetings;

/* actors[r->n] of a step */
void V(cq_actors)(const cq_rigids *r, const cq_rigid_step *s, actor *actors);
/* All that are nearer than `margin`, or that the step may bring together; in a fixed order. The
 * list is given back by cq_free. */
cq_status V(cq_meet)(cq_ctx *ctx, const cq_rigids *r, const actor *actors, double margin, double dt,
                     meetings *found);
/* The two bodies that overlap most, by how much [m]; 0: none do. */
cq_status V(cq_deepest)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, int pair[2],
                        double *overlap);
/* Impulses of the contacts, in sweeps: _begin lays them out, the last step's for a start; a sweep
 * says what it changed of a velocity, at most; _end has changed the twists of free actors, `push`
 * [n] is what moves them apart beside (velocities), and impulse [n] the sum of impulses about their
 * centres of mass. */
typedef struct solver solver;
cq_status V(cq_solver_begin)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                             const meetings *met, const actor *actors, solver **out);
real V(cq_solver_sweep)(solver *v);
void V(cq_solver_end)(const cq_rigids *r, const cq_rigid_step *s, solver *v, actor *actors,
                      twist *push, wrench *impulse);
void V(cq_solver_free)(cq_ctx *ctx, solver *v);
void V(cq_solver_movers)(const solver *v, const actor *actors, cq_rigid_mover *movers);
void V(cq_solver_push)(solver *v, const cq_rigid_mover *movers);
/* Smooth contacts: adds their wrenches [n]. */
void V(cq_springs)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                   const actor *actors, wrench *sum);
/* d [n] is dL/d(sum); adds to what is due to the placed bodies [n], and to friction [n] */
void V(cq_springs_adjoint)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                           const actor *actors, const wrench *d, placed *dat, double *dfriction);

/* what a step works with, for each body */
typedef struct desk {
  actor *actors;
  wrench *contact; /* impulse, or force of springs */
  twist *push;
  pose *next;
  meetings met;
} desk;

cq_status V(cq_desk_make)(cq_ctx *ctx, const cq_rigids *r, desk *d);
void V(cq_desk_clear)(cq_ctx *ctx, desk *d);
/* the wrench from elsewhere on body i */
wrench V(cq_outside)(const cq_rigid_step *s, int i);
/* the twist after gravity and this wrench have acted for a step */
twist V(cq_kicked)(const actor *a, const cq_rigid_step *s, wrench f);
/* and after the ground has slowed it, for a body on one */
twist V(cq_slowed)(const actor *a, twist t);
/* the rate of the joint of a body */
real V(cq_joint_rate)(const cq_rigid *b, const cq_rigid_step *s);
/* where body i, that is not free, is after the step; `next` has those before it */
pose V(cq_given_move)(const desk *d, const cq_rigid_step *s, int i, const pose *next);
/* finds the contacts of springs and adds up their wrenches in the desk */
cq_status V(cq_smooth_forces)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, desk *d);
void V(cq_write_pose)(pose p, double *out);
void V(cq_write_twist)(twist t, double *out);

/* in the direction dat [n] of bodies as they are placed, and dfriction [n], NULL: none */
void V(cq_springs_tangent)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                           const actor *actors, const placed *dat, const double *dfriction,
                           wrench *dsum);

void V(cq_rigid_fit)(const cq_rigid_points *points, double *place, double *moves);
void V(cq_rigid_knots)(int n_knots, const double *numbers, double *poses);
void V(cq_rigid_on_track)(const track *t, double time, double *place, double *moves);
cq_status V(cq_rigid_step)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s);
cq_status V(cq_rigid_begin)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                            cq_rigid_sweeps **out);
void V(cq_rigid_movers)(const cq_rigid_sweeps *k, cq_rigid_mover *movers);
void V(cq_rigid_push)(cq_rigid_sweeps *k, const cq_rigid_mover *movers);
void V(cq_rigid_sweep)(cq_rigid_sweeps *k);
cq_status V(cq_rigid_end)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, cq_rigid_sweeps *k);
cq_status V(cq_rigid_adjoint)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                              cq_rigid_adjoint *d);
cq_status V(cq_rigid_place)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, cq_placed *at);
cq_status V(cq_rigid_place_adjoint)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                    const cq_placed *at_due, cq_rigid_adjoint *d);

/* of the step, or with dat of bodies as they are placed, no more */
cq_status V(cq_rigid_tangent)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                              const cq_rigid_tangent *d, cq_placed *dat);

#endif
