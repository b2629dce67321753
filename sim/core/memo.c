#include "memo.h"

#include "alloc.h"
#include "nearest.h"
#include "status.h"

#include <string.h>

struct cq_memo {
  cq_ctx *ctx;
  const cq_engine *engine;
  void *target; /* the engine's object */
  const cq_memo_policy *policy;
  int steps;
  size_t state_bytes;
  int n_slots;  /* kept states, without the scratch one */
  char *states; /* [scratch, then n_slots]: the engine's, or one mapping, memory where first used */
  int n_used;   /* of them, counted in the context; those of an engine are its own to count */
  int *kept;    /* stack: slot i holds state kept[i], ascending */
  int n_kept;
  int n_kept_forward; /* as the forward run left it: what a second sweep starts from */
  bool intact;
  long long replayed;
};

/* the state on its way */
static void *scratch(const cq_memo *memo) {
  return memo->states;
}

static void *slot(const cq_memo *memo, int i) {
  return memo->states + (size_t)(i + 1) * memo->state_bytes;
}

static void close_states(cq_memo *memo) {
  if (memo->engine->states_open == NULL) {
    cq_unmap(memo->states, cq_memo_bytes(memo));
  } else if (memo->states != NULL) {
    memo->engine->states_close(memo->target, memo->states);
  }
}

/* Counts scratch and slots up to i as used. */
static cq_status open_slot(cq_memo *memo, int i) {
  while (memo->engine->states_open == NULL && memo->n_used < i + 2) {
    CQ_TRY(cq_map_use(memo->ctx, memo->state_bytes));
    memo->n_used++;
  }
  return CQ_OK;
}

/* Takes back the count of slots above i, but for those that were used before. */
static void close_slots(cq_memo *memo, int i, int used_before) {
  for (; memo->n_used > i + 2 && memo->n_used > used_before; memo->n_used--) {
    cq_map_return(memo->ctx, memo->state_bytes);
  }
}

static cq_status choose_policy(cq_memo *memo, const char *name) {
  const char *wanted = name != NULL ? name : "binomial";
  cq_nearest nearest = cq_nearest_begin(wanted);
  for (int i = 0; (memo->policy = cq_memo_policy_at(i)) != NULL; i++) {
    if (strcmp(memo->policy->name, wanted) == 0) {
      return CQ_OK;
    }
    cq_nearest_offer(&nearest, memo->policy->name);
  }
  return CQ_FAIL(memo->ctx, CQ_CONFIG, "unknown memo policy \"%s\"; %s", wanted,
                 cq_nearest_text(&nearest));
}

/* As many as the budget holds beside what is taken of it. */
static cq_status choose_slots(cq_memo *memo, size_t budget, size_t taken) {
  const size_t wanted = (size_t)memo->steps + 1; /* every state and the scratch one */
  const size_t left = budget > taken ? budget - taken : 0;
  size_t states = budget == 0 ? wanted : left / memo->state_bytes;
  CQ_CHECK(memo->ctx, states >= wanted || states >= CQ_MEMO_MIN_STATES, CQ_MEMORY,
           "a memory budget of %zu bytes holds %zu states of %zu bytes beside %zu bytes of "
           "observations; at least %d are needed: set simulation.memory to %zu KiB or more",
           budget, states, memo->state_bytes, taken, CQ_MEMO_MIN_STATES,
           (taken + CQ_MEMO_MIN_STATES * memo->state_bytes + 1023) / 1024);
  states = states < wanted ? states : wanted;
  memo->n_slots = states > 1 ? (int)states - 1 : 1;
  return CQ_OK;
}

/* As many slots as the budget has room for; where the engine does not hold states, they are here.
 */
cq_status cq_memo_create(cq_ctx *ctx, const cq_engine *engine, void *target, int steps,
                         size_t budget, size_t taken, const char *policy, cq_memo **out) {
  *out = NULL;
  cq_memo *memo = NULL;
  CQ_TRY(CQ_ALLOC(ctx, memo, 1));
  memo->ctx = ctx;
  memo->engine = engine;
  memo->target = target;
  memo->steps = steps;
  memo->state_bytes = engine->state_bytes(target);
  cq_status status = choose_policy(memo, policy);
  status = status != CQ_OK ? status : choose_slots(memo, budget, taken);
  if (status == CQ_OK && engine->states_open == NULL) {
    status = cq_map(ctx, (void **)&memo->states, cq_memo_bytes(memo));
  }
  status = status != CQ_OK ? status : open_slot(memo, 0);
  status = status != CQ_OK ? status : CQ_ALLOC(ctx, memo->kept, memo->n_slots);
  if (status != CQ_OK) {
    cq_memo_destroy(memo);
    return status;
  }
  *out = memo;
  return CQ_OK;
}

