/* What is beside particles: walls below them, targets and tracks above. */
#include "picture.h"

#include "cut.h"

#include <math.h>
#include <string.h>

static bool has_role(const cq_prop *prop, const char *role) {
  return strcmp(prop->role, role) == 0;
}

/* --- walls --- */

static void trace_points(const cq_panel *p, const double *map, int n, double (*points)[3]) {
  for (int i = 0; i < n; i++) {
    double at[3];
    cq_map_point(map, points[i], at);
    cq_camera_project(&p->camera, at, at);
    (i == 0 ? cairo_move_to : cairo_line_to)(p->cr, at[0], at[1]);
  }
}

/* Of a plane, what is left of it in the room. */
static void trace_plane(const cq_panel *p, const double *map, const cq_prop *prop) {
  enum { CORNERS = 16 };
  const cq_render *const r = p->render;
  double at[CORNERS][3], stay[CQ_MAP];
  int n = prop->n < CORNERS / 2 ? prop->n : CORNERS / 2;
  for (int i = 0; i < n; i++) {
    cq_map_point(map, prop->points[i], at[i]);
  }
  n = cq_cut_to_box(at, n, CORNERS, r->def.motion->def.dimension, r->room[0], r->room[1]);
  cq_map_stay(stay);
  trace_points(p, stay, n, at);
}

/* False: it is not shown. */
static bool trace(const cq_panel *p, const cq_prop *prop) {
  const double *const map = cq_picture_map(p->render, p->frame, prop);
  if (map == NULL) {
    return false;
  }
  if (prop->form == CQ_FORM_BALL) {
    double at[3];
    cq_map_point(map, prop->points[0], at);
    cq_camera_project(&p->camera, at, at);
    cairo_new_sub_path(p->cr);
    cairo_arc(p->cr, at[0], at[1], prop->radius * p->camera.scale, 0.0, 2.0 * acos(-1.0));
  } else if (prop->form == CQ_FORM_PLANE) {
    trace_plane(p, map, prop);
  } else {
    trace_points(p, map, prop->n, prop->points);
  }
  if (prop->form == CQ_FORM_POLYGON || prop->form == CQ_FORM_PLANE) {
    cairo_close_path(p->cr);
  }
  return true;
}

static void fill_and_line(const cq_panel *p, const cq_prop *prop, cq_colour colour, double alpha) {
  if (!trace(p, prop)) {
    return;
  }
  if (prop->form != CQ_FORM_LINE) {
    cq_ink(p->cr, colour, alpha);
    cairo_fill_preserve(p->cr);
  }
  cq_ink(p->cr, p->render->inks.line, 1.0);
  cairo_set_line_width(p->cr, p->line);
  cairo_stroke(p->cr);
}

/* In 2D what is outside of the room is wall. */
static void draw_room(const cq_panel *p, const cq_prop *prop) {
  cq_ink_box(p->cr, p->box);
  trace(p, prop);
  cairo_set_fill_rule(p->cr, CAIRO_FILL_RULE_EVEN_ODD);
  cq_ink(p->cr, p->render->inks.wall, 1.0);
  cairo_fill(p->cr);
  cairo_set_fill_rule(p->cr, CAIRO_FILL_RULE_WINDING);
  trace(p, prop);
  cq_ink(p->cr, p->render->inks.line, 1.0);
  cairo_set_line_width(p->cr, p->line);
  cairo_stroke(p->cr);
}

/* Middle of a face, or of all faces of the domain (NULL). */
static void middle_of(const cq_render *r, const cq_prop *face, double out[3]) {
  int n = 0;
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < r->def.n_props; i++) {
    const cq_prop *const prop = &r->def.props[i];
    for (int k = 0; k < prop->n && has_role(prop, "domain") && (!face || face == prop); k++) {
      for (int a = 0; a < 3; a++) {
        out[a] += prop->points[k][a];
      }
      n++;
    }
  }
  for (int a = 0; a < 3; a++) {
    out[a] /= n;
  }
}

