#include "run_json.h"

#include "build_id.h"
#include "counted.h"
#include "half_step.h"
#include "health.h"
#include "inactive.h"
#include "json.h"
#include "machine.h"
#include "starts.h"
#include "tear.h"
#include "text.h"
#include "uncertainty.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_status_find(const char *name) {
  for (int i = 0; i < CQ_N_STATUSES; i++) {
    if (strcmp(cq_status_name((cq_status)i), name) == 0) {
      return i;
    }
  }
  return -1;
}

cq_status cli_status_of_exit(int code) {
  for (int i = 0; i < CQ_N_STATUSES; i++) {
    if (cq_status_exit_code((cq_status)i) == code) {
      return (cq_status)i;
    }
  }
  return CQ_OPTIMIZER;
}

const char *cli_hash_text(uint64_t hash, char text[CLI_HASH]) {
  snprintf(text, CLI_HASH, "%016" PRIx64, hash);
  return text;
}

cli_run cli_run_begin(const char *command, const cq_ctx *ctx, const cq_file *file,
                      const cq_scene *scene, const cli_options *options) {
  cli_run run = {.command = command, .ctx = ctx, .file = file, .scene = scene, .options = options};
  cli_clock_iso(run.started);
  return run;
}

const char *cli_stop_hash(const cq_scene *scene, char text[CLI_HASH]) {
  return cli_hash_text(cq_scene_stop_hash(scene), text);
}

/* Members that the library words; what there is no memory for is left out. */
static void put_members(cq_json *json, cli_text_fn fn, const void *of) {
  size_t size = 0;
  char *const text = fn(of, NULL, &size) == CQ_OK ? malloc(size) : NULL;
  if (text != NULL && fn(of, text, &size) == CQ_OK) {
    cq_json_put(json, text);
  }
  free(text);
}

static cq_status facts(const void *file, char *text, size_t *size) {
  return cq_file_facts(file, text, size);
}

static cq_status outcome(const void *user, char *text, size_t *size) {
  const cli_run *const run = user;
  const cq_problem *const problem = cq_scene_problem(run->scene);
  return cq_outcome_facts(run->result, run->multipliers,
                          problem->n_inequality + problem->n_equality, text, size);
}

/* Who runs what, on what, since when. */
static void put_identity(cq_json *json, const cli_run *run) {
  const cli_machine machine = cli_machine_query();
  cq_json_text(json, "command", run->command);
  cq_json_text(json, "problem", cq_scene_name(run->scene));
  cq_json_text(json, "title", cq_scene_title(run->scene));
  cq_json_texts(json, "command_line", run->options->argv, run->options->argc);
  cq_json_text(json, "version", CQ_VERSION);
  cq_json_text(json, "build_id", CQ_BUILD_ID);
  cq_json_text(json, "build_type", CQ_BUILD_TYPE);
  cq_json_text(json, "compiler", CLI_COMPILER);
  put_members(json, facts, run->file);
  cq_json_text(json, "host", machine.host);
  cq_json_text(json, "cpu", machine.cpu);
  cq_json_count(json, "cores", machine.cores);
  cq_json_text(json, "system", machine.system);
  cq_json_text(json, "started", run->started);
  cq_json_count(json, "pid", (long long)getpid());
  if (run->resumed > 0) {
    cq_json_count(json, "resumed", run->resumed);
  }
  if (run->starts != NULL) {
    cq_json_count(json, "starts", run->starts->count);
  }
}

static void put_starts(cq_json *json, const cli_starts *starts) {
  cq_json_count(json, "starts_done", starts->ended);
  cq_json_count(json, "starts_verified", starts->verified);
  cq_json_count(json, "starts_at_best", starts->at_best);
  cq_json_count(json, "starts_different", starts->optima);
  if (starts->best >= 0) {
    cq_json_count(json, "best_start", starts->starts[starts->best].number);
    cq_json_text(json, "best_folder", starts->starts[starts->best].folder);
  }
}

/* what this process has simulated */
static void put_effort(cq_json *json, const cq_scene_stats *stats) {
  cq_json_count(json, "forward_runs", stats->simulations);
  cq_json_count(json, "backward_sweeps", stats->gradients);
  cq_json_number(json, "forward_seconds", stats->forward_seconds);
  cq_json_number(json, "backward_seconds", stats->backward_seconds);
  cq_json_number(json, "failed_fraction", stats->failed_fraction);
  cq_json_count(json, "memo_states", stats->memo_states);
  cq_json_count(json, "memo_bytes", (long long)stats->memo_bytes);
  cq_counted counted = cli_counted(stats, 0);
  if (counted.what != NULL) {
    cq_json_open(json, "counted", '{');
    for (int i = 0; (counted = cli_counted(stats, i)).what != NULL; i++) {
      cq_json_count(json, counted.what, counted.count);
    }
    cq_json_shut(json, '}');
  }
}

/* Members that are there only when the run has ended. */
static void put_end(cq_json *json, const cli_run *run) {
  const cq_scene_stats stats = cq_scene_statistics(run->scene);
  char now[CLI_STAMP];
  cli_clock_iso(now);
  cq_json_text(json, "ended", now);
  cq_json_text(json, "status", cq_status_name(run->status));
  cq_json_count(json, "exit_code", cq_status_exit_code(run->status));
  cq_json_text(json, "reason", run->reason);
  if (run->result != NULL) {
    put_members(json, outcome, run);
  }
  if (run->half_step != NULL) {
    cli_half_step_json(json, run->half_step);
  }
  if (run->health != NULL) {
    cli_health_json(json, run->health);
  }
  if (run->tear != NULL) {
    cli_tear_json(json, run->tear);
  }
  if (run->inactive != NULL) {
    cli_inactive_json(json, run->inactive);
  }
  if (run->uncertainty != NULL) {
    cli_uncertainty_json(json, run->uncertainty);
  }
  if (run->uncertainty_said != NULL) {
    cq_json_raw(json, "uncertainty", run->uncertainty_said);
  }
  if (run->result == NULL) {
    cq_json_count(json, "simulations", stats.simulations);
  }
  if (run->starts != NULL) {
    put_starts(json, run->starts);
  } else {
    put_effort(json, &stats);
  }
  cq_json_count(json, "peak_bytes", cli_machine_peak_bytes());
}

static cq_status write_run(void *user, FILE *out) {
  const cli_run *const run = user;
  cq_json json = cq_json_begin(out);
  put_identity(&json, run);
  if (run->finished) {
    put_end(&json, run);
  } else {
    cq_json_text(&json, "status", "running");
  }
  cq_json_end(&json);
  return CQ_OK;
}

cq_status cli_run_write(const cli_run *run, cli_folder *folder) {
  return cli_folder_write(folder, "run.json", write_run, (void *)run);
}
