/* The problem of all scenarios together. Their values are combined in the order of the file, so
 * that the sum has the same bits however many run side by side. */
#include "scenarios.h"

#include "alloc.h"
#include "pace.h"
#include "scenario_files.h"
#include "scenario_settings.h"
#include "scene_tear.h"
#include "slots.h"
#include "status.h"

#include <math.h>
#include <string.h>

struct cq_scenarios {
  cq_scene *owner;
  int count;
  cq_slots slots; /* a batch needs fewer scenes than there are scenarios */
  int *drawn;     /* [slots] which scenario each of them is of; -1: none yet */
  int chosen;     /* whose values count: the worst; -1: the mean */
  int n_parts;
  int *part_of;        /* [n_parts] of cq_problem: the objective's parts if it is the worst, then
                          those of each constraint, by slot */
  cq_scene_stats gone; /* of scenes a batch has let go */
  long long gone_failures;
};

/* Scenario of slot i: a batch draws anew with every evaluation. */
static int drawn(const cq_scene *scene, int count, int evaluation, int i) {
  cq_rng rng = cq_rng_seed(cq_ctx_seed(scene->ctx) ^ ((uint64_t)evaluation << 20) ^ (uint64_t)i);
  return (int)(cq_rng_next(&rng) % (uint64_t)count);
}

/* Slot i becomes one of another scenario. */
static void take(cq_scenarios *s, int i, int scenario) {
  cq_slot *const p = &s->slots.all[i];
  cq_slot_statistics(p, &s->gone, &s->gone_failures);
  p->far_work = (cq_far_work){.failures = 0};
  p->is_far = false;
  cq_differences_end(&p->beside);
  cq_scene_free(p->scene);
  p->scene = NULL;
  s->drawn[i] = scenario;
}

static void draw(void *data, int evaluation) {
  cq_scenarios *s = data;
  for (int i = 0; i < s->slots.count; i++) {
    const int scenario = drawn(s->owner, s->count, evaluation, i);
    if (scenario != s->drawn[i]) {
      take(s, i, scenario);
    }
  }
}

/* The settings of a slot's scene: its scenario, its share of the memory, and no scenarios. */
static cq_status open_slot(cq_scenarios *s, int i) {
  cq_slot *const p = &s->slots.all[i];
  cq_scene *owner = s->owner;
  p->which = s->drawn[i];
  const char *sets[CQ_MOST_VARIED + 2];
  const int n = cq_scenario_settings_count(owner);
  char memory[64];
  if (p->scene != NULL) {
    return CQ_OK;
  }
  CQ_TRY(cq_scenario_settings(owner, s->drawn[i], sets));
  snprintf(memory, sizeof memory, "simulation.memory=\"%zu KiB\"", owner->model.memory >> 10);
  sets[n] = memory;
  sets[n + 1] = "scenarios=unset";
  const cq_status status = cq_scene_variation(p->ctx, owner, sets, n + 2, &p->scene);
  snprintf(p->name, sizeof p->name, "scenario %d", s->drawn[i]);
  return status == CQ_OK ? CQ_OK
                         : CQ_FAIL(owner->ctx, status, "%s: %s", p->name, cq_ctx_error(p->ctx));
}

/* All slots are there, and asked at x. */
static cq_status open_all(cq_scenarios *s, const double *x) {
  for (int i = 0; i < s->slots.count; i++) {
    CQ_TRY(open_slot(s, i));
    s->slots.all[i].x = x;
  }
  return CQ_OK;
}

/* The mean of f, or the largest and who has it; the gradient is its own. */
static void combine_objective(cq_scenarios *s, double *f, double *grad) {
  const int n = s->owner->design.n;
  const bool worst = s->owner->config.scenarios.combine == CQ_COMBINE_WORST;
  s->chosen = worst ? 0 : -1;
  double sum = 0.0;
  for (int i = 0; i < s->slots.count; i++) {
    s->chosen = worst && s->slots.all[i].f > s->slots.all[s->chosen].f ? i : s->chosen;
    sum += s->slots.all[i].f;
  }
  *f = worst ? s->slots.all[s->chosen].f : sum / s->slots.count;
  for (int j = 0; j < n && grad != NULL; j++) {
    double slope = 0.0;
    for (int i = 0; i < s->slots.count; i++) {
      slope += s->slots.all[i].grad[j];
    }
    grad[j] = worst ? s->slots.all[s->chosen].grad[j] : slope / s->slots.count;
  }
}

