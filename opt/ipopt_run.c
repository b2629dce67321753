/* IPOPT (Wachter and Biegler, Math. Program. 106, 2006) through its C interface, on the scaled
 * problem (scaling.h), with a limited-memory Hessian. */
#include "ipopt_run.h"

#include "alloc.h"
#include "apart.h"
#include "descent.h"
#include "ipopt_guard.h"
#include "rules.h"
#include "scaling.h"
#include "status.h"

#include <IpStdCInterface.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* its scaled KKT error; where we stop it earlier, cq_run_settled does */
static const double TOLERANCE = 1e-8;
/* what each claim that does not verify multiplies that by, and where it ends */
static const double TIGHTEN = 0.01, TIGHTEST = 1e-13;

typedef struct driver {
  cq_run *run;
  cq_scaling scaling;
  cq_apart *apart;   /* IPOPT's thread; NULL: it was given up */
  struct link *link; /* of the pass under way */
  double tolerance;
  double f; /* at the iterate before */
  double *low, *high, *before;
} driver;

/* What IPOPT's thread has in hand for a pass: after it was given up it may read and write this
 * alone. From malloc: it outlives the run then. */
typedef struct link {
  cq_apart *apart;
  driver *driver; /* for what runs on the caller's thread */
  IpoptProblem ipopt;
  enum ApplicationReturnStatus code;
  cq_status thrown; /* instead of a code (ipopt_guard.h) */
  double x[];       /* [n] */
} link;

/* A call of one of our functions, on its way to the caller's thread. */
typedef struct call {
  driver *driver;
  bool (*serve)(driver *d, const struct call *c);
  const Number *xs;
  Number *out;
  Index restoration, iteration;
  bool answer;
} call;

static void make_call(void *user) {
  call *const c = user;
  c->answer = c->serve(c->driver, c);
}

/* False, too, when IPOPT was given up and comes back. */
static Bool pass_on(UserDataPtr data, call c) {
  const link *const l = data;
  c.driver = l->driver;
  return cq_apart_call(l->apart, make_call, &c) && c.answer;
}

/* NULL when there is nothing to say: the run has ended, or the point cannot be evaluated, and IPOPT
 * tries a shorter step. */
static const cq_point *point_at(driver *d, const Number *xs) {
  cq_scaling_leave(&d->scaling, xs);
  /* with gradient at once: most points it tries become iterates */
  const cq_point *point = cq_evaluate(d->run->evaluator, d->scaling.full, true);
  return point != NULL && !point->failed ? point : NULL;
}

static bool serve_f(driver *d, const call *c) {
  const cq_point *point = point_at(d, c->xs);
  if (point != NULL) {
    *c->out = cq_scaling_objective(&d->scaling, point);
  }
  return point != NULL;
}

static bool serve_gradient(driver *d, const call *c) {
  const cq_point *point = point_at(d, c->xs);
  if (point != NULL) {
    cq_scaling_gradient(&d->scaling, point, -1, c->out);
  }
  return point != NULL;
}

static bool serve_c(driver *d, const call *c) {
  const cq_point *point = point_at(d, c->xs);
  for (int i = 0; point != NULL && i < d->scaling.m; i++) {
    c->out[i] = cq_scaling_constraint(&d->scaling, point, i);
  }
  return point != NULL;
}

static bool serve_jacobian(driver *d, const call *c) {
  const cq_point *point = point_at(d, c->xs);
  for (int i = 0; point != NULL && i < d->scaling.m; i++) {
    cq_scaling_gradient(&d->scaling, point, i, c->out + (size_t)i * (size_t)d->scaling.n);
  }
  return point != NULL;
}

/* An iterate: the point evaluated last, but for those of a restoration. */
static bool serve_iterate(driver *d, const call *c) {
  cq_run *run = d->run;
  const cq_evaluator *ev = run->evaluator;
  const cq_point *last = &ev->last;
  if (ev->end != CQ_END_NONE) {
    return false;
  }
  if (c->restoration != 0 || d->scaling.seeking || last->failed || !last->has_gradient) {
    return true;
  }
  const bool ends = cq_run_settled(run, last) ||
                    (c->iteration > 0 && (cq_descent_f_settled(run, last->f, d->f) ||
                                          cq_descent_x_settled(run, last->x, d->before)));
  d->f = last->f;
  memcpy(d->before, last->x, (size_t)run->problem->n * sizeof *d->before);
  return !ends;
}

static Bool eval_f(Index n, Number *xs, Bool is_new, Number *f, UserDataPtr data) {
  (void)n, (void)is_new;
  return pass_on(data, (call){.serve = serve_f, .xs = xs, .out = f});
}

static Bool eval_gradient(Index n, Number *xs, Bool is_new, Number *gradient, UserDataPtr data) {
  (void)n, (void)is_new;
  return pass_on(data, (call){.serve = serve_gradient, .xs = xs, .out = gradient});
}

static Bool eval_c(Index n, Number *xs, Bool is_new, Index m, Number *c, UserDataPtr data) {
  (void)n, (void)is_new, (void)m;
  return pass_on(data, (call){.serve = serve_c, .xs = xs, .out = c});
}

static Bool eval_jacobian(Index n, Number *xs, Bool is_new, Index m, Index size, Index *rows,
                          Index *columns, Number *values, UserDataPtr data) {
  (void)is_new, (void)m;
  if (values == NULL) {
    for (int k = 0; k < size; k++) {
      rows[k] = k / n;
      columns[k] = k % n;
    }
    return TRUE;
  }
  return pass_on(data, (call){.serve = serve_jacobian, .xs = xs, .out = values});
}

