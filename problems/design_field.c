/* Blocks of an input that every particle has: how variables are spread over the particles. */
#include "alloc.h"
#include "near.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

typedef struct builder {
  cq_scene *scene;
  cq_block *block;
  const cq_set **sets; /* the block's own, then those of the ties */
  int n_sets;
  cq_field field;
} builder;

/* The box around a set: that of the shape, if it is a body. */
static void bounds_of(const cq_scene *scene, const cq_set *set, double *low, double *size) {
  const size_t dim = (size_t)scene->config.dim;
  const cq_body *body = cq_set_body(scene, set);
  if (body != NULL && body->keys->sampling != CQ_SAMPLING_POINTS) {
    cq_shape_bounds(&body->shape, low, size);
    return;
  }
  for (size_t a = 0; a < dim; a++) {
    double high = -INFINITY;
    low[a] = INFINITY;
    for (int i = 0; i < set->count; i++) {
      const double x = scene->x[(size_t)set->particles[i] * dim + a];
      low[a] = fmin(low[a], x);
      high = fmax(high, x);
    }
    size[a] = high - low[a];
  }
}

static int mirror_axis(const cq_block *block, int member) {
  return member > 0 ? block->keys->mirror - 1 : -1;
}

/* The particles of the block and of its ties, one set after the other. */
static cq_status find_members(builder *b) {
  const cq_texts *tie = &b->block->keys->tie;
  b->n_sets = 1 + tie->count;
  CQ_TRY(CQ_ARENA(&b->scene->arena, b->sets, b->n_sets));
  b->sets[0] = b->block->set;
  for (int i = 0; i < tie->count; i++) {
    CQ_TRY(
        cq_scene_find_set(b->scene, b->block->keys->node, "tie", tie->values[i], &b->sets[1 + i]));
  }
  for (int s = 0; s < b->n_sets; s++) {
    b->field.count += b->sets[s]->count;
  }
  CQ_TRY(CQ_ARENA(&b->scene->arena, b->field.particle, b->field.count));
  CQ_TRY(CQ_ARENA(&b->scene->arena, b->field.member, b->field.count));
  int i = 0;
  for (int s = 0; s < b->n_sets; s++) {
    for (int k = 0; k < b->sets[s]->count; k++, i++) {
      b->field.particle[i] = b->sets[s]->particles[k];
      b->field.member[i] = s;
    }
  }
  return CQ_OK;
}

static cq_status make_room(builder *b, int n_elements, int stride) {
  const size_t n = (size_t)b->field.count * (size_t)stride;
  b->field.n_elements = n_elements;
  b->field.stride = stride;
  CQ_TRY(CQ_ARENA(&b->scene->arena, b->field.element, n));
  return CQ_ARENA(&b->scene->arena, b->field.weight, n);
}

static cq_status per_body(builder *b) {
  CQ_TRY(make_room(b, 1, 1));
  for (int i = 0; i < b->field.count; i++) {
    b->field.weight[i] = 1.0;
  }
  return CQ_OK;
}

/* An element a group; particles in none of them have no weight. */
static cq_status per_group(builder *b) {
  const cq_block_keys *keys = b->block->keys;
  int *group = NULL;
  CQ_KEY_CHECK(b->scene->ctx, b->n_sets == 1, keys, tie, "has no meaning with per = \"group\"");
  CQ_TRY(make_room(b, keys->groups.count, 1));
  CQ_TRY(CQ_ARENA(&b->scene->arena, group, b->scene->model.n_particles));
  for (int g = 0; g < keys->groups.count; g++) {
    const cq_set *set = NULL;
    const char *name = keys->groups.values[g];
    CQ_TRY(cq_scene_find_set(b->scene, keys->node, "groups", name, &set));
    for (int i = 0; i < set->count; i++) {
      const int other = group[set->particles[i]];
      CQ_KEY_CHECK(b->scene->ctx, other == 0, keys, groups,
                   "particle %d is in \"%s\" and in \"%s\"", set->particles[i],
                   keys->groups.values[other > 0 ? other - 1 : 0], name);
      group[set->particles[i]] = g + 1;
    }
  }
  for (int i = 0; i < b->field.count; i++) {
    const int g = group[b->field.particle[i]];
    b->field.element[i] = g > 0 ? g - 1 : 0;
    b->field.weight[i] = g > 0 ? 1.0 : 0.0;
  }
  return CQ_OK;
}

/* Places nearer than this [m] are the same. */
static double same(const cq_scene *scene) {
  return 1e-6 * scene->model.length;
}

/* Particle i of a mirror image is the one at the mirrored place. */
static cq_status match_mirrored(builder *b, const cq_near *near, int begin, int s) {
  const cq_scene *scene = b->scene;
  const size_t dim = (size_t)scene->config.dim;
  double low[2][3], size[2][3];
  bounds_of(scene, b->sets[0], low[0], size[0]);
  bounds_of(scene, b->sets[s], low[1], size[1]);
  for (int i = begin; i < begin + b->sets[s]->count; i++) {
    const double *x = scene->x + (size_t)b->field.particle[i] * dim;
    double at[3];
    for (size_t a = 0; a < dim; a++) {
      const double place = x[a] - low[1][a];
      at[a] = low[0][a] + ((int)a == mirror_axis(b->block, s) ? size[1][a] - place : place);
    }
    CQ_KEY_CHECK(scene->ctx, cq_near_find(near, at, same(b->scene), 1, &b->field.element[i]) == 1,
                 b->block->keys, mirror,
                 "\"%s\" is no mirror image of \"%s\": where its particle %d is, there is none",
                 b->sets[s]->name, b->sets[0]->name, i - begin);
  }
  return CQ_OK;
}

