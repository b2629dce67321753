/* The experiments of a run: what each has of the objective, and the motion of a design in each. */
#ifndef CQ_CLI_EXPERIMENTS_H
#define CQ_CLI_EXPERIMENTS_H

#include "outcome.h"
#include "session.h"
#include "style.h"

/* A table of the objective in each, at the start and at the best design; nothing where there are
 * none. */
void cli_experiments_print(FILE *out, const cli_style *style, const cli_outcome *outcome);
/* Records the design x (NULL: the start) in each of them, in steps of dt / 2^refinement, into
 * experiments/NAME of the folder: problem.cfg, whose start it is, motion.bin, trajectory.h5 and
 * .xdmf where the experiment's output asks for it, and `tables` of CQ_RECORD_TABLES. CQ_IO alone is
 * an error; what else goes wrong is a warning. */
cq_status cli_experiments_record(cli_session *session, const double *x, int refinement,
                                 bool tables);

#endif
