#include "host_loop.h"

#include "alloc.h"
#include "control.h"
#include "pace.h"
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
  double *dz;     /* [rows->longest] */
  double *dtheta; /* [n_seeds][n_parameters] */
  double room[CQ_CONTROL_ROOM];
} host_loop;

void *cq_host_work(const void *engine) {
  return ((const host_loop *)engine)->work;
}

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
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, h->dz, layout->rows->longest);
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

/* the row of z (or of a seed's dz) at state k */
static double *row_of(const host_loop *h, double *z, int k) {
  return z + h->layout.rows->begin[k];
}

static size_t row_numbers(const host_loop *h, int k) {
  return h->layout.rows->begin[k + 1] - h->layout.rows->begin[k];
}

static void observe(host_loop *h, int k, const void *state, double *z) {
  if (cq_z_observes(h->layout.rows, k)) {
    h->does->observe(h->work, k, state, row_of(h, z, k));
  }
}

/* Controls that come from outside are in the history before their step. */
static bool is_given(const cq_history *history, int step) {
  return history->given != NULL && history->given[step];
}

/* Steps first .. last-1, each with its controls and the observation of the state it leads to. */
cq_status cq_host_run_segment(void *engine, int first, int last, void *in, void *out, size_t apart,
                              cq_history *history, bool record) {
  host_loop *h = engine;
  const size_t n_u = (size_t)h->model->n_controls;
  if (record && first == 0) {
    observe(h, 0, in, history->z);
  }
  void *from = in, *to = out;
  for (int step = first; step < last; step++) {
    double *u = history->u + (size_t)step * n_u;
    const double *z = row_of(h, history->z, step);
    if (record && !is_given(history, step)) {
      control_eval(&h->model->controller, h->theta, z, step, u, h->room);
    }
    h->does->drive(h->model, step, u, z, h->w);
    CQ_TRY(h->does->step(h->work, step, from, to, h->w, record));
    if (record) {
      observe(h, step + 1, to, history->z);
      cq_stepped(h->ctx, false);
    }
    from = to;
    to = (char *)to + apart;
  }
  return CQ_OK;
}

/* n numbers of a seed's, from `at` on, or zeros */
static void load_row(double *to, const double *from, size_t at, size_t n) {
  if (from != NULL) {
    memcpy(to, from + at, n * sizeof *to);
  } else {
    memset(to, 0, n * sizeof *to);
  }
}

static void load_dz(host_loop *h, int seed, int k) {
  load_row(h->dz, h->seeds[seed].dz, h->layout.rows->begin[k], row_numbers(h, k));
}

static void load_du(host_loop *h, int seed, int step) {
  const size_t n = (size_t)h->model->n_controls;
  load_row(h->du, h->seeds[seed].du, (size_t)step * n, n);
}

static void observe_adjoint(host_loop *h, int seed, int k, const void *state) {
  if (cq_z_observes(h->layout.rows, k)) {
    h->does->observe_adjoint(h->work, seed, k, state, row_of(h, h->history->z, k), h->dz);
  }
}

void cq_host_backward_seed(void *engine, int k, const void *state) {
  host_loop *h = engine;
  for (int s = 0; s < h->n_seeds; s++) {
    load_dz(h, s, k);
    observe_adjoint(h, s, k, state);
  }
}

/* Begins with the seeds at the last state. */
cq_status cq_host_backward_begin(void *engine, int n_seeds, const cq_seed *seeds,
                                 const cq_history *history, const void *last) {
  host_loop *h = engine;
  const int end = history->end > 0 ? history->end : h->model->steps;
  h->n_seeds = n_seeds;
  h->seeds = seeds;
  h->history = history;
  cq_free(h->ctx, h->dw);
  cq_free(h->ctx, h->dtheta);
  h->dw = h->dtheta = NULL;
  CQ_TRY(CQ_ALLOC(h->ctx, h->dw, n_seeds * h->model->n_drives));
  CQ_TRY(CQ_ALLOC(h->ctx, h->dtheta, n_seeds * h->model->controller.n_parameters));
  CQ_TRY(h->does->adjoint_begin(h->work, n_seeds, seeds, last));
  cq_host_backward_seed(h, end, last);
  return CQ_OK;
}

/* Does a run end and another begin at this state, which the latter takes as given? */
static bool forgets(const host_loop *h, int step) {
  const int horizon = h->model->horizon;
  return horizon > 0 && step > 0 && step % horizon == 0;
}

