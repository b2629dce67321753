/* Heading and rows of history.csv. */
#include "csv.h"
#include "hash.h"
#include "trace_file.h"

#include <inttypes.h>
#include <math.h>

static void put_labels(const char *const *labels, int count, const char *by_default, FILE *csv) {
  for (int i = 0; i < count; i++) {
    char label[32];
    snprintf(label, sizeof label, "%s_%d", by_default, i);
    fputc(',', csv);
    cq_csv_text(csv, labels != NULL ? labels[i] : label);
  }
}

void cq_trace_put_columns(const cq_trace_def *def, FILE *csv) {
  fputs("eval,kind,x_hash,f", csv);
  put_labels(def->extra_labels, def->n_extra, "extra", csv);
  put_labels(def->constraint_labels, def->n_constraints, "c", csv);
  fputs(",violation,status,refinement,gradient_norm,eval_seconds,elapsed_seconds\n", csv);
}

/* printf writes a NaN with its sign, which means nothing */
static void put_number(FILE *csv, const char *format, double value) {
  fputc(',', csv);
  if (isnan(value)) {
    fputs("nan", csv);
  } else {
    fprintf(csv, format, value);
  }
}

/* of f, in the units of x; nothing where there is no gradient */
static void put_gradient_norm(const cq_evaluation *e, FILE *csv) {
  double sum = 0.0;
  for (int i = 0; i < e->n && e->grad != NULL; i++) {
    sum += e->grad[i] * e->grad[i];
  }
  if (e->grad != NULL) {
    put_number(csv, "%.9g", sqrt(sum));
  } else {
    fputc(',', csv);
  }
}

/* A row of history.csv, whose columns are those of cq_trace_put_columns. */
void cq_trace_put_row(const cq_evaluation *e, FILE *csv) {
  static const char exact[] = "%.17g", seconds[] = "%.6f";
  const char *const kind = e->probe             ? "probe"
                           : e->has_gradient    ? "fg"
                           : e->reduced != NULL ? "fj"
                                                : "f";
  fprintf(csv, "%d,%s,%016" PRIx64, e->index, kind, cq_hash(e->x, (size_t)e->n * sizeof(double)));
  put_number(csv, exact, e->f);
  for (int i = 0; i < e->n_extra; i++) {
    put_number(csv, exact, e->extra[i]);
  }
  for (int i = 0; i < e->n_constraints; i++) {
    put_number(csv, exact, e->c[i]);
  }
  put_number(csv, exact, e->violation);
  fprintf(csv, ",%s,%d", cq_status_name(e->status), e->refinement);
  put_gradient_norm(e, csv);
  put_number(csv, seconds, e->seconds);
  put_number(csv, seconds, e->elapsed);
  fputc('\n', csv);
}
