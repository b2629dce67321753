/* The motion of the best design, which a solve records when the method has ended. */
#ifndef CQ_CLI_BEST_H
#define CQ_CLI_BEST_H

#include "session.h"

/* Records motions by the evals.bin in folder `record`, in which evaluation `best` is the best:
 * trajectory.h5 and .xdmf of that design, and motion.bin of it and with `ends` of the first and the
 * last one, as far as they are wanted. *written: the trajectory is there. *tear: how bodies come
 * apart in it, which is warned of. CQ_IO alone is an error; what else goes wrong is a warning. */
cq_status cli_best_record(cli_session *session, const char *record, int best, bool ends,
                          bool *written, cq_tear *tear);
/* The same of the best design so far of a run that failed (then with its ends) or was stopped, with
 * `status`, after its end is written into run.json: what goes wrong here is a warning. A stop that
 * was asked for has been obeyed by then and is taken back; a second one leaves the motion out. */
void cli_best_record_late(cli_session *session, cq_status status, const char *record, int best,
                          bool *written);

#endif
