/* Slopes of the masses of a field at its nodes, and back: what both engines have of them. The
 * including file has defined CQ_FIELDS, its workspace with a member `own`, and
 *
 *   void fields_box(const CQ_FIELDS *c, int field, int *low, int *size)  of its nodes in the grid
 *   double fields_mass(const CQ_FIELDS *c, int field, size_t id)
 *   void fields_give_mass(CQ_FIELDS *c, int field, size_t id, double dmass)  adds
 *
 * Node id of a field is its number in the box, the last axis first. */
#ifndef CQ_MPM_SLOPE_H
#define CQ_MPM_SLOPE_H

#include "variant.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct field_box {
  int low[CQ_DIM], size[CQ_DIM];
} field_box;

static inline field_box field_box_of(const CQ_FIELDS *c, int field) {
  field_box b;
  fields_box(c, field, b.low, b.size);
  return b;
}

static inline size_t field_node(const field_box *b, const int *index) {
  size_t id = 0;
  FOR_AXES(a) {
    id = id * (size_t)b->size[a] + (size_t)(index[a] - b->low[a]);
  }
  return id;
}

/* a node and those up to two away */
enum { FIELD_WIDE = 5, FIELD_AROUND = FIELD_WIDE * FIELD_WIDE * (CQ_DIM == 2 ? 1 : FIELD_WIDE) };

/* Number k of the nodes around the one at `index`, and how far it is from there along each axis;
 * false: it is not in the box. */
static inline bool field_around(const field_box *b, const int *index, int k, int *step,
                                size_t *id) {
  int at[CQ_DIM];
  bool inside = true;
  FOR_AXES(a) {
    step[a] = k % FIELD_WIDE - FIELD_WIDE / 2;
    k /= FIELD_WIDE;
    at[a] = index[a] + step[a];
    inside = inside && at[a] >= b->low[a] && at[a] < b->low[a] + b->size[a];
  }
  *id = field_node(b, at);
  return inside;
}

/* The weight of a node in a slope along an axis: masses are smoothed by (1/4, 1/2, 1/4) along every
 * axis; then the slope is the central difference, and its mean across by (0.18, 0.64, 0.18).
 *
 * Normals have to be right to a thousandth of a radian if what slides down a slope is to be right
 * to a hundredth. Central differences alone lean towards the axes, by up to 0.1 at a plane surface
 * that is askew, as masses bend over a cell; the mean makes them bend alike along all axes (1/6 and
 * 4/6 would be right to the next order; 0.18 fits what quadratic B-splines have of higher ones).
 * And the slopes of the B-splines themselves lean by where particles happen to be. */
static inline double slope_weight(const int *step, int axis, double cell) {
  static const double along[FIELD_WIDE] = {-0.125, -0.25, 0.0, 0.25, 0.125};
  static const double across[FIELD_WIDE] = {0.045, 0.25, 0.41, 0.25, 0.045};
  double weight = 1.0 / cell;
  FOR_AXES(a) {
    weight *= (a == axis ? along : across)[step[a] + FIELD_WIDE / 2];
  }
  return weight;
}

/* gradient of the masses around a node */
static inline void field_slope(const CQ_FIELDS *c, int field, const field_box *b, const int *index,
                               double *slope) {
  FOR_AXES(a) {
    slope[a] = 0.0;
  }
  for (int k = 0; k < FIELD_AROUND; k++) {
    int step[CQ_DIM];
    size_t id;
    const double mass = field_around(b, index, k, step, &id) ? fields_mass(c, field, id) : 0.0;
    FOR_AXES(a) {
      slope[a] += slope_weight(step, a, c->own->cell) * mass;
    }
  }
}

static inline void field_give_slope(CQ_FIELDS *c, int field, const field_box *box, const int *index,
                                    const double *dslope) {
  for (int k = 0; k < FIELD_AROUND; k++) {
    int step[CQ_DIM];
    size_t id;
    double due = 0.0;
    if (field_around(box, index, k, step, &id) && fields_mass(c, field, id) > 0.0) {
      FOR_AXES(a) {
        due += slope_weight(step, a, c->own->cell) * dslope[a];
      }
      fields_give_mass(c, field, id, due);
    }
  }
}

#endif