/* An element a particle; those of a tie are the same, in their order or mirrored. */
static cq_status per_particle(builder *b) {
  const cq_set *own = b->sets[0];
  cq_near near;
  CQ_TRY(make_room(b, own->count, 1));
  CQ_TRY(cq_near_create(b->scene->ctx, b->scene->config.dim, b->scene->x, own->particles,
                        own->count, same(b->scene), &near));
  cq_status status = CQ_OK;
  for (int s = 0, begin = 0; s < b->n_sets && status == CQ_OK; begin += b->sets[s++]->count) {
    for (int i = 0; i < b->sets[s]->count; i++) {
      b->field.element[begin + i] = i;
      b->field.weight[begin + i] = 1.0;
    }
    if (b->sets[s]->count != own->count) {
      status = CQ_BAD(b->scene->ctx, b->block->keys, tie, "\"%s\" has %d particles and \"%s\" %d",
                      own->name, own->count, b->sets[s]->name, b->sets[s]->count);
    } else if (mirror_axis(b->block, s) >= 0) {
      status = match_mirrored(b, &near, begin, s);
    }
  }
  cq_near_destroy(&near);
  return status;
}

/* One axis of a lattice of n patches (nodes, if linear) over the box: index and its weight, then
 * the next one and its weight. */
static void patch_axis(double place, int n, bool linear, int *index, double *weight) {
  const double t = fmin(fmax(place, 0.0), 1.0) * (linear ? n - 1 : n);
  /* 1e-9: a particle on the border of two patches is in the upper one, whatever the rounding */
  const int i = (int)fmin(t + (linear ? 0.0 : 1e-9), linear ? fmax(n - 2, 0) : n - 1);
  index[0] = i;
  index[1] = i + 1 < n ? i + 1 : i;
  weight[1] = linear && n > 1 ? t - i : 0.0;
  weight[0] = 1.0 - weight[1];
}

/* The elements of a particle: the patch it is in, or the nodes around it. */
static void patch_particle(builder *b, const double *low, const double *size, int i) {
  const cq_scene *scene = b->scene;
  const cq_block_keys *keys = b->block->keys;
  const int dim = scene->config.dim, stride = b->field.stride;
  const double *x = scene->x + (size_t)b->field.particle[i] * (size_t)dim;
  int index[3][2];
  double weight[3][2];
  for (int a = 0; a < dim; a++) {
    double place = size[a] > 0.0 ? (x[a] - low[a]) / size[a] : 0.0;
    place = a == mirror_axis(b->block, b->field.member[i]) ? 1.0 - place : place;
    patch_axis(place, keys->patches[a], stride > 1, index[a], weight[a]);
  }
  for (int corner = 0; corner < stride; corner++) {
    int element = 0;
    double product = 1.0;
    for (int a = 0; a < dim; a++) {
      const int upper = (corner >> a) & 1;
      element = element * keys->patches[a] + index[a][upper];
      product *= weight[a][upper];
    }
    b->field.element[i * stride + corner] = element;
    b->field.weight[i * stride + corner] = product;
  }
}

/* A lattice of elements over the box around each set. */
static cq_status per_patch(builder *b) {
  const cq_block_keys *keys = b->block->keys;
  const int dim = b->scene->config.dim;
  double n = 1.0;
  for (int a = 0; a < dim; a++) {
    n *= keys->patches[a];
  }
  CQ_KEY_CHECK(b->scene->ctx, n < 1e7, keys, patches, "%.0f patches are too many", n);
  CQ_TRY(make_room(b, (int)n, keys->interpolation == CQ_INTERPOLATION_LINEAR ? 1 << dim : 1));
  double low[3], size[3];
  for (int i = 0; i < b->field.count; i++) {
    if (i == 0 || b->field.member[i] != b->field.member[i - 1]) {
      bounds_of(b->scene, b->sets[b->field.member[i]], low, size);
    }
    patch_particle(b, low, size, i);
  }
  return CQ_OK;
}

/* Elements that no particle has get no variables. */
static cq_status number_elements(builder *b) {
  cq_field *field = &b->field;
  const size_t n = (size_t)field->count * (size_t)field->stride;
  int *used = NULL, *elements = NULL, count = 0;
  CQ_TRY(CQ_ARENA(&b->scene->arena, used, field->n_elements));
  for (size_t k = 0; k < n; k++) {
    used[field->element[k]] |= field->weight[k] != 0.0;
  }
  CQ_TRY(CQ_ARENA(&b->scene->arena, elements, field->n_elements));
  for (int e = 0; e < field->n_elements; e++) {
    elements[count] = e;
    used[e] = used[e] ? count++ : 0;
  }
  for (size_t k = 0; k < n; k++) {
    field->element[k] = used[field->element[k]]; /* 0 where the weight is 0 */
  }
  field->n_elements = count;
  b->block->elements = b->block->keys->per == CQ_PER_BODY ? NULL : elements;
  CQ_KEY_CHECK(b->scene->ctx, count > 0, b->block->keys, body, "no particle would be designed");
  return CQ_OK;
}

