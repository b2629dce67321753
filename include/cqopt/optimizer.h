/* cqopt/optimizer.h: minimise f(x) subject to lower <= x <= upper and constraints c(x).
 *
 * The optimization layer knows nothing of simulators: whatever fills a cq_problem can be optimized.
 * Every method runs behind one evaluator that counts, records, keeps the best feasible point, never
 * lets a non-finite value reach the method, and verifies what the method claims. */
#ifndef CQOPT_OPTIMIZER_H
#define CQOPT_OPTIMIZER_H

#include "cqopt/base.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are borrowed and must outlive the run. */
typedef struct cq_problem {
  int n;                       /* design variables, >= 1 */
  int n_inequality;            /* c[0 .. n_inequality) <= 0 */
  int n_equality;              /* c[n_inequality .. n_inequality + n_equality) = 0 */
  const double *lower, *upper; /* [n], -INFINITY and INFINITY allowed */
  const double *start;         /* [n], inside the bounds */
  const double *scale;         /* [n] > 0, typical size of a change of x_i; NULL: all 1 */
  /* [m], typical size of each constraint, such as its bound: violations count in units of it, or as
   * they are where it is more than 1. 0, or NULL for all: the larger of its value and the change of
   * a move by one scale at the first point. */
  const double *constraint_size;
  double noise; /* relative rounding error of f; 0: that of double precision */
  /* Evaluates at x. f and c (NULL when there are no constraints) are always wanted; grad [n] and
   * jac [(n_inequality + n_equality)][n], row-major, when grad is not NULL. A numeric failure
   * (cq_status_is_numeric) concerns this x alone, any other status ends the run. */
  cq_status (*eval)(void *data, const double *x, double *f, double *c, double *grad, double *jac);
  /* As eval, of a finer discretization that survives more: level 1, 2, ... NULL: there is none. */
  cq_status (*refined)(void *data, int level, const double *x, double *f, double *c, double *grad,
                       double *jac);
  /* Not NULL: f is an average over samples that change. Called before eval with the number of the
   * evaluation, 1, 2, ..., from which alone the samples follow. The newest point then counts as the
   * best, and methods that compare values are refused. */
  void (*draw)(void *data, int evaluation);
  /* Not NULL: told which x [count][n] eval will be asked for next, without gradient and in this
   * order, it may evaluate them side by side; eval answers with the same bits as without. */
  void (*ahead)(void *data, int count, const double *x);
  /* Not NULL: runs are chaotic, or may be. As eval at x, in the discretization of refined (level 0:
   * of eval), from count starts that are moved at random by up to jitter of a particle's radius: f
   * [count], NAN where a run has failed numerically, and c [count][m]. The same numbers each time.
   */
  cq_status (*repeat)(void *repeat_data, int level, const double *x, int count, double jitter,
                      double *f, double *c);
  void *repeat_data;
  /* Functions that are the largest of several smooth ones, as the worst of scenarios is: where one
   * part becomes the largest in place of another they have a kink, and minima like to lie there.
   * Methods that take constraints are given the parts, and a verdict can tell such a minimum. */
  int n_parts;
  const int *part_of; /* [n_parts] -1: a part of f; i: of the inequality c[i] */
  /* The parts [n_parts] at the x that eval or refined has evaluated last; their gradients
   * [n_parts][n] when not NULL, after an evaluation with gradient. NULL: n_parts is 0. */
  void (*parts)(void *data, double *values, double *gradients);
  cq_gradient_kind gradient; /* what eval's gradient is */
  const char *no_gradient;   /* why there is none, for messages; NULL: no reason is given */
  /* Not NULL: it is made of differences of values, by steps of this of each variable [n]. What
   * rounding makes of them counts in a verdict. */
  const double *difference;
  double gradient_cost; /* of a value and its gradient, in forward runs; 0: the settings say */
  /* f as a sum of squares, for gauss_newton and error bars (cqopt/uncertainty.h): f = r_1^2 + r_2^2
   * + ... 0: it is not known as one, and no_residuals says why, for messages (NULL: no reason is
   * given). */
  int n_residuals;
  const char *no_residuals;
  /* f and the residuals r [n_residuals] at x and, when jac is not NULL, their derivatives
   * [n_residuals][n], row-major. Level 0 is that of eval, whose f it has to the last bit, 1, 2, ...
   * those of refined; statuses are those of eval. */
  cq_status (*residuals)(void *data, int level, const double *x, double *f, double *r, double *jac);
  double jacobian_cost;  /* of jac beside f and r, in forward runs */
  double jacobian_error; /* of its entries, relative to their columns; 0: that of rounding */
  bool has_deviations;   /* r are in units of known standard deviations, so that f is chi-square */
  void *data;
  const char *jacobian_way; /* how jac is made, for people; NULL: it is not told */
} cq_problem;

