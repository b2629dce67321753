#include "residuals.h"

#include "scene.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* of deviation: what loses 5 % of efficiency where there are no outliers (Huber; Holland and
 * Welsch, 1977) */
static const double HUBER = 1.345, CAUCHY = 2.385;
/* |d|^2 of the square of loss_size, below which a loss is the square to rounding */
static const double NEAR = 1e-12;

cq_squares cq_term_squares(const cq_term *term) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name: {                                                                           \
    const cq_term_##name *k = &term->keys->own.name;                                               \
    return (cq_squares){true, k->squared, k->loss, k->deviation, k->loss_size};                    \
  }
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    return (cq_squares){.deviation = NAN, .loss_size = NAN};
  }
}

static int count(const cq_term *term, const cq_term_in *in) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name:                                                                             \
    return cq_##name##_count(in);
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    return 0;
  }
}

/* residuals in each */
static int numbers(const cq_term *term, const cq_term_in *in) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name:                                                                             \
    return cq_##name##_numbers(in);
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    return 0;
  }
}

/* v^T of the derivatives of the k-th, added to dz */
static void residual_adjoint(const cq_term *term, const cq_term_in *in, int k, const double *v,
                             double *dz) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name:                                                                             \
    cq_##name##_residual_adjoint(in, k, 1.0, v, dz);                                               \
    break;
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    break;
  }
}

/* of the square of the k-th in the term */
static double weight_of(const cq_term *term, const cq_term_in *in, int k) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name:                                                                             \
    return cq_##name##_weight(in, k);
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    return NAN;
  }
}

/* d [numbers] of the k-th, and the weight of its square in the term */
static double residual(const cq_term *term, const cq_term_in *in, int k, double *d) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name:                                                                             \
    cq_##name##_residual(&term->keys->own.name, in, k, d);                                         \
    return cq_##name##_weight(in, k);
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    return NAN;
  }
}

static double measured(const cq_term *term, const cq_term_in *in, int k, int a) {
  switch (term->kind) {
#define CQ_RESIDUAL_TERM(name)                                                                     \
  case CQ_TERM_##name:                                                                             \
    return cq_##name##_measured(&term->keys->own.name, in, k, a);
#include "residual_list.h"
#undef CQ_RESIDUAL_TERM
  default:
    return NAN;
  }
}

/* The weight in units of the deviation; where a loss begins, by the key or by the deviation. */
cq_status cq_term_take_squares(cq_scene *scene, cq_term *term) {
  const cq_squares s = cq_term_squares(term);
  term->loss_size = NAN;
  if (!s.has) {
    return CQ_OK;
  }
  if (!isnan(s.deviation)) {
    term->weight /= s.deviation * s.deviation;
  }
  if (s.loss == CQ_LOSS_SQUARES) {
    return isnan(s.loss_size)
               ? CQ_OK
               : cq_config_fail(scene->ctx, term->keys->node, "loss_size",
                                "is the size of a loss; set loss = \"huber\" or \"cauchy\"");
  }
  if (!s.squared) {
    return cq_config_fail(scene->ctx, term->keys->node, "loss",
                          "says what squares become; leave out squared = false");
  }
  if (isnan(s.loss_size) && isnan(s.deviation)) {
    return cq_config_fail(scene->ctx, term->keys->node, "loss_size",
                          "is missing: from what distance on is a sample an outlier? deviation "
                          "tells it, too");
  }
  term->loss_size = !isnan(s.loss_size)       ? s.loss_size
                    : s.loss == CQ_LOSS_HUBER ? HUBER * s.deviation
                                              : CAUCHY * s.deviation;
  return CQ_OK;
}

/* What a term sees of an instant without a run: enough to count. */
static cq_term_in unseen(const cq_objective *o, const cq_term *term, const cq_instant *at) {
  return (cq_term_in){.dim = o->model->dim,
                      .n_markers = at->n_markers,
                      .sight = term->is_seen ? &term->sight : NULL};
}

static const char *why_not(const cq_term *term, const cq_squares *s) {
  return !s->has                ? "is none"
         : !s->squared          ? "is none with squared = false (loss = \"huber\" is one)"
         : !(term->weight >= 0) ? "is none with a negative weight"
                                : NULL;
}

