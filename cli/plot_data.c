#include "plot_data.h"

#include "nearest.h"
#include "status.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

cli_plot_curve *cli_plot_add(cli_plot_data *data, const char *label) {
  cli_plot_curve *const more = realloc(data->curves, ((size_t)data->count + 1) * sizeof *more);
  if (more == NULL) {
    return NULL;
  }
  data->curves = more;
  cli_plot_curve *const curve = &more[data->count++];
  *curve = (cli_plot_curve){.count = 0};
  snprintf(curve->label, sizeof curve->label, "%s", label);
  return curve;
}

/* room grows by doubling: it is full at powers of two */
cq_status cli_plot_point(cli_plot_data *data, cli_plot_curve *curve, double x, double y) {
  const size_t n = (size_t)curve->count;
  if ((n & (n - 1)) == 0) {
    const size_t bytes = (n == 0 ? 1 : 2 * n) * sizeof(double);
    double *const more_x = realloc(curve->x, bytes);
    curve->x = more_x != NULL ? more_x : curve->x;
    double *const more_y = realloc(curve->y, bytes);
    curve->y = more_y != NULL ? more_y : curve->y;
    CQ_CHECK(data->ctx, more_x != NULL && more_y != NULL, CQ_MEMORY, "out of memory");
  }
  curve->x[n] = x;
  curve->y[n] = y;
  curve->count++;
  return CQ_OK;
}

void cli_plot_free(cli_plot_data *data) {
  for (int i = 0; i < data->count; i++) {
    free(data->curves[i].x);
    free(data->curves[i].y);
  }
  free(data->curves);
}

/* First the names that stand for something, then the headings. */
cq_status cli_plot_column(cq_ctx *ctx, const cli_table *table, const char *path,
                          const char *const *names, int n, const char *name, int *column) {
  char heading[128];
  cq_nearest nearest = cq_nearest_begin(name);
  for (int i = 0; i < n; i++) {
    *column = -1 - i;
    if (strcmp(names[i], name) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, names[i]);
  }
  for (int i = 0; cli_table_heading(table, i, heading, sizeof heading); i++) {
    *column = i;
    if (strcmp(heading, name) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, heading);
  }
  const char *const text = cq_nearest_text(&nearest);
  const bool lists = strstr(text, "known are") != NULL;
  return CQ_FAIL(ctx, CQ_USAGE, "%s has no column \"%s\"; %s%s%s", path, name, text,
                 lists ? "" : " known are: ", lists ? "" : nearest.all);
}
