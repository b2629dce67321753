/* The evaluations of an earlier run in place of simulations. */
#ifndef CQ_OPT_REPLAY_H
#define CQ_OPT_REPLAY_H

#include "evaluator.h"

/* Looks at the next evaluation of the record: ev->pending, NULL when the replay is over. */
cq_status cq_replay_peek(cq_evaluator *ev);
/* The same, past what lies before what is wanted of evaluation `index` and only a run that had
 * ended there asked for: the gradient of its best point, and probes of it. After a probe, which has
 * become ev->last, it returns with *passed true and is to be called again: the numbers have
 * changed. */
cq_status cq_replay_reach(cq_evaluator *ev, int index, cq_want want, bool *passed);
/* What the record says about ev->trial, whose x and index are set, into it, and its status and what
 * was kept beside it into *out, whose `replayed` is false when there is no record (any more).
 * CQ_CONFIG when it holds another x; a status of the source. */
cq_status cq_replay_trial(cq_evaluator *ev, cq_want want, cq_evaluation *out);
/* Takes the whole record at once, for a warm start. */
cq_status cq_replay_all(cq_evaluator *ev);

#endif
