/* Objective and constraints: functions of the observations z and the controls u of a run.
 *
 * Function 0 is the objective, a weighted sum of terms. Functions 1, 2, ... are the constraints,
 * one term each, inequalities (<= 0) before equalities (= 0). */
#ifndef CQ_PROBLEMS_OBJECTIVE_H
#define CQ_PROBLEMS_OBJECTIVE_H

#include "cqopt/problem.h"
#include "schema.h"
#include "sim.h"

typedef struct cq_term {
  cq_term_kind kind;
  const cq_term_keys *keys;
  int group; /* observed group; -1: does not depend on the state */
  double weight;
  const char *label;
  double value; /* weighted, of the last evaluation */
} cq_term;

typedef struct cq_function {
  int n_terms;
  cq_term *terms;
  double constant; /* added to the weighted sum */
} cq_function;

typedef struct cq_objective {
  const cq_model *model;
  const double *u_max;
  int n_functions, n_inequality, n_equality;
  cq_function *functions;
  bool has_running_state; /* a running term reads the state */
  cq_seed *seeds;         /* [n_functions]: the n_seeds that need an adjoint sweep come first */
  int *seeded;            /* [n_functions] index of the function's seed */
  int n_seeds;
  double *dz, *du; /* [n_functions][steps + 1][n_z], [n_functions][steps][n_controls] */
} cq_objective;

/* Reads the terms and gives model its groups and observation mask. */
cq_status cq_objective_build(cq_scene *scene, cq_model *model, cq_objective *objective);
/* values [n_functions] */
void cq_objective_value(cq_objective *objective, const double *z, const double *u, double *values);
/* Fills the seeds. */
void cq_objective_seed(cq_objective *objective, const double *z, const double *u);

bool cq_term_reads_state(cq_term_kind kind);
/* CQ_OBSERVE_... bits that its group must have, and the exponent of the stress norm, or 0 */
unsigned cq_term_quantities(cq_term_kind kind);
double cq_term_stress_exponent(cq_term_kind kind, const cq_term_own *own);
const char *cq_term_kind_name(cq_term_kind kind);
/* One term at one state. */
double cq_term_value(const cq_term *term, const cq_term_in *in);
void cq_term_adjoint(const cq_term *term, const cq_term_in *in, double seed, double *dz,
                     double *du);

#endif
