#include "tracks_read.h"

#include "csv.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double same_time = 1e-9;
enum { MOST_MATRIX = 1 << 16 }; /* bytes of a file of 12 numbers */

cq_status cq_tracks_bad(const cq_tracks *t, const char *key, const char *fmt, ...) {
  char text[384];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return cq_config_fail(t->scene->ctx, t->term->keys->node, key, "%s", text);
}

const char *cq_tracks_key(const cq_tracks *t) {
  return t->keys->file != NULL ? "file" : "samples";
}

const char *cq_tracks_place_key(const cq_tracks *t) {
  return t->keys->rest_positions != NULL ? "rest_positions"
         : t->places.rows > 0            ? "rest_places"
                                         : cq_tracks_key(t);
}

/* Either form of a table, told by its first line. */
static cq_status read_file(cq_tracks *t, cq_table *table) {
  const char *unit = t->camera != NULL ? "px" : "m";
  const cq_csv_form many = {.number = CQ_TRACKS_ID,
                            .first = CQ_TRACKS_PLACE,
                            .end = CQ_TRACKS_PLACE + t->numbers,
                            .also = "marker"};
  const cq_csv_column weight = {"weight", "", false, 1.0};
  cq_csv_column columns[] = {{"time", "s", true, 0}, {"id", "", true, 0},    {"x", unit, true, NAN},
                             {"y", unit, true, NAN}, {"z", unit, true, NAN}, weight};
  columns[CQ_TRACKS_PLACE + t->numbers] = weight;
  CQ_TRY(cq_csv_read_form(&t->scene->arena, t->term->keys->node, "file", t->scene->folder,
                          t->scene->config.dim, columns, t->numbers + 3, &many, table));
  return cq_config_inline(&t->scene->arena, t->term->keys->node, "file", "samples", table);
}

static int compare_times(const void *a, const void *b) {
  const double *x = a, *y = b;
  if (x[CQ_TRACKS_TIME] != y[CQ_TRACKS_TIME]) {
    return x[CQ_TRACKS_TIME] < y[CQ_TRACKS_TIME] ? -1 : 1;
  }
  return (x[CQ_TRACKS_ID] > y[CQ_TRACKS_ID]) - (x[CQ_TRACKS_ID] < y[CQ_TRACKS_ID]);
}

static cq_status check_table(const cq_tracks *t, const cq_table *table) {
  const int size = t->numbers + 3;
  if (table->rows == 0) {
    return cq_tracks_bad(t, "file", "give file or samples");
  }
  if (table->columns != size && table->columns != size - 1) {
    return cq_tracks_bad(t, "samples",
                         t->numbers == 2 ? "a row is [time, id, x, y] or [time, id, x, y, weight]"
                                         : "a row is [time, id, x, y, z] or [time, id, x, y, z, "
                                           "weight]");
  }
  return CQ_OK;
}

/* A marker is at one place at a time. */
static cq_status check_samples(const cq_tracks *t) {
  for (int i = 0; i < t->n; i++) {
    const double *s = cq_tracks_sample(t, i), *before = i > 0 ? cq_tracks_sample(t, i - 1) : NULL;
    if (s[CQ_TRACKS_PLACE + t->numbers] < 0.0) {
      return cq_tracks_bad(t, "samples", "a weight is negative");
    }
    if (before != NULL && compare_times(s, before) == 0) {
      return cq_tracks_bad(t, cq_tracks_key(t), "marker %g has two samples at %g", s[CQ_TRACKS_ID],
                           s[CQ_TRACKS_TIME]);
    }
  }
  return CQ_OK;
}

/* The samples with a weight, sorted. */
static cq_status read_samples(cq_tracks *t) {
  cq_table table = t->keys->samples;
  const int size = t->numbers + 3;
  if (t->keys->file != NULL) {
    CQ_TRY(read_file(t, &table));
  }
  CQ_TRY(check_table(t, &table));
  t->n = table.rows;
  CQ_TRY(CQ_ARENA(&t->scene->arena, t->values, (size_t)t->n * (size_t)size));
  for (int i = 0; i < t->n; i++) {
    double *row = t->values + (size_t)i * (size_t)size;
    row[size - 1] = 1.0;
    memcpy(row, table.values + (size_t)i * (size_t)table.columns,
           (size_t)table.columns * sizeof *row);
  }
  qsort(t->values, (size_t)t->n, (size_t)size * sizeof *t->values, compare_times);
  t->rest = isnan(t->keys->rest_time) ? t->values[CQ_TRACKS_TIME] : t->keys->rest_time;
  return check_samples(t);
}

/* Ids and places, each id once. */
static cq_status read_places(cq_tracks *t) {
  const int dim = t->scene->config.dim;
  static const cq_csv_form names = {.number = 0, .also = "marker"};
  static const cq_csv_column columns[] = {
      {"id", "", true, 0}, {"x", "m", true, 0}, {"y", "m", true, 0}, {"z", "m", true, 0}};
  const cq_node *node = t->term->keys->node;
  t->places = t->keys->rest_places;
  if (t->keys->rest_positions != NULL) {
    CQ_TRY(cq_csv_read_form(&t->scene->arena, node, "rest_positions", t->scene->folder, dim,
                            columns, 1 + dim, &names, &t->places));
    CQ_TRY(cq_config_inline(&t->scene->arena, node, "rest_positions", "rest_places", &t->places));
  }
  if (t->places.rows > 0 && t->places.columns != 1 + dim) {
    return cq_tracks_bad(t, "rest_places", "a row is %s",
                         dim == 2 ? "[id, x, y]" : "[id, x, y, z]");
  }
  for (int i = 0; i < t->places.rows; i++) {
    for (int k = 0; k < i; k++) {
      if (t->places.values[i * (1 + dim)] == t->places.values[k * (1 + dim)]) {
        return cq_tracks_bad(t, cq_tracks_place_key(t), "marker %g has two places",
                             t->places.values[i * (1 + dim)]);
      }
    }
  }
  return CQ_OK;
}

