/* Curves of whatever a path names: a run, a folder of runs, a table. */
#include "folder.h"
#include "plot_data.h"
#include "status.h"
#include "table.h"

#include <sys/stat.h>
#include <unistd.h>

/* the runs that a table of runs in the folder names */
static cq_status read_several(const cli_plot_def *def, const char *folder, const char *name,
                              cli_plot_data *data) {
  char path[CLI_PATH], run[CLI_FOLDER], below[300];
  cli_table table;
  snprintf(path, sizeof path, "%.1000s/%s", folder, name);
  CQ_TRY(cli_table_open(data->ctx, path, &table));
  const int column = cli_table_column(&table, "folder");
  cq_status status = CQ_OK;
  while (status == CQ_OK && cli_table_next(&table)) {
    cli_table_text(&table, column, below, sizeof below);
    snprintf(run, sizeof run, "%.600s/%s", folder, below);
    snprintf(path, sizeof path, "%s/history.csv", run);
    status = access(path, R_OK) == 0 ? cli_plot_read_run(def, run, data) : CQ_OK;
  }
  cli_table_close(&table);
  return status;
}

/* A file is a table; a folder is several runs, if it has a table of them, or one. */
cq_status cli_plot_read(const cli_plot_def *def, const char *path, cli_plot_data *data) {
  static const char *const tables[] = {"starts.csv", "runs.csv"};
  char file[CLI_PATH];
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
    return cli_plot_read_table(def, path, data);
  }
  CQ_CHECK(data->ctx, def->n_wheres == 0, CQ_USAGE, "--where is for tables, and %s is a folder",
           path);
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    snprintf(file, sizeof file, "%.1000s/%s", path, tables[i]);
    if (access(file, R_OK) == 0) {
      return read_several(def, path, tables[i], data);
    }
  }
  return cli_plot_read_run(def, path, data);
}
