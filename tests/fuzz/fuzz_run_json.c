/* run.json, as show, report and resume read it. */
#include "fuzz.h"

#include "half_step.h"
#include "report.h"
#include "run_read.h"
#include "run_state.h"
#include "starts.h"

#include <stdlib.h>
#include <string.h>

static void use_members(const char *json) {
  static const char *const names[] = {"command", "status",  "reason",      "pid",
                                      "host",    "started", "config_hash", "multipliers"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char value[32];
    cli_run_member(json, names[i], value, sizeof value);
    if (strlen(value) >= sizeof value) {
      abort();
    }
    cli_run_number(json, names[i]);
  }
  cli_half_step_read(json);
}

static void read_start(void) {
  cq_ctx *const ctx = fuzz_begin();
  cli_start start;
  cli_start_read(ctx, fuzz_folder(), 1, ".", &start);
  cli_starts starts = {.count = 1, .starts = &start, .constraint_tolerance = 1e-6};
  cli_starts_judge(&starts);
  cli_start_word(&start);
  cq_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cq_ctx *const ctx = fuzz_begin();
  char *json = NULL;
  cli_state state = CLI_ENDED;
  fuzz_file("evals.bin", "", 0);
  fuzz_file("run.json", data, size);
  cq_status status = cli_run_read(ctx, fuzz_folder(), &json);
  if (status == CQ_OK) {
    use_members(json);
  }
  free(json);
  json = NULL;
  status = cli_run_state(ctx, fuzz_folder(), &json, &state);
  free(json);
  cli_report_best(ctx, fuzz_folder());
  fuzz_end(ctx, status);
  read_start();
  return 0;
}
