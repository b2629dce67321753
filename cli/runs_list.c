#include "runs_list.h"

#include "clock.h"
#include "label.h"
#include "run_read.h"
#include "run_state.h"
#include "status.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 8, NAME = 18 };

typedef struct entry {
  char folder[CLI_FOLDER];
  char problem[64], command[16], started[CLI_STAMP], word[32];
  double f, violation;
  int evaluations;
  char broken[300]; /* why; "": it is whole */
} entry;

typedef struct listing {
  cq_ctx *ctx;
  int count;
  entry *entries; /* [count] by malloc */
} listing;

static bool has(const char *folder, const char *name) {
  char path[CLI_PATH];
  struct stat info;
  snprintf(path, sizeof path, "%.1000s/%.200s", folder, name);
  return stat(path, &info) == 0;
}

/* what run.json says, and where it does not yet, history.csv */
static cq_status fill(cq_ctx *ctx, entry *e) {
  char *json = NULL;
  cli_state state = CLI_ENDED;
  cli_history history;
  CQ_TRY(cli_run_state(ctx, e->folder, &json, &state));
  cli_run_member(json, "problem", e->problem, sizeof e->problem);
  cli_run_member(json, "command", e->command, sizeof e->command);
  cli_run_member(json, "started", e->started, sizeof e->started);
  cli_run_member(json, "status", e->word, sizeof e->word);
  e->f = cli_run_number(json, "f");
  e->violation = cli_run_number(json, "violation");
  e->evaluations = (int)fmax(cli_run_number(json, "evaluations"), 0.0);
  cq_status status = CQ_OK;
  if (state != CLI_ENDED) {
    snprintf(e->word, sizeof e->word, "%s", cli_state_word(state));
    status = cli_history_read(ctx, e->folder, json, &history);
    e->f = cli_history_best(&history, "f");
    e->violation = cli_history_best(&history, "violation");
    e->evaluations = history.evaluations;
    cli_history_free(&history);
  }
  free(json);
  return status;
}

/* A folder that cannot be read is listed as broken, with why. */
static cq_status add(listing *l, const char *folder) {
  entry *const more = realloc(l->entries, ((size_t)l->count + 1) * sizeof *more);
  CQ_CHECK(l->ctx, more != NULL, CQ_MEMORY, "out of memory");
  l->entries = more;
  entry *const e = &more[l->count++];
  *e = (entry){.f = NAN, .violation = NAN};
  snprintf(e->folder, sizeof e->folder, "%s", folder);
  if (fill(l->ctx, e) != CQ_OK) {
    const char *const error = cq_ctx_error(l->ctx);
    const size_t length = strlen(folder);
    const bool repeats = strncmp(error, folder, length) == 0 && error[length] == '/';
    snprintf(e->broken, sizeof e->broken, "%.290s", error + (repeats ? length + 1 : 0));
    cq_ctx_clear_error(l->ctx);
  }
  return CQ_OK;
}

/* Folders below, some levels deep; a run folder is not looked into. Links are not followed, which
 * could go in circles. */
static cq_status search(listing *l, const char *folder, int depth) {
  char path[CLI_FOLDER];
  struct stat info;
  if (has(folder, "run.json") || has(folder, "evals.bin") || has(folder, "log.txt")) {
    return add(l, folder);
  }
  DIR *const dir = opendir(folder);
  CQ_CHECK(l->ctx, dir != NULL || depth > 0, CQ_IO, "%s: %s", folder, strerror(errno));
  cq_status status = CQ_OK;
  while (dir != NULL && status == CQ_OK && depth < DEEPEST) {
    const struct dirent *const e = readdir(dir);
    if (e == NULL) {
      break;
    }
    const int length = snprintf(path, sizeof path, "%s%s%s", folder,
                                folder[strlen(folder) - 1] == '/' ? "" : "/", e->d_name);
    if (e->d_name[0] != '.' && length < (int)sizeof path && lstat(path, &info) == 0 &&
        S_ISDIR(info.st_mode)) {
      status = search(l, path, depth + 1);
    }
  }
  if (dir != NULL) {
    closedir(dir);
  }
  return status;
}

/* the newest first */
static int by_time(const void *a, const void *b) {
  const entry *const x = a, *const y = b;
  const int order = strcmp(y->started, x->started);
  return order != 0 ? order : strcmp(y->folder, x->folder);
}

static void put_number(FILE *out, int width, const char *format, double value) {
  char text[32] = "-";
  if (isfinite(value)) {
    snprintf(text, sizeof text, format, value);
  }
  fprintf(out, " %*s", width, text);
}

static void print_entry(const entry *e, FILE *out) {
  char name[90], shown[90];
  const bool solve = strcmp(e->command, "solve") == 0;
  snprintf(name, sizeof name, "%s%s%s%s", e->problem, solve ? "" : " (", solve ? "" : e->command,
           solve ? "" : ")");
  cli_label_cut(name, NAME, shown, sizeof shown);
  /* 2024-05-17T08:30:00Z without its seconds */
  fprintf(out, "%.10s %.5s  %-*s %-14s", e->started, strlen(e->started) > 16 ? e->started + 11 : "",
          NAME, shown, e->word);
  put_number(out, 11, "%.4e", e->f);
  put_number(out, 9, "%.2g", e->violation);
  fprintf(out, " %5d  %s\n", e->evaluations, e->folder);
}

/* The runs, then what is broken. */
static void print(const listing *l, FILE *out) {
  bool heading = false;
  for (int i = 0; i < l->count; i++) {
    if (l->entries[i].broken[0] == '\0') {
      if (!heading) {
        fprintf(out, "%-16s  %-*s %-14s %11s %9s %5s  %s\n", "started (UTC)", NAME, "problem",
                "status", "f", "violation", "evals", "folder");
      }
      heading = true;
      print_entry(&l->entries[i], out);
    }
  }
  for (int i = 0; i < l->count; i++) {
    if (l->entries[i].broken[0] != '\0') {
      fprintf(out, "broken: %s: %s\n", l->entries[i].folder, l->entries[i].broken);
    }
  }
}

cq_status cli_runs_print(cq_ctx *ctx, const char *folder, FILE *out) {
  listing l = {.ctx = ctx};
  const cq_status status = search(&l, folder, 0);
  if (status == CQ_OK && l.count > 0) {
    qsort(l.entries, (size_t)l.count, sizeof *l.entries, by_time);
    print(&l, out);
  } else if (status == CQ_OK) {
    fprintf(out, "no runs below %s\n", folder);
  }
  free(l.entries);
  return status;
}
