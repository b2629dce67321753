/* Frames side by side: where the panels go, and the texts around them. */
#include "picture.h"

#include "status.h"

#include <math.h>

enum { USUAL_WIDTH = 1200, MOST_HEIGHT = 900, LEAST_PANEL = 24 };
static const double strip = 1.7, gap = 0.7; /* [fonts] over a panel; between panels */

/* Height over width of what a panel shows. */
static double shape_of(const cq_render *r) {
  const double ratio = (r->high[1] - r->low[1]) / (r->high[0] - r->low[0]);
  return fmin(fmax(ratio, 0.15), 1.6);
}

/* The layout with so many columns; its panels may be too small. */
static cq_layout arrange(const cq_render *r, cairo_t *cr, int n, int columns, int width) {
  const int rows = (n + columns - 1) / columns;
  cq_layout l = {.width = width, .height = r->def.height, .n = n, .columns = columns};
  l.font = fmax(9.0, 0.0165 * (r->def.width > 0 ? l.width : USUAL_WIDTH));
  const double edge = gap * l.font, inner = l.width - 2.0 * edge;
  const double head = r->def.title != NULL ? 2.0 * l.font : 0.0;
  cq_box *const panel = &l.first;
  panel->width = (inner - (columns - 1) * edge) / columns;
  const double foot = cq_legend_height(r, cr, l.font, inner, panel->width) * l.font;
  const double around = head + foot + 2.0 * edge + rows * strip * l.font + (rows - 1) * edge;
  panel->height = l.height > 0 ? (l.height - around) / rows : panel->width * shape_of(r);
  if (l.height == 0) {
    l.height = 2 * (int)ceil(0.5 * (around + rows * panel->height));
  }
  panel->x = edge;
  panel->y = 0.4 * edge + head + strip * l.font;
  l.step[0] = panel->width + edge;
  l.step[1] = panel->height + edge + strip * l.font;
  l.header = (cq_box){edge, 0.4 * edge, inner, head};
  l.footer = (cq_box){edge, l.height - 0.5 * edge - foot, inner, foot};
  return l;
}

/* As wide as it was asked for, or usual, or less where it would be very high. */
static cq_layout arrange_well(const cq_render *r, cairo_t *cr, int n, int columns) {
  const cq_layout usual = arrange(r, cr, n, columns, r->def.width > 0 ? r->def.width : USUAL_WIDTH);
  if (r->def.width > 0 || usual.height <= MOST_HEIGHT) {
    return usual;
  }
  const double share = fmax((double)MOST_HEIGHT / usual.height, 0.5);
  return arrange(r, cr, n, columns, 2 * (int)(0.5 * share * USUAL_WIDTH));
}

/* How little a layout suits: panels should be large in the size that was asked for, else the whole
 * a little wider than high, with no empty places. */
static double badness(const cq_render *r, const cq_layout *l) {
  const int rows = (l->n + l->columns - 1) / l->columns;
  if (r->def.height > 0) {
    return -fmin(l->first.width, l->first.height / shape_of(r));
  }
  return fabs(log((double)l->height / l->width / 0.5)) + 0.4 * (rows * l->columns - l->n);
}

/* Tries every number of columns, unless one was asked for; the scratch picture measures texts. */
cq_status cq_sheet_plan(const cq_render *render, int n, cq_layout *out) {
  cairo_surface_t *const scratch = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *const cr = cairo_create(scratch);
  const int wanted = render->def.columns;
  for (int columns = wanted > 0 ? wanted : 1; columns <= (wanted > 0 ? wanted : n); columns++) {
    const cq_layout l = arrange_well(render, cr, n, columns);
    if (columns == 1 || columns == wanted || badness(render, &l) < badness(render, out)) {
      *out = l;
    }
  }
  cairo_destroy(cr);
  cairo_surface_destroy(scratch);
  CQ_CHECK(render->ctx, out->first.width >= LEAST_PANEL && out->first.height >= LEAST_PANEL,
           CQ_USAGE,
           "%d x %d pixels have no room for %d frames; give a larger size or fewer frames",
           out->width, out->height, n);
  return CQ_OK;
}

static void draw_time(const cq_render *r, cairo_t *cr, cq_box panel, double font, int frame) {
  char text[64];
  snprintf(text, sizeof text, "t = %.*f s", r->decimals,
           r->def.motion->takes[r->def.take].time[frame]);
  cq_ink(cr, r->inks.text, 1.0);
  cq_ink_text(cr, panel.x + 0.1 * font, panel.y - 0.5 * strip * font, 0.0, font, text);
}

/* All panels are of one size, so the camera of the first one gives the legend its scale. */
cq_status cq_sheet_draw(const cq_render *render, cairo_t *cr, const cq_layout *layout,
                        const int *frames, int fine) {
  const double font = layout->font;
  cq_camera camera = render->camera;
  cq_ink(cr, render->inks.ground, 1.0);
  cairo_paint(cr);
  if (render->def.title != NULL) {
    cq_ink(cr, render->inks.text, 1.0);
    cq_ink_text(cr, layout->header.x, layout->header.y + 0.5 * layout->header.height, 0.0,
                1.25 * font, render->def.title);
  }
  for (int i = 0; i < layout->n; i++) {
    cq_box panel = layout->first;
    panel.x += i % layout->columns * layout->step[0];
    panel.y += i / layout->columns * layout->step[1];
    draw_time(render, cr, panel, font, frames[i]);
    CQ_TRY(cq_panel_draw(render, cr, panel, font, frames[i], fine));
  }
  cq_camera_fit(&camera, render->low, render->high, layout->first);
  cq_legend_draw(render, cr, layout->footer, font, camera.scale);
  return CQ_OK;
}
