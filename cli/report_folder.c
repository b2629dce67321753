/* From run folders to a page. */
#include "report.h"

#include "alloc.h"
#include "run_read.h"
#include "starts.h"
#include "status.h"
#include "text_file.h"
#include "title.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RUNS = 12 };

/* A run and what is open of it. */
typedef struct item {
  char folder[CLI_PATH], film[CLI_PATH], name[CLI_PATH]; /* film: where its motion.bin is, or "" */
  cq_file *file;                                         /* NULL: the scene is another's */
  cq_scene *scene;
  cli_evals evals;
  cq_motion *motion;
} item;

typedef struct report {
  cq_ctx *ctx;
  bool simulate;
  bool best_alone; /* of all designs of a run */
  int count;
  item *items; /* [MOST_RUNS] */
  char *whole; /* run.json of the run whose starts they are; NULL: they are of none */
} report;

static bool exists(const char *folder, const char *name) {
  char path[CLI_PATH + 32];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, R_OK) == 0;
}

int cli_report_best(cq_ctx *ctx, const char *folder) {
  char *json = NULL, text[32];
  if (cli_run_read(ctx, folder, &json) != CQ_OK) {
    return 0;
  }
  cli_run_member(json, "best_evaluation", text, sizeof text);
  free(json);
  return cq_whole(strtod(text, NULL), 0);
}

/* --- motions --- */

/* Without one the page has no players, and says so. */
static void read_motion(const report *r, item *it) {
  cq_motion_free(it->motion);
  it->motion = NULL;
  char path[CLI_PATH + 16];
  snprintf(path, sizeof path, "%s/motion.bin", it->film);
  const bool was_clean = cq_ctx_status(r->ctx) == CQ_OK;
  if (it->film[0] == '\0' || access(path, R_OK) != 0) {
    return;
  }
  cq_status status = cq_motion_read(r->ctx, path, &it->motion);
  if (status == CQ_OK && it->motion->def.n_total != cq_scene_information(it->scene).particles) {
    cq_motion_free(it->motion);
    it->motion = NULL;
    status = CQ_FAIL(r->ctx, CQ_IO, "%s is of another scene", path);
  }
  if (status != CQ_OK && was_clean) {
    cq_log(r->ctx, CQ_LOG_WARNING, "no motion: %s", cq_ctx_error(r->ctx));
    cq_ctx_clear_error(r->ctx);
  }
}

static bool is_whole(const report *r, const cq_motion *m) {
  return m != NULL && cq_motion_find(m, "best") >= 0 &&
         (r->best_alone || (cq_motion_find(m, "first") >= 0 && cq_motion_find(m, "last") >= 0));
}

static cq_status find_motion(const report *r, item *it) {
  read_motion(r, it);
  if (r->simulate && it->film[0] != '\0' && !is_whole(r, it->motion)) {
    bool recorded = false;
    CQ_TRY(cli_report_film(r->ctx, it->scene, &it->evals, NULL, it->film, 0, !r->best_alone,
                           &recorded, NULL));
    read_motion(r, it);
  }
  return CQ_OK;
}

/* --- runs --- */

static void close_item(item *it) {
  cli_evals_free(&it->evals);
  cq_motion_free(it->motion);
  cq_file_destroy(it->file);
}

/* scene NULL: as problem.cfg says. film "": none. */
static cq_status open_item(const report *r, item *it, const char *folder, const char *film,
                           const char *name, cq_scene *scene) {
  char path[CLI_PATH + 16];
  *it = (item){.scene = scene, .evals = {.ctx = r->ctx}};
  snprintf(it->folder, sizeof it->folder, "%s", folder);
  snprintf(it->film, sizeof it->film, "%s", film);
  snprintf(it->name, sizeof it->name, "%s", name);
  snprintf(path, sizeof path, "%s/problem.cfg", folder);
  CQ_CHECK(r->ctx, exists(folder, "evals.bin"), CQ_IO,
           "%s has no record of evaluations (evals.bin): a report is of a folder that solve left",
           folder);
  if (scene == NULL) {
    CQ_TRY(cli_run_load(r->ctx, path, &it->file));
    it->scene = cq_file_scene(it->file);
  }
  CQ_TRY(cli_evals_read(r->ctx, it->scene, folder, cli_report_best(r->ctx, folder), &it->evals));
  CQ_CHECK(r->ctx, it->evals.rows > 0, CQ_IO, "%s: nothing was evaluated", folder);
  return find_motion(r, it);
}

