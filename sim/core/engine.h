/* What an engine is: a type, which says what there is of it, and functions over states that it
 * alone can read. */
#ifndef CQ_CORE_ENGINE_H
#define CQ_CORE_ENGINE_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a first forward run leaves beside its states; replays and the adjoint read it. */
typedef struct cq_history {
  double *z; /* by layout->rows */
  double *u; /* [steps][n_controls] */
  /* The rest is of runs step by step (stepper.h), on the host alone; zeros otherwise. */
  int end;                    /* a sweep begins at this state; 0: at the last one of the model */
  const unsigned char *given; /* [steps] 1: u of this step is there, no controller is asked; NULL */
  double *du;                 /* [steps][n_controls] dL/du of the steps that are given; one seed */
} cq_history;

typedef struct cq_engine {
  const char *name;
  cq_status (*create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **engine);
  void (*destroy)(void *engine);
  size_t (*state_bytes)(const void *engine);
  /* Room for n states, one after the other, for an engine that has `settle`; NULL: memory of the
   * host. CQ_MEMORY where there is no room. Closed before the engine is destroyed. */
  cq_status (*states_open)(void *engine, int n, void **states);
  void (*states_close)(void *engine, void *states);
  /* Takes the inputs and writes state 0. */
  cq_status (*upload)(void *engine, const double *inputs, void *state);
  /* Steps from state first to state last, beginning with `in` (which may be out). State
   * first + 1 + k goes to out + k * apart: apart is state_bytes, or 0, which leaves the last one
   * alone. record: evaluate controls and observations into history; otherwise controls are read
   * from it. A pure function of its inputs, so that a replay has the same bits. An engine may keep
   * beside a state what its step found out about it, where that state stays. Where a step fails,
   * the state it led to is the last one written. An engine with `settle` may queue the steps and
   * return. */
  cq_status (*run_segment)(void *engine, int first, int last, void *in, void *out, size_t apart,
                           cq_history *history, bool record);
  /* NULL where run_segment has done everything. Waits for the recorded steps first .. last-1 and
   * brings to history what they observed: z of states first+1 .. last (of 0 too, if first is 0)
   * and u of the steps. Where a step failed its status is returned, and the state it led to is
   * copied to `stopped`. */
  cq_status (*settle)(void *engine, int first, int last, cq_history *history, void *stopped);
  /* The adjoint sweep, for exact gradients: backward_begin, _segment and _end, adjoint_norms and
   * contacts are there together or not at all. Begin, then backward_segment for all steps from the
   * last one to the first, then end, which writes gradient[n_seeds][layout.total]. A segment is the
   * adjoints of steps last-1 .. first; the state at the beginning of step last-1 is at `state`,
   * each one before it `apart` bytes lower. In begin, `last` is state `steps`. */
  cq_status (*backward_begin)(void *engine, int n_seeds, const cq_seed *seeds,
                              const cq_history *history, const void *last);
  cq_status (*backward_segment)(void *engine, int first, int last, const void *state, size_t apart);
  cq_status (*backward_end)(void *engine, double *gradient);
  /* Adds what the seeds say of state k, where the sweep is, to what it has: of seeds that were not
   * there when it came to k. Of runs step by step, on the host alone. */
  void (*backward_seed)(void *engine, int k, const void *state);
  /* Of a seed's adjoint where the sweep is. */
  void (*adjoint_norms)(const void *engine, int seed, cq_adjoint_norms *norms);
  /* Adds the sites that can be in contact in the step whose adjoint was the last one, in the order
   * of their numbers. */
  cq_status (*contacts)(void *engine, cq_contacts *contacts);
  /* state_total doubles, layout of the states in the inputs */
  void (*download)(const void *engine, const void *state, double *out);
  /* A field of the type's list, of such a state on the host: out [n_particles][components]. */
  void (*field)(const void *engine, int field, const double *inputs, const double *state,
                double *out);
  const cq_failure *(*failure)(const void *engine);
  cq_tally (*tally)(const void *engine); /* of the last recorded run */
  /* Forward mode, for gradients that are tangents or heuristic ones; NULL: it has none. All steps
   * once more from the inputs, with n directions of the inputs [n][layout.total] beside the state;
   * writes what they change of the observations and controls of history: dz [n][length of z],
   * du [n][steps][n_controls], both zeroed before. */
  cq_status (*tangent)(void *engine, const double *inputs, int n, const double *directions,
                       const cq_history *history, double *dz, double *du);
  /* Where walls are at a state: writes maps (map.h) [n_boundaries][CQ_MAP] of those that move, from
   * where the model has them. NULL: none does. */
  void (*walls)(const void *engine, const void *state, double *maps);
  /* Adds the means of a state; `host` is the state as download gives it. NULL: states have none. A
   * run begins with those of the model. */
  void (*means)(const void *engine, const void *state, const double *host, cq_means *out);
} cq_engine;

