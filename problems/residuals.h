/* Objectives that are sums of squares: their residuals, one after the other by terms, instants and
 * what a term compares there (terms/residual.h). */
#ifndef CQ_PROBLEMS_RESIDUALS_H
#define CQ_PROBLEMS_RESIDUALS_H

#include "objective.h"

/* What the keys of a term say of its squares. */
typedef struct cq_squares {
  bool has; /* it is a sum of squares, or of losses of them */
  bool squared;
  int loss;
  double deviation, loss_size; /* NAN: not given */
} cq_squares;
cq_squares cq_term_squares(const cq_term *term);

/* Takes deviation and loss of a term: its weight and loss_size. CQ_CONFIG with the key where they
 * make no sense. */
cq_status cq_term_take_squares(cq_scene *scene, cq_term *term);

/* How many residuals the objective is made of; 0 where it is no sum of squares, with the reason as
 * a clause in why. */
int cq_residuals_count(const cq_objective *objective, char *why, size_t size);
/* Whether they are in units of known standard deviations. */
bool cq_residuals_have_deviations(const cq_objective *objective);
/* Their derivatives by the objective's calibration numbers, added to rows [count][n_calibration].
 */
void cq_residuals_by_calibration(const cq_objective *objective, const double *z, const double *u,
                                 double *rows);
/* The derivatives of the sum of w [count] times the residuals of a run, added to dz, rows of z, and
 * dp [n_calibration]. */
void cq_residuals_pull(const cq_objective *objective, const double *z, const double *u,
                       const double *w, double *dz, double *dp);
/* What residual i of factor * r [count] is of; false past the last one. */
bool cq_residuals_tell(const cq_objective *objective, int i, const double *r, double factor,
                       cq_residual_info *out);
/* r [count] of a run. */
void cq_residuals_of(const cq_objective *objective, const double *z, const double *u, double *r);

#endif
