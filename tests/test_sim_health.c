/* What a sweep shows of itself: norms of the adjoint, by hand and against the gradient and the
 * other engine, how they grow, and where contacts change. */
#define CQ_DIM  2
#define CQ_BITS 64
#include "boundary/boundary.h"
#include "contact_scene.h"
#include "growth.h"
#include "mpm_inputs.h"
#include "scene_builder.h"
#include "test.h"

enum { MOST_STEPS = 1200 };

/* --- a log of a sweep ------------------------------------------------------------------------ */

typedef struct watched {
  cq_adjoint_norms norms[MOST_STEPS + 1];
  cq_contact_count contacts[MOST_STEPS];
  int states;
} watched;

static void show(void *user, int state, const cq_adjoint_norms *norms,
                 const cq_contact_count *contacts) {
  watched *w = user;
  w->norms[state] = norms[0];
  w->states++;
  if (contacts != NULL) {
    w->contacts[state] = *contacts;
  }
}

static void sweep(cq_sim *sim, const cq_seed *seed, watched *w, double *gradient) {
  const cq_watch watch = {.every = 1, .contacts = true, .show = show, .user = w};
  memset(w, 0, sizeof *w);
  CHECK(cq_sim_backward_watched(sim, 1, seed, &watch, gradient) == CQ_OK);
}

static bool near(double a, double b, double relative) {
  return fabs(a - b) <= relative * fabs(b);
}

/* --- by hand --------------------------------------------------------------------------------- */

/* L = 3 times the mean of x at the end. Nothing changes the common velocity but damping, so that
 * dL/dx stays 3/n a particle, and dL/dv is that times how far a velocity of 1 gets. */
static void check_flight(double damping) {
  enum { N = 36, STEPS = 60 };
  const double dt = 0.01, centre[2] = {0.9, 1.0};
  static watched w;
  scene s;
  scene_make(&s, 2, 64, 40, 0.1, dt, STEPS, N, 1);
  scene_open(&s);
  scene_ball(&s, 0, N, centre, 0.2, 1);
  scene_set_all(&s, CQ_INPUT_volume, 0.05 * 0.05);
  for (int p = 0; p < N; p++) {
    scene_at(&s, CQ_INPUT_v)[2 * p] = 0.7;
    scene_at(&s, CQ_INPUT_v)[2 * p + 1] = 0.2;
  }
  *scene_at(&s, CQ_INPUT_damping) = damping;
  scene_last_dz(&s)[0] = 3.0;
  const cq_seed seed = {.dz = s.dz};
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_OK);
  sweep(s.sim, &seed, &w, s.gradient);
  CHECK(w.states == STEPS + 1);
  double way = 0.0, factor = 1.0;
  for (int k = STEPS; k >= 0; k--) {
    CHECK_MSG(near(w.norms[k].of[CQ_INPUT_x], 3.0 / sqrt(N), 1e-12), "state %d: %.17g", k,
              w.norms[k].of[CQ_INPUT_x]);
    CHECK_MSG(near(w.norms[k].of[CQ_INPUT_v], way * 3.0 / sqrt(N), 1e-12), "state %d: %.17g", k,
              w.norms[k].of[CQ_INPUT_v]);
    CHECK(w.norms[k].of[CQ_INPUT_F] < 1e-14 && w.norms[k].of[CQ_INPUT_C] < 1e-14);
    factor *= exp(-damping * dt);
    way += factor * dt;
  }
  scene_close(&s);
}

static void test_free_flight(void) {
  check_flight(0.0);
  check_flight(2.0);
  check_flight(-2.0);
}

static double fitted(double rate, double share_of_v, int n) {
  cq_growth_fit fit = {0};
  for (int i = 0; i < n; i++) {
    const double before = 0.1 * (i + 1), size = 1e-3 * exp(rate * before);
    cq_growth_add(&fit, before, 2.5, size * (1.0 - share_of_v), 2.5 * size * share_of_v);
  }
  cq_growth_add(&fit, 0.5, 2.5, 0.0, 0.0);
  cq_growth_add(&fit, 0.5, 2.5, NAN, 1.0);
  return cq_growth_rate(&fit);
}

/* x stays 1, v grows by 1 a second, as in free flight: norms 1, sqrt(2), sqrt(5) at even times */
static double fitted_flight(void) {
  cq_growth_fit fit = {0};
  for (int i = 0; i < 3; i++) {
    cq_growth_add(&fit, 2.0 * i, 2.0, 1.0, 2.0 * i);
  }
  return cq_growth_rate(&fit);
}

