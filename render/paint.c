#include "paint.h"

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
