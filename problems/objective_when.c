/* Times at which a term is measured. */
#include "objective.h"
#include "scene.h"
#include "status.h"

#include <math.h>

/* a time this near to a state, in steps, is the state's */
static const double same = 1e-9;

cq_instant cq_instant_at(double time, double dt) {
  const double steps = time / dt;
  const double state = floor(steps + same * fmax(1.0, steps));
  const double ahead = steps - state;
  return (cq_instant){
      .step = (int)state,
      .ahead = ahead > same * fmax(1.0, steps) ? ahead : 0.0,
      .share = 1.0,
  };
}

static cq_status check_time(const cq_scene *scene, const cq_node *section, const char *key,
                            double time) {
  const double end = scene->model.dt * scene->model.steps;
  if (time <= end * (1.0 + same)) {
    return CQ_OK;
  }
  return cq_config_fail(scene->ctx, section, key, "%g s is after the end of the run, %g s", time,
                        end);
}

/* States first ... last, each with the same share. */
static cq_status add_states(cq_scene *scene, cq_term *term, int first, int last, double share) {
  term->n_instants = last - first + 1;
  CQ_TRY(CQ_ARENA(&scene->arena, term->instants, term->n_instants));
  for (int k = first; k <= last; k++) {
    term->instants[k - first] = (cq_instant){.step = k, .share = share};
  }
  return CQ_OK;
}

/* The states after `from`, up to `to`. */
static cq_status read_window(cq_scene *scene, cq_term *term) {
  const cq_term_keys *keys = term->keys;
  const double dt = scene->model.dt;
  CQ_KEY_CHECK(scene->ctx,
               keys->window.count == 2 && keys->window.values[0] < keys->window.values[1], keys,
               window, "must be [from, to] with from < to");
  CQ_TRY(check_time(scene, keys->node, "window", keys->window.values[1]));
  const int first = cq_instant_at(keys->window.values[0], dt).step + 1;
  const int last = cq_instant_at(keys->window.values[1], dt).step;
  CQ_KEY_CHECK(scene->ctx, first <= last, keys, window,
               "there is no state after %g s, up to %g s: states are %g s apart",
               keys->window.values[0], keys->window.values[1], dt);
  return add_states(scene, term, first, last, 1.0 / (last - first + 1));
}

/* The key `when` as instants with their shares. */
cq_status cq_term_read_when(cq_scene *scene, cq_term *term) {
  const cq_term_keys *keys = term->keys;
  const int steps = scene->model.steps;
  switch (keys->when) {
  case CQ_WHEN_RUNNING:
    return add_states(scene, term, 1, steps, scene->model.dt);
  case CQ_WHEN_WINDOW:
    return read_window(scene, term);
  case CQ_WHEN_AT:
    CQ_TRY(check_time(scene, keys->node, "time", keys->time));
    CQ_TRY(add_states(scene, term, 0, 0, 1.0));
    term->instants[0] = cq_instant_at(keys->time, scene->model.dt);
    return CQ_OK;
  default:
    return add_states(scene, term, steps, steps, 1.0);
  }
}
