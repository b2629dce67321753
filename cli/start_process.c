#include "start_process.h"

#include "alloc.h"
#include "children.h"
#include "start.h"
#include "status.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FIXED = 18, MOST_SETTINGS = 16, NUMBER = 64, SETTING = 256 };

/* argv and the texts in it */
typedef struct command {
  const char **words; /* room for the fixed ones and two for each setting */
  int count;
  char problem[CLI_PATH], folder[CLI_PATH], start[CLI_PATH], threads[NUMBER], memory[NUMBER];
  char settings[MOST_SETTINGS][SETTING];
} command;

static void add(command *c, const char *word) {
  c->words[c->count++] = word;
}

static void add_option(command *c, const char *option, const char *value) {
  add(c, option);
  add(c, value);
}

/* Whatever command line made them, the settings that hold for the whole hold for each. */
static void add_stop_settings(const cli_start_plan *plan, command *c) {
  char value[SETTING / 2];
  const cq_scene *const scene = plan->session->scene;
  const char *path = NULL;
  for (int i = 0; i < MOST_SETTINGS; i++) {
    path = cq_scene_stop_setting(scene, i, value, sizeof value);
    if (path == NULL) {
      break;
    }
    snprintf(c->settings[i], SETTING, "%s=%s", path, value);
    add_option(c, "--set", c->settings[i]);
  }
}

/* what the whole keeps to itself */
static bool is_own(const char *set) {
  static const char starts[] = "optimizer.starts=", workers[] = "optimizer.workers=";
  return strncmp(set, starts, sizeof starts - 1) == 0 ||
         strncmp(set, workers, sizeof workers - 1) == 0;
}

/* --allow-diverge lets go of more than when a run ends */
static void add_divergence(const cli_options *options, command *c) {
  for (int i = 0; i < options->n_sets; i++) {
    if (!is_own(options->sets[i])) {
      add_option(c, "--set", options->sets[i]);
    }
  }
  add(c, "--allow-diverge");
}

/* Processes side by side must not each take half of the memory. */
static void share_memory(const cli_start_plan *plan, command *c) {
  const cq_scene_info info = cq_scene_information(plan->session->scene);
  if (info.memory_is_auto && plan->workers > 1) {
    snprintf(c->memory, sizeof c->memory, "simulation.memory=%zu KiB",
             info.memory / 1024 / (size_t)plan->workers);
    add_option(c, "--set", c->memory);
  }
}

static cq_status write_start(void *user, FILE *out) {
  const cli_start_plan *const plan = ((void **)user)[0];
  const double *const x = ((void **)user)[1];
  cli_start_write(plan->session->scene, x, out);
  return CQ_OK;
}

/* A folder whose run had not begun has nothing in it that is worth keeping, and would be in the
 * way. */
static cq_status clear_folder(cq_ctx *ctx, const char *path) {
  DIR *const dir = opendir(path);
  if (dir == NULL) {
    CQ_CHECK(ctx, errno == ENOENT, CQ_IO, "%s: %s", path, strerror(errno));
    return CQ_OK;
  }
  static const char *const files[] = {"log.txt",     "evals.bin",       "history.csv",
                                      "problem.cfg", "problem.cfg.tmp", "run.json.tmp"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    unlinkat(dirfd(dir), files[i], 0);
  }
  closedir(dir);
  return CQ_OK; /* what is left, the process refuses */
}

static cq_status begin_anew(const cli_start_plan *plan, const cli_start *start, command *c) {
  cli_session *const session = plan->session;
  const size_t n = (size_t)cq_scene_problem(session->scene)->n;
  const double *const x = plan->x + (size_t)(start->number - 1) * n;
  const void *const user[] = {plan, x};
  char name[32];
  snprintf(name, sizeof name, "%s.csv", start->folder);
  CQ_TRY(cli_folder_write(&session->folder, name, write_start, (void *)user));
  CQ_TRY(clear_folder(session->ctx, c->folder));
  cli_folder_path(&session->folder, name, c->start, sizeof c->start);
  cli_folder_path(&session->folder, "problem.cfg", c->problem, sizeof c->problem);
  add(c, c->problem);
  add_option(c, "--output", c->folder);
  add_option(c, "--start", c->start);
  add_option(c, "--set", "optimizer.starts=1");
  add_option(c, "--set", "output.trajectory=false"); /* the best one is recorded for all */
  return CQ_OK;
}

static void go_on(const cli_start_plan *plan, command *c) {
  add_option(c, "--resume", c->folder);
  add_stop_settings(plan, c);
  if (plan->session->options->allow_diverge) {
    add_divergence(plan->session->options, c);
  }
}

static cq_status make_command(const cli_start_plan *plan, const cli_start *start, command *c) {
  char json[CLI_PATH + 16];
  cli_folder_path(&plan->session->folder, start->folder, c->folder, sizeof c->folder);
  snprintf(json, sizeof json, "%s/run.json", c->folder);
  add(c, "cqopt");
  add(c, "solve");
  if (access(json, F_OK) == 0) {
    go_on(plan, c);
  } else {
    CQ_TRY(begin_anew(plan, start, c));
  }
  share_memory(plan, c);
  snprintf(c->threads, sizeof c->threads, "%d", plan->threads);
  add_option(c, "--threads", c->threads);
  add(c, "--quiet");
  add(c, NULL);
  return CQ_OK;
}

void cli_start_errors(const cli_session *session, const cli_start *start, char *path, size_t size) {
  char name[32];
  snprintf(name, sizeof name, "%s.err", start->folder);
  cli_folder_path(&session->folder, name, path, size);
}

cq_status cli_start_run(const cli_start_plan *plan, const cli_start *start, pid_t *pid) {
  cq_ctx *const ctx = plan->session->ctx;
  char errors[CLI_PATH];
  command c = {.words = NULL};
  CQ_TRY(CQ_ALLOC(ctx, c.words, MOST_FIXED + 2 * (MOST_SETTINGS + plan->session->options->n_sets)));
  cq_status status = make_command(plan, start, &c);
  cli_start_errors(plan->session, start, errors, sizeof errors);
  unlink(errors);
  status = status == CQ_OK ? cli_child_start(ctx, c.words, errors, pid) : status;
  cq_free(ctx, c.words);
  return status;
}
