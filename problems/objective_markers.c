/* Tracks of markers: each marker becomes a point of the bodies, found in the shape they start in,
 * and each sample a place where it should be at a time. */
#include "csv.h"
#include "objective.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, ID, PLACE }; /* columns of a sample; then come dim coordinates and the weight */

static const double same_time = 1e-9;
/* a marker may be as far from the nearest particle, in lengths of the model */
static const double far_cells = 1.0;

/* Samples in the order of time. */
typedef struct tracks {
  cq_scene *scene;
  cq_term *term;
  const cq_set *of;
  int dim, n;
  double *values; /* [n][dim + 3] */
  double rest;
} tracks;

static const double *sample(const tracks *t, int i) {
  return t->values + (size_t)i * (size_t)(t->dim + 3);
}

static const cq_term_marker_distance *own(const tracks *t) {
  return &t->term->keys->own.marker_distance;
}

static const char *tracks_key(const tracks *t) {
  return own(t)->file != NULL ? "file" : "samples";
}

/* CQ_CONFIG about a key of the term */
static cq_status bad(const tracks *t, const char *key, const char *fmt, ...) CQ_PRINTF(3, 4);
static cq_status bad(const tracks *t, const char *key, const char *fmt, ...) {
  char text[256];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return cq_config_fail(t->scene->ctx, t->term->keys->node, key, "%s", text);
}

static cq_status read_file(tracks *t, cq_table *table) {
  const cq_csv_column weight = {"weight", "", false, 1.0};
  cq_csv_column columns[] = {{"time", "s", true, 0}, {"id", "", true, 0},   {"x", "m", true, NAN},
                             {"y", "m", true, NAN},  {"z", "m", true, NAN}, weight};
  columns[PLACE + t->dim] = weight;
  CQ_TRY(cq_csv_read(&t->scene->arena, t->term->keys->node, "file", t->scene->folder, t->dim,
                     columns, t->dim + 3, table));
  return cq_config_inline(&t->scene->arena, t->term->keys->node, "file", "samples", table);
}

static int compare_times(const void *a, const void *b) {
  const double *x = a, *y = b;
  if (x[TIME] != y[TIME]) {
    return x[TIME] < y[TIME] ? -1 : 1;
  }
  return (x[ID] > y[ID]) - (x[ID] < y[ID]);
}

/* The samples with a weight, sorted. */
static cq_status read_samples(tracks *t) {
  cq_table table = own(t)->samples;
  const int size = t->dim + 3;
  if (own(t)->file != NULL) {
    CQ_TRY(read_file(t, &table));
  }
  if (table.rows == 0) {
    return bad(t, "file", "give file or samples");
  }
  if (table.columns != size && table.columns != size - 1) {
    return bad(t, "samples",
               t->dim == 2 ? "a row is [time, id, x, y] or [time, id, x, y, weight]"
                           : "a row is [time, id, x, y, z] or [time, id, x, y, z, weight]");
  }
  t->n = table.rows;
  CQ_TRY(CQ_ARENA(&t->scene->arena, t->values, (size_t)t->n * (size_t)size));
  for (int i = 0; i < t->n; i++) {
    double *row = t->values + (size_t)i * (size_t)size;
    row[size - 1] = 1.0;
    memcpy(row, table.values + (size_t)i * (size_t)table.columns,
           (size_t)table.columns * sizeof *row);
    if (row[size - 1] < 0.0) {
      return bad(t, "samples", "a weight is negative");
    }
  }
  qsort(t->values, (size_t)t->n, (size_t)size * sizeof *t->values, compare_times);
  t->rest = isnan(own(t)->rest_time) ? sample(t, 0)[TIME] : own(t)->rest_time;
  return CQ_OK;
}

/* The set of a particle among the term's; a new one is added. */
static cq_status add_set(tracks *t, int particle, int *index) {
  cq_term *term = t->term;
  int observed = 0;
  CQ_TRY(cq_scene_particle_group(t->scene, particle, &observed));
  for (*index = 0; *index < term->n_sets; (*index)++) {
    if (term->sets[*index] == observed) {
      return CQ_OK;
    }
  }
  term->sets[term->n_sets++] = observed;
  return CQ_OK;
}

/* Hangs a marker on the particles around its place at rest. */
static cq_status bind(tracks *t, const double *at_rest, cq_marker *marker) {
  int particles[CQ_MOST_CARRIERS], *set = NULL;
  double shares[CQ_MOST_CARRIERS], *share = NULL, distance = 0.0;
  const int n = cq_bind(t->scene, t->of, at_rest + PLACE, particles, shares, &distance);
  if (distance > far_cells * t->scene->model.length) {
    return bad(
        t, tracks_key(t),
        "marker %g is %.3g m from the nearest particle of \"%s\" at rest (time %g): scale or "
        "move the tracks, or set rest_time",
        at_rest[ID], distance, t->of->name, t->rest);
  }
  CQ_TRY(CQ_ARENA(&t->scene->arena, set, n));
  CQ_TRY(CQ_ARENA(&t->scene->arena, share, n));
  memcpy(share, shares, (size_t)n * sizeof *share);
  for (int i = 0; i < n; i++) {
    CQ_TRY(add_set(t, particles[i], &set[i]));
  }
  *marker = (cq_marker){.n = n, .set = set, .share = share};
  return CQ_OK;
}

