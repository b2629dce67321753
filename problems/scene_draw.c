/* Walls and targets of a scene, for pictures of any kind. */
#include "artist.h"
#include "engine_part.h"

#include <math.h>
#include <string.h>

enum { MOST_TRACKED = 400 };

void cq_artist_polygon(const cq_artist *a, const char *role, const char *name, int n,
                       cq_point *points) {
  const cq_drawing d = {.form = CQ_FORM_POLYGON,
                        .role = role,
                        .name = name,
                        .n = n,
                        .points = (const double(*)[3])points,
                        .time = NAN,
                        .moves = a->moves};
  a->draw(a->user, &d);
}

/* --- boxes --- */

void cq_artist_corners(const double *low, const double *high, cq_point corners[8]) {
  for (int bits = 0; bits < 8; bits++) {
    for (int a = 0; a < 3; a++) {
      corners[bits][a] = (bits >> a & 1) != 0 ? high[a] : low[a];
    }
  }
}

void cq_artist_faces(const cq_artist *a, const char *role, const char *name, cq_point corners[8]) {
  static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 2, 6, 4},
                                  {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}};
  for (int f = 0; f < (a->dim == 3 ? 6 : 1); f++) {
    cq_point points[4];
    for (int i = 0; i < 4; i++) {
      memcpy(points[i], corners[faces[f][i]], sizeof points[i]);
    }
    cq_artist_polygon(a, role, name, 4, points);
  }
}

void cq_artist_box(const cq_artist *a, const char *role, const char *name, const double *low,
                   const double *high) {
  cq_point corners[8];
  cq_artist_corners(low, high, corners);
  cq_artist_faces(a, role, name, corners);
}

/* --- terms --- */

static void draw_point(const cq_artist *a, const char *role, const char *name, const double *at,
                       double time) {
  cq_point point = {0.0, 0.0, 0.0};
  memcpy(point, at, (size_t)a->dim * sizeof *at);
  const cq_drawing d = {.form = CQ_FORM_POINT,
                        .role = role,
                        .name = name,
                        .n = 1,
                        .points = (const double(*)[3]) & point,
                        .time = time};
  a->draw(a->user, &d);
}

/* Where markers were seen, in the axes of the scene; of very many, some. */
static void draw_tracks(const cq_artist *a, const cq_term *term) {
  int count = 0, every = 1;
  for (int k = 0; k < term->n_instants; k++) {
    count += term->instants[k].n_markers;
  }
  every += count / MOST_TRACKED;
  for (int k = 0, seen = 0; k < term->n_instants; k++) {
    const cq_instant *const at = &term->instants[k];
    const double time = (at->step + at->ahead) * a->scene->model.dt;
    for (int m = 0; m < at->n_markers; m++, seen++) {
      if (seen % every == 0) {
        draw_point(a, "track", term->label, term->markers[at->first_marker + m].target, time);
      }
    }
  }
}

/* The walls, or those alone that move. */
void cq_artist_walls(const cq_artist *artist, bool moving) {
  const cq_scene *const scene = artist->scene;
  cq_artist a = *artist;
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    a.moves = scene->walls[i].moves;
    if (a.moves || !moving) {
      scene->part->draw_wall(&a, i);
    }
  }
}

cq_artist cq_artist_of(const cq_scene *scene, cq_draw_fn draw, void *user) {
  cq_artist a = {.scene = scene, .draw = draw, .user = user, .dim = scene->model.dim};
  for (int i = 0; i < a.dim; i++) {
    a.size[i] = scene->model.room.high[i] - scene->model.room.low[i];
  }
  return a;
}

/* The grid, the walls, then what terms aim at. */
void cq_scene_draw(const cq_scene *scene, cq_draw_fn fn, void *user) {
  const cq_artist a = cq_artist_of(scene, fn, user);
  const cq_point zero = {0.0, 0.0, 0.0};
  cq_artist_box(&a, "room", "", zero, a.size);
  cq_artist_walls(&a, false);
  for (int i = 0; i < scene->objective.n_functions; i++) {
    const cq_function *const function = &scene->objective.functions[i];
    for (int j = 0; j < function->n_terms; j++) {
      const cq_term *const term = &function->terms[j];
      if (term->kind == CQ_TERM_distance) {
        draw_point(&a, "target", term->label, term->keys->own.distance.target, NAN);
      } else if (cq_term_measures(term->kind) == CQ_MEASURES_MARKERS && !term->is_seen) {
        draw_tracks(&a, term);
      }
    }
  }
}
