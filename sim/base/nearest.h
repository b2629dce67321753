/* "did you mean": the known name nearest to a wrong one, by edit distance. */
#ifndef CQ_BASE_NEAREST_H
#define CQ_BASE_NEAREST_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cq_nearest {
  const char *wrong;
  int distance; /* 0: the name is known */
  char best[64];
  char all[512];
  char text[600];
} cq_nearest;

/* insertions, deletions, changes and swaps of neighbours */
int cq_edit_distance(const char *a, const char *b);

cq_nearest cq_nearest_begin(const char *wrong);
void cq_nearest_offer(cq_nearest *nearest, const char *name);
/* did you mean "..."? or, when nothing is near, known are ...; owned by nearest */
const char *cq_nearest_text(cq_nearest *nearest);

#ifdef __cplusplus
}
#endif

#endif
