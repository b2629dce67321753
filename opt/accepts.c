/* Settings of a run: which optimizer they mean, and what is refused before it. */
#include "failure.h"
#include "grade.h"
#include "method.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEF_COOKIE = 0x63710f };

/* What is not set here is off, or 0. */
cq_optimizer_def cq_optimizer_default(void) {
  return (cq_optimizer_def){
      .name = "auto",
      .max_evaluations = 1000,
      .target = NAN,
      .stop_at_target = true,
      .constraint_tolerance = 1e-6,
      .optimality_tolerance = 1e-4,
      .restarts = 20,
      .stall_time = 60,
      .gradient_cost = 3,
      .objective_scale = NAN,
      .learning_rate = 0.1,
      .beta_1 = 0.9,
      .beta_2 = 0.999,
      .epsilon = 1e-8,
      .on_failure = CQ_FAILURE_RETRY_SMALLER_STEP,
      .repeat_jitter = 1e-3,
      .sigma = NAN,
      .difference_step = 0.02,
      .cookie = DEF_COOKIE,
  };
}

const char *cq_optimizer_for(const char *name, const cq_problem *problem) {
  if (!cq_optimizer_is_auto(name)) {
    const char *const known = cq_optimizer_canonical(name);
    return known != NULL ? known : name;
  }
  const int n = cq_problem_free(problem);
  return n <= cq_optimizer_LD_SLSQP.most_n && problem->n_equality <= n ? "LD_SLSQP" : "sqp";
}

/* the first variable with an infinite bound, or -1 */
static int first_unbounded(const cq_problem *problem) {
  for (int j = 0; j < problem->n; j++) {
    if (isinf(problem->lower[j]) || isinf(problem->upper[j])) {
      return j;
    }
  }
  return -1;
}

/* without optimizer.force */
static bool suits(const cq_optimizer *method, const cq_problem *problem) {
  const int n = cq_problem_free(problem);
  return method->missing == NULL && (method->handles_inequality || problem->n_inequality == 0) &&
         (method->handles_equality || problem->n_equality == 0) &&
         (!method->needs_residuals || problem->n_residuals > 0) &&
         (!method->needs_gradient || cq_grade_is_given(problem->gradient)) &&
         (method->handles_samples || problem->draw == NULL) &&
         (!method->needs_box || first_unbounded(problem) < 0) && n >= method->least_n &&
         (method->most_n == 0 || n <= method->most_n);
}

/* "LD_SLSQP, LD_MMA, ...": the first of the list that suit the problem; local: which do not need a
 * box */
static const char *instead(const cq_problem *problem, bool local, char text[200]) {
  enum { MOST = 6 };
  size_t used = 0;
  snprintf(text, 200, "no method that there is");
  const cq_optimizer *o = NULL;
  for (int i = 0, n = 0; (o = cq_optimizer_at(i)) != NULL && n < MOST; i++) {
    if (suits(o, problem) && !(local && o->needs_box)) {
      used += (size_t)snprintf(text + used, 200 - used, "%s%s", n > 0 ? ", " : "", o->name);
      n++;
    }
  }
  return text;
}

static cq_status unknown(cq_ctx *ctx, const char *name) {
  char text[200];
  cq_optimizer_suggest(name, text, sizeof text);
  return CQ_FAIL(ctx, CQ_CONFIG, "there is no optimizer \"%s\"; %s", name != NULL ? name : "",
                 text);
}

/* Constraints and bounds that the method has no notion of. */
static cq_status check_constraints(cq_ctx *ctx, const cq_optimizer *method,
                                   const cq_problem *problem) {
  char list[200];
  CQ_CHECK(ctx, method->handles_inequality || problem->n_inequality == 0, CQ_CONFIG,
           "%s cannot take inequality constraints (the problem has %d); use one of %s",
           method->name, problem->n_inequality, instead(problem, false, list));
  CQ_CHECK(ctx, method->handles_equality || problem->n_equality == 0, CQ_CONFIG,
           "%s cannot take equality constraints (the problem has %d); use one of %s", method->name,
           problem->n_equality, instead(problem, false, list));
  const int n = cq_problem_free(problem);
  CQ_CHECK(ctx, n == 0 || problem->n_equality <= n || method->any_equality, CQ_CONFIG,
           "%s cannot take %d equality constraints on %d variables that are free to move; use sqp, "
           "remove constraints or widen bounds",
           method->name, problem->n_equality, n);
  for (int j = 0; j < problem->n && !method->handles_bounds; j++) {
    CQ_CHECK(ctx, isinf(problem->lower[j]) && isinf(problem->upper[j]), CQ_CONFIG,
             "%s cannot take bounds (variable %d has some)", method->name, j);
  }
  return CQ_OK;
}

