/* Inside of mpm_rigid*.c: the rigid bodies of a model, and what is due to them. */
#ifndef CQ_MPM_RIGID_BODIES_H
#define CQ_MPM_RIGID_BODIES_H

#include "mpm_meet.h"
#include "mpm_rigid.h"

/* dL of one seed */
typedef struct bodies_adjoint {
  double *pose, *twist;    /* of the state where the sweep is */
  double *wrench;          /* of that state, which the step before has made */
  bool pushed;             /* something is due to it */
  double *carried;         /* [n_carried][2 dim] by x and v, until they are collected */
  double *substance;       /* [n_carried][4] E, nu, density, volume */
  double *mass, *friction; /* [n] */
  double gravity[3];
  double *full;     /* [fields.n] */
  double *controls; /* [n_rigid_drives] of the last step */
  double *knots;    /* as in bodies */
  track_gradient *tracks;
  kept_adjoint means;
} bodies_adjoint;

struct bodies {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_mpm_model *own;
  const cq_layout *layout;
  cq_rigids rigids; /* of the model, with tracks through the knots of the inputs */
  int n, n_carried, n_knots;
  cq_rigid *body;
  track *tracks;     /* [n] */
  int *first_knot;   /* [n] in knots; 0 where there is no track */
  double *knots;     /* [n_knots] poses */
  track_sway *sways; /* where gradients go that nobody asks for */
  int *body_of;      /* [n_carried] */
  double *arm;       /* [n_carried][dim] y */
  double *mass, *friction, gravity[3];
  double *inputs; /* [layout->total] of the last upload */
  cq_rigid_step step;
  cq_placed *at;        /* [n] in the step */
  const double *looked; /* the state whose carried particles are looked at */
  cq_placed *seen;      /* [n] of it */
  cq_mpm_meet met;
  double *dv, *dmass; /* [room_nodes] of the nodes that were met: dL/dv, dL/dm */
  double *dslope;     /* [room_nodes][dim] dL/d(slope) of those that lean */
  int room_nodes;
  cq_mpm_fields fields;
  cq_placed *due; /* [n] dL/d(at) */
  double *push;   /* [n] dL/d(wrench) of the nodes met */
  int n_adjoints;
  bodies_adjoint *adjoints;
};

/* mpm_rigid_start.c: pose and twist of body i from its particles in b->inputs, and the adjoint,
 * which adds to the carried particles' part of the gradient. */
void WIDE(cq_bodies_fit)(const bodies *b, int i, double *pose, double *twist);
void WIDE(cq_bodies_fit_adjoint)(const bodies *b, int i, const double *pose, const double *dpose,
                                 const double *dtwist, double *gradient);

/* mpm_rigid_track.c: knots from b->inputs, and back; state 0 of body i, which has a track. */
void WIDE(cq_bodies_take_knots)(bodies *b);
void WIDE(cq_bodies_put_knots)(const bodies *b, const bodies_adjoint *a, double *gradient);
void WIDE(cq_bodies_track)(const bodies *b, int i, double *pose, double *twist);
void WIDE(cq_bodies_track_adjoint)(const bodies *b, int i, const double *dpose,
                                   const double *dtwist, bodies_adjoint *a);

#endif
