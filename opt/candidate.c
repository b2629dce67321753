#include "candidate.h"

static int kind(const cq_candidate *c) {
  return c->failed ? 2 : c->violation > 0;
}

static int sign(double a, double b) {
  return (a > b) - (a < b);
}

int cq_candidate_compare(const cq_candidate *a, const cq_candidate *b) {
  if (kind(a) != kind(b)) {
    return kind(a) - kind(b);
  }
  return kind(a) == 0 ? sign(a->f, b->f) : kind(a) == 1 ? sign(a->violation, b->violation) : 0;
}

/* The first `half` of order and the rest are ranked: merges them, by way of scratch. */
static void merge(const cq_candidate *c, int *order, int half, int count, int *scratch) {
  int a = 0, b = half;
  for (int k = 0; k < count; k++) {
    const bool left =
        b == count || (a < half && cq_candidate_compare(&c[order[a]], &c[order[b]]) <= 0);
    scratch[k] = left ? order[a++] : order[b++];
  }
  for (int k = 0; k < count; k++) {
    order[k] = scratch[k];
  }
}

static void sort(const cq_candidate *c, int *order, int count, int *scratch) {
  const int half = count / 2;
  if (half > 0) {
    sort(c, order, half, scratch);
    sort(c, order + half, count - half, scratch);
    merge(c, order, half, count, scratch);
  }
}

int cq_candidate_rank(const cq_candidate *candidates, int count, int *order) {
  int usable = 0;
  for (int i = 0; i < count; i++) {
    order[i] = i;
    usable += !candidates[i].failed;
  }
  sort(candidates, order, count, order + count);
  return usable;
}
