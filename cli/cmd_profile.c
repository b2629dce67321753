/* cqopt profile: how far the variables of a fit may be from its best design, beyond first order. */
#include "cqopt/cqopt.h"

#include "fits.h"
#include "options.h"
#include "plural.h"
#include "profile.h"
#include "report.h"
#include "report_evals.h"
#include "run_read.h"
#include "signals.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LABEL = 128, POINTS = 6 };
static const double REACH = 3;

typedef struct wanted {
  cq_ctx *ctx;
  const cli_options *options;
  cq_file *file;
  const cq_problem *problem;
  cli_evals evals;
  cli_folder folder;
  cq_uncertainty *u;
  cli_profile of;
  cli_fits fits;
  int lock; /* of the folder, against another command that writes its fits; -1: none */
  int by[CLI_MOST_PROFILES];
  int n_by;
} wanted;

static void on_log(void *user, cq_log_level level, const char *line) {
  (void)user;
  if (level != CQ_LOG_INFO) {
    fprintf(stderr, "cqopt: warning: %s\n", line);
  }
}

/* The variable that a name means: its label, or the only one whose label has it in it; -1. */
static int find_variable(const wanted *w, const char *name) {
  int found = -1, count = 0;
  for (int i = 0; i < w->problem->n; i++) {
    char label[LABEL];
    cq_scene_variable_label(w->of.scene, i, label, sizeof label);
    if (strcmp(label, name) == 0) {
      return i;
    }
    if (strstr(label, name) != NULL) {
      found = i;
      count++;
    }
  }
  return count == 1 ? found : -1;
}

static void list_variables(const wanted *w, char *text, size_t size) {
  enum { MOST = 8 };
  size_t used = 0;
  for (int i = 0; i < w->problem->n && i < MOST && used < size; i++) {
    char label[LABEL];
    cq_scene_variable_label(w->of.scene, i, label, sizeof label);
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", label);
  }
  if (w->problem->n > MOST && used < size) {
    snprintf(text + used, size - used, ", ...");
  }
}

static cq_status add_variable(wanted *w, const char *name) {
  char all[400];
  const int i = find_variable(w, name);
  list_variables(w, all, sizeof all);
  CQ_CHECK(w->ctx, i >= 0, CQ_USAGE, "--by: \"%s\" is no variable, or several: %s", name, all);
  CQ_CHECK(w->ctx, w->n_by < CLI_MOST_PROFILES, CQ_USAGE, "profiles are of %d variables at most",
           (int)CLI_MOST_PROFILES);
  w->by[w->n_by++] = i;
  return CQ_OK;
}

/* Those of --by; without it, and without a bootstrap, all of a few. */
static cq_status choose(wanted *w) {
  const char *rest = w->options->by;
  char name[LABEL], all[400];
  if (rest == NULL && w->options->bootstrap > 0) {
    return CQ_OK;
  }
  list_variables(w, all, sizeof all);
  CQ_CHECK(w->ctx, rest != NULL || w->problem->n <= CLI_MOST_PROFILES, CQ_USAGE,
           "which of %d variables? --by NAME,...: %s", w->problem->n, all);
  for (int i = 0; i < w->problem->n && rest == NULL; i++) {
    w->by[w->n_by++] = i;
  }
  while (rest != NULL && *rest != '\0') {
    const size_t length = strcspn(rest, ",");
    snprintf(name, sizeof name, "%.*s", (int)(length < LABEL ? length : LABEL - 1), rest);
    CQ_TRY(add_variable(w, name));
    rest += length + (rest[length] == ',');
  }
  return CQ_OK;
}

/* The best start of several is the run. */
static cq_status find_run(wanted *w, char folder[CLI_PATH]) {
  char *json = NULL, best[64];
  CQ_TRY(cli_run_read(w->ctx, w->options->argument, &json));
  cli_run_member(json, "best_folder", best, sizeof best);
  free(json);
  const bool several = strcmp(best, "-") != 0;
  snprintf(folder, CLI_PATH, "%.900s%s%s", w->options->argument, several ? "/" : "",
           several ? best : "");
  return CQ_OK;
}

static cq_status open_run(wanted *w) {
  char folder[CLI_PATH], path[CLI_PATH + 16];
  CQ_TRY(find_run(w, folder));
  snprintf(path, sizeof path, "%s/problem.cfg", folder);
  CQ_TRY(cli_run_load(w->ctx, path, &w->file));
  w->of.scene = cq_file_scene(w->file);
  w->problem = cq_scene_problem(w->of.scene);
  CQ_CHECK(w->ctx, w->problem->n_residuals > 0, CQ_CONFIG,
           "%s is no fit: its objective is no sum of squares: %s", w->options->argument,
           w->problem->no_residuals != NULL ? w->problem->no_residuals : "it tells no residuals");
  CQ_TRY(cli_evals_read(w->ctx, w->of.scene, folder, cli_report_best(w->ctx, folder), &w->evals));
  CQ_CHECK(w->ctx, w->evals.best.index > 0, CQ_IO, "%s has no design that could be evaluated",
           w->options->argument);
  snprintf(w->folder.path, sizeof w->folder.path, "%.900s", w->options->argument);
  w->folder.ctx = w->ctx;
  w->of.ctx = w->ctx;
  w->of.x = w->evals.best.x;
  return choose(w);
}

