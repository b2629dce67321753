/* A run of the API: a stepper over a model of its own, which observes what the API hands out. */
#ifndef CQ_API_RUN_H
#define CQ_API_RUN_H

#include "cqopt/run.h"

#include "api.h"
#include "records.h"
#include "stepper.h"

/* A quantity of a set, at all states. */
typedef struct cq_observable {
  const cq_set *set;
  const char *quantity, *unit;
  int group, which, numbers;
} cq_observable;

struct cq_run {
  cq_file *file;
  cq_ctx *ctx;
  cq_arena arena;
  cq_model model; /* the scene's, with other groups and channels */
  cq_observable *observables;
  int n_observables;
  cq_record records[CQ_MOST_RECORDS];
  int n_records;
  cq_stepper *stepper;
  double *x;              /* [n] of the last reset */
  double *inputs;         /* [layout.total] of it, with what was written */
  bool written;           /* inputs are not those of x */
  double *seeds;          /* dz of what is pulled, by the rows of z */
  double *seeds_u;        /* [steps][n_controls] du of it */
  cq_seed seed;           /* both */
  cq_objective objective; /* the scene's, which reads this run */
  double *gradient, *du;
  int pulled_from; /* the state of the last pull; -1: none */
  /* of a file with cameras, what they look at: [n_particles], the layout of states, [walls][CQ_MAP]
   */
  double *radii, *state, *maps;
  bool sized, sees; /* radii are of the inputs, the rest of the present state */
};

/* A call on a run; one that was reset. */
cq_status cq_run_begin(const cq_run *run);
cq_status cq_run_begin_reset(const cq_run *run);
/* The status of steps; what their engine knows of a failure is added to it. */
cq_status cq_run_explain(const cq_run *run, cq_status status);
/* The model's groups and channels, and the list of observables. */
cq_status cq_run_list_observables(cq_run *run);
/* Where an observable [n] stands in z at a state; what was wrong with the call. */
cq_status cq_run_place(const cq_run *run, int observable, int step, const void *array, size_t n,
                       size_t *place);
/* Room for what cameras look at, where there are some. */
cq_status cq_run_open_images(cq_run *run);
/* The name of an observable. */
void cq_run_observable_name(const cq_observable *observable, char *text, size_t size);

#endif
