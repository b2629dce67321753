#include "inactive.h"

#include "alloc.h"
#include "aside.h"
#include "status.h"

#include <math.h>
#include <string.h>

cq_status cli_inactive_create(cq_ctx *ctx, const cq_scene *scene, cli_inactive *out) {
  *out = (cli_inactive){.ctx = ctx, .scene = scene};
  return CQ_ALLOC(ctx, out->acts, cq_scene_problem(scene)->n);
}

void cli_inactive_destroy(cli_inactive *inactive) {
  cq_free(inactive->ctx, inactive->acts);
  *inactive = (cli_inactive){.ctx = inactive->ctx};
}

/* A slope that is lost in the rounding of its function, or of its other slopes, is none. */
static void note_row(cli_inactive *h, double value, const double *row) {
  const cq_problem *const problem = cq_scene_problem(h->scene);
  const double rounding = cq_scene_information(h->scene).bits == 64 ? 1e-14 : 1e-9;
  double size = fabs(value);
  for (int i = 0; i < problem->n; i++) {
    size = fmax(size, fabs(row[i]) * (problem->scale != NULL ? problem->scale[i] : 1.0));
  }
  for (int i = 0; i < problem->n; i++) {
    const double slope = fabs(row[i]) * (problem->scale != NULL ? problem->scale[i] : 1.0);
    h->acts[i] = h->acts[i] || slope > rounding * size;
  }
}

void cli_inactive_note(cli_inactive *h, const cq_evaluation *e) {
  if (!e->has_gradient || e->status != CQ_OK) {
    return;
  }
  h->gradients++;
  note_row(h, e->f, e->grad);
  for (int i = 0; i < e->n_constraints; i++) {
    note_row(h, e->c[i], e->jac + (size_t)i * (size_t)e->n);
  }
}

/* How many variables of which block, and why, as far as that is known. */
const char *cli_inactive_sentence(const cq_scene *scene, const cq_inactive *item,
                                  char text[CLI_SENTENCE]) {
  const cq_block_info block = cq_scene_block(scene, item->block);
  char what[160];
  if (item->count == block.count) {
    snprintf(what, sizeof what, "%.120s changes nothing", block.name);
  } else {
    snprintf(what, sizeof what, "%d of %d variables of %.100s change%s nothing", item->count,
             block.count, block.name, item->count == 1 ? "s" : "");
  }
  snprintf(text, CLI_SENTENCE, "%s%s%s", what,
           item->expected            ? ", as it should be: "
           : item->reason[0] != '\0' ? ": "
                                     : "; why was not found",
           item->reason);
  return text;
}

static bool all_inactive(const cli_inactive *h, const cli_outcome *o) {
  int idle = 0;
  for (int i = 0; i < h->count; i++) {
    idle += h->items[i].count;
  }
  for (int i = 0; i < o->n; i++) {
    idle += o->problem->lower[i] >= o->problem->upper[i]; /* it is held */
  }
  return h->count > 0 && idle == o->n;
}

/* Where there is no room, the last clause of the reason makes way: why is worth more than how. */
static void append(char reason[256], const char *sentence) {
  char *const last = strrchr(reason, ';');
  if (strlen(reason) + strlen(sentence) + 3 > 256 && last != NULL) {
    *last = '\0';
  }
  const size_t used = strlen(reason);
  if (used + strlen(sentence) + 3 <= 256) {
    snprintf(reason + used, 256 - used, "; %s", sentence);
  }
}

/* What is as it should be is no warning. */
static void tell(const cli_session *session, const cli_inactive *h, cli_outcome *o) {
  char text[CLI_SENTENCE];
  for (int i = 0; i < h->count; i++) {
    cq_log(session->ctx, h->items[i].expected ? CQ_LOG_INFO : CQ_LOG_WARNING, "%s",
           cli_inactive_sentence(h->scene, &h->items[i], text));
  }
  if (all_inactive(h, o)) {
    append(o->result.reason, cli_inactive_sentence(h->scene, &h->items[0], text));
  }
}

/* Asks once the method has ended, of those that had no slope in any gradient. */
void cli_inactive_find(cli_session *session, cli_outcome *o, cli_inactive *h) {
  const bool was_clean = cq_ctx_status(session->ctx) == CQ_OK;
  if (h->gradients == 0 || o->best_index == 0 || cli_aside_exceeds_time(o)) {
    return;
  }
  h->items[0].struct_size = sizeof h->items[0];
  cli_folder_deafen(&session->folder, true);
  const cq_status status =
      cq_scene_inactive(session->scene, o->best_refinement, o->best, h->acts, CQ_ALL_FUNCTIONS,
                        CLI_MOST_INACTIVE, h->items, &h->count);
  cli_folder_deafen(&session->folder, false);
  if (status != CQ_OK) {
    char why[256];
    cli_aside_take_error(session->ctx, was_clean, status, why);
    cq_log(session->ctx, CQ_LOG_WARNING, "which variables change nothing is not known: %s", why);
  }
  tell(session, h, o);
}

void cli_inactive_print(FILE *out, const cli_style *style, const cli_inactive *h) {
  char text[CLI_SENTENCE];
  for (int i = 0; i < h->count; i++) {
    const bool expected = h->items[i].expected;
    fprintf(out, "\n%sInactive    %s%s%s%s", style->bold, style->end,
            expected ? style->dim : style->fair,
            cli_inactive_sentence(h->scene, &h->items[i], text), style->end);
  }
}

void cli_inactive_json(cq_json *json, const cli_inactive *h) {
  if (h->count == 0) {
    return;
  }
  char text[CLI_SENTENCE];
  cq_json_open(json, "inactive", '[');
  for (int i = 0; i < h->count; i++) {
    cq_json_text(json, NULL, cli_inactive_sentence(h->scene, &h->items[i], text));
  }
  cq_json_shut(json, '[');
}
