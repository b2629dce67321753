#include "block_kinds.h"
#include "give.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* Values of the variables of a block at x. */
static const double *values_of(const cq_design *design, const cq_block *block, const double *x) {
  double *values = design->values + block->first;
  for (int j = 0; j < block->count; j++) {
    values[j] = cq_transform_value(block, j, x[block->first + j]);
  }
  return values;
}

bool cq_design_variable_calibrates(const cq_design *design, int j) {
  const cq_block *block = design->blocks;
  while (j >= block->first + block->count) {
    block++;
  }
  return cq_design_calibrates(design, block);
}

/* Where a target stands: in the inputs, among the slots of the poses or the calibrations. inputs
 * NULL: only those that launches read are asked for. */
static double *at(const cq_design *design, size_t target, double *inputs, double *slots) {
  if (target >= design->first_calibration) {
    return design->calibration + (target - design->first_calibration);
  }
  if (target >= design->n_inputs) {
    return slots + (target - design->n_inputs);
  }
  return inputs != NULL ? inputs + target
                        : design->launches.parameters + (target - design->launches.theta);
}

static void put_rows(const cq_design *design, const cq_block *block, const double *values,
                     double *inputs, double *slots) {
  const cq_rows *rows = &block->rows;
  for (size_t i = 0; i < rows->count; i++) {
    double sum = rows->base[i];
    for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
      sum += rows->weight[k] * values[rows->variable[k]];
    }
    *at(design, rows->target[i], inputs, slots) = sum;
  }
}

static void rest(const cq_design *design, double *slots) {
  for (int b = 0; b < design->poses.count; b++) {
    memcpy(slots + (size_t)b * CQ_POSE_SLOTS, design->poses.poses[b].rest,
           CQ_POSE_SLOTS * sizeof *slots);
  }
}

void cq_design_apply(const cq_design *design, const double *x, double *inputs) {
  rest(design, design->poses.slots);
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    put_rows(design, block, values_of(design, block, x), inputs, design->poses.slots);
  }
  cq_launches_apply(&design->launches, inputs + design->launches.theta, design->poses.slots);
  cq_poses_apply(&design->poses, inputs);
}

/* Are all targets of the block, or what they are told by, slots? */
static bool is_of_slots(const cq_design *design, const cq_block *block) {
  return block->rows.count > 0 && !cq_design_calibrates(design, block) &&
         (block->rows.target[0] >= design->n_inputs ||
          cq_launches_read(&design->launches, block->rows.target[0]));
}

/* The slots, and what launches read, alone. */
static void set_slots(const cq_design *design, const double *x) {
  rest(design, design->poses.slots);
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    if (is_of_slots(design, block)) {
      put_rows(design, block, values_of(design, block, x), NULL, design->poses.slots);
    }
  }
  cq_launches_apply(&design->launches, design->launches.parameters, design->poses.slots);
}

/* What a target is multiplied by: its derivative, and that of what is launched by it. */
static double slope_of(const cq_design *design, size_t target, const double *d_inputs) {
  const cq_launches *launches = &design->launches;
  const double d = *at(design, target, (double *)d_inputs, design->poses.d_slots);
  return cq_launches_read(launches, target) ? d + launches->d_parameters[target - launches->theta]
                                            : d;
}

/* The adjoint of both maps: inputs to values by the transposed rows, values to x by the slope of
 * each transform. */
void cq_design_pull(const cq_design *design, const double *x, const double *d_inputs,
                    double *gradient) {
  set_slots(design, x);
  cq_poses_pull(&design->poses, d_inputs);
  cq_launches_pull(&design->launches, design->launches.parameters, design->poses.d_slots);
  memset(gradient, 0, (size_t)design->n * sizeof *gradient);
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    const cq_rows *rows = &block->rows;
    double *g = gradient + block->first;
    if (cq_design_calibrates(design, block)) {
      continue;
    }
    for (size_t i = 0; i < rows->count; i++) {
      const double d = slope_of(design, rows->target[i], d_inputs);
      for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
        g[rows->variable[k]] += rows->weight[k] * d;
      }
    }
    for (int j = 0; j < block->count; j++) {
      g[j] *= cq_transform_slope(block, j, x[block->first + j]);
    }
  }
}

void cq_design_pull_calibration(const cq_design *design, const double *x, const double *d,
                                double *gradient) {
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    const cq_rows *rows = &block->rows;
    for (size_t i = 0; i < rows->count && cq_design_calibrates(design, block); i++) {
      for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
        const int j = rows->variable[k];
        gradient[block->first + j] += rows->weight[k] *
                                      d[rows->target[i] - design->first_calibration] *
                                      cq_transform_slope(block, j, x[block->first + j]);
      }
    }
  }
}

