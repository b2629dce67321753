#include "repeats.h"

#include "label.h"
#include "plural.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

/* The start has one run alone, which may be off by as much. */
static bool is_no_better(const cli_outcome *o) {
  const double spread = isnan(o->result.f_deviation) ? 0.0 : o->result.f_deviation;
  return isfinite(o->f_start) && !(o->f_start - o->result.f_mean > spread);
}

/* How far the best one seen is from what it is worth. */
void cli_repeats_print(FILE *out, const cli_style *style, const cli_outcome *o) {
  const cq_outcome *const r = &o->result;
  if (r->repeats == 0) {
    return;
  }
  fprintf(out, "\n%sRe-runs     %s", style->bold, style->end);
  fprintf(out, "of %d from other starts: ", r->repeats);
  if (r->repeats_failed < r->repeats) {
    fprintf(out, "mean f %.5e, deviation %.2g, worst %.5e", r->f_mean, r->f_deviation, r->f_worst);
  }
  if (r->f_deviation > 0.0) {
    fprintf(out, "; the best seen is %.2g deviations %s the mean",
            fabs(r->f_mean - r->f) / r->f_deviation, r->f < r->f_mean ? "below" : "above");
  }
  if (r->repeats_failed > 0) {
    fprintf(out, "; %s%d failed%s", style->bad, r->repeats_failed, style->end);
  }
  if (r->repeats_failed < r->repeats && is_no_better(o)) {
    fprintf(out, "; %sit is not better than the start by more than that deviation%s", style->fair,
            style->end);
  }
}

/* Medians over the seeds; INFINITY where most have no such value. */
static double median_of(const cli_compare *c, int method, double (*of)(const cli_start *end)) {
  double *const values = calloc((size_t)c->seeds, sizeof *values);
  double median = NAN;
  for (int k = 0; k < c->seeds && values != NULL; k++) {
    values[k] = of(&c->batch.runs[cli_compare_run(c, method, k)].end);
    if (isnan(values[k])) {
      free(values);
      return NAN;
    }
  }
  if (values != NULL) {
    cli_sort(values, c->seeds);
    median = cli_quantile(values, c->seeds, 0.5);
  }
  free(values);
  return median;
}

static double mean_of(const cli_start *end) {
  return end->f_mean;
}

static double deviation_of(const cli_start *end) {
  return end->f_deviation;
}

static double worst_of(const cli_start *end) {
  return end->f_worst;
}

void cli_repeats_medians(const cli_compare *c, int method, double *mean, double *deviation) {
  *mean = median_of(c, method, mean_of);
  *deviation = median_of(c, method, deviation_of);
}

static const char *word_of(double mean, double deviation, double first, double first_deviation) {
  const double spread = fmax(deviation, first_deviation);
  if (!isfinite(mean) || !isfinite(first)) {
    return "-";
  }
  return fabs(mean - first) <= spread ? "as good" : mean < first ? "better" : "worse";
}

static void print_number(FILE *out, double value) {
  if (isfinite(value)) {
    fprintf(out, " %11.4g", value);
  } else {
    fprintf(out, " %11s", "-");
  }
}

/* Methods beside the first one, by the spread of their re-runs. */
void cli_repeats_print_compare(FILE *out, const cli_style *style, const cli_compare *c, int width) {
  double first = NAN, first_deviation = NAN;
  bool any = false;
  for (int i = 0; i < c->batch.count; i++) {
    any = any || isfinite(c->batch.runs[i].end.f_mean);
  }
  if (!any) {
    return;
  }
  cli_repeats_medians(c, 0, &first, &first_deviation);
  fprintf(out, "\n%s%-*s %11s %11s %11s %9s%s\n", style->bold, width, "method", "re-runs",
          "deviation", "worst", "is", style->end);
  for (int m = 0; m < c->methods->count; m++) {
    double mean = NAN, deviation = NAN;
    cli_repeats_medians(c, m, &mean, &deviation);
    cli_label_put(out, 0, width, c->methods->items[m].label);
    print_number(out, mean);
    print_number(out, deviation);
    print_number(out, median_of(c, m, worst_of));
    fprintf(out, " %9s\n", m == 0 ? "" : word_of(mean, deviation, first, first_deviation));
  }
}
