#include "batch_folder.h"

#include "build_id.h"
#include "clock.h"
#include "json.h"
#include "machine.h"
#include "run_json.h"
#include "run_read.h"
#include "solve_process.h"
#include "start.h"
#include "status.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool read_member(const cli_batch_folder *f, const char *name, char value[CLI_FACT]) {
  char *json = NULL;
  if (cli_run_read(f->folder.ctx, f->folder.path, &json) != CQ_OK) {
    return false;
  }
  cli_run_member(json, name, value, CLI_FACT);
  free(json);
  return strcmp(value, "-") != 0;
}

static cq_status reopen(cli_batch_folder *f) {
  char command[CLI_FACT];
  f->resumed = true;
  CQ_TRY(cli_folder_reopen(&f->folder, f->options->output));
  CQ_CHECK(f->folder.ctx, read_member(f, "command", command) && strcmp(command, f->command) == 0,
           CQ_IO, "%s is a folder of cqopt %s; name a new one with --output", f->folder.path,
           command);
  read_member(f, "started", command);
  snprintf(f->started, sizeof f->started, "%.31s", command);
  return CQ_OK;
}

/* Of ranks the first makes the folder: one that has another folder would do all of the work in it.
 */
static cq_status await_first_rank(const cli_batch_folder *f) {
  static const struct timespec a_moment = {.tv_nsec = 100000000};
  const int patience = cli_share_patience();
  for (int i = 0; !cli_solve_goes_on(f->options->output); i++) {
    CQ_CHECK(f->folder.ctx, i < 10 * patience, CQ_IO,
             "rank %d of %d: nobody has begun %s for %d s: rank 0 has another folder, or another "
             "file system, or has ended",
             f->share.place, f->share.of, f->options->output, patience);
    nanosleep(&a_moment, NULL);
  }
  return CQ_OK;
}

/* One of those that share a folder makes it, and has the log of it locked meanwhile; the others
 * wait until it has a run.json. */
static cq_status open_shared(cli_batch_folder *f) {
  enum { TRIES = 30 };
  static const struct timespec a_moment = {.tv_nsec = 100000000};
  const char *const output = f->options->output;
  cq_status status = CQ_OK;
  CQ_TRY(f->share.ranks && f->share.place > 0 ? await_first_rank(f) : CQ_OK);
  for (int i = 0; !cli_solve_goes_on(output); i++) {
    status = cli_folder_create(&f->folder, output, cq_scene_name(f->scene));
    if (status == CQ_OK || (i == TRIES && !cli_solve_goes_on(output))) {
      return status;
    }
    cq_ctx_clear_error(f->folder.ctx);
    nanosleep(&a_moment, NULL);
  }
  return reopen(f);
}

/* New, or one that goes on; alone, or with others. */
cq_status cli_batch_folder_open(cli_batch_folder *f) {
  const char *const output = f->options->output;
  f->lock = -1;
  cli_clock_iso(f->started);
  CQ_CHECK(f->folder.ctx, !f->share.collects || cli_solve_goes_on(output), CQ_IO,
           "%s: there is no folder of cqopt %s to collect", output, f->command);
  if (f->share.of > 0 || f->share.collects) {
    CQ_TRY(open_shared(f));
    return cli_folder_share(&f->folder, &f->lock);
  }
  if (output != NULL && cli_solve_goes_on(output)) {
    CQ_TRY(reopen(f));
  } else {
    CQ_TRY(cli_folder_create(&f->folder, output, cq_scene_name(f->scene)));
  }
  return cli_folder_lock(&f->folder, &f->lock);
}

bool cli_batch_folder_fact(const cli_batch_folder *f, const char *name, char value[CLI_FACT]) {
  return f->resumed && read_member(f, name, value);
}

bool cli_batch_folder_makes_tables(const cli_batch_folder *f) {
  char status[CLI_FACT] = "";
  read_member(f, "status", status);
  return cli_share_makes_tables(&f->share, status);
}

