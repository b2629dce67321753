/* Surfaces of bodies in a frame. */
#include "picture.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const cq_cover *cover_of(const cq_panel *p) {
  return &p->render->def.motion->cover;
}

/* The places [vertices][3] of the frame [m]. */
static cq_status places_of(const cq_panel *p, double (**out)[3]) {
  const cq_render *const r = p->render;
  CQ_TRY(CQ_ALLOC(r->ctx, *out, cover_of(p)->n_vertices));
  const cq_status status = cq_motion_cover(r->def.motion, r->def.take, p->frame, (*out)[0]);
  if (status != CQ_OK) {
    cq_free(r->ctx, *out);
  }
  return status;
}

/* Of the nearest particle of a vertex. */
static int level_at(const cq_panel *p, int vertex) {
  const cq_render *const r = p->render;
  return cq_paint_level(&r->paint, r->def.motion, r->def.take, p->frame,
                        cover_of(p)->carriers[(size_t)vertex * CQ_COVER_CARRIERS]);
}

/* --- in a plane --- */

static int body_of(const cq_panel *p, int face) {
  const cq_cover *const c = cover_of(p);
  const size_t vertex = (size_t)c->faces[2 * (size_t)face];
  return p->render->def.motion->def.body[c->carriers[vertex * CQ_COVER_CARRIERS]];
}

/* The loops of the faces of one body, first .. last-1. */
static void trace(const cq_panel *p, double (*places)[3], int first, int last) {
  const cq_cover *const c = cover_of(p);
  cairo_new_path(p->cr);
  for (int f = first; f < last; f++) {
    const int *const face = c->faces + 2 * (size_t)f;
    double at[3];
    if (f == first || face[0] != face[-1]) {
      cq_camera_project(&p->camera, places[face[0]], at);
      cairo_move_to(p->cr, at[0], at[1]);
    }
    if (f + 1 < last && face[2] == face[1]) {
      cq_camera_project(&p->camera, places[face[1]], at);
      cairo_line_to(p->cr, at[0], at[1]);
    } else {
      cairo_close_path(p->cr);
    }
  }
}

/* An area of the colour where its outline begins, and on it the particles, which have their own. */
static cq_status draw_body(const cq_panel *p, double (*places)[3], int first, int last,
                           cq_status (*particles)(const cq_panel *)) {
  const cq_render *const r = p->render;
  const cq_colour colour =
      cq_paint_colour(&r->paint, level_at(p, cover_of(p)->faces[2 * (size_t)first]));
  cq_status status = CQ_OK;
  trace(p, places, first, last);
  cq_ink(p->cr, colour, 1.0);
  cairo_fill_preserve(p->cr);
  if (!r->paint.by_body) {
    cairo_save(p->cr);
    cairo_clip(p->cr);
    status = particles(p);
    cairo_restore(p->cr);
    trace(p, places, first, last);
  }
  cq_ink(p->cr, cq_colour_mix(r->paint.by_body ? colour : r->inks.soft, r->inks.text, 0.3), 1.0);
  cairo_set_line_width(p->cr, 1.5 * p->line);
  cairo_stroke(p->cr);
  return status;
}

cq_status cq_cover_draw(const cq_panel *p, cq_status (*particles)(const cq_panel *)) {
  double(*places)[3] = NULL;
  cq_status status = places_of(p, &places);
  for (int f = 0, end = 0; f < cover_of(p)->n_faces && status == CQ_OK; f = end) {
    while (end < cover_of(p)->n_faces && body_of(p, end) == body_of(p, f)) {
      end++;
    }
    status = draw_body(p, places, f, end, particles);
  }
  cq_free(p->render->ctx, places);
  return status;
}

/* --- in space --- */

/* The normal of a face in the picture: right, up, toward the eye; as long as twice its area. */
static void face_normal(double (*turned)[3], const int *face, double *normal) {
  const double *const a = turned[face[0]], *const b = turned[face[1]], *const c = turned[face[2]];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
  }
}

static double length_of(const double *v) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Round where the surface is smooth: the mean of the faces there, if that is near the face's own,
 * which it is not at an edge. */
static void corner_normal(const double *own, const double *mean, double *normal) {
  const double lengths = length_of(own) * length_of(mean);
  const double cosine = (own[0] * mean[0] + own[1] * mean[1] + own[2] * mean[2]) / lengths;
  const double *const from = cosine > 0.75 ? mean : own;
  const double length = length_of(from);
  for (int a = 0; a < 3; a++) {
    normal[a] = length > 0.0 ? from[a] / length : (a == 2 ? 1.0 : 0.0);
  }
}

static cq_corner corner_of(const cq_panel *p, const double *x, int vertex) {
  const cq_render *const r = p->render;
  const double ground[3] = {x[0], r->floor, x[2]};
  double at[3], below[3] = {0.0, NAN, 0.0};
  cq_camera_project(&p->camera, x, at);
  if (!isnan(r->floor)) {
    cq_camera_project(&p->camera, ground, below);
  }
  return (cq_corner){.x = p->fine * (at[0] - floor(p->box.x)),
                     .y = p->fine * (at[1] - floor(p->box.y)),
                     .depth = p->fine * at[2],
                     .ground_y = p->fine * (below[1] - floor(p->box.y)),
                     .colour = cq_paint_colour(&r->paint, level_at(p, vertex))};
}

/* turned, means [vertices]: places in the picture, and sums of the normals of the faces there */
static void fill(const cq_panel *p, double (*places)[3], double (*turned)[3], double (*means)[3],
                 cq_corner (*corners)[3]) {
  const cq_cover *const c = cover_of(p);
  for (int v = 0; v < c->n_vertices; v++) {
    cq_camera_turn(&p->camera, places[v], turned[v]);
  }
  for (int f = 0; f < c->n_faces; f++) {
    double normal[3];
    face_normal(turned, c->faces + 3 * (size_t)f, normal);
    for (int k = 0; k < 9; k++) {
      means[c->faces[3 * (size_t)f + (size_t)(k / 3)]][k % 3] += normal[k % 3];
    }
  }
  for (int f = 0; f < c->n_faces; f++) {
    const int *const face = c->faces + 3 * (size_t)f;
    double normal[3];
    face_normal(turned, face, normal);
    for (int k = 0; k < 3; k++) {
      corners[f][k] = corner_of(p, places[face[k]], face[k]);
      corner_normal(normal, means[face[k]], corners[f][k].normal);
    }
  }
}

cq_status cq_cover_corners(const cq_panel *p, cq_corner (*corners)[3]) {
  cq_ctx *const ctx = p->render->ctx;
  double(*places)[3] = NULL, (*turned)[3] = NULL, (*means)[3] = NULL;
  cq_status status = places_of(p, &places);
  status = status == CQ_OK ? CQ_ALLOC(ctx, turned, cover_of(p)->n_vertices) : status;
  status = status == CQ_OK ? CQ_ALLOC(ctx, means, cover_of(p)->n_vertices) : status;
  if (status == CQ_OK) {
    fill(p, places, turned, means, corners);
  }
  cq_free(ctx, places);
  cq_free(ctx, turned);
  cq_free(ctx, means);
  return status;
}
