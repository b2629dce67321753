/* Curves of a testing machine: forces that were measured at times, or where the machine was. */
#include "bodies.h"
#include "csv.h"
#include "objective.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OVER_TIME, OVER_DISPLACEMENT };
enum { AT, FORCE, WEIGHT, SIZE }; /* columns of a sample */

typedef struct curve {
  cq_scene *scene;
  cq_term *term;
  const cq_term_force_curve *keys;
  int n;
  double *samples; /* [n][SIZE] in the order of AT */
} curve;

static const char *key_of(const curve *c) {
  return c->keys->file != NULL ? "file" : "samples";
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (x[AT] > y[AT]) - (x[AT] < y[AT]);
}

static cq_status read_file(const curve *c, cq_table *table) {
  const bool time = c->keys->over == OVER_TIME;
  const cq_csv_column columns[] = {
      {time ? "time" : "displacement", time ? "s" : "m", true, 0},
      {"force", "N", true, NAN},
      {"weight", "", false, 1.0},
  };
  const cq_node *node = c->term->keys->node;
  CQ_TRY(cq_csv_read(&c->scene->arena, node, "file", c->scene->folder, c->scene->config.dim,
                     columns, SIZE, table));
  return cq_config_inline(&c->scene->arena, node, "file", "samples", table);
}

/* The samples with a weight, sorted. */
static cq_status read_samples(curve *c) {
  cq_ctx *const ctx = c->scene->ctx;
  const cq_node *node = c->term->keys->node;
  cq_table table = c->keys->samples;
  if (c->keys->file != NULL) {
    CQ_TRY(read_file(c, &table));
  }
  if (table.rows == 0) {
    return cq_config_fail(ctx, node, "file", "give file or samples");
  }
  if (table.columns != SIZE && table.columns != SIZE - 1) {
    return cq_config_fail(ctx, node, "samples", "a row is [%s, force] or has a weight after them",
                          c->keys->over == OVER_TIME ? "time" : "displacement");
  }
  c->n = table.rows;
  CQ_TRY(CQ_ARENA(&c->scene->arena, c->samples, (size_t)c->n * SIZE));
  for (int i = 0; i < c->n; i++) {
    double *row = c->samples + (size_t)i * SIZE;
    row[WEIGHT] = 1.0;
    memcpy(row, table.values + (size_t)i * (size_t)table.columns,
           (size_t)table.columns * sizeof *row);
    if (row[WEIGHT] < 0.0) {
      return cq_config_fail(ctx, node, "samples", "a weight is negative");
    }
  }
  qsort(c->samples, (size_t)c->n, SIZE * sizeof *c->samples, compare);
  return CQ_OK;
}

/* How far a track has moved a body along the direction. */
static double moved(const curve *c, const track *t, double time) {
  const int dim = c->scene->config.dim;
  double pose[2][7], twist[6], sum = 0.0;
  cq_rigid_on_track(dim, t, 0.0, pose[0], twist);
  cq_rigid_on_track(dim, t, time, pose[1], twist);
  for (int a = 0; a < dim; a++) {
    sum += c->keys->direction[a] * (pose[1][a] - pose[0][a]);
  }
  return sum;
}

/* The track of the body; one that is designed is elsewhere in every run. */
static cq_status find_track(const curve *c, const track **out) {
  const cq_term_keys *keys = c->term->keys;
  const cq_items *design = &c->scene->config.design;
  const cq_block_keys *blocks = design->items;
  const cq_wall *wall = cq_scene_wall(c->scene, keys->body);
  if (wall == NULL || wall->track == NULL) {
    return cq_config_fail(c->scene->ctx, keys->node, "over",
                          "\"%s\" has no track, so that its displacement is not known before a "
                          "run; give times",
                          keys->body);
  }
  for (int i = 0; i < design->count; i++) {
    const char *variable = cq_config_word(blocks[i].node, "variable");
    if (variable != NULL && strcmp(variable, "track") == 0 && blocks[i].body != NULL &&
        strcmp(blocks[i].body, keys->body) == 0) {
      return cq_config_fail(c->scene->ctx, keys->node, "over",
                            "the track of \"%s\" is designed, so that its displacement is not "
                            "known before a run; give times",
                            keys->body);
    }
  }
  *out = wall->track;
  return CQ_OK;
}

