/* What the parts of the NLopt driver share: nlopt_run.c (passes and restarts), nlopt_setup.c (an
 * nlopt_opt for a pass), nlopt_link.c (NLopt's thread), nlopt_calls.c (what NLopt calls back),
 * nlopt_feasible.c (the phase before methods that must start feasible). */
#ifndef CQ_OPT_NLOPT_DRIVER_H
#define CQ_OPT_NLOPT_DRIVER_H

#include "apart.h"
#include "nlopt_run.h"
#include "scaling.h"

typedef struct cq_nlopt_link cq_nlopt_link;

typedef struct cq_nlopt_driver {
  cq_run *run;
  const cq_nlopt_kind *kind;
  cq_scaling scaling;
  nlopt_algorithm dual; /* that solves the subproblems of MMA and CCSAQ */
  cq_apart *apart;      /* NLopt's thread; NULL: it was given up */
  cq_nlopt_link *link;  /* of the pass under way */
  nlopt_opt opt;        /* the same */
  double ftol, xtol;    /* relative; 0: off */
  int news, idle;       /* what the evaluator has, and requests since it had more */
  bool stuck;           /* the pass was ended for it */
  double *start;        /* [problem->n] where the next pass begins, in user units */
  double *row;          /* [scaling.n] work */
  double depth;         /* feasibility phase: constraints are wanted below -depth, scaled */
  bool found;           /* feasibility phase: start holds a feasible point */
} cq_nlopt_driver;

/* NULL when the run has ended; NLopt has been told then. */
const cq_point *cq_nlopt_point(cq_nlopt_driver *d, const double *xs, bool gradient);
/* Functions for a link; data is the driver. */
double cq_nlopt_objective(unsigned n, const double *xs, double *grad, void *data);
void cq_nlopt_inequalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                           void *data);
void cq_nlopt_equalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                         void *data);

/* What NLopt's thread has in hand for a pass: an nlopt_opt of n variables, and our functions behind
 * it. All of it is from malloc: it outlives the run when NLopt is given up. */
cq_status cq_nlopt_link_open(cq_nlopt_driver *d, nlopt_algorithm algorithm, nlopt_func objective);
nlopt_result cq_nlopt_link_constrain(cq_nlopt_driver *d);
/* Runs d->opt from d->scaling.x to the point it returns. When it is given up the evaluator knows
 * why the run has ended. */
nlopt_result cq_nlopt_link_optimize(cq_nlopt_driver *d);
void cq_nlopt_link_close(cq_nlopt_driver *d);
/* Makes NLopt's thread, with its own random numbers. */
cq_status cq_nlopt_thread_open(cq_nlopt_driver *d);

/* d->opt for algorithm (around local, if that is not NLOPT_NUM_ALGORITHMS) with objective, bounds
 * and tolerances, without constraints. */
cq_status cq_nlopt_open(cq_nlopt_driver *d, nlopt_algorithm algorithm, nlopt_algorithm local,
                        nlopt_func objective);
void cq_nlopt_close(cq_nlopt_driver *d);
/* The constraints of the problem. */
cq_status cq_nlopt_constrain(cq_nlopt_driver *d);
/* Runs d->opt from d->start; scaling.x is the point it returns, *code what it says. */
cq_status cq_nlopt_optimize(cq_nlopt_driver *d, nlopt_result *code);

/* Whether a method that must start feasible may start at point. */
bool cq_nlopt_may_start(const cq_nlopt_driver *d, const cq_point *point);
/* Moves d->start to a point whose inequalities hold with the margin of the scaling, by minimising
 * the violations. d->found says whether there was one. Units of f and the constraints are those of
 * that point then. */
cq_status cq_nlopt_make_feasible(cq_nlopt_driver *d);

#endif
