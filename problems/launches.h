/* Bodies that the controller launches: the last of its controls, which it gives before a run from
 * what is known by then, take the place of velocities and spins in the poses of bodies. */
#ifndef CQ_PROBLEMS_LAUNCHES_H
#define CQ_PROBLEMS_LAUNCHES_H

#include "controller.h"
#include "schema.h"

typedef struct cq_launches {
  int n, first;                /* they are u[first] .. u[first + n - 1]; n 0: there are none */
  const cq_launch_keys **keys; /* [n] of the launch of each */
  size_t *slot;                /* [n] that each sets, among those of all poses */
  const cq_controller *controller;
  size_t theta;                      /* where its parameters begin in the inputs */
  double *parameters, *d_parameters; /* [n_parameters] work; at first as the scene has them */
  double *u, *room;                  /* work */
} cq_launches;

/* Is this input one of the parameters that launches depend on? */
static inline bool cq_launches_read(const cq_launches *l, size_t input) {
  return l->n > 0 && input >= l->theta && input < l->theta + (size_t)l->controller->n_parameters;
}

/* Sets what they launch, by the parameters theta. */
void cq_launches_apply(const cq_launches *launches, const double *theta, double *slots);
/* d_parameters = J^T d_slots at theta. */
void cq_launches_pull(const cq_launches *launches, const double *theta, const double *d_slots);
/* Adds J d_theta to d_slots, at theta. */
void cq_launches_push(const cq_launches *launches, const double *theta, const double *d_theta,
                      double *d_slots);
/* Bounds of what they launch. */
void cq_launches_range(const cq_launches *launches, double *low, double *high);

#endif
