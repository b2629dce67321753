/* What the reference loops and the fast engine share: the model in the types of a variant, and the
 * checks of a particle with the words of a failure. */
#ifndef CQ_MPM_COMMON_H
#define CQ_MPM_COMMON_H

#include "mpm_model.h"
#include "point/g2p.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The grid, and at which of its nodes walls are. CQ_CONFIG for too many walls. What there is of it
 * when it fails has to be freed, too. */
cq_status V(cq_mpm_grid_model)(cq_ctx *ctx, const cq_model *model, grid_model *g);
void V(cq_mpm_grid_free)(cq_ctx *ctx, grid_model *g);
cq_status V(cq_mpm_find_walls)(cq_ctx *ctx, const cq_mpm_model *own, grid_model *g);
/* mpm_mirror.h: g->mirror. CQ_CONFIG for planes that are no mirrors of the grid, or too close. */
cq_status V(cq_mpm_find_mirrors)(cq_ctx *ctx, const cq_mpm_model *own, grid_model *g);
/* What of it a design may change, and the other way: sums [CQ_DIM + 1 + walls] of its adjoint
 * (gravity, damping, friction) to their places in a gradient. */
void V(cq_mpm_grid_inputs)(const cq_layout *layout, const double *inputs, grid_inputs *in);
void V(cq_mpm_put_grid_sums)(const cq_layout *layout, const double *sums, double *gradient);
actuator V(cq_mpm_actuator)(const cq_actuator *from);
/* host_loop.h: what drives the actuators, and its adjoint */
void V(cq_mpm_drive)(const cq_model *model, int step, const double *u, const double *z, double *w);
void V(cq_mpm_drive_adjoint)(const cq_model *model, int step, const double *u, const double *z,
                             const double *dw, double *du, double *dz);
/* Adds the node at `index` with mean velocity u to those that walls hold, if any does. */
cq_status V(cq_mpm_touch)(const grid_model *g, const grid_inputs *in, real decay, const int *index,
                          vec u, real mass, grid_memory memory, cq_contacts *contacts);
/* Adds the squares of a particle's adjoint to those of others, by state, and takes their roots. */
void V(cq_mpm_add_squares)(particle d, cq_adjoint_norms *squares);
void V(cq_mpm_take_roots)(cq_adjoint_norms *squares);
/* The one field of a state on the host, von Mises stress (point/von_mises.h): out [n]. */
void V(cq_mpm_field)(const cq_model *model, const cq_layout *layout, int field,
                     const double *inputs, const double *state, double *out);
/* mpm_means.c: mean pressures at walls [fields][g->n_slots] of a state, whose particles are at x,
 * as rows (mpm_means.h); and those that the model begins with, others being left as they are. */
void V(cq_mpm_put_means)(const cq_model *model, const grid_model *g, const pressed *means,
                         const double *x, cq_means *out);
void V(cq_mpm_take_means)(const cq_model *model, const grid_model *g, pressed *means);
/* CQ_NONFINITE where a parameter (anything after the state) is not finite. */
cq_status V(cq_mpm_check_parameters)(cq_ctx *ctx, const cq_layout *layout, const double *inputs,
                                     cq_failure *failure);
/* Valid, or CQ_NONFINITE, CQ_OUT_OF_ROOM, CQ_TOO_FAST, CQ_DEFORMED, with the value to report. */
cq_status V(cq_mpm_check)(const cq_model *model, const transfer *t, int material, particle q,
                          double *value);
/* mpm_slab.c: host arrays, which have all x, then all v, F, C by particles, of the first n to a
 * slab (slab.h) and back. Record i of the slab is of particle id[i]; NULL: of particle i. */
void V(cq_mpm_slab_from)(const cq_layout *layout, size_t n, size_t stride, const int *id,
                         const double *in, scalar *slab);
void V(cq_mpm_slab_to)(const cq_layout *layout, size_t n, size_t stride, const int *id,
                       const scalar *slab, double *out);
/* Inputs of a run whose particles are in a slab, in their order: as after a step 0. */
cq_status V(cq_mpm_check_start)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                                const transfer *t, const double *inputs, const scalar *slab,
                                size_t stride, cq_failure *failure);
/* Records and words the failure of particle p at the end of a step, and returns its status. */
cq_status V(cq_mpm_fail)(cq_ctx *ctx, const cq_model *model, const transfer *t, int step, int p,
                         particle q, cq_failure *failure);
/* Words one of which all but the position is known, and returns its status. */
cq_status V(cq_mpm_word_failure)(cq_ctx *ctx, const transfer *t, int material, vec x,
                                 cq_failure *failure);
/* the same for a gradient of particle p at x that is not finite */
cq_status V(cq_mpm_fail_backward)(cq_ctx *ctx, int step, int p, vec x, cq_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
