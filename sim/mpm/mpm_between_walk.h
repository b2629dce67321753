/* The walk over the nodes that fields share, and back: the loops of both engines. The including
 * file has defined CQ_FIELDS, its workspace with a member `between`, and
 *
 *   void fields_box(const CQ_FIELDS *c, int field, int *low, int *size)  of its nodes in the grid
 *   double fields_mass(const CQ_FIELDS *c, int field, size_t id)
 *   void fields_momentum(const CQ_FIELDS *c, int field, size_t id, double *p)
 *   void fields_push(CQ_FIELDS *c, int field, size_t id, const int *index, const double *impulse)
 *   void fields_due(const CQ_FIELDS *c, int field, size_t id, double *dmomentum)
 *   void fields_give(CQ_FIELDS *c, int field, size_t id, const double *dmomentum,
 *                    const double *before, double dmass)  adds; `before` is the velocity for which
 *                                                         dmomentum counts by the mass, too
 *
 * Node id of a field is its number in the box, the last axis first. */
#include "mpm_between.h"

#include <string.h>

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

/* What two fields do to each other at a node, if both have mass there. */
static inline cq_status meet_at(CQ_FIELDS *c, int pair, const int field[2], const field_box box[2],
                                const int *index) {
  cq_between_node shared;
  size_t id[2];
  for (int i = 0; i < 2; i++) {
    id[i] = field_node(&box[i], index);
    shared.mass[i] = fields_mass(c, field[i], id[i]);
    if (!(shared.mass[i] > 0.0)) {
      return CQ_OK;
    }
  }
  for (int i = 0; i < 2; i++) {
    fields_momentum(c, field[i], id[i], shared.momentum[i]);
    field_slope(c, field[i], &box[i], index, shared.slope[i]);
  }
  double impulse[3], back[3];
  bool acts = false;
  CQ_TRY(WIDE(cq_between_meet)(c->between, pair, index, &shared, impulse, &acts));
  if (acts) {
    FOR_AXES(a) {
      back[a] = -impulse[a];
    }
    fields_push(c, field[0], id[0], index, back);
    fields_push(c, field[1], id[1], index, impulse);
  }
  return CQ_OK;
}

/* the nodes of both boxes; false: there is none */
static inline bool shared_nodes(const field_box box[2], int *first, int *end) {
  bool any = true;
  FOR_AXES(a) {
    const int ends[2] = {box[0].low[a] + box[0].size[a], box[1].low[a] + box[1].size[a]};
    first[a] = box[0].low[a] > box[1].low[a] ? box[0].low[a] : box[1].low[a];
    end[a] = ends[0] < ends[1] ? ends[0] : ends[1];
    any = any && first[a] < end[a];
  }
  return any;
}

/* All nodes that may have mass of both fields, in the order of the grid. */
static inline cq_status meet_pair(CQ_FIELDS *c, int pair) {
  int field[2], first[CQ_DIM], end[CQ_DIM], index[CQ_DIM];
  WIDE(cq_between_fields)(c->between, pair, field);
  const field_box box[2] = {field_box_of(c, field[0]), field_box_of(c, field[1])};
  if (!shared_nodes(box, first, end)) {
    return CQ_OK;
  }
  memcpy(index, first, sizeof index);
  for (int a = CQ_DIM; a >= 0;) {
    CQ_TRY(meet_at(c, pair, field, box, index));
    for (a = CQ_DIM - 1; a >= 0 && ++index[a] == end[a]; a--) {
      index[a] = first[a];
    }
  }
  return CQ_OK;
}

/* Momenta after the fields have met, from those before; with a state's numbers of contacts. */
static inline cq_status fields_meet(CQ_FIELDS *c, const double *state) {
  WIDE(cq_between_begin)(c->between, state);
  for (int i = 0; i < WIDE(cq_between_pairs)(c->between); i++) {
    CQ_TRY(meet_pair(c, i));
  }
  return CQ_OK;
}

static inline void give_slope(CQ_FIELDS *c, int field, const field_box *box, const int *index,
                              const double *dslope) {
  static const double none[3] = {0.0};
  for (int k = 0; k < FIELD_AROUND; k++) {
    int step[CQ_DIM];
    size_t id;
    double due = 0.0;
    if (field_around(box, index, k, step, &id) && fields_mass(c, field, id) > 0.0) {
      FOR_AXES(a) {
        due += slope_weight(step, a, c->own->cell) * dslope[a];
      }
      fields_give(c, field, id, none, none, due);
    }
  }
}

/* One touch backwards: to the momenta, masses and slopes of both fields at its node. */
static inline void meet_back(CQ_FIELDS *c, int seed, int i) {
  const cq_between_touch *t = WIDE(cq_between_touched)(c->between, i);
  int field[2];
  size_t id[2];
  double due[2][3] = {{0.0}};
  WIDE(cq_between_fields)(c->between, t->pair, field);
  const field_box box[2] = {field_box_of(c, field[0]), field_box_of(c, field[1])};
  for (int k = 0; k < 2; k++) {
    id[k] = field_node(&box[k], t->index);
    fields_due(c, field[k], id[k], due[k]);
  }
  const cq_between_give give = WIDE(cq_between_give)(c->between, seed, i, due);
  for (int k = 0; k < 2; k++) {
    double before[3] = {0.0};
    FOR_AXES(a) {
      before[a] = t->before.momentum[k][a] / t->before.mass[k];
    }
    fields_give(c, field[k], id[k], give.momentum[k], before, give.mass[k]);
    give_slope(c, field[k], &box[k], t->index, give.slope[k]);
  }
}

/* From what is due by momenta and masses after they have met to that before. */
static inline void fields_meet_adjoint(CQ_FIELDS *c, int seed) {
  WIDE(cq_between_step_adjoint)(c->between, seed);
  for (int i = WIDE(cq_between_n_touches)(c->between) - 1; i >= 0; i--) {
    meet_back(c, seed, i);
  }
}
