/* Stored states under a byte budget: what lets a run of any length have a gradient.
 *
 * A memo has a fixed number of slots. During the forward run some states are kept; the adjoint
 * sweep asks for states steps-1 ... 0 and the memo runs again what it does not hold. Which states
 * are kept is the policy: one function. Since a step is a pure function of its state, every policy
 * and every budget gives the same bits. */
#ifndef CQ_CORE_MEMO_H
#define CQ_CORE_MEMO_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Steps first .. end-1 are to be reversed, end - first >= 2, state `first` is kept and 1 <= free of
 * all slots are left: which state in (first, end) to keep next. */
typedef struct cq_memo_policy {
  const char *name;
  int (*next)(int first, int end, int free, int slots);
} cq_memo_policy;

enum { CQ_MEMO_MIN_STATES = 4 };

typedef struct cq_memo cq_memo;

/* States of an engine's own are opened by the first cq_memo_first: a device has no memory to spare
 * for a simulator that is never run.
 * Slots: as many states as the budget holds beside `taken` bytes of observations, at least 4
 * (CQ_MEMORY otherwise) and at most steps + 1. budget 0: no limit. policy NULL: binomial; CQ_CONFIG
 * when unknown. */
cq_status cq_memo_create(cq_ctx *ctx, const cq_engine *engine, void *state_engine, int steps,
                         size_t budget, size_t taken, const char *policy, cq_memo **out);
void cq_memo_destroy(cq_memo *memo);

/* Runs all steps from state 0, which the caller writes into cq_memo_first(memo), keeping states as
 * the policy says: steps from one kept state to the next are one call of the engine, and so are all
 * steps whose states are kept one after the other. The last state stays readable until the next
 * run. */
cq_status cq_memo_first(cq_memo *memo, void **state);
cq_status cq_memo_forward(cq_memo *memo, cq_history *history);
/* the last state, or, after a failure, the one at which the run stopped */
const void *cq_memo_last(const cq_memo *memo);
/* Calls engine->backward_segment for steps-1 ... 0, once for all steps whose states are kept one
 * after the other, and `after` when the adjoint is at a state that `every` divides (0: at none);
 * no segment goes past such a state. Needs an intact memo. */
typedef cq_status (*cq_memo_after_fn)(void *user, int state);
cq_status cq_memo_backward(cq_memo *memo, cq_history *history, int every, cq_memo_after_fn after,
                           void *user);
/* Whether the memo still holds what the forward run left: false once a sweep had to run steps
 * again. */
bool cq_memo_intact(const cq_memo *memo);

int cq_memo_states(const cq_memo *memo);
size_t cq_memo_bytes(const cq_memo *memo);
long long cq_memo_replayed(const cq_memo *memo); /* steps run again so far */
/* Steps that a sweep after a forward run has to run again, without running anything. */
cq_status cq_memo_planned(const cq_memo *memo, long long *replayed);

/* Policy i or NULL past the end. */
const cq_memo_policy *cq_memo_policy_at(int i);

#ifdef __cplusplus
}
#endif

#endif
