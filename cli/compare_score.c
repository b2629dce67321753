/* What a comparison says about its methods. */
#include "compare.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

int cli_compare_run(const cli_compare *c, int method, int seed) {
  return seed * c->methods->count + method;
}

static double final_value(const cli_curve *curve) {
  return curve->count > 0 ? curve->steps[curve->count - 1].f : INFINITY;
}

/* the least of all, and how far the starts are from it */
static void find_range(cli_compare *c, double *room) {
  int n = 0;
  c->best = isnan(c->optimum) ? INFINITY : c->optimum;
  for (int i = 0; i < c->batch.count; i++) {
    c->best = fmin(c->best, final_value(&c->curves[i]));
  }
  for (int i = 0; i < c->batch.count && isfinite(c->best); i++) {
    if (isfinite(c->curves[i].f_first)) {
      room[n++] = fabs(c->curves[i].f_first - c->best);
    }
  }
  cli_sort(room, n);
  c->gap = cli_quantile(room, n, 0.5);
}

static void choose_target(cli_compare *c) {
  if (isnan(c->target) && !isnan(c->gap)) {
    c->target = c->best + c->share * c->gap;
  }
}

static double median_of(double *values, int n) {
  cli_sort(values, n);
  return cli_quantile(values, n, 0.5);
}

static void final_values(const cli_compare *c, int method, double *values) {
  for (int k = 0; k < c->seeds; k++) {
    values[k] = final_value(&c->curves[cli_compare_run(c, method, k)]);
  }
}

/* expected running time, and how long those took that got there */
static void score_target(const cli_compare *c, int method, double *room, cli_score *score) {
  double *const spent = room, *const hits = room + c->seeds, *const seconds = hits + c->seeds;
  bool *const reached = calloc((size_t)c->seeds, sizeof *reached);
  const cli_unit unit = c->counted.unit;
  for (int k = 0; k < c->seeds && reached != NULL; k++) {
    const cli_curve *const curve = &c->curves[cli_compare_run(c, method, k)];
    const double hit = isnan(c->target) ? INFINITY : cli_curve_hit(curve, unit, c->target);
    reached[k] = isfinite(hit);
    spent[k] = reached[k] ? hit : curve->end[unit];
    if (reached[k]) {
      seconds[score->successes] = cli_curve_hit(curve, CLI_SECONDS, c->target);
      hits[score->successes++] = hit;
    }
  }
  score->expected =
      reached != NULL ? cli_expected_running_time(spent, reached, c->seeds) : INFINITY;
  score->hit = median_of(hits, score->successes);
  score->hit_seconds = median_of(seconds, score->successes);
  free(reached);
}

static cli_score score_method(const cli_compare *c, int method, double *room) {
  double *const values = room, *const first = room + c->seeds;
  cli_score score = {.p = NAN};
  final_values(c, method, values);
  final_values(c, 0, first);
  if (method > 0) {
    score.p = cli_mann_whitney(values, c->seeds, first, c->seeds);
  }
  cli_sort(values, c->seeds);
  for (int q = 0; q < 3; q++) {
    score.f[q] = cli_quantile(values, c->seeds, 0.25 * (q + 1));
  }
  score_target(c, method, room, &score);
  return score;
}

void cli_compare_score(cli_compare *c) {
  double *const room = calloc((size_t)(c->batch.count + 3 * c->seeds), sizeof *room);
  if (room == NULL) {
    return;
  }
  find_range(c, room);
  choose_target(c);
  for (int m = 0; m < c->methods->count; m++) {
    c->scores[m] = score_method(c, m, room);
  }
  free(room);
}
