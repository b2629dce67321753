/* Slopes of masses at the nodes that lean to rigid bodies, and back: what both engines have of it.
 * The including file has what mpm_slope.h asks for, CQ_FIELDS with a member `bodies`, and
 *
 *   int met_place(const CQ_FIELDS *c, int i, int *index)  of node i of those that met: its field,
 *                                                         and where it is in the grid */
#include "mpm_rigid.h"
#include "mpm_slope.h"

/* before they meet */
static inline void met_slopes(CQ_FIELDS *c) {
  for (int i = 0; i < WIDE(cq_bodies_n_nodes)(c->bodies); i++) {
    double *slope = WIDE(cq_bodies_slope)(c->bodies, i);
    if (slope != NULL) {
      int index[CQ_DIM];
      const int field = met_place(c, i, index);
      const field_box box = field_box_of(c, field);
      field_slope(c, field, &box, index, slope);
    }
  }
}

/* What is due to them goes to masses. */
static inline void met_slopes_adjoint(CQ_FIELDS *c) {
  for (int i = 0; i < WIDE(cq_bodies_n_nodes)(c->bodies); i++) {
    const double *dslope = WIDE(cq_bodies_slope_due)(c->bodies, i);
    if (dslope != NULL) {
      int index[CQ_DIM];
      const int field = met_place(c, i, index);
      const field_box box = field_box_of(c, field);
      field_give_slope(c, field, &box, index, dslope);
    }
  }
}
