/* Where the particles of a body are: on a lattice, random, or at given points. */
#include "csv.h"
#include "engine.h"
#include "engine_part.h"
#include "scene.h"
#include "status.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  MOST_PARTICLES = INT_MAX / 16 - 1, /* indices of their numbers are ints */
  MOST_DRAWS = 200000000             /* a few seconds */
};

/* Spacing along one axis of the body, and how many points that makes. */
static cq_status fit_lattice(const cq_scene *scene, cq_body *body, int axis, double size) {
  const cq_body_keys *keys = body->keys;
  const bool is_box = body->shape.kind == CQ_SHAPE_box;
  const bool has_count = keys->count[0] != INT_MIN;
  double spacing = keys->spacing;
  double count = has_count ? keys->count[axis] : size / spacing;
  if (!has_count && isnan(spacing)) {
    count = fmax(1.0, round(size / (0.5 * scene->model.length)));
  }
  if (has_count || isnan(spacing)) {
    spacing = size / count;
  } else if (!is_box) {
    count = ceil(count - 1e-9);
  }
  CQ_KEY_CHECK(scene->ctx, fabs(count - round(count)) < 1e-6 * fmax(1.0, count) && count >= 0.5,
               keys, spacing,
               "%g m is not a whole number of %g m (axis %c: %.3f); change size or spacing, or "
               "give count",
               size, spacing, "xyz"[axis], count);
  if (count >= 1e6) {
    return cq_config_fail(scene->ctx, keys->node, has_count ? "count" : "spacing",
                          "%.0f particles along axis %c are too many", count, "xyz"[axis]);
  }
  body->lattice.count[axis] = (int)lround(count);
  body->lattice.spacing[axis] = spacing;
  return CQ_OK;
}

static cq_status read_lattice(const cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  cq_lattice *lattice = &body->lattice;
  double size[3] = {0}, points = 1.0;
  CQ_KEY_CHECK(scene->ctx, isnan(keys->spacing) || keys->count[0] == INT_MIN, keys, count,
               "give either spacing or count");
  const cq_shape unturned = cq_shape_unturned(&body->shape);
  cq_shape_bounds(&unturned, lattice->low, size);
  lattice->dim = body->shape.dim;
  lattice->offset = keys->lattice_offset;
  for (int a = 0; a < lattice->dim; a++) {
    if (!isnan(keys->form.low[0])) {
      lattice->low[a] = keys->form.low[a]; /* as written, without the rounding of the centre */
    }
    CQ_TRY(fit_lattice(scene, body, a, size[a]));
    points *= lattice->count[a];
  }
  if (points > MOST_PARTICLES) { /* before they are counted one by one */
    return cq_config_fail(scene->ctx, keys->node, keys->count[0] != INT_MIN ? "count" : "spacing",
                          "a lattice of %.4g points around the body is too large: at most %d",
                          points, MOST_PARTICLES);
  }
  const size_t n = cq_lattice_points(lattice, &body->shape, NULL);
  CQ_KEY_CHECK(scene->ctx, n > 0, keys, spacing, "no particle fits into the body");
  body->count = (int)n;
  const double *spacing = lattice->spacing;
  body->spacing = fmin(spacing[0], spacing[1]);
  if (lattice->dim == 3) {
    body->spacing = fmin(body->spacing, spacing[2]);
  }
  if (isnan(body->shape_volume)) {
    body->shape_volume =
        (double)n * spacing[0] * spacing[1] * (lattice->dim == 3 ? spacing[2] : 1.0);
  }
  return CQ_OK;
}

/* The part of its bounds that an unturned shape fills, which says how many points are drawn for one
 * in it: by its volume, where that is not known by a fine lattice. */
static double share_of_bounds(const cq_shape *shape) {
  cq_lattice lattice = {.dim = shape->dim, .offset = 0.5};
  const int count = shape->dim == 2 ? 256 : 64;
  double size[3] = {0}, bounds = 1.0, points = 1.0;
  cq_shape_bounds(shape, lattice.low, size);
  for (int a = 0; a < shape->dim; a++) {
    lattice.count[a] = count;
    lattice.spacing[a] = size[a] / count;
    bounds *= size[a];
    points *= count;
  }
  const double volume = cq_shape_volume(shape);
  return isnan(volume) ? (double)cq_lattice_points(&lattice, shape, NULL) / points
                       : volume / bounds;
}

