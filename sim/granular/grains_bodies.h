/* Rigid bodies among grains, in double in every variant.
 *
 * A state has, beside its grains, poses, twists, what pushed the bodies in the step that led to it,
 * and the impulses of contacts between bodies (bodies.h of sim/rigid). Contacts of grains with what
 * they can move are solved on one thread, in the order of the grains, after all others of an
 * iteration; then come those of bodies with each other. So the bits are the same for any number of
 * threads, and one impulse acts on both sides. */
#ifndef CQ_GRAINS_BODIES_H
#define CQ_GRAINS_BODIES_H

#include "bodies.h"
#include "grains.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A contact of a grain with a body that it moves, in three dimensions: of a plane the third one is
 * 0. */
typedef struct pushing {
  int grain, body, unit, touch;
  double n[3], arm, r[3]; /* normal to the grain; from its centre, and from the body's [m] */
  double belt[3];
  double kn, kt, kr, bias, friction, roll, pull;
  double pn, pt[3], pr[3];
} pushing;

struct bodies {
  int n, n_carried, n_knots;
  cq_rigids rigids; /* of the model, with tracks through the knots of the inputs */
  cq_rigid *body;
  track *tracks;
  double *knots;   /* [n_knots] poses */
  int *first_knot; /* [n] in knots */
  double *mass, *friction, gravity[3];
  double *controls;
  cq_rigid_step step;
  cq_placed *at;
  cq_rigid_mover *movers; /* of the step; velocities as the last sweep left them */
  cq_rigid_sweeps *sweeps;
  bool *moves;   /* [tools] grains move it in this step */
  int *of_tool;  /* [tools] the body that it is; of the room the last one of its sides */
  int *body_of;  /* [n_carried] */
  double *arm;   /* [n_carried][3] from the centre of mass, not turned */
  double *grain; /* [n_carried] mass */
  pushing *list;
  size_t room;
  int n_list;
};

/* *out is NULL where the model has none, and all other functions take that as nothing to do. */
cq_status V(cq_grains_bodies_create)(grains *g, bodies **out);
void V(cq_grains_bodies_destroy)(grains *g);
/* Doubles of a state. */
size_t V(cq_grains_bodies_numbers)(const grains *g);
/* State 0, and where their tools are. */
cq_status V(cq_grains_bodies_upload)(grains *g, const double *inputs, const state *s);
/* A step: forces act on the bodies, and tools move as they do; the contacts of grains with those
 * that they move are taken from the touches of the units; impulses to begin with; what belongs to
 * an iteration; the impulses go back to the touches; and the next state is made. */
cq_status V(cq_grains_bodies_begin)(grains *g, int step, const state *s, const double *w);
cq_status V(cq_grains_bodies_meet)(grains *g, const state *s);
void V(cq_grains_bodies_push)(const grains *g, const state *s);
void V(cq_grains_bodies_solve)(const grains *g, const state *s);
void V(cq_grains_bodies_take_back)(const grains *g);
cq_status V(cq_grains_bodies_end)(grains *g, int step, const state *s);
/* The tool that carries particle p. */
const cq_tool_pose *V(cq_grains_carrier)(const grains *g, const state *s, int p);
/* Of carried particle p, which begin at 0. */
void V(cq_grains_carried)(const grains *g, const state *s, int p, double *x, double *v);

#ifdef __cplusplus
}
#endif

#endif
