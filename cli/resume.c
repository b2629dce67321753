#include "resume.h"

#include "cqopt/trace.h"

#include "build_id.h"
#include "machine.h"
#include "plural.h"
#include "run_read.h"
#include "status.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The instructions the run began with give its bits, where this machine has them. A warm start
 * takes the best there are. */
static void take_simd_level(const cli_options *options, const char *json) {
  char level[32];
  cli_run_member(json, "simd", level, sizeof level);
  if (getenv("CQ_SIMD") == NULL && !options->allow_diverge && strcmp(level, "-") != 0 &&
      setenv("CQ_SIMD", level, 1) == 0 && cq_simd_level() == NULL) {
    unsetenv("CQ_SIMD"); /* cli_resume_check will say so */
  }
}

/* A folder is there before its run.json is. */
static cq_status check_begun(cq_ctx *ctx, const char *folder) {
  char json[CLI_PATH], log[CLI_PATH];
  snprintf(json, sizeof json, "%.1200s/run.json", folder);
  snprintf(log, sizeof log, "%.1200s/log.txt", folder);
  CQ_CHECK(ctx, access(json, F_OK) == 0 || access(log, F_OK) != 0, CQ_IO,
           "%s has no run.json: its run was cut off before it began; the same command that began "
           "it, with --output %s, begins it anew",
           folder, folder);
  return CQ_OK;
}

/* The problem of the folder; nothing may be given that would make it another one. */
cq_status cli_resume_load(cq_ctx *ctx, const cli_options *options, cq_file **out) {
  char path[CLI_PATH], *json = NULL;
  CQ_CHECK(ctx, options->argument == NULL, CQ_USAGE,
           "--resume takes the problem from the run folder; leave '%s' out", options->argument);
  CQ_CHECK(ctx, options->output == NULL, CQ_USAGE,
           "--resume goes on in the run folder; leave --output out");
  CQ_CHECK(ctx, options->start == NULL, CQ_USAGE,
           "--resume goes on where the run was; leave --start out");
  CQ_TRY(check_begun(ctx, options->resume));
  CQ_TRY(cli_run_read(ctx, options->resume, &json));
  take_simd_level(options, json);
  free(json);
  for (int i = 0; i < options->n_sets; i++) {
    CQ_TRY(cq_scene_may_change(ctx, options->sets[i], !options->allow_diverge));
  }
  snprintf(path, sizeof path, "%s/problem.cfg", options->resume);
  CQ_TRY(cli_run_check_file(ctx, path));
  return cq_file_load(ctx, path, options->sets, options->n_sets, out);
}

/* a member of run.json that must be what it was, for the same bits */
static cq_status check_same(cq_ctx *ctx, const cli_options *options, const char *json,
                            const char *name, const char *what, const char *now) {
  char recorded[128];
  cli_run_member(json, name, recorded, sizeof recorded);
  if (strcmp(recorded, now) == 0) {
    return CQ_OK;
  }
  if (options->allow_diverge) {
    cq_log(ctx, CQ_LOG_WARNING, "the run had %s %s, this is %s: it goes on from its best design",
           what, recorded, now);
    return CQ_OK;
  }
  return CQ_FAIL(ctx, CQ_CONFIG,
                 "%s: the run had %s %s, this is %s, which may take other steps; resume it with "
                 "that one, or from its best design with --allow-diverge",
                 options->resume, what, recorded, now);
}

/* The settings have the device, and the instructions on it decide the bits. What the CPU can do is
 * of no matter on a GPU. */
static cq_status check_device(cq_ctx *ctx, const cli_options *options, const cq_scene *scene,
                              const char *json) {
  const cli_device device = cli_device_of(scene);
  char recorded[32];
  cli_run_member(json, "device", recorded, sizeof recorded);
  if (strcmp(recorded, device.word) != 0) {
    return check_same(ctx, options, json, "device", "device", device.word);
  }
  return device.is_gpu ? check_same(ctx, options, json, "compute_capability", "compute capability",
                                    device.level)
                       : check_same(ctx, options, json, "simd", "SIMD level", device.level);
}

/* What a record has spent, and whether it went on with another design when it had. */
typedef struct spent {
  const cq_optimizer_def *def;
  int evaluations, simulations;
  double cost;
  char over[128]; /* the budget it went beyond; "": none */
} spent;

