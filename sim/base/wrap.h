/* Text in lines that fit a terminal. */
#ifndef CQ_BASE_WRAP_H
#define CQ_BASE_WRAP_H

#include <stdio.h>

enum { CQ_COLUMNS = 80 };

/* Prints text from `column` on, where the line stands, in lines of at most CQ_COLUMNS that are
 * broken at blanks; all but the first begin at `margin`. Returns the column behind it. */
int cq_wrap(FILE *out, int column, int margin, const char *text);

#endif