/* Refuses a number of points, or a shape so thin, that drawing them would take for ever. */
static cq_status check_draws(const cq_scene *scene, const cq_body *body) {
  const cq_body_keys *keys = body->keys;
  CQ_KEY_CHECK(scene->ctx, keys->particles <= MOST_PARTICLES, keys, particles,
               "%d particles are too many: at most %d", keys->particles, MOST_PARTICLES);
  const cq_shape unturned = cq_shape_unturned(&body->shape);
  const double share = share_of_bounds(&unturned);
  CQ_KEY_CHECK(scene->ctx, share > 0.0, keys, sampling,
               "nothing is left of the shape, or too little to draw points in it");
  CQ_KEY_CHECK(scene->ctx, keys->particles / share < MOST_DRAWS, keys, sampling,
               "the shape fills %.2g of the box around it: %g points would be drawn for %d inside; "
               "take fewer, or sampling = \"lattice\"",
               share, keys->particles / share, keys->particles);
  return CQ_OK;
}

/* Without a key, the seed of the run and the place of the body decide; the file written gets it. */
static cq_status read_seed(cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  if (keys->seed >= 0) {
    body->seed = (uint64_t)keys->seed;
    return CQ_OK;
  }
  cq_rng rng =
      cq_rng_seed(cq_ctx_seed(scene->ctx) + (uint64_t)(body - scene->bodies) * 0x9e3779b9u);
  body->seed = cq_rng_next(&rng) >> 40;
  return cq_config_complete(&scene->arena, keys->node, "seed", CQ_NODE_INT, (long long)body->seed,
                            NULL);
}

/* Columns first ... first + count - 1 of a table. */
static cq_status cut_table(cq_arena *arena, const cq_table *from, int first, int count,
                           cq_table *to) {
  double *values = NULL;
  CQ_TRY(CQ_ARENA(arena, values, (size_t)from->rows * (size_t)count));
  for (int i = 0; i < from->rows * count; i++) {
    values[i] = from->values[i / count * from->columns + first + i % count];
  }
  *to = (cq_table){from->rows, count, values};
  return CQ_OK;
}

/* How many properties points can have: the engine has an input for them, or not. */
static int count_properties(const cq_scene *scene) {
  return scene->part->point_input != NULL ? CQ_MOST_PROPERTIES : CQ_OWN_INPUT;
}

static const char *point_unit(const cq_scene *scene) {
  const cq_engine_type *type = cq_engine_type_of(scene->part->name);
  for (int i = 0; i < type->n_inputs && scene->part->point_input != NULL; i++) {
    if (strcmp(type->inputs[i].name, scene->part->point_input) == 0) {
      return type->inputs[i].unit;
    }
  }
  return "";
}

/* Properties of points: a column that the file has not is what the body has; no column: none. */
static cq_status take_properties(cq_scene *scene, cq_body *body, const cq_table *all) {
  const cq_body_keys *keys = body->keys;
  const int first = scene->config.dim + 1, n = count_properties(scene);
  double of_body[CQ_MOST_PROPERTIES] = {
      isnan(keys->density) ? body->material->density : keys->density, 0.0, NAN};
  cq_table table = {0};
  int given = 0;
  CQ_TRY(cut_table(&scene->arena, all, first, n, &table));
  for (int k = 0; k < n; k++) {
    given += !isnan(table.values[k]);
  }
  if (given == 0) {
    return CQ_OK;
  }
  if (n > CQ_OWN_INPUT) {
    const bool is_given = !isnan(table.values[CQ_OWN_INPUT]);
    CQ_TRY(scene->part->point_default(scene, body, is_given, &of_body[CQ_OWN_INPUT]));
  }
  double *values = (double *)table.values;
  for (int i = 0; i < table.rows * n; i++) {
    values[i] = isnan(values[i]) ? of_body[i % n] : values[i];
  }
  body->properties = values;
  body->n_properties = n;
  CQ_TRY(cq_config_inline(&scene->arena, keys->node, NULL, "properties", &table));
  cq_node_find(keys->node, "properties")->was = keys->points_file != NULL ? "points_file" : NULL;
  return CQ_OK;
}

