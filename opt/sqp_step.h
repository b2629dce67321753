/* What the parts of sqp share: sqp.c (the loop) and sqp_step.c (direction and step). All in scaled
 * variables (scaling.h). */
#ifndef CQ_OPT_SQP_STEP_H
#define CQ_OPT_SQP_STEP_H

#include "method.h"
#include "scaling.h"
#include "sqp_qp.h"

typedef struct cq_sqp_point {
  double f, *x, *c, *slopes; /* [n], [m], [1 + m][n]: of f, then of the constraints */
  double *rows;              /* [problem->n][n] with newton: the matrix of f is rows^T rows */
} cq_sqp_point;

typedef struct cq_sqp {
  cq_run *run;
  cq_scaling scaling;
  int n, m;
  cq_sqp_hessian hessian;
  cq_sqp_qp qp;
  cq_sqp_point at, next; /* the iterate, the point tried */
  double *multipliers;   /* [m] of the last quadratic problem */
  double *weights;       /* [m] of violations in the merit function f + sum_i weight_i v_i */
  double *direction;     /* [n] */
  double *corrected;     /* [m] c of a second-order correction */
  double f_before;       /* of the iterate before, in user units */
  double *before;        /* [problem->n] that iterate */
  double since;          /* on the clock of cq_now: the quadratic problems under way */
  int rejected;          /* directions in a row from here */
  bool afresh;           /* without memory from here */
  bool newton;           /* B is the Gauss-Newton matrix of the residuals at the iterate */
  double gamma;          /* of the last quadratic problem */
  double reach;          /* longest step, largest component */
  double slope;          /* of the merit function along the direction, or above it */
  double linear;         /* violations that the quadratic problem leaves */
} cq_sqp;

typedef enum cq_sqp_outcome {
  CQ_SQP_MOVED,    /* s->next is better */
  CQ_SQP_REJECTED, /* it is not: another direction */
  CQ_SQP_STOPPED   /* by the evaluator */
} cq_sqp_outcome;

/* sqp from the best point; newton: B is the Gauss-Newton matrix of residuals, whose
 * Jacobian each trial point has then. A cq_optimizer.run. */
cq_status cq_sqp_run(cq_run *run, bool newton);

/* Values and slopes of point, whose scaled x is out->x. */
void cq_sqp_load(const cq_sqp *s, const cq_point *point, cq_sqp_point *out);
/* s->direction, multipliers, weights, slope and linear from the quadratic problem at s->at. */
void cq_sqp_direct(cq_sqp *s);
/* Evaluates the end of the direction, and a corrected one where the constraints' curvature was in
 * the way. What a rejected point says of curvature is kept: the next direction from here knows
 * better, within a shorter reach. */
cq_sqp_outcome cq_sqp_try(cq_sqp *s);
/* The step from s->at to s->next, and how the slopes changed, for the matrix. */
void cq_sqp_remember(cq_sqp *s);
/* The size of the merit function's terms at s->at. */
double cq_sqp_size(const cq_sqp *s);
/* sum_i weights_i v_i, weights NULL: all 1 */
double cq_sqp_violation(const cq_sqp *s, const double *c, const double *weights);

#endif
