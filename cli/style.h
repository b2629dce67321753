/* Text for people: colour on a terminal only, the same words in the log. */
#ifndef CQ_CLI_STYLE_H
#define CQ_CLI_STYLE_H

#include "folder.h"

/* escape sequences, or empty strings */
typedef struct cli_style {
  const char *bold, *dim, *good, *fair, *bad, *end;
} cli_style;

/* True when out is a terminal that can move its cursor. */
bool cli_style_is_terminal(FILE *out);

enum {
  CLI_SCREEN = 80, /* columns that a report may take */
  CLI_HEADING = 12 /* of "Verified    " and its like */
};

/* Prints text with lines that are too long for the screen broken at blanks, and what follows
 * indented by so many columns more than their beginning. */
void cli_style_wrap(FILE *out, int indent, const char *text);

typedef void (*cli_report_fn)(FILE *out, const cli_style *style, void *user);
/* The same of a report. */
void cli_style_wrapped(FILE *out, const cli_style *style, int indent, cli_report_fn fn, void *user);
/* Prints a report on stdout (unless the run is quiet) and into the log (folder NULL: no log). */
cq_status cli_style_report(cq_ctx *ctx, cli_folder *folder, bool quiet, cli_report_fn fn,
                           void *user);
/* What a status is worth: good, fair (stopped early) or bad. */
const char *cli_style_of(const cli_style *style, cq_status status);

#endif
