/* JSON, one member a line: an object, with objects and lists inside where they are opened. Names
 * are plain identifiers, NULL for what is in a list; texts are escaped. */
#ifndef CQ_BASE_JSON_H
#define CQ_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CQ_JSON_DEPTH = 8 };

typedef struct cq_json {
  FILE *out;
  bool bare; /* nothing is around the members */
  int depth;
  int members[CQ_JSON_DEPTH]; /* of what is open, so far */
} cq_json;

cq_json cq_json_begin(FILE *out);
/* Members alone, to be put into an object by cq_json_put. */
cq_json cq_json_bare(FILE *out);
void cq_json_end(cq_json *json);
/* Puts in members that were written so. */
void cq_json_put(cq_json *json, const char *members);
/* Opens an object '{' or a list '[' as a member, and closes it. */
void cq_json_open(cq_json *json, const char *name, char bracket);
void cq_json_shut(cq_json *json, char bracket);
void cq_json_text(cq_json *json, const char *name, const char *value);
/* null when the value is not finite, else the shortest text that reads back as the same number */
void cq_json_number(cq_json *json, const char *name, double value);
void cq_json_count(cq_json *json, const char *name, long long value);
void cq_json_numbers(cq_json *json, const char *name, const double *values, int n);
/* the same in 7 digits, for pictures */
void cq_json_short(cq_json *json, const char *name, const double *values, int n);
/* JSON that is there already; "": null */
void cq_json_raw(cq_json *json, const char *name, const char *value);
void cq_json_texts(cq_json *json, const char *name, char **values, int n);

/* Copies the value of a member of such an object without its quotes; "-" without it. */
void cq_json_member(const char *json, const char *name, char *value, size_t size);

#endif
