/* What a memo asks of an engine: one call for all steps whose states are kept one after the other,
 * forward and backward. The engine here knows the number of each state and nothing else. */
#include "alloc.h"
#include "memo.h"
#include "status.h"
#include "test.h"

enum { STEPS = 60, NEVER = -1 };

typedef struct counted_state {
  int step; /* which state it is */
  char rest[124];
} counted_state;

typedef struct counting {
  cq_ctx *ctx;
  int fails_at; /* the step that fails */
  bool fails_later;
  bool no_room;
  cq_failure failure;
  int forward_calls, forward_steps, longest;
  int backward_calls, next_backward;
  int settled, opened;
  int shown[STEPS + 1];
  int every;
} counting;

static counting fake;

static size_t state_bytes(const void *engine) {
  (void)engine;
  return sizeof(counted_state);
}

static cq_status fail(counting *f, int step) {
  f->failure = (cq_failure){.status = CQ_DEFORMED, .step = step};
  return CQ_FAIL(f->ctx, CQ_DEFORMED, "step %d", step);
}

static cq_status run_segment(void *engine, int first, int last, void *in, void *out, size_t apart,
                             cq_history *history, bool record) {
  counting *f = engine;
  (void)history;
  const counted_state *from = in;
  CHECK_MSG(from->step == first, "step %d begins with state %d", first, from->step);
  CHECK(last > first);
  CHECK(apart == 0 || (apart == sizeof(counted_state) && last - first > 1));
  f->forward_calls++;
  f->forward_steps += last - first;
  f->longest = last - first > f->longest ? last - first : f->longest;
  for (int step = first; step < last; step++) {
    ((counted_state *)out)->step = step + 1;
    if (record && step == f->fails_at && !f->fails_later) {
      return fail(f, step);
    }
    out = (char *)out + apart;
  }
  return CQ_OK;
}

static cq_status backward_segment(void *engine, int first, int last, const void *state,
                                  size_t apart) {
  counting *f = engine;
  f->backward_calls++;
  CHECK_MSG(last - 1 == f->next_backward, "step %d before step %d", last - 1, f->next_backward);
  for (int step = last - 1; step >= first; step--) {
    const counted_state *s = (const counted_state *)state;
    CHECK_MSG(s->step == step, "the adjoint of step %d gets state %d", step, s->step);
    CHECK_MSG(step == first || f->every == 0 || step % f->every != 0, "past state %d", step);
    state = (const char *)state - apart;
  }
  f->next_backward = first - 1;
  return CQ_OK;
}

static cq_status settle(void *engine, int first, int last, cq_history *history, void *stopped) {
  counting *f = engine;
  (void)history;
  CHECK(first == 0 && last == STEPS);
  f->settled++;
  if (f->fails_at != NEVER) {
    ((counted_state *)stopped)->step = f->fails_at + 1;
    return fail(f, f->fails_at);
  }
  return CQ_OK;
}

static cq_status states_open(void *engine, int n, void **states) {
  counting *f = engine;
  CQ_CHECK(f->ctx, !f->no_room, CQ_MEMORY, "no room for %d states", n);
  f->opened++;
  *states = calloc((size_t)n, sizeof(counted_state));
  return CQ_OK;
}

static void states_close(void *engine, void *states) {
  ((counting *)engine)->opened--;
  free(states);
}

static const cq_failure *failure(const void *engine) {
  return &((const counting *)engine)->failure;
}

static const cq_engine on_host = {.state_bytes = state_bytes,
                                  .run_segment = run_segment,
                                  .backward_segment = backward_segment,
                                  .failure = failure};
static const cq_engine on_device = {.state_bytes = state_bytes,
                                    .states_open = states_open,
                                    .states_close = states_close,
                                    .run_segment = run_segment,
                                    .settle = settle,
                                    .backward_segment = backward_segment,
                                    .failure = failure};

