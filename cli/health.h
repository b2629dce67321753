/* What a solve tells about its gradient: how fast it grows backward in time at the best design and
 * at the worst of all, and, when output.adjoint asks for it, contacts and adjoint.csv. */
#ifndef CQ_CLI_HEALTH_H
#define CQ_CLI_HEALTH_H

#include "json.h"
#include "outcome.h"
#include "outgrown.h"
#include "session.h"
#include "style.h"

typedef struct cli_health {
  cq_gradient_health best;     /* of the best design that had a gradient */
  cq_gradient_health worst;    /* the fastest growth of all */
  int best_index, worst_index; /* their evaluations; 0: none */
  bool with_file;              /* adjoint.csv is there, and so are contacts */
  cq_contact_summary contacts;
  cli_outgrown outgrown; /* of an exact gradient beside a heuristic */
} cli_health;

/* Takes note of an evaluation that the scene has just made. */
void cli_health_note(cli_health *health, const cq_scene *scene, const cq_evaluation *evaluation);
/* When the method has ended: warns of a gradient that explodes, and writes adjoint.csv of the best
 * design if it is wanted. What goes wrong is a warning and changes no status, but for CQ_IO. */
cq_status cli_health_finish(cli_session *session, const cli_outcome *outcome, cli_health *health);
/* The file alone, of design x (NULL: the start) in steps of dt / 2^refinement. */
cq_status cli_health_write(cli_session *session, int refinement, const double *x,
                           cli_health *health);
/* "grows 12-fold backward in time (0.3 per s)" */
void cli_health_print_growth(FILE *out, const cli_style *style, const cq_scene *scene,
                             const cq_gradient_health *growth);
void cli_health_print(FILE *out, const cli_style *style, const cli_health *health,
                      const cli_outcome *outcome);
/* "14 of 200 steps press, ..." */
void cli_health_print_contacts(FILE *out, const cli_style *style, const cli_health *health);
void cli_health_json(cq_json *json, const cli_health *health);

#endif
