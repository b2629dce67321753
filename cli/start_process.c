#include "start_process.h"

#include "alloc.h"
#include "solve_process.h"
#include "start.h"
#include "status.h"

#include <string.h>

enum { MOST_SETTINGS = 32, SETTING = 256 };

/* what a process that goes on is told; the texts are in `settings` */
typedef struct later {
  const char **sets;
  int count;
  char settings[MOST_SETTINGS][SETTING];
} later;

/* Whatever command line made them, the settings that hold for the whole hold for each. */
static void add_stop_settings(const cq_scene *scene, later *l) {
  char value[SETTING / 2];
  for (int i = 0; i < MOST_SETTINGS; i++) {
    const char *const path = cq_scene_stop_setting(scene, i, value, sizeof value);
    if (path == NULL) {
      break;
    }
    snprintf(l->settings[i], SETTING, "%s=%s", path, value[0] != '\0' ? value : "unset");
    l->sets[l->count++] = l->settings[i];
  }
}

/* what the whole keeps to itself */
static bool is_own(const char *set) {
  static const char starts[] = "optimizer.starts=", workers[] = "optimizer.workers=";
  return strncmp(set, starts, sizeof starts - 1) == 0 ||
         strncmp(set, workers, sizeof workers - 1) == 0;
}

/* --allow-diverge lets go of more than when a run ends */
static void add_divergence(const cli_options *options, later *l) {
  for (int i = 0; i < options->n_sets; i++) {
    if (!is_own(options->sets[i])) {
      l->sets[l->count++] = options->sets[i];
    }
  }
}

static cq_status write_start(void *user, FILE *out) {
  const cli_start_plan *const plan = ((void **)user)[0];
  const double *const x = ((void **)user)[1];
  cli_start_write(plan->session->scene, x, out);
  return CQ_OK;
}

/* The table of where it begins, <folder>.csv. */
static cq_status put_start(const cli_start_plan *plan, const cli_start *start, const char *name) {
  cli_session *const session = plan->session;
  const size_t n = (size_t)cq_scene_problem(session->scene)->n;
  const void *const user[] = {plan, plan->x + (size_t)(start->number - 1) * n};
  return cli_folder_write(&session->folder, name, write_start, (void *)user);
}

void cli_start_errors(const cli_session *session, const cli_start *start, char *path, size_t size) {
  char name[CLI_START_FOLDER + 8];
  snprintf(name, sizeof name, "%s.err", start->folder);
  cli_folder_path(&session->folder, name, path, size);
}

static cq_status run(const cli_start_plan *plan, const cli_start *start, later *l, pid_t *pid) {
  /* the best one's motion is recorded for all */
  static const char *const sets[] = {"optimizer.starts=1", "output.trajectory=false",
                                     "output.report=false"};
  const cli_session *const session = plan->session;
  char name[CLI_START_FOLDER + 8], problem[CLI_PATH], folder[CLI_PATH], table[CLI_PATH];
  char errors[CLI_PATH], memory[CLI_MEMORY_SET];
  snprintf(name, sizeof name, "%s.csv", start->folder);
  cli_folder_path(&session->folder, "problem.cfg", problem, sizeof problem);
  cli_folder_path(&session->folder, start->folder, folder, sizeof folder);
  cli_folder_path(&session->folder, name, table, sizeof table);
  cli_start_errors(session, start, errors, sizeof errors);
  if (!cli_solve_goes_on(folder)) {
    CQ_TRY(put_start(plan, start, name));
  }
  add_stop_settings(session->scene, l);
  if (session->options->allow_diverge) {
    add_divergence(session->options, l);
  }
  cli_solve_share_memory(session->scene, plan->workers, memory);
  const cli_solve_process process = {.problem = problem,
                                     .folder = folder,
                                     .start = table,
                                     .sets = sets,
                                     .n_sets = sizeof sets / sizeof sets[0],
                                     .later_sets = l->sets,
                                     .n_later_sets = l->count,
                                     .allow_diverge = session->options->allow_diverge,
                                     .memory = memory,
                                     .threads = plan->threads};
  return cli_solve_start(session->ctx, &process, errors, pid);
}

cq_status cli_start_run(const cli_start_plan *plan, const cli_start *start, pid_t *pid) {
  cq_ctx *const ctx = plan->session->ctx;
  later l = {.count = 0};
  CQ_TRY(CQ_ALLOC(ctx, l.sets, MOST_SETTINGS + plan->session->options->n_sets));
  const cq_status status = run(plan, start, &l, pid);
  cq_free(ctx, l.sets);
  return status;
}
