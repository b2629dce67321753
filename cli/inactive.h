/* Variables that change nothing: seen by the gradients of a run, with the reason where one is found
 * (cq_scene_inactive). */
#ifndef CQ_CLI_INACTIVE_H
#define CQ_CLI_INACTIVE_H

#include "json.h"
#include "outcome.h"
#include "session.h"
#include "style.h"

enum { CLI_MOST_INACTIVE = 16, CLI_SENTENCE = 400 };

typedef struct cli_inactive {
  cq_ctx *ctx;
  const cq_scene *scene;
  unsigned char *acts; /* [n of the problem] by the gradients so far */
  int gradients;       /* how many */
  int count;
  cq_inactive items[CLI_MOST_INACTIVE];
} cli_inactive;

cq_status cli_inactive_create(cq_ctx *ctx, const cq_scene *scene, cli_inactive *out);
void cli_inactive_destroy(cli_inactive *inactive);
/* Takes note of the gradient of an evaluation, if it has one, replayed or not. */
void cli_inactive_note(cli_inactive *inactive, const cq_evaluation *evaluation);
/* Looks at the best design, and warns of what it finds; where nothing changes anything the reason
 * of the outcome says why, too. Simulates, unless every variable acts. What goes wrong is a
 * warning.
 */
void cli_inactive_find(cli_session *session, cli_outcome *outcome, cli_inactive *inactive);
/* "A.density changes nothing: ...", "3 of 12 variables of A.density change nothing: ..." */
const char *cli_inactive_sentence(const cq_scene *scene, const cq_inactive *item,
                                  char text[CLI_SENTENCE]);
void cli_inactive_print(FILE *out, const cli_style *style, const cli_inactive *inactive);
void cli_inactive_json(cq_json *json, const cli_inactive *inactive);

#endif
