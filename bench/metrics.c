#include "metrics.h"

#include <assert.h>
#include <string.h>

void cq_metrics_add(cq_metrics *metrics, cq_metric row) {
  assert(metrics->count < CQ_MAX_METRICS);
  row.sense = row.bar > 0.0 ? row.sense : CQ_BAR_NONE;
  metrics->rows[metrics->count++] = row;
}

const cq_metric *cq_metrics_find(const cq_metrics *metrics, const char *scene, const char *pass,
                                 const char *quantity) {
  for (int i = 0; i < metrics->count; i++) {
    const cq_metric *const row = &metrics->rows[i];
    if (strcmp(row->scene, scene) == 0 && strcmp(row->pass, pass) == 0 &&
        strcmp(row->quantity, quantity) == 0) {
      return row;
    }
  }
  return NULL;
}

bool cq_metric_holds(const cq_metric *metric) {
  return metric->sense == CQ_BAR_NONE ||
         (metric->sense == CQ_BAR_AT_LEAST ? metric->value >= metric->bar
                                           : metric->value <= metric->bar);
}
