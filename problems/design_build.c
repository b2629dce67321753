/* The design blocks of the file. */
#include "block_kinds.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Far enough to mean that there is no bound. */
static const double NO_BOUND = 1e19;

/* A number for all variables of a block, or one each; nothing keeps what is there. */
static bool spread(const cq_numbers *numbers, int count, double *values) {
  if (numbers->count != 0 && numbers->count != 1 && numbers->count != count) {
    return false;
  }
  for (int j = 0; j < count && numbers->count > 0; j++) {
    values[j] = numbers->values[numbers->count == 1 ? 0 : j];
  }
  return true;
}

/* The same for a seed, whatever else is drawn with it. */
static void draw_start(const cq_scene *scene, cq_block *block) {
  const double spread = block->keys->start_spread;
  cq_rng rng = cq_rng_seed(cq_ctx_seed(scene->ctx) * 0x9e3779b97f4a7c15u + (uint64_t)block->first);
  for (int j = 0; j < block->count && spread > 0.0; j++) {
    const double start = block->start[j] + spread * cq_rng_normal(&rng);
    block->start[j] = fmin(fmax(start, block->lower[j]), block->upper[j]);
  }
}

/* Start, bounds and scales as the file has them, checked against each other. draws: the start does
 * not have its random part yet. */
static cq_status take_values(cq_scene *scene, cq_block *block, bool draws) {
  const cq_block_keys *keys = block->keys;
  cq_ctx *ctx = scene->ctx;
  const size_t bytes = (size_t)block->count * sizeof(double);
  double *least = NULL, *largest = NULL; /* where there is no bound but that of the kind */
  CQ_TRY(CQ_ARENA(&scene->arena, least, block->count));
  CQ_TRY(CQ_ARENA(&scene->arena, largest, block->count));
  memcpy(least, block->lower, bytes);
  memcpy(largest, block->upper, bytes);
  CQ_KEY_CHECK(ctx, spread(&keys->start, block->count, block->start), keys, start,
               "must be a number or a list of %d", block->count);
  CQ_KEY_CHECK(ctx, spread(&keys->lower, block->count, block->lower), keys, lower,
               "must be a number or a list of %d", block->count);
  CQ_KEY_CHECK(ctx, spread(&keys->upper, block->count, block->upper), keys, upper,
               "must be a number or a list of %d", block->count);
  CQ_KEY_CHECK(ctx, spread(&keys->scale, block->count, block->scale), keys, scale,
               "must be a number or a list of %d", block->count);
  for (int j = 0; j < block->count; j++) {
    block->lower[j] = block->lower[j] <= -NO_BOUND ? least[j] : block->lower[j];
    block->upper[j] = block->upper[j] >= NO_BOUND ? largest[j] : block->upper[j];
    CQ_KEY_CHECK(ctx, block->lower[j] <= block->upper[j], keys, lower,
                 "%g is above the upper bound %g", block->lower[j], block->upper[j]);
    CQ_KEY_CHECK(ctx, block->start[j] >= block->lower[j] && block->start[j] <= block->upper[j],
                 keys, start, "the start %g is outside the bounds %g to %g", block->start[j],
                 block->lower[j], block->upper[j]);
  }
  if (draws) {
    draw_start(scene, block);
  }
  return CQ_OK;
}

static cq_status name_block(cq_scene *scene, cq_block *block) {
  const cq_block_keys *keys = block->keys;
  const char *of = keys->body != NULL ? keys->body : keys->boundary;
  of = of != NULL ? of : keys->actuator;
  of = of != NULL ? of : keys->term;
  if (of == NULL) {
    block->name = block->kind->name;
    return CQ_OK;
  }
  return cq_arena_text(&scene->arena, &block->name, "%s.%s", of, block->kind->name);
}

/* "kg/m^dim" in the scene's dimension */
static cq_status name_unit(cq_scene *scene, const char *unit, const char **out) {
  const char *dim = strstr(unit, "^dim");
  if (dim == NULL) {
    *out = unit;
    return CQ_OK;
  }
  return cq_arena_text(&scene->arena, out, "%.*s^%d", (int)(dim - unit), unit, scene->model.dim);
}