static Bool next_iterate(Index restoration, Index iteration, Number objective, Number primal,
                         Number dual, Number mu, Number step, Number regularization,
                         Number alpha_dual, Number alpha_primal, Index trials, UserDataPtr data) {
  (void)objective, (void)primal, (void)dual, (void)mu, (void)step, (void)regularization;
  (void)alpha_dual, (void)alpha_primal, (void)trials;
  return pass_on(
      data, (call){.serve = serve_iterate, .restoration = restoration, .iteration = iteration});
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
  return AddIpoptStrOption(d->link->ipopt, name, value);
}

static bool set_number(const driver *d, char *name, double value) {
  return AddIpoptNumOption(d->link->ipopt, name, value);
}

static bool set_integer(const driver *d, char *name, int value) {
  return AddIpoptIntOption(d->link->ipopt, name, value);
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
  CQ_CHECK(d->run->ctx, SetIntermediateCallback(d->link->ipopt, next_iterate), CQ_OPTIMIZER,
           "IPOPT refuses a callback");
  return CQ_OK;
}

/* IPOPT's problem in scaled variables: inequalities c <= 0, equalities c = 0, all rows dense. */
static cq_status open(driver *d) {
  const int n = d->scaling.n, m = d->scaling.m;
  for (int i = 0; i < m; i++) {
    d->low[i] = i < d->scaling.n_inequality ? -INFINITY : 0;
    d->high[i] = 0;
  }
  link *const l = calloc(1, sizeof *l + (size_t)n * sizeof l->x[0]);
  CQ_CHECK(d->run->ctx, l != NULL, CQ_MEMORY, "IPOPT is out of memory");
  d->link = l;
  l->apart = d->apart;
  l->driver = d;
  memcpy(l->x, d->scaling.x, (size_t)n * sizeof l->x[0]);
  l->ipopt = CreateIpoptProblem(n, d->scaling.lower, d->scaling.upper, m, d->low, d->high, n * m, 0,
                                0, eval_f, eval_c, eval_gradient, eval_jacobian, eval_hessian);
  CQ_CHECK(d->run->ctx, l->ipopt != NULL, CQ_OPTIMIZER, "IPOPT refuses the problem");
  return set_options(d);
}

static void dispose(void *job) {
  link *const l = job;
  if (l != NULL && l->ipopt != NULL) {
    FreeIpoptProblem(l->ipopt);
  }
  free(l);
}

static void call_solve(void *user) {
  link *const l = user;
  double f = 0;
  l->code = IpoptSolve(l->ipopt, l->x, NULL, &f, NULL, NULL, NULL, l);
}

static void solve(void *job) {
  link *const l = job;
  l->thrown = cq_ipopt_guard(call_solve, l);
}

/* When it is given up the evaluator knows why the run has ended. */
static enum ApplicationReturnStatus solve_apart(driver *d) {
  const cq_apart_job job = {solve, dispose, d->link, cq_rules_give_up, d->run->evaluator};
  if (!cq_apart_run(d->apart, &job)) {
    d->apart = NULL;
    d->link = NULL;
    return User_Requested_Stop;
  }
  return d->link->code;
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

typedef struct opening {
  driver *driver;
  cq_status status;
} opening;

static void open_it(void *user) {
  opening *const o = user;
  o->status = open(o->driver);
}

static cq_status say_thrown(const driver *d, cq_status thrown) {
  return thrown == CQ_MEMORY
             ? CQ_FAIL(d->run->ctx, CQ_MEMORY, "IPOPT is out of memory")
             : CQ_FAIL(d->run->ctx, thrown,
                       "IPOPT failed with an exception; memory may have been short");
}

/* One IpoptSolve from the best point. */
static cq_status pass(driver *d) {
  cq_scaling_enter(&d->scaling, d->run->evaluator->best.x);
  cq_status thrown = CQ_OK;
  opening o = {.driver = d};
  thrown = cq_ipopt_guard(open_it, &o);
  cq_status status = thrown != CQ_OK ? say_thrown(d, thrown) : o.status;
  if (status == CQ_OK) {
    const enum ApplicationReturnStatus code = solve_apart(d);
    thrown = d->link != NULL ? d->link->thrown : CQ_OK;
    status = thrown != CQ_OK ? say_thrown(d, thrown) : set_claim(d, code);
  }
  dispose(d->link);
  d->link = NULL;
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

/* Room, a thread apart, and then as many passes as bring the residual down. */
cq_status cq_ipopt_run(cq_run *run) {
  driver d = {.run = run, .tolerance = TOLERANCE};
  cq_status status = cq_scaling_create(run->evaluator, false, true, &d.scaling);
  if (status == CQ_OK) {
    status = CQ_ALLOC(run->ctx, d.before, run->problem->n + 2 * d.scaling.m);
  }
  if (status == CQ_OK) {
    status = cq_apart_create(run->ctx, &d.apart);
  }
  if (status == CQ_OK) {
    d.low = d.before + run->problem->n;
    d.high = d.low + d.scaling.m;
    cq_scaling_log(run->ctx, &d.scaling);
    status = passes(&d);
  }
  cq_apart_destroy(d.apart);
  cq_free(run->ctx, d.before);
  cq_scaling_destroy(run->ctx, &d.scaling);
  return status;
}