/* Lines on the floor, a scale bar apart: they show what moves. */
static void draw_floor_lines(const cq_panel *p, const cq_prop *floor) {
  const double step = p->render->ruler;
  double low[3], high[3];
  memcpy(low, floor->points[0], sizeof low);
  memcpy(high, floor->points[0], sizeof high);
  for (int i = 0; i < floor->n; i++) {
    for (int a = 0; a < 3; a++) {
      low[a] = fmin(low[a], floor->points[i][a]);
      high[a] = fmax(high[a], floor->points[i][a]);
    }
  }
  for (int a = 0; a < 3; a += 2) {
    for (double at = ceil(low[a] / step) * step; at < high[a]; at += step) {
      double from[3] = {low[0], low[1], low[2]}, to[3] = {high[0], low[1], high[2]}, end[2][3];
      from[a] = to[a] = at;
      cq_camera_project(&p->camera, from, end[0]);
      cq_camera_project(&p->camera, to, end[1]);
      cairo_move_to(p->cr, end[0][0], end[0][1]);
      cairo_line_to(p->cr, end[1][0], end[1][1]);
    }
  }
  cq_ink(p->cr, p->render->inks.wall, 1.0);
  cairo_set_line_width(p->cr, 0.8 * p->line);
  cairo_stroke(p->cr);
}

/* Of the six faces those that one looks at from inside. */
static void draw_face(const cq_panel *p, const cq_prop *face) {
  double middle[3], of_face[3], outward = 0.0;
  middle_of(p->render, NULL, middle);
  middle_of(p->render, face, of_face);
  for (int a = 0; a < 3; a++) {
    outward += (of_face[a] - middle[a]) * p->camera.toward[a];
  }
  if (outward > -1e-9) {
    return;
  }
  const bool is_floor = of_face[1] < middle[1] - 1e-9;
  fill_and_line(p, face, p->render->inks.floor, is_floor ? 1.0 : 0.35);
  if (is_floor) {
    draw_floor_lines(p, face);
  }
}

void cq_scenery_walls(const cq_panel *p) {
  const bool solid = p->render->def.motion->def.dimension == 3;
  for (int i = 0; i < p->render->def.n_props; i++) {
    const cq_prop *const prop = &p->render->def.props[i];
    if (has_role(prop, "domain")) {
      (solid ? draw_face : draw_room)(p, prop);
    }
  }
  for (int i = 0; i < p->render->def.n_props; i++) {
    const cq_prop *const prop = &p->render->def.props[i];
    if (has_role(prop, "wall")) {
      fill_and_line(p, prop, p->render->inks.wall, solid ? 0.35 : 1.0);
    }
  }
}

/* --- targets and tracks --- */

static void stroke_twice(const cq_panel *p, double width) {
  cq_ink(p->cr, p->render->inks.ground, 0.85);
  cairo_set_line_width(p->cr, 2.2 * width);
  cairo_stroke_preserve(p->cr);
  cq_ink(p->cr, p->render->inks.accent, 1.0);
  cairo_set_line_width(p->cr, width);
  cairo_stroke(p->cr);
}

static void draw_target(const cq_panel *p, const double x[3]) {
  const double arm = 0.42 * p->font;
  double at[3];
  cq_camera_project(&p->camera, x, at);
  for (int sign = -1; sign <= 1; sign += 2) {
    cairo_move_to(p->cr, at[0] - arm, at[1] - sign * arm);
    cairo_line_to(p->cr, at[0] + arm, at[1] + sign * arm);
  }
  stroke_twice(p, 0.13 * p->font);
}

/* A ring where a marker was seen at about this time; those of other times are not shown. */
static void draw_track(const cq_panel *p, const cq_prop *prop) {
  const cq_motion_take *const take = &p->render->def.motion->takes[p->render->def.take];
  if (cq_render_frame_at(p->render, prop->time) != p->frame ||
      fabs(prop->time - take->time[p->frame]) > 0.02 * take->time[take->n_frames - 1]) {
    return;
  }
  double at[3];
  cq_camera_project(&p->camera, prop->points[0], at);
  cairo_new_sub_path(p->cr);
  cairo_arc(p->cr, at[0], at[1], 0.25 * p->font, 0.0, 2.0 * acos(-1.0));
  stroke_twice(p, 0.09 * p->font);
}

void cq_scenery_points(const cq_panel *p) {
  for (int i = 0; i < p->render->def.n_props; i++) {
    const cq_prop *const prop = &p->render->def.props[i];
    if (has_role(prop, "target")) {
      draw_target(p, prop->points[0]);
    } else if (has_role(prop, "track")) {
      draw_track(p, prop);
    }
  }
}
