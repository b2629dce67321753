/* Health of a scene's gradient: how its adjoints grow backward in time, and how often contacts
 * change. */
#include "alloc.h"
#include "fresh.h"
#include "scenarios.h"
#include "status.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 24 }; /* at an adjoint, in an ordinary sweep */

static double duration(const cq_scene *scene) {
  return scene->model.steps * scene->model.dt;
}

/* --- growth ---------------------------------------------------------------------------------- */

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

cq_gradient_health cq_scene_gradient_health(const cq_scene *scene) {
  if (scene->scenarios != NULL) {
    return cq_scenarios_health(scene->scenarios);
  }
  const cq_scene *of = scene->evaluated != NULL ? scene->evaluated : scene;
  cq_gradient_health health = {.rate = NAN, .growth = NAN};
  for (int i = 0; i < of->objective.n_functions; i++) {
    const int s = of->objective.seeded[i];
    const double rate = s < of->objective.n_seeds ? cq_growth_rate(&of->growth[s]) : NAN;
    if (!isnan(rate) && !(rate <= health.rate)) {
      health = (cq_gradient_health){i, rate, exp(rate * duration(of))};
    }
  }
  return health;
}

/* --- every step ------------------------------------------------------------------------------ */

/* What a sweep showed at every state. */
typedef struct adjoints {
  const cq_scene *scene;
  cq_adjoint_norms *norms;    /* [steps + 1][n_seeds] */
  cq_contact_count *contacts; /* [steps] */
} adjoints;

static void keep(void *user, int state, const cq_adjoint_norms *norms,
                 const cq_contact_count *contacts) {
  const adjoints *a = user;
  const size_t n = (size_t)a->scene->objective.n_seeds;
  memcpy(a->norms + (size_t)state * n, norms, n * sizeof *norms);
  if (contacts != NULL) {
    a->contacts[state] = *contacts;
  }
}

static cq_contact_summary sum_up(const adjoints *a) {
  cq_contact_summary sum = {.steps = a->scene->model.steps};
  for (int k = 0; k < sum.steps; k++) {
    const cq_contact_count at = a->contacts[k];
    sum.spells += at.pressing > 0 && (k == 0 || a->contacts[k - 1].pressing == 0);
    sum.pressing += at.pressing > 0;
    sum.switching += at.switched > 0;
    sum.switches += at.switched;
  }
  return sum;
}

static const char *function_label(const cq_scene *scene, int i) {
  return i == 0 ? "objective" : cq_scene_constraint_label(scene, i - 1);
}

static void write_heading(const cq_scene *scene, FILE *file) {
  const cq_layout *layout = &scene->layout;
  fputs("step,time,pressing,switched", file);
  for (int i = 0; i < scene->objective.n_functions; i++) {
    const bool seeded = scene->objective.seeded[i] < scene->objective.n_seeds;
    for (int k = 0; seeded && k < layout->n_states; k++) {
      fprintf(file, ",%s.%s", function_label(scene, i), layout->inputs[k].name);
    }
  }
  fputc('\n', file);
}

static void write_row(const adjoints *a, int state, FILE *file) {
  const cq_objective *o = &a->scene->objective;
  const bool steps = state < a->scene->model.steps;
  const cq_contact_count c = steps ? a->contacts[state] : (cq_contact_count){0, 0};
  fprintf(file, "%d,%.17g,%d,%d", state, state * a->scene->model.dt, c.pressing, c.switched);
  for (int i = 0; i < o->n_functions; i++) {
    for (int k = 0; o->seeded[i] < o->n_seeds && k < a->scene->layout.n_states; k++) {
      fprintf(file, ",%.9g", a->norms[state * o->n_seeds + o->seeded[i]].of[k]);
    }
  }
  fputc('\n', file);
}

static cq_status write_file(const adjoints *a, const char *path) {
  cq_fresh fresh;
  CQ_TRY(cq_fresh_begin(a->scene->ctx, path, &fresh));
  write_heading(a->scene, fresh.out);
  for (int k = 0; k <= a->scene->model.steps; k++) {
    write_row(a, k, fresh.out);
  }
  return cq_fresh_end(&fresh, CQ_OK);
}

static cq_status sweep_and_write(adjoints *a, cq_scene *scene, const double *x, const char *path) {
  const cq_watch watch = {.every = 1, .contacts = true, .show = keep, .user = a};
  const size_t steps = (size_t)scene->model.steps;
  CQ_TRY(CQ_ALLOC(scene->ctx, a->norms, (steps + 1) * (size_t)scene->objective.n_seeds));
  CQ_TRY(CQ_ALLOC(scene->ctx, a->contacts, steps));
  CQ_TRY(cq_scene_sweep(scene, x, &watch));
  return write_file(a, path);
}

cq_status cq_scene_write_adjoint(cq_scene *scene, int level, const double *x, const char *path,
                                 cq_contact_summary *contacts) {
  cq_scene *of = scene;
  CQ_TRY(level > 0 ? cq_scene_refined(scene, level, &of) : CQ_OK);
  adjoints a = {.scene = of};
  const cq_status status = sweep_and_write(&a, of, x != NULL ? x : of->design.start, path);
  if (status == CQ_OK) {
    *contacts = sum_up(&a);
  }
  cq_free(of->ctx, a.norms);
  cq_free(of->ctx, a.contacts);
  return status;
}

bool cq_scene_wants_adjoint(const cq_scene *scene) {
  return scene->config.output.adjoint && scene->objective.n_seeds > 0;
}
