#include "run_json.h"

#include "build_id.h"
#include "half_step.h"
#include "hash.h"
#include "health.h"
#include "inactive.h"
#include "json.h"
#include "machine.h"
#include "starts.h"
#include "tear.h"
#include "uncertainty.h"

#include <inttypes.h>
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

cli_run cli_run_begin(const char *command, const cq_ctx *ctx, const cq_scene *scene,
                      const cli_options *options) {
  cli_run run = {.command = command, .ctx = ctx, .scene = scene, .options = options};
  cli_clock_iso(run.started);
  return run;
}

const char *cli_stop_hash(const cq_scene *scene, char text[CLI_HASH]) {
  char all[2048] = "", value[128];
  const char *path = NULL;
  for (int i = 0; (path = cq_scene_stop_setting(scene, i, value, sizeof value)) != NULL; i++) {
    const size_t used = strlen(all);
    if (value[0] != '\0') { /* defaults are left out, as in the hash of all settings */
      snprintf(all + used, sizeof all - used, "%s=%s\n", path, value);
    }
  }
  return cli_hash_text(cq_hash(all, strlen(all)), text);
}

/* a text: a number of JSON has 53 bits */
static void put_hash(cli_json *json, const char *name, const cq_scene *scene, bool with_optimizer) {
  uint64_t hash = 0;
  char text[CLI_HASH];
  if (cq_scene_config_hash(scene, with_optimizer, &hash) == CQ_OK) {
    cli_json_text(json, name, cli_hash_text(hash, text));
  }
}

static void put_device(cli_json *json, const cq_scene *scene) {
  cli_device device = cli_device_of(scene);
  cli_json_text(json, "device", device.word);
  if (device.is_gpu) {
    cli_json_text(json, "gpu", device.name);
    cli_json_text(json, "compute_capability", device.level);
  }
}

static void put_scenarios(cli_json *json, const cq_scene *scene) {
  const cq_scenarios_info scenarios = cq_scene_scenarios(scene);
  if (scenarios.count > 0) {
    cli_json_count(json, "scenarios", scenarios.count);
    cli_json_text(json, "combine", scenarios.combine);
  }
}

static void put_identity(cli_json *json, const cli_run *run) {
  char stop_hash[CLI_HASH];
  const char *const simd = cq_simd_level();
  const cli_machine machine = cli_machine_query();
  const cq_optimizer_def *const def = cq_scene_optimizer(run->scene);
  cli_json_text(json, "command", run->command);
  cli_json_text(json, "problem", cq_scene_name(run->scene));
  cli_json_text(json, "title", cq_scene_title(run->scene));
  cli_json_texts(json, "command_line", run->options->argv, run->options->argc);
  cli_json_text(json, "version", CQ_VERSION);
  cli_json_text(json, "build_id", CQ_BUILD_ID);
  cli_json_text(json, "build_type", CQ_BUILD_TYPE);
  cli_json_text(json, "compiler", CLI_COMPILER);
  cli_json_text(json, "simd", simd != NULL ? simd : "unknown"); /* of no matter on a GPU */
  put_device(json, run->scene);
  cli_json_count(json, "seed", (long long)cq_ctx_seed(run->ctx));
  cli_json_count(json, "threads", cq_ctx_threads(run->ctx));
  cli_json_text(json, "host", machine.host);
  cli_json_text(json, "cpu", machine.cpu);
  cli_json_count(json, "cores", machine.cores);
  cli_json_text(json, "system", machine.system);
  cli_json_text(json, "started", run->started);
  cli_json_count(json, "pid", (long long)getpid());
  if (run->resumed > 0) {
    cli_json_count(json, "resumed", run->resumed);
  }
  if (run->starts != NULL) {
    cli_json_count(json, "starts", run->starts->count);
  }
  put_scenarios(json, run->scene);
  cli_json_count(json, "hash_version", CQ_HASH_VERSION);
  put_hash(json, "config_hash", run->scene, true);
  put_hash(json, "scene_hash", run->scene, false);
  cli_json_text(json, "stop_hash", cli_stop_hash(run->scene, stop_hash));
  cli_json_number(json, "constraint_tolerance", def->constraint_tolerance);
  cli_json_number(json, "optimality_tolerance", def->optimality_tolerance);
  cli_json_number(json, "gradient_cost", def->gradient_cost);
  cli_json_text(json, "gradient", cq_gradient_kind_name(cq_scene_problem(run->scene)->gradient));
}