static cq_status check_ties(cq_scene *scene, const cq_block_keys *keys) {
  const int n = keys->tie.count, factors = keys->tie_factor.count;
  CQ_KEY_CHECK(scene->ctx, factors == 0 || n > 0, keys, tie_factor, "has a meaning only with tie");
  CQ_KEY_CHECK(scene->ctx, factors <= 1 || factors == n, keys, tie_factor,
               "must be a number or a list of %d", n);
  CQ_KEY_CHECK(scene->ctx, keys->mirror <= CQ_MIRROR_NONE || n > 0, keys, mirror,
               "has a meaning only with tie");
  CQ_KEY_CHECK(scene->ctx, keys->mirror <= scene->config.dim, keys, mirror,
               "there is no such axis in %dD", scene->config.dim);
  return CQ_OK;
}

/* Whether the key `body` of a block names an obstacle or half-space, which has no particles. */
static bool is_of_wall(const cq_scene *scene, const cq_block *block) {
  static const char walls[] = "boundaries.";
  const cq_wall *wall =
      block->kind->type == &cq_block_track ? cq_scene_wall(scene, block->keys->body) : NULL;
  return wall != NULL && strncmp(cq_node_path(wall->node).text, walls, sizeof walls - 1) == 0;
}

static cq_status find_particles(cq_scene *scene, cq_block *block) {
  const cq_block_keys *keys = block->keys;
  if (keys->body == NULL || is_of_wall(scene, block)) {
    return CQ_OK;
  }
  CQ_TRY(cq_scene_find_set(scene, keys->node, "body", keys->body, &block->set));
  block->body = cq_set_body(scene, block->set);
  CQ_KEY_CHECK(scene->ctx, block->body != NULL || block->kind->belongs == CQ_BELONGS_FIELD, keys,
               body, "%s needs a body, and \"%s\" is none", block->kind->name, keys->body);
  return CQ_OK;
}

static cq_status check_values(const cq_scene *scene, const cq_block *block) {
  const cq_bounds *bounds = block->bounds;
  for (size_t i = 0; i < block->rows.count; i++) {
    double least, largest;
    cq_block_range(block, i, &least, &largest);
    CQ_KEY_CHECK(scene->ctx,
                 bounds->lower_text == NULL || least > bounds->above ||
                     (bounds->may_equal && least == bounds->above),
                 block->keys, lower, "%s", bounds->lower_text);
    CQ_KEY_CHECK(scene->ctx, bounds->upper_text == NULL || largest < bounds->below, block->keys,
                 upper, "%s", bounds->upper_text);
  }
  return CQ_OK;
}

/* A block as its keys say, without what all blocks together need. */
static cq_status read_block(cq_scene *scene, const cq_block_keys *keys, cq_block *block) {
  block->keys = keys;
  block->kind = cq_block_kind_at(keys->variable);
  block->components = 1;
  const int input = cq_layout_find(&scene->layout, block->kind->name);
  block->input = input >= 0 ? &scene->layout.inputs[input] : NULL;
  const cq_block_type *type = block->kind->type;
  block->usual = input >= 0 ? block->input->usual : type->usual;
  block->bounds = input >= 0 ? &block->input->bounds : &type->bounds;
  CQ_TRY(name_unit(scene, input >= 0 ? block->input->unit : type->unit, &block->unit));
  CQ_TRY(check_ties(scene, keys));
  CQ_TRY(find_particles(scene, block));
  CQ_TRY(name_block(scene, block));
  CQ_TRY(type->link(scene, block));
  return take_values(scene, block, true);
}

/* A pose for each body, at rest as the file has it. */
static cq_status make_poses(cq_scene *scene, cq_poses *poses) {
  const int n = scene->config.bodies.count;
  const cq_layout *const layout = &scene->layout;
  *poses = (cq_poses){.count = n,
                      .dim = scene->config.dim,
                      .x = cq_layout_offset(layout, "x"),
                      .v = cq_layout_offset(layout, "v"),
                      .F = cq_layout_deformation(layout),
                      .volume = cq_layout_offset(layout, "volume")};
  CQ_TRY(CQ_ARENA(&scene->arena, poses->poses, n));
  CQ_TRY(CQ_ARENA(&scene->arena, poses->slots, n * CQ_POSE_SLOTS));
  CQ_TRY(CQ_ARENA(&scene->arena, poses->d_slots, n * CQ_POSE_SLOTS));
  for (int b = 0; b < n; b++) {
    poses->poses[b].body = &scene->bodies[b];
    cq_pose_rest(&scene->bodies[b], poses->poses[b].rest);
  }
  return CQ_OK;
}

