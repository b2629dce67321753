/* Below the panels: a length, in 3D the axes, and what the colours mean. */
#include "picture.h"

#include <math.h>

enum { TEXT = 160 };
static const double row = 1.7, swatch = 0.9, gap = 0.6; /* [fonts] */

static bool has_axes(const cq_render *r) {
  return r->def.motion->def.dimension == 3;
}

/* Bodies have names in the legend as long as their colours are different. */
static int entries(const cq_render *r) {
  return r->def.motion->def.n_bodies <= CQ_HUES ? r->def.motion->def.n_bodies : 0;
}

static double entry_width(const cq_render *r, cairo_t *cr, double font, int body) {
  return cq_ink_width(cr, font, r->def.motion->def.bodies[body]) +
         (swatch + 0.4 * gap + 1.5 * gap) * font;
}

/* --- the length --- */

static void ruler_text(const cq_render *r, char text[TEXT]) {
  const bool small = r->ruler < 0.01 * (1.0 - 1e-9);
  char number[32];
  cq_paint_number(small ? 1e3 * r->ruler : r->ruler, number, sizeof number);
  snprintf(text, TEXT, "%s %s", number, small ? "mm" : "m");
}

/* What the length, so many pixels, and the axes take on the left. */
static double left_width(const cq_render *r, cairo_t *cr, double font, double ruler) {
  char text[TEXT];
  ruler_text(r, text);
  return ruler + cq_ink_width(cr, font, text) + (has_axes(r) ? 6.5 : 2.0) * font;
}

/* A bar of `ruler` pixels with a tick at either end, and the length that it stands for. */
static void draw_ruler(const cq_render *r, cairo_t *cr, cq_box box, double font, double ruler) {
  char text[TEXT];
  const double y = box.y + 0.5 * row * font, tick = 0.25 * font;
  const double x = box.x + 0.1 * font, end = x + ruler;
  ruler_text(r, text);
  cq_ink(cr, r->inks.text, 1.0);
  cairo_set_line_width(cr, 0.12 * font);
  cairo_move_to(cr, x, y - tick);
  cairo_line_to(cr, x, y + tick);
  cairo_move_to(cr, x, y);
  cairo_line_to(cr, end, y);
  cairo_move_to(cr, end, y - tick);
  cairo_line_to(cr, end, y + tick);
  cairo_stroke(cr);
  cq_ink_text(cr, end + 0.5 * font, y, 0.0, font, text);
}

static void draw_axes(const cq_render *r, cairo_t *cr, double x, double y, double font) {
  const double arm = 1.0 * font;
  for (int a = 0; a < 3; a++) {
    const double right = r->camera.right[a], up = r->camera.up[a];
    if (hypot(right, up) < 0.1) { /* looked along */
      continue;
    }
    cq_ink(cr, r->inks.soft, 1.0);
    cairo_set_line_width(cr, 0.1 * font);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + arm * right, y - arm * up);
    cairo_stroke(cr);
    cq_ink_text(cr, x + 1.5 * arm * right, y - 1.5 * arm * up, 0.5, 0.85 * font,
                (const char[]){(char)('x' + a), '\0'});
  }
}

/* --- the colours --- */

/* Names of bodies from the right end, in rows; drawn unless cr is only asked how many rows. */
static int flow(const cq_render *r, cairo_t *cr, cq_box box, double font, bool draw) {
  int rows = 0;
  for (int begin = 0, end = 0; begin < entries(r); begin = end, rows++) {
    double width = -1.5 * gap * font; /* the last one has none beside it */
    while (end < entries(r) &&
           (end == begin || width + entry_width(r, cr, font, end) <= box.width)) {
      width += entry_width(r, cr, font, end++);
    }
    double x = box.x + box.width - width;
    for (int b = begin; b < end && draw; b++) {
      const double y = box.y + (rows + 0.5) * row * font;
      cq_ink(cr, cq_palette_hue(b), 1.0);
      cairo_arc(cr, x + 0.5 * swatch * font, y, 0.5 * swatch * font, 0.0, 2.0 * acos(-1.0));
      cairo_fill(cr);
      cq_ink(cr, r->inks.text, 1.0);
      cq_ink_text(cr, x + (swatch + 0.4 * gap) * font, y, 0.0, font, r->def.motion->def.bodies[b]);
      x += entry_width(r, cr, font, b);
    }
  }
  return rows;
}

/* "label  low [colours] high" */
static void draw_bar(const cq_render *r, cairo_t *cr, cq_box box, double font) {
  const cq_paint *const paint = &r->paint;
  const double y = box.y + 0.5 * row * font, length = fmin(10.0 * font, 0.3 * box.width);
  const double high = swatch * font;
  const bool one = !(paint->high > paint->low);
  double x = box.x + box.width;
  char low_text[32], high_text[32];
  cq_paint_number(paint->low / paint->unit, low_text, sizeof low_text);
  cq_paint_number(paint->high / paint->unit, high_text, sizeof high_text);
  cq_ink(cr, r->inks.text, 1.0);
  cq_ink_text(cr, x, y, 1.0, font, high_text);
  x -= cq_ink_width(cr, font, high_text) + 0.5 * font;
  const double width = one ? high : length;
  cairo_pattern_t *const colours = cairo_pattern_create_linear(x - width, y, x, y);
  for (int i = 0; i <= 32; i++) {
    const double t = one ? 0.5 : i / 32.0;
    const cq_colour c = cq_paint_colour(paint, (int)lround(t * (CQ_PAINT_LEVELS - 1)));
    cairo_pattern_add_color_stop_rgb(colours, i / 32.0, c.r, c.g, c.b);
  }
  x -= width;
  cairo_rectangle(cr, x, y - 0.5 * high, width, high);
  cairo_set_source(cr, colours);
  cairo_fill(cr);
  cairo_pattern_destroy(colours);
  x -= 0.5 * font;
  cq_ink(cr, r->inks.text, 1.0);
  if (!one) {
    cq_ink_text(cr, x, y, 1.0, font, low_text);
    x -= cq_ink_width(cr, font, low_text) + font;
  }
  cq_ink_text(cr, x, y, 1.0, font, paint->label);
}

/* --- both --- */

static cq_box right_part(cq_box box, double left) {
  return (cq_box){box.x + left, box.y, box.width - left, box.height};
}

double cq_legend_height(const cq_render *render, cairo_t *cr, double font, double width,
                        double panel) {
  const cq_box all = {0.0, 0.0, width, 0.0};
  const double left = left_width(render, cr, font, CQ_RULER_PART * panel);
  const int rows = render->paint.by_body ? flow(render, cr, right_part(all, left), font, false) : 1;
  return fmax(row * fmax(rows, 1), has_axes(render) ? 3.6 : 0.0);
}

void cq_legend_draw(const cq_render *render, cairo_t *cr, cq_box box, double font, double scale) {
  const double ruler = render->ruler * scale, left = left_width(render, cr, font, ruler);
  draw_ruler(render, cr, box, font, ruler);
  if (has_axes(render)) {
    draw_axes(render, cr, box.x + left - 2.5 * font, box.y + 0.5 * box.height, font);
  }
  if (render->paint.by_body) {
    flow(render, cr, right_part(box, left), font, true);
  } else {
    draw_bar(render, cr, right_part(box, left), font);
  }
}
