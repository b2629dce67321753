/* Tables of numbers in CSV files. */
#ifndef CQ_PROBLEMS_CSV_H
#define CQ_PROBLEMS_CSV_H

#include "schema.h"

/* A column that is looked for, by its name in the first line. */
typedef struct cq_csv_column {
  const char *name;
  const char *unit; /* that may stand with the name; "m^dim" as in the schema */
  bool required;
  double missing; /* value where the file has no such column; NAN: a field may be empty or "nan",
                     and its line is left out then */
} cq_csv_column;

/* A table may be wide: several rows a line, in columns that have a number behind their name, x1,
 * x2. That goes to a column which such a table does not have. A file may have a second table, or
 * part, behind a line with its name, "[part]". */
typedef struct cq_csv_form {
  int number;       /* the column it goes to */
  int first, end;   /* the columns with numbers */
  const char *also; /* another name of the column `number` */
  const char *part; /* NULL: the file has one table */
  bool behind;      /* the part is read: nothing where there is none */
} cq_csv_form;

/* Reads the file that `key` of a section names, from the folder of the file in which it stands
 * (from `folder`, when it was set on the command line). The first line has the names of the
 * columns, in any order and case, with their unit or without: "X [m]". Commas, semicolons or tabs
 * stand between fields; empty lines and those that begin with # are skipped. A column that is not
 * looked for is refused, and z where the scene has two dimensions says so.
 * *table has the columns that are looked for. CQ_IO, or CQ_CONFIG with file and line. */
cq_status cq_csv_read(cq_arena *arena, const cq_node *section, const char *key, const char *folder,
                      int dim, const cq_csv_column *columns, int n_columns, cq_table *table);
/* The same of a table that may be wide, as its first line tells, or a part. */
cq_status cq_csv_read_form(cq_arena *arena, const cq_node *section, const char *key,
                           const char *folder, int dim, const cq_csv_column *columns, int n_columns,
                           const cq_csv_form *form, cq_table *table);

#endif
