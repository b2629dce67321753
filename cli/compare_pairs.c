/* The cumulative distribution of what it took to reach targets. */
#include "compare.h"
#include "csv.h"
#include "gnuplot.h"
#include "statistics.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>

static const double FINEST = 1.0 / 400; /* of all pairs */

double cli_compare_target(const cli_compare *c, int i) {
  return c->best + c->gap * pow(10, -0.1 * i);
}

static double unit_of(const cli_pairs *p, const cli_compare *c) {
  return p->per_variable ? c->n : 1.0;
}

/* what was spent at the pairs that were reached, into hits (NULL: none wanted); their number */
static int find_hits(const cli_pairs *p, int method, double *hits) {
  int n = 0;
  for (int i = 0; i < p->count * p->compares->seeds; i++) {
    const cli_compare *const c = &p->compares[i % p->count];
    const cli_curve *const curve = &c->curves[cli_compare_run(c, method, i / p->count)];
    for (int k = 0; k < CLI_TARGETS; k++) {
      const double hit = cli_curve_hit(curve, c->counted.unit, cli_compare_target(c, k));
      if (isfinite(hit) && hits != NULL) {
        hits[n] = hit / unit_of(p, c);
      }
      n += isfinite(hit);
    }
  }
  return n;
}

static double all_pairs(const cli_pairs *p) {
  return (double)p->count * p->compares->seeds * CLI_TARGETS;
}

double cli_pairs_share(const cli_pairs *p, int method) {
  return find_hits(p, method, NULL) / all_pairs(p);
}

static void put_row(const char *method, double spent, double share, FILE *out) {
  cq_csv_text(out, method);
  fputc(',', out);
  cq_csv_number(out, spent);
  fputc(',', out);
  cq_csv_number(out, share);
  fputc('\n', out);
}

/* a step at each value, none smaller than a picture can show, and the end of the longest run */
static void put_method(const cli_pairs *p, int method, double *hits, FILE *out) {
  const char *const label = p->compares->methods->items[method].label;
  const int n = find_hits(p, method, hits), least = (int)ceil(FINEST * all_pairs(p));
  double end = 0;
  int shown = 0;
  cli_sort(hits, n);
  for (int i = 0; i < n; i++) {
    if (i + 1 == n || (hits[i + 1] > hits[i] && i + 1 - shown >= least)) {
      shown = i + 1;
      put_row(label, hits[i], (i + 1) / all_pairs(p), out);
    }
  }
  for (int i = 0; i < p->count; i++) {
    const cli_compare *const c = &p->compares[i];
    end = fmax(end, cli_compare_longest(c, method, c->counted.unit) / unit_of(p, c));
  }
  put_row(label, end, n / all_pairs(p), out);
}

static void name_axis(const cli_pairs *p, char text[64]) {
  snprintf(text, 64, "%s%s", cli_unit_name(p->compares->counted.unit),
           p->per_variable ? " per variable" : "");
}

cq_status cli_pairs_write(void *user, FILE *out) {
  const cli_pairs *const p = user;
  char axis[64];
  double *const hits = calloc((size_t)all_pairs(p), sizeof *hits);
  CQ_CHECK(p->compares->ctx, hits != NULL, CQ_MEMORY, "out of memory");
  name_axis(p, axis);
  fprintf(out, "method,%s,fraction\n", axis);
  for (int m = 0; m < p->compares->methods->count; m++) {
    put_method(p, m, hits, out);
  }
  free(hits);
  return CQ_OK;
}

/* A curve a method, through the table beside the picture. */
void cli_plot_pairs(const cli_pairs *p, const char *folder) {
  const cli_variants *const methods = p->compares->methods;
  cli_script script = cli_script_open(p->compares->ctx, folder, "ecdf", 900, 480);
  char axis[64];
  if (script.out == NULL) {
    return;
  }
  name_axis(p, axis);
  fprintf(script.out,
          "set lmargin 10\nset rmargin 3\nset key noenhanced below\n"
          "set logscale x\nset yrange [0:1]\nset xlabel '%s'\n"
          "set ylabel 'share of (run, target) pairs reached'\nset title ",
          axis);
  cli_script_text(&script, p->title);
  fprintf(script.out, " noenhanced font ',17'\nplot ");
  for (int m = 0; m < methods->count; m++) {
    fprintf(script.out, "%s'ecdf.csv' using (strcol('method') eq ", m > 0 ? ", \\\n  " : "");
    cli_script_text(&script, methods->items[m].label);
    fprintf(script.out, " ? column(2) : NaN):'fraction' with steps lw 2 lc rgb '%s' title ",
            cli_script_colour(m));
    cli_script_text(&script, methods->items[m].label);
  }
  fprintf(script.out, "\n");
  cli_script_close(&script);
}
