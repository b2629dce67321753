/* cqopt list: the built-in problems with the size of each and what a solve takes, the optimizers,
 * or the runs below a folder. */
#include "cqopt/cqopt.h"

#include "clock.h"
#include "nearest.h"
#include "options.h"
#include "runs_list.h"
#include "status.h"

#include <string.h>

static int widest_name(void) {
  size_t widest = 0;
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    const size_t width = strlen(cq_builtin_name(i));
    widest = width > widest ? width : widest;
  }
  return (int)widest;
}

static cq_status print_one(cq_ctx *ctx, int i, int width) {
  cq_file *file = NULL;
  CQ_TRY(cq_file_load(ctx, cq_builtin_name(i), NULL, 0, &file));
  const cq_scene *const scene = cq_file_scene(file);
  const cq_scene_info info = cq_scene_information(scene);
  const int n = cq_scene_problem(scene)->n;
  char time[CLI_STAMP];
  cli_clock_duration(info.expected, time);
  printf("%-*s %dD %7d particles x %5d steps %5d variable%s %11s  %s\n", width, cq_builtin_name(i),
         info.dimension, info.particles, info.steps, n, n == 1 ? " " : "s", time,
         cq_builtin_title(i));
  cq_file_destroy(file);
  return CQ_OK;
}

/* Runs, optimizers or problems, whichever is asked for. */
cq_status cmd_list(cq_ctx *ctx, const cli_options *options) {
  if (options->runs) {
    return cli_runs_print(ctx, options->argument != NULL ? options->argument : "results", stdout);
  }
  const char *const what = options->argument != NULL ? options->argument : "problems";
  if (cq_same_word(what, "optimizers") || cq_same_word(what, "algorithms") ||
      cq_same_word(what, "methods")) {
    cli_optimizers_print(stdout);
    return CQ_OK;
  }
  CQ_CHECK(
      ctx, cq_same_word(what, "problems"), CQ_USAGE,
      "'%s' is no list; there are 'problems', 'optimizers' and --runs, and 'cqopt help %s' may "
      "say what it is",
      what, what);
  const int width = widest_name();
  for (int i = 0; cq_builtin_name(i) != NULL; i++) {
    CQ_TRY(print_one(ctx, i, width));
  }
  return CQ_OK;
}