static void spend(spent *s, const cq_evaluation *e) {
  const cq_optimizer_def *const def = s->def;
  if (e->index > s->evaluations && s->over[0] == '\0') {
    if (def->max_evaluations > 0 && s->evaluations >= def->max_evaluations) {
      snprintf(s->over, sizeof s->over, "max_evaluations = %d", def->max_evaluations);
    } else if (def->max_simulations > 0 && s->simulations >= def->max_simulations) {
      snprintf(s->over, sizeof s->over, "max_simulations = %d", def->max_simulations);
    } else if (def->max_cost > 0 && s->cost >= def->max_cost) {
      snprintf(s->over, sizeof s->over, "max_cost = %g", def->max_cost);
    }
  }
  s->cost += cq_evaluation_cost(e, s->evaluations, def->gradient_cost);
  s->simulations += e->simulations;
  s->evaluations = e->index > s->evaluations ? e->index : s->evaluations;
}

static cq_status check_record(cq_ctx *ctx, const cq_scene *scene, const char *folder) {
  char path[CLI_PATH];
  cq_trace_reader *reader = NULL;
  const cq_evaluation *e = NULL;
  spent s = {.def = cq_scene_optimizer(scene)};
  snprintf(path, sizeof path, "%.1200s/evals.bin", folder);
  if (access(path, R_OK) != 0) {
    return CQ_OK; /* a start that had not begun; without it a run is refused in other words */
  }
  CQ_TRY(cq_trace_open(ctx, path, &reader));
  cq_status status = cq_trace_next(reader, &e);
  while (status == CQ_OK && e != NULL) {
    spend(&s, e);
    status = cq_trace_next(reader, &e);
  }
  cq_trace_close(reader);
  CQ_TRY(status);
  CQ_CHECK(
      ctx, s.over[0] == '\0', CQ_CONFIG,
      "optimizer.%s is spent already: %s has %d evaluation%s, %d simulation%s, which cost %.6g "
      "forward run%s; give it more, or no other budget than it had",
      s.over, folder, s.evaluations, cq_plural(s.evaluations), s.simulations,
      cq_plural(s.simulations), s.cost, cq_plural(s.cost));
  return CQ_OK;
}

/* A run that ended before its own record would take a worse design for its best. */
static cq_status check_budget(cq_ctx *ctx, const cli_options *options, const cq_scene *scene,
                              const char *json) {
  char now[CLI_HASH], recorded[64], folder[CLI_PATH];
  const int starts = cq_scene_information(scene).starts;
  cli_run_member(json, "stop_hash", recorded, sizeof recorded);
  if (strcmp(cli_stop_hash(scene, now), recorded) == 0) {
    return CQ_OK;
  }
  if (starts <= 1) {
    return check_record(ctx, scene, options->resume);
  }
  for (int i = 1; i <= starts; i++) {
    snprintf(folder, sizeof folder, "%.1200s/start-%02d", options->resume, i);
    CQ_TRY(check_record(ctx, scene, folder));
  }
  return CQ_OK;
}

/* The problem, the build, the device and the budget. */
cq_status cli_resume_check(cq_ctx *ctx, const cli_options *options, cq_file *file, cli_run *run) {
  const cq_scene *const scene = cq_file_scene(file);
  const unsigned how = CQ_SOLVE_RESUME | (options->allow_diverge ? CQ_SOLVE_DIVERGE : 0U);
  char *json = NULL, count[32];
  CQ_TRY(cli_run_read(ctx, options->resume, &json));
  cq_status status = cq_file_may_resume(file, options->resume, how);
  status =
      status != CQ_OK ? status : check_same(ctx, options, json, "build_id", "build", CQ_BUILD_ID);
  status = status != CQ_OK ? status : check_device(ctx, options, scene, json);
  status = status != CQ_OK ? status : check_budget(ctx, options, scene, json);
  cli_run_member(json, "started", run->started, sizeof run->started);
  cli_run_member(json, "resumed", count, sizeof count);
  run->resumed = cq_whole(1.0 + strtod(count, NULL), 1);
  free(json);
  return status;
}
