#include "host_loop.h"

#include "alloc.h"
#include "control.h"
#include "status.h"

#include <string.h>

typedef struct host_loop {
  cq_ctx *ctx;
  const cq_model *model;
  cq_layout layout;
  const cq_host_steps *does;
  void *work;
  double *theta;
  size_t theta_at; /* in the inputs */
  int n_seeds;
  const cq_seed *seeds;
  const cq_history *history;
  double *w;      /* [n_drives] what drives the step */
  double *dw;     /* [n_seeds][n_drives] */
  double *du;     /* [n_controls] */
  double *dz;     /* [n_z] */
  double *dtheta; /* [n_seeds][n_parameters] */
  double room[CQ_CONTROL_ROOM];
} host_loop;

void cq_host_destroy(void *engine) {
  host_loop *h = engine;
  cq_ctx *ctx = h->ctx;
  if (h->work != NULL) {
    h->does->destroy(h->work);
  }
  cq_free(ctx, h->theta);
  cq_free(ctx, h->w);
  cq_free(ctx, h->dw);
  cq_free(ctx, h->du);
  cq_free(ctx, h->dz);
  cq_free(ctx, h->dtheta);
  cq_free(ctx, h);
}

/* The workspace of an engine on the host, and what the loop around its steps needs. */
cq_status cq_host_create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                         const cq_host_steps *steps, void **engine) {
  host_loop *h = NULL;
  CQ_TRY(CQ_ALLOC(ctx, h, 1));
  h->ctx = ctx;
  h->model = model;
  h->layout = *layout;
  h->theta_at = cq_layout_offset(layout, "theta");
  h->does = steps;
  cq_status status = h->does->create(ctx, model, layout, &h->work);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, h->theta, model->controller.n_parameters);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, h->w, model->n_drives);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, h->du, model->n_controls);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, h->dz, layout->n_z);
  if (status != CQ_OK) {
    cq_host_destroy(h);
    return status;
  }
  *engine = h;
  return CQ_OK;
}

size_t cq_host_state_bytes(const void *engine) {
  const host_loop *h = engine;
  return h->does->state_bytes(h->work);
}

cq_status cq_host_upload(void *engine, const double *inputs, void *state) {
  host_loop *h = engine;
  *h->does->tally(h->work) = (cq_tally){{0}};
  memcpy(h->theta, inputs + h->theta_at,
         (size_t)h->model->controller.n_parameters * sizeof(double));
  return h->does->upload(h->work, inputs, state);
}

/* Steps first .. last-1, each with its controls and, if the model observes the state it leads to,
 * its observation. */
cq_status cq_host_run_segment(void *engine, int first, int last, void *in, void *out, size_t apart,
                              cq_history *history, bool record) {
  host_loop *h = engine;
  const size_t n_z = (size_t)h->layout.n_z, n_u = (size_t)h->model->n_controls;
  if (record && first == 0 && cq_model_observes(h->model, 0)) {
    h->does->observe(h->work, in, history->z);
  }
  void *from = in, *to = out;
  for (int step = first; step < last; step++) {
    double *u = history->u + (size_t)step * n_u;
    const double *z = history->z + (size_t)step * n_z;
    if (record) {
      control_eval(&h->model->controller, h->theta, z, step, u, h->room);
    }
    h->does->drive(h->model, u, z, h->w);
    CQ_TRY(h->does->step(h->work, step, from, to, h->w, record));
    if (record && cq_model_observes(h->model, step + 1)) {
      h->does->observe(h->work, to, history->z + (size_t)(step + 1) * n_z);
    }
    from = to;
    to = (char *)to + apart;
  }
  return CQ_OK;
}

/* row k of a seed's rows of n, or zeros */
static void load_row(double *to, const double *rows, int k, size_t n) {
  if (rows != NULL) {
    memcpy(to, rows + (size_t)k * n, n * sizeof *to);
  } else {
    memset(to, 0, n * sizeof *to);
  }
}

static void load_dz(host_loop *h, int seed, int k) {
  load_row(h->dz, h->seeds[seed].dz, k, (size_t)h->layout.n_z);
}

static void load_du(host_loop *h, int seed, int step) {
  load_row(h->du, h->seeds[seed].du, step, (size_t)h->model->n_controls);
}

