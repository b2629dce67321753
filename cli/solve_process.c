#include "solve_process.h"

#include "alloc.h"
#include "children.h"
#include "status.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FIXED = 16, NUMBER = 16 };

/* argv and a text in it */
typedef struct command {
  const char **words; /* room for the fixed ones and two for each setting */
  int count;
  char threads[NUMBER];
} command;

static void add(command *c, const char *word) {
  c->words[c->count++] = word;
}

static void add_option(command *c, const char *option, const char *value) {
  add(c, option);
  add(c, value);
}

static void add_sets(command *c, const char *const *sets, int n) {
  for (int i = 0; i < n; i++) {
    add_option(c, "--set", sets[i]);
  }
}

void cli_solve_share_memory(const cq_scene *scene, int workers, char set[CLI_MEMORY_SET]) {
  const cq_scene_info info = cq_scene_information(scene);
  set[0] = '\0';
  if (info.memory_is_auto && workers > 1) {
    snprintf(set, CLI_MEMORY_SET, "simulation.memory=%zu KiB",
             info.memory / 1024 / (size_t)workers);
  }
}

bool cli_solve_goes_on(const char *folder) {
  char json[CLI_PATH + 16];
  snprintf(json, sizeof json, "%.1260s/run.json", folder);
  return access(json, F_OK) == 0;
}

static void begin_anew(const cli_solve_process *process, command *c) {
  add(c, process->problem);
  add_option(c, "--output", process->folder);
  if (process->start != NULL) {
    add_option(c, "--start", process->start);
  }
  add_sets(c, process->sets, process->n_sets);
}

static void go_on(const cli_solve_process *process, command *c) {
  add_option(c, "--resume", process->folder);
  add_sets(c, process->later_sets, process->n_later_sets);
  if (process->allow_diverge) {
    add(c, "--allow-diverge");
  }
}

/* The command line of one run: a new one, or --resume where there is something to go on with. */
static cq_status make_command(cq_ctx *ctx, const cli_solve_process *process, command *c) {
  struct stat info;
  CQ_CHECK(ctx, lstat(process->folder, &info) != 0 || !S_ISLNK(info.st_mode), CQ_IO,
           "%s: it is a link, which is not followed", process->folder);
  add(c, "cqopt");
  add(c, "solve");
  if (cli_solve_goes_on(process->folder)) {
    go_on(process, c);
  } else {
    begin_anew(process, c);
  }
  if (process->memory[0] != '\0') {
    add_option(c, "--set", process->memory);
  }
  snprintf(c->threads, sizeof c->threads, "%d", process->threads);
  add_option(c, "--threads", c->threads);
  add(c, "--quiet");
  add(c, NULL);
  return CQ_OK;
}

cq_status cli_solve_start(cq_ctx *ctx, const cli_solve_process *process, const char *errors,
                          pid_t *pid) {
  command c = {.words = NULL};
  const int n_sets = process->n_sets + process->n_later_sets;
  CQ_TRY(CQ_ALLOC(ctx, c.words, MOST_FIXED + 2 * n_sets));
  cq_status status = make_command(ctx, process, &c);
  unlink(errors);
  status = status == CQ_OK ? cli_child_start(ctx, c.words, errors, pid) : status;
  cq_free(ctx, c.words);
  return status;
}
