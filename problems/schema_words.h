/* Words of a problem file, however they are spelt. */
#ifndef CQ_PROBLEMS_SCHEMA_WORDS_H
#define CQ_PROBLEMS_SCHEMA_WORDS_H

#include "nearest.h"
#include "schema_rows.h"

/* Writes the words of a section as the schema does: "Neo-Hookean" becomes "neo_hookean". Whatever
 * is read later (deciders, the hash, the written file) sees that spelling alone. */
cq_status cq_words_spell(const cq_config *config, cq_owner owner, cq_node *section);

/* cq_nearest_offer, and by what else the name is called (also_called.h). */
void cq_words_offer(cq_nearest *nearest, const char *name);
/* Offers each word of "a|b|c". */
void cq_words_offer_all(cq_nearest *nearest, const char *words);

/* "\"a\", \"b\", \"c\"" of "a|b|c" */
typedef struct cq_words_list {
  char text[640];
} cq_words_list;
cq_words_list cq_words_quoted(const char *words);

/* "bodies", "bodies and design", "bodies, actuators and design": the sections that have a key of
 * this name in the file that it is in, or "" where none has. */
typedef struct cq_sections_text {
  char text[160];
} cq_sections_text;
cq_sections_text cq_words_sections_with(const cq_node *key);
/* The same of an owner: "objective and constraints", "parts". */
cq_sections_text cq_words_sections_of(cq_owner owner);

#endif
