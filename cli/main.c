/* cqopt: reads the command line, runs one subcommand, turns its status into the exit code. */
#include "cqopt/cqopt.h"

#include "build_id.h"
#include "options.h"
#include "share.h"
#include "status.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What each command of the list does. It stands here and not in the table of options.c, so that
 * commands can read that table. */
static cq_status (*const functions[])(cq_ctx *ctx, const cli_options *options) = {
#define CQ_COMMAND(name, arguments, least, most, groups, help) cmd_##name,
#include "cmd_list.h"
#undef CQ_COMMAND
};

/* Ranks that were started for something that is not shared would all do the same; one says so. */
static cq_status check_ranks(cq_ctx *ctx, const cli_command *command) {
  int rank = 0, size = 0;
  if ((command->groups & OPTIONS_SETS) == 0 ||
      (command->groups & (OPTIONS_BATCH | OPTIONS_RESUME)) != 0 || !cli_share_ranks(&rank, &size)) {
    return CQ_OK;
  }
  const cq_status status =
      CQ_FAIL(ctx, CQ_USAGE,
              "%d ranks were started, each of which would do the same 'cqopt %s'; 'study', "
              "'compare' and 'solve' share work among ranks, all else is started once, without "
              "mpirun",
              size, command->name);
  if (rank > 0) {
    cq_ctx_clear_error(ctx);
  }
  return status;
}

static cq_status run_command(cq_ctx *ctx, int argc, char **argv, cli_options *options) {
  const cli_command *command = NULL;
  CQ_TRY(cli_command_find(ctx, argv[1], &command));
  CQ_TRY(cli_options_parse(ctx, command, argc, argv, options));
  if (options->help) {
    cli_usage_print(stdout, command);
    return CQ_OK;
  }
  CQ_TRY(check_ranks(ctx, command));
  cq_ctx_set_threads(ctx, options->threads == 0 && cli_share_ranks_here() > 1 ? cli_share_threads()
                                                                              : options->threads);
  if (options->seed_set[0] != '\0') {
    cq_ctx_set_seed(ctx, options->seed);
  }
  return functions[command - cli_command_at(0)](ctx, options);
}

/* What works without a command, or the command. */
static cq_status run(cq_ctx *ctx, int argc, char **argv) {
  if (argc < 2) {
    cli_usage_print(stderr, NULL);
    return CQ_FAIL(ctx, CQ_USAGE, "a command is wanted");
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("cqopt %s (%s)\n", CQ_VERSION, CQ_BUILD_ID);
    return CQ_OK;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    cli_usage_print(stdout, NULL);
    return CQ_OK;
  }
  cli_options options = {.arguments = calloc((size_t)argc, sizeof *options.arguments),
                         .sets = calloc((size_t)argc, sizeof *options.sets),
                         .vary = calloc((size_t)argc, sizeof *options.vary),
                         .metrics = calloc((size_t)argc, sizeof *options.metrics)};
  const bool enough = options.arguments != NULL && options.sets != NULL && options.vary != NULL &&
                      options.metrics != NULL;
  const cq_status status =
      enough ? run_command(ctx, argc, argv, &options) : CQ_FAIL(ctx, CQ_MEMORY, "out of memory");
  free(options.arguments);
  free(options.sets);
  free(options.vary);
  free(options.metrics);
  return status;
}

/* Threads that wait for each other must sleep soon, not spin: on a machine that is busy with
 * something else two spinning threads are ten times slower than one. OpenMP reads this from the
 * environment when the program is loaded, so it loads itself again. */
static void wait_without_spinning(char **argv) {
  if (CQ_OPENMP && getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL &&
      setenv("GOMP_SPINCOUNT", "2000", 1) == 0) { /* some microseconds */
    execv("/proc/self/exe", argv);                /* where that fails it works all the same */
  }
}

/* Where a standard stream is closed, the next file that is opened would get its number, and what is
 * printed. */
static void fill_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream) {
      _exit(cq_status_exit_code(CQ_IO)); /* there is nowhere to say why */
    }
  }
}

/* A stack that overflows ends the program without a word. */
static bool stack_is_enough(void) {
  enum { NEEDED = 256 }; /* [KiB], twice what a solve has been seen to need */
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur / 1024 >= NEEDED) {
    return true;
  }
  fprintf(stderr, "cqopt: the stack is limited to %llu KiB; it takes %d (ulimit -s %d)\n",
          (unsigned long long)limit.rlim_cur / 1024, NEEDED, NEEDED);
  return false;
}

int main(int argc, char **argv) {
  enum { DEFAULT_SEED = 1 };
  fill_streams();
  if (!stack_is_enough()) {
    exit(cq_status_exit_code(CQ_MEMORY));
  }
  wait_without_spinning(argv);
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write(), with its reason */
  cq_ctx *const ctx = cq_ctx_create(0, DEFAULT_SEED);
  if (ctx == NULL) {
    fprintf(stderr, "cqopt: out of memory\n");
    exit(cq_status_exit_code(CQ_MEMORY));
  }
  cq_status status = run(ctx, argc, argv);
  if (status != CQ_OK && cq_ctx_error(ctx)[0] != '\0') {
    fprintf(stderr, "cqopt: %s\n", cq_ctx_error(ctx));
  }
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == CQ_OK) {
    fprintf(stderr, "cqopt: the output could not be written\n");
    status = CQ_IO;
  }
  cq_ctx_destroy(ctx);
  exit(cq_status_exit_code(status));
}
