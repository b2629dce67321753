/* A look around the best point of a run: the point, what holds it, what is to be compared, and how
 * one more is evaluated. What is tried, and what it means, is for probe.c to say. */
#ifndef CQ_OPT_LOOK_H
#define CQ_OPT_LOOK_H

#include "method.h"
#include "ritz.h"
#include "rng.h"

/* [reach] steps */
static const double CQ_LOOK_FINE = 1e-3, CQ_LOOK_COARSE = 1e-2, CQ_LOOK_LARGE = 0.1;
/* of tolerance x unit: worth of the room before a bound or a constraint that is no room */
static const double CQ_LOOK_NO_ROOM = 0.01;
/* part of a vector that is left of it when it is none */
static const double CQ_LOOK_NOTHING = 1e-8;
/* [forward runs] at most, and for a gradient */
enum { CQ_LOOK_BUDGET = 6, CQ_LOOK_GRADIENT = 3 };

typedef struct cq_look {
  cq_run *run;
  cq_evaluator *ev;
  cq_problem problem; /* with the sizes of its variables (cq_kkt_sizes) for scales */
  cq_evaluator as_if; /* *ev with that problem */
  int n, m;
  cq_rng rng;
  double reach; /* [scale] of steps, in which all variables below are counted */
  double f, merit, unit, noise;
  double fine; /* [reach] step along r */
  double odd;  /* change of the merit along r that its gradient does not have; 0: next to none */
  double left; /* [forward runs] */
  int runs;    /* so far */
  bool differs, refuted;
  bool cut;      /* nothing may be evaluated any more */
  int rank;      /* rows of the basis */
  double *size;  /* [n] scales of k->problem */
  double *x, *q; /* [n] the point; gradient of the Lagrangian, in scaled variables as all others */
  double *r, *h, *d;   /* [n] directions (probe.h) */
  double *to;          /* [n] a point to evaluate */
  cq_ritz ritz;        /* what is known of the curvature along the constraints */
  double *block;       /* of it */
  double *basis;       /* [m + n_parts][n] orthonormal rows of active constraints */
  bool *held, *active; /* [n] by its bound, [m] */
} cq_look;

/* what one probe found */
typedef struct cq_found {
  bool ok;
  double slope, change; /* of the merit, as the gradient has it and as it is */
  const cq_point *point;
} cq_found;

/* Runs `what` on a look around the best point, which is to begin it. */
void cq_look_with(cq_run *run, void (*what)(cq_look *k));
/* Sets up all that depends on the best point, which has a gradient and the multipliers of the run.
 */
void cq_look_begin(cq_look *k);

/* k->to := x + step d, on the bounds where that is outside; its slope by the gradient. d [n] and
 * step are in scaled variables and reaches, here and below. */
double cq_look_place(cq_look *k, const double *d, double step);
/* Evaluates x + step d. A point refutes the claim when it is better by more than `better` and
 * noise; it is the best one then if it is feasible and its f less. */
cq_found cq_look_probe(cq_look *k, const double *d, double step, bool gradient, double better);
/* The claim falls though no probe is better: says why, in words that live on. */
void cq_look_doubt(cq_look *k, const char *why);
/* tolerance x unit x step: what a residual within the tolerance explains */
double cq_look_explained(const cq_look *k, double step);

/* out [n] := gradient of f + sum lambda_i c_i in scaled variables, of the mixture where these have
 * parts; worthless: with the multipliers alone of constraints whose room is worth nothing */
void cq_look_lagrangian(const cq_look *k, const cq_point *point, bool worthless, double *out);
/* Which variables their bound holds against descent along -q [n]: they lie on it, as near as the
 * residual forgives, and the room left is worth no more than room_worth. */
void cq_look_set_held(cq_look *k, const double *q, double room_worth);
/* Orthonormal rows of the constraints that are active, and of the kink on which the parts that the
 * mixture is made of are equal, over the variables that are not held; worthless: of those whose
 * room is worth nothing. */
void cq_look_set_basis(cq_look *k, const cq_point *point, bool worthless);
/* Takes the parts along that basis, and of held variables, out of d [n]. */
void cq_look_keep_active(const cq_look *k, double *d);
/* Makes the inf-norm of d [n] 1; false where there is nothing of `before` left in it. */
bool cq_look_normalize(const cq_look *k, double *d, double before);
/* d [n] := a random direction along the active constraints, of inf-norm 1, that may be gone both
 * ways, or one way from a bound; false where there is none. */
bool cq_look_draw(cq_look *k, double *d);

#endif