/* Displacements become times: the first at which the track is there. */
static cq_status find_times(curve *c) {
  const cq_model *model = &c->scene->model;
  const cq_node *node = c->term->keys->node;
  const track *t = NULL;
  CQ_TRY(find_track(c, &t));
  double before = 0.0;
  int next = 0;
  if (c->samples[AT] < 0.0) {
    return cq_config_fail(c->scene->ctx, node, key_of(c),
                          "a displacement of %g m is against the direction", c->samples[AT]);
  }
  for (int k = 1; k <= model->steps && next < c->n; k++) {
    const double here = moved(c, t, k * model->dt);
    if (!(here > before) && !(here == 0.0 && before == 0.0)) {
      return cq_config_fail(c->scene->ctx, node, "over",
                            "the displacement does not grow all the way: at %g s it is %g m, and a "
                            "step later %g m; give times",
                            (k - 1) * model->dt, before, here);
    }
    for (; next < c->n && c->samples[next * SIZE + AT] <= here; next++) {
      double *at = &c->samples[next * SIZE + AT];
      *at = (k - 1 + (here > before ? (*at - before) / (here - before) : 0.0)) * model->dt;
    }
    before = here;
  }
  if (next < c->n) {
    return cq_config_fail(c->scene->ctx, node, key_of(c),
                          "a displacement of %g m is not reached: at the end of the run it is %g m",
                          c->samples[next * SIZE + AT], before);
  }
  return CQ_OK;
}

static cq_status check_times(const curve *c) {
  const double end = c->scene->model.dt * c->scene->model.steps;
  const double first = c->samples[AT], last = c->samples[(c->n - 1) * SIZE + AT];
  if (first < 0.0 || last > end * (1.0 + 1e-9)) {
    return cq_config_fail(c->scene->ctx, c->term->keys->node, key_of(c),
                          "a sample at %g s is not in the run, which is from 0 to %g s",
                          first < 0.0 ? first : last, end);
  }
  return CQ_OK;
}

/* A marker without sets for each sample: the force, then the direction. */
static cq_status add_samples(curve *c) {
  cq_term *term = c->term;
  cq_arena *arena = &c->scene->arena;
  double *targets = NULL, sum = 0.0;
  CQ_TRY(CQ_ARENA(arena, term->instants, c->n));
  CQ_TRY(CQ_ARENA(arena, term->markers, c->n));
  CQ_TRY(CQ_ARENA(arena, targets, (size_t)c->n * 4));
  for (int i = 0; i < c->n; i++) {
    const double *s = c->samples + (size_t)i * SIZE;
    double *target = targets + (size_t)i * 4;
    target[0] = s[FORCE];
    memcpy(target + 1, c->keys->direction, 3 * sizeof *target);
    term->markers[i] = (cq_marker){.offset = -1, .target = target, .id = NAN, .weight = s[WEIGHT]};
    term->instants[i] = cq_instant_at(s[AT], c->scene->model.dt);
    term->instants[i].first_marker = i;
    term->instants[i].n_markers = 1;
    sum += s[WEIGHT];
  }
  term->n_instants = c->n;
  if (!(sum > 0.0)) {
    return cq_config_fail(c->scene->ctx, term->keys->node, key_of(c), "all weights are zero");
  }
  const bool is_mean = isnan(c->keys->deviation); /* else chi-square, a sum */
  for (int i = 0; i < c->n && is_mean; i++) {
    term->markers[i].weight /= sum;
  }
  return CQ_OK;
}

cq_status cq_term_read_curve(cq_scene *scene, cq_term *term) {
  curve c = {.scene = scene, .term = term, .keys = &term->keys->own.force_curve};
  CQ_TRY(read_samples(&c));
  if (c.keys->over == OVER_DISPLACEMENT) {
    CQ_TRY(find_times(&c));
  }
  CQ_TRY(check_times(&c));
  return add_samples(&c);
}
