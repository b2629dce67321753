#include "resume.h"

#include "build_id.h"
#include "machine.h"
#include "run_read.h"
#include "status.h"
#include "whole.h"

#include <errno.h>
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

cq_status cli_resume_load(cq_ctx *ctx, const cli_options *options, cq_scene **out) {
  char path[CLI_PATH], *json = NULL;
  CQ_CHECK(ctx, options->argument == NULL, CQ_USAGE,
           "--resume takes the problem from the run folder; leave '%s' out", options->argument);
  CQ_CHECK(ctx, options->output == NULL, CQ_USAGE,
           "--resume goes on in the run folder; leave --output out");
  CQ_CHECK(ctx, options->start == NULL, CQ_USAGE,
           "--resume goes on where the run was; leave --start out");
  CQ_TRY(cli_run_read(ctx, options->resume, &json));
  take_simd_level(options, json);
  free(json);
  for (int i = 0; i < options->n_sets; i++) {
    CQ_TRY(cq_scene_may_change(ctx, options->sets[i], !options->allow_diverge));
  }
  snprintf(path, sizeof path, "%s/problem.cfg", options->resume);
  CQ_CHECK(ctx, access(path, R_OK) == 0, CQ_IO, "%s: %s; is %s a run folder?", path,
           strerror(errno), options->resume);
  return cq_scene_load(ctx, path, options->sets, options->n_sets, out);
}

static cq_status check_hash(cq_ctx *ctx, const cli_options *options, const cq_scene *scene,
                            const char *json) {
  uint64_t hash = 0;
  char text[CLI_HASH], recorded[64];
  const bool warm = options->allow_diverge;
  CQ_TRY(cq_scene_config_hash(scene, !warm, &hash));
  cli_run_member(json, warm ? "scene_hash" : "config_hash", recorded, sizeof recorded);
  CQ_CHECK(ctx, strcmp(recorded, "-") != 0, CQ_IO,
           "%s/run.json is damaged, or of an older version: it does not say which problem was "
           "solved; solve %s/problem.cfg in a new folder",
           options->resume, options->resume);
  CQ_CHECK(ctx, strcmp(cli_hash_text(hash, text), recorded) == 0, CQ_CONFIG,
           "%s/problem.cfg is not the problem of this run any more: it was changed by hand, or by "
           "another version; solve it in a new folder",
           options->resume);
  return CQ_OK;
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

cq_status cli_resume_check(cq_ctx *ctx, const cli_options *options, const cq_scene *scene,
                           cli_run *run) {
  char *json = NULL, count[32];
  CQ_TRY(cli_run_read(ctx, options->resume, &json));
  cq_status status = check_hash(ctx, options, scene, json);
  status =
      status != CQ_OK ? status : check_same(ctx, options, json, "build_id", "build", CQ_BUILD_ID);
  status = status != CQ_OK ? status : check_device(ctx, options, scene, json);
  cli_run_member(json, "started", run->started, sizeof run->started);
  cli_run_member(json, "resumed", count, sizeof count);
  run->resumed = cq_whole(1.0 + strtod(count, NULL), 1);
  free(json);
  return status;
}
