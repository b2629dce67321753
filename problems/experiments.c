/* The sums are made in the order of the file, so that they have the same bits however many
 * experiments run side by side. */
#include "experiments.h"

#include "slots.h"
#include "status.h"

#include <math.h>
#include <string.h>

struct cq_experiments {
  cq_scene *owner;
  cq_joined *joined;
  cq_slots slots;
  double **x;         /* [count] the variables of each */
  double *difference; /* [n] as of cq_problem; NULL */
};

/* --- evaluation ------------------------------------------------------------------------------- */

/* Each experiment's own part of x. */
static void hand_out(cq_experiments *s, const double *x) {
  for (int k = 0; k < s->slots.count; k++) {
    const cq_experiment *const e = &s->joined->all[k];
    for (int j = 0; j < e->scene->design.n; j++) {
      s->x[k][j] = x[e->of[j]];
    }
  }
}

/* A row of derivatives by an experiment's own variables, added to one by those of the file. */
static void add_row(const cq_experiment *e, double factor, const double *own, double *row) {
  for (int j = 0; j < e->scene->design.n; j++) {
    row[e->of[j]] += factor * own[j];
  }
}

static double sum(const cq_experiments *s) {
  double f = 0.0;
  for (int k = 0; k < s->slots.count; k++) {
    f += s->joined->all[k].weight * s->slots.all[k].f;
  }
  return f;
}

/* In the order of the file's: inequalities of all, then equalities. */
static void join_constraints(const cq_experiments *s, double *c, double *jac) {
  const size_t n = (size_t)s->owner->design.n;
  for (int i = 0; i < s->joined->n_constraints; i++) {
    const cq_joined_function *const of = &s->joined->constraints[i];
    const cq_slot *const p = &s->slots.all[of->experiment];
    const size_t own = (size_t)p->scene->design.n;
    c[i] = p->c[of->index];
    if (jac != NULL) {
      memset(jac + (size_t)i * n, 0, n * sizeof *jac);
      add_row(&s->joined->all[of->experiment], 1.0, p->jac + (size_t)of->index * own,
              jac + (size_t)i * n);
    }
  }
}

/* The weighted sum, its gradient, and the constraints of all. */
static cq_status evaluate_refined(void *data, int level, const double *x, double *f, double *c,
                                  double *grad, double *jac) {
  cq_experiments *s = data;
  hand_out(s, x);
  CQ_TRY(cq_slots_evaluate(&s->slots, level, grad != NULL));
  *f = sum(s) + cq_prior_value(&s->owner->design.prior, x);
  if (grad != NULL) {
    memset(grad, 0, (size_t)s->owner->design.n * sizeof *grad);
    for (int k = 0; k < s->slots.count; k++) {
      add_row(&s->joined->all[k], s->joined->all[k].weight, s->slots.all[k].grad, grad);
    }
    cq_prior_slope(&s->owner->design.prior, x, grad);
  }
  if (c != NULL) {
    join_constraints(s, c, jac);
  }
  return CQ_OK;
}

static cq_status evaluate(void *data, const double *x, double *f, double *c, double *grad,
                          double *jac) {
  return evaluate_refined(data, 0, x, f, c, grad, jac);
}

/* Those of the experiments, one after the other, times the root of their weights; then what is
 * thought of the design beforehand. */
static cq_status residuals(void *data, int level, const double *x, double *f, double *r,
                           double *jac) {
  cq_experiments *s = data;
  const size_t n = (size_t)s->owner->design.n;
  hand_out(s, x);
  CQ_TRY(cq_slots_residuals(&s->slots, level, jac != NULL));
  const cq_prior *const prior = &s->owner->design.prior;
  *f = sum(s) + cq_prior_value(prior, x);
  for (int k = 0; k < s->slots.count; k++) {
    const cq_experiment *const e = &s->joined->all[k];
    const cq_slot *const p = &s->slots.all[k];
    const size_t m = (size_t)e->scene->n_residuals, own = (size_t)e->scene->design.n;
    const double root = sqrt(e->weight);
    for (size_t i = 0; i < m; i++) {
      r[i] = root * p->r[i];
      if (jac != NULL) {
        memset(jac + i * n, 0, n * sizeof *jac);
        add_row(e, root, p->r_jac + i * own, jac + i * n);
      }
    }
    r += m;
    jac = jac != NULL ? jac + m * n : NULL;
  }
  cq_prior_residuals(prior, x, r);
  if (jac != NULL) {
    cq_prior_jacobian(prior, (int)n, jac);
  }
  return CQ_OK;
}

