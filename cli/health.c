#include "health.h"

#include "aside.h"
#include "plural.h"
#include "status.h"

#include <math.h>

/* Above it a warning. A change of the state at the start by a billionth is one by a thousandth at
 * the end then, and what a design does a little earlier or later decides where the motion ends. */
static const double explodes = 1e4;

/* The growth at the best design and the fastest of all; replayed evaluations have none. */
void cli_health_note(cli_health *h, const cq_scene *scene, const cq_evaluation *e) {
  if (!e->has_gradient || e->status != CQ_OK || e->replayed) {
    return;
  }
  const cq_gradient_health now = cq_scene_gradient_health(scene);
  if (isnan(now.rate)) {
    return;
  }
  if (e->is_best) {
    h->best = now;
    h->best_index = e->index;
  }
  if (h->worst_index == 0 || now.rate > h->worst.rate) {
    h->worst = now;
    h->worst_index = e->index;
  }
}

static const char *name_of(const cq_scene *scene, int function) {
  return function == 0 ? "the objective" : cq_scene_constraint_label(scene, function - 1);
}

static void warn(const cli_session *session, const cli_health *h) {
  const char *const instead = cq_scene_gradient_instead(session->scene);
  if (h->best_index > 0 && h->best.growth > explodes) {
    cq_log(
        session->ctx, CQ_LOG_WARNING,
        "the gradient of %s grows %.2g-fold backward in time (%.3g per s): where the motion ends "
        "depends on its beginning too strongly for a gradient to point far; fewer "
        "simulation.steps, damping%s%s%s or optimizer.clip help, output.adjoint = true shows where",
        name_of(session->scene, h->best.function), h->best.growth, h->best.rate,
        instead != NULL ? ", simulation.gradient = \"" : "", instead != NULL ? instead : "",
        instead != NULL ? "\"" : "");
  }
}

/* adjoint.csv, if it is wanted; a simulation that fails leaves it out. */
cq_status cli_health_write(cli_session *session, int refinement, const double *x, cli_health *h) {
  const bool was_clean = cq_ctx_status(session->ctx) == CQ_OK;
  char path[CLI_PATH], why[256];
  if (!cq_scene_wants_adjoint(session->scene)) {
    return CQ_OK;
  }
  cli_folder_path(&session->folder, "adjoint.csv", path, sizeof path);
  h->contacts.struct_size = sizeof h->contacts;
  cli_folder_deafen(&session->folder, true);
  const cq_status status =
      cq_scene_write_adjoint(session->scene, refinement, x, path, &h->contacts);
  cli_folder_deafen(&session->folder, false);
  h->with_file = status == CQ_OK;
  if (status == CQ_OK || status == CQ_IO) {
    return status;
  }
  cli_aside_take_error(session->ctx, was_clean, status, why);
  cq_log(session->ctx, CQ_LOG_WARNING, "no adjoint.csv: %s", why);
  return CQ_OK;
}

cq_status cli_health_finish(cli_session *session, const cli_outcome *o, cli_health *h) {
  warn(session, h);
  CQ_TRY(cli_outgrown_find(session, o, &h->outgrown));
  return cli_health_write(session, o->best_refinement, o->best, h);
}

void cli_health_print_growth(FILE *out, const cli_style *style, const cq_scene *scene,
                             const cq_gradient_health *g) {
  const bool grows = g->rate >= 0.0;
  if (g->function > 0) {
    fprintf(out, "that of %s ", name_of(scene, g->function));
  }
  fprintf(out, "%s %s%.3g-fold%s backward in time (%.3g per s)", grows ? "grows" : "shrinks",
          g->growth > explodes ? style->fair : "", grows ? g->growth : 1.0 / g->growth,
          g->growth > explodes ? style->end : "", fabs(g->rate));
}

void cli_health_print(FILE *out, const cli_style *style, const cli_health *h,
                      const cli_outcome *o) {
  cli_outgrown_print(out, style, &h->outgrown);
  if (h->best_index == 0) {
    return;
  }
  fprintf(out, "\n%sGradient    %s", style->bold, style->end);
  cli_health_print_growth(out, style, o->scene, &h->best);
  if (h->best_index != o->best_index) {
    fprintf(out, " at evaluation %d", h->best_index);
  }
  if (h->worst_index != h->best_index) {
    fprintf(out, ", at most %.3g-fold", h->worst.growth);
  }
  cli_health_print_contacts(out, style, h);
}

void cli_health_print_contacts(FILE *out, const cli_style *style, const cli_health *h) {
  const cq_contact_summary *const c = &h->contacts;
  if (h->with_file) {
    fprintf(out, "\n%sContacts    %s", style->bold, style->end);
    fprintf(out, "in %d of %d steps, %d spell%s; %lld switch%s of a node, in %d step%s",
            c->pressing, c->steps, c->spells, cq_plural(c->spells), c->switches,
            c->switches == 1 ? "" : "es", c->switching, cq_plural(c->switching));
  }
}

void cli_health_json(cq_json *json, const cli_health *h) {
  if (h->best_index > 0) {
    cq_json_number(json, "gradient_growth", h->best.growth);
    cq_json_number(json, "gradient_growth_rate", h->best.rate);
    cq_json_count(json, "gradient_growth_evaluation", h->best_index);
    cq_json_number(json, "gradient_growth_worst", h->worst.growth);
  }
  cli_outgrown_json(json, &h->outgrown);
  if (h->with_file) {
    cq_json_count(json, "contact_spells", h->contacts.spells);
    cq_json_count(json, "contact_steps", h->contacts.pressing);
    cq_json_count(json, "contact_switches", h->contacts.switches);
    cq_json_count(json, "contact_switch_steps", h->contacts.switching);
  }
}
