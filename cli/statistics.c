#include "statistics.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { MOST_EXACT = 20, MOST_SUM = 2 * MOST_EXACT * MOST_EXACT };

void cli_sort(double *values, int n) {
  gsl_sort(values, 1, (size_t)n);
}

/* between a value and INFINITY there is no middle */
double cli_quantile(const double *sorted, int n, double p) {
  if (n == 0) {
    return NAN;
  }
  const double place = p * (n - 1);
  if (place == floor(place) || isinf(sorted[(int)ceil(place)])) {
    return sorted[(int)ceil(place)];
  }
  return gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)n, p);
}

/* U of a: pairs in which a is the larger, ties half; *ties: sum of t^3 - t over groups of equals */
static double rank_sum(const double *a, int n_a, const double *b, int n_b, double *ties) {
  double u = 0;
  *ties = 0;
  for (int i = 0; i < n_a + n_b; i++) {
    const double x = i < n_a ? a[i] : b[i - n_a];
    double equal = 0;
    for (int j = 0; j < n_a + n_b; j++) {
      const double y = j < n_a ? a[j] : b[j - n_a];
      equal += x == y;
      u += i < n_a && j >= n_a ? (x > y) + 0.5 * (x == y) : 0;
    }
    *ties += equal * equal - 1; /* t times over a group of t */
  }
  return u;
}

/* P(U <= u) without ties: of all choices of n_a among the ranks, those with such a sum */
static double exact_tail(int n_a, int n_b, double u) {
  double ways[MOST_EXACT + 1][MOST_SUM] = {{1}}; /* [chosen][sum of ranks from 0 on] */
  double below = 0, all = 0;
  const int least = n_a * (n_a - 1) / 2;
  for (int rank = 0; rank < n_a + n_b; rank++) {
    for (int k = n_a; k > 0; k--) {
      for (int sum = MOST_SUM - 1; sum >= rank; sum--) {
        ways[k][sum] += ways[k - 1][sum - rank];
      }
    }
  }
  for (int sum = least; sum < MOST_SUM; sum++) {
    all += ways[n_a][sum];
    below += sum - least <= u ? ways[n_a][sum] : 0;
  }
  return below / all;
}

double cli_mann_whitney(const double *a, int n_a, const double *b, int n_b) {
  if (n_a == 0 || n_b == 0) {
    return NAN;
  }
  double ties = 0;
  const double n = n_a + n_b, pairs = (double)n_a * n_b;
  const double u = rank_sum(a, n_a, b, n_b, &ties), less = fmin(u, pairs - u);
  if (ties == 0 && n_a <= MOST_EXACT && n_b <= MOST_EXACT) {
    return fmin(1.0, 2 * exact_tail(n_a, n_b, less));
  }
  const double variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)));
  const double distance = fmax(0.0, pairs / 2 - less - 0.5);
  return variance > 0 ? 2 * gsl_cdf_ugaussian_Q(distance / sqrt(variance)) : 1.0;
}

double cli_expected_running_time(const double *spent, const bool *reached, int n) {
  double total = 0;
  int successes = 0;
  for (int i = 0; i < n; i++) {
    total += spent[i];
    successes += reached[i];
  }
  return successes > 0 ? total / successes : INFINITY;
}
