/* How the adjoints of a scene grow backward in time. */
#include "scene.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 24 }; /* at an adjoint, in an ordinary sweep */

static double duration(const cq_scene *scene) {
  return scene->model.steps * scene->model.dt;
}

/* The last state does not count: there a running term has begun to add up. */
static void note_growth(void *user, int state, const cq_adjoint_norms *norms,
                        const cq_contact_count *contacts) {
  cq_scene *scene = user;
  const int x = cq_layout_find(&scene->layout, "x"), v = cq_layout_find(&scene->layout, "v");
  (void)contacts;
  for (int s = 0; state < scene->model.steps && s < scene->objective.n_seeds; s++) {
    cq_growth_add(&scene->growth[s], (scene->model.steps - state) * scene->model.dt,
                  duration(scene), norms[s].of[x], norms[s].of[v]);
  }
}

cq_watch cq_scene_watch_growth(cq_scene *scene) {
  memset(scene->growth, 0, (size_t)scene->objective.n_seeds * sizeof *scene->growth);
  return (cq_watch){
      .every = (scene->model.steps + LOOKS - 1) / LOOKS, .show = note_growth, .user = scene};
}

cq_gradient_health cq_scene_own_health(const cq_scene *scene) {
  const cq_scene *of = cq_scene_latest(scene);
  cq_gradient_health health = {.rate = NAN, .growth = NAN};
  for (int i = 0; i < of->objective.n_functions; i++) {
    const int s = of->objective.seeded[i];
    const double rate = s < of->objective.n_seeds ? cq_growth_rate(&of->growth[s]) : NAN;
    if (!isnan(rate) && !(rate <= health.rate)) {
      health =
          (cq_gradient_health){.function = i, .rate = rate, .growth = exp(rate * duration(of))};
    }
  }
  return health;
}
