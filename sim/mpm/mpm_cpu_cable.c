/* Cables in the fast engine: impulses of a few particles to the nodes, and the adjoint, one by one
 * on one thread. */
#include "mpm_cpu.h"
#include "point/cables.h"

#include <string.h>

static vec *place_of(const scalar *records, int slot) {
  return (vec *)(void *)(uintptr_t)(records + (size_t)slot * CQ_RECORD);
}

static void load_places(cpu *c, const cpu_state *in) {
  for (int i = 0; i < c->cables.n_anchors; i++) {
    c->cables.x[i] = *place_of(in->records, c->slot[c->cables.particle[i]]);
  }
}

/* weights at x; *first takes the first node of the stencil, in scalars from the box's first */
static stencil stencil_at(const cpu *c, vec x, int *plane, size_t *first) {
  int base[CQ_DIM];
  *first = 0;
  FOR_AXES(a) {
    base[a] = spline_base(x.v[a], c->t.inv_dx);
    *first = *first * (size_t)c->box.size[a] + (size_t)(base[a] - c->box.low[a]);
  }
  *first *= CQ_QUAD;
  *plane = base[0] - c->box.low[0];
  return spline_stencil(x, base, c->t.dx, c->t.inv_dx);
}

/* node k of a stencil after its first one, in scalars */
static size_t stencil_node(const cpu *c, int k) {
  return (size_t)(c->row[k / 3] + k % 3 * CQ_QUAD);
}

/* Adds the impulses of the cables to the nodes around their anchors, in the block that has them. */
void V(cq_cpu_pull)(cpu *c, const cpu_state *in) {
  load_places(c, in);
  cables_pull(&c->cables, c->w);
  for (int i = 0; i < c->cables.n_anchors; i++) {
    int plane;
    size_t first;
    const cpu *v = V(cq_cpu_view_of)(c, c->slot[c->cables.particle[i]]);
    const stencil s = stencil_at(v, c->cables.x[i], &plane, &first);
    const size_t block = (size_t)(plane / CQ_BLOCK);
    scalar *nodes = v->blocks + block * v->block_stride - block * CQ_BLOCK * v->plane * CQ_QUAD;
    FOR_STENCIL(k) {
      int offset[CQ_DIM];
      spline_offset(k, offset);
      FOR_AXES(a) {
        nodes[first + stencil_node(v, k) + (size_t)a] +=
            spline_weight(&s, offset) * c->cables.impulse[i].v[a];
      }
    }
  }
}

/* The same backwards: from dL/d(momentum) of the nodes to places of the anchors and drives. */
void V(cq_cpu_pull_adjoint)(cpu *c, const cpu_state *in, cpu_adjoint *adjoint, double *dw) {
  cables *cable = &c->cables;
  load_places(c, in);
  cables_pull(cable, c->w);
  for (int i = 0; i < cable->n_anchors; i++) {
    int plane;
    size_t first;
    const cpu *v = V(cq_cpu_view_of)(c, c->slot[cable->particle[i]]);
    const stencil s = stencil_at(v, cable->x[i], &plane, &first);
    vec *dx = place_of(adjoint->records, c->slot[cable->particle[i]]);
    cable->dimpulse[i] = vec_zero();
    FOR_STENCIL(k) {
      int offset[CQ_DIM];
      vec dp;
      spline_offset(k, offset);
      memcpy(&dp, v->dnodes + first + stencil_node(v, k), sizeof dp);
      cable->dimpulse[i] = vec_axpy(cable->dimpulse[i], spline_weight(&s, offset), dp);
      *dx = vec_axpy(*dx, vec_dot(dp, cable->impulse[i]), spline_weight_gradient(&s, offset));
    }
  }
  cables_pull_adjoint(cable, c->w, dw);
  for (int i = 0; i < cable->n_anchors; i++) {
    vec *dx = place_of(adjoint->records, c->slot[cable->particle[i]]);
    *dx = vec_add(*dx, cable->dx[i]);
  }
}
