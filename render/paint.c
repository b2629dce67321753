#include "paint.h"

#include "nearest.h"
#include "status.h"

#include <math.h>
#include <string.h>

const char *cq_paint_name(const cq_motion *motion, int i) {
  const cq_motion_def *const def = &motion->def;
  if (i == 0) {
    return "body";
  }
  if (i <= def->n_fields) {
    return def->fields[i - 1].name;
  }
  return i <= def->n_fields + def->n_fixed ? def->fixed[i - 1 - def->n_fields].name : NULL;
}

/* Which of the names is meant, in any case; NULL: none. */
static const char *known_name(const cq_motion *motion, const char *name) {
  for (int i = 0; cq_paint_name(motion, i) != NULL; i++) {
    if (cq_same_word(cq_paint_name(motion, i), name)) {
      return cq_paint_name(motion, i);
    }
  }
  return NULL;
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

/* Symmetric about 0 where values have both signs, so that 0 has the colour in the middle. */
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

/* Finds the field that is meant; for an unknown name the error says which ones come near. */
static cq_status find_field(const cq_motion *motion, const char *wanted, cq_paint *paint,
                            const cq_motion_field **out) {
  const cq_motion_def *const def = &motion->def;
  const char *const name = known_name(motion, wanted);
  cq_nearest nearest = cq_nearest_begin(wanted);
  for (int i = 0; cq_paint_name(motion, i) != NULL; i++) {
    cq_nearest_offer(&nearest, cq_paint_name(motion, i));
  }
  CQ_CHECK(motion->ctx, name != NULL || !cq_same_word(wanted, "actuation"), CQ_CONFIG,
           "this motion has no actuation to colour it by: nothing in it is actuated");
  CQ_CHECK(motion->ctx, name != NULL, CQ_CONFIG, "this motion has no %s to colour it by; %s",
           wanted, cq_nearest_text(&nearest));
  paint->index = find(def->fields, def->n_fields, name);
  const cq_motion_field *field = def->fields + paint->index;
  if (paint->index < 0) {
    paint->index = find(def->fixed, def->n_fixed, name);
    paint->fixed = true;
    field = def->fixed + paint->index;
  }
  *out = field;
  return CQ_OK;
}

/* Name, with spaces, and unit; large pressures in kPa or MPa. */
static void write_label(cq_paint *paint, const cq_motion_field *field, int dimension) {
  const char *const unit = field->unit;
  cq_motion_text name;
  snprintf(name, sizeof name, "%s", field->name);
  for (char *c = name; *c != '\0'; c++) {
    *c = *c == '_' ? ' ' : *c;
  }
  const bool is_pressure = strcmp(unit, "Pa") == 0;
  const double largest = fmax(fabs(paint->low), fabs(paint->high));
  paint->unit = !is_pressure || largest < 1e3 ? 1.0 : largest < 1e6 ? 1e3 : 1e6;
  const char *const prefix = paint->unit == 1e6 ? "M" : paint->unit == 1e3 ? "k" : "";
  if (strcmp(unit, "1") == 0) {
    snprintf(paint->label, sizeof paint->label, "%s", name);
  } else if (strcmp(unit, "kg/m^dim") == 0) {
    snprintf(paint->label, sizeof paint->label, "%s [kg/m%s]", name,
             dimension == 3 ? "\302\263" : "\302\262"); /* superscripts */
  } else {
    snprintf(paint->label, sizeof paint->label, "%s [%s%s]", name, prefix, unit);
  }
}

/* With no map named: a diverging one where the range has both signs, else one that ascends. */
cq_status cq_paint_make(const cq_motion *motion, int take, const char *name, const char *map,
                        const double *range, cq_paint *out) {
  *out = (cq_paint){.by_body = strcmp(name, "body") == 0};
  if (out->by_body) {
    return CQ_OK;
  }
  const cq_motion_field *field = NULL;
  CQ_TRY(find_field(motion, name, out, &field));
  if (range != NULL) {
    out->low = range[0];
    out->high = range[1];
  } else {
    find_range(motion, take, out);
  }
  write_label(out, field, motion->def.dimension);
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