/* Positions and, where the file has them, volumes and properties. */
static cq_status read_points_file(cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  const int dim = scene->config.dim;
  const char *own = scene->part->point_input;
  const cq_csv_column more[] = {{"volume", "m^dim", false, NAN},
                                {"density", "kg/m^dim", false, NAN},
                                {"group", "", false, NAN},
                                {own, point_unit(scene), false, NAN}};
  cq_csv_column columns[7] = {{"x", "m", true, 0}, {"y", "m", true, 0}, {"z", "m", true, 0}};
  cq_table all = {0};
  memcpy(columns + dim, more, sizeof more);
  CQ_KEY_CHECK(scene->ctx, keys->properties.rows == 0, keys, properties,
               "go into columns of points_file");
  CQ_TRY(cq_csv_read(&scene->arena, keys->node, "points_file", scene->folder, dim, columns,
                     dim + 1 + count_properties(scene), &all));
  CQ_TRY(take_properties(scene, body, &all));
  CQ_TRY(cut_table(&scene->arena, &all, 0, isnan(all.values[dim]) ? dim : dim + 1, &body->points));
  return cq_config_inline(&scene->arena, keys->node, "points_file", "positions", &body->points);
}

/* Those that the settings have. */
static cq_status check_properties(const cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  const cq_table *table = &keys->properties;
  const int n = count_properties(scene);
  const char *name = n > CQ_OWN_INPUT ? scene->part->point_input : "";
  if (table->rows > 0) {
    CQ_KEY_CHECK(scene->ctx, table->rows == body->count && table->columns == n, keys, properties,
                 "must have a row [density, group%s%s] for each of the %d positions",
                 n > CQ_OWN_INPUT ? ", " : "", name, body->count);
    body->properties = table->values;
    body->n_properties = n;
  }
  for (int i = 0; i < body->count && body->properties != NULL; i++) {
    const double *own = body->properties + (size_t)(i * n);
    CQ_KEY_CHECK(scene->ctx, own[CQ_OWN_DENSITY] > 0.0, keys, properties,
                 "the density of point %d is not > 0 (the first is 0)", i);
    CQ_KEY_CHECK(scene->ctx, n == CQ_OWN_INPUT || own[CQ_OWN_INPUT] > 0.0, keys, properties,
                 "the %s of point %d is not > 0 (the first is 0)", name, i);
    CQ_KEY_CHECK(scene->ctx,
                 own[CQ_OWN_GROUP] >= 0.0 && own[CQ_OWN_GROUP] <= INT_MAX &&
                     own[CQ_OWN_GROUP] == floor(own[CQ_OWN_GROUP]),
                 keys, properties, "the group of point %d is no whole number >= 0 (the first is 0)",
                 i);
  }
  CQ_KEY_CHECK(scene->ctx, body->properties == NULL || isnan(keys->particle_mass), keys,
               particle_mass, "points with properties have a density each");
  return CQ_OK;
}

static cq_status take_volumes(cq_scene *scene, cq_body *body) {
  const cq_table *points = &body->points;
  double *volumes = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, volumes, points->rows));
  for (int i = 0; i < points->rows; i++) {
    volumes[i] = points->values[(i + 1) * points->columns - 1];
    CQ_KEY_CHECK(scene->ctx, volumes[i] > 0.0, body->keys, positions,
                 "the volume of point %d is not > 0 (the first is 0)", i);
  }
  body->volumes = volumes;
  return CQ_OK;
}

/* Particles from a table of points. */
static cq_status read_points(cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  const int dim = scene->config.dim;
  body->points = keys->positions;
  if (keys->points_file != NULL) {
    CQ_TRY(read_points_file(scene, body));
  }
  CQ_KEY_CHECK(scene->ctx, body->points.rows > 0, keys, points_file,
               "give points_file or positions");
  CQ_KEY_CHECK(scene->ctx, body->points.columns == dim || body->points.columns == dim + 1, keys,
               positions, "a row is %s",
               dim == 2 ? "[x, y] or [x, y, volume]" : "[x, y, z] or [x, y, z, volume]");
  CQ_KEY_CHECK(scene->ctx, body->points.rows <= MOST_PARTICLES, keys, positions,
               "%d particles are too many: at most %d", body->points.rows, MOST_PARTICLES);
  body->count = body->points.rows;
  body->spacing = 0.5 * scene->model.length;
  body->shape.dim = dim;
  body->shape_volume = NAN;
  CQ_TRY(check_properties(scene, body));
  return body->points.columns > dim ? take_volumes(scene, body) : CQ_OK;
}