/* The adjoint of a step for all seeds, then of its drives and controller, then of the observation
 * of the state it began at. */
static cq_status backward_step(host_loop *h, int step, const void *state) {
  const cq_controller *controller = &h->model->controller;
  const size_t n_u = (size_t)h->model->n_controls, n_theta = (size_t)controller->n_parameters;
  const size_t n_w = (size_t)h->model->n_drives;
  const double *u = h->history->u + (size_t)step * n_u;
  const double *z = row_of(h, h->history->z, step);
  h->does->drive(h->model, step, u, z, h->w);
  CQ_TRY(h->does->step_adjoint(h->work, step, state, h->w, h->dw));
  for (int s = 0; s < h->n_seeds; s++) {
    if (forgets(h, step)) {
      memset(h->dz, 0, row_numbers(h, step) * sizeof *h->dz);
    } else {
      load_dz(h, s, step);
    }
    load_du(h, s, step);
    h->does->drive_adjoint(h->model, step, u, z, h->dw + (size_t)s * n_w, h->du, h->dz);
    if (is_given(h->history, step)) {
      memcpy(h->history->du + (size_t)step * n_u, h->du, n_u * sizeof(double));
    } else {
      control_adjoint(controller, h->theta, z, step, h->du, h->dtheta + (size_t)s * n_theta, h->dz,
                      h->room);
    }
    observe_adjoint(h, s, step, state);
  }
  if (forgets(h, step)) {
    h->does->adjoint_forget(h->work);
    cq_host_backward_seed(h, step, state);
  }
  cq_stepped(h->ctx, true);
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

void cq_host_walls(const void *engine, const void *state, double *maps) {
  const host_loop *h = engine;
  if (h->does->walls != NULL) {
    h->does->walls(h->work, state, maps);
  }
}

void cq_host_means(const void *engine, const void *state, const double *host, cq_means *out) {
  const host_loop *h = engine;
  if (h->does->means != NULL) {
    h->does->means(h->work, state, host, out);
  }
}

const cq_failure *cq_host_failure(const void *engine) {
  const host_loop *h = engine;
  return h->does->failure(h->work);
}

cq_tally cq_host_tally(const void *engine) {
  const host_loop *h = engine;
  return *h->does->tally(h->work);
}

/* What a step's controls and drives depend on, row by row, as their adjoints have it. */
typedef struct control_rows {
  double *u_theta, *u_z; /* [n_controls][n_parameters], [n_controls][numbers of the row of z] */
  double *w_u, *w_z;     /* [n_drives][n_controls], [n_drives][numbers of the row of z] */
  double *dw;            /* [n directions][n_drives] */
  void *state;
} control_rows;

static cq_status open_rows(const host_loop *h, int n, control_rows *r) {
  const size_t n_u = (size_t)h->model->n_controls, n_w = (size_t)h->model->n_drives;
  const size_t n_z = (size_t)h->layout.rows->longest;
  CQ_TRY(CQ_ALLOC(h->ctx, r->u_theta, n_u * (size_t)h->model->controller.n_parameters));
  CQ_TRY(CQ_ALLOC(h->ctx, r->u_z, n_u * n_z));
  CQ_TRY(CQ_ALLOC(h->ctx, r->w_u, n_w * n_u));
  CQ_TRY(CQ_ALLOC(h->ctx, r->w_z, n_w * n_z));
  CQ_TRY(CQ_ALLOC(h->ctx, r->dw, (size_t)n * n_w));
  return cq_alloc(h->ctx, &r->state, 1, h->does->state_bytes(h->work));
}

static void close_rows(const host_loop *h, control_rows *r) {
  cq_free(h->ctx, r->u_theta);
  cq_free(h->ctx, r->u_z);
  cq_free(h->ctx, r->w_u);
  cq_free(h->ctx, r->w_z);
  cq_free(h->ctx, r->dw);
  cq_free(h->ctx, r->state);
}

/* The rows of one step: an adjoint each, which controllers and drives have anyway. */
static void fill_rows(host_loop *h, int step, const double *u, const double *z, control_rows *r) {
  const size_t n_u = (size_t)h->model->n_controls, n_w = (size_t)h->model->n_drives;
  const size_t n_z = row_numbers(h, step), n_theta = (size_t)h->model->controller.n_parameters;
  memset(r->u_theta, 0, n_u * n_theta * sizeof(double));
  memset(r->u_z, 0, n_u * n_z * sizeof(double));
  memset(r->w_u, 0, n_w * n_u * sizeof(double));
  memset(r->w_z, 0, n_w * n_z * sizeof(double));
  for (size_t i = 0; i < n_u; i++) {
    memset(h->du, 0, n_u * sizeof(double));
    h->du[i] = 1.0;
    control_adjoint(&h->model->controller, h->theta, z, step, h->du, r->u_theta + i * n_theta,
                    r->u_z + i * n_z, h->room);
  }
  for (size_t i = 0; i < n_w; i++) {
    memset(h->w, 0, n_w * sizeof(double));
    h->w[i] = 1.0;
    h->does->drive_adjoint(h->model, step, u, z, h->w, r->w_u + i * n_u, r->w_z + i * n_z);
  }
}

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* Where a horizon begins controls see no changes, either: h->dz is zero then. */
static bool cuts(host_loop *h, int step) {
  if (h->does->cut_tangents == NULL || !h->does->cut_tangents(h->work, step)) {
    return false;
  }
  memset(h->dz, 0, row_numbers(h, step) * sizeof(double));
  return true;
}

/* One step of the directions, and of the state they are beside. */
static cq_status tangent_step(host_loop *h, int step, int n, const double *directions,
                              const cq_history *history, control_rows *r, double *dz, double *du) {
  const size_t n_u = (size_t)h->model->n_controls, n_w = (size_t)h->model->n_drives;
  const size_t n_z = row_numbers(h, step), n_theta = (size_t)h->model->controller.n_parameters;
  const size_t steps = (size_t)h->model->steps, k = (size_t)step;
  const size_t length = h->layout.rows->begin[steps + 1];
  const double *u = history->u + k * n_u, *z = row_of(h, history->z, step);
  const bool cut = cuts(h, step);
  fill_rows(h, step, u, z, r);
  for (size_t d = 0; d < (size_t)n; d++) {
    const double *dtheta = directions + d * h->layout.total + h->theta_at;
    const double *here = cut ? h->dz : row_of(h, dz + d * length, step);
    double *controls = du + (d * steps + k) * n_u;
    for (size_t i = 0; i < n_u; i++) {
      controls[i] =
          dot(r->u_theta + i * n_theta, dtheta, n_theta) + dot(r->u_z + i * n_z, here, n_z);
    }
    for (size_t i = 0; i < n_w; i++) {
      r->dw[d * n_w + i] = dot(r->w_u + i * n_u, controls, n_u) + dot(r->w_z + i * n_z, here, n_z);
    }
  }
  h->does->drive(h->model, step, u, z, h->w);
  CQ_TRY(h->does->step_tangent(h->work, step, r->state, h->w, r->dw));
  return h->does->step(h->work, step, r->state, r->state, h->w, false);
}

/* All steps again, with the directions beside them; what is observed of these goes to dz. */
static cq_status run_tangents(host_loop *h, const double *inputs, int n, const double *directions,
                              const cq_history *history, control_rows *r, double *dz, double *du) {
  const size_t length = h->layout.rows->begin[h->model->steps + 1];
  CQ_TRY(open_rows(h, n, r));
  CQ_TRY(cq_host_upload(h, inputs, r->state));
  CQ_TRY(h->does->tangent_begin(h->work, n, directions));
  for (int step = 0; step <= h->model->steps; step++) {
    const double *z = row_of(h, history->z, step);
    for (int d = 0; cq_z_observes(h->layout.rows, step) && d < n; d++) {
      double *row = row_of(h, dz + (size_t)d * length, step);
      h->does->observe_tangent(h->work, d, step, r->state, z, row);
    }
    if (step < h->model->steps) {
      CQ_TRY(tangent_step(h, step, n, directions, history, r, dz, du));
      cq_stepped(h->ctx, true);
    }
  }
  return CQ_OK;
}

cq_status cq_host_tangent(void *engine, const double *inputs, int n, const double *directions,
                          const cq_history *history, double *dz, double *du) {
  control_rows rows = {.state = NULL};
  const cq_status status = run_tangents(engine, inputs, n, directions, history, &rows, dz, du);
  close_rows(engine, &rows);
  return status;
}
