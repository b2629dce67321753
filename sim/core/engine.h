/* What an engine is to the front: a set of functions over states it alone can read. */
#ifndef CQ_CORE_ENGINE_H
#define CQ_CORE_ENGINE_H

#include "sim.h"

/* What a first forward run leaves beside its states; replays and the adjoint read it. */
typedef struct cq_history {
  double *z; /* [steps + 1][n_z] */
  double *u; /* [steps][n_controls] */
} cq_history;

typedef struct cq_engine {
  const char *name;
  cq_gradient_kind gradient;
  cq_status (*create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **engine);
  void (*destroy)(void *engine);
  size_t (*state_bytes)(const void *engine);
  /* Takes the inputs and writes state 0. */
  cq_status (*upload)(void *engine, const double *inputs, void *state);
  /* Steps from state first to state last, in to out (in may be out). record: evaluate controls and
   * observations into history; otherwise controls are read from it. A pure function of its inputs,
   * so that a replay has the same bits. An engine may keep beside `in` what its first step
   * found out about it, where that state stays. */
  cq_status (*run_segment)(void *engine, int first, int last, void *in, void *out,
                           cq_history *history, bool record);
  /* The adjoint sweep: begin, then backward_segment for steps-1 down to 0, each with the state at
   * its beginning, then end, which writes gradient[n_seeds][layout.total]. `last` is state
   * `steps`. */
  cq_status (*backward_begin)(void *engine, int n_seeds, const cq_seed *seeds,
                              const cq_history *history, const void *last);
  cq_status (*backward_segment)(void *engine, int step, const void *state);
  cq_status (*backward_end)(void *engine, double *gradient);
  /* Of a seed's adjoint where the sweep is. */
  void (*adjoint_norms)(const void *engine, int seed, cq_adjoint_norms *norms);
  /* Adds the nodes that walls hold in the step whose adjoint was the last one. */
  cq_status (*contacts)(void *engine, cq_contacts *contacts);
  /* state_total doubles, layout of x, v, F, C in the inputs */
  void (*download)(const void *engine, const void *state, double *out);
  /* of such a state on the host: out [n_particles] [Pa] */
  void (*von_mises)(const void *engine, const double *inputs, const double *state, double *out);
  const cq_failure *(*failure)(const void *engine);
  cq_tally (*tally)(const void *engine); /* of the last recorded run */
} cq_engine;

#define CQ_ENGINE(name) extern const cq_engine cq_engine_##name;
#include "engine_list.h"
#undef CQ_ENGINE

#endif
