/* Gears as polygons: the outline of a section; in 3D strips of the sides, and both ends. */
#include "artist.h"
#include "gear.h"

#include <math.h>

/* points of a flank, and strips along the width of one whose teeth turn */
enum { MOST_FLANK = 4, FLANKS = 512, MOST_STRIPS = 12 };

/* Points of the outline at `along` from the middle, counterclockwise, in the shape's own frame. */
int cq_gear_outline(const cq_shape *s, double along, cq_point *points) {
  const cq_gear *g = &s->gear;
  const int flank = (int)fmin(fmax(FLANKS / (2.0 * g->teeth), 2.0), MOST_FLANK);
  int n = 0;
  for (int tooth = 0; tooth < g->teeth; tooth++) {
    const double middle = g->first + 2.0 * BALL_PI * tooth / g->teeth + along * g->twist;
    for (int i = 0; i < 2 * flank; i++, n++) {
      const int up = i < flank ? i : 2 * flank - 1 - i;
      const double radius = g->root + (g->tip - g->root) * up / (flank - 1);
      const double angle = middle + (i < flank ? -1.0 : 1.0) * gear_half_angle(g, radius);
      points[n][0] = s->center[0] + radius * cos(angle);
      points[n][1] = s->center[1] + radius * sin(angle);
      points[n][2] = s->dim == 3 ? s->center[2] + along : 0.0;
    }
  }
  return n;
}

/* Of an outline what lies at the hole, or on the axis. */
static void to_bore(const cq_shape *s, const double *from, double *to) {
  const double dx = from[0] - s->center[0], dy = from[1] - s->center[1];
  const double scale = s->gear.bore / sqrt(dx * dx + dy * dy);
  to[0] = s->center[0] + scale * dx;
  to[1] = s->center[1] + scale * dy;
  to[2] = from[2];
}

typedef struct drawn {
  const cq_artist *a;
  const char *role, *name;
  cq_to_room_fn to_room;
  const void *user;
} drawn;

static void put(const drawn *d, const double *a, const double *b, const double *c,
                const double *e) {
  const double *const corners[4] = {a, b, c, e};
  cq_point points[4];
  for (int i = 0; i < 4; i++) {
    memcpy(points[i], corners[i], sizeof points[i]);
    d->to_room(d->user, points[i]);
  }
  cq_artist_polygon(d->a, d->role, d->name, 4, points);
}

/* One of the two ends: whole, or a ring about the hole. */
static void put_end(const drawn *d, const cq_shape *s, int n, cq_point *outline) {
  if (s->gear.bore <= 0.0) {
    cq_point points[CQ_MOST_OUTLINE];
    memcpy(points, outline, (size_t)n * sizeof *points);
    for (int i = 0; i < n; i++) {
      d->to_room(d->user, points[i]);
    }
    cq_artist_polygon(d->a, d->role, d->name, n, points);
    return;
  }
  for (int i = 0; i < n; i++) {
    cq_point in, next;
    to_bore(s, outline[i], in);
    to_bore(s, outline[(i + 1) % n], next);
    put(d, outline[i], outline[(i + 1) % n], next, in);
  }
}

/* In 3D, by faces that to_room moves to where they are. */
void cq_artist_gear(const cq_artist *a, const char *role, const char *name, const cq_shape *s,
                    cq_to_room_fn to_room, const void *user) {
  static const double strip = 0.15;
  const drawn d = {a, role, name, to_room, user};
  const double turned = fabs(s->gear.twist) * s->gear.width;
  const int strips = (int)fmin(ceil(turned / strip) + 1.0, MOST_STRIPS);
  cq_point below[CQ_MOST_OUTLINE], above[CQ_MOST_OUTLINE];
  const int n = cq_gear_outline(s, -0.5 * s->gear.width, below);
  put_end(&d, s, n, below);
  for (int k = 1; k <= strips; k++) {
    cq_gear_outline(s, s->gear.width * ((double)k / strips - 0.5), above);
    for (int i = 0; i < n; i++) {
      const int next = (i + 1) % n;
      cq_point in[4];
      put(&d, below[i], below[next], above[next], above[i]);
      to_bore(s, below[i], in[0]);
      to_bore(s, below[next], in[1]);
      to_bore(s, above[next], in[2]);
      to_bore(s, above[i], in[3]);
      if (s->gear.bore > 0.0) {
        put(&d, in[0], in[1], in[2], in[3]);
      }
    }
    memcpy(below, above, (size_t)n * sizeof *below);
  }
  put_end(&d, s, n, below);
}
