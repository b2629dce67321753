#include "tear.h"

#include "status.h"

#include <string.h>

/* "12 % of the particles of "legs" have lost their neighbours at 0.42 s" */
static void put_share(const cq_tear *tear, char *text, size_t size) {
  char scenario[32] = "";
  if (tear->scenario >= 0) {
    snprintf(scenario, sizeof scenario, " in scenario %d", tear->scenario);
  }
  snprintf(text, size,
           "%.3g %% of the particles of \"%.80s\" have lost their neighbours at %.4g s%s",
           100.0 * tear->share, tear->body, tear->time, scenario);
}

/* Not to know it is a warning: the run that it is asked of has ended. */
void cli_tear_find(cq_ctx *ctx, cq_scene *scene, const cli_design *design, cli_folder *log,
                   cq_tear *tear) {
  const bool was_clean = cq_ctx_status(ctx) == CQ_OK;
  if (log != NULL) {
    cli_folder_deafen(log, true);
  }
  const cq_status status =
      cq_scene_find_tear(scene, design->refinement, design->index, design->x, tear);
  if (log != NULL) {
    cli_folder_deafen(log, false);
  }
  if (status != CQ_OK) {
    cq_log(ctx, CQ_LOG_WARNING, "it is not known whether a body of the best design tears: %s",
           was_clean ? cq_ctx_error(ctx) : cq_status_text(status));
    if (was_clean) {
      cq_ctx_clear_error(ctx);
    }
  }
}

/* One line for all bodies: the worst by its name, the others counted, and what may help. */
void cli_tear_warn(cq_ctx *ctx, const cq_tear *tear) {
  char share[192], others[64] = "";
  if (tear->body == NULL) {
    return;
  }
  if (tear->others > 0) {
    snprintf(others, sizeof others, "; %d more bod%s", tear->others,
             tear->others == 1 ? "y tears" : "ies tear");
  }
  put_share(tear, share, sizeof share);
  cq_log(ctx, CQ_LOG_WARNING,
         "the body comes apart: %s, the first of them at %.4g s%s; a softer load, a finer "
         "resolution or a "
         "limit on its stretch keep it whole",
         share, tear->since, others);
}

/* A result that is worth something as long as its bodies are whole. */
static bool may_be_torn(cq_status status) {
  return status == CQ_OK || status == CQ_BUDGET || status == CQ_NOT_STATIONARY ||
         status == CQ_OPTIMIZER;
}

cq_status cli_tear_judge(const cq_scene *scene, const cq_tear *tear, cq_status status,
                         char reason[CLI_TEAR_REASON]) {
  const double most = cq_scene_information(scene).torn_share;
  char share[192], text[CLI_TEAR_REASON + 320];
  if (tear->body == NULL || tear->share <= most || !may_be_torn(status)) {
    return status;
  }
  put_share(tear, share, sizeof share);
  snprintf(text, sizeof text, "%s: %s, more than %.3g %%%s%.255s", cq_status_text(CQ_TORN), share,
           100.0 * most, reason[0] != '\0' ? "; else " : "", reason);
  snprintf(reason, CLI_TEAR_REASON, "%.255s", text);
  return CQ_TORN;
}

void cli_tear_print(FILE *out, const cli_style *style, const cq_scene *scene, const cq_tear *tear) {
  char share[192];
  if (tear->body == NULL) {
    return;
  }
  const bool good = tear->share <= cq_scene_information(scene).torn_share;
  put_share(tear, share, sizeof share);
  fprintf(out, "\n%sTorn        %s%s%s%s, the first of them at %.4g s", style->bold, style->end,
          good ? style->fair : style->bad, share, style->end, tear->since);
}

void cli_tear_json(cq_json *json, const cq_tear *tear) {
  cq_json_number(json, "torn_share", tear->share);
  if (tear->body == NULL) {
    return;
  }
  cq_json_text(json, "torn_body", tear->body);
  cq_json_number(json, "torn_time", tear->time);
  cq_json_number(json, "torn_since", tear->since);
  cq_json_count(json, "torn_others", tear->others);
  if (tear->scenario >= 0) {
    cq_json_count(json, "torn_scenario", tear->scenario);
  }
}
