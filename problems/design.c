#include "design.h"

#include "scene.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cq_block_type *const types[CQ_N_BLOCKS] = {
#define CQ_BLOCK(name, belongs) &cq_block_##name,
#include "block_list.h"
#undef CQ_BLOCK
};

static const char *const names[CQ_N_BLOCKS] = {
#define CQ_BLOCK(name, belongs) #name,
#include "block_list.h"
#undef CQ_BLOCK
};

cq_status cq_block_reserve(cq_scene *scene, cq_block *block, int count, size_t n_links) {
  block->count = count;
  block->n_links = n_links;
  CQ_TRY(CQ_ARENA(&scene->arena, block->links, n_links));
  CQ_TRY(CQ_ARENA(&scene->arena, block->start, count));
  CQ_TRY(CQ_ARENA(&scene->arena, block->lower, count));
  CQ_TRY(CQ_ARENA(&scene->arena, block->upper, count));
  CQ_TRY(CQ_ARENA(&scene->arena, block->scale, count));
  for (int j = 0; j < count; j++) {
    block->lower[j] = -INFINITY;
    block->upper[j] = INFINITY;
  }
  return CQ_OK;
}

cq_status cq_block_link_particles(cq_scene *scene, cq_block *block, int input, int per,
                                  double start) {
  const cq_body *body = block->body;
  const int count = per == CQ_PER_PARTICLE ? body->count : 1;
  CQ_TRY(cq_block_reserve(scene, block, count, (size_t)body->count));
  for (int i = 0; i < body->count; i++) {
    block->links[i] = (cq_link){
        .input = scene->layout.offset[input] + (size_t)(body->first + i),
        .variable = per == CQ_PER_PARTICLE ? i : 0,
    };
  }
  for (int j = 0; j < count; j++) {
    block->start[j] = start;
  }
  return CQ_OK;
}

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

static cq_status take_values(cq_scene *scene, cq_block *block) {
  const cq_block_keys *keys = block->keys;
  cq_ctx *ctx = scene->ctx;
  CQ_KEY_CHECK(ctx, spread(&keys->start, block->count, block->start), keys, start,
               "must be a number or a list of %d", block->count);
  CQ_KEY_CHECK(ctx, spread(&keys->lower, block->count, block->lower), keys, lower,
               "must be a number or a list of %d", block->count);
  CQ_KEY_CHECK(ctx, spread(&keys->upper, block->count, block->upper), keys, upper,
               "must be a number or a list of %d", block->count);
  CQ_KEY_CHECK(ctx, spread(&keys->scale, block->count, block->scale), keys, scale,
               "must be a number or a list of %d", block->count);
  for (int j = 0; j < block->count; j++) {
    CQ_KEY_CHECK(ctx, block->lower[j] <= block->upper[j], keys, lower,
                 "%g is above the upper bound %g", block->lower[j], block->upper[j]);
    CQ_KEY_CHECK(ctx, block->start[j] >= block->lower[j] && block->start[j] <= block->upper[j],
                 keys, start, "the start %g is outside the bounds %g to %g", block->start[j],
                 block->lower[j], block->upper[j]);
  }
  return CQ_OK;
}

