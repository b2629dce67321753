/* JSON, one member a line: an object, with objects and lists inside where they are opened. Names
 * are plain identifiers, NULL for what is in a list; texts are escaped. */
#ifndef CQ_CLI_JSON_H
#define CQ_CLI_JSON_H

#include <stdio.h>

enum { CLI_JSON_DEPTH = 8 };

typedef struct cli_json {
  FILE *out;
  int depth;
  int members[CLI_JSON_DEPTH]; /* of what is open, so far */
} cli_json;

cli_json cli_json_begin(FILE *out);
void cli_json_end(cli_json *json);
/* Opens an object '{' or a list '[' as a member, and closes it. */
void cli_json_open(cli_json *json, const char *name, char bracket);
void cli_json_shut(cli_json *json, char bracket);
void cli_json_text(cli_json *json, const char *name, const char *value);
/* null when the value is not finite, else the shortest text that reads back as the same number */
void cli_json_number(cli_json *json, const char *name, double value);
void cli_json_count(cli_json *json, const char *name, long long value);
void cli_json_numbers(cli_json *json, const char *name, const double *values, int n);
/* the same in 7 digits, for pictures */
void cli_json_short(cli_json *json, const char *name, const double *values, int n);
/* JSON that is there already; "": null */
void cli_json_raw(cli_json *json, const char *name, const char *value);
void cli_json_texts(cli_json *json, const char *name, char **values, int n);

#endif
