/* The walk over the nodes that fields share, and back: the loops of both engines. The including
 * file has defined CQ_FIELDS, its workspace with a member `between`, and beside what mpm_slope.h
 * asks for
 *
 *   void fields_momentum(const CQ_FIELDS *c, int field, size_t id, double *p)
 *   void fields_push(CQ_FIELDS *c, int field, size_t id, const int *index, const double *impulse)
 *   void fields_due(const CQ_FIELDS *c, int field, size_t id, double *dmomentum)
 *   void fields_give(CQ_FIELDS *c, int field, size_t id, const double *dmomentum,
 *                    const double *before, double dmass)  adds; `before` is the velocity for which
 *                                                         dmomentum counts by the mass, too */
#include "mpm_between.h"
#include "mpm_slope.h"

#include <string.h>

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
    field_give_slope(c, field[k], &box[k], t->index, give.slope[k]);
  }
}

/* From what is due by momenta and masses after they have met to that before. */
static inline void fields_meet_adjoint(CQ_FIELDS *c, int seed) {
  WIDE(cq_between_step_adjoint)(c->between, seed);
  for (int i = WIDE(cq_between_n_touches)(c->between) - 1; i >= 0; i--) {
    meet_back(c, seed, i);
  }
}
