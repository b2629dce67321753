/* Cables in the reference loops: impulses of particles to the nodes, and the adjoint. */
#include "mpm_ref.h"
#include "point/cables.h"

static void load_places(ref *c, const real *state) {
  for (int i = 0; i < c->cables.n_anchors; i++) {
    c->cables.x[i] = slab_position(state, c->stride, c->cables.particle[i]);
  }
}

/* Adds the impulses of the cables to the nodes around their anchors. */
void V(cq_ref_pull)(ref *c, const real *state) {
  load_places(c, state);
  cables_pull(&c->cables, c->w);
  for (int i = 0; i < c->cables.n_anchors; i++) {
    int base[CQ_DIM];
    ref_base(c, c->cables.x[i], base);
    const stencil s = spline_stencil(c->cables.x[i], base, c->t.dx, c->t.inv_dx);
    node *first = c->nodes + ref_first(c, c->cables.particle[i], base);
    FOR_STENCIL(k) {
      int offset[CQ_DIM];
      spline_offset(k, offset);
      vec *to = &first[c->stencil[k]].momentum;
      *to = vec_axpy(*to, spline_weight(&s, offset), c->cables.impulse[i]);
    }
  }
}

/* The same backwards: from dL/d(momentum) of the nodes to places of the anchors and drives. */
void V(cq_ref_pull_adjoint)(ref *c, ref_adjoint *adjoint, const real *state, double *dw) {
  cables *cable = &c->cables;
  load_places(c, state);
  cables_pull(cable, c->w);
  for (int i = 0; i < cable->n_anchors; i++) {
    int base[CQ_DIM];
    ref_base(c, cable->x[i], base);
    const stencil s = spline_stencil(cable->x[i], base, c->t.dx, c->t.inv_dx);
    const vec *first = c->dnodes + ref_first(c, cable->particle[i], base);
    real *to = adjoint->state + cable->particle[i];
    vec dx = vec_zero();
    cable->dimpulse[i] = vec_zero();
    FOR_STENCIL(k) {
      int offset[CQ_DIM];
      spline_offset(k, offset);
      const vec dp = first[c->stencil[k]];
      cable->dimpulse[i] = vec_axpy(cable->dimpulse[i], spline_weight(&s, offset), dp);
      dx = vec_axpy(dx, vec_dot(dp, cable->impulse[i]), spline_weight_gradient(&s, offset));
    }
    FOR_AXES(a) {
      to[(size_t)(CQ_STATE_x + a) * c->stride] += dx.v[a];
    }
  }
  cables_pull_adjoint(cable, c->w, dw);
  for (int i = 0; i < cable->n_anchors; i++) {
    FOR_AXES(a) {
      adjoint->state[(size_t)(CQ_STATE_x + a) * c->stride + (size_t)cable->particle[i]] +=
          cable->dx[i].v[a];
    }
  }
}
