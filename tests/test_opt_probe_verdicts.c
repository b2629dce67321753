/* What probes let be called a verified optimum, and what not. */
#include "test_opt_probe.h"

static const char *const strong[] = {"LD_SLSQP", "sqp", "IPOPT", "LD_LBFGS"};

enum { N_STRONG = 4 };

static bool is_strong(const char *name) {
  bool yes = false;
  for (int i = 0; i < N_STRONG; i++) {
    yes = yes || strcmp(name, strong[i]) == 0;
  }
  return yes;
}

/* No method calls a wrong point an optimum, and the good ones end at the right one; `but` names
 * those of them that say of themselves that they do not. */
static void check_form(const tp_case *test, const char *but) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    if (!has_gradient(name) || !watch_takes(name, test)) {
      continue;
    }
    watch w = watch_make(name, test);
    watch_run(&w);
    const bool right = fabs(w.result.f - test->f) <= 1e-4 * fmax(1, fabs(test->f));
    CHECK_MSG(w.result.status != CQ_OK || right,
              "%s, %s from (%g, %g): a false success, f = %.9g: %s", name, test->name,
              test->start[0], test->start[1], w.result.f, w.result.reason);
    CHECK_MSG(w.result.status == CQ_OK || !is_strong(name) || strstr(but, name) != NULL,
              "%s, %s from (%g, %g): f = %.9g: %s", name, test->name, test->start[0],
              test->start[1], w.result.f, w.result.reason);
  }
}

static void test_tempting_points(void) {
  const tp_case forms[] = {
      {"maximum", 2, 0, 0, {-1, -1}, {1, 1}, {0, 0}, -2, f_hill},
      {"maximum", 2, 0, 0, {-1, -1}, {1, 1}, {0.5, 0}, -2, f_hill},
      {"saddle", 2, 0, 0, {-2, -2}, {2, 2}, {0, 0}, -0.25, f_saddle_2},
      {"saddle", 2, 0, 0, {-2, -2}, {2, 2}, {1, 0}, -0.25, f_saddle_2},
      {"saddle in space", 3, 0, 0, {-2, -2, -2}, {2, 2, 2}, {0, 0, 0}, -0.25, f_saddle_3},
      {"saddle in space", 3, 0, 0, {-2, -2, -2}, {2, 2, 2}, {1, 1, 0}, -0.25, f_saddle_3},
      {"inflection", 1, 0, 0, {-1}, {1}, {0}, -1, f_inflection},
      {"inflection", 1, 0, 0, {-1}, {1}, {1}, -1, f_inflection},
  };
  const tp_case wall = {"wall", 2, 0, 0, {-4, -4}, {4, 4}, {2, -3}, 0, f_wall};
  for (int i = 0; i < (int)(sizeof forms / sizeof forms[0]); i++) {
    /* from the top SLSQP's own test of f stops it on the way, and it says so */
    check_form(&forms[i], i == 0 ? "LD_SLSQP" : "");
  }
  check_form(&wall, "sqp IPOPT"); /* scaled by the gradient of the start they crawl */
}

/* each gradient method's run of the form ends so */
static void check_ends(const tp_case *test, cq_status status, const char *words) {
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    if (has_gradient(name) && watch_takes(name, test)) {
      watch w = watch_make(name, test);
      watch_run(&w);
      CHECK_MSG(w.result.status == status && strstr(w.result.reason, words) != NULL,
                "%s, %s: %d: %s", name, test->name, (int)w.result.status, w.result.reason);
    }
  }
}

static void test_flat(void) {
  const tp_case constant = {"constant", 2, 0, 0, {-2, -2}, {2, 2}, {0.5, 0.25}, 7, f_constant};
  const tp_case held = {"held", 2, 1, 0, {-2, -2}, {2, 2}, {0.5, 0.25}, 7, f_constant_held};
  tp_case active = held, outside = held;
  active.name = "active";
  active.start[1] = 0.5;
  outside.name = "outside";
  outside.start[0] = 2;
  CHECK(cq_status_exit_code(CQ_FLAT) == 6);
  check_ends(&constant, CQ_FLAT, "does not depend on the design");
  check_ends(&held, CQ_FLAT, "does not depend on the design");
  check_ends(&active, CQ_FLAT, "does not depend on the design");
  for (int i = 0; i < 3; i++) {
    watch w = watch_make(strong[i], &outside);
    watch_run(&w);
    CHECK_MSG(w.result.status == CQ_FLAT && w.result.violation <= 1e-6, "%s from outside: %d: %s",
              strong[i], (int)w.result.status, w.result.reason);
  }
}

/* A start at the optimum, where the gradient is zero, is a few evaluations away from its proof. */
static void test_start_at_optimum(void) {
  tp_case there = bowl, rosenbrock = *tp_find("rosenbrock");
  there.start[0] = 1;
  there.start[1] = -0.5;
  rosenbrock.start[0] = rosenbrock.start[1] = 1;
  const tp_case *const tests[] = {&there, &rosenbrock};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    for (int k = 0; k < 2 && has_gradient(name) && strncmp(name, "G", 1) != 0; k++) {
      if (watch_takes(name, tests[k])) {
        watch w = watch_make(name, tests[k]);
        watch_run(&w);
        CHECK_MSG(w.result.status == CQ_OK && w.result.evaluations <= 30 &&
                      w.result.f <= tests[k]->f + 1e-9,
                  "%s, %s: %d evaluations: %s", name, tests[k]->name, w.result.evaluations,
                  w.result.reason);
      }
    }
  }
}

