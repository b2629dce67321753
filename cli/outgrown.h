/* Whether an exact gradient is too long to be of use, as runs are chaotic. */
#ifndef CQ_CLI_OUTGROWN_H
#define CQ_CLI_OUTGROWN_H

#include "json.h"
#include "outcome.h"
#include "session.h"
#include "style.h"

typedef struct cli_outgrown {
  double ratio;        /* its norm in parts of the heuristic's; 0: not known */
  const char *instead; /* that heuristic */
  bool at_start;       /* where it is larger; else at the best design */
  bool warned;
} cli_outgrown;

/* Two gradients of the start and two of the best design; nothing where the engine has no heuristic
 * to take instead, or the gradient is no exact one. What goes wrong is left out. */
cq_status cli_outgrown_find(cli_session *session, const cli_outcome *outcome, cli_outgrown *out);
void cli_outgrown_print(FILE *out, const cli_style *style, const cli_outgrown *outgrown);
void cli_outgrown_json(cq_json *json, const cli_outgrown *outgrown);

#endif
