/* adjoint.csv: the norms of a scene's adjoints and its contacts, step by step. */
#include "alloc.h"
#include "fresh.h"
#include "give.h"
#include "scene.h"
#include "status.h"

#include <string.h>

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
  return i == 0 ? "objective" : scene->objective.functions[i].terms->label;
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
  const cq_contact_summary sum = status == CQ_OK ? sum_up(&a) : (cq_contact_summary){.steps = 0};
  cq_free(of->ctx, a.norms);
  cq_free(of->ctx, a.contacts);
  return status == CQ_OK ? CQ_GIVE(scene->ctx, contacts, sum) : status;
}

bool cq_scene_wants_adjoint(const cq_scene *scene) {
  return scene->config.output.adjoint && scene->objective.n_seeds > 0;
}