/* The optimizer's vectors; the blocks' scales become slices of one. */
static cq_status join(cq_scene *scene, cq_design *design) {
  CQ_TRY(CQ_ARENA(&scene->arena, design->start, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->lower, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->upper, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->scale, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->values, design->n));
  for (int b = 0; b < design->n_blocks; b++) {
    cq_block *block = &design->blocks[b];
    block->scale =
        memcpy(design->scale + block->first, block->scale, (size_t)block->count * sizeof(double));
    CQ_TRY(cq_transform_block(scene, block, design->start + block->first,
                              design->lower + block->first, design->upper + block->first));
    CQ_TRY(check_values(scene, block));
  }
  return CQ_OK;
}

/* What a designed slot makes of a pose. */
static void note_slot(cq_pose *pose, size_t slot) {
  pose->places |= slot < CQ_POSE_VELOCITY;
  pose->resizes |= slot >= CQ_POSE_SIZE && slot < CQ_POSE_ROTATION;
  pose->turns |= slot >= CQ_POSE_ROTATION && slot < CQ_POSE_VELOCITY;
  pose->moves |= slot >= CQ_POSE_VELOCITY;
}

/* The block that drives an input of the particles of a body by rows, or NULL. */
static const cq_block *find_rows(const cq_scene *scene, const cq_design *design,
                                 const int *block_of, const cq_body *body, const char *name) {
  const int input = cq_layout_find(&scene->layout, name);
  const size_t n = scene->layout.count[input] / (size_t)scene->model.n_particles;
  const size_t first = scene->layout.offset[input] + (size_t)body->first * n;
  for (size_t k = first; k < first + (size_t)body->count * n; k++) {
    if (block_of[k] > 0) {
      return &design->blocks[block_of[k] - 1];
    }
  }
  return NULL;
}

/* What the poses change may not have rows, too. A body that spins is moved by a change of its size
 * or rotation, unless the velocities of its particles are designed themselves. */
static cq_status check_poses(cq_scene *scene, cq_design *design, const int *block_of) {
  static const struct {
    const char *input, *words;
  } all[] = {{"x", "positions"}, {"volume", "volumes"}, {"v", "velocities"}};
  for (int b = 0; b < design->poses.count; b++) {
    cq_pose *pose = &design->poses.poses[b];
    const bool changes[] = {pose->places, pose->resizes, pose->moves};
    const cq_block *other = NULL;
    for (int i = 0; i < 3; i++) {
      other = find_rows(scene, design, block_of, pose->body, all[i].input);
      if (changes[i] && other != NULL) {
        return CQ_BAD(scene->ctx, other->keys, variable,
                      "the %s of body \"%s\" are designed by another block, too", all[i].words,
                      pose->body->keys->name);
      }
    }
    const double *spin = pose->rest + CQ_POSE_SPIN;
    const bool spins = spin[0] != 0.0 || spin[1] != 0.0 || spin[2] != 0.0;
    pose->moves = pose->moves || ((pose->turns || pose->resizes) && spins && other == NULL);
  }
  return CQ_OK;
}

/* What is launched moves, and has no velocity by a block of its own. */
static cq_status take_launches(cq_scene *scene, cq_design *design, const int *block_of) {
  const cq_launches *launches = &design->launches;
  for (int i = 0; i < launches->n; i++) {
    const size_t slot = launches->slot[i];
    const int by = block_of[design->n_inputs + slot];
    if (by > 0) {
      return CQ_BAD(scene->ctx, design->blocks[by - 1].keys, variable,
                    "%s is what the launch \"%s\" sets; take one of them out",
                    design->blocks[by - 1].name, launches->keys[i]->name);
    }
    note_slot(&design->poses.poses[slot / CQ_POSE_SLOTS], slot % CQ_POSE_SLOTS);
  }
  return CQ_OK;
}

