/* A scene in words. */
#include "engine_part.h"
#include "plural.h"
#include "scene.h"
#include "status.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void describe_size(const cq_scene *scene, FILE *out) {
  const cq_model *m = &scene->model;
  const char *title = cq_scene_title(scene);
  fprintf(out, "%s%s%s\n", cq_scene_name(scene), title[0] != '\0' ? ": " : "", title);
  fprintf(out, "  %dD, %s precision, %d particle%s, %d step%s of %g s\n", m->dim,
          m->bits == 64 ? "double" : "float", m->n_particles, cq_plural(m->n_particles), m->steps,
          cq_plural(m->steps), m->dt);
  scene->part->describe(scene, out);
}

/* How far the cells of a lattice are from the volume of the shape. */
static void describe_lattice(const cq_body *b, FILE *out) {
  double cells = b->count;
  for (int a = 0; a < b->lattice.dim; a++) {
    cells *= b->lattice.spacing[a];
  }
  const double error = 100.0 * (cells / b->shape_volume - 1.0);
  if (b->lattice.dim > 0 && fabs(error) >= 0.05) {
    fprintf(out, ", lattice cells %+.1f %% of its volume", error);
  }
}

/* What stands of a body behind its name. */
static void describe_body(const cq_scene *scene, const cq_body *b, FILE *out) {
  fprintf(out, ": %d particle%s, ", b->count, cq_plural(b->count));
  scene->part->describe_body(scene, b, out);
  fputs(", density ", out);
  cq_body_describe_property(b, CQ_OWN_DENSITY, b->density, out);
  fprintf(out, " kg/m^%d", scene->model.dim);
  describe_lattice(b, out);
  fputc('\n', out);
}

enum { LINE = 512 }; /* of it, as far as bodies are compared */

static cq_status line_of(const cq_scene *scene, int body, char line[LINE]) {
  memset(line, 0, LINE);
  FILE *const out = fmemopen(line, LINE - 1, "w");
  CQ_CHECK(scene->ctx, out != NULL, CQ_MEMORY, "out of memory");
  describe_body(scene, &scene->bodies[body], out);
  fclose(out);
  return CQ_OK;
}

/* A line a body; those that follow each other and differ in their names alone share one. */
static cq_status describe_bodies(const cq_scene *scene, FILE *out) {
  const int count = scene->config.bodies.count;
  char line[2][LINE];
  for (int i = 0, n = 1; i < count; i += n) {
    const char *const name = scene->bodies[i].keys->name;
    CQ_TRY(line_of(scene, i, line[0]));
    for (n = 1; i + n < count; n++) {
      CQ_TRY(line_of(scene, i + n, line[1]));
      if (strcmp(line[0], line[1]) != 0) {
        break;
      }
    }
    if (n == 1) {
      fprintf(out, "  body %s", name);
    } else {
      fprintf(out, "  %d bodies %s .. %s, each", n, name, scene->bodies[i + n - 1].keys->name);
    }
    describe_body(scene, &scene->bodies[i], out);
  }
  return CQ_OK;
}

static void describe_time_step(const cq_scene *scene, FILE *out) {
  if (scene->stable_for != NULL) {
    fprintf(out, "  time step: %.3g of the largest stable one, %g s (body %s)\n",
            scene->model.dt / scene->stable_dt, scene->stable_dt, scene->stable_for->keys->name);
  }
}

/* "1" or "1..3" */
static void describe_range(FILE *out, const double *values, int count) {
  double least = values[0], largest = values[0];
  for (int i = 1; i < count; i++) {
    least = fmin(least, values[i]);
    largest = fmax(largest, values[i]);
  }
  fprintf(out, "%g", least);
  if (largest > least) {
    fprintf(out, "..%g", largest);
  }
}

/* Its blocks: how many variables, where they start, and their bounds. */
static void describe_design(const cq_scene *scene, FILE *out) {
  fprintf(out, "  %d design variable%s\n", scene->design.n, cq_plural(scene->design.n));
  for (int i = 0; i < scene->design.n_blocks; i++) {
    const cq_block *b = &scene->design.blocks[i];
    fprintf(out, "    %s [%s]: %d variable%s, start ", b->name, b->unit, b->count,
            cq_plural(b->count));
    describe_range(out, b->start, b->count);
    if (isinf(b->lower[0]) && isinf(b->upper[0])) {
      fputs(", no bounds\n", out);
      continue;
    }
    fputs(", bounds ", out);
    describe_range(out, b->lower, b->count);
    fputs(" to ", out);
    describe_range(out, b->upper, b->count);
    fputc('\n', out);
  }
}

/* Objective and constraints, as they stand in tables. */
static void describe_functions(const cq_scene *scene, FILE *out) {
  const cq_objective *o = &scene->objective;
  fputs("  objective:", out);
  for (int i = 0; i < o->functions[0].n_terms; i++) {
    const cq_term *t = &o->functions[0].terms[i];
    fputs(i > 0 ? " +" : "", out);
    if (t->weight != 1.0) {
      fprintf(out, " %g *", t->weight);
    }
    fprintf(out, " %s", t->label);
    if (t->keys->when > CQ_WHEN_END) {
      fprintf(out, " (%s)", CQ_WORD(t->keys, when));
    }
  }
  fputs(o->functions[0].n_terms == 0 ? " none (any feasible point)\n" : "\n", out);
  for (int i = 1; i < o->n_functions; i++) {
    const cq_constraint_info info = cq_scene_constraint(scene, i - 1, 0.0);
    fprintf(out, "  constraint: %s %s %g\n", cq_scene_constraint_label(scene, i - 1), info.relation,
            info.bound);
  }
}

