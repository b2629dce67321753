/* Rows of the schema as text, for schema_print.c and schema_explain.c. */
#ifndef CQ_PROBLEMS_SCHEMA_TEXT_H
#define CQ_PROBLEMS_SCHEMA_TEXT_H

#include "schema_rows.h"

#include <stdio.h>

/* Whether two rows are one key of one section whose meaning is the same with several choices:
 * `when` of every kind of term. */
bool cq_rows_are_one(const cq_key_row *a, const cq_key_row *b);
/* Whether the key of another section is the same, down to its default. */
bool cq_rows_are_twins(const cq_key_row *a, const cq_key_row *b);
/* Whether an earlier row is one with this. */
bool cq_row_is_again(const cq_key_row *row);

/* A key, what it means, and what its value is; with_choice: and with which choices it has a
 * meaning. */
void cq_row_print(FILE *out, const cq_key_row *row, bool with_choice);
/* What a term measures, in a line; NULL: the word is no term. */
const char *cq_term_about(const char *word, int length);

/* Prints the schema: every section, key, type, unit, range, default and meaning, in 80 columns and
 * what is common to sections once; or a section of it as a whole, by its path ("optimizer",
 * "boundaries.domain") or a part of one. False: there is none. */
bool cq_schema_print(FILE *out, const char *section);
/* Prints what the schema says of a word: a section, a key, or a value of one such as "ball", with
 * the keys that go with it; "terms" stands for the values of the key term. False: nothing. */
bool cq_schema_explain(FILE *out, const char *word);

#endif
