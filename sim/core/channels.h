/* What is observed of a run, z. A group is a set of particles; a channel is one quantity of a group
 * at the states where it is wanted. Row k of z holds the channels that are wanted at state k, in
 * the order of the model's list, and nothing else. States that want the same are a class. */
#ifndef CQ_CORE_CHANNELS_H
#define CQ_CORE_CHANNELS_H

#include "cqopt/base.h"
#include "wide.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What every engine observes; its own quantities (cq_engine_type) follow. Means are weighted by
 * mass. */
enum {
  CQ_Q_POSITION, /* mean position [m], dim numbers */
  CQ_Q_VELOCITY, /* mean velocity [m/s], dim numbers */
  CQ_Q_SQUARE,   /* mean of |v|^2 [m^2/s^2] */
  CQ_Q_MASS,     /* [kg] */
  CQ_N_SHARED_QUANTITIES,
  CQ_MOST_QUANTITIES = 24
};

/* A quantity of an engine's own: one number of a group. */
typedef struct cq_quantity {
  const char *name, *unit;
  bool by_parameter; /* it needs the parameter of its group */
  bool values_only;  /* no adjoint and no forward mode of the engine knows it: differences do */
} cq_quantity;

typedef struct cq_group {
  int count;
  const int *particles; /* ascending; the model's builder owns them */
  double parameter;     /* of the engine's quantity that has one: an exponent */
} cq_group;

typedef struct cq_channel {
  int group, quantity;
  const unsigned char *at; /* [steps + 1] 1 where it is wanted; NULL: at all states */
} cq_channel;

/* A group in the rows of a class: where its quantities begin; -1: not wanted there. */
typedef struct cq_view {
  int group;
  int place[CQ_MOST_QUANTITIES];
} cq_view;

typedef struct cq_z_rows {
  int n_classes, longest; /* longest: numbers of the longest row */
  int *class_of;          /* [steps + 1] */
  size_t *begin;          /* [steps + 2] of each row, and the length of z */
  int *first;             /* [n_classes + 1] among the views */
  cq_view *views;         /* of each class, by group */
} cq_z_rows;

CQ_FN int cq_quantity_numbers(int dim, int quantity) {
  return quantity <= CQ_Q_VELOCITY ? dim : 1;
}

/* The view of a group among n of a class, or NULL. */
CQ_FN const cq_view *cq_view_find(const cq_view *views, int n, int group) {
  int low = 0;
  while (low < n) {
    const int middle = (low + n) / 2;
    if (views[middle].group == group) {
      return &views[middle];
    }
    low = views[middle].group < group ? middle + 1 : low;
    n = views[middle].group < group ? n : middle;
  }
  return NULL;
}

struct cq_model;
/* From the channels of a model; free it, failed or not. CQ_USAGE where a channel is of no group or
 * quantity. */
cq_status cq_z_rows_make(cq_ctx *ctx, const struct cq_model *model, cq_z_rows *rows);
void cq_z_rows_free(cq_ctx *ctx, cq_z_rows *rows);

/* Is anything wanted at a state? */
static inline bool cq_z_observes(const cq_z_rows *rows, int state) {
  return rows->begin[state + 1] > rows->begin[state];
}

/* The views of a state: *n of them. */
static inline const cq_view *cq_z_views(const cq_z_rows *rows, int state, int *n) {
  const int class_of = rows->class_of[state];
  *n = rows->first[class_of + 1] - rows->first[class_of];
  return rows->views + rows->first[class_of];
}

/* Where a quantity of a group begins in z at a state where it is wanted. */
static inline size_t cq_z_at(const cq_z_rows *rows, int state, int group, int quantity) {
  int n = 0;
  const cq_view *views = cq_z_views(rows, state, &n);
  return rows->begin[state] + (size_t)cq_view_find(views, n, group)->place[quantity];
}

#ifdef __cplusplus
}
#endif

#endif
