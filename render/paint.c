#include "paint.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name, *title;
} known[] = {{"body", "body"},       {"youngs_modulus", "Young's modulus"},
             {"density", "density"}, {"actuation", "actuation"},
             {"speed", "speed"},     {"strain", "strain"}};

const char *cq_paint_name(int i) {
  return i < (int)(sizeof known / sizeof *known) ? known[i].name : NULL;
}

static const char *title_of(const char *name) {
  for (int i = 0; cq_paint_name(i) != NULL; i++) {
    if (strcmp(known[i].name, name) == 0) {
      return known[i].title;
    }
  }
  return name;
}

static int find(const cq_motion_field *fields, int n, const char *name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(fields[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static double value_of(const cq_paint *paint, const cq_motion *motion, int take, int frame, int k) {
  const cq_motion_def *const def = &motion->def;
  const cq_motion_take *const t = &motion->takes[take];
  const size_t row = paint->fixed ? (size_t)paint->index
                                  : (size_t)frame * (size_t)def->n_fields + (size_t)paint->index;
  return (double)(paint->fixed ? t->fixed : t->fields)[row * (size_t)def->n_kept + (size_t)k];
}

static void find_range(const cq_motion *motion, int take, cq_paint *paint) {
  const int frames = paint->fixed ? 1 : motion->takes[take].n_frames;
  paint->low = INFINITY;
  paint->high = -INFINITY;
  for (int frame = 0; frame < frames; frame++) {
    for (int k = 0; k < motion->def.n_kept; k++) {
      const double value = value_of(paint, motion, take, frame, k);
      paint->low = fmin(paint->low, value);
      paint->high = fmax(paint->high, value);
    }
  }
  if (paint->low < 0.0 && paint->high > 0.0) {
    paint->high = fmax(paint->high, -paint->low);
    paint->low = -paint->high;
  }
}

static cq_status find_field(const cq_motion *motion, const char *name, cq_paint *paint,
                            cq_motion_text unit) {
  const cq_motion_def *const def = &motion->def;
  paint->index = find(def->fields, def->n_fields, name);
  const cq_motion_field *field = def->fields + paint->index;
  if (paint->index < 0) {
    paint->index = find(def->fixed, def->n_fixed, name);
    paint->fixed = true;
    field = def->fixed + paint->index;
  }
  CQ_CHECK(motion->ctx, paint->index >= 0, CQ_CONFIG, "this motion has no %s to colour it by%s",
           name, strcmp(name, "actuation") == 0 ? ": nothing in it is actuated" : "");
  snprintf(unit, CQ_MOTION_TEXT, "%s", field->unit);
  return CQ_OK;
}

/* Name and unit; large pressures in kPa or MPa. */
static void write_label(cq_paint *paint, const char *name, const char *unit, int dimension) {
  const bool is_pressure = strcmp(unit, "Pa") == 0;
  const double largest = fmax(fabs(paint->low), fabs(paint->high));
  paint->unit = !is_pressure || largest < 1e3 ? 1.0 : largest < 1e6 ? 1e3 : 1e6;
  const char *const prefix = paint->unit == 1e6 ? "M" : paint->unit == 1e3 ? "k" : "";
  if (strcmp(unit, "1") == 0) {
    snprintf(paint->label, sizeof paint->label, "%s", title_of(name));
  } else if (strcmp(unit, "kg/m^dim") == 0) {
    snprintf(paint->label, sizeof paint->label, "%s [kg/m%s]", title_of(name),
             dimension == 3 ? "\302\263" : "\302\262"); /* superscripts */
  } else {
    snprintf(paint->label, sizeof paint->label, "%s [%s%s]", title_of(name), prefix, unit);
  }
}

cq_status cq_paint_make(const cq_motion *motion, int take, const char *name, const char *map,
                        const double *range, cq_paint *out) {
  *out = (cq_paint){.by_body = strcmp(name, "body") == 0};
  if (out->by_body) {
    return CQ_OK;
  }
  cq_motion_text unit;
  CQ_TRY(find_field(motion, name, out, unit));
  if (range != NULL) {
    out->low = range[0];
    out->high = range[1];
  } else {
    find_range(motion, take, out);
  }
  write_label(out, name, unit, motion->def.dimension);
  const bool has_both_signs = out->low < 0.0 && out->high > 0.0;
  out->map = cq_palette_find(map != NULL ? map : has_both_signs ? "coolwarm" : "viridis");
  return CQ_OK;
}

int cq_paint_level(const cq_paint *paint, const cq_motion *motion, int take, int frame, int k) {
  if (paint->by_body) {
    return motion->def.body[k];
  }
  const double size = paint->high - paint->low;
  const double value = value_of(paint, motion, take, frame, k);
  const double t = size > 0.0 ? (value - paint->low) / size : 0.5;
  return (int)lround((CQ_PAINT_LEVELS - 1) * fmin(fmax(t, 0.0), 1.0));
}

cq_colour cq_paint_colour(const cq_paint *paint, int level) {
  return paint->by_body ? cq_palette_hue(level)
                        : cq_palette_at(paint->map, (double)level / (CQ_PAINT_LEVELS - 1));
}

void cq_paint_number(double value, char *text, size_t size) {
  const double large = fabs(value);
  const char *const sign = value < 0.0 ? "\342\210\222" : "";
  if (large >= 1000.0 && large < 1e5) {
    const double unit = pow(10.0, floor(log10(large)) - 2.0);
    snprintf(text, size, "%s%.0f", sign, unit * round(large / unit));
  } else {
    snprintf(text, size, "%s%.3g", sign, large);
  }
}

/* --- sizes --- */

/* The particles of a body as they stand in the first frame. */
typedef struct crowd {
  int n, dimension;
  const int *members; /* [n] */
  const float *x;     /* of all */
  int *counts;        /* [cells] work */
} crowd;

/* Cells with some 4 particles each way that fill the box around the body. */
typedef struct raster {
  double low[3], size[3]; /* [m] of the box, then of a cell */
  int cells[3];
} raster;

static double room_of(const raster *r, int dimension) {
  double room = 1.0;
  for (int a = 0; a < dimension; a++) {
    room *= r->size[a];
  }
  return room;
}

/* Around the particles themselves, which stand in the middle of what they are particles of. */
static raster make_raster(const crowd *c) {
  enum { EACH_WAY = 4 };
  const int dim = c->dimension;
  raster r = {.low = {INFINITY, INFINITY, INFINITY}, .cells = {1, 1, 1}};
  double high[3] = {-INFINITY, -INFINITY, -INFINITY}, bare[3], spacing = 0.0;
  for (int i = 0; i < c->n; i++) {
    for (int a = 0; a < dim; a++) {
      const double x = (double)c->x[c->members[i] * dim + a];
      r.low[a] = fmin(r.low[a], x);
      high[a] = fmax(high[a], x);
    }
  }
  for (int a = 0; a < dim; a++) {
    bare[a] = r.size[a] = high[a] - r.low[a];
  }
  for (int pass = 0; pass < 4; pass++) {
    for (int a = 0; a < dim; a++) {
      r.size[a] = fmax(bare[a] + spacing, 1e-9);
    }
    spacing = pow(room_of(&r, dim) / c->n, 1.0 / dim);
  }
  for (int a = 0; a < dim; a++) {
    r.low[a] -= 0.5 * (r.size[a] - bare[a]);
    r.cells[a] = (int)fmax(1.0, round(r.size[a] / (EACH_WAY * spacing)));
    r.size[a] /= r.cells[a];
  }
  return r;
}

static int *cell_of(const crowd *c, const raster *r, int i) {
  int at = 0;
  for (int a = c->dimension - 1; a >= 0; a--) {
    const double x = (double)c->x[c->members[i] * c->dimension + a];
    const int k = (int)((x - r->low[a]) / r->size[a]);
    at = at * r->cells[a] + (k < r->cells[a] ? k : r->cells[a] - 1);
  }
  return &c->counts[at];
}

/* Where half of the particles have fewer beside them, and half have more: inside of the body, since
 * at its rim cells are not full. seen [n + 1]: work, particles by the count of their cell. */
static double typical_count(const crowd *c, const raster *r, int *seen) {
  const size_t cells = (size_t)r->cells[0] * (size_t)r->cells[1] * (size_t)r->cells[2];
  memset(c->counts, 0, cells * sizeof *c->counts);
  memset(seen, 0, (size_t)(c->n + 1) * sizeof *seen);
  for (int i = 0; i < c->n; i++) {
    (*cell_of(c, r, i))++;
  }
  for (int i = 0; i < c->n; i++) {
    seen[*cell_of(c, r, i)]++;
  }
  int count = 0;
  for (int below = 0; 2 * below < c->n; below += seen[count]) {
    count++;
  }
  return count;
}

/* Discs, or balls, of the area that a particle has to itself. */
static cq_status radius_of(cq_ctx *ctx, crowd *c, int *seen, double *radius) {
  const double pi = acos(-1.0);
  const raster r = make_raster(c);
  CQ_TRY(CQ_ALLOC(ctx, c->counts, (size_t)r.cells[0] * (size_t)r.cells[1] * (size_t)r.cells[2]));
  const double room = room_of(&r, c->dimension) / typical_count(c, &r, seen);
  *radius = c->dimension == 3 ? cbrt(0.75 * room / pi) : sqrt(room / pi);
  cq_free(ctx, c->counts);
  return CQ_OK;
}

cq_status cq_paint_radii(const cq_motion *motion, int take, double *radii) {
  const cq_motion_def *const def = &motion->def;
  cq_ctx *const ctx = motion->ctx;
  int *work = NULL;
  cq_status status = CQ_ALLOC(ctx, work, 2 * (size_t)def->n_kept + 1);
  for (int b = 0; b < def->n_bodies && status == CQ_OK; b++) {
    crowd c = {.dimension = def->dimension, .members = work, .x = motion->takes[take].x};
    for (int k = 0; k < def->n_kept; k++) {
      if (def->body[k] == b) {
        work[c.n++] = k;
      }
    }
    radii[b] = 0.0;
    if (c.n > 0) {
      status = radius_of(ctx, &c, work + def->n_kept, &radii[b]);
    }
  }
  cq_free(ctx, work);
  return status;
}
