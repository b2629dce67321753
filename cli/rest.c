#include "rest.h"

#include "status.h"

#include <math.h>
#include <string.h>

typedef struct best {
  int index; /* 0: none */
  double f, violation, tolerance;
} best;

/* Feasible before not, then the lower f; or the lesser violation. */
static bool is_better(const best *b, const cq_evaluation *e) {
  const double above = fmax(e->violation - b->tolerance, 0.0);
  const double best_above = fmax(b->violation - b->tolerance, 0.0);
  if (e->status != CQ_OK || b->index == 0) {
    return e->status == CQ_OK;
  }
  return above < best_above || (above == 0.0 && best_above == 0.0 && e->f < b->f);
}

/* The result is that of the outcome's best, of which no residual is known. */
static void tell(cli_outcome *o, double *multipliers) {
  cq_result *const result = &o->result;
  const size_t used = strlen(result->reason);
  snprintf(result->reason + used, sizeof result->reason - used,
           "; the best design is that of evaluation %d, which the record has behind this end",
           o->best_index);
  result->has_point = true;
  result->best_index = o->best_index;
  result->f = o->f_best;
  result->violation = o->violation_best;
  result->kkt_residual = NAN;
  for (int i = 0; i < o->n_constraints; i++) {
    multipliers[i] = NAN;
  }
}

/* A record that goes on behind this end may hold a better design; a verified end keeps its own. */
cq_status cli_rest_take_best(cq_trace_reader *reader, double tolerance, cli_outcome *o,
                             double *terms, double *multipliers) {
  const bool verified = o->result.status == CQ_OK && !o->result.reached_target;
  const cq_evaluation *e = NULL;
  best b = {o->best_index, o->f_best, o->violation_best, tolerance};
  int better = 0;
  CQ_TRY(cq_trace_next(reader, &e));
  while (e != NULL) {
    if (is_better(&b, e)) {
      b = (best){better = e->index, e->f, e->violation, tolerance};
    }
    if (better == e->index && e->status == CQ_OK && !verified) {
      cli_outcome_terms(o, e, terms);
      cli_outcome_set_best(o, e, terms);
    }
    CQ_TRY(cq_trace_next(reader, &e));
  }
  if (better > 0 && verified) {
    cq_log(o->ctx, CQ_LOG_WARNING,
           "the record goes on behind this end, and evaluation %d of it has a better design: the "
           "settings of before bring it back",
           better);
  } else if (better > 0) {
    tell(o, multipliers);
  }
  return CQ_OK;
}