/* What an engine makes of a state for records, a number or more for every particle. */
typedef struct cq_field_type {
  const char *name, *unit;
  int components;
} cq_field_type;

/* A gradient of an engine: a word of simulation.gradient, and what it is worth. */
typedef struct cq_gradient_word {
  const char *word;
  cq_gradient_kind grade;
} cq_gradient_word;

/* What there is of an engine, whatever a model is: a constant cq_engine_<name> in its folder, and a
 * line in engine_list.h. */
typedef struct cq_engine_type {
  const char *name; /* simulation.engine */
  /* Its gradients, the best first, which is the default; ends with a word NULL. "difference", which
   * needs nothing of an engine, every one has; where it is not in the list it is the last. */
  const cq_gradient_word *gradients;
  const char *no_gradient; /* why it has none of its own, half a sentence; NULL: it has one */
  bool light;              /* its heuristics' directions cost next to nothing beside the run */
  /* Changes of less than this part of a variable's range say nothing of a design, as runs are
   * chaotic: the least step of differences, which is the usual one, too. 0: steps may be small. */
  double roughness;
  int repeats;  /* usual re-runs of a best design from other starts, as runs are chaotic; 0: none */
  int n_inputs; /* at most CQ_MOST_INPUTS */
  const cq_input *inputs;
  int n_quantities;              /* at most CQ_MOST_QUANTITIES - CQ_N_SHARED_QUANTITIES */
  const cq_quantity *quantities; /* what it observes of a group beside the shared ones */
  int n_fields;
  const cq_field_type *fields;
  /* Columns of the means over time that a state has beside its particles, a row each (cq_model). */
  int n_means;
  const cq_field_type *means; /* of one component */
  int n_tallies;              /* at most CQ_ALL_TALLIES */
  const char *const *tallies; /* "inverted particle-steps": words after a number */
  /* The engine for a model: of its dimension, its precision and its device. CQ_DEVICE where this
   * program has none for that device. */
  cq_status (*find)(cq_ctx *ctx, const cq_model *model, const cq_engine **engine);
} cq_engine_type;

#define CQ_ENGINE(name) extern const cq_engine_type cq_engine_##name;
#include <engine_list.h> /* another build may have a list of its own */
#undef CQ_ENGINE

/* The type of this name (NULL: the first of the list), or NULL. */
const cq_engine_type *cq_engine_type_of(const char *name);
/* What a channel calls the engine's own quantity of this name; -1: it has none. */
int cq_engine_quantity(const cq_engine_type *type, const char *name);

/* Gradient i of an engine; NULL: there are no more. */
const cq_gradient_word *cq_engine_gradient_at(const cq_engine_type *type, int i);
/* The one that a word means (NULL: the first), or NULL. */
const cq_gradient_word *cq_engine_gradient(const cq_engine_type *type, const char *word);
/* What a word's gradients are: sweeps that look back over a horizon [steps; 0: the whole run] alone
 * are no exact ones. */
cq_gradient_kind cq_engine_grade(const cq_gradient_word *word, int horizon);

#ifdef __cplusplus
}
#endif

#endif