/* "exact", "tangent", "heuristic", "difference", "none" */
CQ_API const char *cq_gradient_kind_name(cq_gradient_kind kind);

/* What a run does about an x whose evaluation fails numerically. The first evaluation of a run must
 * succeed whatever the policy. A method sees finite values in every case. */
typedef enum cq_failure_policy {
  CQ_FAILURE_ABORT,             /* end the run with the status of the failure */
  CQ_FAILURE_PENALTY,           /* an f above all seen, rising away from the best point */
  CQ_FAILURE_INFEASIBLE,        /* f of the best point, and inequalities violated, more so away from
                                   it; needs inequality constraints */
  CQ_FAILURE_RETRY_SMALLER_STEP /* the default: cq_problem.refined where there is one, then the
                                   penalty */
} cq_failure_policy;

/* What a claim of a method has to survive before it is called a verified optimum. */
typedef enum cq_verify {
  CQ_VERIFY_PROBE,   /* a small KKT residual, and no better point nearby (opt/probe.h) */
  CQ_VERIFY_RESIDUAL /* a small KKT residual */
} cq_verify;

/* Whether methods that need it are given scaled functions and variables. */
typedef enum cq_scaling_mode { CQ_SCALING_AUTO, CQ_SCALING_NONE } cq_scaling_mode;
/* How gradient_descent chooses the length of a step. */
typedef enum cq_step_rule { CQ_STEP_FIXED, CQ_STEP_ARMIJO, CQ_STEP_BARZILAI_BORWEIN } cq_step_rule;
/* How the CMA-ES methods keep bounds. */
typedef enum cq_bounds_handling { CQ_BOUNDS_TRANSFORM, CQ_BOUNDS_PENALTY } cq_bounds_handling;
/* What a run is to find first. */
typedef enum cq_phases {
  CQ_PHASES_TOGETHER,
  CQ_PHASES_FEASIBILITY_FIRST /* first a feasible point, whatever f is, then the problem from it */
} cq_phases;
/* How the learning rate changes in a run. */
typedef enum cq_schedule {
  CQ_SCHEDULE_CONSTANT,
  CQ_SCHEDULE_PLATEAU,
  CQ_SCHEDULE_COSINE
} cq_schedule;

/* Settings of a run; start from cq_optimizer_default(). Every stop rule means the same for every
 * method. */