/* The first term that is no sum of squares decides. */
int cq_residuals_count(const cq_objective *o, char *why, size_t size) {
  const cq_function *f = &o->functions[0];
  int n = 0;
  snprintf(why, size, "the objective has no terms");
  for (int j = 0; j < f->n_terms; j++) {
    const cq_term *term = &f->terms[j];
    const cq_squares s = cq_term_squares(term);
    const char *reason = why_not(term, &s);
    if (reason != NULL) {
      snprintf(why, size,
               "\"%s\" %s; marker_distance, distance, distance_between and force_curve are sums of "
               "squares",
               term->label, reason);
      return 0;
    }
    for (int i = 0; i < term->n_instants; i++) {
      const cq_term_in in = unseen(o, term, &term->instants[i]);
      n += numbers(term, &in) * count(term, &in);
    }
  }
  return n;
}

bool cq_residuals_have_deviations(const cq_objective *o) {
  const cq_function *f = &o->functions[0];
  bool all = true;
  for (int j = 0; j < f->n_terms; j++) {
    const cq_term *term = &f->terms[j];
    all = all && !isnan(cq_term_squares(term).deviation) && term->keys->weight == 1.0;
    for (int i = 0; i < term->n_instants; i++) {
      all = all && term->instants[i].share == 1.0;
    }
  }
  return all;
}

/* sqrt(loss(s)/s): d times that has the loss as its square */
static double bend(const cq_term *term, int loss, const double *d, int dim) {
  const double square = cq_length_value(d, dim, 1), size = term->loss_size;
  return loss == CQ_LOSS_SQUARES || square <= NEAR * size * size
             ? 1.0
             : sqrt(cq_loss_value(d, dim, 1, loss, size) / square);
}

/* d(bend)/d(|d|^2) */
static double bend_slope(const cq_term *term, int loss, const double *d, int dim) {
  const double square = cq_length_value(d, dim, 1), size = term->loss_size;
  if (loss == CQ_LOSS_SQUARES || square <= NEAR * size * size) {
    return 0.0;
  }
  const double value = cq_loss_value(d, dim, 1, loss, size);
  const double slope = 0.5 * cq_loss_factor(d, dim, 1, loss, size);
  return 0.5 * (slope * square - value) / (square * square * bend(term, loss, d, dim));
}

/* |d|^2 of a vector whose loss is this */
static double unbend(const cq_term *term, int loss, double value) {
  const double size = term->loss_size, limit = size * size;
  if (loss == CQ_LOSS_HUBER && value > limit) {
    const double length = (value + limit) / (2.0 * size);
    return length * length;
  }
  return loss == CQ_LOSS_CAUCHY ? limit * expm1(value / limit) : value;
}

/* The vector at r, of an instant, whose component a is told of. */
static void tell(const cq_objective *o, const cq_term *term, const cq_instant *at, int k, int a,
                 const double *r, double factor, cq_residual_info *out) {
  const int loss = cq_term_squares(term).loss;
  cq_term_in in = unseen(o, term, at);
  in.markers = term->markers + at->first_marker;
  const double weight = at->share * term->weight * weight_of(term, &in, k);
  const double square = factor * factor * cq_length_value(r, numbers(term, &in), 1);
  const double distance = weight > 0 ? unbend(term, loss, square / weight) : NAN;
  out->term = term->label;
  out->marker = at->n_markers > 0 ? in.markers[k].id : NAN;
  out->component = numbers(term, &in) > 1 ? a : -1;
  out->time = (at->step + at->ahead) * o->model->dt;
  out->measured = measured(term, &in, k, a);
  out->weight = distance > 0 ? square / distance : weight;
  out->simulated = out->measured + (out->weight > 0 ? factor * r[a] / sqrt(out->weight) : NAN);
}

bool cq_residuals_tell(const cq_objective *o, int i, const double *r, double factor,
                       cq_residual_info *out) {
  const cq_function *f = &o->functions[0];
  int first = 0;
  for (int j = 0; j < f->n_terms; j++) {
    const cq_term *term = &f->terms[j];
    for (int at = 0; at < term->n_instants; at++) {
      const cq_term_in in = unseen(o, term, &term->instants[at]);
      const int dim = numbers(term, &in), n = dim * count(term, &in);
      if (i < first + n) {
        const int k = (i - first) / dim;
        tell(o, term, &term->instants[at], k, (i - first) % dim, r + first + k * dim, factor, out);
        return true;
      }
      first += n;
    }
  }
  return false;
}

