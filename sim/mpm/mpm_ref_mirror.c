/* Nodes of the reference loops and their images, field by field, and the adjoint. */
#include "mpm_mirror.h"
#include "mpm_ref.h"

/* the field that is looked at: where its nodes begin */
typedef struct mirrored {
  ref *c;
  size_t first;
} mirrored;

/* Those of the images that have mass, and where they are; v: of all nodes. */
static images images_of(const mirrored *w, const image_nodes *nodes, const vec *v, size_t *at) {
  const ref *c = w->c;
  images m;
  m.n = 0;
  m.on = nodes->on;
  for (int j = 0; j < nodes->n; j++) {
    bool inside = true;
    FOR_AXES(a) {
      const int k = nodes->index[j][a] - c->low[a];
      inside = inside && k >= 0 && k < c->size[a];
    }
    const size_t i = w->first + (inside ? ref_node(c, nodes->index[j]) : 0);
    if (!inside || !(c->nodes[i].mass > K(0))) {
      continue;
    }
    at[m.n] = i;
    m.across[m.n] = nodes->across[j];
    m.mass[m.n] = c->nodes[i].mass;
    m.v[m.n++] = v[i];
  }
  return m;
}

static void act(void *work, const image_nodes *nodes) {
  const mirrored *w = work;
  size_t at[CQ_IMAGES];
  const images m = images_of(w, nodes, w->c->velocity, at);
  if (m.n > 0) {
    const vec mean = mirror_mean(&m);
    for (int j = 0; j < m.n; j++) {
      w->c->ahead[at[j]] = m.v[j];
      w->c->velocity[at[j]] = mirror_turn(m.across[j], mean);
    }
  }
}

/* The adjoint of `act`, to dL/d(velocity) before it and to masses. */
static void act_back(void *work, const image_nodes *nodes) {
  const mirrored *w = work;
  ref *c = w->c;
  size_t at[CQ_IMAGES];
  vec dv[CQ_IMAGES];
  real dmass[CQ_IMAGES];
  const images m = images_of(w, nodes, c->ahead, at);
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

static void each(ref *c, image_action *action) {
  for (int f = 0; c->g.mirrors && f < c->n_fields; f++) {
    mirrored w = {c, (size_t)f * (size_t)c->size[0] * ref_plane(c)};
    V(cq_mpm_each_image)(&c->g, c->low, c->size, action, &w);
  }
}

void V(cq_ref_mirror)(ref *c) {
  each(c, act);
}

void V(cq_ref_mirror_adjoint)(ref *c) {
  each(c, act_back);
}