cq_status cli_fact_problem(cq_file *file, cli_fact *fact) {
  uint64_t hash = 0;
  char settings[CLI_HASH], stops[CLI_HASH];
  CQ_TRY(cq_file_hash(file, true, &hash));
  *fact = (cli_fact){.name = "settings_hash", .words = "a problem or --set options with hash"};
  snprintf(fact->value, CLI_FACT, "%d-%s-%s", (int)CQ_HASH_VERSION, cli_hash_text(hash, settings),
           cli_stop_hash(cq_file_scene(file), stops));
  return CQ_OK;
}

/* Without a version before it a hash is of one that hashed in another way. */
static bool is_older(const cli_fact *fact, const char *value) {
  return strcmp(fact->name, "settings_hash") == 0 && strcspn(value, "-") + 1 == CLI_HASH;
}

cq_status cli_batch_folder_check(const cli_batch_folder *f, const cli_fact *facts, int n) {
  char value[CLI_FACT];
  for (int i = 0; i < n && f->resumed; i++) {
    const bool told = facts[i].words != NULL && read_member(f, facts[i].name, value);
    CQ_CHECK(
        f->folder.ctx, !told || !is_older(&facts[i], value), CQ_CONFIG,
        "%s has runs of another version of cqopt, which hashed settings in another way, so that "
        "this one cannot tell whether they are of the same problem; take a new folder",
        f->folder.path);
    CQ_CHECK(f->folder.ctx, !told || strcmp(value, facts[i].value) == 0, CQ_CONFIG,
             "%s has runs with %s %s, not %s; take a new folder for other settings", f->folder.path,
             facts[i].words, value, facts[i].value);
  }
  return CQ_OK;
}

typedef struct written {
  const cli_batch_folder *f;
  const cli_fact *facts;
  int n;
  const char *status;
} written;

/* run.json of a batch: what a run's own says of who and where, and the facts that have to stay as
 * they are. */
static cq_status write_json(void *user, FILE *out) {
  const written *const w = user;
  cq_json json = cq_json_begin(out);
  cq_json_text(&json, "command", w->f->command);
  cq_json_text(&json, "problem", cq_scene_name(w->f->scene));
  cq_json_text(&json, "title", cq_scene_title(w->f->scene));
  cq_json_texts(&json, "command_line", w->f->options->argv, w->f->options->argc);
  cq_json_text(&json, "version", CQ_VERSION);
  cq_json_text(&json, "build_id", CQ_BUILD_ID);
  cq_json_text(&json, "host", cli_machine_query().host);
  cq_json_count(&json, "pid", (long long)getpid());
  cq_json_text(&json, "started", w->f->started);
  for (int i = 0; i < w->n; i++) {
    cq_json_text(&json, w->facts[i].name, w->facts[i].value);
  }
  cq_json_text(&json, "status", w->status);
  cq_json_end(&json);
  return CQ_OK;
}

cq_status cli_batch_folder_write(cli_batch_folder *f, const cli_fact *facts, int n,
                                 const char *status) {
  written w = {.f = f, .facts = facts, .n = n, .status = status};
  /* who may not work there writes nothing */
  CQ_TRY(f->resumed ? cli_share_open(f->folder.ctx, f->folder.path, &f->share) : CQ_OK);
  CQ_TRY(cli_folder_write(&f->folder, "run.json", write_json, &w));
  /* not before: till it has a run.json a folder with anything in it is somebody else's */
  return cli_share_open(f->folder.ctx, f->folder.path, &f->share);
}

cq_status cli_batch_folder_problem(cli_batch_folder *f, const char *name, cq_file *file) {
  return cli_folder_write(&f->folder, name, cli_text_resolved, file);
}

typedef struct start {
  const cq_scene *scene;
  const double *x;
} start;

static cq_status write_start(void *user, FILE *out) {
  const start *const s = user;
  cli_start_write(s->scene, s->x, out);
  return CQ_OK;
}

cq_status cli_batch_folder_start(cli_batch_folder *f, const char *name, const cq_scene *scene,
                                 const double *x) {
  start s = {.scene = scene, .x = x};
  return cli_folder_write(&f->folder, name, write_start, &s);
}

cq_status cli_batch_folder_close(cli_batch_folder *f, cq_status status) {
  const cq_status closed = cli_folder_close(&f->folder);
  if (f->lock >= 0) {
    close(f->lock);
  }
  cli_share_close(&f->share);
  return status != CQ_OK ? status : closed;
}
