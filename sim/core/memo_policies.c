#include "memo.h"

/* Binomial checkpointing (Griewank and Walther 2000, "revolve"): with s states, the first one among
 * them, and every step run again at most r times, reach(s, r) = C(s + r, s) steps can be reversed.
 * The left part gets r - 1 repeats of all s states, the right part r repeats of s - 1. */
static int memo_binomial(int first, int end, int free, int slots) {
  (void)slots;
  const long long length = end - first, s = free + 1;
  long long r = 0, reach = 1, left_max = 1;
  while (reach < length) {
    r++;
    left_max = reach;
    reach = reach * (s + r) / r;
  }
  if (r <= 1) {
    return first + 1;
  }
  const long long right_min = left_max * s / (s + r - 1); /* reach(s - 1, r - 1) */
  const long long left = length - right_min;
  return first + (int)(left < left_max ? left : left_max);
}

/* Two levels: half of the slots spread evenly over the run, the other half for the piece between
 * two of them. Covers slots^2 / 4 steps with one extra forward run, and more with more. */
static int memo_sqrt(int first, int end, int free, int slots) {
  const int length = end - first;
  if (length - 1 <= free) {
    return first + 1;
  }
  const int coarse = free - slots / 2;
  const int parts = (coarse > 0 ? coarse : free) + 1;
  const int step = (length + parts - 1) / parts;
  return first + (step > 0 ? step : 1);
}

/* Every state, as far as the slots go. */
static int memo_full(int first, int end, int free, int slots) {
  (void)end;
  (void)free;
  (void)slots;
  return first + 1;
}

static const cq_memo_policy policies[] = {
#define CQ_MEMO(name) {#name, memo_##name},
#include "memo_list.h"
#undef CQ_MEMO
};

const cq_memo_policy *cq_memo_policy_at(int i) {
  const int n = (int)(sizeof policies / sizeof *policies);
  return i >= 0 && i < n ? &policies[i] : NULL;
}