static cq_status name_block(cq_scene *scene, cq_block *block) {
  if (block->body == NULL) {
    block->name = names[block->kind];
    return CQ_OK;
  }
  return cq_arena_text(&scene->arena, &block->name, "%s.%s", block->body->keys->name,
                       names[block->kind]);
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

static cq_status read_block(cq_scene *scene, const cq_block_keys *keys, cq_block *block) {
  block->keys = keys;
  block->kind = (cq_block_kind)keys->variable;
  CQ_TRY(name_unit(scene, types[block->kind]->unit, &block->unit));
  if (keys->body != NULL) {
    CQ_TRY(cq_scene_find_body(scene, keys->node, "body", keys->body, &block->body));
  }
  CQ_TRY(name_block(scene, block));
  CQ_TRY(types[block->kind]->link(scene, block));
  CQ_TRY(take_values(scene, block));
  return types[block->kind]->check != NULL ? types[block->kind]->check(scene, block) : CQ_OK;
}

static double default_scale(double start, double lower, double upper) {
  if (isfinite(lower) && isfinite(upper) && upper > lower) {
    return upper - lower;
  }
  return start != 0.0 ? fabs(start) : 1.0;
}

/* The vectors of all variables; the blocks' arrays become slices of them. */
static cq_status join(cq_scene *scene, cq_design *design) {
  CQ_TRY(CQ_ARENA(&scene->arena, design->start, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->lower, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->upper, design->n));
  CQ_TRY(CQ_ARENA(&scene->arena, design->scale, design->n));
  for (int b = 0; b < design->n_blocks; b++) {
    cq_block *block = &design->blocks[b];
    const size_t bytes = (size_t)block->count * sizeof(double);
    block->start = memcpy(design->start + block->first, block->start, bytes);
    block->lower = memcpy(design->lower + block->first, block->lower, bytes);
    block->upper = memcpy(design->upper + block->first, block->upper, bytes);
    block->scale = memcpy(design->scale + block->first, block->scale, bytes);
    for (int j = 0; j < block->count && block->keys->scale.count == 0; j++) {
      block->scale[j] = default_scale(block->start[j], block->lower[j], block->upper[j]);
    }
  }
  return CQ_OK;
}

static cq_status check_links(cq_scene *scene, const cq_design *design) {
  unsigned char *used = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, used, scene->layout.total));
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    for (size_t i = 0; i < block->n_links; i++) {
      CQ_KEY_CHECK(scene->ctx, !used[block->links[i].input], block->keys, variable,
                   "%s is designed by an earlier block already", block->name);
      used[block->links[i].input] = 1;
    }
  }
  return CQ_OK;
}

cq_status cq_design_build(cq_scene *scene, cq_design *design) {
  const cq_items *list = &scene->config.design;
  const cq_block_keys *keys = list->items;
  design->n_blocks = list->count;
  CQ_TRY(CQ_ARENA(&scene->arena, design->blocks, list->count));
  for (int b = 0; b < list->count; b++) {
    design->blocks[b].first = design->n;
    CQ_TRY(read_block(scene, &keys[b], &design->blocks[b]));
    design->n += design->blocks[b].count;
  }
  CQ_TRY(join(scene, design));
  return check_links(scene, design);
}

void cq_design_apply(const cq_design *design, const double *x, double *inputs) {
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    for (size_t i = 0; i < block->n_links; i++) {
      const cq_link *link = &block->links[i];
      inputs[link->input] = link->base + x[block->first + link->variable];
    }
  }
}

void cq_design_pull(const cq_design *design, const double *d_inputs, double *gradient) {
  memset(gradient, 0, (size_t)design->n * sizeof *gradient);
  for (int b = 0; b < design->n_blocks; b++) {
    const cq_block *block = &design->blocks[b];
    for (size_t i = 0; i < block->n_links; i++) {
      gradient[block->first + block->links[i].variable] += d_inputs[block->links[i].input];
    }
  }
}

void cq_design_range(const cq_design *design, double *least, double *largest) {
  cq_design_apply(design, design->lower, least);
  cq_design_apply(design, design->upper, largest);
}

int cq_scene_block_count(const cq_scene *scene) {
  return scene->design.n_blocks;
}

cq_block_info cq_scene_block(const cq_scene *scene, int i) {
  const cq_block *block = &scene->design.blocks[i];
  return (cq_block_info){block->name, block->unit, block->first, block->count};
}

void cq_scene_variable_label(const cq_scene *scene, int i, char *text, size_t size) {
  const cq_block *block = scene->design.blocks;
  while (i >= block->first + block->count) {
    block++;
  }
  const int j = i - block->first;
  char suffix[96] = "";
  if (types[block->kind]->label != NULL) {
    types[block->kind]->label(scene, block, j, suffix, sizeof suffix);
  } else if (block->count > 1) {
    snprintf(suffix, sizeof suffix, "[%d]", j);
  }
  snprintf(text, size, "%s%s", block->name, suffix);
}