/* What the optimizer says; of several starts there is no one best evaluation. */
static void put_result(cli_json *json, const cli_run *run) {
  const cq_result *const result = run->result;
  const cq_problem *const problem = cq_scene_problem(run->scene);
  if (result->has_point) {
    cli_json_number(json, "f", result->f);
    cli_json_number(json, "violation", result->violation);
    cli_json_number(json, "kkt_residual", result->kkt_residual);
    cli_json_numbers(json, "multipliers", run->multipliers,
                     problem->n_inequality + problem->n_equality);
  }
  if (run->starts == NULL) {
    cli_json_count(json, "best_evaluation", result->best_index);
  }
  cli_json_count(json, "evaluations", result->evaluations);
  cli_json_count(json, "replayed", result->replayed);
  cli_json_count(json, "probes", result->probes);
  cli_json_count(json, "gradients", result->gradients);
  cli_json_count(json, "failures", result->failures);
  cli_json_count(json, "recovered", result->recovered);
  cli_json_number(json, "seconds", result->seconds);
  cli_json_number(json, "evaluation_seconds", result->eval_seconds);
  cli_json_number(json, "optimizer_seconds", result->seconds - result->eval_seconds);
}

static void put_starts(cli_json *json, const cli_starts *starts) {
  cli_json_count(json, "starts_done", starts->ended);
  cli_json_count(json, "starts_verified", starts->verified);
  cli_json_count(json, "starts_at_best", starts->at_best);
  cli_json_count(json, "starts_different", starts->optima);
  if (starts->best >= 0) {
    cli_json_count(json, "best_start", starts->starts[starts->best].number);
    cli_json_text(json, "best_folder", starts->starts[starts->best].folder);
  }
}

/* what this process has simulated */
static void put_effort(cli_json *json, const cq_scene_stats *stats) {
  cli_json_count(json, "forward_runs", stats->simulations);
  cli_json_count(json, "backward_sweeps", stats->gradients);
  cli_json_number(json, "forward_seconds", stats->forward_seconds);
  cli_json_number(json, "backward_seconds", stats->backward_seconds);
  cli_json_number(json, "failed_fraction", stats->failed_fraction);
  cli_json_count(json, "memo_states", stats->memo_states);
  cli_json_count(json, "memo_bytes", (long long)stats->memo_bytes);
}

/* Members that are there only when the run has ended. */
static void put_end(cli_json *json, const cli_run *run) {
  const cq_scene_stats stats = cq_scene_statistics(run->scene);
  char now[CLI_STAMP];
  cli_clock_iso(now);
  cli_json_text(json, "ended", now);
  cli_json_text(json, "status", cq_status_name(run->status));
  cli_json_count(json, "exit_code", cq_status_exit_code(run->status));
  cli_json_text(json, "reason", run->reason);
  if (run->result != NULL) {
    put_result(json, run);
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
  cli_json_count(json, "simulations",
                 run->result != NULL ? run->result->simulations : stats.simulations);
  if (run->starts != NULL) {
    put_starts(json, run->starts);
  } else {
    put_effort(json, &stats);
  }
  cli_json_count(json, "peak_bytes", cli_machine_peak_bytes());
}

static cq_status write_run(void *user, FILE *out) {
  const cli_run *const run = user;
  cli_json json = cli_json_begin(out);
  put_identity(&json, run);
  if (run->finished) {
    put_end(&json, run);
  } else {
    cli_json_text(&json, "status", "running");
  }
  cli_json_end(&json);
  return CQ_OK;
}

cq_status cli_run_write(const cli_run *run, cli_folder *folder) {
  return cli_folder_write(folder, "run.json", write_run, (void *)run);
}
