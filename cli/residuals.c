#include "residuals.h"

#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 400 }; /* run.json is read as a whole */

/* Residuals of one marker (or term), or of one time. */
typedef struct group {
  const char *term;
  double marker, time;
  int scenario, count;
  double squares, largest;
} group;

static cq_residual_info about(const cli_uncertainty *u, int i) {
  return cq_scene_residual(u->scene, i, u->of->residuals);
}

/* in standard deviations of the data; NAN where nothing tells these */
static double standardised(const cli_uncertainty *u, int i) {
  return u->of->residuals[i] / u->of->deviation;
}

/* A line each; the scenario is empty where there are none. */
cq_status cli_residuals_write(void *uncertainty, FILE *out) {
  const cli_uncertainty *const u = uncertainty;
  fputs("scenario,term,marker,component,time,measured,simulated,residual,weight,standardised\n",
        out);
  for (int i = 0; i < u->of->n_residuals; i++) {
    const cq_residual_info r = about(u, i);
    if (r.scenario >= 0) {
      fprintf(out, "%d", r.scenario);
    }
    fputc(',', out);
    cq_csv_text(out, r.term);
    fputc(',', out);
    cq_csv_number(out, r.marker);
    fprintf(out, ",%.1s", r.component >= 0 ? &"xyz"[r.component] : "");
    const double numbers[] = {r.time,   r.measured,        r.simulated, r.simulated - r.measured,
                              r.weight, standardised(u, i)};
    for (size_t c = 0; c < sizeof numbers / sizeof *numbers; c++) {
      fputc(',', out);
      cq_csv_number(out, numbers[c]);
    }
    fputc('\n', out);
  }
  return CQ_OK;
}

static bool same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static bool is_of(const group *g, const cq_residual_info *r, bool by_time) {
  return by_time ? same(g->time, r->time)
                 : g->scenario == r->scenario && same(g->marker, r->marker) &&
                       strcmp(g->term, r->term) == 0;
}

/* Adds a residual to its group, a new one where there is room; how many there are then. */
static int add(const cli_uncertainty *u, int i, bool by_time, group *groups, int count) {
  const cq_residual_info r = about(u, i);
  int k = 0;
  while (k < count && !is_of(&groups[k], &r, by_time)) {
    k++;
  }
  if (k == count && count == MOST_GROUPS) {
    return count;
  }
  if (k == count) {
    groups[count++] =
        (group){.term = r.term, .marker = r.marker, .time = r.time, .scenario = r.scenario};
  }
  const double of = standardised(u, i);
  groups[k].count++;
  groups[k].squares += of * of;
  groups[k].largest = fmax(groups[k].largest, fabs(of));
  return count;
}

static int compare_times(const void *a, const void *b) {
  const group *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

/* What groups are of, as far as they differ by it. */
static void put_groups(cq_json *json, const char *name, bool by_time, const group *groups,
                       int count) {
  cq_json_open(json, name, '[');
  for (int k = 0; k < count; k++) {
    const group *g = &groups[k];
    cq_json_open(json, NULL, '{');
    if (by_time) {
      cq_json_number(json, "time", g->time);
    } else {
      cq_json_text(json, "term", g->term);
      cq_json_number(json, "marker", g->marker);
      cq_json_number(json, "scenario", g->scenario >= 0 ? g->scenario : NAN);
    }
    cq_json_count(json, "count", g->count);
    cq_json_number(json, "root_mean_square", sqrt(g->squares / g->count));
    cq_json_number(json, "largest", g->largest);
    cq_json_shut(json, '{');
  }
  cq_json_shut(json, '[');
}

static void put(cq_json *json, const cli_uncertainty *u, const char *name, bool by_time) {
  group *const groups = calloc(MOST_GROUPS, sizeof *groups);
  int count = 0;
  for (int i = 0; groups != NULL && i < u->of->n_residuals; i++) {
    count = add(u, i, by_time, groups, count);
  }
  if (by_time && groups != NULL) {
    qsort(groups, (size_t)count, sizeof *groups, compare_times);
  }
  put_groups(json, name, by_time, groups, count);
  free(groups);
}

void cli_residuals_json(cq_json *json, const cli_uncertainty *u) {
  put(json, u, "residuals_by_marker", false);
  put(json, u, "residuals_by_time", true);
}
