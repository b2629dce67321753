/* The functions of the hot files, at the SIMD level this file is compiled for. A particle's vector
 * is one load, axes wide. */
#ifndef CQ_FLUID_HOT_H
#define CQ_FLUID_HOT_H

#include "fluid_cpu.h"

/* a symbol of one variant at one SIMD level */
#define H(name) CQ_PASTE_LEVEL(V(name), CQ_LEVEL)

typedef scalar axes __attribute__((vector_size(CQ_AXES * sizeof(scalar)), may_alias));

typedef lane_int axes_places __attribute__((vector_size(CQ_AXES * sizeof(scalar)), may_alias));

static inline axes axes_load(const scalar *a, size_t i) {
  return *(const axes *)(a + i * CQ_AXES);
}

static inline void axes_store(scalar *a, size_t i, axes v) {
  *(axes *)(a + i * CQ_AXES) = v;
}

static inline scalar axes_sum(axes a) {
  scalar s = a[0];
  for (int i = 1; i < CQ_DIM; i++) {
    s += a[i];
  }
  return s;
}

/* a[0] + a[1], a[2] + a[3], b[0] + b[1], b[2] + b[3] */
static inline axes axes_pairs(axes a, axes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

/* the sums of four vectors, one in each lane */
static inline axes axes_sums(const axes *a) {
  return axes_pairs(axes_pairs(a[0], a[1]), axes_pairs(a[2], a[3]));
}

/* without the last number */
static inline axes axes_alone(axes a) {
  const axes_places kept = {-1, -1, -1, 0};
  return (axes)((axes_places)a & kept);
}

/* What stands beside a velocity: (x - origin) . v. With it a sum of V_j grad W_ij . v_j needs one
 * product a pair: sum_j s_j (x_i - x_j) . v_j = x_i . sum s_j v_j - sum s_j (x_j . v_j). */
static inline axes axes_with_moment(axes place, axes v) {
  const axes product = place * v;
  scalar about = K(0);
  for (int a = 0; a < CQ_DIM; a++) {
    about += product[a];
  }
  v[CQ_AXES - 1] = about;
  return v;
}

/* entry k of a particle's list */
static inline size_t near_at(const unsigned *near, int k) {
  return (size_t)near[(size_t)k * CQ_FLUID_GROUP] / CQ_AXES;
}

/* The lists of a chunk's groups, which follow each other. */
typedef struct group_lists {
  const unsigned *near;
  const scalar *slope;
  const int *length;
} group_lists;

static inline group_lists lists_of(const fluid *c, int chunk) {
  const size_t first = (size_t)chunk * c->near_room;
  const group_lists lists = {c->near + first, c->slope + first,
                             c->length + (size_t)chunk * (CQ_FLUID_CHUNK / CQ_FLUID_GROUP)};
  return lists;
}

/* sum_j s_j y_j over the neighbours of each particle of the next group, y axes wide */
static inline void group_sums(group_lists *lists, const scalar *y, axes *sum) {
  enum { G = CQ_FLUID_GROUP };
  const unsigned *near = lists->near;
  const scalar *slope = lists->slope, *const end = slope + *lists->length++ * G;
  axes total[G] = {{0}};
  for (; slope < end; slope += G, near += G) {
#pragma GCC unroll 4
    for (int l = 0; l < G; l++) {
      total[l] += slope[l] * *(const axes *)(y + near[l]);
    }
  }
  lists->near = near;
  lists->slope = slope;
#pragma GCC unroll 4
  for (int l = 0; l < G; l++) {
    sum[l] = total[l];
  }
}

void H(cq_fluid_lists)(fluid *c, int chunk);
void H(cq_fluid_measure)(fluid *c, int chunk, bool density);
void H(cq_fluid_push)(fluid *c, int chunk);
void H(cq_fluid_forces)(fluid *c, int chunk);

#endif
