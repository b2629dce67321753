#include "nlopt_run.h"

#include "scaling.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  MAX_RESTARTS = 20,  /* a claim that does not verify is answered by a restart at the best point */
  LBFGS_VECTORS = 20, /* NLopt's default keeps 1.3 million / n of them */
  DUAL_EVALUATIONS = 5000, /* of MMA and CCSAQ; NLopt's default of 100,000 looks like a hang */
  SLSQP_SLOW = 300,        /* variables; its time grows with the cube of their number */
  SLSQP_LIMIT = 15000      /* its work array, 8.5 n^2 doubles, is indexed by an int */
};

/* used when ftol_rel and xtol_rel are both 0: NLopt needs a rule to end by */
static const double DEFAULT_FTOL = 1e-10, DEFAULT_XTOL = 1e-10;
/* least gain of a pass, relative to f_scale or to the violation, that is worth another */
static const double WORTHWHILE_GAIN = 1e-9, WORTHWHILE_FEASIBILITY = 0.01;

typedef struct driver {
  cq_run *run;
  const cq_nlopt_kind *kind;
  cq_scaling scaling;
  nlopt_opt opt;
  double ftol, xtol;
} driver;

/* NULL when the run has ended; NLopt has been told then. */
static const cq_point *point_at(driver *d, const double *xs, bool gradient) {
  cq_scaling_leave(&d->scaling, xs);
  const cq_point *point = cq_evaluate(d->run->evaluator, d->scaling.full, gradient);
  if (point == NULL) {
    nlopt_force_stop(d->opt);
  }
  return point;
}

/* After the end NLopt may call some more before it looks at the flag: it gets zeros. */
static double objective(unsigned n, const double *xs, double *grad, void *data) {
  driver *d = data;
  const cq_point *point = point_at(d, xs, grad != NULL);
  if (point == NULL) {
    if (grad != NULL) {
      memset(grad, 0, n * sizeof *grad);
    }
    return 0;
  }
  if (grad != NULL) {
    cq_scaling_gradient(&d->scaling, point, -1, grad);
  }
  return point->f / d->scaling.f_unit;
}

static void constraints(driver *d, int first, unsigned m, double *result, unsigned n,
                        const double *xs, double *grad) {
  const cq_point *point = point_at(d, xs, grad != NULL);
  if (point == NULL) {
    memset(result, 0, m * sizeof *result);
    if (grad != NULL) {
      memset(grad, 0, (size_t)m * n * sizeof *grad);
    }
    return;
  }
  for (unsigned i = 0; i < m; i++) {
    result[i] = cq_scaling_constraint(&d->scaling, point, first + (int)i);
    if (grad != NULL) {
      cq_scaling_gradient(&d->scaling, point, first + (int)i, grad + (size_t)i * n);
    }
  }
}

static void inequalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                         void *data) {
  constraints(data, 0, m, result, n, xs, grad);
}

static void equalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                       void *data) {
  driver *d = data;
  constraints(d, d->run->problem->n_inequality, m, result, n, xs, grad);
}

static cq_status refused(const driver *d, nlopt_result code, const char *what) {
  if (code == NLOPT_OUT_OF_MEMORY) {
    return CQ_FAIL(d->run->ctx, CQ_MEMORY, "%s is out of memory (%s)", d->run->method->name, what);
  }
  const char *text = d->opt != NULL ? nlopt_get_errmsg(d->opt) : NULL;
  return CQ_FAIL(d->run->ctx, CQ_OPTIMIZER, "NLopt refuses %s for %s: %s", what,
                 d->run->method->name, text != NULL ? text : nlopt_result_to_string(code));
}

