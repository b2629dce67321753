/* Nodes of the fast engine and their images: one by one, on one thread, in an order that depends on
 * the box alone. */
#include "mpm_cpu_halves.h"
#include "mpm_mirror.h"

/* those of the images that have mass, and their numbers in the box */
typedef struct found_images {
  images m; /* their velocities are not set */
  const int *index[CQ_IMAGES];
  size_t at[CQ_IMAGES];
} found_images;

static bool number_of(const cpu *c, const int *index, size_t *at) {
  *at = 0;
  FOR_AXES(a) {
    const int k = index[a] - c->box.low[a];
    if (k < 0 || k >= c->box.size[a]) {
      return false;
    }
    *at = *at * (size_t)c->box.size[a] + (size_t)k;
  }
  return !cpu_plane_empty(c, index[0] - c->box.low[0]);
}

/* Those of the images that have mass, with their velocities. */
static found_images find(const cpu *c, const image_nodes *nodes) {
  found_images f;
  f.m.n = 0;
  f.m.on = nodes->on;
  for (int j = 0; j < nodes->n; j++) {
    size_t at = 0;
    const bool inside = number_of(c, nodes->index[j], &at);
    const scalar mass = inside ? c->nodes[at * CQ_QUAD + CQ_QUAD - 1] : K(0);
    if (mass > K(0)) {
      f.at[f.m.n] = at;
      f.index[f.m.n] = nodes->index[j];
      f.m.across[f.m.n] = nodes->across[j];
      f.m.mass[f.m.n++] = mass;
    }
  }
  return f;
}

static vec vec_at(const scalar *at) {
  vec v;
  FOR_AXES(a) {
    v.v[a] = at[a];
  }
  return v;
}

/* Gives a node and its images the mean of their velocities, turned round where it has to be. */
static void act(void *work, const image_nodes *nodes) {
  const cpu *c = work;
  found_images f = find(c, nodes);
  if (f.m.n == 0) {
    return;
  }
  for (int j = 0; j < f.m.n; j++) {
    f.m.v[j] = vec_at(c->velocity + f.at[j] * CQ_QUAD);
  }
  const vec mean = mirror_mean(&f.m);
  for (int j = 0; j < f.m.n; j++) {
    const vec v = mirror_turn(f.m.across[j], mean);
    FOR_AXES(a) {
      c->ahead[f.at[j] * CQ_QUAD + (size_t)a] = f.m.v[j].v[a];
      c->velocity[f.at[j] * CQ_QUAD + (size_t)a] = v.v[a];
    }
  }
}

/* From dL/d(velocity) after it to that before it. */
static void act_back(void *work, const image_nodes *nodes) {
  const cpu *c = work;
  found_images f = find(c, nodes);
  vec dv[CQ_IMAGES];
  real dmass[CQ_IMAGES];
  if (f.m.n == 0) {
    return;
  }
  for (int j = 0; j < f.m.n; j++) {
    f.m.v[j] = vec_at(c->ahead + f.at[j] * CQ_QUAD);
    FOR_AXES(a) {
      dv[j].v[a] = halves_sum(halves_at(c, f.at[j]), a);
    }
  }
  mirror_adjoint(&f.m, dv, dmass);
  for (int j = 0; j < f.m.n; j++) {
    c->mirror_mass[f.at[j]] = dmass[j];
    FOR_AXES(a) {
      halves_put(halves_at(c, f.at[j]), a, dv[j].v[a]);
    }
  }
}

static void change(void *work, const image_nodes *nodes) {
  const cpu *c = work;
  const found_images f = find(c, nodes);
  for (int j = 0; j < f.m.n; j++) {
    changed_node(c, f.index[j], f.at[j]);
  }
}

static void count_masses(void *work, const image_nodes *nodes) {
  const cpu *c = work;
  const found_images f = find(c, nodes);
  for (int j = 0; j < f.m.n; j++) {
    count_mass(c, f.at[j], c->mirror_mass[f.at[j]]);
  }
}

static void each(cpu *c, image_action *action) {
  for (int f = 0; f < n_grids(c); f++) {
    cpu *grid = grid_at(c, f);
    V(cq_mpm_each_image)(&grid->g, grid->box.low, grid->box.size, action, grid);
  }
}

void V(cq_cpu_mirror)(cpu *c) {
  each(c, act);
}

void V(cq_cpu_mirror_adjoint)(cpu *c) {
  each(c, act_back);
}

void V(cq_cpu_mirror_changed)(cpu *c) {
  each(c, change);
}

void V(cq_cpu_mirror_masses)(cpu *c) {
  each(c, count_masses);
}
