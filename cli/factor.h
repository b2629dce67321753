/* What a study varies: a key of the problem file with a list of values, or with a range of numbers,
 * always or where another one has a certain value. */
#ifndef CQ_CLI_FACTOR_H
#define CQ_CLI_FACTOR_H

#include "variants.h"

typedef struct cli_factor {
  char key[CLI_LABEL];
  int count;                   /* of the values; 0: it is a range */
  char (*values)[CLI_SETTING]; /* [count] by malloc */
  double low, high;            /* of a range, both included */
  bool log, integer;
  int of; /* the factor before it that decides whether it has a value; -1: it always has one */
  char when[CLI_SETTING]; /* the value of that one */
} cli_factor;

/* "materials.[0].density=1,2,4", "problem=finger,mine.cfg", a range "LOW:HIGH" with ":log" or
 * ":integer" behind it, and behind either " if KEY=VALUE" with the key of one of the factors
 * before [n]. CQ_USAGE says what is wrong. Free it with cli_factor_free. */
cq_status cli_factor_parse(cq_ctx *ctx, const char *text, const cli_factor *before, int n,
                           cli_factor *out);
void cli_factor_free(cli_factor *factor);
/* The value at a place u in [0, 1): the values are equally likely, and so are the numbers of a
 * range, or with ":log" their logarithms. */
void cli_factor_value(const cli_factor *factor, double u, char text[CLI_SETTING]);

#endif
