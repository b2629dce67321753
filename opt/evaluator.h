/* Everything between a method and problem->eval.
 *
 * One simulation per x: the last and the best point are kept, so NLopt's separate callbacks for
 * objective and constraints at one x cost one evaluation, and a gradient asked for later is an
 * upgrade under the same index. A method only ever sees finite values. Every evaluation is recorded
 * before the method sees it. Stop rules mean the same for every method. */
#ifndef CQ_OPT_EVALUATOR_H
#define CQ_OPT_EVALUATOR_H

#include "recent.h"

/* Why a run has ended from outside the method. */
typedef enum cq_end {
  CQ_END_NONE,
  CQ_END_TARGET,      /* a feasible point with f <= target */
  CQ_END_EVALUATIONS, /* max_evaluations */
  CQ_END_SIMULATIONS, /* max_simulations */
  CQ_END_COST,        /* max_cost */
  CQ_END_TIME,        /* max_time */
  CQ_END_FEASIBLE,    /* while seeking: a feasible point */
  CQ_END_SEEKING,     /* feasibility_evaluations */
  CQ_END_STAGNATION,  /* stagnation */
  CQ_END_GRADIENT,    /* gradient_tolerance */
  CQ_END_REQUEST,     /* cq_ctx_request_stop; status says which */
  CQ_END_FAILURE,     /* an evaluation failed numerically; status says how */
  CQ_END_ERROR,       /* anything else that failed; status says what */
  CQ_END_STALL        /* the method keeps asking for one x, or asks for a x that is not finite */
} cq_end;

/* What the re-runs of a point gave (repeats.h). */
typedef struct cq_repeats {
  int index;               /* of the point; 0: there were none */
  int count, failed;       /* runs, and how many of them failed numerically */
  double mean, deviation;  /* of f in the others; the deviation NAN of fewer than two */
  double worst, violation; /* the largest f; of the mean of c */
} cq_repeats;

typedef struct cq_evaluator {
  cq_ctx *ctx;
  const cq_problem *problem;
  const cq_optimizer_def *def;
  cq_record_fn record;
  void *user;
  int m;                      /* all constraints */
  cq_point last, best, trial; /* best: least f among the feasible, else least violation */
  cq_recent recent;           /* what methods were given with gradient */
  int evaluations, simulations, gradients, failures, recovered, replayed;
  double cost;                  /* [forward runs] of what was recorded */
  int recorded;                 /* index of the newest record */
  const cq_replay *replay;      /* NULL: none, or used up */
  const cq_evaluation *pending; /* its next evaluation */
  int stale;                    /* evaluations since the best point improved */
  double stale_f, stale_violation;
  cq_repeats repeated;     /* of the point that was repeated last */
  double worst_f, *c_size; /* largest f, |c_i| [m] seen (failure.h) */
  double *multipliers;     /* [m + n_parts] scratch of the rule gradient_tolerance */
  double *size;            /* [m] a violation counts in units of it, at most 1; 0: not known yet */
  double *tolerance;       /* [m] violation that is allowed, in units of c */
  bool probing;            /* the evaluation under way is a probe (probe.h) */
  double bar;              /* f below which a probe's point may be the best */
  int probes;
  double f_noise; /* of f, where its gradient is made of differences, as probes have seen it */
  int repeats;    /* requests for points known already, since the last simulation */
  bool has_scale; /* a gradient has been seen */
  bool seeking;   /* the phase that ends with the first feasible point (phases.h) */
  double f_scale; /* max(|f| at the first point, inf-norm of the first gradient in x/scale) */
  double first_gradient; /* that norm alone; 0 while there is none */
  double began, eval_seconds;
  double ahead_seconds; /* each evaluation's share of the time that went ahead (evaluate_many.c) */
  cq_end end;
  double silence;   /* [s] without a word after which the method was given up; 0: it was not */
  cq_status status; /* of the end; CQ_OK for CQ_END_NONE and CQ_END_TARGET */
} cq_evaluator;

/* problem, def and ctx are borrowed. On failure nothing is held. */
cq_status cq_evaluator_create(cq_ctx *ctx, const cq_problem *problem, const cq_optimizer_def *def,
                              cq_record_fn record, void *user, cq_evaluator **out);
/* Begins with the record of an earlier run, borrowed; before the first evaluation. A warm replay is
 * used up at once: counts and best point are those of its end. */
cq_status cq_evaluator_set_replay(cq_evaluator *evaluator, const cq_replay *replay);
void cq_evaluator_destroy(cq_evaluator *evaluator);

/* The point at x, moved onto the bounds where it is outside. Valid until the next call. NULL: the
 * run has ended, see end and status, and no other call will evaluate anything. */
const cq_point *cq_evaluate(cq_evaluator *evaluator, const double *x, bool gradient);

/* The same with the residuals' derivatives in place of the gradient; beside it, with constraints.
 * Of a problem with residuals. */
const cq_point *cq_evaluate_jacobian(cq_evaluator *evaluator, const double *x);

/* The value with the residuals, at the cost of a value. Of a problem with residuals and without
 * constraints. */
const cq_point *cq_evaluate_residuals(cq_evaluator *evaluator, const double *x);

/* The same for a point that no method asks for: also after a budget has ended the run, under an
 * index of its own, marked as a probe in the record. It is the best point when it is better than
 * that and f < bar. The status of a numeric failure ends nothing; *out is NULL then, and when
 * nothing may be evaluated any more (CQ_OK). */
cq_status cq_evaluate_probe(cq_evaluator *evaluator, const double *x, bool gradient, double bar,
                            const cq_point **out);

/* Fills violation of a point whose c is known. The first one settles what violations count in. */
void cq_evaluator_measure(cq_evaluator *evaluator, cq_point *point);

/* Makes the gradient at the best point known, whether or not the run has ended. The extra
 * simulation, if one is needed, is recorded under that point's index and not counted as an
 * evaluation. */
cq_status cq_evaluator_best_gradient(cq_evaluator *evaluator);

/* Notes ev->last, and makes it the best point if it is one. For the evaluator and its replay. */
void cq_evaluator_note(cq_evaluator *evaluator, bool is_new);

/* Adds what a record costs to ev->cost. For the evaluator and its replay. */
void cq_evaluator_charge(cq_evaluator *ev, const cq_evaluation *evaluation);

/* Makes point, one of those cq_evaluate returned, the best. */
void cq_evaluator_set_best(cq_evaluator *evaluator, const cq_point *point);

/* Ends the run, unless it has ended already. */
void cq_evaluator_end(cq_evaluator *evaluator, cq_end end, cq_status status);
/* The same by an error, which a budget that had ended the run before its probes does not hide; a
 * target that is reached stays so. */
void cq_evaluator_fail(cq_evaluator *evaluator, cq_status status);

/* Rounding errors of values of f of this size. */
double cq_evaluator_noise(const cq_evaluator *evaluator, double size);
bool cq_evaluator_feasible(const cq_evaluator *evaluator, const cq_point *point);
double cq_evaluator_elapsed(const cq_evaluator *evaluator); /* [s] */

#endif
