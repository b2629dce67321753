/* Every memo policy under every budget gives the same bits, down to 4 states for 1000 steps. */
#include "contact_scene.h"
#include "memo.h"
#include "test.h"

static cq_ctx *ctx;

typedef struct sweep {
  double *gradient;
  long long replayed;
  int states;
} sweep;

/* gradient of the second group's mean x at the end and of running |v|^2 */
static sweep run_sweep(contact_scene *s, const char *policy, int states, int repeats) {
  cq_sim *sim = NULL;
  sweep r = {calloc(s->layout.total, sizeof(double)), 0, 0};
  s->model.memo = policy;
  s->model.memory = 0;
  CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  s->model.memory =
      (size_t)states * cq_sim_statistics(sim)->state_bytes + cq_sim_statistics(sim)->z_bytes;
  if (states > 0) {
    cq_sim_destroy(sim);
    CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  }
  const size_t rows = (size_t)(s->model.steps + 1), n_z = (size_t)contact_scene_row(s->model.dim);
  double *dz = calloc(rows * n_z, sizeof(double));
  for (size_t k = 0; k < rows; k++) {
    dz[k * n_z + (size_t)contact_scene_place(s->model.dim, 0, CQ_Q_SQUARE)] = 0.01;
  }
  dz[(rows - 1) * n_z + (size_t)contact_scene_place(s->model.dim, 1, CQ_Q_POSITION)] = 1.0;
  const cq_seed seed = {.dz = dz};
  for (int i = 0; i < repeats; i++) { /* a second sweep after the same forward run */
    CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
    CHECK(cq_sim_backward(sim, 1, &seed, r.gradient) == CQ_OK);
  }
  r.replayed = cq_sim_statistics(sim)->steps_replayed;
  long long planned = -1;
  CHECK(cq_sim_planned(sim, &planned) == CQ_OK);
  CHECK_MSG(repeats > 1 || planned == r.replayed, "%s with %d states: %lld steps planned, %lld run",
            policy, states, planned, r.replayed);
  r.states = cq_sim_statistics(sim)->memo_states;
  free(dz);
  cq_sim_destroy(sim);
  return r;
}

static void check_same(contact_scene *s, const double *expected, const char *policy, int states,
                       int repeats) {
  const sweep r = run_sweep(s, policy, states, repeats);
  CHECK_MSG(memcmp(expected, r.gradient, s->layout.total * sizeof(double)) == 0,
            "%s with %d states: other bits", policy, states);
  printf("  %-8s %4d states: %lld of %d steps run again\n", policy, r.states, r.replayed,
         s->model.steps);
  free(r.gradient);
}

typedef struct heard {
  long long forward, backward;
  bool in_order;
} heard;

static void hear(void *user, long long forward, long long backward) {
  heard *h = user;
  h->in_order = h->in_order && forward + backward == h->forward + h->backward + 1;
  h->forward = forward;
  h->backward = backward;
}

/* Every step once, also of those that are run again for the sweep; nobody hears of the next run. */
static void test_pace(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 60);
  heard h = {.in_order = true};
  cq_ctx_set_pace(ctx, hear, &h);
  free(run_sweep(&s, "binomial", 5, 1).gradient);
  cq_ctx_set_pace(ctx, NULL, NULL);
  CHECK_MSG(h.in_order && h.forward == 60 && h.backward == 60, "%lld steps, %lld back", h.forward,
            h.backward);
  free(run_sweep(&s, "binomial", 5, 1).gradient);
  CHECK(h.forward == 60 && h.backward == 60);
  free(s.inputs);
}

static void test_every_policy_same_bits(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 60);
  const sweep full = run_sweep(&s, "full", 0, 1);
  CHECK(full.replayed == 0);
  CHECK(full.states == 61);
  const int states[] = {4, 5, 7, 16, 33, 60, 61, 200, 0};
  for (int i = 0; cq_memo_policy_at(i) != NULL; i++) {
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
      check_same(&s, full.gradient, cq_memo_policy_at(i)->name, states[k], 1);
    }
    check_same(&s, full.gradient, cq_memo_policy_at(i)->name, 7, 2);
    check_same(&s, full.gradient, cq_memo_policy_at(i)->name, 0, 2);
  }
  free(full.gradient);
  free(s.inputs);
}

/* mean pressures at walls and between bodies are numbers of states */
static void test_means_same_bits(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 30);
  contact_scene_mean_pressure(&s);
  contact_scene_fields(&s);
  const sweep full = run_sweep(&s, "full", 0, 1);
  for (int i = 0; cq_memo_policy_at(i) != NULL; i++) {
    check_same(&s, full.gradient, cq_memo_policy_at(i)->name, 7, 1);
    check_same(&s, full.gradient, cq_memo_policy_at(i)->name, 0, 2);
  }
  free(full.gradient);
  free(s.inputs);
}

static void test_thousand_steps_with_four_states(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 1000);
  s.model.dt = 1e-4;
  const sweep full = run_sweep(&s, "full", 0, 1);
  check_same(&s, full.gradient, "binomial", 4, 1);
  check_same(&s, full.gradient, "sqrt", 4, 1);
  const sweep two = run_sweep(&s, "binomial", 64, 1);
  /* 63 kept states reverse C(65, 63) = 2080 steps with at most one extra run of each */
  CHECK_MSG(two.replayed <= 1000, "%lld steps run again with 64 states", two.replayed);
  free(two.gradient);
  free(full.gradient);
  free(s.inputs);
}

static void test_too_small_and_unknown(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 60);
  cq_sim *sim = NULL;
  s.model.memory = 1000;
  CHECK(cq_sim_create(ctx, &s.model, &sim) == CQ_MEMORY);
  CHECK(sim == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "simulation.memory") != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
  s.model.memory = 0;
  s.model.memo = "revolver";
  CHECK(cq_sim_create(ctx, &s.model, &sim) == CQ_CONFIG);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "revolver") != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_clear_error(ctx);
  free(s.inputs);
}

/* a forward-only run holds few states of a long run */
static void test_forward_allocates_no_adjoint(void) {
  contact_scene s;
  contact_scene_make(&s, 2, 64, 60);
  cq_sim *sim = NULL;
  s.model.memory = 0;
  CHECK(cq_sim_create(ctx, &s.model, &sim) == CQ_OK);
  const size_t created = cq_ctx_bytes(ctx);
  const size_t state = cq_sim_statistics(sim)->state_bytes;
  CHECK(created < 20 * state + (1u << 20));
  cq_sim_destroy(sim);
  CHECK(cq_ctx_bytes(ctx) == 0);
  free(s.inputs);
}

int main(void) {
  ctx = cq_ctx_create(1, 1);
  RUN(test_every_policy_same_bits);
  /* a device takes no contacts, and hundreds of steps at a time */
  if (CQ_TEST_DEVICE == CQ_ON_CPU) {
    RUN(test_pace);
    RUN(test_means_same_bits);
  }
  RUN(test_thousand_steps_with_four_states);
  RUN(test_too_small_and_unknown);
  RUN(test_forward_allocates_no_adjoint);
  cq_ctx_destroy(ctx);
  return TEST_RESULT();
}