/* The column of one variable: its rows, then what its slots do to the bodies. */
void cq_design_push(const cq_design *design, const double *x, int variable, double *d_inputs) {
  double *d_slots = design->poses.d_slots;
  memset(d_inputs, 0, design->n_inputs * sizeof *d_inputs);
  memset(d_slots, 0, (size_t)design->poses.count * CQ_POSE_SLOTS * sizeof *d_slots);
  set_slots(design, x);
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    const cq_rows *rows = &block->rows;
    const int j = variable - block->first;
    if (j < 0 || j >= block->count || cq_design_calibrates(design, block)) {
      continue;
    }
    const double slope = cq_transform_slope(block, j, x[variable]);
    for (size_t i = 0; i < rows->count; i++) {
      for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
        if (rows->variable[k] == j) {
          *at(design, rows->target[i], d_inputs, d_slots) += rows->weight[k] * slope;
        }
      }
    }
  }
  cq_launches_push(&design->launches, design->launches.parameters,
                   d_inputs + design->launches.theta, d_slots);
  cq_poses_push(&design->poses, d_inputs);
}

void cq_design_range(const cq_design *design, double *least, double *largest) {
  double *low = design->poses.slots, *high = design->poses.d_slots; /* as work */
  rest(design, low);
  rest(design, high);
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    for (size_t i = 0; i < block->rows.count && !cq_design_calibrates(design, block); i++) {
      const size_t target = block->rows.target[i];
      cq_block_range(block, i, at(design, target, least, low), at(design, target, largest, high));
    }
  }
  cq_launches_range(&design->launches, low, high);
  cq_poses_range(&design->poses, low, high, least, largest);
}

static const cq_block *block_of(const cq_scene *scene, int i) {
  const cq_block *block = scene->design.blocks;
  while (i >= block->first + block->count) {
    block++;
  }
  return block;
}

int cq_scene_block_count(const cq_scene *scene) {
  return scene->design.n_blocks;
}

/* What tables and pages say of a block. */
cq_status cq_scene_get_block(const cq_scene *scene, int i, cq_block_info *out) {
  CQ_CHECK(scene->ctx, i >= 0 && i < scene->design.n_blocks, CQ_USAGE, "there is no block %d", i);
  const cq_block *block = &scene->design.blocks[i];
  const cq_scene *const of = block->from != NULL ? block->from->scene : scene;
  const bool table = block->kind->type == &cq_block_actuation;
  const cq_block_info info = {
      .name = block->name,
      .unit = block->unit,
      .first = block->first,
      .count = block->count,
      .variable = block->kind->name,
      .components = block->components > 0 ? block->components : 1,
      .of_particles = block->rows.count > 0 && cq_block_is_field(block) &&
                      block->rows.target[0] < scene->layout.total,
      .row_seconds = table ? of->config.controller.hold * of->model.dt : NAN,
  };
  return CQ_GIVE(scene->ctx, out, info);
}

/* A knot of a track has a place and a turn, so that its block has two units. */
static const char *unit_of(const cq_scene *scene, const cq_block *block, int j) {
  if (block->kind->type != &cq_block_track) {
    return block->unit;
  }
  return j % block->components < scene->config.dim ? "m" : "rad";
}

cq_status cq_scene_get_variable(const cq_scene *scene, int i, cq_variable_info *out) {
  CQ_CHECK(scene->ctx, i >= 0 && i < scene->design.n, CQ_USAGE, "there is no variable %d", i);
  const cq_block *block = block_of(scene, i);
  const int j = i - block->first;
  const cq_variable_info info = {.unit = unit_of(scene, block, j),
                                 .start = block->start[j],
                                 .lower = block->lower[j],
                                 .upper = block->upper[j]};
  return CQ_GIVE(scene->ctx, out, info);
}

double cq_scene_user_value(const cq_scene *scene, int i, double x) {
  const cq_block *block = block_of(scene, i);
  return cq_transform_value(block, i - block->first, x);
}

double cq_scene_optimizer_value(const cq_scene *scene, int i, double value) {
  const cq_block *block = block_of(scene, i);
  return cq_transform_inverse(block, i - block->first, value);
}

double cq_scene_user_slope(const cq_scene *scene, int i, double x) {
  const cq_block *block = block_of(scene, i);
  return cq_transform_slope(block, i - block->first, x);
}

void cq_scene_variable_label(const cq_scene *scene, int i, char *text, size_t size) {
  const cq_block *block = block_of(scene, i);
  char suffix[96];
  cq_block_label(scene, block, i - block->first, suffix, sizeof suffix);
  snprintf(text, size, "%s%s", block->name, suffix);
}
