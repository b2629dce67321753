/* The gradient of the objective by a word of simulation.gradient, of a scene of its own. */
#ifndef CQ_CLI_GRADED_H
#define CQ_CLI_GRADED_H

#include "session.h"

typedef struct cli_graded {
  const char *word;
  cq_gradient_kind kind;
  bool done;
  char why[256];             /* why there is none */
  double *g;                 /* [n] by variables in parts of their scales */
  double norm, step;         /* step: of differences, else NAN */
  cq_gradient_health health; /* of an adjoint sweep */
} cli_graded;

/* At x, in so many steps; 0: in those of the problem. What goes wrong is in `why`. CQ_MEMORY alone
 * fails. Free it, failed or not. */
cq_status cli_graded_find(cli_session *session, const char *word, int steps, const double *x,
                          cli_graded *out);
void cli_graded_free(cli_session *session, cli_graded *graded);
/* Of the angle between two of the same length n; NAN where one is zero. */
double cli_graded_cosine(const cli_graded *a, const cli_graded *b, int n);
/* How many times as long a is as b, in the variables that b knows; NAN: it knows none, or one of
 * them is not there. */
double cli_graded_ratio(const cli_graded *a, const cli_graded *b, int n);
/* Kinds that are the derivative itself. */
bool cli_graded_is_exact(cq_gradient_kind kind);

/* An exact gradient that is so many times as long as the heuristic beside it tells of chaos alone.
 */
enum { CLI_OUTGROWN = 10 };

#endif
