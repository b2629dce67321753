/* An nlopt_opt for one pass. */
#include "nlopt_driver.h"

#include "status.h"

#include <math.h>

enum {
  VECTORS = 20,           /* NLopt's default keeps 1.3 million / n of them */
  DUAL_EVALUATIONS = 5000 /* of MMA and CCSAQ; NLopt's default of 100,000 looks like a hang */
};

static cq_status refused(const cq_nlopt_driver *d, nlopt_result code, const char *what) {
  if (code == NLOPT_OUT_OF_MEMORY) {
    return CQ_FAIL(d->run->ctx, CQ_MEMORY, "%s is out of memory (%s)", d->run->method->name, what);
  }
  const char *text = d->opt != NULL ? nlopt_get_errmsg(d->opt) : NULL;
  return CQ_FAIL(d->run->ctx, CQ_OPTIMIZER, "NLopt refuses %s for %s: %s", what,
                 d->run->method->name, text != NULL ? text : nlopt_result_to_string(code));
}

#define NLOPT_TRY(d, call)                                                                         \
  do {                                                                                             \
    const nlopt_result nlopt_try_code_ = (call);                                                   \
    if (nlopt_try_code_ < 0) {                                                                     \
      return refused((d), nlopt_try_code_, #call);                                                 \
    }                                                                                              \
  } while (0)

cq_status cq_nlopt_constrain(cq_nlopt_driver *d) {
  const nlopt_result code = cq_nlopt_link_constrain(d);
  return code >= 0 ? CQ_OK : refused(d, code, "the constraints");
}

/* Luksan's methods keep vectors of earlier steps */
static bool has_memory(nlopt_algorithm algorithm) {
  return algorithm == NLOPT_LD_LBFGS || algorithm == NLOPT_LD_VAR1 || algorithm == NLOPT_LD_VAR2 ||
         (algorithm >= NLOPT_LD_TNEWTON && algorithm <= NLOPT_LD_TNEWTON_PRECOND_RESTART);
}

/* what every nlopt_opt of ours gets, a local one too */
static nlopt_result set_method(const cq_nlopt_driver *d, nlopt_opt opt, nlopt_algorithm algorithm) {
  nlopt_result code = nlopt_set_ftol_rel(opt, d->ftol);
  code = code < 0 ? code : nlopt_set_xtol_rel(opt, d->xtol);
  if (code >= 0 && has_memory(algorithm)) {
    return nlopt_set_vector_storage(opt, VECTORS);
  }
  if (code >= 0 && (algorithm == NLOPT_LD_MMA || algorithm == NLOPT_LD_CCSAQ)) {
    code = nlopt_set_param(opt, "dual_algorithm", d->dual);
    return code < 0 ? code : nlopt_set_param(opt, "dual_maxeval", DUAL_EVALUATIONS);
  }
  return code;
}

/* AUGLAG never ends a subproblem whose method has no tolerances of its own. */
static cq_status set_local(const cq_nlopt_driver *d, nlopt_algorithm algorithm) {
  nlopt_opt local = nlopt_create(algorithm, (unsigned)d->scaling.n);
  if (local == NULL) {
    return refused(d, NLOPT_OUT_OF_MEMORY, "creation of the local method");
  }
  nlopt_result code = set_method(d, local, algorithm);
  code = code < 0 ? code : nlopt_set_local_optimizer(d->opt, local);
  nlopt_destroy(local);
  return code >= 0 ? CQ_OK : refused(d, code, "the local method");
}

/* One scale, or a quarter of a narrower range. */
static cq_status set_first_step(const cq_nlopt_driver *d) {
  double *step = d->scaling.x; /* filled with the start afterwards */
  for (int k = 0; k < d->scaling.n; k++) {
    step[k] = fmin(1.0, 0.25 * (d->scaling.upper[k] - d->scaling.lower[k]));
  }
  NLOPT_TRY(d, nlopt_set_initial_step(d->opt, step));
  return CQ_OK;
}

cq_status cq_nlopt_open(cq_nlopt_driver *d, nlopt_algorithm algorithm, nlopt_algorithm local,
                        nlopt_func objective) {
  CQ_TRY(cq_nlopt_link_open(d, algorithm, objective));
  NLOPT_TRY(d, nlopt_set_lower_bounds(d->opt, d->scaling.lower));
  NLOPT_TRY(d, nlopt_set_upper_bounds(d->opt, d->scaling.upper));
  NLOPT_TRY(d, set_method(d, d->opt, algorithm));
  if (local != NLOPT_NUM_ALGORITHMS) {
    CQ_TRY(set_local(d, local));
  }
  return d->run->method->needs_gradient ? CQ_OK : set_first_step(d);
}

cq_status cq_nlopt_optimize(cq_nlopt_driver *d, nlopt_result *code) {
  d->idle = 0;
  d->stuck = false;
  cq_scaling_enter(&d->scaling, d->start);
  *code = cq_nlopt_link_optimize(d);
  if (d->run->evaluator->end == CQ_END_NONE &&
      (*code == NLOPT_INVALID_ARGS || *code == NLOPT_OUT_OF_MEMORY)) {
    return refused(d, *code, "the problem");
  }
  return CQ_OK;
}

void cq_nlopt_close(cq_nlopt_driver *d) {
  cq_nlopt_link_close(d);
}