/* What to say of a profile beside its interval. */
static void warn(const wanted *w, const cq_profile *p) {
  char label[LABEL];
  double least = INFINITY;
  cq_scene_variable_label(w->of.scene, p->variable, label, sizeof label);
  for (int i = 0; i < p->count; i++) {
    least = fmin(least, p->f[i]);
  }
  if (w->u->f - least > 1e-3 * p->rise) {
    cq_log(w->ctx, CQ_LOG_WARNING,
           "a better design was found on the way along %s: f = %.9g, not %.9g (profile.csv); the "
           "fit is not at its minimum: go on with it",
           label, least, w->u->f);
  }
  if (isnan(p->lower) || isnan(p->upper)) {
    cq_log(w->ctx, CQ_LOG_WARNING,
           "the data do not limit %s %s within what was looked at: --reach looks further", label,
           !isnan(p->lower)   ? "above"
           : !isnan(p->upper) ? "below"
                              : "on either side");
  }
  if (p->unsettled > 0) {
    cq_log(w->ctx, CQ_LOG_WARNING, "%d of %d fits along %s have not settled", p->unsettled,
           p->count - 1, label);
  }
}

static uint64_t seed_of(const wanted *w) {
  return w->options->seed_set[0] != '\0' ? w->options->seed : cq_ctx_seed(w->ctx);
}

/* All that the fits depend on: those of another command are no help. */
static cq_status open_fits(wanted *w) {
  const cli_options *const o = w->options;
  char key[600];
  uint64_t hash = 0;
  CQ_TRY(cq_file_hash(w->file, true, &hash));
  snprintf(key, sizeof key,
           "cqopt %s, problem %016llx, design %d, --by %.300s, --points %d, --reach %a, "
           "--bootstrap %d, --seed %llu",
           cq_version(), (unsigned long long)hash, w->evals.best.index, o->by != NULL ? o->by : "-",
           o->points, o->reach, o->bootstrap, (unsigned long long)seed_of(w));
  CQ_TRY(cli_folder_lock(&w->folder, &w->lock));
  CQ_TRY(cli_fits_open(w->ctx, w->folder.path, key, &w->fits));
  w->u->memory = &w->fits.memory;
  return CQ_OK;
}

static cq_status find_all(wanted *w) {
  const cli_options *const o = w->options;
  const uint64_t seed = seed_of(w);
  CQ_TRY(cq_uncertainty_find(w->ctx, w->problem, w->evals.best.refinement, w->of.x, &w->u));
  w->of.u = w->u;
  CQ_TRY(open_fits(w));
  for (int k = 0; k < w->n_by; k++) {
    CQ_TRY(cq_profile_find(w->ctx, w->problem, w->u, w->of.x, w->by[k],
                           o->points > 0 ? o->points : POINTS, o->reach > 0 ? o->reach : REACH,
                           &w->of.profiles[k]));
    w->of.count++;
    warn(w, w->of.profiles[k]);
  }
  if (o->bootstrap > 0) {
    CQ_TRY(
        cq_bootstrap_find(w->ctx, w->problem, w->u, w->of.x, o->bootstrap, seed, &w->of.bootstrap));
    if (w->of.bootstrap->failed > 0) {
      cq_log(w->ctx, CQ_LOG_WARNING, "%d of %d draws have no fit that settled, and do not count",
             w->of.bootstrap->failed, o->bootstrap);
    }
  }
  return CQ_OK;
}

static cq_status run(wanted *w) {
  CQ_TRY(open_run(w));
  cli_signals_begin(w->ctx);
  const cq_status status = find_all(w);
  cli_signals_end();
  if (w->fits.known > 0) {
    fprintf(stderr, "cqopt: went on after %d fit%s of an interrupted profile\n", w->fits.known,
            cq_plural(w->fits.known));
  }
  CQ_TRY(status);
  CQ_TRY(cli_profile_write(&w->of, &w->folder));
  return cli_style_report(w->ctx, NULL, false, cli_profile_print, &w->of);
}

cq_status cmd_profile(cq_ctx *ctx, const cli_options *options) {
  wanted w = {.ctx = ctx, .options = options, .evals = {.ctx = ctx}, .lock = -1};
  cq_ctx_set_log(ctx, on_log, NULL);
  const cq_status status = run(&w);
  cli_fits_close(&w.fits, status == CQ_OK);
  if (w.lock >= 0) {
    close(w.lock);
  }
  for (int k = 0; k < w.of.count; k++) {
    cq_profile_free(ctx, w.of.profiles[k]);
  }
  cq_bootstrap_free(ctx, w.of.bootstrap);
  cq_uncertainty_free(ctx, w.u);
  cli_evals_free(&w.evals);
  cq_file_destroy(w.file);
  return status;
}
