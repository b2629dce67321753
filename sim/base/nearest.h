/* "did you mean": the known name nearest to a wrong one, by edit distance. */
#ifndef CQ_BASE_NEAREST_H
#define CQ_BASE_NEAREST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_nearest {
  const char *wrong;
  int distance; /* 0: the name is known; 1: it is in other letters, or by another word; then two
                   for each edit; 3: one holds the other */
  char best[64];
  char equal[200]; /* others that are as near: ", \"b\", \"c\"" */
  char all[512];   /* as many as there is room for, and then ", ..." */
  bool cut;        /* there is not */
  char text[600];
} cq_nearest;

/* insertions, deletions, changes and swaps of neighbours */
int cq_edit_distance(const char *a, const char *b);
/* Whether two names differ in nothing but case, hyphens, underscores and blanks. */
bool cq_same_word(const char *a, const char *b);

cq_nearest cq_nearest_begin(const char *wrong);
void cq_nearest_offer(cq_nearest *nearest, const char *name);
/* Offers a name by another word for it. It is not among those that are known. */
void cq_nearest_offer_as(cq_nearest *nearest, const char *word, const char *name);
/* Offers a name at a distance that another search has found. */
void cq_nearest_offer_at(cq_nearest *nearest, const char *name, int distance);
/* Whether one of the names is near enough to be meant. */
bool cq_nearest_found(const cq_nearest *nearest);
/* did you mean "..."? (or one of several) or, when nothing is near, known are ...; owned by
 * nearest */
const char *cq_nearest_text(cq_nearest *nearest);
/* The same, but where the names are too many for a line it says `where`, such as "'cqopt list'
 * names them". */
const char *cq_nearest_text_or(cq_nearest *nearest, const char *where);

#ifdef __cplusplus
}
#endif

#endif