void cq_memo_destroy(cq_memo *memo) {
  if (memo == NULL) {
    return;
  }
  cq_ctx *ctx = memo->ctx;
  close_states(memo);
  cq_map_return(ctx, (size_t)memo->n_used * memo->state_bytes);
  cq_free(ctx, memo->kept);
  cq_free(ctx, memo);
}

cq_status cq_memo_first(cq_memo *memo, void **state) {
  *state = NULL;
  if (memo->states == NULL) {
    CQ_TRY(memo->engine->states_open(memo->target, memo->n_slots + 1, (void **)&memo->states));
  }
  *state = slot(memo, 0);
  return CQ_OK;
}

const void *cq_memo_last(const cq_memo *memo) {
  return scratch(memo);
}

/* The next steps that are one call: to a state that is kept, or to several one after the other, or
 * to one that is not kept. */
typedef struct piece {
  int end;    /* the state it leads to */
  int n_kept; /* states it leaves in slots, the last ones; 0: it leaves one in scratch */
} piece;

/* The state to run to from state `at` when n_kept are kept; `last` is not to be kept. */
static int next_state(const cq_memo *memo, int at, int n_kept, int last, int end) {
  const int room = memo->n_slots - n_kept;
  if (room <= 0 || end - at <= 1) {
    return last;
  }
  const int next = memo->policy->next(at, end, room, memo->n_slots);
  return next < last ? next : last;
}

/* The piece from state `at` on the way to `last`, when the steps before `end` are to be reversed.
 */
static piece next_piece(const cq_memo *memo, int at, int last, int end) {
  const int first = next_state(memo, at, memo->n_kept, last, end);
  piece p = {first, first < last};
  bool more = p.n_kept > 0 && first == at + 1;
  while (more) {
    const int next = next_state(memo, p.end, memo->n_kept + p.n_kept, last, end);
    more = next == p.end + 1 && next < last;
    p.end += more;
    p.n_kept += more;
  }
  return p;
}

/* Where the state that a failed step led to was written in a piece from state `at`. */
static int failed_slot(const cq_memo *memo, int at, piece p) {
  const cq_failure *failure = memo->engine->failure(memo->target);
  const int written = failure->status != CQ_OK ? failure->step - at : 0;
  return memo->n_kept + (written > 0 && written < p.n_kept ? written : 0);
}

/* Steps whose states are kept, in one call of the engine. After a failure what was made is kept,
 * and the bad state where a caller can look at it. */
static cq_status run_piece(cq_memo *memo, int at, piece p, void *state, cq_history *history,
                           bool record) {
  const int used_before = memo->n_used;
  const bool keeps = p.n_kept > 0;
  if (keeps) {
    CQ_TRY(open_slot(memo, memo->n_kept + p.n_kept - 1));
  }
  void *out = keeps ? slot(memo, memo->n_kept) : scratch(memo);
  const cq_status status = memo->engine->run_segment(
      memo->target, at, p.end, state, out, p.n_kept > 1 ? memo->state_bytes : 0, history, record);
  if (status != CQ_OK && keeps && memo->engine->settle == NULL) {
    const int failed = failed_slot(memo, at, p);
    memcpy(scratch(memo), slot(memo, failed), memo->state_bytes);
    close_slots(memo, failed, used_before);
  }
  return status;
}

/* Runs from the top of the stack to state `last`, which it leaves in scratch, and keeps on the way
 * what the policy asks for to reverse the steps before `end`. */