static cq_memo *open_memo(const cq_engine *engine, int states, const char *policy) {
  cq_ctx *ctx = fake.ctx;
  cq_memo *memo = NULL;
  fake = (counting){.ctx = ctx, .fails_at = NEVER};
  cq_ctx_clear_error(ctx);
  CHECK(cq_memo_create(ctx, engine, &fake, STEPS, (size_t)states * sizeof(counted_state), 0, policy,
                       &memo) == CQ_OK);
  return memo;
}

static cq_status forward(cq_memo *memo) {
  cq_history history = {.z = NULL};
  void *first = NULL;
  CHECK(cq_memo_first(memo, &first) == CQ_OK);
  ((counted_state *)first)->step = 0;
  return cq_memo_forward(memo, &history);
}

static cq_status show(void *user, int state) {
  counting *f = user;
  CHECK_MSG(f->next_backward == state - 1, "state %d is shown before its adjoint is there", state);
  f->shown[state]++;
  return CQ_OK;
}

/* every step is reversed once, with its state, and shown where it is asked for */
static void sweep(cq_memo *memo, int every) {
  cq_history history = {.z = NULL};
  fake.every = every;
  fake.backward_calls = 0;
  fake.next_backward = STEPS - 1;
  memset(fake.shown, 0, sizeof fake.shown);
  CHECK(cq_memo_backward(memo, &history, every, show, &fake) == CQ_OK);
  CHECK(fake.next_backward == -1);
  for (int state = 0; state < STEPS; state++) {
    const int expected = every > 0 && state % every == 0;
    CHECK_MSG(fake.shown[state] == expected, "every %d: state %d is shown %d times", every, state,
              fake.shown[state]);
  }
}

static void test_every_budget_and_policy(void) {
  const int states[] = {4, 5, 7, 16, 33, 59, 60, 61, 200, 0}, every[] = {0, 1, 2, 7, 60, 100};
  const cq_engine *const engines[] = {&on_host, &on_device};
  for (int i = 0; cq_memo_policy_at(i) != NULL; i++) {
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
      for (size_t e = 0; e < sizeof every / sizeof *every; e++) {
        const cq_engine *engine = engines[e % 2];
        cq_memo *memo = open_memo(engine, states[k], cq_memo_policy_at(i)->name);
        CHECK(forward(memo) == CQ_OK);
        CHECK(((const counted_state *)cq_memo_last(memo))->step == STEPS);
        CHECK(fake.settled == (engine == &on_device));
        CHECK(fake.forward_steps == STEPS);
        sweep(memo, every[e]);
        CHECK(fake.forward_steps == STEPS + cq_memo_replayed(memo));
        CHECK(fake.settled == (engine == &on_device)); /* what is run again is known already */
        cq_memo_destroy(memo);
        CHECK(fake.opened == 0);
        CHECK(cq_ctx_bytes(fake.ctx) == 0);
      }
    }
  }
}

static void test_kept_states_are_one_call(void) {
  cq_memo *memo = open_memo(&on_device, 0, "binomial");
  CHECK(forward(memo) == CQ_OK);
  /* all states but the last one stay; that one is where the next run begins to write */
  CHECK(fake.forward_calls == 2);
  CHECK(fake.longest == STEPS - 1);
  sweep(memo, 0);
  CHECK(fake.backward_calls == 1);
  CHECK(cq_memo_intact(memo));
  sweep(memo, 20); /* 59..40, 39..20, 19..0 */
  CHECK(fake.backward_calls == 3);
  sweep(memo, 1);
  CHECK(fake.backward_calls == STEPS);
  CHECK(fake.forward_calls == 2);
  cq_memo_destroy(memo);
}

/* With slots for half of the states no more calls are made than there are gaps. */
static void test_gaps_are_calls_of_their_own(void) {
  cq_memo *memo = open_memo(&on_device, STEPS / 2, "full");
  CHECK(forward(memo) == CQ_OK);
  CHECK(fake.forward_calls == 2);
  CHECK(fake.longest == STEPS - (STEPS / 2 - 2)); /* the rest, of which nothing is kept */
  sweep(memo, 0);
  CHECK(!cq_memo_intact(memo));
  /* the kept ones together, the others one by one, as each is run again */
  CHECK_MSG(fake.backward_calls == 1 + STEPS - (STEPS / 2 - 1), "%d calls", fake.backward_calls);
  cq_memo_destroy(memo);
}

