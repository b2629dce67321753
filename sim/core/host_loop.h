/* An engine on the host is a step with its adjoint or its forward mode, cq_host_steps. The loop
 * around them, once for all: between the steps controllers are evaluated, and from controls and
 * observation what drives the actuators; observations go to the history, and the seeds of a sweep
 * come from it. */
#ifndef CQ_CORE_HOST_LOOP_H
#define CQ_CORE_HOST_LOOP_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_host_steps {
  size_t (*state_bytes)(const void *work);
  cq_status (*create)(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **work);
  void (*destroy)(void *work);
  /* Parameters and state 0 from the inputs. Fails like a step when a particle is invalid. */
  cq_status (*upload)(void *work, const double *inputs, void *state);
  /* What drives the actuators, w [n_drives], from controls u and the observation z at the beginning
   * of a step; and its adjoint, which adds to du and dz. */
  void (*drive)(const cq_model *model, int step, const double *u, const double *z, double *w);
  void (*drive_adjoint)(const cq_model *model, int step, const double *u, const double *z,
                        const double *dw, double *du, double *dz);
  /* One step driven by w. `step` is for messages. `count` adds to the tally. What a state
   * stands for does not change; where in is not out, what the step found out about it may be kept
   * beside it for the adjoint. */
  cq_status (*step)(void *work, int step, void *in, void *out, const double *w, bool count);
  /* The row of z at state k. */
  void (*observe)(void *work, int k, const void *state, double *z);
  void (*download)(const void *work, const void *state, double *out);
  /* engine.h */
  void (*field)(const cq_model *model, const cq_layout *layout, int field, const double *inputs,
                const double *state, double *out);
  void (*walls)(const void *work, const void *state, double *maps); /* engine.h; NULL */
  void (*means)(const void *work, const void *state, const double *host,
                cq_means *out); /* engine.h; NULL */

  /* Adjoint slabs and accumulators for n_seeds, zeroed, with the seeds' terminal adjoints at
   * `last`, state `steps`. */
  cq_status (*adjoint_begin)(void *work, int n_seeds, const cq_seed *seeds, const void *last);
  /* Adds the pull-back of dz, the row at state k, to the adjoint of one seed. */
  void (*observe_adjoint)(void *work, int seed, int k, const void *state, const double *z,
                          const double *dz);
  /* Adjoint of the step from `state`: the slabs go from its end to its beginning, parameters are
   * accumulated, dw [n_seeds][n_drives] is overwritten. */
  cq_status (*step_adjoint)(void *work, int step, const void *state, const double *w, double *dw);
  /* What the seeds want of the state is 0 from here on (cq_model.horizon). NULL: the engine knows
   * no horizon. */
  void (*adjoint_forget)(void *work);
  /* engine.h */
  void (*adjoint_norms)(const void *work, int seed, cq_adjoint_norms *norms);
  cq_status (*contacts)(const void *work, cq_contacts *contacts);
  /* Gradient of one seed but for theta: gradient [layout.total]. */
  void (*adjoint_end)(void *work, int seed, double *gradient);

  /* Forward mode, or NULL. n directions of the inputs [n][layout.total] beside state 0. */
  cq_status (*tangent_begin)(void *work, int n, const double *directions);
  /* What a direction changes of z, the row at state k, added to dz. */
  void (*observe_tangent)(void *work, int direction, int k, const void *state, const double *z,
                          double *dz);
  /* The directions from `state` to the state after it, with dw [n][n_drives]; before the step. */
  cq_status (*step_tangent)(void *work, int step, const void *state, const double *w,
                            const double *dw);

  /* Does a horizon begin at this step, beyond which gradients do not look back? Then what the
   * directions have changed of the state is 0. NULL: never. */
  bool (*cut_tangents)(void *work, int step);

  const cq_failure *(*failure)(const void *work);
  cq_tally *(*tally)(void *work); /* set to 0 at an upload */
} cq_host_steps;

/* What an engine's `create` makes: the object of a cq_engine whose other functions are those of
 * CQ_HOST_ENGINE. */
cq_status cq_host_create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                         const cq_host_steps *steps, void **engine);

/* The steps' own object, for functions of an engine beside those of the loop. */
void *cq_host_work(const void *engine);

/* engine.h */
void cq_host_destroy(void *engine);
size_t cq_host_state_bytes(const void *engine);
cq_status cq_host_upload(void *engine, const double *inputs, void *state);
cq_status cq_host_run_segment(void *engine, int first, int last, void *in, void *out, size_t apart,
                              cq_history *history, bool record);
cq_status cq_host_backward_begin(void *engine, int n_seeds, const cq_seed *seeds,
                                 const cq_history *history, const void *last);
cq_status cq_host_backward_segment(void *engine, int first, int last, const void *state,
                                   size_t apart);
cq_status cq_host_backward_end(void *engine, double *gradient);
void cq_host_backward_seed(void *engine, int k, const void *state);
void cq_host_adjoint_norms(const void *engine, int seed, cq_adjoint_norms *norms);
cq_status cq_host_contacts(void *engine, cq_contacts *contacts);
void cq_host_download(const void *engine, const void *state, double *out);
void cq_host_field(const void *engine, int field, const double *inputs, const double *state,
                   double *out);
void cq_host_walls(const void *engine, const void *state, double *maps);
void cq_host_means(const void *engine, const void *state, const double *host, cq_means *out);
const cq_failure *cq_host_failure(const void *engine);
cq_tally cq_host_tally(const void *engine);

cq_status cq_host_tangent(void *engine, const double *inputs, int n, const double *directions,
                          const cq_history *history, double *dz, double *du);

/* All of a cq_engine on the host but its name and `create`, and `tangent` = cq_host_tangent where
 * the steps have a forward mode. */
#define CQ_HOST_ENGINE                                                                             \
  .destroy = cq_host_destroy, .state_bytes = cq_host_state_bytes, .upload = cq_host_upload,        \
  .run_segment = cq_host_run_segment, .backward_begin = cq_host_backward_begin,                    \
  .backward_segment = cq_host_backward_segment, .backward_end = cq_host_backward_end,              \
  .backward_seed = cq_host_backward_seed, .adjoint_norms = cq_host_adjoint_norms,                  \
  .contacts = cq_host_contacts, .download = cq_host_download, .field = cq_host_field,              \
  .failure = cq_host_failure, .tally = cq_host_tally, .walls = cq_host_walls,                      \
  .means = cq_host_means

#ifdef __cplusplus
}
#endif

#endif
