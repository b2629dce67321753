/* Involute gear about an axis along z through its centre, its teeth straight or helical; in 2D its
 * section. The first tooth is at the angle `first` in the middle of the width.
 *
 * Flanks are involutes of the base circle, and radial lines below it, where a cutter would take
 * away more (undercut of few teeth) or leave a fillet. Involutes of one circle are parallel curves,
 * so that the distance from a flank is exact, and so it is from a helical one, below its base
 * circle a bound. Put together the distance is exact outside where one surface is the nearest, and
 * a bound at edges and inside. The normal is that of the surface which the distance is from; at the
 * axis it points along y, in the middle of a tooth or of a gap to the side of larger angles. */
#ifndef CQ_SHAPES_GEAR_H
#define CQ_SHAPES_GEAR_H

#include "ball.h"

/* tan(a) - a */
CQ_FN double gear_involute(double a) {
  return tan(a) - a;
}

/* Of a number of teeth, with normal module [m], normal pressure angle and helix angle [rad], a
 * width (3D) and a hole of that radius [m]. Tips stand out by a module, roots lie 1.25 deep. */
static inline cq_gear cq_gear_make(int teeth, double module, double pressure, double helix,
                                   double width, double bore) {
  const double pitch = 0.5 * teeth * module / cos(helix);
  const double transverse = atan(tan(pressure) / cos(helix));
  cq_gear g;
  g.teeth = teeth;
  g.base = pitch * cos(transverse);
  g.tip = pitch + module;
  g.root = pitch - 1.25 * module;
  g.bore = bore;
  g.half = 0.5 * BALL_PI / teeth + gear_involute(transverse);
  g.first = 0.0;
  g.twist = tan(helix) / pitch;
  g.width = width;
  return g;
}

/* Half of the angle that a tooth has at a radius. */
CQ_FN double gear_half_angle(const cq_gear *g, double radius) {
  return g->half - (radius > g->base ? gear_involute(acos(g->base / radius)) : 0.0);
}

/* What is nearest of a gear: a distance, and its gradient along the radius, the angle (by length)
 * and the axis. */
typedef struct gear_near {
  double distance, slope[3];
} gear_near;

/* A flank without end, by the angle `past` from its radial line, away from the tooth. The line is
 * the nearest where its foot is below the base circle; inside a tooth the nearer of both. */
CQ_FN gear_near gear_flank(const cq_gear *g, double radius, double past) {
  const double a = radius > g->base ? acos(g->base / radius) : 0.0;
  const double lean = fmin(radius, g->base) * g->twist, steep = g->base * g->twist;
  const double cosine = 1.0 / sqrt(1.0 + steep * steep);
  const double curve = g->base * cosine * (past + gear_involute(a));
  const double slant = 1.0 / sqrt(1.0 + lean * lean), line = radius * slant * sin(past);
  const double turn = radius * g->twist;
  if (fabs(past) < a || (past < 0.0 && curve > line)) {
    const gear_near on = {curve, {cosine * sin(a), cosine * cos(a), -cosine * turn * cos(a)}};
    return on;
  }
  const double out = radius > g->base ? slant : slant * slant * slant;
  const gear_near on = {line, {out * sin(past), slant * cos(past), -slant * turn * cos(past)}};
  return on;
}

/* The nearer of a union, or of what is common to two (`cut`): a surface across an axis. */
CQ_FN void gear_take(gear_near *at, bool cut, double distance, int axis, double sign) {
  if (cut ? distance > at->distance : distance < at->distance) {
    at->distance = distance;
    for (int a = 0; a < 3; a++) {
      at->slope[a] = a == axis ? sign : 0.0;
    }
  }
}

