/* What run.json says of a file and of a solve, and whether a run can go on by it. */
#include "run_json.h"

#include "cqopt/device.h"
#include "cqopt/version.h"

#include "json.h"
#include "open.h"
#include "point.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = 17 };

/* --- what it says ------------------------------------------------------------------------------
 */

/* a text: a number of JSON has 53 bits */
static void put_hash(cq_json *json, const char *name, uint64_t hash) {
  char text[HASH];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  cq_json_text(json, name, text);
}

static void put_config_hash(cq_json *json, const char *name, const cq_scene *scene,
                            bool with_optimizer) {
  uint64_t hash = 0;
  if (cq_scene_config_hash(scene, with_optimizer, &hash) == CQ_OK) {
    put_hash(json, name, hash);
  }
}

static void put_device(cq_json *json, const char *word) {
  char level[32];
  cq_about_device card = {.struct_size = sizeof card, .name = "unknown"};
  cq_json_text(json, "device", word);
  if (strcmp(word, "cuda") == 0) {
    cq_device_info(NULL, 0, &card);
    snprintf(level, sizeof level, "%d.%d", card.major, card.minor);
    cq_json_text(json, "gpu", card.name);
    cq_json_text(json, "compute_capability", level);
  }
}

static void put_scenarios(cq_json *json, const cq_scene *scene) {
  const cq_scenarios_info scenarios = cq_scene_scenarios(scene);
  if (scenarios.count > 0) {
    cq_json_count(json, "scenarios", scenarios.count);
    cq_json_text(json, "combine", scenarios.combine);
  }
}

static void put_experiments(cq_json *json, const cq_scene *scene) {
  const int count = cq_scene_experiment_count(scene);
  if (count == 0) {
    return;
  }
  cq_json_open(json, "experiments", '[');
  for (int k = 0; k < count; k++) {
    const cq_experiment_info e = cq_scene_experiment(scene, k);
    cq_json_open(json, NULL, '{');
    cq_json_text(json, "name", e.name);
    cq_json_number(json, "weight", e.weight);
    cq_json_count(json, "terms", e.terms);
    cq_json_count(json, "residuals", e.residuals);
    cq_json_shut(json, '{');
  }
  cq_json_shut(json, '[');
}

/* What decides the bits of a run, and what it is judged by. */
static void put_facts(cq_json *json, const cq_file *file) {
  const cq_scene *const scene = file->scene;
  const char *const simd = cq_simd_level();
  const cq_optimizer_def *const def = cq_scene_optimizer(scene);
  cq_json_text(json, "simd", simd != NULL ? simd : "unknown"); /* of no matter on a GPU */
  put_device(json, cq_scene_information(scene).device);
  cq_json_count(json, "seed", (long long)cq_ctx_seed(file->ctx));
  cq_json_count(json, "threads", cq_ctx_threads(file->ctx));
  put_scenarios(json, scene);
  put_experiments(json, scene);
  cq_json_count(json, "hash_version", CQ_HASH_VERSION);
  put_config_hash(json, "config_hash", scene, true);
  put_config_hash(json, "scene_hash", scene, false);
  put_hash(json, "stop_hash", cq_scene_stop_hash(scene));
  cq_json_number(json, "constraint_tolerance", def->constraint_tolerance);
  cq_json_number(json, "optimality_tolerance", def->optimality_tolerance);
  cq_json_number(json, "gradient_cost", def->gradient_cost);
  cq_json_text(json, "gradient", cq_gradient_kind_name(cq_scene_problem(scene)->gradient));
}

/* What an optimizer says; of several starts there is no one best evaluation. */
static void put_outcome(cq_json *json, const cq_outcome *o, const double *multipliers, int n) {
  if (o->has_point) {
    cq_json_number(json, "f", o->f);
    cq_json_number(json, "violation", o->violation);
    cq_json_number(json, "kkt_residual", o->kkt_residual);
    cq_json_numbers(json, "multipliers", multipliers, n);
  }
  if (o->repeats > 0) {
    cq_json_count(json, "repeats", o->repeats);
    cq_json_count(json, "repeats_failed", o->repeats_failed);
    cq_json_number(json, "f_mean", o->f_mean);
    cq_json_number(json, "f_deviation", o->f_deviation);
    cq_json_number(json, "f_worst", o->f_worst);
  }
  if (o->best_index > 0) {
    cq_json_count(json, "best_evaluation", o->best_index);
  }
  cq_json_count(json, "evaluations", o->evaluations);
  cq_json_count(json, "replayed", o->replayed);
  cq_json_count(json, "probes", o->probes);
  cq_json_count(json, "gradients", o->gradients);
  cq_json_count(json, "failures", o->failures);
  cq_json_count(json, "recovered", o->recovered);
  cq_json_number(json, "seconds", o->seconds);
  cq_json_number(json, "evaluation_seconds", o->eval_seconds);
  cq_json_number(json, "optimizer_seconds", o->seconds - o->eval_seconds);
  cq_json_count(json, "simulations", o->simulations);
}

/* All that the library knows of a run; programs say more. */
void cq_run_json_write(const cq_run_json *run, FILE *out) {
  const cq_outcome *const o = run->outcome;
  const cq_problem *const problem = cq_scene_problem(run->file->scene);
  cq_json json = cq_json_begin(out);
  cq_json_text(&json, "command", "cq_file_solve");
  cq_json_text(&json, "problem", cq_scene_name(run->file->scene));
  cq_json_text(&json, "title", cq_scene_title(run->file->scene));
  cq_json_text(&json, "version", cq_version());
  put_facts(&json, run->file);
  cq_json_text(&json, "status", o != NULL ? cq_status_name(o->status) : "running");
  if (o != NULL) {
    cq_json_count(&json, "exit_code", cq_status_exit_code(o->status));
    cq_json_text(&json, "reason", o->reason);
    put_outcome(&json, o, run->multipliers, cq_problem_constraints(problem));
  }
  cq_json_end(&json);
}

