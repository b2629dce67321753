/* What a run says of bodies that came apart, and what that makes of its verdict. */
#ifndef CQ_CLI_TEAR_H
#define CQ_CLI_TEAR_H

#include "folder.h"
#include "json.h"
#include "report_evals.h"
#include "style.h"

#include "cqopt/cqopt.h"

enum { CLI_TEAR_REASON = 256 };

/* How bodies tear in a design that has just been recorded; log (NULL: none) hears nothing of the
 * scenarios that are run for it. What goes wrong is a warning. */
void cli_tear_find(cq_ctx *ctx, cq_scene *scene, const cli_design *design, cli_folder *log,
                   cq_tear *tear);
/* Warns of a tear. */
void cli_tear_warn(cq_ctx *ctx, const cq_tear *tear);
/* The status of a run that ended with `status` and a design in which bodies tear: CQ_TORN, if that
 * is above simulation.torn_share and status is not worse; then reason says so before what it said.
 */
cq_status cli_tear_judge(const cq_scene *scene, const cq_tear *tear, cq_status status,
                         char reason[CLI_TEAR_REASON]);
/* "Torn  12 % of ..."; nothing where all bodies are whole. */
void cli_tear_print(FILE *out, const cli_style *style, const cq_scene *scene, const cq_tear *tear);
void cli_tear_json(cq_json *json, const cq_tear *tear);

#endif
