/* Parameters of the strategy: weights, learning rates, damping. */
#include "cmaes.h"

#include <limits.h>
#include <math.h>

static double sum(const double *w, int from, int to) {
  double total = 0;
  for (int i = from; i < to; i++) {
    total += w[i];
  }
  return total;
}

/* (sum w)^2 / sum w^2: how many equal weights have that variance */
static double effective(const double *w, int from, int to) {
  double squares = 0;
  for (int i = from; i < to; i++) {
    squares += w[i] * w[i];
  }
  return squares > 0 ? pow(sum(w, from, to), 2) / squares : 0;
}

static void set_weights(cq_cmaes *es) {
  double *w = es->weights;
  es->mu = 0;
  for (int i = 0; i < es->lambda; i++) {
    w[i] = log(0.5 * (es->lambda + 1)) - log(i + 1.0);
    es->mu += w[i] > 0;
  }
  const double positive = sum(w, 0, es->mu);
  for (int i = 0; i < es->lambda; i++) {
    w[i] /= positive;
  }
  es->mueff = effective(w, 0, es->mu);
}

static void set_rates(cq_cmaes *es) {
  const double n = es->setup.n, m = es->mueff, gain = 0.25 + m + 1 / m - 2;
  if (es->setup.separable) {
    es->cc = (1 + 1 / n + m / n) / (sqrt(n) + 1 / n + 2 * m / n);
    es->c1 = 1 / (n + 2 * sqrt(n) + m / n);
    es->cmu = fmin(1 - es->c1, gain / (n + 4 * sqrt(n) + 0.5 * m));
    return;
  }
  es->cc = (4 + m / n) / (n + 4 + 2 * m / n);
  es->c1 = fmin(1, es->lambda / 6.0) * 2 / (pow(n + 1.3, 2) + m);
  es->cmu = fmin(1 - es->c1, 2 * gain / (pow(n + 2, 2) + m));
}

/* Negative weights sum to -1 - c1 / cmu, so that C does not decay by itself, but to no more than
 * their variance warrants, and C stays positive definite. */
static void set_negative(cq_cmaes *es) {
  double *w = es->weights;
  const double minus = effective(w, es->mu, es->lambda);
  double size = fmin(1 + es->c1 / es->cmu, 1 + 2 * minus / (es->mueff + 2));
  if (!es->setup.separable) {
    size = fmin(size, (1 - es->c1 - es->cmu) / (es->cmu * es->setup.n));
  }
  const double factor = size / -sum(w, es->mu, es->lambda);
  for (int i = es->mu; i < es->lambda; i++) {
    w[i] *= factor;
  }
}

static int whole(double x) {
  return (int)fmin(x, INT_MAX);
}

void cq_cmaes_set_parameters(cq_cmaes *es) {
  const double n = es->setup.n;
  set_weights(es);
  set_rates(es);
  set_negative(es);
  es->cs = (es->mueff + 2) / (n + es->mueff + 3);
  es->damping = 1 + 2 * fmax(0, sqrt((es->mueff - 1) / (n + 1)) - 1) + es->cs;
  es->chi = sqrt(2) * exp(lgamma(0.5 * (n + 1)) - lgamma(0.5 * n));
  es->gap = 1 / ((es->c1 + es->cmu) * n * 10);
  es->tolstagnation = whole(100 + 100 * pow(n, 1.5) / es->lambda);
  if (es->setup.most_generations == 0) {
    es->setup.most_generations = whole(100 + 150 * pow(n + 3, 2) / sqrt(es->lambda));
  }
}
