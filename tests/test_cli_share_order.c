/* The order in which ranks take work, by a virtual clock. */
#include "share.h"

#include "test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { RANKS = 1000, RUNS = 20000 };

static double work[RUNS], busy_until[RANKS];
static int order[RUNS];

/* lengths with a heavy tail, cut off where one alone would be longer than the share of a rank */
static void draw(double *lengths) {
  uint64_t state = 12345;
  for (int i = 0; i < RUNS; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double u = ((double)(state >> 11) + 0.5) * 0x1p-53;
    lengths[i] = fmin(pow(u, -1 / 1.5), 40);
  }
}

/* Every rank takes the next run of the order when it is free. Time at which the last one is begun,
 * and at which all is done. */
static double play(const int *taken, double *begun) {
  double end = 0;
  for (int r = 0; r < RANKS; r++) {
    busy_until[r] = 0;
  }
  for (int k = 0; k < RUNS; k++) {
    int first = 0;
    for (int r = 1; r < RANKS; r++) {
      first = busy_until[r] < busy_until[first] ? r : first;
    }
    *begun = busy_until[first];
    busy_until[first] += work[taken[k]];
  }
  for (int r = 0; r < RANKS; r++) {
    end = fmax(end, busy_until[r]);
  }
  return end;
}

static void test_virtual_clock(void) {
  int as_they_come[RUNS];
  double begun = 0, sum = 0, most = 0;
  draw(work);
  for (int i = 0; i < RUNS; i++) {
    as_they_come[i] = i;
    sum += work[i];
    most = fmax(most, work[i]);
  }
  cli_share_longest_first(work, RUNS, order);
  const double end = play(order, &begun);
  const double end_as_they_come = play(as_they_come, &begun);
  const double bound = fmax(sum / RANKS, most); /* no order is done sooner */
  printf("done at %.4g, as they come %.4g, not before %.4g\n", end, end_as_they_come, bound);
  CHECK(end <= bound / 0.95);
  CHECK(end_as_they_come > 1.2 * end);
}

static void test_order(void) {
  static const double few[] = {1, 3, 2, 3};
  static const int wanted[] = {1, 3, 2, 0};
  int got[4];
  cli_share_longest_first(few, 4, got);
  for (int i = 0; i < 4; i++) {
    CHECK(got[i] == wanted[i]);
  }
}

int main(void) {
  RUN(test_virtual_clock);
  RUN(test_order);
  return TEST_RESULT();
}