static void test_growth(void) {
  CHECK(near(fitted_flight(), 0.5 * log(5.0) / 4.0, 1e-12));
  CHECK(near(fitted(4.0, 0.0, 25), 4.0, 1e-12));
  CHECK(near(fitted(4.0, 1.0, 25), 4.0, 1e-12));
  CHECK(near(fitted(-3.0, 0.4, 7), -3.0, 1e-12));
  CHECK(fabs(fitted(0.0, 0.4, 25)) < 1e-12);
  CHECK(isnan(fitted(4.0, 0.0, 2)));
}

/* --- contacts -------------------------------------------------------------------------------- */

static void test_compare(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_contacts now = {.ctx = ctx}, next = {.ctx = ctx};
  const cq_touched a[] = {{1, 0}, {3, 1}, {5, 2}, {9, 1}, {10, 4}};
  const cq_touched b[] = {{0, 1}, {3, 0}, {5, 2}, {7, 1}, {9, 2}, {11, 1}};
  for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
    CHECK(cq_contacts_add(&now, a[i].site, a[i].states) == CQ_OK);
  }
  for (size_t i = 0; i < sizeof b / sizeof *b; i++) {
    CHECK(cq_contacts_add(&next, b[i].site, b[i].states) == CQ_OK);
  }
  const cq_contact_count both = cq_contacts_compare(&now, &next);
  CHECK(both.pressing == 4 && both.switched == 2);
  next.n = 0;
  const cq_contact_count alone = cq_contacts_compare(&now, &next);
  CHECK(alone.pressing == 4 && alone.switched == 0);
  for (size_t i = 0; i < 1000; i++) {
    CHECK(cq_contacts_add(&now, 11 + i, 0) == CQ_OK);
  }
  CHECK(now.n == 1005 && now.sites[2].site == 5 && now.sites[1004].site == 1010);
  cq_contacts_free(&now);
  cq_contacts_free(&next);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* what a condition says of its branch against what it does */
static void test_states(void) {
  cq_rng rng = cq_rng_seed(3);
  int seen[3] = {0};
  for (int i = 0; i < 3000; i++) {
    const int kind = i % CQ_N_BOUNDARIES;
    const double angle = scene_random(&rng, 3.2), friction = cq_rng_uniform(&rng);
    const vec n = {{cos(angle), sin(angle)}}, t = {{-sin(angle), cos(angle)}};
    const vec v = {{scene_random(&rng, 1.0), scene_random(&rng, 1.0)}};
    const vec after = boundary_apply(kind, v, n, friction, 1e-9);
    const int state = (int)boundary_state(kind, v, n, friction, 1e-9);
    const bool one_branch = kind == CQ_BOUNDARY_slip || kind == CQ_BOUNDARY_sticky;
    const bool leaves = fabs(after.v[0] - v.v[0]) + fabs(after.v[1] - v.v[1]) < 1e-8;
    const bool holds = fabs(vec_dot(after, t)) == 0.0;
    const int expected =
        one_branch || leaves ? CQ_CONTACT_NONE : (holds ? CQ_CONTACT_HOLDS : CQ_CONTACT_SLIDES);
    CHECK_MSG(state == expected, "condition %d: %d, not %d", kind, state, expected);
    seen[state]++;
  }
  CHECK(seen[0] > 100 && seen[1] > 100 && seen[2] > 100);
}

/* A ball without weight between floor and ceiling: a spell of contact at each turn. */
static void test_bounces(void) {
  enum { STEPS = MOST_STEPS };
  static watched w;
  scene s;
  scene_make(&s, 2, 64, 32, 1.0 / 32, 2e-3, STEPS, 200, 1);
  s.boundaries[0] = scene_domain(&s.mpm, CQ_BOUNDARY_separate, 3, 3, 3);
  s.model.n_boundaries = 1;
  unsigned char observe[STEPS + 1];
  memset(observe, 1, sizeof observe);
  s.observe = observe;
  scene_open(&s);
  const double centre[2] = {0.5, 0.5};
  scene_ball(&s, 0, 200, centre, 0.1, 3);
  scene_set_all(&s, CQ_INPUT_volume, 3.14159 * 0.01 / 200);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, 60.0);
  for (int p = 0; p < 200; p++) {
    scene_at(&s, CQ_INPUT_v)[2 * p + 1] = -1.0;
  }
  CHECK(cq_sim_forward(s.sim, s.inputs) == CQ_OK);
  const size_t n_z = (size_t)s.layout.rows->longest;
  scene_last_dz(&s)[1] = 1.0;
  const cq_seed seed = {.dz = s.dz};
  sweep(s.sim, &seed, &w, s.gradient);
  const double *z = cq_sim_observations(s.sim);
  int turns = 0, spells = 0, switches = 0;
  for (int k = 0; k < STEPS; k++) {
    turns += z[(size_t)k * n_z + 3] * z[(size_t)(k + 1) * n_z + 3] < 0.0;
    spells += w.contacts[k].pressing > 0 && (k == 0 || w.contacts[k - 1].pressing == 0);
    switches += w.contacts[k].switched;
  }
  printf("  %d turns, %d spells of contact, %d switches\n", turns, spells, switches);
  CHECK(turns >= 3);
  CHECK(spells == turns);
  CHECK(switches > 0);
  scene_close(&s);
}