typedef struct cq_optimizer_def {
  const char *name; /* as for cq_optimizer_canonical: "LD_SLSQP", "gradient_descent", ...; "auto":
                       the one that cq_optimizer_for names */

  const char *then; /* the method that goes on where the first one gives up; NULL: none */

  /* budgets: the run ends with CQ_BUDGET unless its best point verifies; 0: no limit */
  int max_evaluations;  /* distinct x evaluated */
  int max_simulations;  /* calls of eval: gradients fetched later and retries count */
  double max_cost;      /* [forward runs] cq_evaluation_cost of all evaluations */
  double gradient_cost; /* of a value and its gradient, in forward runs, >= 1 */
  double max_time;      /* [s] of all; a simulation under way is finished first */
  int stagnation;       /* evaluations in a row that do not improve the best point */

  cq_phases phases;
  int feasibility_evaluations; /* of max_evaluations, most until a feasible point is found; 0: all
                                */

  /* convergence: the run ends and its best point is verified */
  double ftol_rel, xtol_rel; /* between iterates, |df| < ftol_rel (|f| + |f before|) / 2 and, in
                                scaled variables, ||dx||_1 < xtol_rel ||x||_1; 0: off (NLopt's
                                methods take 1e-10 for both when both are 0, they must end by
                                something) */
  double gradient_tolerance; /* KKT residual (opt/kkt.h) at the best feasible point; 0: off */
  double target;             /* stop at a feasible point with f <= target; NAN: none */
  bool stop_at_target;

  double constraint_tolerance; /* largest violation called feasible, in units of
                                  cq_problem.constraint_size where that is less than 1 */
  double constraint_margin; /* methods are given c_i + constraint_margin <= 0, for inequalities */
  double optimality_tolerance; /* largest KKT residual called stationary */
  cq_verify verify;
  int restarts;         /* most restarts at the best point, after claims that do not verify */
  double stall_time;    /* [s] without a word from the method that count as a stall; 0: never.
                           The run ends with CQ_OPTIMIZER unless its best point verifies */
  bool force;           /* run a method on a problem it is refused for because of its cost */
  bool allow_heuristic; /* let methods that need an exact gradient have a heuristic one */

  cq_failure_policy on_failure;

  /* of the best point, and of each that reaches the target, so that what is claimed is the mean and
   * not the luckiest run; they count in no budget. Needs cq_problem.repeat; 0: none */
  int repeats;
  double repeat_jitter; /* of a particle's radius, by which its starts are moved at most */

  /* scaling of the methods that need it: f / objective_scale, c_i / constraint_scale[i] and x in
   * units of cq_problem.scale. CQ_SCALING_NONE leaves them all 1. */
  cq_scaling_mode scaling;
  double objective_scale;         /* NAN: from the first evaluation */
  const double *constraint_scale; /* [n_constraint_scale] of 0 (automatic), 1 (for all), m */
  int n_constraint_scale;

  /* gradient_descent and adam, in user units */
  double learning_rate, momentum, clip; /* clip 0: off (per component) */
  cq_step_rule step_rule;               /* of gradient_descent */
  cq_schedule schedule;
  int schedule_period; /* plateau: evaluations without improvement that halve the rate, 0: 20;
                          cosine: the length of the run, 0: max_evaluations */
  double beta_1, beta_2, epsilon; /* adam */

  /* the CMA-ES methods and other random searches */
  int population; /* designs a generation; 0: the method's default */
  double sigma; /* standard deviation of the first steps, in units of the scale of each variable or
                   of a narrower range; NAN: the method's default */
  cq_bounds_handling bounds_handling;
  double difference_step; /* gauss_newton_broyden: steps of its first differences, in units of the
                             scale of each variable, or of a narrower range */
  int cookie;             /* set by cq_optimizer_default */
} cq_optimizer_def;

/* Method "auto", and the defaults of a problem file. */
CQ_API cq_optimizer_def cq_optimizer_default(void);

/* One evaluation, as recorded. Pointers are valid during the callback. */
typedef struct cq_evaluation {
  int index; /* 1, 2, ...: distinct x; the gradient at an x already evaluated for its
                value has the same index */
  bool has_gradient;
  int n, n_constraints, n_parts;
  const double *x, *c, *grad, *jac;  /* grad and jac NULL without gradient */
  const double *parts, *part_slopes; /* of cq_problem.parts; slopes NULL without gradient */
  /* Not NULL: the residuals and their derivatives, turned by an orthogonal matrix into n rows, each
   * a residual q_i and its derivatives [1 + n]: f is the sum of q_i^2 and a rest that no x changes
   * to first order. */
  const double *reduced;
  double jacobian_cost; /* [forward runs] of reduced; 0 without it */
  double f;
  double violation;              /* max over max(c_i, 0) and |h_j|, in units of their sizes where
                                    those are less than 1; 0 without constraints */
  cq_status status;              /* numeric failure or CQ_OK; f, c, ... are NAN on failure */
  int refinement;                /* level of cq_problem.refined that succeeded; 0: eval did */
  int simulations;               /* calls of eval and refined for this record */
  bool probe;                    /* no method asked for it: it tests a claim (opt/probe.h) */
  double seconds;                /* of this evaluation; NAN: not known */
  double elapsed;                /* since the run began [s]; NAN: not known */
  bool is_best;                  /* the best feasible (or least violating) point so far */
  double best_f, best_violation; /* after this evaluation */
  bool replayed;                 /* taken from the record of an earlier run */
  const double *extra;           /* [n_extra] what the recorder keeps beside it (opt/trace.h), NULL
                                    from an optimizer unless replayed */
  int n_extra;
  const double *residuals; /* [n_residuals], of gauss_newton_broyden; NULL: not told */
  int n_residuals;
} cq_evaluation;

