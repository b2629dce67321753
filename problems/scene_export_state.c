/* The state of a run at a time, as a file for simulation.start_file. */
#include "alloc.h"
#include "engine.h"
#include "fresh.h"
#include "scene_start.h"
#include "status.h"

#include <math.h>

typedef struct writing {
  cq_scene *scene;
  const char *path;
} writing;

static void put_names(const cq_csv_column *columns, int n, FILE *out) {
  for (int i = 0; i < n; i++) {
    fprintf(out, "%s%s", i > 0 ? "," : "", columns[i].name);
  }
  fputc('\n', out);
}

/* A row a particle. */
static void put_rows(const cq_scene *scene, const double *state, FILE *out) {
  for (size_t p = 0; p < (size_t)scene->model.n_particles; p++) {
    const char *comma = "";
    for (int b = 0; b < scene->layout.n_states; b++) {
      size_t n = 0;
      const size_t at = cq_start_place(scene, b, p, &n);
      for (size_t i = 0; i < n; i++, comma = ",") {
        fprintf(out, "%s%.17g", comma, state[at + i]);
      }
    }
    fputc('\n', out);
  }
}

/* A row a mean, where the state has some. */
static cq_status put_means(const cq_scene *scene, const double *state, FILE *out) {
  cq_csv_column columns[CQ_MOST_STATE_COLUMNS];
  cq_means means = {0};
  int n = 0;
  cq_start_mean_columns(scene, columns, &n);
  cq_sim_means(scene->sim, state, &means);
  if (means.n == 0) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, means.rows, means.n * n));
  cq_sim_means(scene->sim, state, &means);
  fputs("[" CQ_MEANS_PART "]\n", out);
  put_names(columns, n, out);
  for (int i = 0; i < means.n * n; i++) {
    fprintf(out, "%.17g%c", means.rows[i], (i + 1) % n == 0 ? '\n' : ',');
  }
  cq_free(scene->ctx, means.rows);
  return CQ_OK;
}

static cq_status put_state(void *user, int step, const double *state) {
  const writing *const w = user;
  cq_csv_column columns[CQ_MOST_STATE_COLUMNS];
  cq_fresh file;
  int n = 0;
  CQ_TRY(cq_start_columns(w->scene, columns, &n));
  CQ_TRY(cq_fresh_begin(w->scene->ctx, w->path, &file));
  fprintf(file.out, "# state of %s after step %d, %.10g s\n", cq_scene_name(w->scene), step,
          step * w->scene->model.dt);
  put_names(columns, n, file.out);
  put_rows(w->scene, state, file.out);
  return cq_fresh_end(&file, put_means(w->scene, state, file.out));
}

cq_status cq_scene_export_state(cq_scene *scene, const double *x, double time, const char *path) {
  const cq_model *const model = &scene->model;
  const double steps = round(time / model->dt);
  writing w = {scene, path};
  CQ_CHECK(scene->ctx, steps >= 0.0 && steps <= model->steps, CQ_USAGE,
           "there is no state at %g s: %s ends at %g s", time, cq_scene_name(scene),
           model->steps * model->dt);
  CQ_CHECK(scene->ctx, fabs(time / model->dt - steps) < 1e-6, CQ_USAGE,
           "there is no state at %g s: it is at %g or %g s, after a whole step", time,
           floor(time / model->dt) * model->dt, ceil(time / model->dt) * model->dt);
  CQ_CHECK(scene->ctx, !cq_start_has_rigid(scene), CQ_CONFIG,
           "%s has rigid bodies, whose state is no particle's and cannot be written",
           cq_scene_name(scene));
  const int step = (int)steps;
  cq_scene_take_design(scene, x != NULL ? x : cq_scene_problem(scene)->start, scene->current);
  return cq_sim_visit(scene->sim, scene->current, &step, 1, put_state, &w);
}
