/* The best design once more at half the time step, to tell how much of the result the step made. */
#ifndef CQ_CLI_HALF_STEP_H
#define CQ_CLI_HALF_STEP_H

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
cli_half_step cli_half_step_simulate(cli_session *session, const cli_outcome *outcome);
/* "f 1.5e-06, 0.005 % of what the run gained, ..." */
void cli_half_step_print(FILE *out, const cli_style *style, const cli_half_step *half);
void cli_half_step_json(cq_json *json, const cli_half_step *half);
/* Of a run that ended, by its run.json. */
cli_half_step cli_half_step_read(const char *json);

#endif
