#include "scenarios_table.h"

#include "label.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 24, DEEPER = 4 };

void cli_scenarios_heading(const cq_scene *scene, char *text, size_t size) {
  const cq_scenarios_info s = cq_scene_scenarios(scene);
  if (s.count == 0) {
    snprintf(text, size, "Objective");
    return;
  }
  snprintf(text, size, "Objective, %s of %d", s.combine, s.evaluated);
}

/* the objective of a scenario, the sum of its terms */
static double total(const cli_outcome *o, const double *values, int scenario) {
  double sum = 0.0;
  for (int i = 0; i < o->n_terms; i++) {
    sum += values[o->n_terms * (1 + scenario) + i];
  }
  return sum;
}

static void put_row(FILE *out, int indent, const char *label, double start, double best) {
  fputc('\n', out);
  cli_label_put(out, indent, CLI_LABEL_COLUMN + 2 - indent, label);
  for (int i = 0; i < 2; i++) {
    const double value = i == 0 ? start : best;
    fprintf(out, isfinite(value) ? " %12.5e" : " %12g", value);
  }
}

static void put_scenario(FILE *out, const cli_outcome *o, int k, const char *label) {
  put_row(out, 2, label, total(o, o->terms_start, k), total(o, o->terms_best, k));
}

static void put_each(FILE *out, const cli_outcome *o) {
  for (int k = 0; k < o->n_scenarios; k++) {
    char label[64];
    snprintf(label, sizeof label, "scenario %d", k);
    put_scenario(out, o, k, label);
    for (int i = 0; i < o->n_terms && o->n_terms > 1; i++) {
      const int at = o->n_terms * (1 + k) + i;
      put_row(out, DEEPER, cq_scene_term_label(o->scene, i), o->terms_start[at], o->terms_best[at]);
    }
  }
}

/* Of many: the one that is served best, and the one that is served worst. */
static void put_ends(FILE *out, const cli_outcome *o) {
  char label[64];
  int least = 0, largest = 0;
  for (int k = 1; k < o->n_scenarios; k++) {
    const double f = total(o, o->terms_best, k);
    least = f < total(o, o->terms_best, least) ? k : least;
    largest = f > total(o, o->terms_best, largest) ? k : largest;
  }
  snprintf(label, sizeof label, "least: scenario %d", least);
  put_scenario(out, o, least, label);
  snprintf(label, sizeof label, "largest: scenario %d", largest);
  put_scenario(out, o, largest, label);
}

void cli_scenarios_print(FILE *out, const cli_style *style, const cli_outcome *o) {
  const int rows = o->n_scenarios * (o->n_terms > 1 ? 1 + o->n_terms : 1);
  if (rows == 0) {
    return;
  }
  fprintf(out, "\n%s%-*s %12s %12s%s", style->bold, CLI_LABEL_COLUMN + 2, "In each scenario",
          "start", "best", style->end);
  if (rows <= MOST_ROWS) {
    put_each(out, o);
    fputc('\n', out);
    return;
  }
  put_ends(out, o);
  fprintf(out, "\n  %severy scenario is in history.csv%s\n", style->dim, style->end);
}
