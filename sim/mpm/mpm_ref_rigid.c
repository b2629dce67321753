/* Where nodes of the reference loops meet rigid bodies, and the adjoint. */
#include "mpm_ref_fields.h"

#include <string.h>

static int met_place(const ref *c, int i, int *index) {
  const double *v;
  const size_t at = WIDE(cq_bodies_node)(c->bodies, i, &v), plane = ref_plane(c);
  ref_node_index(c, (int)(at / plane), at % plane, index);
  return (int)(at / plane) / c->size[0];
}

#include "mpm_rigid_slopes.h"

static bool is_held(const ref *c, const int *index) {
  const contact *held = NULL;
  return grid_contacts(&c->g, index, &held) > 0 && c->g.kind[held[0].wall] == CQ_BOUNDARY_sticky;
}

static cq_status add_node(ref *c, int field, const int *index, size_t i) {
  double v[CQ_DIM];
  if (!(c->nodes[i].mass > K(0)) || is_held(c, index)) {
    return CQ_OK;
  }
  FOR_AXES(a) {
    v[a] = (double)c->velocity[i].v[a];
  }
  return WIDE(cq_bodies_add_node)(c->bodies, i, field, index, (double)c->nodes[i].mass, v);
}

/* All nodes with mass that no sticky wall holds meet the bodies; those that did get new velocities.
 */
cq_status V(cq_ref_meet)(ref *c) {
  const size_t plane = ref_plane(c), n = (size_t)ref_planes(c) * plane;
  for (size_t i = 0; i < n; i++) {
    int index[CQ_DIM];
    ref_node_index(c, (int)(i / plane), i % plane, index);
    CQ_TRY(add_node(c, (int)(i / plane) / c->size[0], index, i));
  }
  met_slopes(c);
  WIDE(cq_bodies_meet)(c->bodies);
  for (int i = 0; i < WIDE(cq_bodies_n_nodes)(c->bodies); i++) {
    const double *v;
    const size_t at = WIDE(cq_bodies_node)(c->bodies, i, &v);
    FOR_AXES(a) {
      c->velocity[at].v[a] = K(v[a]);
    }
  }
  return CQ_OK;
}

/* From the velocities after the meeting to those before it, and to masses of nodes. */
cq_status V(cq_ref_meet_adjoint)(ref *c, int seed, int step) {
  bodies *b = c->bodies;
  double *dv;
  const double *dmass, *v;
  CQ_TRY(WIDE(cq_bodies_reserve)(b, &dv, &dmass));
  for (int i = 0; i < WIDE(cq_bodies_n_nodes)(b); i++) {
    const size_t at = WIDE(cq_bodies_node)(b, i, &v);
    FOR_AXES(a) {
      dv[i * CQ_DIM + a] = (double)c->dnodes[at].v[a];
    }
  }
  CQ_TRY(WIDE(cq_bodies_step_adjoint)(b, seed, step, &c->failure));
  for (int i = 0; i < WIDE(cq_bodies_n_nodes)(b); i++) {
    const size_t at = WIDE(cq_bodies_node)(b, i, &v);
    FOR_AXES(a) {
      c->dnodes[at].v[a] = K(dv[i * CQ_DIM + a]);
    }
    c->dmass[at] += K(dmass[i]);
  }
  met_slopes_adjoint(c);
  return CQ_OK;
}