static cq_status add(report *r, const char *folder, const char *film, const char *name,
                     cq_scene *scene) {
  item *const it = &r->items[r->count];
  const cq_status status = open_item(r, it, folder, film, name, scene);
  if (status == CQ_OK) {
    r->count++;
  } else {
    close_item(it);
  }
  return status;
}

/* A start that was killed before it had anything to tell is left out. */
static void add_start(report *r, const char *folder, const char *film, const char *name,
                      cq_scene *scene) {
  const bool was_clean = cq_ctx_status(r->ctx) == CQ_OK;
  if (add(r, folder, film, name, scene) != CQ_OK && was_clean) {
    cq_ctx_clear_error(r->ctx);
  }
}

/* The starts in the order of their rank, or the best one alone. */
static cq_status add_starts_of(report *r, const char *folder, cq_scene *scene, bool best_alone,
                               const cli_starts *starts) {
  const int before = r->count;
  int *order = NULL;
  CQ_TRY(CQ_ALLOC(r->ctx, order, starts->count));
  cli_starts_rank(starts, order);
  for (int i = 0; i < starts->count && r->count < MOST_RUNS; i++) {
    const cli_start *const start = &starts->starts[order[i]];
    const bool best = order[i] == starts->best;
    char path[CLI_PATH], name[64];
    snprintf(path, sizeof path, "%.900s/%s", folder, start->folder);
    snprintf(name, sizeof name, "start %d", start->number);
    if (best || !best_alone) {
      add_start(r, path, best ? folder : "", best_alone ? folder : name, scene);
    }
  }
  cq_free(r->ctx, order);
  CQ_CHECK(r->ctx, r->count > before, CQ_IO, "%s: no start has evaluated anything", folder);
  return CQ_OK;
}

/* The starts of a run; among other runs its best one. */
static cq_status add_folder(report *r, const char *folder, cq_scene *scene, bool alone) {
  if (!exists(folder, "starts.csv")) {
    return add(r, folder, folder, folder, scene);
  }
  char *json = NULL, text[48];
  cli_starts starts = {.count = 0};
  CQ_TRY(cli_run_read(r->ctx, folder, &json));
  cli_run_member(json, "constraint_tolerance", text, sizeof text);
  r->whole = alone ? json : NULL;
  if (!alone) {
    free(json);
  }
  cq_status status = cli_starts_read(r->ctx, folder, strtod(text, NULL), &starts);
  status = status == CQ_OK ? add_starts_of(r, folder, scene, !alone, &starts) : status;
  free(starts.starts);
  return status;
}

/* --- the page --- */

/* The best design alone, of so many bytes. */
static cq_status reduce(item *it, double bytes) {
  cq_motion *reduced = NULL;
  const int take = it->motion != NULL ? cq_motion_find(it->motion, "best") : -1;
  if (take >= 0) {
    CQ_TRY(cq_motion_reduce(it->motion, take, bytes, &reduced));
  }
  cq_motion_free(it->motion);
  it->motion = reduced;
  return CQ_OK;
}

/* Several runs share the room of a page. */
static cq_status share_room(const report *r) {
  const double room = 5.5e6; /* as much as a page of one run has at most */
  for (int i = 0; i < r->count && r->count > 1; i++) {
    CQ_TRY(reduce(&r->items[i], room / r->count));
  }
  return CQ_OK;
}

