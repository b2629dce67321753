/* Rigid bodies in MPM: what both engines have of them. In doubles in every variant.
 *
 * A state has, beside its particles, WIDE(cq_bodies_numbers) doubles: poses, twists, the wrenches
 * by which nodes, other bodies and walls pushed in the step that led to it, the impulses of
 * contacts where these are no springs, and the mean pressures of nodes where friction goes by
 * these. A step: _begin places the bodies as they are in it, the engine hands its nodes to
 * cq_mpm_meet_add, _meet gives nodes their new velocities, _end makes the next state. Its adjoint
 * begins with the same three; then, seed by seed, _step_adjoint.
 *
 * Particles of bodies are carried: x = X + R y, v = V + W x R y, F = 1, C = 0. What is asked of
 * them is collected and goes to pose and twist; at state 0 these go to the inputs that they were
 * made of. Numbers of carried particles begin at 0. */
#ifndef CQ_MPM_RIGID_H
#define CQ_MPM_RIGID_H

#include "mpm_model.h"
#include "sim.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a symbol that all precisions of a dimension share */
#define WIDE(name) CQ_PASTE(name, CQ_DIM, 64)

typedef struct bodies bodies; /* mpm_rigid_bodies.h */

/* *out is NULL where the model has none; every function but this one takes NULL as no bodies. */
cq_status WIDE(cq_bodies_create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                                 bodies **out);
void WIDE(cq_bodies_destroy)(bodies *b);
size_t WIDE(cq_bodies_numbers)(const bodies *b);
/* State 0. CQ_NONFINITE, CQ_OUT_OF_ROOM with the name of a body. */
cq_status WIDE(cq_bodies_upload)(bodies *b, const double *inputs, double *state,
                                 cq_failure *failure);

/* w: all drives of the step. */
cq_status WIDE(cq_bodies_begin)(bodies *b, int step, const double *state, const double *w);
/* Of a box of nodes those that bodies may reach, first[dim] .. end[dim] in the whole grid; false:
 * none. */
bool WIDE(cq_bodies_range)(const bodies *b, const int *low, const int *size, int *first, int *end);
/* Takes a node with mass, `index` in the grid of a field, which no sticky wall holds; fields and
 * then indices grow. id is the engine's. */
cq_status WIDE(cq_bodies_add_node)(bodies *b, size_t id, int field, const int *index, double mass,
                                   const double *v);
/* The nodes that meet something, in the order they were taken, with their velocities. */
int WIDE(cq_bodies_n_nodes)(const bodies *b);
size_t WIDE(cq_bodies_node)(const bodies *b, int i, const double **v);
/* Where the slope of the masses at node i [dim] has to go, before they meet; NULL: it is not asked
 * for. And dL/d(slope), after _step_adjoint. */
double *WIDE(cq_bodies_slope)(bodies *b, int i);
const double *WIDE(cq_bodies_slope_due)(const bodies *b, int i);
/* Nodes and bodies push each other. */
void WIDE(cq_bodies_meet)(bodies *b);
/* From the state of _begin to the next, which may stand in the same place. */
cq_status WIDE(cq_bodies_end)(bodies *b, int step, const double *state, double *next,
                              cq_failure *failure);

/* For n_seeds, with the seeds' terminal adjoints, at the last state. */
cq_status WIDE(cq_bodies_adjoint_begin)(bodies *b, int n_seeds, const cq_seed *seeds,
                                        const double *last);
/* Of a step that has met: dv [n_nodes][dim], which is returned by _reserve, goes from
 * dL/d(velocity after) to before, dmass [n_nodes] is dL/d(mass) beside; pose and twist of the seed
 * go to the beginning of the step. */
cq_status WIDE(cq_bodies_reserve)(bodies *b, double **dv, const double **dmass);
cq_status WIDE(cq_bodies_step_adjoint)(bodies *b, int seed, int step, cq_failure *failure);
/* Sets the controls' part of dw. */
void WIDE(cq_bodies_put_controls)(const bodies *b, int seed, double *dw);
/* Adds the squares of what is due to the bodies' motion, each as one particle at its radius of
 * gyration. */
void WIDE(cq_bodies_add_squares)(const bodies *b, int seed, cq_adjoint_norms *squares);
/* Carried particles' part of the gradient, and adds to that of friction and gravity. */
void WIDE(cq_bodies_adjoint_end)(bodies *b, int seed, double *gradient);

/* mpm_rigid_carried.c: of the state that was looked at last. */
void WIDE(cq_bodies_look)(bodies *b, const double *state);
/* substance: E, nu, density, volume */
void WIDE(cq_bodies_carried)(const bodies *b, int particle, double *x, double *v,
                             double *substance);
/* The body of which a group has turn, spin, force and torque (kinds.h); -1: none. */
int WIDE(cq_bodies_of_group)(const bodies *b, const cq_group *group);
/* These (CQ_Q_TURN ...), three numbers each; and adds what is due to them. */
void WIDE(cq_bodies_motion)(const bodies *b, int body, double numbers[12]);
void WIDE(cq_bodies_give_motion)(bodies *b, int seed, int body, const double due[12]);
/* Adds what is due to it; many may be given at once. */
void WIDE(cq_bodies_give)(bodies *b, int seed, int particle, const double *dx, const double *dv,
                          const double *dsubstance);
/* What is due to carried particles goes to pose and twist. */
void WIDE(cq_bodies_collect)(bodies *b, int seed);
/* Where the bodies are in a state: maps (map.h) [n_boundaries][CQ_MAP] of their walls. */
void WIDE(cq_bodies_maps)(const bodies *b, const double *state, double *maps);
/* x, v, F and C of carried particles in a state of the host. */
void WIDE(cq_bodies_download)(bodies *b, const double *state, double *out);

#ifdef __cplusplus
}
#endif

#endif