/* --- making ----------------------------------------------------------------------------------- */

/* A slot for each experiment, with room for its part of the design. */
static cq_status make_slots(cq_experiments *s) {
  cq_scene *const scene = s->owner;
  const int count = s->joined->count;
  s->slots = (cq_slots){
      .owner = scene, .count = count, .threads = cq_slots_side_by_side(scene->ctx, count)};
  CQ_TRY(CQ_ARENA(&scene->arena, s->slots.all, count));
  CQ_TRY(CQ_ARENA(&scene->arena, s->x, count));
  for (int k = 0; k < count; k++) {
    const cq_experiment *const e = &s->joined->all[k];
    cq_slot *const p = &s->slots.all[k];
    p->ctx = e->ctx;
    p->scene = e->scene;
    snprintf(p->name, sizeof p->name, "experiment %.64s", e->name);
    CQ_TRY(CQ_ARENA(&scene->arena, s->x[k], e->scene->design.n + 1));
    CQ_TRY(cq_slot_room(&s->slots, p, (size_t)e->scene->design.n,
                        (size_t)(e->scene->objective.n_functions - 1)));
    p->x = s->x[k];
  }
  return CQ_OK;
}

/* Residuals if all experiments have them, in units of deviations if all are, and none is weighted.
 */
static void add_residuals(const cq_experiment *e, const cq_problem *own, cq_problem *problem) {
  if (problem->no_residuals == NULL && own->n_residuals == 0) {
    problem->no_residuals = own->no_residuals;
  }
  problem->n_residuals =
      problem->no_residuals == NULL ? problem->n_residuals + own->n_residuals : 0;
  problem->has_deviations = problem->n_residuals > 0 && problem->has_deviations &&
                            own->has_deviations && e->weight == 1.0;
  const char *const way = problem->jacobian_way != NULL ? problem->jacobian_way : own->jacobian_way;
  problem->jacobian_way =
      way == NULL || own->jacobian_way == NULL || strcmp(way, own->jacobian_way) == 0
          ? way
          : "what is cheaper in each experiment";
  problem->jacobian_cost = fmax(problem->jacobian_cost, own->jacobian_cost);
  problem->jacobian_error = fmax(problem->jacobian_error, own->jacobian_error);
}

/* The least that the gradient of any experiment is worth, and the longest steps of differences. */
static cq_status add_gradient(cq_experiments *s, int k, const cq_problem *own,
                              cq_problem *problem) {
  const cq_experiment *const e = &s->joined->all[k];
  if (own->gradient > problem->gradient) {
    problem->gradient = own->gradient;
    problem->no_gradient = own->no_gradient;
  }
  problem->gradient_cost = fmax(problem->gradient_cost, own->gradient_cost);
  problem->noise = fmax(problem->noise, own->noise);
  if (own->difference != NULL && s->difference == NULL) {
    CQ_TRY(CQ_ARENA(&s->owner->arena, s->difference, s->owner->design.n));
  }
  for (int j = 0; own->difference != NULL && j < e->scene->design.n; j++) {
    s->difference[e->of[j]] = fmax(s->difference[e->of[j]], own->difference[j]);
  }
  problem->difference = s->difference;
  return CQ_OK;
}

cq_status cq_experiments_add(cq_experiments *s, int k, const cq_problem *own, cq_problem *problem) {
  add_residuals(&s->joined->all[k], own, problem);
  return add_gradient(s, k, own, problem);
}

void cq_experiments_end(const cq_experiments *s, cq_problem *problem) {
  problem->n_residuals += problem->n_residuals > 0 ? s->owner->design.prior.n : 0;
}

cq_status cq_experiments_begin(cq_scene *scene, cq_problem *problem, cq_experiments **out) {
  CQ_TRY(CQ_ARENA(&scene->arena, *out, 1));
  cq_experiments *const s = *out;
  const cq_joined *const joined = scene->joined;
  *s = (cq_experiments){.owner = scene, .joined = scene->joined};
  problem->n_inequality = joined->n_inequality;
  problem->n_equality = joined->n_constraints - joined->n_inequality;
  problem->constraint_size = joined->size;
  problem->eval = evaluate;
  problem->refined = evaluate_refined;
  problem->residuals = residuals;
  problem->has_deviations = true; /* until one has none */
  problem->data = s;
  return make_slots(s);
}