/* Twelve numbers, with commas or without, and lines that begin with #. */
static cq_status read_matrix(cq_tracks *t, cq_table *table) {
  cq_ctx *const ctx = t->scene->ctx;
  cq_arena *arena = &t->scene->arena;
  const cq_node *node = cq_node_find(t->term->keys->node, "camera_file");
  const char *path = NULL, *where = NULL;
  char *text = NULL;
  double *values = NULL;
  int n = 0, line = 1;
  CQ_TRY(cq_node_file(arena, node, t->scene->folder, &path));
  CQ_TRY(
      cq_arena_text(arena, &where, "%s: %s: ", cq_node_where(node).text, cq_node_path(node).text));
  CQ_TRY(cq_file_text(arena, path, where, MOST_MATRIX, &text));
  CQ_TRY(CQ_ARENA(arena, values, 12));
  while (*(text += strspn(text, " \t\r,;")) != '\0') {
    if (*text == '\n' || *text == '#') {
      text += strcspn(text, "\n");
      line += *text == '\n';
      text += *text == '\n';
      continue;
    }
    char *end = NULL;
    const double value = strtod(text, &end);
    CQ_CHECK(ctx, end != text && isfinite(value), CQ_CONFIG,
             "%s:%d: number %d of the matrix is no number: \"%.*s\"", path, line, n + 1,
             (int)strcspn(text, " \t\r\n,;"), text);
    CQ_CHECK(ctx, n < 12, CQ_CONFIG,
             "%s:%d: the matrix of a camera has 3 lines of 4 numbers, and "
             "this file has more",
             path, line);
    values[n++] = value;
    text = end;
  }
  CQ_CHECK(ctx, n == 12, CQ_CONFIG,
           "%s: the matrix of a camera has 3 lines of 4 numbers, and this file has %d numbers",
           path, n);
  *table = (cq_table){3, 4, values};
  return cq_config_inline(arena, t->term->keys->node, "camera_file", "camera", table);
}

/* From pixels no place at rest can be told. */
static cq_status read_camera(cq_tracks *t) {
  cq_table table = t->keys->camera;
  t->numbers = t->scene->config.dim;
  if (t->keys->camera_file != NULL) {
    CQ_TRY(read_matrix(t, &table));
  }
  if (table.rows == 0) {
    return CQ_OK;
  }
  if (table.rows != 3 || table.columns != 4) {
    return cq_tracks_bad(t, "camera", "must be 3 rows of 4 numbers, not %d of %d", table.rows,
                         table.columns);
  }
  if (t->keys->rest_positions == NULL && t->keys->rest_places.rows == 0) {
    return cq_tracks_bad(t, "rest_positions",
                         "is missing: pixels do not tell where on the body a marker is");
  }
  t->camera = table.values;
  t->numbers = 2;
  return CQ_OK;
}

/* The camera first: it says what samples are. */
cq_status cq_tracks_read(cq_scene *scene, cq_term *term, cq_tracks *t) {
  *t = (cq_tracks){.scene = scene, .term = term, .keys = &term->keys->own.marker_distance};
  CQ_TRY(read_camera(t));
  CQ_TRY(read_places(t));
  return read_samples(t);
}

bool cq_tracks_is_rest(const cq_tracks *t, const double *s) {
  return s[CQ_TRACKS_TIME] <= t->rest + same_time * fmax(1.0, fabs(t->rest));
}

/* The samples are sorted by time: those of the rest come first. */
double cq_tracks_rest(const cq_tracks *t, double id, bool weighted, double *mean) {
  double sum = 0.0;
  for (int i = 0; i < t->n && cq_tracks_is_rest(t, cq_tracks_sample(t, i)); i++) {
    const double *s = cq_tracks_sample(t, i);
    if (s[CQ_TRACKS_ID] != id) {
      continue;
    }
    const double weight = weighted ? s[CQ_TRACKS_PLACE + t->numbers] : 1.0;
    for (int a = 0; a < t->numbers; a++) {
      mean[a] += weight * s[CQ_TRACKS_PLACE + a];
    }
    sum += weight;
  }
  for (int a = 0; a < t->numbers && sum > 0.0; a++) {
    mean[a] /= sum;
  }
  return sum;
}

cq_status cq_tracks_place(const cq_tracks *t, double id, double place[3]) {
  const int dim = t->scene->config.dim;
  for (int i = 0; i < t->places.rows; i++) {
    const double *row = t->places.values + i * (1 + dim);
    if (row[0] == id) {
      memcpy(place, row + 1, (size_t)dim * sizeof *place);
      return CQ_OK;
    }
  }
  return cq_tracks_bad(t, cq_tracks_place_key(t), "has no place of marker %g", id);
}
