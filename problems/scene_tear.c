#include "scene_tear.h"

#include "alloc.h"
#include "give.h"
#include "status.h"

enum { LOOKS = 50 }; /* at a run that fails if a body tears, beside its start */

/* --- looking -----------------------------------------------------------------------------------
 */

static cq_status bind(cq_tears *t, const double *x) {
  const cq_scene *const scene = t->scene;
  const int n = scene->config.bodies.count, dim = scene->model.dim;
  CQ_TRY(CQ_ALLOC(scene->ctx, t->bonds, n));
  CQ_TRY(CQ_ALLOC(scene->ctx, t->bodies, n));
  for (int i = 0; i < n; i++) {
    const cq_body *const body = &scene->bodies[i];
    if (!body->flows) {
      CQ_TRY(cq_bonds_create(scene->ctx, dim, scene->model.length,
                             x + (size_t)body->first * (size_t)dim, body->count, &t->bonds[i]));
    }
  }
  return CQ_OK;
}

/* In a run that begins in a state, bodies are at rest where the file has them. */
cq_status cq_tears_begin(const cq_scene *scene, const double *inputs, cq_tears *tears) {
  const bool moved = scene->config.simulation.start_state.rows > 0;
  *tears = (cq_tears){.scene = scene};
  return bind(tears, moved ? scene->x : inputs + cq_layout_offset(&scene->layout, "x"));
}

void cq_tears_end(cq_tears *t) {
  if (t->scene == NULL) {
    return;
  }
  for (int i = 0; t->bonds != NULL && i < t->scene->config.bodies.count; i++) {
    cq_bonds_destroy(&t->bonds[i]);
  }
  cq_free(t->scene->ctx, t->bonds);
  cq_free(t->scene->ctx, t->bodies);
  *t = (cq_tears){.scene = NULL};
}

/* The share that each body has lost, when it began, and when it was most. */
void cq_tears_look(cq_tears *t, int step, const double *state) {
  const cq_scene *const scene = t->scene;
  const double *const x = state + cq_layout_offset(&scene->layout, "x");
  const double time = step * scene->model.dt;
  for (int i = 0; i < scene->config.bodies.count; i++) {
    cq_bonds *const bonds = &t->bonds[i];
    cq_body_tear *const body = &t->bodies[i];
    const size_t first = (size_t)scene->bodies[i].first * (size_t)scene->model.dim;
    const int lost = bonds->count > 0 ? cq_bonds_lost(bonds, x + first) : 0;
    const double share = lost > 0 ? (double)lost / bonds->count : 0.0;
    if (share > 0.0 && body->share == 0.0) {
      body->since = time;
    }
    if (share > body->share) {
      body->share = share;
      body->time = time;
    }
  }
}

/* The body that lost the largest share, and how many others tore. */
cq_tear cq_tears_worst(const cq_tears *t) {
  cq_tear worst = {.scenario = -1};
  int torn = 0;
  for (int i = 0; i < t->scene->config.bodies.count; i++) {
    const cq_body_tear *const body = &t->bodies[i];
    torn += body->share > 0.0;
    if (body->share > worst.share) {
      worst.body = t->scene->bodies[i].keys->name;
      worst.share = body->share;
      worst.time = body->time;
      worst.since = body->since;
    }
  }
  worst.others = torn > 0 ? torn - 1 : 0;
  return worst;
}

/* --- a scene's answer --------------------------------------------------------------------------
 */

cq_tear cq_tear_of(const cq_scene *scene, const cq_scene *other, cq_tear tear) {
  for (int i = 0; i < other->config.bodies.count; i++) {
    if (tear.body == other->bodies[i].keys->name) {
      tear.body = scene->bodies[i].keys->name;
      break;
    }
  }
  return tear;
}

cq_status cq_scene_get_tear(const cq_scene *scene, cq_tear *out) {
  return CQ_GIVE(scene->ctx, out, scene->tear);
}

/* --- a run that fails --------------------------------------------------------------------------
 */

typedef struct refusal {
  cq_scene *scene;
  cq_tears tears;
} refusal;

/* Stops a run whose bodies tear. */
static cq_status refuse(void *user, int step, const double *state) {
  refusal *const r = user;
  cq_scene *const scene = r->scene;
  const double most = scene->config.simulation.torn_share;
  CQ_TRY(cq_ctx_stop_requested(scene->ctx));
  cq_tears_look(&r->tears, step, state);
  const cq_tear tear = cq_tears_worst(&r->tears);
  if (tear.share <= most) {
    return CQ_OK;
  }
  scene->torn_step = step;
  return CQ_FAIL(scene->ctx, CQ_TEARS,
                 "step %d: body \"%s\" tears: %.3g %% of its particles have lost their neighbours, "
                 "more than simulation.torn_share = %g",
                 step, tear.body, 100.0 * tear.share, most);
}

static cq_status watch_run(cq_scene *scene, refusal *r) {
  int steps[LOOKS + 1];
  const int n = cq_scene_frame_steps(scene, LOOKS, steps);
  CQ_TRY(cq_tears_begin(scene, scene->current, &r->tears));
  return cq_sim_visit(scene->sim, scene->current, steps, n, refuse, r);
}

cq_status cq_scene_refuse_tear(cq_scene *scene) {
  refusal r = {.scene = scene};
  scene->torn_step = -1;
  if (scene->config.simulation.on_tear != CQ_ON_TEAR_FAIL ||
      cq_sim_has_run(scene->sim, scene->current)) {
    return CQ_OK;
  }
  const cq_status status = watch_run(scene, &r);
  cq_tears_end(&r.tears);
  return status;
}
