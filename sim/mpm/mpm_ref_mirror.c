/* Nodes of the reference loops and their images, and the adjoint. */
#include "mpm_mirror.h"
#include "mpm_ref.h"

/* Those of the images that have mass, and where they are. */
static images images_of(const ref *c, const image_nodes *nodes, size_t *at) {
  images m;
  m.n = 0;
  m.on = nodes->on;
  for (int j = 0; j < nodes->n; j++) {
    bool inside = true;
    FOR_AXES(a) {
      const int k = nodes->index[j][a] - c->low[a];
      inside = inside && k >= 0 && k < c->size[a];
    }
    const size_t i = inside ? ref_node(c, nodes->index[j]) : 0;
    if (!inside || !(c->nodes[i].mass > K(0))) {
      continue;
    }
    at[m.n] = i;
    m.across[m.n] = nodes->across[j];
    m.mass[m.n] = c->nodes[i].mass;
    m.v[m.n++] = grid_velocity(&c->g, &c->in, c->decay, nodes->index[j], c->mean[i],
                               c->nodes[i].mass, ref_memory(c, 0, NULL));
  }
  return m;
}

static void act(void *work, const image_nodes *nodes) {
  ref *c = work;
  size_t at[CQ_IMAGES];
  const images m = images_of(c, nodes, at);
  if (m.n > 0) {
    const vec mean = mirror_mean(&m);
    for (int j = 0; j < m.n; j++) {
      c->velocity[at[j]] = mirror_turn(m.across[j], mean);
    }
  }
}

void V(cq_ref_mirror)(ref *c) {
  if (c->g.mirrors) {
    V(cq_mpm_each_image)(&c->g, c->low, c->size, act, c);
  }
}

/* The adjoint of `act`, to dL/d(velocity) before it and to masses. */
static void act_back(void *work, const image_nodes *nodes) {
  ref *c = work;
  size_t at[CQ_IMAGES];
  vec dv[CQ_IMAGES];
  real dmass[CQ_IMAGES];
  const images m = images_of(c, nodes, at);
  for (int j = 0; j < m.n; j++) {
    dv[j] = c->dnodes[at[j]];
  }
  if (m.n > 0) {
    mirror_adjoint(&m, dv, dmass);
  }
  for (int j = 0; j < m.n; j++) {
    c->dnodes[at[j]] = dv[j];
    c->dmass[at[j]] += dmass[j];
  }
}

void V(cq_ref_mirror_adjoint)(ref *c) {
  V(cq_mpm_each_image)(&c->g, c->low, c->size, act_back, c);
}
