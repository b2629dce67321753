/* What the fields of a model are as wholes. A field is what has masses and momenta of its own on
 * the grid (mpm_between.h); where no contact names a body, all material is one. */
#ifndef CQ_MPM_FIELDS_H
#define CQ_MPM_FIELDS_H

#include "mpm_model.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_mpm_fields {
  const cq_model *model;
  const cq_layout *layout;
  int n;
  const unsigned char *single; /* [n] of the model; NULL: none is */
  double *mass, *room;         /* [n] of all particles: mass [kg], volume [m^dim] */
  double *full; /* [n] 1/(mean density cell^dim): how full a node is, is that times its mass */
} cq_mpm_fields;

cq_status cq_mpm_fields_create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                               cq_mpm_fields *f);
void cq_mpm_fields_free(cq_ctx *ctx, cq_mpm_fields *f);
void cq_mpm_fields_take(cq_mpm_fields *f, const double *inputs);
/* Adds to the gradient by density and volume what is due to full: dfull[n]. */
void cq_mpm_fields_adjoint(const cq_mpm_fields *f, const double *inputs, const double *dfull,
                           double *gradient);

/* Whose surface says which way is apart, of two that meet: that of the one that is much larger than
 * the other, as it is the flatter one. */
static inline bool cq_mpm_is_much_larger(double room, double than) {
  return room > 1.5 * than;
}

#ifdef __cplusplus
}
#endif

#endif