/* How many, how they are combined, and what each of a few of them sets. */
static cq_status describe_scenarios(const cq_scene *scene, FILE *out) {
  enum { MOST = 12, SOME = 3 };
  const cq_scenarios_info s = cq_scene_scenarios(scene);
  char settings[400];
  if (s.count == 0) {
    return CQ_OK;
  }
  fprintf(out, "  %d scenario%s, ", s.count, cq_plural(s.count));
  if (strcmp(s.combine, "batch") == 0) {
    fprintf(out, "%d drawn for each evaluation; the objective is their mean\n", s.evaluated);
  } else {
    fprintf(out, "the objective is %s\n",
            strcmp(s.combine, "mean") == 0 ? "their mean" : "that of the worst");
  }
  const int told = s.count > MOST ? SOME : s.count;
  for (int k = 0; k < told; k++) {
    CQ_TRY(cq_scene_scenario_settings(scene, k, settings, sizeof settings));
    fprintf(out, "    %d: %s\n", k, settings);
  }
  if (told < s.count) {
    fprintf(out, "    and %d more\n", s.count - told);
  }
  return CQ_OK;
}

static void describe_gradient(const cq_scene *scene, FILE *out) {
  const cq_gradient_kind kind = cq_scene_problem(scene)->gradient;
  if (kind != CQ_GRADIENT_EXACT_REVERSE) {
    fprintf(out, "  gradient: %s\n", cq_gradient_kind_name(kind));
  }
}

/* Of a method that takes its steps from them. */
static void describe_residuals(const cq_scene *scene, FILE *out) {
  const cq_problem *const problem = cq_scene_problem(scene);
  if (problem->jacobian_way != NULL &&
      strcmp(cq_scene_optimizer(scene)->name, "gauss_newton") == 0) {
    fprintf(out, "  %d residuals, derivatives by %s\n", problem->n_residuals,
            problem->jacobian_way);
  }
}

/* What a state takes, and how many there is room for. */
static void describe_memory(const cq_scene *scene, FILE *out) {
  const cq_sim_stats *stats = cq_sim_statistics(scene->sim);
  const int all = scene->model.steps + 1;
  const double mib = 0x1p20, observed = (double)stats->z_bytes / mib;
  char beside[64] = "", again[96] = "";
  long long replayed = 0;
  if (!cq_sim_sweeps(scene->sim)) {
    fprintf(out, "  memory: a state takes %.3g MiB, and the gradient needs none to be stored\n",
            (double)stats->state_bytes / mib);
    return;
  }
  if (observed >= 0.1) {
    snprintf(beside, sizeof beside, ", beside %.3g MiB of observations", observed);
  }
  if (stats->memo_states < all && cq_sim_planned(scene->sim, &replayed) == CQ_OK) {
    snprintf(again, sizeof again, "; the gradient runs steps again: %.2g forward runs in all",
             (double)replayed / scene->model.steps);
  }
  fprintf(out, "  memory: a state takes %.3g MiB, %d of %d are stored (%.1f of %.0f MiB%s)%s\n",
          (double)stats->state_bytes / mib, stats->memo_states, all,
          (double)stats->memo_bytes / mib, (double)scene->model.memory / mib, beside, again);
}

/* What is simulated. */
static cq_status describe_run(const cq_scene *scene, FILE *out) {
  describe_size(scene, out);
  CQ_TRY(describe_bodies(scene, out));
  describe_time_step(scene, out);
  return CQ_OK;
}

/* Each experiment as a scene, with its own terms and memory. */
static cq_status describe_experiments(const cq_scene *scene, FILE *out) {
  const cq_joined *const joined = scene->joined;
  fprintf(out, "%s: %d experiment%s; the objective is the sum of theirs\n", cq_scene_name(scene),
          joined->count, cq_plural(joined->count));
  for (int k = 0; k < joined->count; k++) {
    const cq_experiment *const e = &joined->all[k];
    fprintf(out, "experiment %s, weight %g: ", e->name, e->weight);
    CQ_TRY(describe_run(e->scene, out));
    describe_functions(e->scene, out);
    describe_memory(e->scene, out);
  }
  fprintf(out, "all of them\n");
  describe_design(scene, out);
  describe_gradient(scene, out);
  describe_residuals(scene, out);
  return CQ_OK;
}

cq_status cq_scene_describe(const cq_scene *scene, FILE *out) {
  if (scene->joined != NULL) {
    CQ_TRY(describe_experiments(scene, out));
    CQ_CHECK(scene->ctx, !ferror(out), CQ_IO, "cannot write: %s", strerror(errno));
    return CQ_OK;
  }
  CQ_TRY(describe_run(scene, out));
  describe_design(scene, out);
  describe_functions(scene, out);
  CQ_TRY(describe_scenarios(scene, out));
  describe_gradient(scene, out);
  describe_residuals(scene, out);
  describe_memory(scene, out);
  CQ_CHECK(scene->ctx, !ferror(out), CQ_IO, "cannot write: %s", strerror(errno));
  return CQ_OK;
}
