/* NLopt on a thread of its own: it cannot be interrupted between two evaluations, where some of its
 * methods think for hours or for ever. */
#include "nlopt_driver.h"

#include "rules.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

/* After a job was given up its thread may read and write this alone. */
struct cq_nlopt_link {
  cq_apart *apart;
  cq_nlopt_driver *driver; /* for what runs on the caller's thread */
  nlopt_func objective;
  nlopt_opt opt;
  nlopt_result code;
  double x[]; /* [n] */
};

/* A call of one of our functions, on its way to the caller's thread. */
typedef struct call {
  cq_nlopt_link *link;
  nlopt_mfunc constraints; /* NULL: the objective is called */
  unsigned m, n;
  const double *xs;
  double *result; /* [m] */
  double *grad;
} call;

static void make_call(void *user) {
  const call *const c = user;
  cq_nlopt_driver *const d = c->link->driver;
  if (c->constraints != NULL) {
    c->constraints(c->m, c->result, c->n, c->xs, c->grad, d);
  } else {
    *c->result = c->link->objective(c->n, c->xs, c->grad, d);
  }
}

/* When NLopt was given up and comes back it gets zeros, and is told to stop. */
static void pass_on(call *c) {
  if (cq_apart_call(c->link->apart, make_call, c)) {
    return;
  }
  nlopt_force_stop(c->link->opt);
  memset(c->result, 0, c->m * sizeof *c->result);
  if (c->grad != NULL) {
    memset(c->grad, 0, (size_t)c->m * c->n * sizeof *c->grad);
  }
}

static double objective(unsigned n, const double *xs, double *grad, void *data) {
  double f = 0;
  call c = {.link = data, .m = 1, .n = n, .xs = xs, .result = &f, .grad = grad};
  pass_on(&c);
  return f;
}

static void inequalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                         void *data) {
  call c = {data, cq_nlopt_inequalities, m, n, xs, result, grad};
  pass_on(&c);
}

static void equalities(unsigned m, double *result, unsigned n, const double *xs, double *grad,
                       void *data) {
  call c = {data, cq_nlopt_equalities, m, n, xs, result, grad};
  pass_on(&c);
}

nlopt_result cq_nlopt_link_constrain(cq_nlopt_driver *d) {
  const unsigned mi = (unsigned)d->scaling.n_inequality;
  const unsigned me = (unsigned)d->scaling.m - mi;
  const double *tolerance = d->scaling.tolerance;
  nlopt_result code = NLOPT_SUCCESS;
  if (mi > 0) {
    code = nlopt_add_inequality_mconstraint(d->opt, mi, inequalities, d->link, tolerance);
  }
  if (me > 0 && code >= 0) {
    code = nlopt_add_equality_mconstraint(d->opt, me, equalities, d->link, tolerance + mi);
  }
  return code;
}

static void dispose(void *job) {
  cq_nlopt_link *const link = job;
  nlopt_destroy(link->opt);
  free(link);
}

/* NLopt's object with a link of its own: a method that is given up may call it long after the
 * driver is gone. */
cq_status cq_nlopt_link_open(cq_nlopt_driver *d, nlopt_algorithm algorithm, nlopt_func objective_) {
  const size_t n = (size_t)d->scaling.n;
  cq_nlopt_link *const link = calloc(1, sizeof *link + n * sizeof link->x[0]);
  const nlopt_opt opt = link != NULL ? nlopt_create(algorithm, (unsigned)n) : NULL;
  if (opt == NULL) {
    free(link);
    return CQ_FAIL(d->run->ctx, CQ_MEMORY, "%s is out of memory", d->run->method->name);
  }
  link->apart = d->apart;
  link->driver = d;
  link->objective = objective_;
  link->opt = opt;
  nlopt_set_min_objective(opt, objective, link);
  d->link = link;
  d->opt = opt;
  return CQ_OK;
}

void cq_nlopt_link_close(cq_nlopt_driver *d) {
  if (d->link != NULL) {
    dispose(d->link);
  }
  d->link = NULL;
  d->opt = NULL;
}

static void optimize(void *job) {
  cq_nlopt_link *const link = job;
  double unused = 0;
  link->code = nlopt_optimize(link->opt, link->x, &unused);
}

nlopt_result cq_nlopt_link_optimize(cq_nlopt_driver *d) {
  cq_nlopt_link *const link = d->link;
  const size_t bytes = (size_t)d->scaling.n * sizeof link->x[0];
  const cq_apart_job job = {optimize, dispose, link, cq_rules_give_up, d->run->evaluator};
  memcpy(link->x, d->scaling.x, bytes);
  if (!cq_apart_run(d->apart, &job)) {
    d->apart = NULL;
    d->link = NULL;
    d->opt = NULL;
    return NLOPT_FORCED_STOP;
  }
  memcpy(d->scaling.x, link->x, bytes);
  return link->code;
}

static void seed(void *job) {
  nlopt_srand(*(const unsigned long *)job);
}

static bool never(void *watch, double silence) {
  (void)watch, (void)silence;
  return false;
}

/* A generator a thread: it is seeded there, once a run. */
cq_status cq_nlopt_thread_open(cq_nlopt_driver *d) {
  unsigned long number = (unsigned long)cq_ctx_seed(d->run->ctx);
  CQ_TRY(cq_apart_create(d->run->ctx, &d->apart));
  cq_apart_run(d->apart, &(cq_apart_job){.run = seed, .job = &number, .gives_up = never});
  return CQ_OK;
}
