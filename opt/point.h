/* What is known of one x. */
#ifndef CQ_OPT_POINT_H
#define CQ_OPT_POINT_H

#include "cqopt/optimizer.h"

typedef struct cq_point {
  int index; /* 1, 2, ...; 0: no point */
  bool has_gradient;
  bool has_jacobian;  /* reduced is known */
  bool has_residuals; /* residuals are known */
  bool failed;        /* could not be evaluated: what follows is a substitute (failure.h) */
  bool probe;         /* no method asked for it */
  int refinement;     /* level of cq_problem.refined that gave the values; 0: eval */
  double f, violation;
  double *x, *c, *grad, *jac;  /* [n], [m], [n], [m][n] */
  double *parts, *part_slopes; /* [n_parts], [n_parts][n] of cq_problem.parts */
  double *reduced;             /* [n][1 + n] as of cq_evaluation; NULL: there is no room for it */
  double *residuals;           /* [n_residuals]; NULL: there is no room for them */
} cq_point;

/* What is wanted of a point. */
typedef enum cq_want {
  CQ_WANT_VALUE,
  CQ_WANT_GRADIENT,
  CQ_WANT_JACOBIAN,
  CQ_WANT_RESIDUALS /* beside the value */
} cq_want;

/* All-or-nothing; cq_point_destroy takes what failed. reduced and residuals are NULL: who wants
 * them allocates them. */
cq_status cq_point_create(cq_ctx *ctx, const cq_problem *problem, cq_point *point);
void cq_point_destroy(cq_ctx *ctx, cq_point *point);
void cq_point_copy(const cq_problem *problem, cq_point *to, const cq_point *from);
/* Makes everything but x and index NAN: what is not filled afterwards is a failure. Constraints
 * stay where a Jacobian is wanted: they are known then. */
void cq_point_clear(const cq_problem *problem, cq_point *point, cq_want want);
/* CQ_NONFINITE with a text that names the first value that is not finite */
cq_status cq_point_check(cq_ctx *ctx, const cq_problem *problem, const cq_point *point);

/* The number of variables that are free to move. */
int cq_problem_free(const cq_problem *problem);
/* max over max(c_i, 0) and |h_j|, divided by unit [m] (NULL: 1); 0 without constraints, NAN when
 * one of them is NAN */
double cq_violation(const cq_problem *problem, const double *unit, const double *c);

/* Numbers of cq_point.reduced: 0 where the problem has no residuals. */
static inline size_t cq_problem_reduced(const cq_problem *problem) {
  const size_t n = (size_t)problem->n;
  return problem->n_residuals > 0 ? n * (n + 1) : 0;
}

static inline int cq_problem_constraints(const cq_problem *problem) {
  return problem->n_inequality + problem->n_equality;
}

/* Whether f (i = -1) or inequality i is the largest of several parts. */
static inline bool cq_problem_has_parts(const cq_problem *problem, int i) {
  bool has = false;
  for (int k = 0; k < problem->n_parts; k++) {
    has = has || problem->part_of[k] == i;
  }
  return has;
}

/* scale[i] of problem, 1 when it has none or one as large as a bound that is none */
static inline double cq_problem_scale(const cq_problem *problem, int i) {
  const double none = 1e19;
  return problem->scale != NULL && problem->scale[i] < none ? problem->scale[i] : 1.0;
}

#endif
