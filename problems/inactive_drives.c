/* What drives and tracks move, and whether it comes near anything that it can move. */
#include "inactive.h"
#include "scene_movers.h"

#include "alloc.h"
#include "open_loop.h"
#include "status.h"

#include <math.h>
#include <string.h>

static int wall_called(const cq_scene *scene, const char *name) {
  const cq_wall *wall = cq_scene_wall(scene, name);
  return wall != NULL ? (int)(wall - scene->walls) : -1;
}

/* The wall that control u drives, -1: none, as it drives no rigid thing. */
static int wall_of_control(const cq_scene *scene, int u) {
  for (int a = 0; a < scene->model.n_actuators; a++) {
    const cq_acting *acting = &scene->acting[a];
    if (u >= acting->first_control && u < acting->first_control + acting->n_controls) {
      const cq_body *body = acting->set->count > 0 ? cq_set_body(scene, acting->set) : NULL;
      const bool drives = acting->set->count == 0 || (body != NULL && body->rigid);
      return drives ? wall_called(scene, acting->set->name) : -1;
    }
  }
  return -1;
}

/* The wall that a row of a design moves, -1: none; and the states between which it does so: a row
 * of a table while it acts, a knot at all times, as it moves what comes after it, too. */
static int wall_of(const cq_scene *scene, size_t target, int *first, int *last) {
  const cq_layout *layout = &scene->layout;
  const cq_controller *c = &scene->model.controller;
  const int k = target < layout->total ? cq_layout_at(layout, target) : -1;
  const size_t place = k >= 0 ? target - layout->offset[k] : 0;
  *first = 0;
  *last = scene->model.steps;
  if (k >= 0 && layout->inputs[k].of == CQ_OF_CONTROLLER && c->kind == CQ_CONTROLLER_open_loop) {
    const int row = (int)(place / (size_t)scene->model.n_controls);
    *first = (c->joined == OPEN_LOOP_LINEAR ? row - 1 : row) * c->hold;
    *last = (row + (c->joined == OPEN_LOOP_PATH ? 3 : 1)) * c->hold;
    return wall_of_control(scene, (int)(place % (size_t)scene->model.n_controls));
  }
  if (k >= 0 && layout->inputs[k].of == CQ_OF_KNOT) {
    const int knot = (int)place / (scene->model.dim == 2 ? 3 : 6);
    for (int i = 0; i < scene->model.n_boundaries; i++) {
      const cq_knots *knots = &scene->walls[i].knots;
      if (knot >= knots->first && knot < knots->first + knots->n) {
        return i;
      }
    }
  }
  return -1;
}

static int body_called(const cq_scene *scene, const char *name) {
  for (int b = 0; b < scene->config.bodies.count; b++) {
    if (strcmp(scene->bodies[b].keys->name, name) == 0) {
      return b;
    }
  }
  return -1;
}

/* --- in a run ----------------------------------------------------------------------------------
 */

/* Marks what the design drives; false: nothing. */
static bool find_driven(const cq_scene *scene, unsigned char *driven) {
  bool any = false;
  for (int b = 0; b < scene->design.n_blocks; b++) {
    const cq_rows *rows = &scene->design.blocks[b].rows;
    for (size_t i = 0; i < rows->count; i++) {
      int first = 0, last = 0;
      const int wall = wall_of(scene, rows->target[i], &first, &last);
      if (wall >= 0) {
        driven[wall] = 1;
        any = true;
      }
    }
  }
  return any;
}

/* Room for what is looked at, if anything is driven. */
cq_status cq_drives_begin(cq_witness *w) {
  const cq_scene *scene = w->scene;
  const size_t walls = (size_t)scene->model.n_boundaries, states = (size_t)scene->model.steps + 1;
  CQ_TRY(CQ_ALLOC(scene->ctx, w->driven, walls));
  if (w->n_bodies == 0 || !find_driven(scene, w->driven)) {
    return CQ_OK;
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, w->near, walls * states));
  CQ_TRY(CQ_ALLOC(scene->ctx, w->maps, walls * CQ_MAP));
  CQ_TRY(CQ_ALLOC(scene->ctx, w->movers, 1));
  return cq_movers_make(scene, w->movers);
}

/* Of a rigid body: what it can move is soft or free. */
static cq_status look_at_body(const cq_witness *w, const double *x, int body, unsigned char *near) {
  const double reach = CQ_REACH * w->scene->model.length;
  for (int j = 0; j < w->n_bodies && !*near; j++) {
    if (j != body && !w->scene->bodies[j].unmoved) {
      double distance = 0.0;
      CQ_TRY(cq_witness_distance(w, x, body, j, reach, &distance));
      *near = distance < reach;
    }
  }
  return CQ_OK;
}

