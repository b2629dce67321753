/* Bounds. Two ways to keep candidates inside while the distribution knows of no bounds:
 *
 * transformation  x = T(y), the identity inside, bent to a parabola where a bound is nearer than
 *                 `bend` and mirrored beyond; smooth, and every y means some x.
 * penalty         x is y moved onto the bounds, and the value gets 1/n sum_j gamma_j (y_j - x_j)^2
 *                 with weights that grow while the mean is far outside (Hansen et al., IEEE Trans.
 *                 Evolutionary Computation 13, 2009, section IV-B).
 */
#include "cmaes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y and x differ within this of a bound, a twentieth of the range or of one unit */
static double bend(const cq_cmaes *es, int j) {
  return 0.05 * fmin(1, es->upper[j] - es->lower[j]);
}

static double mirror(double y, double low, double high) {
  if (low <= y && y <= high) {
    return y;
  }
  if (isfinite(low) && isfinite(high)) {
    const double range = high - low, at = fmod(fabs(y - low), 2 * range);
    return low + fmin(at, 2 * range - at);
  }
  return isfinite(low) ? low + fabs(y - low) : isfinite(high) ? high - fabs(high - y) : y;
}

static double transform(const cq_cmaes *es, int j, double y) {
  const double low = es->lower[j], high = es->upper[j], a = bend(es, j);
  const double t = mirror(y, low - a, high + a);
  if (t < low + a) {
    return low + pow(t - (low - a), 2) / (4 * a);
  }
  return t > high - a ? high - pow(high + a - t, 2) / (4 * a) : t;
}

double cq_cmaes_inverse(const cq_cmaes *es, int j, double x) {
  const double low = es->lower[j], high = es->upper[j], a = bend(es, j);
  if (es->setup.penalty) {
    return x;
  }
  if (x < low + a) {
    return low - a + 2 * sqrt(a * fmax(x - low, 0));
  }
  return x > high - a ? high + a - 2 * sqrt(a * fmax(high - x, 0)) : x;
}

static double clip(const cq_cmaes *es, int j, double y) {
  return fmin(fmax(y, es->lower[j]), es->upper[j]);
}

void cq_cmaes_candidate(const cq_cmaes *es, int k, double *x) {
  const double *y = es->population + (size_t)k * (size_t)es->setup.n;
  for (int j = 0; j < es->setup.n; j++) {
    x[j] = clip(es, j, es->setup.penalty ? y[j] : transform(es, j, y[j]));
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The typical range of values, from the lower to the upper quartile, in units of the variance; NAN
 * while there is none. */
static double typical_range(cq_cmaes *es, const cq_candidate *values) {
  int count = 0;
  double variance = 0;
  for (int k = 0; k < es->lambda; k++) {
    if (!values[k].failed) {
      es->sorted[count++] = values[k].f;
    }
  }
  for (int j = 0; j < es->setup.n; j++) {
    variance += pow(cq_cmaes_deviation(es, j), 2) / es->setup.n;
  }
  qsort(es->sorted, (size_t)count, sizeof *es->sorted, ascending);
  const double range =
      count >= 3 ? (es->sorted[3 * (count + 1) / 4] - es->sorted[(count + 1) / 4]) / variance : 0;
  if (range > 0) {
    if (es->n_spreads == es->spread_room) {
      es->n_spreads--;
      memmove(es->spreads, es->spreads + 1, (size_t)es->n_spreads * sizeof *es->spreads);
    }
    es->spreads[es->n_spreads++] = range;
  }
  const int n = es->n_spreads;
  memcpy(es->sorted, es->spreads, (size_t)n * sizeof *es->sorted);
  qsort(es->sorted, (size_t)n, sizeof *es->sorted, ascending);
  return n > 0 ? 0.5 * (es->sorted[(n - 1) / 2] + es->sorted[n / 2]) : NAN;
}

/* The weights of the penalty: set when the mean first leaves the bounds, raised where it is far
 * outside, lowered where they have grown too large. */
static void adapt_gamma(cq_cmaes *es, double range) {
  const double n = es->setup.n;
  const double damp = fmin(1, es->mueff / (10 * n)), free = 3 * fmax(1, sqrt(n) / es->mueff);
  bool outside = false;
  for (int j = 0; j < es->setup.n; j++) {
    outside = outside || clip(es, j, es->mean[j]) != es->mean[j];
  }
  const bool first = outside && (!es->has_gamma || es->generation == 2);
  es->has_gamma = es->has_gamma || first;
  for (int j = 0; j < es->setup.n && es->has_gamma; j++) {
    const double far =
        fabs(es->mean[j] - clip(es, j, es->mean[j])) / cq_cmaes_deviation(es, j) - free;
    es->gamma[j] = first ? 2 * range : es->gamma[j];
    es->gamma[j] *= far > 0 ? exp(0.5 * damp * tanh(far / 3)) : 1;
    es->gamma[j] *= es->gamma[j] > 5 * range ? exp(-damp / 3) : 1;
  }
}

void cq_cmaes_penalize(cq_cmaes *es, const cq_candidate *values) {
  const int n = es->setup.n;
  memcpy(es->judged, values, (size_t)es->lambda * sizeof *values);
  if (!es->setup.penalty) {
    return;
  }
  const double range = typical_range(es, values);
  if (!isnan(range)) {
    adapt_gamma(es, range);
  }
  for (int k = 0; k < es->lambda; k++) {
    const double *y = es->population + (size_t)k * (size_t)n;
    double penalty = 0, beyond = 0;
    for (int j = 0; j < n; j++) {
      const double distance = y[j] - clip(es, j, y[j]);
      penalty += (es->has_gamma ? es->gamma[j] : 0) * distance * distance / n;
      beyond += pow(distance / cq_cmaes_deviation(es, j), 2) / n;
    }
    es->judged[k].f += penalty;
    es->judged[k].violation *= 1 + beyond; /* that f does not count there */
  }
}
