/* What every engine has to pass, on the scene of its folder (argument): a pure step, the same bits
 * whatever the threads, the memo and the segments, gradients of every word that are worth what it
 * says, failures that say where. */
#include "engine.h"
#include "memo.h"
#include "scene.h"
#include "test.h"

static const char *path;

typedef struct fixture {
  cq_ctx *ctx;
  cq_scene *scene;
} fixture;

static fixture open_scene(int threads, const char *const *sets, int n_sets) {
  fixture f = {.ctx = cq_ctx_create(threads, 1)};
  CHECK_MSG(cq_scene_load(f.ctx, path, sets, n_sets, &f.scene) == CQ_OK, "%s", cq_ctx_error(f.ctx));
  if (f.scene == NULL) {
    exit(1);
  }
  return f;
}

static void close_scene(fixture f) {
  cq_scene_destroy(f.scene);
  CHECK(cq_ctx_bytes(f.ctx) == 0);
  cq_ctx_destroy(f.ctx);
}

/* f, constraints, gradient and Jacobian at the start. */
typedef struct answer {
  size_t size;
  double *numbers;
} answer;

static answer answer_of(fixture f, bool gradient) {
  const cq_problem *p = cq_scene_problem(f.scene);
  const size_t n = (size_t)p->n, m = (size_t)(p->n_inequality + p->n_equality);
  answer a = {(1 + m) * (1 + n), NULL};
  a.numbers = calloc(a.size, sizeof *a.numbers);
  double *c = a.numbers + 1, *grad = c + m, *jac = grad + n;
  CHECK_MSG(p->eval(p->data, p->start, a.numbers, c, gradient ? grad : NULL,
                    gradient ? jac : NULL) == CQ_OK,
            "%s", cq_ctx_error(f.ctx));
  return a;
}

static bool same(answer a, answer b) {
  return a.size == b.size && memcmp(a.numbers, b.numbers, a.size * sizeof *a.numbers) == 0;
}

static answer answer_to(int threads, const char *const *sets, int n_sets, bool gradient) {
  const fixture f = open_scene(threads, sets, n_sets);
  const answer a = answer_of(f, gradient);
  close_scene(f);
  return a;
}

static const cq_engine_type *type_of_scene(void) {
  const fixture f = open_scene(1, NULL, 0);
  const cq_engine_type *type = cq_engine_type_of(f.scene->model.engine);
  close_scene(f);
  return type;
}

/* "simulation.gradient=WORD"; of static storage */
static const char *setting(const cq_gradient_word *gradient) {
  static char text[64];
  snprintf(text, sizeof text, "simulation.gradient=%s", gradient->word);
  return text;
}

/* A gradient that cannot do with what the scene has says so by its word. */
static bool refused(const cq_gradient_word *gradient) {
  const char *const set = setting(gradient);
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  const cq_status status = cq_scene_load(ctx, path, &set, 1, &scene);
  if (status != CQ_OK) {
    CHECK_MSG(status == CQ_CONFIG && strstr(cq_ctx_error(ctx), gradient->word) != NULL, "%s",
              cq_ctx_error(ctx));
    printf("  %s: refused here\n", gradient->word);
  }
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
  return status != CQ_OK;
}

static bool is_given(const cq_gradient_word *gradient) {
  return gradient->grade != CQ_GRADIENT_NONE;
}

/* Another run in between leaves nothing behind. */
static void test_a_step_is_pure(void) {
  const fixture f = open_scene(1, NULL, 0);
  const cq_layout *layout = &f.scene->layout;
  double *state = calloc(2 * layout->state_total, sizeof *state),
         *again = state + layout->state_total;
  double *other = calloc(layout->total, sizeof *other);
  memcpy(other, f.scene->current, layout->total * sizeof *other);
  other[cq_layout_offset(layout, "v")] += 0.01;
  CHECK(cq_sim_forward(f.scene->sim, f.scene->current) == CQ_OK);
  CHECK(cq_sim_final_state(f.scene->sim, state) == CQ_OK);
  CHECK(cq_sim_forward(f.scene->sim, other) == CQ_OK);
  CHECK(cq_sim_final_state(f.scene->sim, again) == CQ_OK);
  CHECK(memcmp(state, again, layout->state_total * sizeof *state) != 0);
  CHECK(cq_sim_forward(f.scene->sim, f.scene->current) == CQ_OK);
  CHECK(cq_sim_final_state(f.scene->sim, again) == CQ_OK);
  CHECK(memcmp(state, again, layout->state_total * sizeof *state) == 0);
  free(state);
  free(other);
  close_scene(f);
}

