#include "objective_moving.h"

#include <math.h>

cq_instant cq_moving_instant(const cq_objective *o, const cq_term *term, const cq_instant *at) {
  const cq_calibration *c = &term->calibration;
  if (!c->of[CQ_CALIBRATES_TIME] || at->fixed) {
    return *at;
  }
  const cq_model *model = o->model;
  const double by = o->calibration[c->first + c->at[CQ_CALIBRATES_TIME]];
  const double time = (at->step + at->ahead) * model->dt + by;
  cq_instant moved = cq_instant_at(fmin(fmax(time, 0.0), model->steps * model->dt), model->dt);
  moved.share = at->share;
  moved.first_marker = at->first_marker;
  moved.n_markers = at->n_markers;
  return moved;
}

void cq_moving_states(const cq_model *model, const cq_term *term, const cq_instant *at, int *first,
                      int *last) {
  const cq_calibration *c = &term->calibration;
  const double time = (at->step + at->ahead) * model->dt;
  *first = at->step;
  *last = at->step + (at->ahead > 0.0);
  if (c->of[CQ_CALIBRATES_TIME] && !at->fixed) {
    const int from = (int)floor((time + c->earliest) / model->dt) - 1;
    const int to = (int)ceil((time + c->latest) / model->dt) + 1;
    *first = from > 0 ? from : 0;
    *last = to < model->steps ? to : model->steps;
  }
}

/* Of the cubic: factors of the places and of dt times the velocities at both ends. */
static void factors(double s, double of[4]) {
  of[0] = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s);
  of[1] = s * (1.0 - s) * (1.0 - s);
  of[2] = s * s * (3.0 - 2.0 * s);
  of[3] = s * s * (s - 1.0);
}

static void slopes(double s, double of[4]) {
  of[0] = 6.0 * s * (s - 1.0);
  of[1] = (3.0 * s - 1.0) * (s - 1.0);
  of[2] = -of[0];
  of[3] = s * (3.0 * s - 2.0);
}

void cq_moving_gather(const cq_objective *o, const cq_instant *at, const double *here,
                      const double *next, const cq_view *a, const cq_view *b, double *to) {
  const int dim = o->model->dim;
  const double dt = o->model->dt;
  const double *x[] = {here + a->place[CQ_Q_POSITION], next + b->place[CQ_Q_POSITION]};
  const double *v[] = {here + a->place[CQ_Q_VELOCITY], next + b->place[CQ_Q_VELOCITY]};
  double f[4], g[4];
  factors(at->ahead, f);
  slopes(at->ahead, g);
  for (int i = 0; i < dim; i++) {
    to[i] = f[0] * x[0][i] + f[1] * dt * v[0][i] + f[2] * x[1][i] + f[3] * dt * v[1][i];
    const double speed = (g[0] * x[0][i] + g[2] * x[1][i]) / dt + g[1] * v[0][i] + g[3] * v[1][i];
    to[dim + i] = at->fixed ? 0.0 : speed;
  }
}

void cq_moving_scatter(const cq_objective *o, const cq_instant *at, const double *from,
                       const cq_view *a, const cq_view *b, double *here, double *next) {
  const int dim = o->model->dim;
  const double dt = o->model->dt;
  double f[4];
  factors(at->ahead, f);
  for (int i = 0; i < dim; i++) {
    here[a->place[CQ_Q_POSITION] + i] += f[0] * from[i];
    here[a->place[CQ_Q_VELOCITY] + i] += f[1] * dt * from[i];
    next[b->place[CQ_Q_POSITION] + i] += f[2] * from[i];
    next[b->place[CQ_Q_VELOCITY] + i] += f[3] * dt * from[i];
  }
}