static cq_status check_gradient(cq_ctx *ctx, const cq_optimizer *method,
                                const cq_optimizer_def *def, const cq_problem *problem) {
  char list[200];
  CQ_CHECK(ctx, !method->needs_gradient || cq_grade_is_given(problem->gradient), CQ_CONFIG,
           "%s needs a gradient and this problem has none%s%s; use one of %s", method->name,
           problem->no_gradient != NULL ? ": " : "",
           problem->no_gradient != NULL ? problem->no_gradient : "", instead(problem, false, list));
  CQ_CHECK(
      ctx, def->gradient_tolerance == 0 || problem->gradient != CQ_GRADIENT_HEURISTIC, CQ_CONFIG,
      "optimizer.gradient_tolerance stops at a small residual, which a heuristic gradient does "
      "not tell; give a target or a budget");
  return method->needs_exact_gradient ? cq_check_exact_gradient(ctx, method->name, def, problem)
                                      : CQ_OK;
}

/* An objective of samples that change is no function of x that one may search along. */
static cq_status check_samples(cq_ctx *ctx, const cq_optimizer *method, const cq_optimizer_def *def,
                               const cq_problem *problem) {
  if (problem->draw == NULL) {
    return CQ_OK;
  }
  CQ_CHECK(ctx, method->handles_samples, CQ_CONFIG,
           "%s compares values, and the objective is of a batch that changes with each evaluation; "
           "use adam or gradient_descent, or scenarios.combine = \"mean\"",
           method->name);
  CQ_CHECK(ctx, isnan(def->target), CQ_CONFIG,
           "optimizer.target has no meaning with scenarios.combine = \"batch\": a lucky batch "
           "would reach it");
  return CQ_OK;
}

/* More variables than are sensible: its kin for many of them comes first. */
static cq_status check_most(cq_ctx *ctx, const cq_optimizer *method, const cq_optimizer_def *def,
                            const cq_problem *problem, int n) {
  char list[200];
  if (method->most_n == 0 || n <= method->most_n || def->force) {
    return CQ_OK;
  }
  const cq_optimizer *const kin = cq_optimizer_find(method->beyond);
  const bool first = kin != NULL && suits(kin, problem);
  return CQ_FAIL(ctx, CQ_CONFIG,
                 "%s gets nowhere with %d variables (%d at most are sensible); use %s%s%s, or "
                 "optimizer.force = true",
                 method->name, n, method->most_n, first ? kin->name : "",
                 first ? ", which takes more, or one of " : "one of ",
                 instead(problem, false, list));
}

/* number of variables, bounds, and something to end by */
static cq_status check_size(cq_ctx *ctx, const cq_optimizer *method, const cq_optimizer_def *def,
                            const cq_problem *problem) {
  const int n = cq_problem_free(problem), open = first_unbounded(problem);
  char list[200];
  if (n == 0) {
    return CQ_OK;
  }
  CQ_CHECK(ctx, n >= method->least_n, CQ_CONFIG,
           "%s needs at least %d variables that are free to move (the problem has %d); use one of "
           "%s",
           method->name, method->least_n, n, instead(problem, true, list));
  CQ_TRY(check_most(ctx, method, def, problem, n));
  CQ_CHECK(ctx, !method->needs_box || open < 0, CQ_CONFIG,
           "%s searches a box, and variable %d has an infinite bound; give both bounds, or use one "
           "of %s",
           method->name, open, instead(problem, true, list));
  CQ_CHECK(ctx,
           !method->needs_budget || def->max_evaluations > 0 || def->max_simulations > 0 ||
               def->max_cost > 0 || def->max_time > 0 || def->stagnation > 0,
           CQ_CONFIG,
           "%s may search for ever; set optimizer.max_evaluations, max_simulations, max_time or "
           "stagnation",
           method->name);
  return CQ_OK;
}

