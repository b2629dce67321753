/* One frame: its particles, and what is around them. */
#include "picture.h"
#include "splat.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- particles of a plane --- */

/* What is drawn in one go: particles of one colour and size, in their order. */
typedef struct dot {
  int level, body, k;
} dot;

static int compare_dots(const void *a, const void *b) {
  const dot *const p = a, *const q = b;
  return p->level != q->level ? p->level - q->level
                              : (p->body != q->body ? p->body - q->body : p->k - q->k);
}

/* A disc is a line of no length with a round end: short in files, and discs that touch leave no
 * seams. */
static void draw_dots(const cq_panel *p, const dot *dots, int n) {
  const cq_render *const r = p->render;
  cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
  for (int i = 0; i < n; i++) {
    double x[3], at[3];
    cq_picture_place(r, p->frame, dots[i].k, x);
    cq_camera_project(&p->camera, x, at);
    cairo_move_to(p->cr, at[0], at[1]);
    cairo_line_to(p->cr, at[0], at[1]);
    if (i + 1 == n || dots[i + 1].level != dots[i].level || dots[i + 1].body != dots[i].body) {
      cq_ink(p->cr, cq_paint_colour(&r->paint, dots[i].level), 1.0);
      cairo_set_line_width(p->cr, 2.0 * r->radii[dots[i].body] * p->camera.scale);
      cairo_stroke(p->cr);
    }
  }
  cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_BUTT);
}

/* The particles of bodies with a surface, or of the others. */
static cq_status draw_some(const cq_panel *p, bool covered) {
  const cq_render *const r = p->render;
  const cq_motion *const motion = r->def.motion;
  int n = 0;
  dot *dots = NULL;
  CQ_TRY(CQ_ALLOC(r->ctx, dots, motion->def.n_kept));
  for (int k = 0; k < motion->def.n_kept; k++) {
    if (r->covered[motion->def.body[k]] == covered) {
      dots[n++] = (dot){cq_paint_level(&r->paint, motion, r->def.take, p->frame, k),
                        motion->def.body[k], k};
    }
  }
  qsort(dots, (size_t)n, sizeof *dots, compare_dots);
  draw_dots(p, dots, n);
  cq_free(r->ctx, dots);
  return CQ_OK;
}

static cq_status draw_within(const cq_panel *p) {
  return draw_some(p, true);
}

static cq_status draw_plane(const cq_panel *p) {
  CQ_TRY(draw_some(p, false));
  return p->render->def.motion->cover.n_faces > 0 ? cq_cover_draw(p, draw_within) : CQ_OK;
}

/* --- particles of a space --- */

/* A particle in an image of the panel, `fine` pixels a pixel of the paper. */
static cq_splat splat_of(const cq_panel *p, int k) {
  const cq_render *const r = p->render;
  const cq_motion *const motion = r->def.motion;
  double x[3], at[3], ground[3];
  cq_picture_place(r, p->frame, k, x);
  cq_camera_project(&p->camera, x, at);
  x[1] = isnan(r->floor) ? x[1] : r->floor;
  cq_camera_project(&p->camera, x, ground);
  const int level = cq_paint_level(&r->paint, motion, r->def.take, p->frame, k);
  return (cq_splat){.x = p->fine * (at[0] - floor(p->box.x)),
                    .y = p->fine * (at[1] - floor(p->box.y)),
                    .depth = p->fine * at[2],
                    .radius = p->fine * r->radii[motion->def.body[k]] * p->camera.scale,
                    .ground_y =
                        isnan(r->floor) ? (double)NAN : p->fine * (ground[1] - floor(p->box.y)),
                    .flatness = sin(r->camera.elevation * acos(-1.0) / 180.0),
                    .colour = cq_paint_colour(&r->paint, level)};
}

static void paint_image(const cq_panel *p, cairo_surface_t *image) {
  cairo_save(p->cr);
  cairo_translate(p->cr, floor(p->box.x), floor(p->box.y));
  cairo_scale(p->cr, 1.0 / p->fine, 1.0 / p->fine);
  cairo_set_source_surface(p->cr, image, 0.0, 0.0);
  cairo_paint(p->cr);
  cairo_restore(p->cr);
}

static cq_status draw_image(const cq_panel *p, const cq_splats *splats) {
  const cq_render *const r = p->render;
  double step = 0.0; /* of a depth that shows: some particles */
  for (int b = 0; b < r->def.motion->def.n_bodies; b++) {
    step = fmax(step, 4.0 * p->fine * r->radii[b] * p->camera.scale);
  }
  cairo_surface_t *const image = cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, p->fine * ((int)p->box.width + 2), p->fine * ((int)p->box.height + 2));
  cq_status status = CQ_MEMORY;
  if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush(image);
    status =
        cq_splat_draw(r->ctx, splats, step, r->def.dark ? 0.45 : 0.2,
                      cairo_image_surface_get_width(image), cairo_image_surface_get_height(image),
                      cairo_image_surface_get_stride(image), cairo_image_surface_get_data(image));
    cairo_surface_mark_dirty(image);
  }
  if (status == CQ_OK) {
    paint_image(p, image);
  }
  cairo_surface_destroy(image);
  return status;
}

/* Particles and surfaces go into one image, so that depth decides what hides what. */
static cq_status draw_space(const cq_panel *p) {
  const cq_render *const r = p->render;
  const cq_motion *const motion = r->def.motion;
  cq_splat *splats = NULL;
  cq_corner(*faces)[3] = NULL;
  int n = 0;
  CQ_TRY(CQ_ALLOC(r->ctx, splats, motion->def.n_kept));
  for (int k = 0; k < motion->def.n_kept; k++) {
    if (!r->covered[motion->def.body[k]] && (r->cut == NULL || !r->cut[k])) {
      splats[n++] = splat_of(p, k);
    }
  }
  cq_status status = CQ_ALLOC(r->ctx, faces, motion->cover.n_faces);
  status = status == CQ_OK ? cq_cover_corners(p, faces) : status;
  if (status == CQ_OK) {
    const cq_splats all = {n, motion->cover.n_faces, splats, (const cq_corner(*)[3])faces};
    status = draw_image(p, &all);
  }
  cq_free(r->ctx, splats);
  cq_free(r->ctx, faces);
  return status;
}

/* --- all of it --- */

/* From back to front: walls, bodies, points, all cut off at the box, then its edge. */
cq_status cq_panel_draw(const cq_render *render, cairo_t *cr, cq_box box, double font, int frame,
                        int fine) {
  cq_panel p = {.render = render,
                .cr = cr,
                .camera = render->camera,
                .box = box,
                .font = font,
                .line = 0.06 * font,
                .frame = frame,
                .fine = fine};
  cq_camera_fit(&p.camera, render->low, render->high, box);
  cairo_save(cr);
  cq_ink_box(cr, box);
  cairo_clip(cr);
  cq_scenery_walls(&p);
  const cq_status status = (render->def.motion->def.dimension == 3 ? draw_space : draw_plane)(&p);
  cq_scenery_points(&p);
  cairo_restore(cr);
  cq_ink_box(cr, box);
  cq_ink(cr, render->inks.line, 1.0);
  cairo_set_line_width(cr, p.line);
  cairo_stroke(cr);
  return status;
}
