/* The MPM engine on the CPU: picks the variant, loops over steps. Between them controllers are
 * evaluated, and from controls and observation what drives the actuators. */
#include "actuators.h"
#include "alloc.h"
#include "control.h"
#include "cuda_pick.h"
#include "devices.h"
#include "engine.h"
#include "kernels.h"
#include "mpm_inputs.h"
#include "status.h"

#include <string.h>

typedef struct mpm {
  cq_ctx *ctx;
  const cq_model *model;
  cq_layout layout;
  const cq_mpm_kernels *kernels;
  void *work;
  double *theta;
  int n_seeds;
  const cq_seed *seeds;
  const cq_history *history;
  double *w;      /* [n_drives] what drives the step */
  double *dw;     /* [n_seeds][n_drives] */
  double *du;     /* [n_controls] */
  double *dz;     /* [n_z] */
  double *dtheta; /* [n_seeds][n_parameters] */
  double room[CQ_CONTROL_ROOM];
} mpm;

static const cq_mpm_kernels *pick(const cq_model *model) {
  static const cq_mpm_kernels *const tables[2][2][2] = {
      {{&cq_mpm_cpu_2d_f32, &cq_mpm_cpu_2d_f64}, {&cq_mpm_cpu_3d_f32, &cq_mpm_cpu_3d_f64}},
      {{&cq_mpm_ref_2d_f32, &cq_mpm_ref_2d_f64}, {&cq_mpm_ref_3d_f32, &cq_mpm_ref_3d_f64}}};
  return tables[model->kernels == CQ_KERNELS_REFERENCE][model->dim - 2][model->bits == 64];
}

static void mpm_destroy(void *engine) {
  mpm *m = engine;
  cq_ctx *ctx = m->ctx;
  if (m->work != NULL) {
    m->kernels->destroy(m->work);
  }
  cq_free(ctx, m->theta);
  cq_free(ctx, m->w);
  cq_free(ctx, m->dw);
  cq_free(ctx, m->du);
  cq_free(ctx, m->dz);
  cq_free(ctx, m->dtheta);
  cq_free(ctx, m);
}

static cq_status mpm_create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                            void **engine) {
  mpm *m = NULL;
  CQ_TRY(CQ_ALLOC(ctx, m, 1));
  m->ctx = ctx;
  m->model = model;
  m->layout = *layout;
  m->kernels = pick(model);
  cq_status status = cq_actuators_check(ctx, model);
  status = status != CQ_OK ? status : m->kernels->create(ctx, model, layout, &m->work);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, m->theta, model->controller.n_parameters);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, m->w, model->n_drives);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, m->du, model->n_controls);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, m->dz, layout->n_z);
  if (status != CQ_OK) {
    mpm_destroy(m);
    return status;
  }
  *engine = m;
  return CQ_OK;
}

static size_t mpm_state_bytes(const void *engine) {
  const mpm *m = engine;
  return m->kernels->state_bytes(m->work);
}

static cq_status mpm_upload(void *engine, const double *inputs, void *state) {
  mpm *m = engine;
  *m->kernels->tally(m->work) = (cq_tally){{0}};
  memcpy(m->theta, inputs + m->layout.offset[CQ_INPUT_theta],
         m->layout.count[CQ_INPUT_theta] * sizeof(double));
  return m->kernels->upload(m->work, inputs, state);
}