cq_status cq_body_read_particles(cq_scene *scene, cq_body *body) {
  const cq_body_keys *keys = body->keys;
  if (keys->sampling == CQ_SAMPLING_POINTS) {
    return read_points(scene, body);
  }
  CQ_TRY(cq_scene_read_shape(scene, keys->node, &keys->form, &body->shape));
  body->shape_volume = cq_shape_volume(&body->shape);
  if (keys->sampling == CQ_SAMPLING_LATTICE || keys->sampling == CQ_SAMPLING_JITTERED) {
    CQ_TRY(read_lattice(scene, body));
    return keys->sampling == CQ_SAMPLING_JITTERED ? read_seed(scene, body) : CQ_OK;
  }
  body->count = keys->particles;
  CQ_TRY(check_draws(scene, body));
  return read_seed(scene, body);
}

/* Of the shape, where it has one, else the mean of the particles. */
static void find_center(cq_body *body) {
  const size_t dim = (size_t)body->shape.dim;
  const bool has_center = body->keys->sampling != CQ_SAMPLING_POINTS &&
                          (body->shape.kind == CQ_SHAPE_box || body->shape.kind == CQ_SHAPE_ball);
  if (has_center) {
    memcpy(body->center, body->shape.center, sizeof body->center);
    return;
  }
  for (size_t i = 0; i < (size_t)body->count * dim; i++) {
    body->center[i % dim] += body->x[i] / body->count;
  }
}

/* Moves each particle of a lattice at random, but not out of the shape. */
static void jitter(const cq_body *body, cq_rng *rng) {
  enum { TRIES = 20 };
  const size_t dim = (size_t)body->shape.dim;
  for (size_t i = 0; i < (size_t)body->count; i++) {
    double *x = body->x + i * dim, moved[3] = {0};
    for (int k = 0; k < TRIES; k++) {
      for (size_t a = 0; a < dim; a++) {
        const double most = body->keys->jitter * body->lattice.spacing[a];
        moved[a] = x[a] + most * (cq_rng_uniform(rng) - 0.5);
      }
      if (cq_shape_distance(&body->shape, moved) <= 0.0) {
        memcpy(x, moved, dim * sizeof *x);
        break;
      }
    }
  }
}

/* Where the particles start, by the sampling of the body. */
cq_status cq_body_place(cq_ctx *ctx, cq_body *body) {
  const size_t dim = (size_t)body->shape.dim;
  cq_rng rng = cq_rng_seed(body->seed);
  switch (body->keys->sampling) {
  case CQ_SAMPLING_LATTICE:
    cq_lattice_points(&body->lattice, &body->shape, body->x);
    break;
  case CQ_SAMPLING_JITTERED:
    cq_lattice_points(&body->lattice, &body->shape, body->x);
    jitter(body, &rng);
    break;
  case CQ_SAMPLING_BLUE_NOISE:
    CQ_TRY(cq_shape_blue_noise(ctx, &body->shape, body->count, &rng, body->x));
    break;
  case CQ_SAMPLING_POINTS:
    for (size_t i = 0; i < (size_t)body->count; i++) {
      memcpy(body->x + i * dim, body->points.values + i * (size_t)body->points.columns,
             dim * sizeof *body->x);
    }
    break;
  default:
    for (size_t i = 0; i < (size_t)body->count; i++) {
      cq_shape_sample(&body->shape, &rng, body->x + i * dim);
    }
  }
  find_center(body);
  return CQ_OK;
}

void cq_body_describe_property(const cq_body *body, int property, double of_body, FILE *out) {
  double least = INFINITY, largest = -INFINITY;
  for (int i = 0; i < body->count; i++) {
    const double value = cq_body_own(body, (size_t)i, property, of_body);
    least = fmin(least, value);
    largest = fmax(largest, value);
  }
  fprintf(out, "%g", least);
  if (least < largest) {
    fprintf(out, "..%g", largest);
  }
}
