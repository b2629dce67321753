/* Reading what a run folder holds: comma-separated tables with a heading, and run.json. */
#ifndef CQ_CLI_TABLE_H
#define CQ_CLI_TABLE_H

#include "cqopt/base.h"

#include <stdio.h>

typedef struct cli_table {
  FILE *file;
  char *line, *heading;
  size_t size, heading_size;
  char separator;
  bool torn; /* the last line had no end and was left out */
} cli_table;

/* Commas, semicolons or tabs between fields, a byte order mark and CR LF are understood.
 * CQ_IO with path and reason when there is no such file or it has no heading. */
cq_status cli_table_open(cq_ctx *ctx, const char *path, cli_table *table);
/* The same of an open file, which the table closes in any case; path is for messages. */
cq_status cli_table_take(cq_ctx *ctx, FILE *file, const char *path, cli_table *table);
void cli_table_close(cli_table *table);
/* Name of a column without its quotes; false past the last one. */
bool cli_table_heading(const cli_table *table, int column, char *text, size_t size);
/* Index of a column of exactly this name, -1: there is none. */
int cli_table_column(const cli_table *table, const char *name);
/* Reads the next row; false at the end. */
bool cli_table_next(cli_table *table);
/* Field of the row without its quotes, "" when it is too short. */
void cli_table_text(const cli_table *table, int column, char *text, size_t size);
/* NAN when the field is no number. */
double cli_table_number(const cli_table *table, int column);

#endif
