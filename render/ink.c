#include "picture.h"

#include "utf8.h"

/* cairo draws nothing any more after a text that is not UTF-8 */
enum { MOST_TEXT = 1024 };

void cq_ink(cairo_t *cr, cq_colour colour, double alpha) {
  cairo_set_source_rgba(cr, colour.r, colour.g, colour.b, alpha);
}

static void set_font(cairo_t *cr, double font) {
  cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, font);
}

double cq_ink_width(cairo_t *cr, double font, const char *text) {
  cairo_text_extents_t extents;
  char shown[MOST_TEXT];
  cq_utf8_copy(text, shown, sizeof shown);
  set_font(cr, font);
  cairo_text_extents(cr, shown, &extents);
  return extents.x_advance;
}

void cq_ink_text(cairo_t *cr, double x, double y, double align, double font, const char *text) {
  const double capital = 0.72; /* of the font: the middle is that of capitals */
  const double width = cq_ink_width(cr, font, text);
  char shown[MOST_TEXT];
  cairo_move_to(cr, x - align * width, y + 0.5 * capital * font);
  cq_utf8_copy(text, shown, sizeof shown);
  cairo_show_text(cr, shown);
  cairo_new_path(cr); /* else the next one begins at the end of the text */
}

void cq_ink_box(cairo_t *cr, cq_box box) {
  cairo_rectangle(cr, box.x, box.y, box.width, box.height);
}
