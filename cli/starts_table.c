/* The starts as a table for people and as starts.csv. */
#include "clock.h"
#include "csv.h"
#include "plural.h"
#include "run_json.h"
#include "starts.h"
#include "status.h"
#include "table.h"
#include "whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_cell(FILE *out, double value) {
  fputc(',', out);
  cq_csv_number(out, value);
}

/* starts.csv, in the order of the numbers. */
cq_status cli_starts_write(void *starts, FILE *out) {
  const cli_starts *const s = starts;
  fprintf(out, "start,folder,status,exit_code,f_start,f,violation,kkt_residual,evaluations,"
               "simulations,gradients,failures,recovered,f_mean,f_deviation,f_worst,reason,"
               "seconds\n");
  for (int i = 0; i < s->count; i++) {
    const cli_start *const start = &s->starts[i];
    fprintf(out, "%d,%s,%s,", start->number, start->folder, start->status);
    if (start->exit_code >= 0) {
      fprintf(out, "%d", start->exit_code);
    }
    put_cell(out, start->f_start);
    put_cell(out, start->f);
    put_cell(out, start->violation);
    put_cell(out, start->kkt_residual);
    fprintf(out, ",%d,%d,%d,%d,%d", start->evaluations, start->simulations, start->gradients,
            start->failures, start->recovered);
    put_cell(out, start->f_mean);
    put_cell(out, start->f_deviation);
    put_cell(out, start->f_worst);
    fputc(',', out);
    cq_csv_text(out, start->reason);
    put_cell(out, start->seconds);
    fputc('\n', out);
  }
  return CQ_OK;
}

static double number_in(const cli_table *table, const char *column) {
  return cli_table_number(table, cli_table_column(table, column));
}

static int count_in(const cli_table *table, const char *column, int fallback) {
  return cq_whole(number_in(table, column), fallback);
}

static void read_row(const cli_table *table, cli_start *start) {
  *start = (cli_start){.number = count_in(table, "start", 0),
                       .exit_code = count_in(table, "exit_code", -1),
                       .f_start = number_in(table, "f_start"),
                       .f = number_in(table, "f"),
                       .f_mean = number_in(table, "f_mean"),
                       .f_deviation = number_in(table, "f_deviation"),
                       .f_worst = number_in(table, "f_worst"),
                       .violation = number_in(table, "violation"),
                       .kkt_residual = number_in(table, "kkt_residual"),
                       .evaluations = count_in(table, "evaluations", 0),
                       .failures = count_in(table, "failures", 0),
                       .recovered = count_in(table, "recovered", 0),
                       .seconds = number_in(table, "seconds")};
  cli_table_text(table, cli_table_column(table, "folder"), start->folder, sizeof start->folder);
  cli_table_text(table, cli_table_column(table, "status"), start->status, sizeof start->status);
  cli_table_text(table, cli_table_column(table, "reason"), start->reason, sizeof start->reason);
}

/* Row by row; how many there are shows at the end. */
cq_status cli_starts_read(cq_ctx *ctx, const char *run, double constraint_tolerance,
                          cli_starts *out) {
  char path[CLI_PATH];
  cli_table table;
  *out = (cli_starts){.constraint_tolerance = constraint_tolerance};
  snprintf(path, sizeof path, "%s/starts.csv", run);
  CQ_TRY(cli_table_open(ctx, path, &table));
  bool fits = true;
  while (fits && cli_table_next(&table)) {
    cli_start *const more = realloc(out->starts, ((size_t)out->count + 1) * sizeof *out->starts);
    fits = more != NULL;
    if (fits) {
      out->starts = more;
      read_row(&table, &out->starts[out->count++]);
    }
  }
  cli_table_close(&table);
  CQ_CHECK(ctx, fits, CQ_MEMORY, "out of memory");
  cli_starts_judge(out);
  return CQ_OK;
}

void cli_starts_print_heading(FILE *out) {
  fprintf(out, "\n%5s  %-24s %13s %9s %8s %6s %8s\n", "start", "outcome", "objective", "violation",
          "KKT", "evals", "time");
}

static void put_number(FILE *out, int width, int digits, double value) {
  if (isfinite(value)) {
    fprintf(out, " %*.*e", width, digits, value);
  } else {
    fprintf(out, " %*s", width, "-");
  }
}

const char *cli_starts_word(const cli_starts *s, char text[64]) {
  const char *const word = cli_start_word(&s->starts[s->best >= 0 ? s->best : 0]);
  if (s->optima < 2 || strcmp(word, CLI_VERIFIED) != 0) {
    return word;
  }
  snprintf(text, 64, "local optimum, the best of %d different ones", s->optima);
  return text;
}

static void print_start(FILE *out, const cli_start *start, const char *word) {
  char time[CLI_STAMP];
  cli_clock_short(start->seconds, time);
  fprintf(out, "%5d  %-24.24s", start->number, word);
  put_number(out, 13, 6, start->f);
  put_number(out, 9, 2, start->violation);
  put_number(out, 8, 2, start->kkt_residual);
  fprintf(out, " %6d %8s", start->evaluations, time);
}

void cli_start_print(FILE *out, const cli_start *start) {
  print_start(out, start, cli_start_word(start));
}

/* One of all, when how the others ended is known. */
static void print_among(FILE *out, const cli_style *style, const cli_starts *s,
                        const cli_start *start) {
  const int status = cli_status_find(start->status);
  const char *word = cli_start_word(start);
  const char *colour = cli_style_of(style, status >= 0 ? (cq_status)status : CQ_OPTIMIZER);
  if (s->optima > 1 && strcmp(word, CLI_VERIFIED) == 0) {
    word = "local optimum";
    colour = style->fair;
  }
  fputs(start->exit_code < 0 ? style->dim : colour, out);
  print_start(out, start, word);
  fprintf(out, "%s\n", style->end);
}

/* a line of its own: most have none, and the table is as wide as a screen */
static void print_failures(FILE *out, const cli_start *start) {
  if (start->failures + start->recovered > 0) {
    fprintf(out, "  start %d: %d evaluation%s failed, %d solved in smaller steps\n", start->number,
            start->failures, cq_plural(start->failures), start->recovered);
  }
}

void cli_starts_print(FILE *out, const cli_style *style, const cli_starts *s) {
  int *const order = calloc((size_t)s->count + 1, sizeof *order);
  if (order == NULL) {
    return;
  }
  cli_starts_rank(s, order);
  cli_starts_print_heading(out);
  for (int i = 0; i < s->count; i++) {
    print_among(out, style, s, &s->starts[order[i]]);
  }
  for (int i = 0; i < s->count; i++) {
    print_failures(out, &s->starts[order[i]]);
  }
  free(order);
}