/* Units that are given must be positive, and one for all constraints or one for each. */
static cq_status check_scaling(cq_ctx *ctx, const cq_optimizer_def *d, int m) {
  CQ_CHECK(ctx,
           isnan(d->objective_scale) || (isfinite(d->objective_scale) && d->objective_scale > 0),
           CQ_CONFIG, "optimizer.objective_scale must be positive, not %g", d->objective_scale);
  CQ_CHECK(ctx, m > 0 || d->n_constraint_scale == 0, CQ_CONFIG,
           "optimizer.constraint_scale is given and the problem has no constraints");
  CQ_CHECK(ctx,
           d->n_constraint_scale == 0 || d->n_constraint_scale == 1 || d->n_constraint_scale == m,
           CQ_CONFIG,
           "optimizer.constraint_scale has %d numbers; give one for all constraints or %d, one for "
           "each",
           d->n_constraint_scale, m);
  for (int i = 0; i < d->n_constraint_scale; i++) {
    CQ_CHECK(ctx, isfinite(d->constraint_scale[i]) && d->constraint_scale[i] > 0, CQ_CONFIG,
             "optimizer.constraint_scale must be positive, not %g", d->constraint_scale[i]);
  }
  return CQ_OK;
}

static cq_status check_phases(cq_ctx *ctx, const cq_optimizer_def *d, const cq_problem *problem) {
  CQ_CHECK(
      ctx, d->phases == CQ_PHASES_TOGETHER || cq_problem_constraints(problem) > 0, CQ_CONFIG,
      "optimizer.phases = \"feasibility_first\" looks for a feasible point, and the problem has "
      "no constraints");
  CQ_CHECK(ctx, d->phases == CQ_PHASES_TOGETHER || problem->draw == NULL, CQ_CONFIG,
           "optimizer.phases = \"feasibility_first\" has no meaning with scenarios.combine = "
           "\"batch\": no design is feasible for good");
  CQ_CHECK(ctx, d->constraint_margin == 0 || problem->n_inequality > 0, CQ_CONFIG,
           "optimizer.constraint_margin is given and the problem has no inequality constraints");
  return CQ_OK;
}

cq_optimizer_def cq_optimizer_resolve(const cq_optimizer_def *def, const cq_problem *problem) {
  cq_optimizer_def out = *def;
  out.name = cq_optimizer_for(def->name, problem);
  out.optimality_tolerance = cq_grade_tolerance(problem->gradient, def->optimality_tolerance);
  if (problem->gradient_cost > 0) {
    out.gradient_cost = problem->gradient_cost;
  }
  if (cq_optimizer_is_auto(def->name) && strcmp(out.name, cq_optimizer_sqp.name) != 0) {
    out.then = cq_optimizer_sqp.name;
  }
  return out;
}

cq_status cq_optimizer_given(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  CQ_CHECK(ctx, ctx != NULL && def != NULL && problem != NULL, CQ_USAGE,
           "the problem or its settings are missing");
  CQ_CHECK(ctx,
           problem->n < 1 ||
               (problem->lower != NULL && problem->upper != NULL && problem->start != NULL),
           CQ_USAGE, "the bounds or the start of the problem are missing");
  return CQ_OK;
}

/* Check by check: the first that is not met is the one that the user is told of. */
cq_status cq_optimizer_accepts(cq_ctx *ctx, const cq_optimizer_def *given,
                               const cq_problem *problem) {
  CQ_TRY(cq_optimizer_given(ctx, given, problem));
  const cq_optimizer_def resolved = cq_optimizer_resolve(given, problem), *def = &resolved;
  const cq_optimizer *method = cq_optimizer_find(def->name);
  char list[200];
  if (method == NULL) {
    return unknown(ctx, def->name);
  }
  CQ_CHECK(ctx, method->missing == NULL, CQ_CONFIG,
           "%s is not in this build: install %s and build again (./bootstrap build does both), or "
           "use %s",
           method->name, method->missing, instead(problem, false, list));
  CQ_TRY(check_constraints(ctx, method, problem));
  CQ_TRY(check_gradient(ctx, method, def, problem));
  CQ_TRY(check_samples(ctx, method, def, problem));
  CQ_TRY(check_scaling(ctx, def, problem->n_inequality + problem->n_equality));
  CQ_TRY(check_phases(ctx, def, problem));
  CQ_TRY(cq_failure_check(ctx, def, problem));
  if (method->check != NULL) {
    CQ_TRY(method->check(ctx, def, problem));
  }
  return check_size(ctx, method, def, problem);
}

