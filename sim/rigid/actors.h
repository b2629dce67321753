/* Inside of sim/rigid: the bodies of one step, and where they meet. One dimension, in double. */
#ifndef CQ_RIGID_ACTORS_H
#define CQ_RIGID_ACTORS_H

#include "bodies.h"
#include "contact_law.h"
#include "drive.h"
#include "rigid_free.h"
#include "track.h"

/* a body in this step */
typedef struct actor {
  const cq_rigid *body;
  bool is_free;
  motion now; /* with the twist of this step */
  placed at;
  heft m; /* of free bodies */
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
/* the heft of a body of unit mass */
heft V(cq_unit_heft)(const cq_rigid *body);
/* All that are nearer than `margin`, or that the step may bring together; in a fixed order. The
 * list is given back by cq_free. */
cq_status V(cq_meet)(cq_ctx *ctx, const cq_rigids *r, const actor *actors, double margin, double dt,
                     meetings *found);
/* Impulses of the contacts. Changes the twists of free actors; `push` [n] is what moves them apart
 * beside (velocities), and impulse [n] the sum of impulses about their centres of mass. */
cq_status V(cq_impulses)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, const meetings *met,
                         actor *actors, twist *push, wrench *impulse);
/* Smooth contacts: adds their wrenches [n]. */
void V(cq_springs)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                   const actor *actors, wrench *sum);
/* d [n] is dL/d(sum); adds to what is due to the placed bodies [n], and to friction [n] */
void V(cq_springs_adjoint)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                           const actor *actors, const wrench *d, placed *dat, double *dfriction);

cq_status V(cq_rigid_step)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s);
cq_status V(cq_rigid_adjoint)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                              cq_rigid_adjoint *d);
void V(cq_rigid_drive)(const cq_rigids *r, const cq_rigid_step *s, double *twist);

#endif
