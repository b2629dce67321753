/* Functions with known minima, to tell what methods are good for without a simulator. */
#ifndef CQ_BENCH_CLOSED_FORM_H
#define CQ_BENCH_CLOSED_FORM_H

#include "cqopt/optimizer.h"

enum {
  CQ_CLOSED_FORM_MOST = 10, /* variables, and constraints */
  CQ_N_CLOSED_FORMS_HS = 9, /* the first ones: Rosenbrock's, and Hock and Schittkowski's */
  CQ_N_CLOSED_FORMS = 13
};

typedef struct cq_closed_form {
  const char *name;
  int n, n_inequality, n_equality;
  double lower[CQ_CLOSED_FORM_MOST], upper[CQ_CLOSED_FORM_MOST], start[CQ_CLOSED_FORM_MOST];
  double f; /* at the optimum */
  /* c <= 0 first, then h = 0; always fills the gradients */
  double (*eval)(const double *x, double *g, double *c, double (*j)[CQ_CLOSED_FORM_MOST]);
} cq_closed_form;

extern const cq_closed_form cq_closed_forms[CQ_N_CLOSED_FORMS];

/* The problem of a form, which it borrows. */
cq_problem cq_closed_form_problem(const cq_closed_form *form);

#endif
