/* Why variables change nothing, by what a run shows. */
#include "block_kinds.h"
#include "engine_part.h"
#include "inactive.h"
#include "plural.h"

#include <math.h>
#include <string.h>

/* above it a tanh has no slope to speak of */
static const double saturated = 0.999;

/* --- held by walls -----------------------------------------------------------------------------
 */

static bool all_held(const cq_scene *scene, const cq_idle *idle) {
  for (int p = 0; p < scene->model.n_particles; p++) {
    if (idle->driven[p] && !scene->part->holds(scene, (size_t)p)) {
      return false;
    }
  }
  return idle->n_driven > 0;
}

/* --- bodies that do not meet -------------------------------------------------------------------
 */

static void bodies_of(const cq_scene *scene, const unsigned char *particles, bool *bodies) {
  for (int b = 0; b < scene->config.bodies.count && b < CQ_WITNESSED_BODIES; b++) {
    const cq_body *body = &scene->bodies[b];
    bodies[b] = memchr(particles + body->first, 1, (size_t)body->count) != NULL;
  }
}

/* Adds all that bodies act on by the state `last`, one through another. */
static void spread(const cq_witness *w, int last, bool *bodies) {
  const int n = w->n_bodies;
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < n * n; k++) {
      if (bodies[k / n] && !bodies[k % n] && w->met_at[k] >= 0 && w->met_at[k] < last) {
        bodies[k % n] = more = true;
      }
    }
  }
}

static bool share(const cq_witness *w, const bool *a, const bool *b) {
  for (int i = 0; i < w->n_bodies; i++) {
    if (a[i] && b[i]) {
      return true;
    }
  }
  return false;
}

/* The pair, one of each, with the least time of meeting (late) or distance; -1: none. */
static int choose_pair(const cq_witness *w, const bool *from, const bool *to, bool late) {
  const int n = w->n_bodies;
  int best = -1;
  for (int k = 0; k < n * n; k++) {
    if (from[k / n] && to[k % n] && (!late || w->met_at[k] >= 0) &&
        (best < 0 || (late ? w->met_at[k] < w->met_at[best] : w->nearest[k] < w->nearest[best]))) {
      best = k;
    }
  }
  return best;
}

/* Nothing that is driven came within reach of what is measured. */
static bool do_not_meet(const cq_witness *w, const cq_scope *scope, const cq_idle *idle, char *text,
                        size_t size) {
  const cq_scene *scene = w->scene;
  const double dt = scene->model.dt;
  bool from[CQ_WITNESSED_BODIES] = {false}, in_time[CQ_WITNESSED_BODIES], ever[CQ_WITNESSED_BODIES];
  bool to[CQ_WITNESSED_BODIES] = {false};
  bodies_of(scene, idle->driven, from);
  bodies_of(scene, scope->seen, to);
  if (w->n_bodies == 0 || idle->n_driven == 0 || share(w, from, to)) {
    return false;
  }
  memcpy(in_time, from, sizeof from);
  memcpy(ever, from, sizeof from);
  spread(w, scope->last, in_time);
  spread(w, scene->model.steps + 1, ever);
  if (share(w, in_time, to)) {
    return false;
  }
  const bool late = share(w, ever, to);
  bool others[CQ_WITNESSED_BODIES];
  for (int i = 0; i < CQ_WITNESSED_BODIES; i++) {
    others[i] = late ? !in_time[i] : to[i];
  }
  const int pair = choose_pair(w, in_time, others, late);
  if (pair < 0) {
    return false;
  }
  const char *a = scene->bodies[pair / w->n_bodies].keys->name;
  const char *b = scene->bodies[pair % w->n_bodies].keys->name;
  if (late) {
    snprintf(text, size, "\"%s\" meets \"%s\" at %.3g s, and the last time that counts is %.3g s",
             a, b, w->met_at[pair] * dt, scope->last * dt);
  } else {
    snprintf(text, size,
             "the bodies never meet: \"%s\" and \"%s\" are nearest at %.3g s, %.3g m apart", a, b,
             w->nearest_at[pair] * dt, w->nearest[pair]);
  }
  return true;
}

/* --- the answer --------------------------------------------------------------------------------
 */

static bool never_deformed(const cq_witness *w, const cq_idle *idle) {
  const cq_input *const input = idle->block->input;
  for (int p = 0; p < w->scene->model.n_particles; p++) {
    if (idle->driven[p] && w->deformed[p]) {
      return false;
    }
  }
  return idle->n_driven > 0 && input != NULL && input->elastic;
}

bool cq_witness_reason(const cq_witness *w, const cq_scope *scope, const cq_idle *idle, char *text,
                       size_t size, bool *expected) {
  *expected = false;
  if (idle->block->kind->type == &cq_block_controller && w->least_drive > saturated &&
      isfinite(w->least_drive)) {
    snprintf(text, size,
             "the controller is saturated: every control is beyond %g of its bound at all times",
             saturated);
    return true;
  }
  if (all_held(w->scene, idle)) {
    *expected = !idle->whole; /* a field goes on into its clamp */
    snprintf(text, size, "a wall holds %s particle%s",
             idle->n_driven == 1 ? "its" : (idle->whole ? "all its" : "all their"),
             cq_plural(idle->n_driven));
    return true;
  }
  if (do_not_meet(w, scope, idle, text, size)) {
    return true;
  }
  if (never_deformed(w, idle)) {
    snprintf(text, size, "%s never deformed",
             idle->n_driven == 1 ? "its particle is" : "its particles are");
    return true;
  }
  return false;
}