/* No input, and no slot of a pose, may be driven by two blocks. */
static cq_status check_targets(cq_scene *scene, cq_design *design) {
  const size_t total = scene->layout.total;
  int *block_of = NULL; /* index of the block that drives a target, plus one */
  CQ_TRY(CQ_ARENA(&scene->arena, block_of,
                  design->first_calibration + (size_t)scene->objective.n_calibration));
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    for (size_t i = 0; i < block->rows.count; i++) {
      const size_t target = block->rows.target[i];
      CQ_KEY_CHECK(scene->ctx, block_of[target] == 0, block->keys, variable,
                   "%s is designed by an earlier block already", block->name);
      block_of[target] = b + 1;
      if (target >= total && target < design->first_calibration) {
        note_slot(&design->poses.poses[(target - total) / CQ_POSE_SLOTS],
                  (target - total) % CQ_POSE_SLOTS);
      }
    }
  }
  CQ_TRY(take_launches(scene, design, block_of));
  return check_poses(scene, design, block_of);
}

/* A block that is about something in another experiment: its variables, which drive nothing here.
 */
static cq_status borrow_block(cq_scene *scene, const cq_block_keys *keys, const cq_donor *donor,
                              cq_block *block) {
  const cq_block *const from = donor->block;
  const size_t bytes = (size_t)from->count * sizeof(double);
  *block = *from;
  block->keys = keys;
  block->from = donor;
  block->first = scene->design.n;
  block->rows = (cq_rows){.count = 0};
  CQ_TRY(CQ_ARENA(&scene->arena, block->rows.first, 1));
  double **const own[] = {&block->start, &block->lower, &block->upper, &block->scale};
  const double *const theirs[] = {from->start, from->lower, from->upper, from->scale};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    CQ_TRY(CQ_ARENA(&scene->arena, *own[i], from->count));
    memcpy(*own[i], theirs[i], bytes);
  }
  return take_values(scene, block, keys->start.count > 0);
}

/* Reads the blocks in the order of the file; their variables follow each other. */
cq_status cq_design_build(cq_scene *scene, cq_design *design) {
  const cq_items *list = &scene->config.design;
  const cq_block_keys *keys = list->items;
  design->n_blocks = list->count;
  design->n_inputs = scene->layout.total;
  CQ_TRY(make_poses(scene, &design->poses));
  design->first_calibration = design->n_inputs + (size_t)design->poses.count * CQ_POSE_SLOTS;
  design->calibration = scene->objective.calibration;
  CQ_TRY(cq_scene_link_launches(scene));
  CQ_TRY(CQ_ARENA(&scene->arena, design->blocks, list->count));
  for (int b = 0; b < list->count; b++) {
    const cq_donor *const donor = scene->donors != NULL ? &scene->donors[b] : NULL;
    const bool borrowed = donor != NULL && donor->scene != NULL;
    CQ_KEY_CHECK(scene->ctx, donor != NULL || keys[b].experiments.count == 0, &keys[b], experiments,
                 "the file has no experiments");
    design->blocks[b].first = design->n;
    CQ_TRY(borrowed ? borrow_block(scene, &keys[b], donor, &design->blocks[b])
                    : read_block(scene, &keys[b], &design->blocks[b]));
    CQ_KEY_CHECK(scene->ctx, design->n < INT32_MAX - design->blocks[b].count, &keys[b], variable,
                 "there are too many variables");
    design->n += design->blocks[b].count;
  }
  CQ_TRY(join(scene, design));
  CQ_TRY(cq_design_link_prior(scene, design));
  return check_targets(scene, design);
}

/* "[3][0]": element and component */
static void label_element(const cq_scene *scene, const cq_block *block, int j, char *text,
                          size_t size) {
  const cq_block_keys *keys = block->keys;
  const int dim = scene->config.dim;
  text[0] = '\0';
  if (block->elements != NULL) {
    int e = block->elements[j / block->components];
    if (keys->per == CQ_PER_GROUP) {
      snprintf(text, size, "[%s]", keys->groups.values[e]);
    } else if (keys->per == CQ_PER_PATCH) {
      int index[3];
      for (int a = dim - 1; a >= 0; a--) {
        index[a] = e % keys->patches[a];
        e /= keys->patches[a];
      }
      for (int a = 0; a < dim; a++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "[%d]", index[a]);
      }
    } else {
      snprintf(text, size, "[%d]", e);
    }
  }
  if (block->components > 1) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "[%d]", j % block->components);
  }
}

void cq_block_label(const cq_scene *scene, const cq_block *block, int j, char *text, size_t size) {
  if (block->from != NULL) {
    cq_block_label(block->from->scene, block->from->block, j, text, size);
    return;
  }
  if (block->kind->type->label != NULL) {
    block->kind->type->label(scene, block, j, text, size);
  } else {
    label_element(scene, block, j, text, size);
  }
}