static cq_status advance(cq_memo *memo, int last, int end, cq_history *history, bool record) {
  int at = memo->kept[memo->n_kept - 1];
  while (at < last) {
    const piece p = next_piece(memo, at, last, end);
    CQ_TRY(run_piece(memo, at, p, slot(memo, memo->n_kept - 1), history, record));
    for (int i = 1; i <= p.n_kept; i++) {
      memo->kept[memo->n_kept++] = p.end - p.n_kept + i;
    }
    memo->replayed += record ? 0 : p.end - at;
    at = p.end;
  }
  return CQ_OK;
}

cq_status cq_memo_forward(cq_memo *memo, cq_history *history) {
  memo->kept[0] = 0;
  memo->n_kept = 1;
  memo->intact = false;
  CQ_TRY(advance(memo, memo->steps, memo->steps, history, true));
  if (memo->engine->settle != NULL) {
    CQ_TRY(memo->engine->settle(memo->target, 0, memo->steps, history, scratch(memo)));
  }
  memo->n_kept_forward = memo->n_kept;
  memo->intact = true;
  return CQ_OK;
}

static bool is_kept(const cq_memo *memo, int state) {
  return memo->kept[memo->n_kept - 1] == state;
}

/* Takes state last - 1 off the stack, and those before it that follow each other, down to one that
 * is shown. Returns the first of them. */
static int take_kept(cq_memo *memo, int last, int every) {
  int first = last;
  do {
    first--;
    memo->n_kept--;
  } while (memo->n_kept > 0 && is_kept(memo, first - 1) && (every == 0 || first % every != 0));
  return first;
}

/* From the end to the start: a state that is not kept is made again from the last one that is. */
cq_status cq_memo_backward(cq_memo *memo, cq_history *history, int every, cq_memo_after_fn after,
                           void *user) {
  memo->n_kept = memo->n_kept_forward;
  int first = 0;
  for (int last = memo->steps; last > 0; last = first) {
    const void *state = scratch(memo);
    if (is_kept(memo, last - 1)) {
      state = slot(memo, memo->n_kept - 1);
      first = take_kept(memo, last, every);
    } else {
      memo->intact = false;
      first = last - 1;
      CQ_TRY(advance(memo, first, last, history, false));
    }
    CQ_TRY(memo->engine->backward_segment(memo->target, first, last, state,
                                          last - first > 1 ? memo->state_bytes : 0));
    if (every > 0 && first % every == 0) {
      CQ_TRY(after(user, first));
    }
  }
  return CQ_OK;
}

bool cq_memo_intact(const cq_memo *memo) {
  return memo->intact;
}

int cq_memo_states(const cq_memo *memo) {
  return memo->n_slots + 1;
}

size_t cq_memo_bytes(const cq_memo *memo) {
  return (size_t)(memo->n_slots + 1) * memo->state_bytes;
}

long long cq_memo_replayed(const cq_memo *memo) {
  return memo->replayed;
}

/* An engine that makes nothing of its steps, for counting them. */
static cq_status idle_run(void *engine, int first, int last, void *in, void *out, size_t apart,
                          cq_history *history, bool record) {
  (void)engine, (void)first, (void)last, (void)in, (void)out, (void)apart, (void)history;
  (void)record;
  return CQ_OK;
}

static cq_status idle_sweep(void *engine, int first, int last, const void *state, size_t apart) {
  (void)engine, (void)first, (void)last, (void)state, (void)apart;
  return CQ_OK;
}

static cq_status idle_open(void *engine, int count, void **states) {
  (void)engine, (void)count, (void)states;
  return CQ_OK;
}

/* Forward and backward with an engine that does nothing, and states of no size. */
cq_status cq_memo_planned(const cq_memo *memo, long long *replayed) {
  static const cq_engine idle = {
      .run_segment = idle_run, .backward_segment = idle_sweep, .states_open = idle_open};
  char nothing = 0;
  cq_memo plan = *memo;
  plan.engine = &idle;
  plan.state_bytes = 0;
  plan.states = &nothing;
  plan.replayed = 0;
  CQ_TRY(CQ_ALLOC(memo->ctx, plan.kept, memo->n_slots));
  cq_status status = cq_memo_forward(&plan, NULL);
  status = status == CQ_OK ? cq_memo_backward(&plan, NULL, 0, NULL, NULL) : status;
  cq_free(memo->ctx, plan.kept);
  *replayed = plan.replayed;
  return status;
}
