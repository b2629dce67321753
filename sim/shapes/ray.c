#include "ray.h"

enum { HALVINGS = 60 };

/* The part of a ray between two planes across an axis, or in all pairs of a box: in <= t <= out. */
static void cut_to_box(int dim, const double *low, const double *high, const cq_ray *ray,
                       double *in, double *out) {
  for (int a = 0; a < dim; a++) {
    const double d = ray->along[a], p = ray->from[a];
    if (d == 0.0) {
      *out = p < low[a] || p > high[a] ? -INFINITY : *out;
      continue;
    }
    const double t0 = (low[a] - p) / d, t1 = (high[a] - p) / d;
    const double near = t0 < t1 ? t0 : t1, far = t0 < t1 ? t1 : t0;
    *in = *in > near ? *in : near;
    *out = *out < far ? *out : far;
  }
}

/* The same of a box or a room, whose walls are its outside. */
static void cut_to_edges(const cq_shape *s, const cq_ray *ray, double *in, double *out) {
  double low[3], high[3];
  for (int a = 0; a < s->dim; a++) {
    low[a] = s->center[a] - 0.5 * s->size[a];
    high[a] = s->center[a] + 0.5 * s->size[a];
  }
  cut_to_box(s->dim, low, high, ray, in, out);
}

static double within(const cq_ray *ray, double t) {
  return t >= ray->low && t <= ray->high ? t : INFINITY;
}

static double meet_box(const cq_shape *s, const cq_ray *ray) {
  double in = -INFINITY, out = INFINITY;
  cut_to_edges(s, ray, &in, &out);
  return in <= out ? within(ray, in) : INFINITY;
}

/* The far side of the room, where the ray is in it at all. */
static double meet_domain(const cq_shape *s, const cq_ray *ray) {
  double in = ray->low, out = INFINITY;
  cut_to_edges(s, ray, &in, &out);
  return in <= out ? within(ray, out) : INFINITY;
}

static double meet_half_space(const cq_shape *s, const cq_ray *ray) {
  double speed = 0.0, away = 0.0;
  for (int a = 0; a < s->dim; a++) {
    speed += s->normal[a] * ray->along[a];
    away += s->normal[a] * (ray->from[a] - s->center[a]);
  }
  return speed < 0.0 ? within(ray, -away / speed) : INFINITY;
}

static double meet_ball(const cq_shape *s, const cq_ray *ray) {
  double square = 0.0, along = 0.0, away = 0.0;
  for (int a = 0; a < s->dim; a++) {
    const double p = ray->from[a] - s->center[a];
    square += ray->along[a] * ray->along[a];
    along += p * ray->along[a];
    away += p * p;
  }
  const double root = along * along - square * (away - s->radius * s->radius);
  return root > 0.0 ? within(ray, (-along - sqrt(root)) / square) : INFINITY;
}

static double distance_at(const cq_shape *s, const cq_ray *ray, double t) {
  double x[3] = {0.0};
  for (int a = 0; a < s->dim; a++) {
    x[a] = ray->from[a] + t * ray->along[a];
  }
  return cq_shape_distance(s, x);
}

/* Between a place outside and one inside. */
static double halve(const cq_shape *s, const cq_ray *ray, double outside, double inside) {
  for (int i = 0; i < HALVINGS; i++) {
    const double t = 0.5 * (outside + inside);
    const bool is_outside = distance_at(s, ray, t) > 0.0;
    outside = is_outside ? t : outside;
    inside = is_outside ? inside : t;
  }
  return inside;
}

/* Steps as long as nothing can be nearer, at least a small one: a distance on a grid is no bound.
 */
static double march(const cq_shape *s, const cq_ray *ray) {
  double low[3], size[3], in = ray->low, out = ray->high, length = 0.0, square = 0.0;
  for (int a = 0; a < s->dim; a++) {
    square += ray->along[a] * ray->along[a];
  }
  const double speed = sqrt(square);
  if (cq_shape_bounded(s)) {
    double high[3];
    cq_shape_bounds(s, low, size);
    for (int a = 0; a < s->dim; a++) {
      high[a] = low[a] + size[a];
      length = fmax(length, size[a]);
    }
    cut_to_box(s->dim, low, high, ray, &in, &out);
  } else {
    length = (out - in) * speed;
  }
  const double least = 1e-4 * length, part = s->sdf != NULL ? 0.7 : 1.0;
  double last = in;
  bool outside = false;
  in -= fmin(least / speed, in - ray->low); /* the surface may be that of the bounds */
  for (double t = in; in <= out && t <= out + least / speed;) {
    const double d = distance_at(s, ray, t);
    if (outside && d <= 0.0) {
      return within(ray, halve(s, ray, last, t));
    }
    outside = d > 0.0;
    last = t;
    t += fmax(part * fabs(d), least) / speed;
  }
  return INFINITY;
}

/* Of the parts, if all are added. */
static double meet_parts(const cq_shape *s, const cq_ray *ray) {
  cq_ray own = *ray;
  for (int i = 0; i < s->n_parts; i++) {
    if (s->parts[i].subtract) {
      return march(s, ray);
    }
  }
  double nearest = INFINITY;
  for (int i = 0; i < s->n_parts; i++) {
    nearest = fmin(nearest, cq_shape_ray(&s->parts[i].shape, &own));
    own.high = fmin(own.high, nearest);
  }
  return nearest;
}

/* In closed form where there is one. */
static double meet_unturned(const cq_shape *s, const cq_ray *ray) {
  switch (s->kind) {
  case CQ_SHAPE_box:
    return meet_box(s, ray);
  case CQ_SHAPE_domain:
    return meet_domain(s, ray);
  case CQ_SHAPE_half_space:
    return meet_half_space(s, ray);
  case CQ_SHAPE_ball:
    return meet_ball(s, ray);
  case CQ_SHAPE_composite:
    return meet_parts(s, ray);
  default:
    return march(s, ray);
  }
}

double cq_shape_ray(const cq_shape *shape, const cq_ray *ray) {
  if (!shape->turn.is) {
    return meet_unturned(shape, ray);
  }
  const cq_shape unturned = cq_shape_unturned(shape);
  cq_ray own = *ray;
  cq_shape_unturn_point(shape, ray->from, own.from);
  for (int a = 0; a < shape->dim; a++) {
    own.along[a] = 0.0;
    for (int b = 0; b < shape->dim; b++) {
      own.along[a] += shape->turn.Q[b][a] * ray->along[b];
    }
  }
  return meet_unturned(&unturned, &own);
}
