/* What the files of render/ share: a motion that is ready to be drawn, and where things go. */
#ifndef CQ_RENDER_PICTURE_H
#define CQ_RENDER_PICTURE_H

#include "camera.h"
#include "paint.h"
#include "render.h"
#include "splat.h"

#include <cairo.h>

/* The length below a picture is at most this part of a panel's width. */
#define CQ_RULER_PART 0.2

typedef struct cq_inks {
  cq_colour ground, text, soft, line, wall, floor, accent;
} cq_inks;

struct cq_render {
  cq_ctx *ctx;
  cq_render_def def;
  cq_paint paint;
  double *radii; /* [bodies] m */
  bool *covered; /* [bodies] drawn as surfaces, not as particles */
  bool *cut;     /* [n_kept] particles that are cut off; NULL: none */
  cq_inks inks;
  cq_camera camera;       /* turned, not yet fitted */
  double low[2], high[2]; /* [m] what is shown, right and up */
  double room[2][3];      /* [m] its low and high corners, off which planes are cut */
  double floor;           /* [m] the height that shadows fall on; NAN: none */
  double ruler;           /* [m] length of the scale bar */
  int decimals;           /* of times */
};

/* Where everything of a sheet is [px]. */
typedef struct cq_layout {
  int width, height, n, columns;
  double font;    /* [px] */
  cq_box first;   /* the first panel, without its time */
  double step[2]; /* from a panel to the next one, to the right and down */
  cq_box header, footer;
} cq_layout;

/* One frame as it is drawn. */
typedef struct cq_panel {
  const cq_render *render;
  cairo_t *cr;
  cq_camera camera; /* fitted */
  cq_box box;
  double font, line; /* [px]; line: of a thin line */
  int frame, fine;   /* fine: pixels of an image of it, a pixel of the paper */
} cq_panel;

/* picture.c */
void cq_picture_place(const cq_render *render, int frame, int k, double x[3]);
/* Where a prop is at a frame: a map (map.h). NULL: it is not shown. */
const double *cq_picture_map(const cq_render *render, int frame, const cq_prop *prop);

/* scenery.c */
void cq_scenery_walls(const cq_panel *panel);
void cq_scenery_points(const cq_panel *panel);

/* cover_draw.c: surfaces of bodies */
/* In a plane: as an area, or by their colours the particles within. */
cq_status cq_cover_draw(const cq_panel *panel, cq_status (*particles)(const cq_panel *));
/* In space: corners [faces of the cover], in pixels of an image of the panel. CQ_MEMORY. */
cq_status cq_cover_corners(const cq_panel *panel, cq_corner (*corners)[3]);

/* panel.c */
cq_status cq_panel_draw(const cq_render *render, cairo_t *cr, cq_box box, double font, int frame,
                        int fine);

/* legend.c */
/* Height [fonts] that the legend takes in so much width, with panels so wide. */
double cq_legend_height(const cq_render *render, cairo_t *cr, double font, double width,
                        double panel);
void cq_legend_draw(const cq_render *render, cairo_t *cr, cq_box box, double font, double scale);

/* sheet.c */
cq_status cq_sheet_plan(const cq_render *render, int n, cq_layout *out);
cq_status cq_sheet_draw(const cq_render *render, cairo_t *cr, const cq_layout *layout,
                        const int *frames, int fine);

/* ink.c: helpers on a cairo context */
void cq_ink(cairo_t *cr, cq_colour colour, double alpha);
/* Text whose middle is at height y and which begins (align 0), has its middle (0.5) or ends (1) at
 * x. */
void cq_ink_text(cairo_t *cr, double x, double y, double align, double font, const char *text);
double cq_ink_width(cairo_t *cr, double font, const char *text);
void cq_ink_box(cairo_t *cr, cq_box box);

#endif
