/* When a run ends from outside the method: the stop rules of cq_optimizer_def, one meaning for
 * every method, requests of the user, and methods that go round in circles. */
#ifndef CQ_OPT_RULES_H
#define CQ_OPT_RULES_H

#include "evaluator.h"

/* Before a point is handed out: by a simulation or not, of a new x or not. Ends the run. */
void cq_rules_before(cq_evaluator *ev, bool simulates, bool is_new);
/* After one that succeeded. */
void cq_rules_after(cq_evaluator *ev);
/* Whether a method that has been silent for so long [s] is to be given up, for apart.h: the run has
 * an end then. */
bool cq_rules_give_up(void *evaluator, double silence);

#endif