#define NLOPT_TRY(d, call)                                                                         \
  do {                                                                                             \
    const nlopt_result nlopt_try_code_ = (call);                                                   \
    if (nlopt_try_code_ < 0) {                                                                     \
      return refused((d), nlopt_try_code_, #call);                                                 \
    }                                                                                              \
  } while (0)

static cq_status add_constraints(driver *d) {
  const cq_problem *problem = d->run->problem;
  const int mi = problem->n_inequality, me = problem->n_equality;
  const double *tolerance = d->scaling.tolerance;
  if (mi > 0) {
    NLOPT_TRY(d,
              nlopt_add_inequality_mconstraint(d->opt, (unsigned)mi, inequalities, d, tolerance));
  }
  if (me > 0) {
    NLOPT_TRY(d,
              nlopt_add_equality_mconstraint(d->opt, (unsigned)me, equalities, d, tolerance + mi));
  }
  return CQ_OK;
}

/* AUGLAG never ends a subproblem whose method has no tolerances of its own. */
static cq_status set_local(driver *d) {
  nlopt_opt local = nlopt_create(d->kind->local, (unsigned)d->scaling.n);
  if (local == NULL) {
    return refused(d, NLOPT_OUT_OF_MEMORY, "creation of the local method");
  }
  nlopt_result code = nlopt_set_ftol_rel(local, d->ftol);
  code = code < 0 ? code : nlopt_set_xtol_rel(local, d->xtol);
  if (code >= 0 && d->kind->local == NLOPT_LD_LBFGS) {
    code = nlopt_set_vector_storage(local, LBFGS_VECTORS);
  } else if (code >= 0) {
    code = nlopt_set_param(local, "dual_maxeval", DUAL_EVALUATIONS);
  }
  code = code < 0 ? code : nlopt_set_local_optimizer(d->opt, local);
  nlopt_destroy(local);
  return code >= 0 ? CQ_OK : refused(d, code, "the local method");
}

/* One scale, or a quarter of a narrower range. */
static cq_status set_first_step(driver *d) {
  double *step = d->scaling.x; /* filled with the start afterwards */
  for (int k = 0; k < d->scaling.n; k++) {
    step[k] = fmin(1.0, 0.25 * (d->scaling.upper[k] - d->scaling.lower[k]));
  }
  NLOPT_TRY(d, nlopt_set_initial_step(d->opt, step));
  return CQ_OK;
}

static cq_status set_up(driver *d) {
  const nlopt_algorithm algorithm = d->kind->algorithm;
  d->opt = nlopt_create(algorithm, (unsigned)d->scaling.n);
  if (d->opt == NULL) {
    return refused(d, NLOPT_OUT_OF_MEMORY, "creation");
  }
  NLOPT_TRY(d, nlopt_set_min_objective(d->opt, objective, d));
  NLOPT_TRY(d, nlopt_set_lower_bounds(d->opt, d->scaling.lower));
  NLOPT_TRY(d, nlopt_set_upper_bounds(d->opt, d->scaling.upper));
  NLOPT_TRY(d, nlopt_set_ftol_rel(d->opt, d->ftol));
  NLOPT_TRY(d, nlopt_set_xtol_rel(d->opt, d->xtol));
  if (algorithm == NLOPT_LD_MMA || algorithm == NLOPT_LD_CCSAQ) {
    NLOPT_TRY(d, nlopt_set_param(d->opt, "dual_maxeval", DUAL_EVALUATIONS));
  } else if (algorithm == NLOPT_LD_LBFGS) {
    NLOPT_TRY(d, nlopt_set_vector_storage(d->opt, LBFGS_VECTORS));
  }
  if (d->kind->local != NLOPT_NUM_ALGORITHMS) {
    CQ_TRY(set_local(d));
  }
  if (!d->run->method->needs_gradient) {
    CQ_TRY(set_first_step(d));
  }
  return add_constraints(d);
}

/* One nlopt_optimize from the best point. */
static cq_status pass(driver *d, nlopt_result *code) {
  double unused = 0;
  cq_status status = set_up(d);
  if (status == CQ_OK) {
    cq_scaling_enter(&d->scaling, d->run->evaluator->best.x);
    *code = nlopt_optimize(d->opt, d->scaling.x, &unused);
    if (d->run->evaluator->end == CQ_END_NONE &&
        (*code == NLOPT_INVALID_ARGS || *code == NLOPT_OUT_OF_MEMORY)) {
      status = refused(d, *code, "the problem");
    }
  }
  nlopt_destroy(d->opt);
  d->opt = NULL;
  return status;
}

/* The point NLopt returned, where it is not the best one. */
static bool verify_returned(driver *d) {
  cq_run *run = d->run;
  cq_scaling_leave(&d->scaling, d->scaling.x);
  const cq_point *point = cq_evaluate(run->evaluator, d->scaling.full, true);
  if (point == NULL) {
    return false;
  }
  run->claimed_violation = point->violation;
  return cq_run_promote(run, point);
}

static bool worth_another(const cq_run *run, double f, double violation, double ftol) {
  const cq_evaluator *ev = run->evaluator;
  const double tolerance = run->def->constraint_tolerance;
  if (violation > tolerance) {
    return ev->best.violation < (1 - WORTHWHILE_FEASIBILITY) * violation;
  }
  return f - ev->best.f > fmax(WORTHWHILE_GAIN, ftol) * ev->f_scale;
}

/* NLopt's methods claim success at points that are neither feasible nor stationary: CCSAQ and MMA
 * from an infeasible start, SLSQP at random. Starting again at the best point cures most of it. */
static cq_status passes(driver *d) {
  cq_run *run = d->run;
  const cq_evaluator *ev = run->evaluator;
  for (int restarts = 0;; restarts++) {
    const double f = ev->best.f, violation = ev->best.violation;
    nlopt_result code = NLOPT_FAILURE;
    CQ_TRY(pass(d, &code));
    if (ev->end != CQ_END_NONE) {
      return CQ_OK;
    }
    /* our own rules alone end a run by evaluations and time, so 5 and 6 cannot come from them */
    const bool converged =
        code > 0 && code != NLOPT_MAXEVAL_REACHED && code != NLOPT_MAXTIME_REACHED;
    run->claim = converged ? CQ_CLAIM_CONVERGED : CQ_CLAIM_FAILED;
    snprintf(run->words, sizeof run->words, "NLopt's %s", nlopt_result_to_string(code));
    if (restarts > 0) {
      snprintf(run->words, sizeof run->words, "NLopt's %s after %d restart%s",
               nlopt_result_to_string(code), restarts, restarts == 1 ? "" : "s");
    }
    const bool verified = run->method->needs_gradient
                              ? cq_run_verify(run) || (converged && verify_returned(d))
                              : cq_evaluator_feasible(ev, &ev->best);
    if (verified || ev->end != CQ_END_NONE || restarts >= MAX_RESTARTS ||
        !worth_another(run, f, violation, d->ftol)) {
      return CQ_OK;
    }
  }
}

static void set_tolerances(driver *d) {
  const cq_optimizer_def *def = d->run->def;
  const cq_evaluator *ev = d->run->evaluator;
  d->ftol = def->ftol_rel;
  d->xtol = def->xtol_rel;
  if (d->ftol <= 0 && d->xtol <= 0) {
    d->ftol = DEFAULT_FTOL;
    d->xtol = DEFAULT_XTOL;
  }
  /* an objective of 0 everywhere (find a feasible point) is no change of f from the first step on
   */
  if (ev->best.has_gradient && ev->first_gradient == 0 && ev->best.f == 0) {
    d->ftol = 0;
    d->xtol = d->xtol > 0 ? d->xtol : DEFAULT_XTOL;
  }
}

static cq_status check_slsqp(const cq_run *run, int n) {
  CQ_CHECK(run->ctx, n <= SLSQP_LIMIT, CQ_CONFIG,
           "LD_SLSQP cannot take %d variables (limit %d); use AUGLAG_CCSAQ or LD_CCSAQ", n,
           (int)SLSQP_LIMIT);
  CQ_CHECK(run->ctx, run->problem->n_equality <= n, CQ_CONFIG,
           "LD_SLSQP cannot take %d equality constraints on %d variables that are free to move; "
           "remove constraints or widen bounds",
           run->problem->n_equality, n);
  if (n > SLSQP_SLOW) {
    cq_log(run->ctx, CQ_LOG_WARNING,
           "LD_SLSQP with %d variables: each step costs about %.2g s and %.2g GB besides the "
           "simulation; AUGLAG_CCSAQ does not",
           n, 1.7e-9 * n * (double)n * n, 68e-9 * n * (double)n);
  }
  return CQ_OK;
}

cq_status cq_nlopt_run(cq_run *run) {
  driver d = {.run = run, .kind = run->method->detail};
  CQ_TRY(cq_scaling_create(run->ctx, run->problem, &run->evaluator->best,
                           run->def->constraint_tolerance, &d.scaling));
  set_tolerances(&d);
  nlopt_srand((unsigned long)cq_ctx_seed(run->ctx));
  cq_status status = d.kind->algorithm == NLOPT_LD_SLSQP ? check_slsqp(run, d.scaling.n) : CQ_OK;
  if (status == CQ_OK) {
    status = passes(&d);
  }
  cq_scaling_destroy(run->ctx, &d.scaling);
  return status;
}
