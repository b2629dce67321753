/* A motion made ready: what is shown of the scene, from where, in which inks. */
#include "picture.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const double margin = 0.06; /* around what moves, of its larger side */

void cq_picture_place(const cq_render *render, int frame, int k, double x[3]) {
  const cq_motion_def *const def = &render->def.motion->def;
  const int dim = def->dimension;
  const float *const from = render->def.motion->takes[render->def.take].x +
                            ((size_t)frame * (size_t)def->n_kept + (size_t)k) * (size_t)dim;
  for (int a = 0; a < 3; a++) {
    x[a] = a < dim ? (double)from[a] : 0.0;
  }
}

const double *cq_picture_map(const cq_render *render, int frame, const cq_prop *prop) {
  static const double stay[CQ_MAP] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  return prop->mover[0] == '\0'
             ? stay
             : cq_motion_map(render->def.motion, render->def.take, frame, prop->mover);
}

static void enclose(cq_render *r, const double x[3], double radius) {
  double turned[3];
  cq_camera_turn(&r->camera, x, turned);
  for (int a = 0; a < 2; a++) {
    r->low[a] = fmin(r->low[a], turned[a] - radius);
    r->high[a] = fmax(r->high[a], turned[a] + radius);
  }
}

/* The ground of the domain, where it has one: the height of its lowest face. */
static double ground_of(const cq_render *r) {
  double ground = INFINITY;
  for (int i = 0; i < r->def.n_props; i++) {
    const cq_prop *const prop = &r->def.props[i];
    for (int k = 0; k < prop->n && strcmp(prop->role, "domain") == 0; k++) {
      ground = fmin(ground, prop->points[k][1]);
    }
  }
  return ground < INFINITY ? ground : (double)NAN;
}

/* Every particle of every frame; low and high: of their heights. */
static void enclose_particles(cq_render *r, double *low, double *high) {
  const cq_motion *const motion = r->def.motion;
  *low = INFINITY;
  *high = -INFINITY;
  for (int frame = 0; frame < motion->takes[r->def.take].n_frames; frame++) {
    for (int k = 0; k < motion->def.n_kept; k++) {
      double x[3];
      cq_picture_place(r, frame, k, x);
      enclose(r, x, r->radii[motion->def.body[k]]);
      *low = fmin(*low, x[1]);
      *high = fmax(*high, x[1]);
    }
  }
}

static bool is_in_room(const cq_render *r, const double x[3]) {
  bool in = true;
  for (int a = 0; a < r->def.motion->def.dimension; a++) {
    in = in && x[a] >= r->room[0][a] && x[a] <= r->room[1][a];
  }
  return in;
}

/* What moves and has no particles, as far as it is in the room; so planes do not count. */
static void enclose_mover(cq_render *r, const cq_prop *prop) {
  for (int frame = 0; frame < r->def.motion->takes[r->def.take].n_frames; frame++) {
    const double *const map = cq_picture_map(r, frame, prop);
    for (int i = 0; i < prop->n && map != NULL; i++) {
      double x[3];
      cq_map_point(map, prop->points[i], x);
      if (is_in_room(r, x)) {
        enclose(r, x, prop->form == CQ_FORM_BALL ? prop->radius : 0.0);
      }
    }
  }
}

static void find_room(cq_render *r) {
  for (int a = 0; a < 3; a++) {
    r->room[0][a] = INFINITY;
    r->room[1][a] = -INFINITY;
  }
  for (int i = 0; i < r->def.n_props; i++) {
    const cq_prop *const prop = &r->def.props[i];
    for (int k = 0; k < prop->n && strcmp(prop->role, "room") == 0; k++) {
      for (int a = 0; a < 3; a++) {
        r->room[0][a] = fmin(r->room[0][a], prop->points[k][a]);
        r->room[1][a] = fmax(r->room[1][a], prop->points[k][a]);
      }
    }
  }
}

static void enclose_shadows(cq_render *r) {
  const cq_motion *const motion = r->def.motion;
  for (int frame = 0; frame < motion->takes[r->def.take].n_frames; frame++) {
    for (int k = 0; k < motion->def.n_kept; k++) {
      double x[3];
      cq_picture_place(r, frame, k, x);
      x[1] = r->floor;
      enclose(r, x, 0.0);
    }
  }
}

/* What is outside of the room of a plane is not shown: nothing is there. */
static void add_margin(cq_render *r) {
  const double pad = margin * fmax(r->high[0] - r->low[0], r->high[1] - r->low[1]) + 1e-9;
  const cq_prop *const first = r->def.props;
  const bool has_grid =
      r->def.motion->def.dimension == 2 && r->def.n_props > 0 && strcmp(first->role, "room") == 0;
  for (int a = 0; a < 2; a++) {
    r->low[a] -= pad;
    r->high[a] += pad;
    if (has_grid) { /* its corners 0 and 2 */
      r->low[a] = fmax(r->low[a], first->points[0][a]);
      r->high[a] = fmin(r->high[a], first->points[2][a]);
    }
  }
}

static void enclose_all(cq_render *r) {
  double low = 0.0, high = 0.0;
  enclose_particles(r, &low, &high);
  for (int i = 0; i < r->def.n_props; i++) {
    const cq_prop *const prop = &r->def.props[i];
    if (prop->form == CQ_FORM_POINT) {
      enclose(r, prop->points[0], 0.0);
    } else if (prop->mover[0] != '\0') {
      enclose_mover(r, prop);
    }
  }
  /* the ground is shown where it is not far below */
  const double size = fmax(r->high[0] - r->low[0], high - low);
  r->floor = ground_of(r);
  if (!(low - r->floor < 0.35 * size) || r->camera.elevation < 0.0) {
    r->floor = NAN;
  } else if (r->def.motion->def.dimension == 3) {
    enclose_shadows(r);
  } else {
    r->low[1] = fmin(r->low[1], r->floor);
  }
  add_margin(r);
}