static cq_status write_page(const report *r, const char *path) {
  cli_report_run runs[MOST_RUNS];
  CQ_TRY(share_room(r));
  for (int i = 0; i < r->count; i++) {
    const item *const it = &r->items[i];
    runs[i] = (cli_report_run){.scene = it->scene,
                               .folder = it->folder,
                               .name = it->name,
                               .evals = &it->evals,
                               .motion = it->motion,
                               .share = r->count};
  }
  const cli_report_def def = {.title = cli_title_of(r->items[0].scene),
                              .whole = r->whole != NULL ? r->whole : "",
                              .table = "",
                              .n = r->count,
                              .runs = runs};
  return cli_report_page(r->ctx, path, &def);
}

static void close_all(report *r) {
  for (int i = 0; i < r->count; i++) {
    close_item(&r->items[i]);
  }
  cq_free(r->ctx, r->items);
  free(r->whole);
}

static cq_status write_member(const report *r, const item *it, int number, char **json) {
  cq_text_file data;
  char motion[32] = "";
  CQ_TRY(cq_text_begin(r->ctx, &data));
  if (it->motion != NULL) {
    snprintf(motion, sizeof motion, "motion-%d", number);
  }
  cq_json out = cq_json_begin(data.out);
  cq_json_text(&out, "folder", it->folder);
  cq_json_text(&out, "motion", motion);
  if (it->motion != NULL) {
    cli_report_json_drawings(it->scene, &out);
  }
  cq_json_end(&out);
  const cq_status status = cq_text_end(r->ctx, &data);
  *json = data.text;
  return status;
}

cq_status cli_report_member(cq_ctx *ctx, const char *folder, int number, bool simulate,
                            double bytes, char **json, cq_motion **motion) {
  const report r = {.ctx = ctx, .simulate = simulate, .best_alone = true};
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  item it;
  cq_status status = open_item(&r, &it, folder, folder, folder, NULL);
  status = status == CQ_OK ? reduce(&it, bytes) : status;
  if (status != CQ_OK && was_clean && cq_ctx_stop_requested(ctx) == CQ_OK) {
    cq_ctx_clear_error(ctx); /* the table has what it ended with */
    cq_motion_free(it.motion);
    it.motion = NULL;
    status = CQ_OK;
  }
  status = status == CQ_OK ? write_member(&r, &it, number, json) : status;
  *motion = it.motion;
  it.motion = NULL;
  close_item(&it);
  return status;
}

cq_status cli_report_write(cq_ctx *ctx, int n, const char *const *folders, cq_scene *scene,
                           bool simulate, const char *path) {
  report r = {.ctx = ctx, .simulate = simulate};
  CQ_CHECK(ctx, n <= MOST_RUNS, CQ_USAGE, "a page has room for %d runs, not %d", (int)MOST_RUNS, n);
  CQ_TRY(CQ_ALLOC(ctx, r.items, MOST_RUNS));
  cq_status status = CQ_OK;
  for (int i = 0; i < n && status == CQ_OK; i++) {
    status = add_folder(&r, folders[i], scene, n == 1);
  }
  status = status == CQ_OK ? write_page(&r, path) : status;
  close_all(&r);
  return status;
}

cq_status cli_report_ended(cq_ctx *ctx, const char *folder, cq_scene *scene) {
  char path[CLI_PATH + 16];
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  snprintf(path, sizeof path, "%s/report.html", folder);
  report r = {.ctx = ctx};
  CQ_TRY(CQ_ALLOC(ctx, r.items, MOST_RUNS));
  cq_status status = CQ_OK;
  if (add_folder(&r, folder, scene, true) == CQ_OK) {
    status = write_page(&r, path);
  } else if (was_clean) { /* a run that evaluated nothing has no page */
    cq_log(ctx, CQ_LOG_INFO, "no report.html: %s", cq_ctx_error(ctx));
    cq_ctx_clear_error(ctx);
  }
  close_all(&r);
  return status;
}
