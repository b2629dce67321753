/* IPOPT (Wachter and Biegler, Math. Program. 106, 2006) through its C interface, on the scaled
 * problem (scaling.h), with a limited-memory Hessian. */
#include "ipopt_run.h"

#include "alloc.h"
#include "descent.h"
#include "ipopt_guard.h"
#include "scaling.h"
#include "status.h"

#include <IpStdCInterface.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* its scaled KKT error; where we stop it earlier, cq_run_settled does */
static const double TOLERANCE = 1e-8;
/* what each claim that does not verify multiplies that by, and where it ends */
static const double TIGHTEN = 0.01, TIGHTEST = 1e-13;

typedef struct driver {
  cq_run *run;
  cq_scaling scaling;
  IpoptProblem ipopt;
  double tolerance;
  double f;                        /* at the iterate before */
  double *low, *high, *x, *before; /* [scaling.m] twice, [scaling.n], [problem->n] */
} driver;

/* NULL when there is nothing to say: the run has ended, or the point cannot be evaluated, and IPOPT
 * tries a shorter step. */
static const cq_point *point_at(driver *d, const Number *xs) {
  cq_scaling_leave(&d->scaling, xs);
  /* with gradient at once: most points it tries become iterates */
  const cq_point *point = cq_evaluate(d->run->evaluator, d->scaling.full, true);
  return point != NULL && !point->failed ? point : NULL;
}

static Bool eval_f(Index n, Number *xs, Bool is_new, Number *f, UserDataPtr data) {
  (void)n, (void)is_new;
  driver *d = data;
  const cq_point *point = point_at(d, xs);
  if (point != NULL) {
    *f = cq_scaling_objective(&d->scaling, point);
  }
  return point != NULL;
}

static Bool eval_gradient(Index n, Number *xs, Bool is_new, Number *gradient, UserDataPtr data) {
  (void)n, (void)is_new;
  driver *d = data;
  const cq_point *point = point_at(d, xs);
  if (point != NULL) {
    cq_scaling_gradient(&d->scaling, point, -1, gradient);
  }
  return point != NULL;
}

static Bool eval_c(Index n, Number *xs, Bool is_new, Index m, Number *c, UserDataPtr data) {
  (void)n, (void)is_new;
  driver *d = data;
  const cq_point *point = point_at(d, xs);
  for (int i = 0; point != NULL && i < m; i++) {
    c[i] = cq_scaling_constraint(&d->scaling, point, i);
  }
  return point != NULL;
}

static Bool eval_jacobian(Index n, Number *xs, Bool is_new, Index m, Index size, Index *rows,
                          Index *columns, Number *values, UserDataPtr data) {
  (void)is_new;
  if (values == NULL) {
    for (int k = 0; k < size; k++) {
      rows[k] = k / n;
      columns[k] = k % n;
    }
    return TRUE;
  }
  driver *d = data;
  const cq_point *point = point_at(d, xs);
  for (int i = 0; point != NULL && i < m; i++) {
    cq_scaling_gradient(&d->scaling, point, i, values + (size_t)i * (size_t)n);
  }
  return point != NULL;
}

/* An iterate: the point evaluated last, but for those of a restoration. */
static Bool next_iterate(Index restoration, Index iteration, Number objective, Number primal,
                         Number dual, Number mu, Number step, Number regularization,
                         Number alpha_dual, Number alpha_primal, Index trials, UserDataPtr data) {
  (void)objective, (void)primal, (void)dual, (void)mu, (void)step, (void)regularization;
  (void)alpha_dual, (void)alpha_primal, (void)trials;
  driver *d = data;
  cq_run *run = d->run;
  const cq_evaluator *ev = run->evaluator;
  const cq_point *last = &ev->last;
  if (ev->end != CQ_END_NONE) {
    return FALSE;
  }
  if (restoration != 0 || d->scaling.seeking || last->failed || !last->has_gradient) {
    return TRUE;
  }
  const bool ends = cq_run_settled(run, last) ||
                    (iteration > 0 && (cq_descent_f_settled(run, last->f, d->f) ||
                                       cq_descent_x_settled(run, last->x, d->before)));
  d->f = last->f;
  memcpy(d->before, last->x, (size_t)run->problem->n * sizeof *d->before);
  return !ends;
}

/* never asked for: the Hessian is made of differences of gradients */
static Bool eval_hessian(Index n, Number *xs, Bool is_new, Number factor, Index m, Number *lambda,
                         Bool is_new_lambda, Index size, Index *rows, Index *columns,
                         Number *values, UserDataPtr data) {
  (void)n, (void)xs, (void)is_new, (void)factor, (void)m, (void)lambda, (void)is_new_lambda;
  (void)size, (void)rows, (void)columns, (void)values, (void)data;
  return FALSE;
}

static bool set_text(const driver *d, char *name, char *value) {
  return AddIpoptStrOption(d->ipopt, name, value);
}

static bool set_number(const driver *d, char *name, double value) {
  return AddIpoptNumOption(d->ipopt, name, value);
}

static bool set_integer(const driver *d, char *name, int value) {
  return AddIpoptIntOption(d->ipopt, name, value);
}

/* Silent, with no file of options, no limits of its own, no relaxed bounds, and no second try at
 * what it could not solve. */
