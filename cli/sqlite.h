/* Tables of a folder once more, as a database of SQLite. */
#ifndef CQ_CLI_SQLITE_H
#define CQ_CLI_SQLITE_H

#include "folder.h"

/* Writes a file of the folder with a table for each of `csv` [n], "runs.csv" as runs. A column
 * whose fields are all whole numbers, or all numbers, has them as such; empty fields are NULL. A
 * name that another column has, in whatever case, gets "_2" behind it. Without SQLite in this build
 * it does nothing. CQ_IO */
cq_status cli_sqlite_write(cli_folder *folder, const char *name, const char *const *csv, int n);

#endif