void cq_experiments_destroy(cq_experiments *s) {
  for (int k = 0; s != NULL && s->slots.all != NULL && k < s->slots.count; k++) {
    cq_differences_end(&s->slots.all[k].beside);
  }
}

/* --- what is asked of all --------------------------------------------------------------------- */

double cq_experiments_term(const cq_experiments *s, int i) {
  const cq_joined_function *const of = &s->joined->terms[i];
  const cq_experiment *const e = &s->joined->all[of->experiment];
  return e->weight * cq_slot_term(&s->slots.all[of->experiment], of->index);
}

cq_status cq_experiments_help(cq_experiments *s, const cq_far_request *q, const double *x, int n,
                              const void **answer, size_t *size) {
  const int k = q->item;
  CQ_CHECK(s->owner->ctx, k >= 0 && k < s->slots.count && n == s->joined->all[k].scene->design.n,
           CQ_USAGE, "there is no experiment %d of %d variables", k, n);
  memcpy(s->x[k], x, (size_t)s->joined->all[k].scene->design.n * sizeof *x);
  return cq_slots_help(&s->slots, q, answer, size);
}

/* The label of the file, which names the experiment. */
static const char *label_of(const cq_joined *joined, int k, const char *own) {
  for (int i = 0; i < joined->n_terms; i++) {
    const cq_joined_function *const t = &joined->terms[i];
    const cq_function *const f = &joined->all[k].scene->objective.functions[0];
    if (t->experiment == k && f->terms[t->index].label == own) {
      return t->label;
    }
  }
  return own;
}

bool cq_experiments_tell(const cq_experiments *s, int i, const double *r, cq_residual_info *out) {
  for (int k = 0; k < s->slots.count; k++) {
    const cq_experiment *const e = &s->joined->all[k];
    const int n = e->scene->n_residuals;
    if (i < n) {
      const bool known = cq_scene_tell_residual(e->scene, i, r, 1.0 / sqrt(e->weight), out);
      out->term = label_of(s->joined, k, out->term);
      out->weight *= e->weight;
      return known;
    }
    i -= n;
    r += n;
  }
  cq_prior_tell(&s->owner->design.prior, i, r[i], 1, out);
  return true;
}

cq_status cq_experiments_values(cq_experiments *s, int level, const double *x, double *f,
                                double *c) {
  return evaluate_refined(s, level, x, f, c, NULL, NULL);
}

/* The number among the file's functions of one of experiment k. */
static int function_of_file(const cq_joined *joined, int k, int own) {
  int i = 0;
  while (own > 0 && i < joined->n_constraints &&
         (joined->constraints[i].experiment != k || joined->constraints[i].index != own - 1)) {
    i++;
  }
  return own > 0 ? 1 + i : 0;
}

cq_gradient_health cq_experiments_health(const cq_experiments *s) {
  int k = -1;
  cq_gradient_health worst = cq_slots_health(&s->slots, &k);
  worst.function = k >= 0 ? function_of_file(s->joined, k, worst.function) : 0;
  return worst;
}

/* Every experiment is simulated once more and looked at on its way; the largest share counts. */
cq_status cq_experiments_tear(cq_experiments *s, int level, const double *x, cq_tear *tear) {
  *tear = (cq_tear){.scenario = -1};
  hand_out(s, x);
  CQ_TRY(cq_slots_watch(&s->slots, level));
  const int torn = cq_slots_torn(&s->slots);
  if (torn >= 0) {
    *tear = cq_scene_tear(s->slots.all[torn].scene);
    tear->scenario = -1;
    CQ_TRY(cq_arena_text(&s->owner->arena, &tear->body, "%s: %s", s->joined->all[torn].name,
                         tear->body));
  }
  return CQ_OK;
}

void cq_experiments_statistics(const cq_experiments *s, cq_scene_stats *stats,
                               long long *failures) {
  cq_slots_statistics(&s->slots, stats, failures);
}
