/* cqopt export: the controller of a run's best design, or of a problem, for other programs; or the
 * state of the particles at a time, for other runs. */
#include "cqopt/cqopt.h"

#include "folder.h"
#include "options.h"
#include "run_read.h"
#include "start.h"
#include "status.h"

#include <sys/stat.h>

/* The problem, and its design as the start of the file. */
static cq_status open_file(cq_ctx *ctx, const cli_options *o, bool of_run, cq_file **file) {
  const char *design = o->start;
  if (of_run) {
    char path[CLI_PATH];
    CQ_CHECK(ctx, o->n_sets == 0, CQ_USAGE,
             "%s is a run folder: --set, --device and --seed are of a problem", o->argument);
    snprintf(path, sizeof path, "%s/problem.cfg", o->argument);
    CQ_TRY(cli_run_load(ctx, path, file));
    design = design != NULL ? design : o->argument;
  } else {
    CQ_TRY(cq_file_load(ctx, o->argument, o->sets, o->n_sets, file));
  }
  return design != NULL ? cli_start_apply(ctx, *file, design) : CQ_OK;
}

/* A state, or a controller in the language of the path's ending. */
static cq_status put(cq_file *file, const cli_options *options, const char *path) {
  cq_scene *const scene = cq_file_scene(file);
  CQ_TRY(options->has_state ? cq_scene_export_state(scene, NULL, options->state, path)
                            : cq_scene_export_controller(scene, NULL, path));
  printf("%s\n", path);
  return CQ_OK;
}

/* All files, or the one that --output names. */
cq_status cmd_export(cq_ctx *ctx, const cli_options *options) {
  struct stat info;
  const bool of_run = stat(options->argument, &info) == 0 && S_ISDIR(info.st_mode);
  static const char *const controllers[] = {"controller.c", "controller.json", NULL};
  static const char *const states[] = {"state.csv", NULL};
  const char *const *name = options->has_state ? states : controllers;
  cq_file *file = NULL;
  cq_status status = open_file(ctx, options, of_run, &file);
  for (; status == CQ_OK && options->file == NULL && *name != NULL; name++) {
    char path[CLI_PATH + 32];
    snprintf(path, sizeof path, "%s%s%s", of_run ? options->argument : "", of_run ? "/" : "",
             *name);
    status = put(file, options, path);
  }
  if (status == CQ_OK && options->file != NULL) {
    status = put(file, options, options->file);
  }
  cq_file_destroy(file);
  return status;
}