/* A constraint must hold in every scenario: its value is the largest. */
static void combine_constraints(const cq_scenarios *s, double *c, double *jac) {
  const int n = s->owner->design.n, m = s->owner->objective.n_inequality;
  for (int k = 0; k < m; k++) {
    int largest = 0;
    for (int i = 1; i < s->slots.count; i++) {
      largest = s->slots.all[i].c[k] > s->slots.all[largest].c[k] ? i : largest;
    }
    c[k] = s->slots.all[largest].c[k];
    if (jac != NULL) {
      const size_t row = (size_t)k * (size_t)n;
      memcpy(jac + row, s->slots.all[largest].jac + row, (size_t)n * sizeof *jac);
    }
  }
}

/* The parts of all that is the largest of the scenarios' own. */
static void parts(void *data, double *values, double *gradients) {
  const cq_scenarios *s = data;
  const size_t n = (size_t)s->owner->design.n;
  for (int k = 0; k < s->n_parts; k++) {
    const cq_slot *p = &s->slots.all[k % s->slots.count];
    const int of = s->part_of[k];
    values[k] = of < 0 ? p->f : p->c[of];
    if (gradients != NULL) {
      memcpy(gradients + (size_t)k * n, of < 0 ? p->grad : p->jac + (size_t)of * n,
             n * sizeof *gradients);
    }
  }
}

/* All have as many residuals as the file. */
static cq_status check_residuals(const cq_scenarios *s) {
  for (int i = 0; i < s->slots.count; i++) {
    const cq_slot *const p = &s->slots.all[i];
    CQ_CHECK(s->owner->ctx, p->scene->n_residuals == s->owner->n_residuals, CQ_CONFIG,
             "%s: %d residuals, not %d as in the file", p->name, p->scene->n_residuals,
             s->owner->n_residuals);
  }
  return CQ_OK;
}

/* Residuals that each scenario has of its own: not those of what is thought of the design
 * beforehand, which is one for all. */
static size_t own_residuals(const cq_scene *owner) {
  return (size_t)(owner->n_residuals - owner->design.prior.n);
}

/* Those of a mean: of all scenarios, in their order, over the root of their number; then what is
 * thought of the design beforehand, once. */
static cq_status residuals(void *data, int level, const double *x, double *f, double *r,
                           double *jac) {
  cq_scenarios *s = data;
  const cq_prior *const prior = &s->owner->design.prior;
  const size_t m = own_residuals(s->owner), n = (size_t)s->owner->design.n;
  const size_t all = m * (size_t)s->slots.count;
  const double root = sqrt(s->slots.count);
  CQ_TRY(open_all(s, x));
  CQ_TRY(check_residuals(s));
  CQ_TRY(cq_slots_residuals(&s->slots, level, jac != NULL));
  combine_objective(s, f, NULL);
  for (size_t i = 0; i < (size_t)s->slots.count; i++) {
    for (size_t k = 0; k < m; k++) {
      r[i * m + k] = s->slots.all[i].r[k] / root;
    }
    for (size_t k = 0; jac != NULL && k < m * n; k++) {
      jac[i * m * n + k] = s->slots.all[i].r_jac[k] / root;
    }
  }
  cq_prior_residuals(prior, x, r + all);
  if (jac != NULL) {
    cq_prior_jacobian(prior, (int)n, jac + all * n);
  }
  return CQ_OK;
}

