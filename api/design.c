/* The design of a file and its functions: names, units, bounds, values. */
#include "api.h"

#include <math.h>

static int n_of(const cq_file *file) {
  return cq_scene_problem(file->scene)->n;
}

cq_status cq_file_block(const cq_file *file, int i, cq_about_block *out) {
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(cq_api_index(file->ctx, "block", i, cq_scene_block_count(file->scene)));
  const cq_block_info block = cq_scene_block(file->scene, i);
  const cq_about_block about = {.name = block.name,
                                .unit = block.unit,
                                .variable = block.variable,
                                .first = block.first,
                                .count = block.count,
                                .components = block.components,
                                .of_particles = block.of_particles};
  return CQ_GIVE(file->ctx, out, about);
}

static int block_of(const cq_scene *scene, int variable) {
  int i = 0;
  cq_block_info block = cq_scene_block(scene, i);
  while (variable >= block.first + block.count) {
    block = cq_scene_block(scene, ++i);
  }
  return i;
}

cq_status cq_file_variable(const cq_file *file, int i, cq_about_variable *out) {
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(cq_api_index(file->ctx, "variable", i, n_of(file)));
  const cq_variable_info info = cq_scene_variable(file->scene, i);
  const double *const scale = cq_scene_problem(file->scene)->scale;
  cq_about_variable about = {.unit = info.unit,
                             .block = block_of(file->scene, i),
                             .start = info.start,
                             .lower = info.lower,
                             .upper = info.upper,
                             .scale = scale != NULL ? scale[i] : 1.0};
  cq_scene_variable_label(file->scene, i, about.label, sizeof about.label);
  return CQ_GIVE(file->ctx, out, about);
}

/* A term of the objective, then a constraint. */
cq_status cq_file_function(const cq_file *file, int i, cq_about_function *out) {
  CQ_TRY(cq_api_begin(file));
  const cq_scene *const scene = file->scene;
  const cq_problem *const problem = cq_scene_problem(scene);
  const int terms = cq_scene_term_count(scene);
  CQ_TRY(
      cq_api_index(file->ctx, "function", i, terms + problem->n_inequality + problem->n_equality));
  cq_about_function about = {.bound = NAN};
  if (i < terms) {
    about.label = cq_scene_term_label(scene, i);
  } else {
    const cq_constraint_info info = cq_scene_constraint(scene, i - terms, 0.0);
    about.label = cq_scene_constraint_label(scene, i - terms);
    about.relation = info.relation;
    about.bound = info.bound;
  }
  return CQ_GIVE(file->ctx, out, about);
}

/* Two arrays of a number a variable. */
static cq_status check_two(const cq_file *file, const double *from, double *to, int n) {
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(cq_api_length(file->ctx, "what is taken", from, (size_t)n, (size_t)n_of(file)));
  return cq_api_length(file->ctx, "what is filled", to, (size_t)n, (size_t)n_of(file));
}

cq_status cq_file_to_values(const cq_file *file, const double *x, double *values, int n) {
  CQ_TRY(check_two(file, x, values, n));
  for (int i = 0; i < n; i++) {
    values[i] = cq_scene_user_value(file->scene, i, x[i]);
  }
  return CQ_OK;
}

cq_status cq_file_from_values(const cq_file *file, const double *values, double *x, int n) {
  CQ_TRY(check_two(file, values, x, n));
  for (int i = 0; i < n; i++) {
    const double of_value = cq_scene_optimizer_value(file->scene, i, values[i]);
    CQ_CHECK(file->ctx, isfinite(of_value), CQ_CONFIG, "value %d is %g, which no x has", i,
             values[i]);
    x[i] = of_value;
  }
  return CQ_OK;
}

cq_status cq_file_start(const cq_file *file, double *x, int n) {
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(cq_api_length(file->ctx, "x", x, (size_t)n, (size_t)n_of(file)));
  for (int i = 0; i < n; i++) {
    x[i] = cq_scene_problem(file->scene)->start[i];
  }
  return CQ_OK;
}

cq_status cq_file_draw_starts(const cq_file *file, uint64_t seed, int count, double *x, size_t n) {
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, count >= 1, CQ_USAGE, "there cannot be %d starts", count);
  CQ_TRY(cq_api_length(file->ctx, "x", x, n, (size_t)count * (size_t)n_of(file)));
  return cq_draw_starts(file->ctx, cq_scene_problem(file->scene), seed, count, x);
}

cq_status cq_file_slopes(const cq_file *file, const double *x, double *slopes, int n) {
  CQ_TRY(check_two(file, x, slopes, n));
  for (int i = 0; i < n; i++) {
    slopes[i] = cq_scene_user_slope(file->scene, i, x[i]);
  }
  return CQ_OK;
}

/* Inside the bounds, as the scene's own function wants them. */
cq_status cq_file_set_start(cq_file *file, const double *values, int n) {
  CQ_TRY(cq_api_begin(file));
  CQ_TRY(cq_api_length(file->ctx, "values", values, (size_t)n, (size_t)n_of(file)));
  for (int i = 0; i < n; i++) {
    const cq_variable_info info = cq_scene_variable(file->scene, i);
    CQ_CHECK(file->ctx, values[i] >= info.lower && values[i] <= info.upper, CQ_USAGE,
             "value %d is %g, outside its bounds %g and %g", i, values[i], info.lower, info.upper);
  }
  return cq_scene_set_start(file->scene, values);
}

cq_status cq_file_fit(const cq_file *file, const cq_file *other, const double *values, int n_values,
                      double *fitted, int n) {
  CQ_TRY(cq_api_begin(file));
  CQ_CHECK(file->ctx, other != NULL && !other->destroyed, CQ_USAGE, "there is no other file");
  CQ_TRY(cq_api_length(file->ctx, "values", values, (size_t)n_values, (size_t)n_of(other)));
  CQ_TRY(cq_api_length(file->ctx, "fitted", fitted, (size_t)n, (size_t)n_of(file)));
  return cq_scene_fit_design(file->scene, other->scene, values, fitted);
}
