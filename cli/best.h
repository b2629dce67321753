/* What a solve does with its best design when the method has ended: simulates it once more at half
 * the time step, to tell how much of the result the time step made, and records its motion. */
#ifndef CQ_CLI_BEST_H
#define CQ_CLI_BEST_H

#include "json.h"
#include "outcome.h"
#include "session.h"
#include "style.h"

/* The best design at half the time step. */
typedef struct cli_half_step {
  bool wanted, done;
  double f, violation;
  double share;   /* |f - f before| over what the run gained; NAN: it gained nothing */
  char note[256]; /* why it was not done; "" */
} cli_half_step;

/* Simulates. What is wrong is a warning and changes no status. */
cli_half_step cli_best_half_step(cli_session *session, const cli_outcome *outcome);
/* "f 1.5e-06, 0.005 % of what the run gained, ..." */
void cli_half_step_print(FILE *out, const cli_style *style, const cli_half_step *half);
void cli_half_step_json(cli_json *json, const cli_half_step *half);
/* Of a run that ended, by its run.json. */
cli_half_step cli_half_step_read(const char *json);

/* Why something that does not count failed. Its error is forgotten, unless there was one before. */
void cli_best_take_error(const cli_session *session, bool was_clean, cq_status status,
                         char text[256]);

/* Two more runs would go beyond optimizer.max_time. */
bool cli_best_exceeds_time(const cli_session *session, const cli_outcome *outcome);
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