/* What a recorded evaluation costs in forward runs: each call of eval is one, a gradient is
 * gradient_cost - 1 more, and one at the x of the record before finds its forward run done. */
CQ_API double cq_evaluation_cost(const cq_evaluation *evaluation, int index_before,
                                 double gradient_cost);

/* Called once per evaluation, before the method sees the result. A status other than CQ_OK ends
 * the run with it. */
typedef cq_status (*cq_record_fn)(void *user, const cq_evaluation *evaluation);

/* The evaluations of an earlier run of the same problem, in the order in which they were recorded.
 * A run that is given them takes what they say instead of evaluating, and goes on where they end:
 * methods are deterministic, so it has the bits of a run that was never interrupted. */
typedef struct cq_replay {
  /* Points *out at the next evaluation, valid until the next call, or at NULL after the last. */
  cq_status (*next)(void *user, const cq_evaluation **out);
  void *user;
  double elapsed, eval_seconds; /* [s] that run had taken; counts in max_time */
  /* Do not retrace its steps: begin at its best point, with its counts. For a machine, build or
   * setting on which the steps would be other ones. */
  bool warm;
} cq_replay;

/* How a run ended, and what it has found. */
typedef struct cq_result {
  cq_status status; /* CQ_OK: verified optimum, or target reached at a feasible point */
  char reason[256]; /* one sentence: why the run ended, what the method claimed */
  bool has_point;   /* some evaluation succeeded; the fields below are valid */
  bool reached_target;
  double f, violation; /* at the best point: least f among the feasible, else least violation;
                          a verified optimum goes before a point whose lower f is only bought
                          by a violation within constraint_tolerance */
  int best_index;      /* its evaluation */
  double kkt_residual; /* recomputed by cqopt at x; NAN when there is no gradient */
  int evaluations;     /* distinct x */
  int replayed;        /* of these, taken from the record of an earlier run */
  int probes;          /* of these, made to test claims */
  int simulations;     /* calls of eval and refined, replayed ones included */
  int gradients;
  int failures;  /* evaluations that failed numerically */
  int recovered; /* values and gradients that succeeded on a finer discretization alone */
  double seconds, eval_seconds;
  int repeats, repeats_failed; /* re-runs of the best point from other starts; of these, failed */
  double f_mean, f_deviation;  /* of f in those that did not fail; NAN where there are none, the
                                  deviation where there is one */
  double f_worst;              /* the largest of these */
} cq_result;

/* Nothing can interrupt what thinks between two evaluations inside NLopt or IPOPT, and some of it
 * takes hours or for ever there. So it thinks in a thread of the library's own, while eval, record,
 * draw and ahead are called by the thread that called cq_optimize. A method that is silent for
 * stall_time, for a second beyond max_time, or for two after cq_ctx_request_stop, is given up, and
 * the run ends as by any rule. Its thread and a few copies of its vectors are lost then, and freed
 * if it ever comes back; nothing of the caller's is touched by it. */

/* Runs def->name on problem from problem->start. x [n] gets the best point, multipliers
 * [n_inequality + n_equality] (or NULL) the least-squares multipliers there. record may be NULL.
 * Returns result->status; the context holds the text of errors that ended the run. */
CQ_API cq_status cq_optimize(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def,
                             cq_record_fn record, void *user, double *x, double *multipliers,
                             cq_result *result);

/* The same, going on from the record of an earlier run; replay may be NULL. record is called for
 * the replayed evaluations too. CQ_CONFIG when the run asks for another x than the record holds. */
CQ_API cq_status cq_optimize_from(cq_ctx *ctx, const cq_problem *problem,
                                  const cq_optimizer_def *def, const cq_replay *replay,
                                  cq_record_fn record, void *user, double *x, double *multipliers,
                                  cq_result *result);

/* Starts for a method that finds the optimum near its start: 0 ... count - 1 into x [count][n];
 * start 0 is the problem's own. Each variable is drawn between its bounds, and where one is missing
 * between start - scale and start + scale. Of the first 2^k starts, one lies in each of 2^k equal
 * parts of every variable's range. A start depends on the problem, the seed and its number, not on
 * count. */
CQ_API cq_status cq_draw_starts(cq_ctx *ctx, const cq_problem *problem, uint64_t seed, int count,
                                double *x);

