/* What a bench found: a list of numbers, each with the bar it is held against. */
#ifndef CQ_BENCH_METRICS_H
#define CQ_BENCH_METRICS_H

#include "cqopt/base.h"

enum { CQ_MAX_METRICS = 512 };

typedef enum cq_bar { CQ_BAR_NONE, CQ_BAR_AT_LEAST, CQ_BAR_AT_MOST } cq_bar;

typedef struct cq_metric {
  const char *scene, *pass, *quantity, *unit;
  double value;
  cq_bar sense;
  double bar;
} cq_metric;

typedef struct cq_metrics {
  cq_metric rows[CQ_MAX_METRICS];
  int count;
} cq_metrics;

/* The texts are kept by reference. A bar of 0 is none. */
void cq_metrics_add(cq_metrics *metrics, cq_metric row);
/* NULL when there is none. */
const cq_metric *cq_metrics_find(const cq_metrics *metrics, const char *scene, const char *pass,
                                 const char *quantity);
bool cq_metric_holds(const cq_metric *metric);

#endif
