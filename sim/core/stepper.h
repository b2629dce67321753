/* A run step by step, on the host: its caller says how many steps come next, and may give the
 * controls of each. States are kept for a sweep back, or not; the bits are those of cq_sim. */
#ifndef CQ_CORE_STEPPER_H
#define CQ_CORE_STEPPER_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_stepper cq_stepper;

/* Borrows model and ctx; both must outlive it. keeps: states are kept for cq_stepper_pull, in as
 * much as model->memory allows: all of them, or one in some, between which steps run again.
 * CQ_DEVICE where the model is not on the host, CQ_MEMORY where the budget is too small. */
cq_status cq_stepper_create(cq_ctx *ctx, const cq_model *model, bool keeps, cq_stepper **out);
void cq_stepper_destroy(cq_stepper *stepper);
const cq_layout *cq_stepper_layout(const cq_stepper *stepper);

/* State 0 of inputs [layout->total], which are copied. */
cq_status cq_stepper_reset(cq_stepper *stepper, const double *inputs);
/* So many steps, with controls u [n_u][n_controls], n_u being 1 (held) or steps; u NULL: those of
 * the model's controller. After a failure nothing but a reset is possible. */
cq_status cq_stepper_advance(cq_stepper *stepper, int steps, const double *u, int n_u);
/* The state it is at. */
int cq_stepper_step(const cq_stepper *stepper);
/* The state a sweep goes back to: 0, or the one that was loaded. */
int cq_stepper_first(const cq_stepper *stepper);
bool cq_stepper_has_failed(const cq_stepper *stepper);
const cq_failure *cq_stepper_failure(const cq_stepper *stepper);
/* z, by the rows of the layout, up to the present state; u [steps][n_controls]; the inputs. */
const double *cq_stepper_observations(const cq_stepper *stepper);
const double *cq_stepper_controls(const cq_stepper *stepper);
const double *cq_stepper_inputs(const cq_stepper *stepper);
/* The present state [layout->state_total], and a field of the engine's of it (cq_sim_field). */
void cq_stepper_state(const cq_stepper *stepper, double *state);
void cq_stepper_field(const cq_stepper *stepper, int field, const double *state, double *out);
/* Where walls are at the present state, maps [n_boundaries][CQ_MAP] (map.h). */
void cq_stepper_walls(const cq_stepper *stepper, double *maps);

/* Back from the present state: gradient [layout->total] of the seed's L by the inputs, those that
 * are states being the ones of cq_stepper_first, and du [steps][n_controls] by controls that were
 * given. CQ_USAGE where states are not kept, CQ_CONFIG where the engine has no exact sweep. */
cq_status cq_stepper_pull(cq_stepper *stepper, const cq_seed *seed, double *gradient, double *du);
/* The same in parts: begin, back to a state or several, one before the other, and end at
 * cq_stepper_first. The seed and du must live till then. What the seed says of a state is taken as
 * the sweep comes there, and once more where it goes on: by then its rows have what is new alone.
 * Steps and resets end a sweep. */
cq_status cq_stepper_pull_begin(cq_stepper *stepper, const cq_seed *seed, double *du);
cq_status cq_stepper_pull_to(cq_stepper *stepper, int step);
cq_status cq_stepper_pull_end(cq_stepper *stepper, double *gradient);
/* Gives a sweep in parts up, where there is one. */
void cq_stepper_pull_drop(cq_stepper *stepper);
/* The state that a sweep in parts has come to; -1: there is none under way. */
int cq_stepper_swept(const cq_stepper *stepper);

/* The present state with the inputs it came from, as bytes that the same model takes back at the
 * same SIMD level of the same build. */
size_t cq_stepper_bytes(const cq_stepper *stepper);
void cq_stepper_save(const cq_stepper *stepper, void *bytes);
/* bytes [cq_stepper_bytes] of a save, `step` being its state. */
cq_status cq_stepper_load(cq_stepper *stepper, int step, const void *bytes);

#ifdef __cplusplus
}
#endif

#endif