/* Every gradient by one thread and by four. */
static void test_threads(void) {
  const cq_engine_type *type = type_of_scene();
  const cq_gradient_word *gradient = NULL;
  for (int i = 0; (gradient = cq_engine_gradient_at(type, i)) != NULL; i++) {
    const char *const set = setting(gradient);
    if (refused(gradient)) {
      continue;
    }
    const answer one = answer_to(1, &set, 1, is_given(gradient));
    const answer four = answer_to(4, &set, 1, is_given(gradient));
    CHECK_MSG(same(one, four), "%s: other bits by four threads", set);
    free(one.numbers);
    free(four.numbers);
  }
}

/* States that the memo holds and those that it makes again; every policy. */
static void test_memo(void) {
  const fixture f = open_scene(1, NULL, 0);
  const answer all = answer_of(f, is_given(type_of_scene()->gradients));
  const cq_sim_stats stats = *cq_sim_statistics(f.scene->sim);
  close_scene(f);
  for (int i = 0; cq_memo_policy_at(i) != NULL; i++) {
    for (size_t states = 5; states <= 20; states += 15) {
      char memory[64], memo[64];
      snprintf(memory, sizeof memory, "simulation.memory=%zu B",
               stats.z_bytes + states * (stats.state_bytes + 256));
      snprintf(memo, sizeof memo, "simulation.memo=%s", cq_memo_policy_at(i)->name);
      const char *const sets[] = {memory, memo};
      const answer few = answer_to(1, sets, 2, is_given(type_of_scene()->gradients));
      CHECK_MSG(same(all, few), "other bits with %s, %s", memory, memo);
      free(few.numbers);
    }
  }
  free(all.numbers);
}

static void ignore(void *user, int state, const cq_adjoint_norms *norms,
                   const cq_contact_count *count) {
  *(int *)user += state >= 0 && norms != NULL && count != NULL;
}

/* Sweeps that are looked at on their way, and so cut. */
static void test_segments(void) {
  const fixture f = open_scene(1, NULL, 0);
  if (cq_sim_gradient(f.scene->sim) != CQ_GRADIENT_EXACT_REVERSE) {
    close_scene(f);
    return;
  }
  const answer whole = answer_of(f, true);
  const size_t total = (size_t)f.scene->objective.n_seeds * f.scene->layout.total;
  double *gradients = calloc(total, sizeof *gradients);
  memcpy(gradients, f.scene->gradients, total * sizeof *gradients);
  const int every[] = {1, 7, f.scene->model.steps};
  for (int i = 0; i < 3; i++) {
    int looks = 0;
    const cq_watch watch = {
        .every = every[i], .contacts = every[i] == 1, .show = ignore, .user = &looks};
    CHECK(cq_scene_sweep(f.scene, f.scene->design.start, &watch) == CQ_OK);
    CHECK(looks == (every[i] == 1 ? f.scene->model.steps : 0));
    CHECK_MSG(memcmp(gradients, f.scene->gradients, total * sizeof *gradients) == 0,
              "other bits, looked at every %d states", every[i]);
  }
  free(gradients);
  free(whole.numbers);
  close_scene(f);
}

static cq_status keep_last(void *user, int step, const double *state) {
  const fixture *f = ((void **)user)[0];
  double *out = ((void **)user)[1];
  (void)step;
  memcpy(out, state, f->scene->layout.state_total * sizeof *out);
  return CQ_OK;
}

/* Runs in pieces, without a memo. */
static void test_visits(void) {
  fixture f = open_scene(1, NULL, 0);
  const size_t n = f.scene->layout.state_total;
  const int steps = f.scene->model.steps, some[] = {0, 1, 13, steps};
  double *state = calloc(2 * n, sizeof *state), *visited = state + n;
  void *user[] = {&f, visited};
  CHECK(cq_sim_forward(f.scene->sim, f.scene->current) == CQ_OK);
  CHECK(cq_sim_final_state(f.scene->sim, state) == CQ_OK);
  for (int i = 0; i < 2; i++) {
    CHECK(cq_sim_visit(f.scene->sim, f.scene->current, i == 0 ? NULL : some, 4, keep_last, user) ==
          CQ_OK);
    CHECK(memcmp(state, visited, n * sizeof *state) == 0);
  }
  free(state);
  close_scene(f);
}

