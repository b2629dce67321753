/* Scenes that are evaluated side by side, each in a context of its own: scenarios, experiments. */
#ifndef CQ_PROBLEMS_SLOTS_H
#define CQ_PROBLEMS_SLOTS_H

#include "differences.h"
#include "far.h"
#include "scene.h"

/* A scene, and what it gave. */
typedef struct cq_slot {
  cq_ctx *ctx;
  cq_scene *scene;
  cq_differences beside; /* of the scene */
  char name[80];         /* for messages: "scenario 3" */
  const double *x;       /* where it is evaluated */
  cq_status status;
  double f;
  double *c, *grad, *jac;
  double *r, *r_jac; /* [n_residuals], and a row of derivatives each; room as it is needed */
  int which;         /* the scenario that it is of, for helpers */
  /* with a helper: that it was done there the last time, and what the scene would say of it */
  bool is_far;
  double *far_terms; /* [terms of the scene] */
  cq_gradient_health far_health;
  cq_far_work far_work;
} cq_slot;

typedef struct cq_slots {
  cq_scene *owner;    /* messages, memory */
  int count, threads; /* so many side by side */
  cq_slot *all;
  int *order;   /* [count] the longest first */
  int *helpers; /* [CQ_MOST_HELPERS] */
} cq_slots;

/* How many are evaluated side by side: all threads, or one at a time where there are fewer slots.
 */
int cq_slots_side_by_side(const cq_ctx *ctx, int count);
/* Room for n variables and m constraints. CQ_MEMORY */
cq_status cq_slot_room(cq_slots *slots, cq_slot *slot, size_t n, size_t m);
/* All of them at their x; the first that failed decides, in their order. */
cq_status cq_slots_evaluate(cq_slots *slots, int level, bool gradient);
/* f, r and, with derivatives, r_jac. */
cq_status cq_slots_residuals(cq_slots *slots, int level, bool derivatives);
/* As a helper: slot i, whose scene is there, at its x; CQ_OK with the answer, or how it failed. */
cq_status cq_slots_help(cq_slots *slots, const cq_far_request *request, const void **answer,
                        size_t *size);
/* Weighted value of objective term i at the x evaluated last. */
double cq_slot_term(const cq_slot *slot, int i);
/* Simulates all of them and looks at what comes apart: cq_scene_tear. */
cq_status cq_slots_watch(cq_slots *slots, int level);
/* Index of the one whose body lost most, or -1. */
int cq_slots_torn(const cq_slots *slots);
/* The fastest growth in any of them; *of: in which, -1: it is not known of any. */
cq_gradient_health cq_slots_health(const cq_slots *slots, int *of);
/* Adds what they did. */
void cq_slot_statistics(const cq_slot *slot, cq_scene_stats *stats, long long *failures);
void cq_slots_statistics(const cq_slots *slots, cq_scene_stats *stats, long long *failures);

#endif