static double distance_to_box(const double *x, int dim, const double *low, const double *high) {
  double square = 0.0;
  for (int a = 0; a < dim; a++) {
    const double off = fmax(fmax(low[a] - x[a], x[a] - high[a]), 0.0);
    square += off * off;
  }
  return sqrt(square);
}

/* Of an obstacle or half-space, by the box around it: it acts on nodes inside of it, and those are
 * within one and a half lengths of their particles, along each axis. */
static void look_at_mover(const cq_witness *w, const double *x, int mover, unsigned char *near) {
  const cq_scene *scene = w->scene;
  const int dim = scene->model.dim;
  const double reach = 1.5 * sqrt(dim) * scene->model.length;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int v = 0; v < w->movers->moving.n_vertices; v++) {
    for (int a = 0; a < dim && w->movers->mover[v] == mover; a++) {
      low[a] = fmin(low[a], w->movers->now[v][a]);
      high[a] = fmax(high[a], w->movers->now[v][a]);
    }
  }
  for (int b = 0; b < scene->config.bodies.count; b++) {
    const cq_body *body = &scene->bodies[b];
    for (int p = body->first; p < body->first + body->count && !body->unmoved && !*near; p++) {
      *near = distance_to_box(x + (size_t)p * (size_t)dim, dim, low, high) < reach;
    }
  }
}

/* What is near at a state, of all that is driven. */
cq_status cq_drives_look(cq_witness *w, int step, const double *x) {
  const cq_scene *scene = w->scene;
  const size_t states = (size_t)scene->model.steps + 1;
  if (w->near == NULL) {
    return CQ_OK;
  }
  cq_sim_walls(scene->sim, w->maps);
  cq_movers_place(w->movers, w->maps);
  for (int i = 0, mover = 0; i < scene->model.n_boundaries; i++) {
    unsigned char *near = &w->near[(size_t)i * states + (size_t)step];
    const bool moves = scene->walls[i].moves;
    if (w->driven[i] && moves) {
      look_at_mover(w, x, mover, near);
    } else if (w->driven[i]) {
      CQ_TRY(look_at_body(w, x, body_called(scene, scene->walls[i].name), near));
    }
    mover += moves;
  }
  return CQ_OK;
}

void cq_drives_free(cq_witness *w) {
  cq_ctx *ctx = w->scene->ctx;
  if (w->movers != NULL) {
    cq_movers_free(w->movers);
  }
  cq_free(ctx, w->movers);
  cq_free(ctx, w->maps);
  cq_free(ctx, w->near);
  cq_free(ctx, w->driven);
}

/* --- afterwards --------------------------------------------------------------------------------
 */

/* Is the wall near anything in states first .. last? */
static bool is_near(const cq_witness *w, int wall, int first, int last) {
  const int steps = w->scene->model.steps;
  const unsigned char *near = w->near + (size_t)wall * ((size_t)steps + 1);
  for (int k = first > 0 ? first : 0; k <= last && k <= steps; k++) {
    if (near[k]) {
      return true;
    }
  }
  return false;
}

/* All rows of variable j of the block. */
bool cq_drives_alone(const cq_witness *w, const cq_block *block, int j) {
  const cq_rows *rows = &block->rows;
  bool alone = false;
  for (size_t i = 0; i < rows->count && w->near != NULL; i++) {
    for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
      int first = 0, last = 0;
      if (rows->variable[k] != j) {
        continue;
      }
      const int wall = wall_of(w->scene, rows->target[i], &first, &last);
      alone = wall >= 0 && !is_near(w, wall, first, last);
      if (!alone) {
        return false;
      }
    }
  }
  return alone;
}

/* With the name of what moves, if it is the same for all. */
bool cq_drives_reason(const cq_witness *w, const cq_block *block, const unsigned char *group,
                      char *text, size_t size) {
  const cq_scene *scene = w->scene;
  const cq_rows *rows = &block->rows;
  int one = -1;
  bool same = true, all = true, any = false; /* are near something at some time */
  char name[112] = "what they drive";
  for (size_t i = 0; i < rows->count; i++) {
    for (size_t k = rows->first[i]; k < rows->first[i + 1]; k++) {
      int first = 0, last = 0;
      const int wall =
          group[rows->variable[k]] ? wall_of(scene, rows->target[i], &first, &last) : -1;
      same = same && (wall < 0 || one < 0 || wall == one);
      one = wall >= 0 ? wall : one;
      const bool ever = wall >= 0 && is_near(w, wall, 0, scene->model.steps);
      all = all && (wall < 0 || ever);
      any = any || ever;
    }
  }
  if (same && one >= 0) {
    snprintf(name, sizeof name, "\"%.100s\"", scene->walls[one].name);
  }
  snprintf(text, size,
           any ? "%s meets nothing that it can move while they act"
               : "%s never meets anything that it can move",
           name);
  return all;
}