/* The rows, one a particle and component, of the field as it is or filtered. */
static void write_rows(builder *b, const cq_filtered *filtered, const cq_input *input, size_t first,
                       bool offset) {
  const cq_field *field = &b->field;
  cq_block *block = b->block;
  const int components = block->components;
  for (int i = 0; i < field->count; i++) {
    const size_t begin = filtered != NULL ? filtered->first[i] : (size_t)(i * field->stride);
    const size_t end = filtered != NULL ? filtered->first[i + 1] : begin + (size_t)field->stride;
    const int *element = filtered != NULL ? filtered->element : field->element;
    const double *weight = filtered != NULL ? filtered->weight : field->weight;
    if (filtered == NULL && field->stride == 1 && weight[begin] == 0.0) {
      continue; /* in no group */
    }
    for (int c = 0; c < components; c++) {
      const size_t target = first + (size_t)field->particle[i] * (size_t)components + (size_t)c;
      const double factor = cq_block_factor(block, field->member[i] - 1, input->parity, c);
      cq_block_row(block, target, offset ? b->scene->inputs[target] : 0.0);
      for (size_t k = begin; k < end; k++) {
        if (weight[k] != 0.0) {
          cq_block_add(block, element[k] * components + c, factor * weight[k]);
        }
      }
    }
  }
}

/* The means of the scene's values; exact where they are all the same. */
static cq_status take_start(builder *b, const double *values) {
  const cq_field *field = &b->field;
  const int components = b->block->components;
  double *sum = NULL;
  CQ_TRY(CQ_ALLOC(b->scene->ctx, sum, 2 * b->block->count));
  double *first = sum + b->block->count, *start = b->block->start;
  for (int i = 0; i < b->sets[0]->count; i++) {
    for (int k = i * field->stride; k < (i + 1) * field->stride; k++) {
      for (int c = 0; c < components && field->weight[k] != 0.0; c++) {
        const int j = field->element[k] * components + c;
        const double value = values[(size_t)field->particle[i] * (size_t)components + (size_t)c];
        first[j] = sum[j] == 0.0 ? value : first[j];
        sum[j] += field->weight[k];
        start[j] += field->weight[k] * (value - first[j]);
      }
    }
  }
  for (int j = 0; j < b->block->count; j++) {
    if (sum[j] > 0.0) { /* else it drives particles of ties alone */
      start[j] = first[j] + start[j] / sum[j];
    } else {
      start[j] = start[j % components];
    }
  }
  cq_free(b->scene->ctx, sum);
  return CQ_OK;
}

static cq_status spread(builder *b) {
  switch (b->block->keys->per) {
  case CQ_PER_GROUP:
    return per_group(b);
  case CQ_PER_PARTICLE:
    return per_particle(b);
  case CQ_PER_PATCH:
    return per_patch(b);
  default:
    return per_body(b);
  }
}

/* The block's arrays, of the field as it is or filtered. */
static cq_status fill_block(builder *b, const cq_filtered *filtered, const cq_input *input,
                            size_t first, bool offset) {
  const size_t components = (size_t)b->block->components, count = (size_t)b->field.count;
  const size_t weights =
      filtered != NULL ? filtered->first[count] : count * (size_t)b->field.stride;
  CQ_TRY(cq_block_reserve(b->scene, b->block, b->field.n_elements * b->block->components,
                          count * components, weights * components));
  write_rows(b, filtered, input, first, offset);
  return offset ? CQ_OK : take_start(b, b->scene->inputs + first);
}

cq_status cq_block_field(cq_scene *scene, cq_block *block, const char *name, bool offset) {
  builder b = {.scene = scene, .block = block};
  const double radius = block->keys->filter_radius; /* NAN: not asked for */
  const int i = cq_layout_find(&scene->layout, name);
  CQ_KEY_CHECK(scene->ctx, i >= 0, block->keys, variable,
               "particles of simulation.engine = \"%s\" have no %s", scene->model.engine, name);
  const cq_input *const input = &scene->layout.inputs[i];
  const size_t first = scene->layout.offset[i];
  block->components = input->numbers[scene->config.dim - 2];
  CQ_TRY(find_members(&b));
  CQ_TRY(spread(&b));
  CQ_TRY(number_elements(&b));
  if (!(radius > 0.0)) {
    return fill_block(&b, NULL, input, first, offset);
  }
  cq_filtered filtered = {.first = NULL};
  cq_status status = cq_field_filter(scene, &b.field, radius * scene->model.length, &filtered);
  status = status == CQ_OK ? fill_block(&b, &filtered, input, first, offset) : status;
  cq_filtered_free(scene->ctx, &filtered);
  return status;
}
