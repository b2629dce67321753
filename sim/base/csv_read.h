/* Cutting a line of CSV into fields, whoever wrote it: spreadsheets begin with a mark, take
 * semicolons or tabs, and people write "X [m]". */
#ifndef CQ_BASE_CSV_READ_H
#define CQ_BASE_CSV_READ_H

#ifdef __cplusplus
extern "C" {
#endif

/* The text without the byte order mark that some programs write before it. */
char *cq_skip_mark(char *text);
/* What stands between the fields of a file with this first line: the first ',', ';' or tab outside
 * of quotes. */
char cq_csv_separator(const char *heading);
/* Cuts the next field off *line, in place and without blanks and quotes around it; NULL at the
 * end. */
char *cq_csv_next_field(char **line, char separator);
/* Makes "x" of a name "X [m]" or "X (m)", in place; returns its unit "m", or "". */
char *cq_csv_split_name(char *name);

#ifdef __cplusplus
}
#endif

#endif