/* Largest difference of a and b, of gradients and Jacobian, in parts of the largest number there.
 */
static double apart(answer a, answer b, size_t values) {
  double most = 0, size = 0;
  for (size_t i = values; i < a.size; i++) {
    most = fmax(most, fabs(a.numbers[i] - b.numbers[i]));
    size = fmax(size, fabs(b.numbers[i]));
  }
  return most / size;
}

/* Exact gradients are those of central differences, a heuristic one need not be, and where there is
 * none that is said. */
static void test_grades(void) {
  const cq_engine_type *type = type_of_scene();
  const char *const by_differences[] = {"simulation.gradient=difference",
                                        "simulation.precision=double"};
  const answer difference = answer_to(1, by_differences, 2, true);
  const cq_gradient_word *gradient = NULL;
  for (int i = 0; (gradient = cq_engine_gradient_at(type, i)) != NULL; i++) {
    const char *const sets[] = {setting(gradient), "simulation.precision=double"};
    if (refused(gradient)) {
      continue;
    }
    const fixture f = open_scene(1, sets, 2);
    const cq_problem *p = cq_scene_problem(f.scene);
    const bool rough = gradient->grade == CQ_GRADIENT_DIFFERENCE && type->roughness > 0;
    CHECK(p->gradient == (rough ? CQ_GRADIENT_HEURISTIC : gradient->grade));
    if (is_given(gradient)) {
      const answer a = answer_of(f, true);
      const double error = apart(a, difference, 1 + (size_t)(p->n_inequality + p->n_equality));
      const bool proves = p->gradient != CQ_GRADIENT_HEURISTIC;
      printf("  %s: %.2g from differences\n", gradient->word, error);
      CHECK_MSG(isfinite(error) && (!proves || error < 1e-6), "%s: %g", gradient->word, error);
      free(a.numbers);
    } else {
      double value = NAN, *c = calloc(2 * (size_t)(p->n + 1) * 64, sizeof *c);
      CHECK(p->eval(p->data, p->start, &value, c, c + 64, c + 64 + p->n) == CQ_CONFIG);
      free(c);
    }
    close_scene(f);
  }
  free(difference.numbers);
}

/* What is not a number is named by its particle, and the next run is as if nothing had been. */
static void test_failure(void) {
  const fixture f = open_scene(1, NULL, 0);
  const cq_layout *layout = &f.scene->layout;
  const size_t dim = (size_t)f.scene->model.dim, particle = 3;
  double *inputs = calloc(layout->total, sizeof *inputs),
         *state = calloc(2 * layout->state_total, sizeof *state);
  memcpy(inputs, f.scene->current, layout->total * sizeof *inputs);
  CHECK(cq_sim_forward(f.scene->sim, inputs) == CQ_OK);
  CHECK(cq_sim_final_state(f.scene->sim, state) == CQ_OK);
  for (int i = 0; i < 2; i++) {
    const size_t at = cq_layout_offset(layout, i == 0 ? "x" : "v") + particle * dim;
    const double kept = inputs[at];
    inputs[at] = NAN;
    const cq_status status = cq_sim_forward(f.scene->sim, inputs);
    const cq_failure *failure = cq_sim_failure(f.scene->sim);
    CHECK_MSG(cq_status_is_numeric(status) && failure->status == status, "%s",
              cq_status_name(status));
    CHECK(failure->step == 0 && failure->particle == (int)particle);
    CHECK(strstr(cq_ctx_error(f.ctx), "3") != NULL && strchr(cq_ctx_error(f.ctx), '\n') == NULL);
    cq_ctx_clear_error(f.ctx);
    inputs[at] = kept;
  }
  CHECK(cq_sim_forward(f.scene->sim, inputs) == CQ_OK);
  CHECK(cq_sim_failure(f.scene->sim)->status == CQ_OK);
  CHECK(cq_sim_final_state(f.scene->sim, state + layout->state_total) == CQ_OK);
  CHECK(memcmp(state, state + layout->state_total, layout->state_total * sizeof *state) == 0);
  free(inputs);
  free(state);
  close_scene(f);
}

int main(int argc, char **argv) {
  path = argc > 1 ? argv[1] : "";
  RUN(test_a_step_is_pure);
  RUN(test_threads);
  RUN(test_memo);
  RUN(test_segments);
  RUN(test_visits);
  RUN(test_grades);
  RUN(test_failure);
  return TEST_RESULT();
}