/* What the caller says of the problem makes sense, whatever the method. */
static cq_status check_problem(cq_ctx *ctx, const cq_problem *p) {
  CQ_CHECK(ctx, p->n >= 1, CQ_USAGE, "the problem has no design variables");
  CQ_CHECK(ctx, p->n_inequality >= 0 && p->n_equality >= 0 && p->eval != NULL, CQ_USAGE,
           "the problem has no eval, or a negative number of constraints");
  CQ_CHECK(ctx, p->n_parts >= 0 && (p->n_parts == 0 || (p->parts != NULL && p->part_of != NULL)),
           CQ_USAGE, "the problem does not tell its parts");
  CQ_CHECK(ctx, p->n_residuals >= 0 && (p->n_residuals == 0 || p->residuals != NULL), CQ_USAGE,
           "the problem does not tell its residuals");
  for (int k = 0; k < p->n_parts; k++) {
    CQ_CHECK(ctx, p->part_of[k] >= -1 && p->part_of[k] < p->n_inequality, CQ_USAGE,
             "part %d is of no inequality: %d", k, p->part_of[k]);
  }
  for (int j = 0; j < p->n; j++) {
    const double scale = p->scale != NULL ? p->scale[j] : 1;
    CQ_CHECK(ctx, p->lower[j] <= p->upper[j], CQ_CONFIG,
             "variable %d: its lower bound %g is not below its upper bound %g", j, p->lower[j],
             p->upper[j]);
    CQ_CHECK(ctx, isfinite(p->start[j]) && p->start[j] >= p->lower[j] && p->start[j] <= p->upper[j],
             CQ_CONFIG, "variable %d: its start %g is not within its bounds [%g, %g]", j,
             p->start[j], p->lower[j], p->upper[j]);
    CQ_CHECK(ctx, isfinite(scale) && scale > 0, CQ_CONFIG,
             "variable %d: its scale %g must be positive", j, scale);
  }
  return CQ_OK;
}

/* The same of the settings; the cookie shows that they began with the defaults. */
static cq_status check_def(cq_ctx *ctx, const cq_optimizer_def *d) {
  CQ_CHECK(ctx, d->cookie == DEF_COOKIE, CQ_USAGE,
           "a cq_optimizer_def must start from cq_optimizer_default()");
  CQ_CHECK(ctx, d->max_evaluations >= 0 && d->max_time >= 0, CQ_CONFIG,
           "max_evaluations and max_time must be positive, or 0 for no limit");
  CQ_CHECK(ctx, d->max_simulations >= 0 && d->stagnation >= 0 && d->restarts >= 0, CQ_CONFIG,
           "max_simulations, stagnation and restarts must be positive, or 0 for off");
  CQ_CHECK(ctx, d->max_cost >= 0 && d->gradient_cost >= 1, CQ_CONFIG,
           "max_cost must be positive, or 0 for no limit, and gradient_cost at least 1");
  CQ_CHECK(ctx, d->ftol_rel >= 0 && d->xtol_rel >= 0 && d->gradient_tolerance >= 0, CQ_CONFIG,
           "ftol_rel, xtol_rel and gradient_tolerance must be positive, or 0 for off");
  CQ_CHECK(ctx,
           d->constraint_tolerance >= 0 && d->constraint_margin >= 0 &&
               d->optimality_tolerance >= 0,
           CQ_CONFIG,
           "constraint_tolerance, constraint_margin and optimality_tolerance must not be negative");
  CQ_CHECK(ctx, d->feasibility_evaluations >= 0, CQ_CONFIG,
           "feasibility_evaluations must be positive, or 0 for no limit");
  return CQ_OK;
}

cq_status cq_optimizer_check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem) {
  CQ_TRY(check_def(ctx, def));
  CQ_TRY(check_problem(ctx, problem));
  return cq_optimizer_accepts(ctx, def, problem);
}