/* Begins with the seeds at the last state. */
cq_status cq_host_backward_begin(void *engine, int n_seeds, const cq_seed *seeds,
                                 const cq_history *history, const void *last) {
  host_loop *h = engine;
  const int steps = h->model->steps;
  h->n_seeds = n_seeds;
  h->seeds = seeds;
  h->history = history;
  cq_free(h->ctx, h->dw);
  cq_free(h->ctx, h->dtheta);
  h->dw = h->dtheta = NULL;
  CQ_TRY(CQ_ALLOC(h->ctx, h->dw, n_seeds * h->model->n_drives));
  CQ_TRY(CQ_ALLOC(h->ctx, h->dtheta, n_seeds * h->model->controller.n_parameters));
  CQ_TRY(h->does->adjoint_begin(h->work, n_seeds, seeds));
  for (int s = 0; s < n_seeds; s++) {
    if (cq_model_observes(h->model, steps)) {
      load_dz(h, s, steps);
      h->does->observe_adjoint(h->work, s, last, history->z + (size_t)steps * (size_t)h->layout.n_z,
                               h->dz);
    }
  }
  return CQ_OK;
}

/* The adjoint of a step for all seeds, then of its drives and controller, then of the observation
 * of the state it began at. */
static cq_status backward_step(host_loop *h, int step, const void *state) {
  const cq_controller *controller = &h->model->controller;
  const size_t n_u = (size_t)h->model->n_controls, n_theta = (size_t)controller->n_parameters;
  const size_t n_w = (size_t)h->model->n_drives;
  const double *u = h->history->u + (size_t)step * n_u;
  const double *z = h->history->z + (size_t)step * (size_t)h->layout.n_z;
  h->does->drive(h->model, u, z, h->w);
  CQ_TRY(h->does->step_adjoint(h->work, step, state, h->w, h->dw));
  for (int s = 0; s < h->n_seeds; s++) {
    load_dz(h, s, step);
    load_du(h, s, step);
    h->does->drive_adjoint(h->model, u, z, h->dw + (size_t)s * n_w, h->du, h->dz);
    control_adjoint(controller, h->theta, z, step, h->du, h->dtheta + (size_t)s * n_theta, h->dz,
                    h->room);
    if (cq_model_observes(h->model, step)) {
      h->does->observe_adjoint(h->work, s, state, z, h->dz);
    }
  }
  return CQ_OK;
}

cq_status cq_host_backward_segment(void *engine, int first, int last, const void *state,
                                   size_t apart) {
  for (int step = last - 1; step >= first; step--) {
    CQ_TRY(backward_step(engine, step, state));
    state = (const char *)state - apart;
  }
  return CQ_OK;
}

cq_status cq_host_backward_end(void *engine, double *gradient) {
  host_loop *h = engine;
  const size_t n_theta = (size_t)h->model->controller.n_parameters;
  for (int s = 0; s < h->n_seeds; s++) {
    double *g = gradient + (size_t)s * h->layout.total;
    h->does->adjoint_end(h->work, s, g);
    memcpy(g + h->theta_at, h->dtheta + (size_t)s * n_theta, n_theta * sizeof(double));
  }
  return CQ_OK;
}

void cq_host_adjoint_norms(const void *engine, int seed, cq_adjoint_norms *norms) {
  const host_loop *h = engine;
  h->does->adjoint_norms(h->work, seed, norms);
}

cq_status cq_host_contacts(void *engine, cq_contacts *contacts) {
  const host_loop *h = engine;
  return h->does->contacts(h->work, contacts);
}

void cq_host_download(const void *engine, const void *state, double *out) {
  const host_loop *h = engine;
  h->does->download(h->work, state, out);
}

void cq_host_field(const void *engine, int field, const double *inputs, const double *state,
                   double *out) {
  const host_loop *h = engine;
  h->does->field(h->model, &h->layout, field, inputs, state, out);
}

const cq_failure *cq_host_failure(const void *engine) {
  const host_loop *h = engine;
  return h->does->failure(h->work);
}

cq_tally cq_host_tally(const void *engine) {
  const host_loop *h = engine;
  return *h->does->tally(h->work);
}
