/* Front of the simulator: forward runs and adjoint sweeps of a model, whatever engine runs it. */
#ifndef CQ_CORE_SIM_H
#define CQ_CORE_SIM_H

#include "contacts.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_sim cq_sim;

/* What stopped a run. */
typedef struct cq_failure {
  cq_status status; /* CQ_OK when nothing did */
  bool backward;    /* in the adjoint sweep */
  int step;         /* the step from state `step` to `step + 1` */
  int particle;
  double position[3]; /* [m] */
  double value;       /* what is wrong with it: of a number that is not finite, that number */
} cq_failure;

enum { CQ_ALL_TALLIES = 2 * CQ_MOST_TALLIES }; /* cq_scene_stats has two lists */

/* What an engine counts in a run: cq_engine_type.tallies says what. */
typedef struct cq_tally {
  long long of[CQ_ALL_TALLIES];
} cq_tally;

/* Rows of means over time that a state has beside its particles (cq_engine_type.means), and how
 * many; NULL: they are counted alone. */
typedef struct cq_means {
  int n;
  double *rows;
} cq_means;

typedef struct cq_sim_stats {
  int memo_states; /* states the memo can hold */
  size_t memo_bytes;
  size_t state_bytes;
  size_t z_bytes;           /* of observations and of what seeds have of them: beside the states */
  long long steps_forward;  /* steps of first forward runs */
  long long steps_replayed; /* steps run again by the memo */
  long long steps_backward; /* step adjoints, one for all seeds */
  cq_tally tally;           /* of the last forward run */
  double forward_seconds, backward_seconds;
} cq_sim_stats;

/* One adjoint seed: the derivative of a scalar L with respect to what a run produced. Any pointer
 * may be NULL (zero). */
typedef struct cq_seed {
  const double *dz;       /* by the rows of z */
  const double *du;       /* [steps][n_controls], L's direct dependence on the controls */
  const double *terminal; /* [state_total], layout of the states in the inputs */
} cq_seed;

/* Euclidean norms of dL/d(block) at a state, of the blocks that are states: layout->n_states. */
typedef struct cq_adjoint_norms {
  double of[CQ_MOST_STATES];
} cq_adjoint_norms;

/* What a sweep shows of itself on its way from the last state to the first: the norms of every seed
 * at states 0, every, 2 every, ... [n_seeds]. */
typedef struct cq_watch {
  int every;
  /* of the step from a state (NULL at the last one, or where they are not wanted) */
  bool contacts;
  void (*show)(void *user, int state, const cq_adjoint_norms *norms,
               const cq_contact_count *contacts);
  void *user;
} cq_watch;

/* Borrows model and ctx; both must outlive the simulator. *out is NULL on failure. */
cq_status cq_sim_create(cq_ctx *ctx, const cq_model *model, cq_sim **out);
void cq_sim_destroy(cq_sim *sim);
/* With the rows of z. */
const cq_layout *cq_sim_layout(const cq_sim *sim);

/* Runs all steps from inputs (layout->total doubles, copied). The states the memo keeps, z and u
 * stay valid until the next forward run with other inputs; the same inputs again cost nothing.
 * CQ_OUT_OF_ROOM, CQ_NONFINITE, CQ_DEFORMED, CQ_TOO_FAST: see cq_sim_failure. */
cq_status cq_sim_forward(cq_sim *sim, const double *inputs);
/* Whether the last forward run was from these inputs, and is still there. */
bool cq_sim_has_run(const cq_sim *sim, const double *inputs);
/* z, by the rows of the layout, and u [steps][n_controls] of the last forward run. */
const double *cq_sim_observations(const cq_sim *sim);
const double *cq_sim_controls(const cq_sim *sim);
/* The last state of the last forward run, or the state at which it failed: state_total doubles. */
cq_status cq_sim_final_state(cq_sim *sim, double *state);
/* dL/d(inputs) of every seed at the inputs of the last forward run: gradient[s*total + i], in one
 * sweep. A seed's gradient has the same bits whichever seeds travel with it. */
cq_status cq_sim_backward(cq_sim *sim, int n_seeds, const cq_seed *seeds, double *gradient);
/* The same, watched; contacts are compared from step to step only if every is 1. */
cq_status cq_sim_backward_watched(cq_sim *sim, int n_seeds, const cq_seed *seeds,
                                  const cq_watch *watch, double *gradient);

/* What the model's gradients are. */
cq_gradient_kind cq_sim_gradient(const cq_sim *sim);
/* Are they made by cq_sim_backward, which is refused with CQ_CONFIG otherwise? Those are exact, but
 * for a horizon. */
bool cq_sim_sweeps(const cq_sim *sim);

/* What n directions of the inputs [n][layout->total] change of the last forward run:
 * dz [n][length of z], du [n][steps][n_controls]. CQ_CONFIG: the engine has no forward mode. */
cq_status cq_sim_tangents(cq_sim *sim, int n, const double *directions, double *dz, double *du);

const cq_failure *cq_sim_failure(const cq_sim *sim);
const cq_sim_stats *cq_sim_statistics(const cq_sim *sim);
/* Steps that an adjoint sweep has to run again, as not all states are stored. */
cq_status cq_sim_planned(const cq_sim *sim, long long *replayed);

/* Runs without a memo and calls visit at states[0 .. n_states), which ascend and are the end of it
 * (NULL: at all of them), with state_total doubles. visit may stop the run by a status other than
 * CQ_OK. */
typedef cq_status (*cq_visit_fn)(void *user, int step, const double *state);
cq_status cq_sim_visit(cq_sim *sim, const double *inputs, const int *states, int n_states,
                       cq_visit_fn visit, void *user);

/* A field of the engine's list (cq_engine_type.fields) at a state that was visited:
 * out [n_particles][components]. */
void cq_sim_field(const cq_sim *sim, int field, const double *inputs, const double *state,
                  double *out);
/* Where walls are at the state that is visited: maps (map.h) [n_boundaries][CQ_MAP], from where the
 * model has them. */
void cq_sim_walls(const cq_sim *sim, double *maps);
/* The means of the state that is visited; out->n is set. */
void cq_sim_means(const cq_sim *sim, const double *state, cq_means *out);

#ifdef __cplusplus
}
#endif

#endif
