#include "show_batch.h"

#include "folder.h"
#include "label.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum { LABEL = 18 }; /* columns of the screen */

/* compare.csv and study.csv: what a row is of, before the column "runs", then these */
static const struct {
  const char *column, *heading;
} measures[] = {{"f_median", "median f"},
                {"f_q25", "q25"},
                {"f_q75", "q75"},
                {"evaluations_median", "evals"},
                {"expected_to_target", "ERT"},
                {"seconds_median", "time [s]"},
                {"seconds_to_target", "time [s]"}};

/* what the columns before `runs` say, joined: the heading or the row */
static void print_label(const cli_table *table, int runs, bool heading) {
  char label[256] = "", text[64];
  for (int i = 0; i < runs; i++) {
    const size_t used = strlen(label);
    if (heading) {
      cli_table_heading(table, i, text, sizeof text);
    } else {
      cli_table_text(table, i, text, sizeof text);
    }
    const char *const dot = heading ? strrchr(text, '.') : NULL;
    snprintf(label + used, sizeof label - used, "%s%s", i > 0 ? ", " : "",
             dot != NULL ? dot + 1 : text);
  }
  cli_label_put(stdout, 0, LABEL, label);
}

/* The measures that the table has, and how many runs were good. */
static void print_row(const cli_table *table, int runs) {
  char text[64];
  print_label(table, runs, false);
  for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
    const int column = cli_table_column(table, measures[i].column);
    const double value = cli_table_number(table, column);
    if (column >= 0 && isfinite(value)) {
      printf(" %9.3g", value);
    } else if (column >= 0) {
      printf(" %9s", "-");
    }
  }
  cli_table_text(table, cli_table_column(table, "successes"), text, sizeof text);
  printf(" %4s", text);
  cli_table_text(table, runs, text, sizeof text);
  printf(" of %s\n", text);
}

/* A table of a comparison or study, with the columns that matter. */
cq_status cli_show_batch(cq_ctx *ctx, const char *folder, const char *name) {
  char path[CLI_PATH];
  cli_table table;
  snprintf(path, sizeof path, "%.960s/%s", folder, name);
  CQ_TRY(cli_table_open(ctx, path, &table));
  const int runs = cli_table_column(&table, "runs");
  putchar('\n');
  print_label(&table, runs, true);
  for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
    if (cli_table_column(&table, measures[i].column) >= 0) {
      printf(" %9s", measures[i].heading);
    }
  }
  printf("  good\n");
  while (cli_table_next(&table)) {
    print_row(&table, runs);
  }
  cli_table_close(&table);
  return CQ_OK;
}