/* The state that a failed step led to is shown, wherever in a call it was. */
static void test_failure_leaves_its_state(void) {
  const int at[] = {0, 1, 17, STEPS - 2, STEPS - 1}, states[] = {0, 4, 16};
  for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
    for (size_t i = 0; i < 2 * sizeof at / sizeof *at; i++) {
      const bool later = i % 2 == 1;
      cq_memo *memo = open_memo(later ? &on_device : &on_host, states[k], "binomial");
      fake.fails_at = at[i / 2];
      fake.fails_later = later;
      CHECK(forward(memo) == CQ_DEFORMED);
      const int last = ((const counted_state *)cq_memo_last(memo))->step;
      CHECK_MSG(last == at[i / 2] + 1, "step %d failed, state %d is left", at[i / 2], last);
      CHECK(fake.settled == later);
      CHECK(!cq_memo_intact(memo));
      /* and the memo can be used again */
      fake.fails_at = NEVER;
      CHECK(forward(memo) == CQ_OK);
      sweep(memo, 0);
      cq_memo_destroy(memo);
      CHECK(cq_ctx_bytes(fake.ctx) == 0);
    }
  }
}

/* Memory of the host counts as used where states were written, not where they could have been. */
static void test_bytes_follow_the_run(void) {
  cq_memo *memo = open_memo(&on_host, 0, "full");
  const size_t before = cq_ctx_bytes(fake.ctx);
  fake.fails_at = 17;
  CHECK(forward(memo) == CQ_DEFORMED);
  CHECK(cq_ctx_bytes(fake.ctx) == before + 18 * sizeof(counted_state));
  cq_ctx_clear_error(fake.ctx);
  fake.fails_at = 3; /* an earlier failure gives nothing back */
  CHECK(forward(memo) == CQ_DEFORMED);
  CHECK(cq_ctx_bytes(fake.ctx) == before + 18 * sizeof(counted_state));
  cq_ctx_clear_error(fake.ctx);
  fake.fails_at = NEVER;
  CHECK(forward(memo) == CQ_OK);
  CHECK(cq_ctx_bytes(fake.ctx) == before + (STEPS - 1) * sizeof(counted_state));
  cq_memo_destroy(memo);
  memo = open_memo(&on_device, 0, "full"); /* that of a device is its own to count */
  CHECK(cq_ctx_bytes(fake.ctx) < before);
  CHECK(forward(memo) == CQ_OK);
  CHECK(cq_ctx_bytes(fake.ctx) < before);
  cq_memo_destroy(memo);
}

static void test_no_room_for_states(void) {
  cq_memo *memo = NULL;
  cq_ctx *ctx = fake.ctx;
  fake = (counting){.ctx = ctx, .fails_at = NEVER, .no_room = true};
  /* only a run needs it */
  CHECK(cq_memo_create(ctx, &on_device, &fake, STEPS, 0, 0, NULL, &memo) == CQ_OK);
  void *first = NULL;
  CHECK(cq_memo_first(memo, &first) == CQ_MEMORY);
  CHECK(first == NULL);
  CHECK_STR(cq_ctx_error(ctx), "no room for 61 states");
  fake.no_room = false;
  CHECK(cq_memo_first(memo, &first) == CQ_OK && cq_memo_first(memo, &first) == CQ_OK);
  CHECK(fake.opened == 1);
  cq_memo_destroy(memo);
  CHECK(fake.opened == 0);
  CHECK(cq_ctx_bytes(ctx) == 0);
}

int main(void) {
  fake.ctx = cq_ctx_create(1, 1);
  RUN(test_every_budget_and_policy);
  RUN(test_kept_states_are_one_call);
  RUN(test_gaps_are_calls_of_their_own);
  RUN(test_failure_leaves_its_state);
  RUN(test_bytes_follow_the_run);
  RUN(test_no_room_for_states);
  cq_ctx_destroy(fake.ctx);
  return TEST_RESULT();
}