static cq_status mpm_run_segment(void *engine, int first, int last, void *in, void *out,
                                 size_t apart, cq_history *history, bool record) {
  mpm *m = engine;
  const size_t n_z = (size_t)m->layout.n_z, n_u = (size_t)m->model->n_controls;
  if (record && first == 0 && cq_model_observes(m->model, 0)) {
    m->kernels->observe(m->work, in, history->z);
  }
  void *from = in, *to = out;
  for (int step = first; step < last; step++) {
    double *u = history->u + (size_t)step * n_u;
    const double *z = history->z + (size_t)step * n_z;
    if (record) {
      control_eval(&m->model->controller, m->theta, z, step, u, m->room);
    }
    m->kernels->drive(m->model, u, z, m->w);
    CQ_TRY(m->kernels->step(m->work, step, from, to, m->w, record));
    if (record && cq_model_observes(m->model, step + 1)) {
      m->kernels->observe(m->work, to, history->z + (size_t)(step + 1) * n_z);
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

static void load_dz(mpm *m, int seed, int k) {
  load_row(m->dz, m->seeds[seed].dz, k, (size_t)m->layout.n_z);
}

static void load_du(mpm *m, int seed, int step) {
  load_row(m->du, m->seeds[seed].du, step, (size_t)m->model->n_controls);
}

static cq_status mpm_backward_begin(void *engine, int n_seeds, const cq_seed *seeds,
                                    const cq_history *history, const void *last) {
  mpm *m = engine;
  const int steps = m->model->steps;
  m->n_seeds = n_seeds;
  m->seeds = seeds;
  m->history = history;
  cq_free(m->ctx, m->dw);
  cq_free(m->ctx, m->dtheta);
  m->dw = m->dtheta = NULL;
  CQ_TRY(CQ_ALLOC(m->ctx, m->dw, n_seeds * m->model->n_drives));
  CQ_TRY(CQ_ALLOC(m->ctx, m->dtheta, n_seeds * m->model->controller.n_parameters));
  CQ_TRY(m->kernels->adjoint_begin(m->work, n_seeds, seeds));
  for (int s = 0; s < n_seeds; s++) {
    if (cq_model_observes(m->model, steps)) {
      load_dz(m, s, steps);
      m->kernels->observe_adjoint(m->work, s, last,
                                  history->z + (size_t)steps * (size_t)m->layout.n_z, m->dz);
    }
  }
  return CQ_OK;
}

static cq_status backward_step(mpm *m, int step, const void *state) {
  const cq_controller *controller = &m->model->controller;
  const size_t n_u = (size_t)m->model->n_controls, n_theta = (size_t)controller->n_parameters;
  const size_t n_w = (size_t)m->model->n_drives;
  const double *u = m->history->u + (size_t)step * n_u;
  const double *z = m->history->z + (size_t)step * (size_t)m->layout.n_z;
  m->kernels->drive(m->model, u, z, m->w);
  CQ_TRY(m->kernels->step_adjoint(m->work, step, state, m->w, m->dw));
  for (int s = 0; s < m->n_seeds; s++) {
    load_dz(m, s, step);
    load_du(m, s, step);
    m->kernels->drive_adjoint(m->model, u, z, m->dw + (size_t)s * n_w, m->du, m->dz);
    control_adjoint(controller, m->theta, z, step, m->du, m->dtheta + (size_t)s * n_theta, m->dz,
                    m->room);
    if (cq_model_observes(m->model, step)) {
      m->kernels->observe_adjoint(m->work, s, state, z, m->dz);
    }
  }
  return CQ_OK;
}

static cq_status mpm_backward_segment(void *engine, int first, int last, const void *state,
                                      size_t apart) {
  for (int step = last - 1; step >= first; step--) {
    CQ_TRY(backward_step(engine, step, state));
    state = (const char *)state - apart;
  }
  return CQ_OK;
}

static cq_status mpm_backward_end(void *engine, double *gradient) {
  mpm *m = engine;
  const size_t n_theta = (size_t)m->model->controller.n_parameters;
  for (int s = 0; s < m->n_seeds; s++) {
    double *g = gradient + (size_t)s * m->layout.total;
    m->kernels->adjoint_end(m->work, s, g);
    memcpy(g + m->layout.offset[CQ_INPUT_theta], m->dtheta + (size_t)s * n_theta,
           n_theta * sizeof(double));
  }
  return CQ_OK;
}

static void mpm_adjoint_norms(const void *engine, int seed, cq_adjoint_norms *norms) {
  const mpm *m = engine;
  m->kernels->adjoint_norms(m->work, seed, norms);
}

static cq_status mpm_contacts(void *engine, cq_contacts *contacts) {
  const mpm *m = engine;
  return m->kernels->contacts(m->work, contacts);
}

static void mpm_download(const void *engine, const void *state, double *out) {
  const mpm *m = engine;
  m->kernels->download(m->work, state, out);
}

static void mpm_field(const void *engine, int field, const double *inputs, const double *state,
                      double *out) {
  const mpm *m = engine;
  (void)field; /* there is one */
  m->kernels->von_mises(m->model, &m->layout, inputs, state, out);
}

static const cq_failure *mpm_failure(const void *engine) {
  const mpm *m = engine;
  return m->kernels->failure(m->work);
}

static cq_tally mpm_tally(const void *engine) {
  const mpm *m = engine;
  return *m->kernels->tally(m->work);
}

static const cq_engine cpu_engine = {
    .name = "mpm",
    .gradient = CQ_GRADIENT_EXACT_REVERSE,
    .create = mpm_create,
    .destroy = mpm_destroy,
    .state_bytes = mpm_state_bytes,
    .upload = mpm_upload,
    .run_segment = mpm_run_segment,
    .backward_begin = mpm_backward_begin,
    .backward_segment = mpm_backward_segment,
    .backward_end = mpm_backward_end,
    .adjoint_norms = mpm_adjoint_norms,
    .contacts = mpm_contacts,
    .download = mpm_download,
    .field = mpm_field,
    .failure = mpm_failure,
    .tally = mpm_tally,
};

cq_status cq_mpm_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine) {
  *engine = &cpu_engine;
  if (model->device == CQ_ON_CUDA) {
    CQ_TRY(cq_cuda_check(ctx));
    *engine = cq_mpm_cuda(model->dim, model->bits);
  }
  return CQ_OK;
}
