/* What an optimizer is to the front (optimizer.c), and what a run is to an optimizer.
 *
 * A method never calls problem->eval: it asks the evaluator, which may say that the run has ended.
 * A method never says that it succeeded either: it leaves a claim, and verdict.c decides. */
#ifndef CQ_OPT_METHOD_H
#define CQ_OPT_METHOD_H

#include "evaluator.h"

typedef enum cq_claim {
  CQ_CLAIM_NONE,      /* it was stopped by the evaluator */
  CQ_CLAIM_CONVERGED, /* it ended by one of its own rules */
  CQ_CLAIM_FAILED     /* it gave up */
} cq_claim;

/* What probes of a claim found (probe.h). */
typedef enum cq_probed {
  CQ_PROBED_NOT,      /* there was nothing to probe */
  CQ_PROBED_SURVIVED, /* no point nearby is better */
  CQ_PROBED_REFUTED,  /* one is */
  CQ_PROBED_FLAT,     /* none is different */
  CQ_PROBED_CUT,      /* nothing could be evaluated any more */
  CQ_PROBED_BLIND     /* the violated constraints have no gradient, and no point differs */
} cq_probed;

typedef struct cq_run {
  cq_ctx *ctx;
  const cq_problem *problem;
  const cq_optimizer_def *def;
  const struct cq_optimizer *method;
  cq_evaluator *evaluator;
  /* what the method says at its end */
  cq_claim claim;
  char words[56];           /* its own words for that: "FTOL_REACHED", "the gradient is small" */
  double claimed_violation; /* at the point it returned; NAN: it names no other than the best */
  /* what cq_run_verify found at the best point */
  double residual;     /* NAN: not known */
  double *multipliers; /* [n_inequality + n_equality + n_parts] */
  cq_probed probed;
  double gain;       /* by which a probe is better */
  bool undetermined; /* by a method that needs residuals: they leave a direction open (verdict.c) */
  const char *doubt; /* why a claim falls though none is; NULL otherwise */
} cq_run;

typedef struct cq_optimizer {
  const char *name, *help;
  const char *missing; /* the package without which it is not in this build; NULL: it is */
  bool needs_gradient;
  /* Searches along the gradient or builds models from it: refused where that is heuristic unless
   * def->allow_heuristic. A method of which that is true with some settings alone leaves it false
   * and calls cq_check_exact_gradient in its check. */
  bool needs_exact_gradient;
  bool needs_residuals; /* cq_problem.residuals: it begins with their derivatives at the start */
  bool begins_with_residuals; /* or with them alone */
  bool handles_bounds, handles_inequality, handles_equality;
  bool any_equality;    /* also more than variables, or ones that depend on each other */
  bool handles_samples; /* never compares two values of f: cq_problem.draw */
  bool needs_box;       /* both bounds of every variable are finite */
  bool needs_budget;    /* may go on for ever */
  bool asks_many;       /* evaluates several points at once (evaluate_many.h) */
  int least_n, most_n;  /* variables that are free to move; 0: no limit. More than most_n are taken
                           with def->force */
  const char *beyond;   /* the method of its kind for more variables than most_n; NULL: none */
  /* for cqopt help algorithms, sentences or phrases; NULL: nothing is known */
  const char *good_n, *use, *traps;
  /* Refuses settings or a problem with CQ_CONFIG before the first evaluation; NULL: takes all.
   * The first point is not known to be inside the bounds yet. */
  cq_status (*check)(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem);
  /* Works from problem->start, which has been evaluated (with gradient if needs_gradient), until
   * its own rules or the evaluator end it, and sets the claim. A status other than CQ_OK is an
   * error of the method itself (memory), with its text in run->ctx. */
  cq_status (*run)(cq_run *run);
  const void *detail; /* private to the method's file */
} cq_optimizer;

/* Whether the name leaves the choice to cq_optimizer_for. */
bool cq_optimizer_is_auto(const char *name);
/* Number i of the list, or NULL past its end. */
const cq_optimizer *cq_optimizer_at(int i);
/* The optimizer that a name means, as for cq_optimizer_canonical, or NULL. */
const cq_optimizer *cq_optimizer_find(const char *name);
/* CQ_USAGE where anything is NULL that must not be. */
cq_status cq_optimizer_given(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem);
/* Settings and problem make sense, and the method takes them: CQ_CONFIG or CQ_USAGE. */
cq_status cq_optimizer_check(cq_ctx *ctx, const cq_optimizer_def *def, const cq_problem *problem);
/* Violation and KKT residual (kkt.h) at the best point; fetches the gradient there if it is not
 * known. True when the point is feasible and stationary within the tolerances of the run. */
bool cq_run_verify(cq_run *run);

/* True when point is feasible and its KKT residual so small that going on is worth nothing; it has
 * a gradient, and the run is claimed then. */
bool cq_run_settled(cq_run *run, const cq_point *point);

/* For the point a method returned, when the best one does not verify: true when it does and its f
 * exceeds the best one's by no more than violations within the constraint tolerance and the margin
 * can buy, sum_i |lambda_i| (2 constraint_tolerance + constraint_margin). It is the best point
 * then: least f alone prefers a passing iterate just outside the constraints to the optimum. point
 * has a gradient. */
bool cq_run_promote(cq_run *run, const cq_point *point);

/* The same for the recent points, the newest first; true when one was promoted. */
bool cq_run_promote_recent(cq_run *run);
/* Where the best point, which is verified, owes its f to a violation near the tolerance: puts a
 * recent one in its place that is verified, too, and violates less, if there is one. */
void cq_run_prefer_feasible(cq_run *run);

/* Sets status, reason and reached_target of result from the run; the rest is filled already. */
void cq_verdict(const cq_run *run, cq_result *result);

#define CQ_OPTIMIZER(name) extern const cq_optimizer cq_optimizer_##name;
#include "optimizer_list.h"
#undef CQ_OPTIMIZER

#endif