/* --- engines, threads, memo ------------------------------------------------------------------ */

static void run_scene(contact_scene *s, int threads, watched *w, double *gradient) {
  cq_ctx *ctx = cq_ctx_create(threads, 1);
  cq_sim *sim = NULL;
  cq_rng rng = cq_rng_seed(11);
  double *terminal = calloc(s->layout.state_total, sizeof(double));
  for (size_t i = 0; i < s->layout.state_total; i++) {
    terminal[i] = scene_random(&rng, 1.0);
  }
  const cq_seed seed = {.terminal = terminal};
  CHECK_MSG(cq_sim_create(ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (w != NULL) {
    sweep(sim, &seed, w, gradient);
  } else {
    CHECK(cq_sim_backward(sim, 1, &seed, gradient) == CQ_OK);
  }
  cq_sim_destroy(sim);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  free(terminal);
}

static double norm_of(const contact_scene *s, const double *gradient, int field) {
  double sum = 0.0;
  for (size_t i = 0; i < s->layout.count[field]; i++) {
    const double g = gradient[s->layout.offset[field] + i];
    sum += g * g;
  }
  return sqrt(sum);
}

/* The adjoint at state 0 is the gradient, and the norms at all are those of the reference loops. */
static void check_engines(int dim, int bits, double bound) {
  static watched fast, reference;
  contact_scene s;
  contact_scene_make(&s, dim, bits, 30);
  double *gradient = calloc(s.layout.total, sizeof(double));
  run_scene(&s, 1, &fast, gradient);
  const double *first = fast.norms[0].of, *last = fast.norms[30].of;
  for (int i = 0; i < 4; i++) {
    const double expected = norm_of(&s, gradient, CQ_INPUT_x + i);
    CHECK_MSG(near(first[i], expected, 1e-12), "%s: %g, not %g", cq_mpm_inputs[i].name, first[i],
              expected);
    CHECK(last[i] > 0.0);
  }
  s.mpm.kernels = CQ_KERNELS_REFERENCE;
  run_scene(&s, 1, &reference, gradient);
  int pressing = 0, switched = 0;
  for (int k = 0; k <= 30; k++) {
    const double *a = fast.norms[k].of, *b = reference.norms[k].of;
    for (int i = 0; i < 4; i++) {
      CHECK_MSG(near(a[i], b[i], bound), "state %d, %s: %g and %g", k, cq_mpm_inputs[i].name, a[i],
                b[i]);
    }
    pressing += fast.contacts[k].pressing;
    switched += fast.contacts[k].switched;
    CHECK(memcmp(&fast.contacts[k], &reference.contacts[k], sizeof(cq_contact_count)) == 0);
  }
  printf("  %dD f%d: %d nodes press, %d switch\n", dim, bits, pressing, switched);
  CHECK(pressing > 30 && switched > 0);
  free(gradient);
  free(s.inputs);
}

static void test_engines_agree(void) {
  check_engines(2, 64, 1e-9);
  check_engines(3, 64, 1e-9);
}

static void test_same_bits(void) {
  static watched one, other;
  contact_scene s;
  contact_scene_make(&s, 2, 64, 60);
  double *plain = calloc(s.layout.total, sizeof(double));
  double *gradient = calloc(s.layout.total, sizeof(double));
  run_scene(&s, 1, NULL, plain);
  /* the reference of a device is the naive kernel, which has no order */
  for (int kernels = 0; kernels < (CQ_TEST_DEVICE == CQ_ON_CPU ? 2 : 1); kernels++) {
    s.mpm.kernels = kernels == 0 ? CQ_KERNELS_FAST : CQ_KERNELS_REFERENCE;
    s.model.memory = 0;
    run_scene(&s, 1, &one, gradient);
    CHECK(kernels > 0 || memcmp(plain, gradient, s.layout.total * sizeof(double)) == 0);
    for (int threads = 1; threads <= 4; threads++) {
      s.model.memory = threads == 1 ? 0 : (size_t)threads * 200000;
      run_scene(&s, threads, &other, gradient);
      CHECK_MSG(memcmp(&one, &other, sizeof one) == 0, "%d threads: other bits", threads);
    }
  }
  free(plain);
  free(gradient);
  free(s.inputs);
}

int main(void) {
  RUN(test_free_flight);
  RUN(test_growth);
  RUN(test_compare);
  RUN(test_states);
  RUN(test_bounces);
  RUN(test_engines_agree);
  RUN(test_same_bits);
  return TEST_RESULT();
}
