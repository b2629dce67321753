/* What a generation teaches: mean, paths, C and sigma, in the order of the tutorial (arXiv:
 * 1604.00772, appendix A). */
#include "cmaes.h"

#include <math.h>
#include <string.h>

static double square_length(const double *v, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    sum += v[j] * v[j];
  }
  return sum;
}

/* Moves the mean to that of the best `count`; the step of it [n] to shift. */
static void move_mean(cq_cmaes *es, int count, double *shift) {
  const int n = es->setup.n;
  double total = 0;
  for (int i = 0; i < count; i++) {
    total += es->weights[i];
  }
  for (int j = 0; j < n; j++) {
    double mean = 0;
    for (int i = 0; i < count; i++) {
      mean += es->weights[i] / total * es->population[(size_t)es->order[i] * (size_t)n + (size_t)j];
    }
    shift[j] = mean - es->mean[j];
    es->mean[j] = mean;
  }
}

/* y_k = (x_k - m) / sigma from the mean before; separable: in units of axes */
static void find_steps(cq_cmaes *es) {
  const size_t n = (size_t)es->setup.n;
  for (size_t i = 0; i < (size_t)es->lambda * n; i++) {
    const size_t j = i % n;
    const double unit = es->square > 0 ? es->sigma : es->sigma * es->axes[j];
    es->steps[i] = (es->population[i] - es->mean[j]) / unit;
  }
}

/* The path of sigma; whether it is short enough for the path of C to be trusted (hsig). */
static bool update_ps(cq_cmaes *es, const double *shift) {
  const int n = es->setup.n;
  double *const z = es->work;
  cq_cmaes_whiten(es, shift, false, z);
  for (int j = 0; j < n; j++) {
    es->ps[j] =
        (1 - es->cs) * es->ps[j] + sqrt(es->cs * (2 - es->cs) * es->mueff) * (z[j] / es->sigma);
  }
  const double begun = 1 - pow(1 - es->cs, 2.0 * es->generation);
  return square_length(es->ps, n) / begun / n < 2 + 4.0 / (n + 1);
}

static void update_pc(cq_cmaes *es, const double *shift, bool trusted) {
  for (int j = 0; j < es->setup.n; j++) {
    const double unit = es->square > 0 ? es->sigma : es->sigma * es->axes[j];
    const double step = sqrt(es->cc * (2 - es->cc) * es->mueff) * (shift[j] / unit);
    es->pc[j] = (1 - es->cc) * es->pc[j] + (trusted ? step : 0);
  }
}

/* lower triangle of c += weight v v^T */
static void add_rank_one(cq_cmaes *es, double weight, const double *v) {
  const size_t n = (size_t)es->setup.n;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      es->c[i * n + j] += weight * v[i] * v[j];
    }
  }
}

/* A step with negative weight counts as one of the mean length, or it could make C indefinite. */
static double weight_of(const cq_cmaes *es, int rank, const double *step) {
  const double w = es->cmu * es->weights[rank];
  if (w >= 0) {
    return w;
  }
  cq_cmaes_whiten(es, step, true, es->work);
  return w * es->setup.n / pow(sqrt(square_length(es->work, es->setup.n)) + 1e-9, 2);
}

/* C fades, and learns from the path and from every candidate by its weight; the upper half is a
 * copy of the lower. */
static void update_c(cq_cmaes *es, double decay) {
  const size_t n = (size_t)es->setup.n;
  for (size_t i = 0; i < es->square; i++) {
    es->c[i] *= decay;
  }
  add_rank_one(es, es->c1, es->pc);
  for (int i = 0; i < es->lambda; i++) {
    const double *step = es->steps + (size_t)es->order[i] * n;
    add_rank_one(es, weight_of(es, i, step), step);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      es->c[j * n + i] = es->c[i * n + j];
    }
  }
}

/* axes_j *= 2^(1/2 sum_k w_k (y_kj^2 - 1)) over the path and the steps: factors stay positive
 * whatever the weights are. */
static void update_axes(cq_cmaes *es, double c1, double total) {
  const size_t n = (size_t)es->setup.n;
  for (size_t j = 0; j < n; j++) {
    double sum = c1 * es->pc[j] * es->pc[j] - total;
    for (int i = 0; i < es->lambda; i++) {
      const double step = es->steps[(size_t)es->order[i] * n + j];
      sum += es->cmu * es->weights[i] * step * step;
    }
    es->axes[j] *= exp2(0.5 * sum);
  }
}

void cq_cmaes_update(cq_cmaes *es) {
  double *const shift = es->work + es->square + es->setup.n;
  if (es->usable < es->mu) {
    if (es->usable > 0) {
      move_mean(es, es->usable, shift);
    }
    es->sigma *= 0.5;
    return;
  }
  find_steps(es);
  move_mean(es, es->mu, shift);
  const bool trusted = update_ps(es, shift);
  update_pc(es, shift, trusted);
  /* what C loses where its path stands still is given back */
  const double c1 = es->c1 * (trusted ? 1 : 1 - es->cc * (2 - es->cc));
  double total = c1;
  for (int i = 0; i < es->lambda; i++) {
    total += es->cmu * es->weights[i];
  }
  if (es->square > 0) {
    update_c(es, 1 - total);
  } else {
    update_axes(es, c1, total);
  }
  const double length = sqrt(square_length(es->ps, es->setup.n));
  es->sigma *= exp(fmin(1, es->cs / es->damping * (length / es->chi - 1)));
}
