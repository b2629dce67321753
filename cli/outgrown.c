#include "outgrown.h"

#include "aside.h"
#include "graded.h"
#include "status.h"

#include <math.h>

/* The word of the problem's own gradient. */
static const char *word_of(const cq_scene *scene) {
  const cq_gradient_kind kind = cq_scene_problem(scene)->gradient;
  cq_gradient_kind other = CQ_GRADIENT_NONE;
  const char *word = NULL;
  for (int i = 0; (word = cq_scene_gradient_word(scene, i, &other)) != NULL && other != kind;) {
    i++;
  }
  return word;
}

/* The ratio at x; NAN where one of the two cannot be made. */
static cq_status find_at(cli_session *session, const char *word, const char *instead,
                         const double *x, double *ratio) {
  cli_graded exact = {.g = NULL}, beside = {.g = NULL};
  cq_status status = cli_graded_find(session, word, 0, x, &exact);
  status = status == CQ_OK ? cli_graded_find(session, instead, 0, x, &beside) : status;
  if (status == CQ_OK) {
    *ratio = cli_graded_ratio(&exact, &beside, cq_scene_problem(session->scene)->n);
  }
  cli_graded_free(session, &exact);
  cli_graded_free(session, &beside);
  return status;
}

/* At the start, too: at a best design what is exact may vanish, in a hollow of a rough objective.
 */
cq_status cli_outgrown_find(cli_session *session, const cli_outcome *o, cli_outgrown *out) {
  *out = (cli_outgrown){.instead = cq_scene_gradient_instead(session->scene)};
  if (out->instead == NULL || !cli_graded_is_exact(o->problem->gradient) || o->best_index == 0 ||
      cli_aside_exceeds_time(o)) {
    return CQ_OK;
  }
  const char *const word = word_of(session->scene);
  double start = NAN, best = NAN;
  CQ_TRY(find_at(session, word, out->instead, o->problem->start, &start));
  CQ_TRY(find_at(session, word, out->instead, o->best, &best));
  const bool at_start = start > best || !(best > 0.0);
  out->ratio = fmax(0.0, at_start ? start : best); /* of NAN: 0 */
  out->at_start = at_start;
  if (out->ratio > CLI_OUTGROWN) {
    out->warned = true;
    cq_log(session->ctx, CQ_LOG_WARNING,
           "at the %s the gradient \"%s\" is %.3g times as long as \"%s\": over so many steps it "
           "tells how chaotic the run is, not where a better design lies; take "
           "simulation.gradient = \"%s\" (gradcheck --grades shows how far it is of use)",
           at_start ? "start" : "best design", word, out->ratio, out->instead, out->instead);
  }
  return CQ_OK;
}

void cli_outgrown_print(FILE *out, const cli_style *style, const cli_outgrown *g) {
  if (g->ratio > 0.0) {
    fprintf(out, "\n%sGrade       %s%s%.3g%s times as long as \"%s\" at the %s", style->bold,
            style->end, g->warned ? style->fair : "", g->ratio, g->warned ? style->end : "",
            g->instead, g->at_start ? "start" : "best design");
    if (g->warned) {
      fprintf(out, ": outgrown, take \"%s\"", g->instead);
    }
  }
}

void cli_outgrown_json(cq_json *json, const cli_outgrown *g) {
  if (g->ratio > 0.0) {
    cq_json_number(json, "gradient_to_heuristic", g->ratio);
    cq_json_text(json, "gradient_heuristic", g->instead);
  }
}