/* Of the scenario that has it, as the file has the term; a mean divides its weight. */
bool cq_scenarios_tell(const cq_scenarios *s, int i, const double *r, cq_residual_info *out) {
  const int each = (int)own_residuals(s->owner), all = each * s->slots.count;
  if (i >= all) {
    cq_prior_tell(&s->owner->design.prior, i - all, r[i], 1.0, out);
    out->scenario = -1;
    return true;
  }
  const bool known =
      cq_scene_tell_residual(s->owner, i % each, r + i / each * each, sqrt(s->slots.count), out);
  out->scenario = i / each;
  out->weight /= s->slots.count;
  return known;
}

static cq_status list_parts(cq_scenarios *s) {
  cq_scene *scene = s->owner;
  const int first = scene->config.scenarios.combine == CQ_COMBINE_WORST ? -1 : 0;
  s->n_parts = (scene->objective.n_inequality - first) * s->slots.count;
  CQ_TRY(CQ_ARENA(&scene->arena, s->part_of, s->n_parts));
  for (int k = 0; k < s->n_parts; k++) {
    s->part_of[k] = first + k / s->slots.count;
  }
  return CQ_OK;
}

static cq_status evaluate_refined(void *data, int level, const double *x, double *f, double *c,
                                  double *grad, double *jac) {
  cq_scenarios *s = data;
  CQ_TRY(open_all(s, x));
  CQ_TRY(cq_slots_evaluate(&s->slots, level, grad != NULL));
  combine_objective(s, f, grad);
  if (c != NULL) {
    combine_constraints(s, c, jac);
  }
  return CQ_OK;
}

static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  return evaluate_refined(data, 0, x, f, c, grad, jac);
}

cq_status cq_scenarios_help(cq_scenarios *s, const cq_far_request *q, const double *x,
                            const void **answer, size_t *size) {
  const int i = q->item;
  CQ_CHECK(s->owner->ctx, i >= 0 && i < s->slots.count && q->which >= 0 && q->which < s->count,
           CQ_USAGE, "there is no scenario %d", q->which);
  if (s->drawn[i] != q->which) {
    take(s, i, q->which);
  }
  CQ_TRY(open_slot(s, i));
  s->slots.all[i].x = x;
  return cq_slots_help(&s->slots, q, answer, size);
}

/* As many side by side as there are threads; fewer scenarios than that take them all in turn. */
static cq_status make_slots(cq_scene *scene, cq_scenarios *s) {
  const size_t n = (size_t)scene->design.n, m = (size_t)(scene->objective.n_functions - 1);
  const int threads = cq_ctx_threads(scene->ctx);
  s->slots.threads = cq_slots_side_by_side(scene->ctx, s->slots.count);
  CQ_TRY(CQ_ARENA(&scene->arena, s->slots.all, s->slots.count));
  CQ_TRY(CQ_ARENA(&scene->arena, s->drawn, s->slots.count));
  for (int i = 0; i < s->slots.count; i++) {
    cq_slot *p = &s->slots.all[i];
    s->drawn[i] = scene->config.scenarios.combine == CQ_COMBINE_BATCH ? -1 : i;
    p->ctx = cq_ctx_beside(scene->ctx, s->slots.threads > 1 ? 1 : threads);
    CQ_CHECK(scene->ctx, p->ctx != NULL, CQ_MEMORY, "out of memory");
    CQ_TRY(cq_slot_room(&s->slots, p, n, m));
  }
  return CQ_OK;
}

/* What is asked of the scenarios in place of the scene. */
static void set_problem(cq_scenarios *s, bool batch, cq_problem *problem) {
  problem->eval = evaluate;
  problem->refined = evaluate_refined;
  problem->ahead = NULL; /* threads have the scenarios */
  if (s->owner->config.scenarios.combine == CQ_COMBINE_MEAN) {
    problem->n_residuals +=
        problem->n_residuals > 0 ? (s->slots.count - 1) * (int)own_residuals(s->owner) : 0;
    problem->residuals = residuals;
    problem->has_deviations = false; /* a mean of chi-squares is none */
  } else {
    problem->n_residuals = 0;
    problem->no_residuals = "of scenarios their mean alone is one (scenarios.combine)";
  }
  problem->data = s;
  if (batch) {
    problem->draw = draw;
    return;
  }
  problem->n_parts = s->n_parts;
  problem->part_of = s->part_of;
  problem->parts = parts;
}

