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
  char *states; /* one mapping for all runs: [scratch, then n_slots], memory where first used */
  int n_used;   /* of them, counted in the context */
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

/* Counts scratch and slots up to i as used. */
static cq_status open_slot(cq_memo *memo, int i) {
  for (; memo->n_used < i + 2; memo->n_used++) {
    CQ_TRY(cq_map_use(memo->ctx, memo->state_bytes));
  }
  return CQ_OK;
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

static cq_status choose_slots(cq_memo *memo, size_t budget) {
  const size_t wanted = (size_t)memo->steps + 1; /* every state and the scratch one */
  size_t states = budget == 0 ? wanted : budget / memo->state_bytes;
  CQ_CHECK(
      memo->ctx, states >= wanted || states >= CQ_MEMO_MIN_STATES, CQ_MEMORY,
      "a memory budget of %zu bytes holds %zu states of %zu bytes; at least %d are needed: set "
      "simulation.memory to %zu KiB or more",
      budget, states, memo->state_bytes, CQ_MEMO_MIN_STATES,
      (CQ_MEMO_MIN_STATES * memo->state_bytes + 1023) / 1024);
  states = states < wanted ? states : wanted;
  memo->n_slots = states > 1 ? (int)states - 1 : 1;
  return CQ_OK;
}

cq_status cq_memo_create(cq_ctx *ctx, const cq_engine *engine, void *target, int steps,
                         size_t budget, const char *policy, cq_memo **out) {
  *out = NULL;
  cq_memo *memo = NULL;
  CQ_TRY(CQ_ALLOC(ctx, memo, 1));
  memo->ctx = ctx;
  memo->engine = engine;
  memo->target = target;
  memo->steps = steps;
  memo->state_bytes = engine->state_bytes(target);
  cq_status status = choose_policy(memo, policy);
  status = status != CQ_OK ? status : choose_slots(memo, budget);
  status = status != CQ_OK ? status : cq_map(ctx, (void **)&memo->states, cq_memo_bytes(memo));
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
  cq_unmap(memo->states, cq_memo_bytes(memo));
  cq_map_return(ctx, (size_t)memo->n_used * memo->state_bytes);
  cq_free(ctx, memo->kept);
  cq_free(ctx, memo);
}

void *cq_memo_first(cq_memo *memo) {
  return slot(memo, 0);
}

const void *cq_memo_last(const cq_memo *memo) {
  return scratch(memo);
}

/* Runs from the top of the stack to state `last`, which it leaves in scratch, and keeps on the way
 * what the policy asks for to reverse the steps before `end`. */
static cq_status advance(cq_memo *memo, int last, int end, cq_history *history, bool record) {
  int at = memo->kept[memo->n_kept - 1];
  void *state = slot(memo, memo->n_kept - 1);
  while (at < last) {
    const int room = memo->n_slots - memo->n_kept;
    int next = last;
    if (room > 0 && end - at > 1) {
      next = memo->policy->next(at, end, room, memo->n_slots);
    }
    const bool keep = next < last;
    void *out = keep ? slot(memo, memo->n_kept) : scratch(memo);
    if (keep) {
      CQ_TRY(open_slot(memo, memo->n_kept));
    }
    const cq_status status =
        memo->engine->run_segment(memo->target, at, next, state, out, history, record);
    if (status != CQ_OK) {
      if (keep) {
        memcpy(scratch(memo), out, memo->state_bytes);
      }
      return status;
    }
    if (keep) {
      memo->kept[memo->n_kept++] = next;
    }
    memo->replayed += record ? 0 : next - at;
    at = next;
    state = out;
  }
  return CQ_OK;
}

cq_status cq_memo_forward(cq_memo *memo, cq_history *history) {
  memo->kept[0] = 0;
  memo->n_kept = 1;
  memo->intact = false;
  CQ_TRY(advance(memo, memo->steps, memo->steps, history, true));
  memo->n_kept_forward = memo->n_kept;
  memo->intact = true;
  return CQ_OK;
}

cq_status cq_memo_backward(cq_memo *memo, cq_history *history, cq_memo_after_fn after, void *user) {
  memo->n_kept = memo->n_kept_forward;
  for (int step = memo->steps - 1; step >= 0; step--) {
    const void *state = scratch(memo);
    if (memo->kept[memo->n_kept - 1] == step) {
      state = slot(memo, --memo->n_kept);
    } else {
      memo->intact = false;
      CQ_TRY(advance(memo, step, step + 1, history, false));
    }
    CQ_TRY(memo->engine->backward_segment(memo->target, step, state));
    CQ_TRY(after(user, step));
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