/* name, but for "auto": LD_SLSQP up to 300 variables that are free to move, sqp above. */
CQ_API const char *cq_optimizer_for(const char *name, const cq_problem *problem);
/* def with that method in place of "auto", and sqp after it. */
CQ_API cq_optimizer_def cq_optimizer_resolve(const cq_optimizer_def *def,
                                             const cq_problem *problem);

/* For listings: name of method i, or NULL past the end. */
CQ_API const char *cq_optimizer_name(int i);
/* One line on it. */
CQ_API const char *cq_optimizer_help(int i);
/* The listed name that a name means, or "auto". Case, hyphens, underscores and blanks do not count,
 * and some methods have other names: "slsqp", "L-BFGS", "cma-es". NULL when it means none. */
CQ_API const char *cq_optimizer_canonical(const char *name);
/* did you mean "..."?, or where the names are listed, as text */
CQ_API void cq_optimizer_suggest(const char *wrong, char *text, size_t size);
/* For listings: word i for a method and the method's name, or NULL past the end. */
CQ_API const char *cq_optimizer_word(int i, const char **name);
/* What is to be known of method i; the texts are NULL where there is nothing to say. */
typedef struct cq_optimizer_facts {
  size_t struct_size;
  bool needs_gradient, needs_exact_gradient;
  bool needs_residuals;              /* cq_problem.residuals */
  bool bounds, inequality, equality; /* what it takes */
  bool box;                          /* needs finite bounds, and a budget to end by */
  int least_n, most_n;               /* variables that are free to move; 0: no limit */
  const char *good_n, *use, *traps;
  const char *missing; /* the package without which it is not in this build; NULL: it is */
} cq_optimizer_facts;

/* Fills *out, whose struct_size the caller has set; CQ_USAGE past the end. */
CQ_API cq_status cq_optimizer_get_facts(int i, cq_optimizer_facts *out);
/* The same by value, of the size that the caller was compiled with: all false and NULL past the
 * end. */
static inline cq_optimizer_facts cq_optimizer_facts_of(int i) {
  cq_optimizer_facts facts;
  memset(&facts, 0, sizeof facts);
  facts.struct_size = sizeof facts;
  (void)cq_optimizer_get_facts(i, &facts);
  return facts;
}
/* CQ_CONFIG with an explanation in ctx when method def->name is unknown, or refuses its settings
 * (those of scaling among them),
 * the problem's constraints, number of variables or kind of gradient. Evaluates nothing. */
CQ_API cq_status cq_optimizer_accepts(cq_ctx *ctx, const cq_optimizer_def *def,
                                      const cq_problem *problem);

/* Gradient check of eval at x: central differences along the ladder eps = 1e-2 ... 1e-8 of scale.
 */
typedef struct cq_gradcheck_row {
  double eps;       /* relative to scale */
  double agreement; /* |difference - analytic| / (|analytic| + |difference|) along the direction;
                       near a stationary point over the slopes around it instead, where these are
                       opposite, shrink with eps and are more; NAN when an evaluation failed */
  double slope_minus, slope_plus; /* one-sided slopes */
} cq_gradcheck_row;

enum { CQ_GRADCHECK_ROWS = 7 };

/* What a gradient check has found. */
typedef struct cq_gradcheck {
  double gradient_norm; /* of the checked block, in scaled variables */
  double analytic;      /* directional derivative by the gradient */
  cq_gradcheck_row rows[CQ_GRADCHECK_ROWS];
  double best;     /* smallest agreement of the ladder */
  bool passed;     /* best <= tolerance */
  bool stationary; /* measured by the slopes around a stationary point */
  bool flat;       /* all differences are below the rounding of the function */
} cq_gradcheck;

/* Checks function `which` (-1: f, else constraint) in variables [first, first + count) along a
 * seeded random direction of inf-norm 1 in scaled variables. Never leaves the bounds: variables of
 * the block nearer to a bound than 1e-2 scale are first moved that far inside (to the middle of a
 * narrower range), and the check is made there. CQ_OK whenever the check could be made, passed or
 * not; a numeric failure at the centre is returned, one elsewhere makes a row NAN. CQ_CONFIG where
 * the problem has no gradient. */
CQ_API cq_status cq_gradcheck_block(cq_ctx *ctx, const cq_problem *problem, const double *x,
                                    int which, int first, int count, double tolerance,
                                    cq_gradcheck *out);

#ifdef __cplusplus
}
#endif
#endif