cq_status cq_scenarios_begin(cq_scene *scene, cq_problem *problem, cq_scenarios **out) {
  const bool batch = scene->config.scenarios.combine == CQ_COMBINE_BATCH;
  CQ_TRY(cq_scenario_files_read(scene));
  CQ_TRY(CQ_ARENA(&scene->arena, *out, 1));
  cq_scenarios *s = *out;
  *s = (cq_scenarios){.owner = scene,
                      .count = scene->n_scenarios,
                      .slots = {.owner = scene, .count = scene->n_judged},
                      .chosen = -1};
  CQ_TRY(make_slots(scene, s));
  if (batch) {
    draw(s, 1); /* for whoever evaluates without counting, such as a gradient check */
  } else {
    CQ_TRY(list_parts(s));
  }
  set_problem(s, batch, problem);
  return CQ_OK;
}

void cq_scenarios_destroy(cq_scenarios *s) {
  for (int i = 0; s != NULL && s->slots.all != NULL && i < s->slots.count; i++) {
    cq_differences_end(&s->slots.all[i].beside);
    cq_scene_free(s->slots.all[i].scene);
    cq_ctx_destroy(s->slots.all[i].ctx);
  }
}

enum { MOST_TOLD = 100 }; /* letters of a setting that is told: lists may be long */

cq_status cq_scenarios_settings_text(const cq_scenarios *s, int k, char *text, size_t size) {
  const char *sets[CQ_MOST_VARIED];
  size_t used = 0;
  text[0] = '\0';
  CQ_TRY(cq_scenario_settings(s->owner, k, sets));
  for (int i = 0; i < cq_scenario_settings_count(s->owner) && used < size; i++) {
    const bool is_long = strlen(sets[i]) > MOST_TOLD;
    used += (size_t)snprintf(text + used, size - used, "%s%.*s%s", i > 0 ? ", " : "", MOST_TOLD,
                             sets[i], is_long ? " ..." : "");
  }
  return CQ_OK;
}

double cq_scenarios_term_in(const cq_scenarios *s, int k, int i) {
  const cq_slot *const p = &s->slots.all[k];
  return p->scene != NULL ? cq_slot_term(p, i) : NAN;
}

double cq_scenarios_term(const cq_scenarios *s, int i) {
  if (s->chosen >= 0) {
    return cq_slot_term(&s->slots.all[s->chosen], i);
  }
  double sum = 0.0;
  for (int k = 0; k < s->slots.count; k++) {
    sum += s->slots.all[k].scene != NULL ? cq_slot_term(&s->slots.all[k], i) : 0.0;
  }
  return sum / s->slots.count;
}

cq_gradient_health cq_scenarios_health(const cq_scenarios *s) {
  int unused = -1;
  return cq_slots_health(&s->slots, &unused);
}

/* Every scenario is simulated once more and looked at on its way; the largest share counts. */
cq_status cq_scenarios_tear(cq_scenarios *s, int level, const double *x, cq_tear *tear) {
  *tear = (cq_tear){.scenario = -1};
  CQ_TRY(open_all(s, x));
  CQ_TRY(cq_slots_watch(&s->slots, level));
  const int torn = cq_slots_torn(&s->slots);
  if (torn >= 0) {
    const cq_scene *const scene = s->slots.all[torn].scene;
    *tear = cq_tear_of(s->owner, scene, cq_scene_tear(scene));
    tear->scenario = s->drawn[torn];
  }
  return CQ_OK;
}

void cq_scenarios_statistics(const cq_scenarios *s, cq_scene_stats *stats, long long *failures) {
  stats->simulations += s->gone.simulations;
  stats->gradients += s->gone.gradients;
  stats->forward_seconds += s->gone.forward_seconds;
  stats->backward_seconds += s->gone.backward_seconds;
  *failures += s->gone_failures;
  cq_slots_statistics(&s->slots, stats, failures);
}