/* --- the same for those who say more ----------------------------------------------------------
 */

static cq_status write_facts(const void *file, FILE *out) {
  cq_json json = cq_json_bare(out);
  put_facts(&json, file);
  cq_json_end(&json);
  return CQ_OK;
}

cq_status cq_file_facts(const cq_file *file, char *text, size_t *size) {
  return file != NULL ? cq_api_text(file->ctx, write_facts, file, text, size) : CQ_USAGE;
}

typedef struct ended {
  const cq_outcome *outcome;
  const double *multipliers;
  int n;
} ended;

static cq_status write_outcome(const void *user, FILE *out) {
  const ended *const e = user;
  cq_json json = cq_json_bare(out);
  put_outcome(&json, e->outcome, e->multipliers, e->n);
  cq_json_end(&json);
  return CQ_OK;
}

/* The outcome of a caller who may know fewer fields. */
cq_status cq_outcome_facts(const cq_outcome *outcome, const double *multipliers, int n, char *text,
                           size_t *size) {
  cq_outcome whole = {.struct_size = sizeof whole};
  if (outcome == NULL || outcome->struct_size <= sizeof outcome->struct_size || n < 0 ||
      (multipliers == NULL && n > 0)) {
    return CQ_USAGE;
  }
  memcpy(&whole, outcome,
         outcome->struct_size < sizeof whole ? outcome->struct_size : sizeof whole);
  const ended e = {&whole, multipliers, n};
  return cq_api_text(NULL, write_outcome, &e, text, size);
}

/* --- going on ----------------------------------------------------------------------------------
 */

/* Its text, by malloc; NULL: there is none that can be read. */
static char *read_json(const char *folder) {
  enum { LARGEST = 1 << 20, PATH = 4096 };
  char path[PATH];
  const int length = snprintf(path, sizeof path, "%s/run.json", folder);
  FILE *const file = length < PATH ? cq_open_read(path) : NULL;
  char *const text = file != NULL ? calloc(LARGEST, 1) : NULL;
  if (text != NULL) {
    text[fread(text, 1, LARGEST - 1, file)] = '\0';
  }
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

/* By the hashes of run.json: what the file says must be what the run was of. */
static cq_status check_hash(const cq_file *file, const char *folder, const char *json, bool warm) {
  uint64_t hash = 0;
  char now[HASH], recorded[64], version[32];
  CQ_TRY(cq_scene_config_hash(file->scene, !warm, &hash));
  snprintf(now, sizeof now, "%016" PRIx64, hash);
  cq_json_member(json, warm ? "scene_hash" : "config_hash", recorded, sizeof recorded);
  CQ_CHECK(file->ctx, strcmp(recorded, "-") != 0, CQ_IO,
           "%s/run.json is damaged, or of an older version: it does not say which problem was "
           "solved; solve %s/problem.cfg in a new folder",
           folder, folder);
  cq_json_member(json, "hash_version", version, sizeof version);
  CQ_CHECK(
      file->ctx, strtol(version, NULL, 10) == CQ_HASH_VERSION, CQ_CONFIG,
      "%s was written by another version of cqopt, which hashed settings in another way, so that "
      "this one cannot tell whether they still are those of the run; begin a new run at its best "
      "design: cqopt solve %s/problem.cfg --start %s",
      folder, folder, folder);
  CQ_CHECK(file->ctx, strcmp(now, recorded) == 0, CQ_CONFIG,
           "%s/problem.cfg is not the problem of this run any more: it was changed by hand, or by "
           "another version; solve it in a new folder",
           folder);
  return CQ_OK;
}

/* A member that must be what it was, for the same bits. */
static cq_status check_same(const cq_file *file, const char *folder, const char *json,
                            const char *name, const char *what, const char *now) {
  char recorded[32];
  cq_json_member(json, name, recorded, sizeof recorded);
  CQ_CHECK(file->ctx, strcmp(recorded, now) == 0, CQ_CONFIG,
           "%s: the run had %s %s, this is %s, which may take other steps; resume it with that "
           "one, or from its best design (CQ_SOLVE_DIVERGE, --allow-diverge)",
           folder, what, recorded, now);
  return CQ_OK;
}

/* What the CPU can do is of no matter on a GPU. */
static cq_status check_level(const cq_file *file, const char *folder, const char *json) {
  const char *const device = cq_scene_information(file->scene).device, *const simd =
                                                                           cq_simd_level();
  CQ_TRY(check_same(file, folder, json, "device", "device", device));
  return strcmp(device, "cpu") != 0 ? CQ_OK
                                    : check_same(file, folder, json, "simd", "SIMD level",
                                                 simd != NULL ? simd : "unknown");
}

/* A record without run.json says nothing of what it is of. */
cq_status cq_file_may_resume(const cq_file *file, const char *folder, unsigned how) {
  const bool warm = (how & CQ_SOLVE_DIVERGE) != 0;
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, folder != NULL, CQ_USAGE, "there is no folder whose run goes on");
  char *const json = read_json(folder);
  CQ_CHECK(file->ctx, json != NULL, CQ_IO,
           "%s has no run.json that can be read: there is nothing to go on from", folder);
  cq_status status = check_hash(file, folder, json, warm);
  status = status == CQ_OK && !warm ? check_level(file, folder, json) : status;
  free(json);
  return status;
}
