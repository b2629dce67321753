/* Fields of a state for records. They are not made while a run goes on, so that a workspace of
 * their own, on one thread, is good enough. */
#include "fluid_bodies.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

/* density/rest density of the fluid's particles at the beginning of a step from `inputs` */
static cq_status find_density(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                              const double *inputs, double *out) {
  void *work = NULL, *state = NULL;
  cq_status status = V(cq_fluid_create)(ctx, model, layout, &work);
  if (status != CQ_OK) {
    return status;
  }
  fluid *c = work;
  status = cq_alloc(ctx, &state, V(cq_fluid_state_bytes)(c), 1);
  status = status != CQ_OK ? status : V(cq_fluid_upload)(c, inputs, state);
  if (status == CQ_OK) {
    const fluid_state s = V(cq_fluid_view)(c, state);
    for (int i = 0; i < c->n_all && c->wakes != NULL; i++) { /* when it is, is not known here */
      c->wakes[i] = c->freed[i] = 0.0;
    }
    status = V(cq_fluid_find_near)(c, &s);
  }
  for (int i = 0; i < c->n && status == CQ_OK; i++) {
    out[c->particle[c->order[i]]] = 1.0 + (double)c->excess[i];
  }
  cq_free(ctx, state);
  V(cq_fluid_destroy)(c);
  return status;
}

/* The densities of a state, in a context of their own: a run that is watched is not to fail by
 * them. */
void V(cq_fluid_field)(const cq_model *model, const cq_layout *layout, int field,
                       const double *inputs, const double *state, double *out) {
  (void)field; /* there is one */
  double *all = NULL;
  cq_ctx *ctx = cq_ctx_create(1, 0);
  cq_status status = ctx == NULL ? CQ_MEMORY : CQ_ALLOC(ctx, all, layout->total);
  for (int p = 0; p < model->n_particles; p++) {
    out[p] = 1.0; /* what is rigid */
  }
  if (status == CQ_OK) {
    memcpy(all, inputs, layout->total * sizeof *all);
    memcpy(all, state, layout->state_total * sizeof *all);
    status = find_density(ctx, model, layout, all, out);
  }
  for (int p = 0; p < model->n_particles && status != CQ_OK; p++) {
    out[p] = NAN;
  }
  if (ctx != NULL) {
    cq_free(ctx, all);
    cq_ctx_destroy(ctx);
  }
}
