/* The page of a study or a comparison: the table of its runs, and how their best designs move. */
#include "alloc.h"
#include "report.h"
#include "run_read.h"
#include "status.h"
#include "table.h"
#include "text_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RUNS = 10000 };

typedef struct batch {
  cq_ctx *ctx;
  const char *folder;
  bool simulate;
  char *whole; /* its run.json */
  cq_text_file table;
  int n;
  char (*folders)[CLI_PATH]; /* [n] of the runs, by malloc */
  cli_report_run *runs;      /* [n] */
  char **json;               /* [n] by malloc */
  cq_motion **motions;       /* [n] */
} batch;

static cq_status add_folder(batch *b, const cli_table *table, int column) {
  char name[256];
  CQ_CHECK(b->ctx, b->n < MOST_RUNS, CQ_USAGE, "a page has room for %d runs", (int)MOST_RUNS);
  void *const more = realloc(b->folders, ((size_t)b->n + 1) * sizeof *b->folders);
  CQ_CHECK(b->ctx, more != NULL, CQ_MEMORY, "out of memory");
  b->folders = more;
  cli_table_text(table, column, name, sizeof name);
  snprintf(b->folders[b->n++], CLI_PATH, "%.900s/%s", b->folder, name);
  return CQ_OK;
}

/* The heading and the rows as they are written; what is before "seed" tells the runs apart. */
static cq_status copy_table(batch *b, cli_table *table) {
  char text[1024];
  cq_json json = cq_json_begin(b->table.out);
  int n = 0;
  cq_json_count(&json, "keys", cli_table_column(table, "seed"));
  cq_json_open(&json, "columns", '[');
  for (; cli_table_heading(table, n, text, sizeof text); n++) {
    cq_json_text(&json, NULL, text);
  }
  cq_json_shut(&json, '[');
  cq_json_open(&json, "rows", '[');
  while (cli_table_next(table)) {
    CQ_TRY(add_folder(b, table, cli_table_column(table, "folder")));
    cq_json_open(&json, NULL, '[');
    for (int i = 0; i < n; i++) {
      cli_table_text(table, i, text, sizeof text);
      cq_json_text(&json, NULL, text);
    }
    cq_json_shut(&json, '[');
  }
  cq_json_shut(&json, '[');
  cq_json_end(&json);
  return CQ_OK;
}

static cq_status read_table(batch *b) {
  char path[CLI_PATH];
  cli_table table;
  snprintf(path, sizeof path, "%.1200s/runs.csv", b->folder);
  CQ_TRY(cli_table_open(b->ctx, path, &table));
  cq_status status = cq_text_begin(b->ctx, &b->table);
  if (status == CQ_OK) {
    status = copy_table(b, &table);
    const cq_status ended = cq_text_end(b->ctx, &b->table);
    status = status == CQ_OK ? ended : status;
  }
  cli_table_close(&table);
  CQ_TRY(status);
  CQ_CHECK(b->ctx, b->n > 0, CQ_IO, "%s has no runs", path);
  return CQ_OK;
}

/* One after the other: a scene and the motion of a run may be large, what the page has of it is
 * not. */
static cq_status read_runs(batch *b) {
  const double room = 12e6, least = 30e3; /* bytes of all motions, and of one */
  const double bytes = room / b->n > least ? room / b->n : least;
  CQ_TRY(CQ_ALLOC(b->ctx, b->runs, b->n));
  CQ_TRY(CQ_ALLOC(b->ctx, b->json, b->n));
  CQ_TRY(CQ_ALLOC(b->ctx, b->motions, b->n));
  for (int i = 0; i < b->n; i++) {
    const double own = bytes < 1.5e6 ? bytes : 1.5e6;
    CQ_TRY(cq_ctx_stop_requested(b->ctx));
    CQ_TRY(
        cli_report_member(b->ctx, b->folders[i], i, b->simulate, own, &b->json[i], &b->motions[i]));
    b->runs[i] = (cli_report_run){.json = b->json[i], .motion = b->motions[i]};
  }
  return CQ_OK;
}

static cq_status write_page(batch *b, const char *path) {
  char title[256], problem[256];
  CQ_TRY(cli_run_read(b->ctx, b->folder, &b->whole));
  cli_run_member(b->whole, "title", title, sizeof title);
  cli_run_member(b->whole, "problem", problem, sizeof problem);
  const bool has_title = title[0] != '\0' && strcmp(title, "-") != 0;
  CQ_TRY(read_table(b));
  CQ_TRY(read_runs(b));
  const cli_report_def def = {.title = has_title ? title : problem,
                              .whole = b->whole,
                              .table = b->table.text,
                              .n = b->n,
                              .runs = b->runs};
  return cli_report_page(b->ctx, path, &def);
}

bool cli_report_is_batch(const char *folder) {
  char path[CLI_PATH];
  snprintf(path, sizeof path, "%.1200s/runs.csv", folder);
  return access(path, R_OK) == 0;
}

cq_status cli_report_batch(cq_ctx *ctx, const char *folder, bool simulate, const char *path) {
  batch b = {.ctx = ctx, .folder = folder, .simulate = simulate};
  const cq_status status = write_page(&b, path);
  for (int i = 0; i < b.n && b.motions != NULL; i++) {
    free(b.json[i]);
    cq_motion_free(b.motions[i]);
  }
  cq_free(ctx, b.runs);
  cq_free(ctx, b.json);
  cq_free(ctx, b.motions);
  free(b.folders);
  free(b.table.text);
  free(b.whole);
  return status;
}

cq_status cli_report_batch_ended(cq_ctx *ctx, const char *folder) {
  char path[CLI_PATH + 16];
  snprintf(path, sizeof path, "%s/report.html", folder);
  return cli_report_batch(ctx, folder, false, path);
}