/* 1, 2 or 5 times a power of ten */
static double round_length(double width) {
  const double most = CQ_RULER_PART * width, power = pow(10.0, floor(log10(most)));
  return power * (most >= 5.0 * power ? 5.0 : most >= 2.0 * power ? 2.0 : 1.0);
}

/* The colours of all that is not a body, for a dark picture and for a light one. */
static cq_inks inks_of(bool dark) {
  if (dark) {
    return (cq_inks){.ground = cq_colour_of(0x16181d),
                     .text = cq_colour_of(0xeceef2),
                     .soft = cq_colour_of(0xb4bac4),
                     .line = cq_colour_of(0x6d7480),
                     .wall = cq_colour_of(0x343942),
                     .floor = cq_colour_of(0x23272e),
                     .accent = cq_colour_of(0xff5d6c)};
  }
  return (cq_inks){.ground = cq_colour_of(0xffffff),
                   .text = cq_colour_of(0x111418),
                   .soft = cq_colour_of(0x454b55),
                   .line = cq_colour_of(0x8b919b),
                   .wall = cq_colour_of(0xd3d7dd),
                   .floor = cq_colour_of(0xeff1f4),
                   .accent = cq_colour_of(0xc8102e)};
}

/* --- a hollow body that is cut open, so that what is in it shows --- */

static int find_cut(const cq_render *r) {
  const cq_motion *const motion = r->def.motion;
  for (int b = 0; b < motion->def.n_bodies; b++) {
    if (strcmp(motion->def.bodies[b], r->def.cut) == 0) {
      return b;
    }
  }
  return -1;
}

static double nearness(const cq_render *r, int k) {
  double x[3], turned[3];
  cq_picture_place(r, 0, k, x);
  cq_camera_turn(&r->camera, x, turned);
  return turned[2];
}

/* Leaves out the half that is nearer to the eye as the motion begins, and goes with the body. */
static cq_status cut_open(cq_render *r) {
  const cq_motion *const motion = r->def.motion;
  const int body = find_cut(r);
  CQ_CHECK(r->ctx, body >= 0, CQ_USAGE, "this motion has no body \"%s\" to cut open", r->def.cut);
  CQ_CHECK(r->ctx, motion->def.dimension == 3 && !r->covered[body], CQ_USAGE,
           "only bodies of particles in 3D can be cut open, which \"%s\" is not", r->def.cut);
  CQ_TRY(CQ_ALLOC(r->ctx, r->cut, motion->def.n_kept));
  double sum = 0.0;
  int n = 0;
  for (int k = 0; k < motion->def.n_kept; k++) {
    if (motion->def.body[k] == body) {
      sum += nearness(r, k);
      n++;
    }
  }
  for (int k = 0; k < motion->def.n_kept; k++) {
    r->cut[k] = motion->def.body[k] == body && n * nearness(r, k) > sum;
  }
  return CQ_OK;
}

/* Finds once what all frames share: colours, radii, the view, and what has to be in it. */
static cq_status prepare(cq_render *r) {
  const cq_render_def *const def = &r->def;
  const cq_motion_take *const take = &def->motion->takes[def->take];
  const bool solid = def->motion->def.dimension == 3;
  CQ_CHECK(r->ctx, take->n_frames > 0 && def->motion->def.n_kept > 0, CQ_IO,
           "there is nothing to draw in this motion");
  CQ_TRY(CQ_ALLOC(r->ctx, r->radii, def->motion->def.n_bodies));
  CQ_TRY(CQ_ALLOC(r->ctx, r->covered, def->motion->def.n_bodies));
  cq_motion_covered(def->motion, r->covered);
  CQ_TRY(cq_paint_make(def->motion, def->take, def->colour, def->map, def->range, &r->paint));
  CQ_TRY(cq_paint_radii(def->motion, def->take, r->radii));
  r->inks = inks_of(def->dark);
  r->camera = solid ? cq_camera_at(def->azimuth, def->elevation) : cq_camera_at(0.0, 0.0);
  CQ_TRY(def->cut != NULL ? cut_open(r) : CQ_OK);
  r->low[0] = r->low[1] = INFINITY;
  r->high[0] = r->high[1] = -INFINITY;
  find_room(r);
  enclose_all(r);
  r->ruler = round_length(r->high[0] - r->low[0]);
  const double duration = take->time[take->n_frames - 1];
  r->decimals = duration > 0.0 ? (int)fmax(0.0, 2.0 - floor(log10(duration))) : 0;
  return CQ_OK;
}

cq_status cq_render_create(cq_ctx *ctx, const cq_render_def *def, cq_render **out) {
  cq_render *r = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, r, 1));
  r->ctx = ctx;
  r->def = *def;
  const cq_status status = prepare(r);
  if (status != CQ_OK) {
    cq_render_destroy(r);
    return status;
  }
  *out = r;
  return CQ_OK;
}

void cq_render_destroy(cq_render *render) {
  if (render != NULL) {
    cq_free(render->ctx, render->radii);
    cq_free(render->ctx, render->covered);
    cq_free(render->ctx, render->cut);
    cq_free(render->ctx, render);
  }
}

int cq_render_frame_at(const cq_render *render, double time) {
  const cq_motion_take *const take = &render->def.motion->takes[render->def.take];
  int nearest = 0;
  for (int i = 1; i < take->n_frames; i++) {
    if (fabs(take->time[i] - time) < fabs(take->time[nearest] - time)) {
      nearest = i;
    }
  }
  return nearest;
}
