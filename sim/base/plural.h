/* Counts in sentences. */
#ifndef CQ_BASE_PLURAL_H
#define CQ_BASE_PLURAL_H

/* What ends the noun after a count: "1 gradient", "2 gradients". */
static inline const char *cq_plural(double count) {
  return count == 1 ? "" : "s";
}

#endif
