/* A flat JSON object, one member a line. Names are plain identifiers; texts are escaped. */
#ifndef CQ_CLI_JSON_H
#define CQ_CLI_JSON_H

#include <stdio.h>

typedef struct cli_json {
  FILE *out;
  int members;
} cli_json;

cli_json cli_json_begin(FILE *out);
void cli_json_end(cli_json *json);
void cli_json_text(cli_json *json, const char *name, const char *value);
/* null when the value is not finite, else the shortest text that reads back as the same number */
void cli_json_number(cli_json *json, const char *name, double value);
void cli_json_count(cli_json *json, const char *name, long long value);
void cli_json_numbers(cli_json *json, const char *name, const double *values, int n);
void cli_json_texts(cli_json *json, const char *name, char **values, int n);

#endif