/* A heuristic gradient proves nothing, wherever it vanishes; a target is reached all the same. */
static void test_heuristic(void) {
  const tp_case test = {"heuristic", 1, 0, 0, {-10}, {10}, {0}, 1, f_heuristic};
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    if (!has_gradient(name) || !watch_takes(name, &test)) {
      continue;
    }
    watch w = watch_make(name, &test);
    w.kind = CQ_GRADIENT_HEURISTIC;
    w.def.allow_heuristic = true;
    watch target = w;
    target.def.target = 2.5;
    watch_run(&w);
    CHECK_MSG(w.result.status != CQ_OK && w.probes == 0, "%s: %d probes: %s", name, w.probes,
              w.result.reason);
    watch_run(&target);
    CHECK_MSG(target.result.status != CQ_OK || target.result.f <= 2.5, "%s: f = %g: %s", name,
              target.result.f, target.result.reason);
    CHECK_MSG(target.result.status == CQ_OK || !is_strong(name), "%s: %s", name,
              target.result.reason);
  }
}

static void test_lost_component(void) {
  const tp_case test = {"lost", 2, 0, 0, {-4, -4}, {4, 4}, {3, 2}, 1, f_half_gradient};
  tp_case there = test;
  there.start[0] = 1;
  for (int i = 0; cq_optimizer_name(i) != NULL; i++) {
    const char *const name = cq_optimizer_name(i);
    if (has_gradient(name) && watch_takes(name, &test)) {
      watch w = watch_make(name, &test), v = watch_make(name, &there);
      watch_run(&w);
      watch_run(&v);
      CHECK_MSG(w.result.status != CQ_OK || fabs(w.result.f - 1) < 1e-3, "%s: f = %g: %s", name,
                w.result.f, w.result.reason);
      CHECK_MSG(v.result.status != CQ_OK || fabs(v.result.f - 1) < 1e-3, "%s: f = %g: %s", name,
                v.result.f, v.result.reason);
    }
  }
}

static void test_small_constraint(void) {
  const tp_case test = {"small constraint", 1, 1, 0, {-4}, {4}, {3}, 1, f_small_constraint};
  tp_case outside = test;
  outside.start[0] = -2;
  check_form(&test, "");
  check_form(&outside, "");
}

/* From where the violated constraint has no gradient. */
static void test_blind_constraint(void) {
  static const char *const names[] = {"LD_SLSQP", "LD_MMA", "sqp"};
  const tp_case test = {"hole", 2, 1, 0, {-2, -2}, {2, 2}, {0.5, 0}, 0.25, f_hole};
  for (int i = 0; i < 2 * 3; i++) {
    watch w = watch_make(names[i / 2], &test);
    w.def.phases = i % 2 == 0 ? CQ_PHASES_TOGETHER : CQ_PHASES_FEASIBILITY_FIRST;
    watch_run(&w);
    const bool right = w.result.status == CQ_OK && fabs(w.result.f - 0.25) < 1e-4;
    /* sqp goes back into the middle, and says so */
    const bool honest = i / 2 == 2 && w.result.status != CQ_OK;
    CHECK_MSG(w.probes > 0 && (right || honest), "%s, phases %d: f = %g: %s", names[i / 2], i % 2,
              w.result.f, w.result.reason);
  }
}

/* A standstill at a saddle between two bounds is no success, and one at an honest
 * minimum of 0, where no tolerance of f ends SLSQP, is verified. */
static void test_standstill(void) {
  const tp_case ridge = {"ridge",       2,  0,      0, {1 - 1e-5, -1}, {1 + 1e-5, 1},
                         {1 + 1e-5, 0}, -1, f_ridge};
  const tp_case zero = {"zero", 2, 0, 0, {-2, -2}, {2, 2}, {1, 1}, 0, f_zero};
  watch w = watch_make("adam", &ridge), v = watch_make("LD_SLSQP", &zero);
  watch_run(&w);
  CHECK_MSG(w.result.status != CQ_OK || fabs(w.result.f + 1) < 1e-4, "f = %g: %s", w.result.f,
            w.result.reason);
  CHECK_MSG(strstr(w.result.reason, "stalled") != NULL, "%s", w.result.reason);
  CHECK_MSG(watch_run(&v) == CQ_OK && v.probes > 0, "%d probes: %s", v.probes, v.result.reason);
  check_form(&zero, "");
}

/* values of single precision */
static void test_noise(void) {
  const tp_case test = {"rounded", 2, 0, 0, {-4, -4}, {4, 4}, {3, 2}, 1, f_rounded};
  for (int i = 0; i < N_STRONG; i++) {
    watch w = watch_make(strong[i], &test);
    w.noise = 6e-8;
    watch_run(&w);
    CHECK_MSG(w.result.status == CQ_OK && fabs(w.result.f - 1) < 1e-4, "%s: f = %.9g: %s",
              strong[i], w.result.f, w.result.reason);
  }
}

/* A gradient that moves f by less than its rounding over the whole reach is none. */
static void test_rounding_gradient(void) {
  const tp_case vertex = {"vertex", 2, 0, 0, {0, -1}, {1, 1}, {0.5, 0.5}, 1, f_vertex};
  check_ends(&vertex, CQ_OK, "verified optimum");
}

int main(void) {
  RUN(test_tempting_points);
  RUN(test_flat);
  RUN(test_start_at_optimum);
  RUN(test_heuristic);
  RUN(test_lost_component);
  RUN(test_small_constraint);
  RUN(test_blind_constraint);
  RUN(test_standstill);
  RUN(test_noise);
  RUN(test_rounding_gradient);
  return TEST_RESULT();
}