static bool is_at_rest(const tracks *t, const double *s) {
  return fabs(s[TIME] - t->rest) <= same_time * fmax(1.0, fabs(t->rest));
}

/* Where a marker is at rest: the mean of all its samples up to then, so that the noise of one does
 * not tie it to another point of the body. at_rest [dim + 3] is laid out as a sample. */
static cq_status find_rest(const tracks *t, double id, double *at_rest) {
  int n = 0;
  at_rest[TIME] = t->rest;
  at_rest[ID] = id;
  for (int i = 0; i < t->n && (sample(t, i)[TIME] < t->rest || is_at_rest(t, sample(t, i))); i++) {
    for (int a = 0; a < t->dim && sample(t, i)[ID] == id; a++) {
      at_rest[PLACE + a] += sample(t, i)[PLACE + a];
    }
    n += sample(t, i)[ID] == id;
  }
  if (n == 0) {
    return bad(t, tracks_key(t),
               "marker %g has no sample up to rest (time %g), where it is bound to the body; see "
               "rest_time",
               id, t->rest);
  }
  for (int a = 0; a < t->dim; a++) {
    at_rest[PLACE + a] /= n;
  }
  return CQ_OK;
}

/* Sample i becomes a marker; those of one id hang on the same particles. */
static cq_status add_sample(tracks *t, int i, int first, cq_marker *marker) {
  const double *s = sample(t, i);
  double at_rest[PLACE + 3] = {0};
  const double end = t->scene->model.dt * t->scene->model.steps;
  if (s[TIME] - t->rest > end * (1.0 + same_time)) {
    return bad(t, tracks_key(t), "a sample at %g is after the end of the run, %g s from rest (%g)",
               s[TIME], end, t->rest);
  }
  int before = i - 1;
  while (before >= first && sample(t, before)[ID] != s[ID]) {
    before--;
  }
  if (before >= first && sample(t, before)[TIME] == s[TIME]) {
    return bad(t, tracks_key(t), "marker %g has two samples at %g", s[ID], s[TIME]);
  }
  if (before >= first) {
    *marker = t->term->markers[before - first];
  } else {
    CQ_TRY(find_rest(t, s[ID], at_rest));
    CQ_TRY(bind(t, at_rest, marker));
  }
  marker->target = s + PLACE;
  marker->id = s[ID];
  marker->weight = s[PLACE + t->dim];
  return CQ_OK;
}

/* An instant for each time. */
static cq_status add_instants(tracks *t, int first) {
  cq_term *term = t->term;
  double sum = 0.0;
  CQ_TRY(CQ_ARENA(&t->scene->arena, term->instants, t->n - first));
  for (int i = first; i < t->n; i++) {
    const double *s = sample(t, i);
    if (i == first || s[TIME] > sample(t, i - 1)[TIME]) {
      cq_instant *at = &term->instants[term->n_instants++];
      *at = cq_instant_at(s[TIME] - t->rest, t->scene->model.dt);
      at->first_marker = i - first;
    }
    term->instants[term->n_instants - 1].n_markers++;
    sum += term->markers[i - first].weight;
  }
  if (!(sum > 0.0)) {
    return bad(t, tracks_key(t), "all weights are zero");
  }
  const bool is_mean = isnan(own(t)->deviation); /* else chi-square, a sum */
  for (int i = 0; i < t->n - first && is_mean; i++) {
    term->markers[i].weight /= sum;
  }
  return CQ_OK;
}

/* Samples up to rest bind the markers; the later ones are compared with. */
cq_status cq_term_read_markers(cq_scene *scene, cq_term *term) {
  tracks t = {.scene = scene, .term = term, .dim = scene->config.dim};
  CQ_TRY(cq_scene_find_set(scene, term->keys->node, "body", term->keys->body, &t.of));
  CQ_TRY(read_samples(&t));
  int first = 0;
  while (first < t.n && (sample(&t, first)[TIME] < t.rest || is_at_rest(&t, sample(&t, first)))) {
    first++;
  }
  if (first == t.n) {
    return bad(&t, "rest_time", "no sample is later");
  }
  CQ_TRY(CQ_ARENA(&scene->arena, term->markers, t.n - first));
  CQ_TRY(CQ_ARENA(&scene->arena, term->sets, (size_t)(t.n - first) * CQ_MOST_CARRIERS));
  for (int i = first; i < t.n; i++) {
    CQ_TRY(add_sample(&t, i, first, &term->markers[i - first]));
  }
  return add_instants(&t, first);
}