/* At x; the direction of its radius (1, 0 on the axis), for the normal. */
CQ_FN gear_near gear_at(const cq_shape *s, const double *x, double *out) {
  const cq_gear *g = &s->gear;
  const double dx = x[0] - s->center[0], dy = x[1] - s->center[1];
  const double along = s->dim == 3 ? x[2] - s->center[2] : 0.0;
  const double radius = sqrt(dx * dx + dy * dy), tooth = 2.0 * BALL_PI / g->teeth;
  double angle = atan2(dy, dx) - g->first - along * g->twist;
  angle -= tooth * round(angle / tooth);
  gear_near at = gear_flank(g, radius, fabs(angle) - g->half);
  const double side = angle < 0.0 ? -1.0 : 1.0;
  at.slope[1] *= side;
  at.slope[2] *= side;
  gear_take(&at, true, radius - g->tip, 0, 1.0);
  gear_take(&at, false, radius - g->root, 0, 1.0);
  if (g->bore > 0.0) {
    gear_take(&at, true, g->bore - radius, 0, -1.0);
  }
  if (s->dim == 3) {
    gear_take(&at, true, fabs(along) - 0.5 * g->width, 2, along < 0.0 ? -1.0 : 1.0);
  }
  out[0] = radius > 0.0 ? dx / radius : 0.0;
  out[1] = radius > 0.0 ? dy / radius : 1.0;
  return at;
}

CQ_FN double gear_distance(const cq_shape *s, const double *x) {
  double out[2];
  return gear_at(s, x, out).distance;
}

CQ_FN void gear_gradient(const cq_shape *s, const double *x, double *gradient) {
  double out[2];
  const gear_near at = gear_at(s, x, out);
  gradient[0] = at.slope[0] * out[0] - at.slope[1] * out[1];
  gradient[1] = at.slope[0] * out[1] + at.slope[1] * out[0];
  if (s->dim == 3) {
    gradient[2] = at.slope[2];
  }
}

CQ_FN void gear_normal(const cq_shape *s, const double *x, double *normal) {
  double square = 0.0;
  gear_gradient(s, x, normal);
  for (int a = 0; a < s->dim; a++) {
    square += normal[a] * normal[a];
  }
  for (int a = 0; a < s->dim; a++) {
    normal[a] /= sqrt(square);
  }
}

/* Integral over a section of radius^power, of 0 or 2: rings of the angle that is tooth there. That
 * of the involute by parts. */
static inline double gear_section(const cq_gear *g, int power) {
  const int n = power + 2;
  double sum = (pow(g->root, n) - pow(g->bore, n)) * BALL_PI;
  sum += g->teeth * g->half * (pow(g->tip, n) - pow(g->root, n));
  for (int end = 0; end < 2; end++) {
    const double r = end == 0 ? g->root : g->tip, sign = end == 0 ? 1.0 : -1.0;
    if (r > g->base) {
      const double a = acos(g->base / r), t = tan(a), cube = t * t * t / 3.0;
      const double rest = power == 0 ? cube : cube + cube * t * t * 3.0 / 5.0;
      sum += sign * g->teeth * (pow(r, n) * gear_involute(a) - pow(g->base, n) * rest);
    }
  }
  return 2.0 * sum / n;
}

static inline double gear_volume(const cq_shape *s) {
  return gear_section(&s->gear, 0) * (s->dim == 3 ? s->gear.width : 1.0);
}

/* Of the cylinder around it. */
static inline void gear_bounds(const cq_shape *s, double *low, double *size) {
  for (int a = 0; a < s->dim; a++) {
    const double flat = s->dim == 2 ? 0.0 : s->turn.is ? s->turn.Q[a][2] : a == 2 ? 1.0 : 0.0;
    const double across = sqrt(fmax(1.0 - flat * flat, 0.0));
    size[a] = 2.0 * s->gear.tip * across + s->gear.width * fabs(flat);
    low[a] = s->center[a] - 0.5 * size[a];
  }
}

static inline void gear_sample(const cq_shape *s, cq_rng *rng, double *x) {
  cq_shape_sample_bounds(s, rng, x);
}

#endif