/* By terms, instants, vectors and axes. */
void cq_residuals_of(const cq_objective *o, const double *z, const double *u, double *r) {
  const cq_function *f = &o->functions[0];
  for (int j = 0; j < f->n_terms; j++) {
    const cq_term *term = &f->terms[j];
    const int loss = cq_term_squares(term).loss;
    for (int i = 0; i < term->n_instants; i++) {
      const cq_instant *at = &term->instants[i];
      const cq_term_in in = cq_objective_gather(o, term, at, z, u);
      const int dim = numbers(term, &in);
      for (int k = 0; k < count(term, &in); k++) {
        double d[3] = {0};
        const double weight = term->weight * at->share * residual(term, &in, k, d);
        const double factor = sqrt(weight) * bend(term, loss, d, dim);
        for (int a = 0; a < dim; a++) {
          *r++ = factor * d[a];
        }
      }
    }
  }
}

static void clear_adjoint(const cq_objective *o, const cq_term *term, const cq_term_in *in) {
  const size_t n_z = (size_t)(term->n_sets * in->z_size + term->calibration.count);
  memset(o->term_dz, 0, n_z * sizeof *o->term_dz);
}

/* Adds w^T of the derivatives of a vector of residuals to term_dz: those of d, after the chain rule
 * of what bends it. */
static void pull_vector(const cq_objective *o, const cq_term *term, const cq_instant *at,
                        const cq_term_in *in, int k, const double *w) {
  const int dim = numbers(term, in), loss = cq_term_squares(term).loss;
  double d[3] = {0}, v[3] = {0}, along = 0.0;
  const double factor = sqrt(term->weight * at->share * residual(term, in, k, d));
  const double value = bend(term, loss, d, dim), slope = bend_slope(term, loss, d, dim);
  for (int a = 0; a < dim; a++) {
    along += w[a] * d[a];
  }
  for (int a = 0; a < dim; a++) {
    v[a] = factor * (value * w[a] + 2.0 * slope * along * d[a]);
  }
  residual_adjoint(term, in, k, v, o->term_dz);
}

/* Derivatives of a vector of residuals by the calibration. rows [dim][n_calibration] */
static void differentiate(const cq_objective *o, const cq_term *term, const cq_instant *at,
                          const cq_term_in *in, int k, double *rows) {
  for (int a = 0; a < numbers(term, in); a++) {
    const double one[3] = {a == 0, a == 1, a == 2};
    clear_adjoint(o, term, in);
    pull_vector(o, term, at, in, k, one);
    cq_objective_pull_calibration(o, term, rows + a * o->n_calibration);
  }
}

/* In the order of cq_residuals_of(). */
void cq_residuals_by_calibration(const cq_objective *o, const double *z, const double *u,
                                 double *rows) {
  const cq_function *f = &o->functions[0];
  for (int j = 0; j < f->n_terms; j++) {
    const cq_term *term = &f->terms[j];
    for (int i = 0; i < term->n_instants; i++) {
      const cq_instant *at = &term->instants[i];
      const cq_term_in in = cq_objective_gather(o, term, at, z, u);
      for (int k = 0; k < count(term, &in); k++) {
        if (term->calibration.count > 0) {
          differentiate(o, term, at, &in, k, rows);
        }
        rows += numbers(term, &in) * o->n_calibration;
      }
    }
  }
}

static bool any(const double *w, int n) {
  bool some = false;
  for (int i = 0; i < n; i++) {
    some = some || w[i] != 0.0;
  }
  return some;
}

/* In the order of cq_residuals_of(); an instant without weights is passed over. */
void cq_residuals_pull(const cq_objective *o, const double *z, const double *u, const double *w,
                       double *dz, double *dp) {
  const cq_function *f = &o->functions[0];
  for (int j = 0; j < f->n_terms; j++) {
    const cq_term *term = &f->terms[j];
    for (int i = 0; i < term->n_instants; i++) {
      const cq_instant *at = &term->instants[i];
      const cq_term_in seen = unseen(o, term, at);
      const int dim = numbers(term, &seen), n = count(term, &seen);
      if (any(w, n * dim)) {
        const cq_term_in in = cq_objective_gather(o, term, at, z, u);
        clear_adjoint(o, term, &in);
        for (int k = 0; k < n; k++) {
          pull_vector(o, term, at, &in, k, w + k * dim);
        }
        cq_objective_scatter(o, term, at, dz, NULL);
        cq_objective_pull_calibration(o, term, dp);
      }
      w += n * dim;
    }
  }
}