static cq_status set_options(driver *d) {
  double feasible = 0.5 * d->run->def->constraint_tolerance;
  for (int i = 0; i < d->scaling.m; i++) {
    feasible = fmin(feasible, d->scaling.tolerance[i]);
  }
  const bool ok = set_integer(d, "print_level", 0) && set_text(d, "sb", "yes") &&
                  set_text(d, "option_file_name", "") && set_integer(d, "max_iter", 1000000000) &&
                  set_number(d, "max_cpu_time", 1e20) &&
                  set_text(d, "hessian_approximation", "limited-memory") &&
                  set_text(d, "nlp_scaling_method", "none") &&
                  set_number(d, "bound_relax_factor", 0) && set_number(d, "tol", d->tolerance) &&
                  set_integer(d, "acceptable_iter", 0) &&
                  set_number(d, "constr_viol_tol", fmax(feasible, 1e-14));
  CQ_CHECK(d->run->ctx, ok, CQ_OPTIMIZER, "IPOPT refuses an option");
  CQ_CHECK(d->run->ctx, SetIntermediateCallback(d->ipopt, next_iterate), CQ_OPTIMIZER,
           "IPOPT refuses a callback");
  return CQ_OK;
}

static cq_status open(driver *d) {
  const int n = d->scaling.n, m = d->scaling.m;
  for (int i = 0; i < m; i++) {
    d->low[i] = i < d->scaling.n_inequality ? -INFINITY : 0;
    d->high[i] = 0;
  }
  d->ipopt = CreateIpoptProblem(n, d->scaling.lower, d->scaling.upper, m, d->low, d->high, n * m, 0,
                                0, eval_f, eval_c, eval_gradient, eval_jacobian, eval_hessian);
  CQ_CHECK(d->run->ctx, d->ipopt != NULL, CQ_OPTIMIZER, "IPOPT refuses the problem");
  return set_options(d);
}

/* its names for how a solve ends */
static const struct {
  enum ApplicationReturnStatus code;
  const char *name;
  bool converged;
} ENDS[] = {
    {Solve_Succeeded, "Solve_Succeeded", true},
    {Solved_To_Acceptable_Level, "Solved_To_Acceptable_Level", true},
    {Feasible_Point_Found, "Feasible_Point_Found", true},
    {Infeasible_Problem_Detected, "Infeasible_Problem_Detected", false},
    {Search_Direction_Becomes_Too_Small, "Search_Direction_Becomes_Too_Small", false},
    {Diverging_Iterates, "Diverging_Iterates", false},
    {Restoration_Failed, "Restoration_Failed", false},
    {Error_In_Step_Computation, "Error_In_Step_Computation", false},
    {Invalid_Number_Detected, "Invalid_Number_Detected", false},
};

enum { N_ENDS = (int)(sizeof ENDS / sizeof ENDS[0]) };

/* What IPOPT says becomes the method's claim; what is no answer is an error. */
static cq_status set_claim(const driver *d, enum ApplicationReturnStatus code) {
  cq_run *run = d->run;
  if (run->evaluator->end != CQ_END_NONE || code == User_Requested_Stop) {
    return CQ_OK; /* the evaluator's end, or our own rule, which has claimed */
  }
  CQ_CHECK(run->ctx, code != Insufficient_Memory, CQ_MEMORY, "IPOPT is out of memory");
  for (int k = 0; k < N_ENDS; k++) {
    if (ENDS[k].code == code) {
      run->claim = ENDS[k].converged ? CQ_CLAIM_CONVERGED : CQ_CLAIM_FAILED;
      snprintf(run->words, sizeof run->words, "IPOPT's %s", ENDS[k].name);
      return CQ_OK;
    }
  }
  return CQ_FAIL(run->ctx, CQ_OPTIMIZER, "IPOPT failed with its status %d", (int)code);
}

static cq_status open_and_solve(void *user) {
  driver *d = user;
  double f = 0;
  CQ_TRY(open(d));
  return set_claim(d, IpoptSolve(d->ipopt, d->x, NULL, &f, NULL, NULL, NULL, d));
}

/* One IpoptSolve from the best point. */
static cq_status pass(driver *d) {
  cq_scaling_enter(&d->scaling, d->run->evaluator->best.x);
  memcpy(d->x, d->scaling.x, (size_t)d->scaling.n * sizeof *d->x);
  const cq_status status = cq_ipopt_guard(d->run->ctx, open_and_solve, d);
  if (d->ipopt != NULL) {
    FreeIpoptProblem(d->ipopt);
    d->ipopt = NULL;
  }
  return status;
}

/* Claims that do not verify are answered by a tighter tolerance, from the best point. */
static cq_status passes(driver *d) {
  cq_run *run = d->run;
  for (int restarts = 0;; restarts++) {
    CQ_TRY(pass(d));
    d->tolerance *= TIGHTEN;
    if (run->evaluator->end != CQ_END_NONE || cq_run_verify(run) || cq_run_promote_recent(run) ||
        restarts >= run->def->restarts || d->tolerance < TIGHTEST) {
      return CQ_OK;
    }
    cq_log(run->ctx, CQ_LOG_INFO, "restart %d of %d at the best point (f = %.9g) after %s",
           restarts + 1, run->def->restarts, run->evaluator->best.f, run->words);
  }
}

cq_status cq_ipopt_run(cq_run *run) {
  driver d = {.run = run, .tolerance = TOLERANCE};
  cq_status status = cq_scaling_create(run->evaluator, false, true, &d.scaling);
  if (status == CQ_OK) {
    status = CQ_ALLOC(run->ctx, d.x, d.scaling.n + run->problem->n + 2 * d.scaling.m);
  }
  if (status == CQ_OK) {
    d.before = d.x + d.scaling.n;
    d.low = d.before + run->problem->n;
    d.high = d.low + d.scaling.m;
    cq_scaling_log(run->ctx, &d.scaling);
    status = passes(&d);
  }
  cq_free(run->ctx, d.x);
  cq_scaling_destroy(run->ctx, &d.scaling);
  return status;
}
