/* Labels of tables: rows that are not the same do not look the same. */
#ifndef CQ_CLI_LABEL_H
#define CQ_CLI_LABEL_H

#include <stdio.h>

enum { CLI_LABEL_COLUMN = 24 }; /* usual width; with four numbers beside it a line fits */

/* Columns of text on the screen. */
int cli_columns(const char *text);
/* Text in at most `most` columns (4 and more): a longer one loses its middle, "contr..clock[0]". */
void cli_label_cut(const char *label, int most, char *text, size_t size);
/* The beginning of a row: the label, `indent` blanks before it, in `width` columns. A longer one
 * has a line to itself, and the row goes on below it. */
void cli_label_put(FILE *out, int indent, int width, const char *label);

#endif
