/* history.csv and other tables of a run folder, as show, plot, compare and report read them. The
 * first 32 bytes are the head of an evals.bin beside them. */
#include "fuzz.h"

#include "plot_data.h"
#include "run_curve.h"
#include "run_state.h"
#include "starts.h"
#include "trace_format.h"

#include <stdlib.h>
#include <string.h>

static const char json[] = "{\n  \"status\": \"OK\",\n  \"constraint_tolerance\": 1e-06,\n"
                           "  \"best_evaluation\": 2\n}\n";

static void read_history(void) {
  cq_ctx *const ctx = fuzz_begin();
  cli_history history;
  const cq_status status = cli_history_read(ctx, fuzz_folder(), json, &history);
  cli_history_best(&history, "violation"); /* as list does, whatever the status is */
  cli_history_free(&history);
  fuzz_end(ctx, status);
}

static void read_curve(void) {
  cq_ctx *const ctx = fuzz_begin();
  const cli_curve_def def = {.constraint_tolerance = 1e-6, .gradient_cost = 3.0, .budget = 100.0};
  cli_curve curve = {0};
  const cq_status status = cli_curve_read(ctx, fuzz_folder(), &def, &curve);
  if (status == CQ_OK) {
    cli_curve_at(&curve, CLI_EVALUATIONS, 3.0);
  }
  cli_curve_free(&curve);
  fuzz_end(ctx, status);
}

static void read_plot(const char *path, const char *y) {
  static const char *const wheres[] = {"status=OK"};
  cq_ctx *const ctx = fuzz_begin();
  const cli_plot_def def = {.y = y, .wheres = wheres, .n_wheres = y == NULL};
  cli_plot_data data = {.ctx = ctx};
  const cq_status status = cli_plot_read(&def, path, &data);
  cli_plot_free(&data);
  fuzz_end(ctx, status);
}

static void read_starts(void) {
  cq_ctx *const ctx = fuzz_begin();
  cli_starts starts;
  const cq_status status = cli_starts_read(ctx, fuzz_folder(), 1e-6, &starts);
  int *const order = calloc((size_t)starts.count + 1, sizeof *order);
  if (order != NULL) {
    cli_starts_rank(&starts, order);
  }
  free(order);
  free(starts.starts);
  fuzz_end(ctx, status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { HEAD = sizeof(cq_trace_header) };
  const size_t head = size < HEAD ? size : HEAD;
  fuzz_file("evals.bin", data, head);
  fuzz_file("run.json", json, sizeof json - 1);
  fuzz_file("starts.csv", data + head, size - head);
  char path[256];
  snprintf(path, sizeof path, "%s", fuzz_file("history.csv", data + head, size - head));
  read_history();
  read_curve();
  read_plot(path, "f");
  read_plot(path, NULL);
  read_plot(fuzz_folder(), "best");
  read_starts();
  return 0;
}
