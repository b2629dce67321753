#include "scene_movers.h"

#include "alloc.h"
#include "artist.h"
#include "cut.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ROUND: corners of a disc, and of a ball's parallels, RINGS of them between its poles */
enum { ROUND = 24, RINGS = 11, PLANE_CORNERS = 4, MOST_CUT = 6 };

/* One drawing: its vertices, from `first` on, and whose they are. */
struct cq_mover_part {
  int mover, first, n;
  bool cut; /* of a plane: four corners, and room for those that the room cuts */
};

/* Two rounds over the same drawings: the first one counts, as there are no arrays yet. */
typedef struct gathering {
  cq_movers *to;
  int n_parts, n_vertices, n_faces, dim;
} gathering;

static void put_vertex(gathering *g, double x, double y, double z) {
  if (g->to->drawn != NULL) {
    double *const at = g->to->drawn[g->n_vertices];
    at[0] = x;
    at[1] = y;
    at[2] = z;
  }
  g->n_vertices++;
}

static void put_face(gathering *g, int a, int b, int c) {
  if (g->to->faces != NULL) {
    const int corners[3] = {a, b, c};
    memcpy(g->to->faces + (size_t)g->n_faces * (size_t)g->dim, corners,
           (size_t)g->dim * sizeof *corners);
  }
  g->n_faces++;
}

/* Segments around a loop of n vertices in 2D, a fan of triangles in 3D. */
static void put_loop(gathering *g, int first, int n) {
  for (int i = 0; i < (g->dim == 2 ? n : n - 2); i++) {
    const int next = first + (i + 1) % n;
    if (g->dim == 2) {
      put_face(g, first + i, next, 0);
    } else {
      put_face(g, first, next, next + 1);
    }
  }
}

static void put_polygon(gathering *g, const cq_drawing *d) {
  const int first = g->n_vertices;
  const int room = d->n + (d->form == CQ_FORM_PLANE ? MOST_CUT : 0);
  for (int i = 0; i < room; i++) {
    const double *const x = d->points[i < d->n ? i : d->n - 1];
    put_vertex(g, x[0], x[1], x[2]);
  }
  if (d->form == CQ_FORM_LINE) {
    put_face(g, first, first + 1, 0);
  } else {
    put_loop(g, first, room);
  }
}

static void put_disc(gathering *g, const double *at, double radius) {
  const int first = g->n_vertices, n = 2 * ROUND;
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * acos(-1.0) * i / n;
    put_vertex(g, at[0] + radius * cos(angle), at[1] + radius * sin(angle), 0.0);
  }
  put_loop(g, first, n);
}

/* Parallels about the axis y, closed by their poles, which are rings of one point. */
static void put_ball(gathering *g, const double *at, double radius) {
  const int first = g->n_vertices;
  for (int k = 0; k <= RINGS + 1; k++) {
    const double polar = acos(-1.0) * k / (RINGS + 1);
    for (int i = 0; i < ROUND; i++) {
      const double angle = 2.0 * acos(-1.0) * i / ROUND;
      put_vertex(g, at[0] + radius * sin(polar) * cos(angle), at[1] + radius * cos(polar),
                 at[2] + radius * sin(polar) * sin(angle));
    }
  }
  for (int k = 0; k <= RINGS; k++) {
    for (int i = 0; i < ROUND; i++) {
      const int a = first + k * ROUND + i, b = first + k * ROUND + (i + 1) % ROUND;
      put_face(g, a, b, a + ROUND);
      put_face(g, b, b + ROUND, a + ROUND);
    }
  }
}

/* Which mover is called so: they are drawn one after the other. */
static int mover_of(const cq_movers *m, const char *name) {
  int i = 0;
  while (strcmp(m->names[i], name) != 0) {
    i++;
  }
  return i;
}

/* A drawing: counted, or put where it has its place. */
static void gather(void *user, const cq_drawing *d) {
  gathering *const g = user;
  const int first = g->n_vertices;
  if (d->form != CQ_FORM_BALL) {
    put_polygon(g, d);
  } else if (g->dim == 2) {
    put_disc(g, d->points[0], d->radius);
  } else {
    put_ball(g, d->points[0], d->radius);
  }
  if (g->to->parts != NULL) {
    const int mover = mover_of(g->to, d->name);
    g->to->parts[g->n_parts] =
        (cq_mover_part){mover, first, g->n_vertices - first, d->form == CQ_FORM_PLANE};
    for (int v = first; v < g->n_vertices; v++) {
      g->to->mover[v] = mover;
    }
  }
  g->n_parts++;
}

static gathering gather_all(const cq_scene *scene, cq_movers *m) {
  gathering g = {.to = m, .dim = scene->model.dim};
  const cq_artist artist = cq_artist_of(scene, gather, &g);
  cq_artist_walls(&artist, true);
  return g;
}

static cq_status take_names(const cq_scene *scene, cq_movers *m) {
  for (int i = 0; i < scene->model.n_boundaries; i++) {
    m->moving.n += scene->walls[i].moves;
  }
  CQ_TRY(CQ_ALLOC(scene->ctx, m->names, m->moving.n));
  CQ_TRY(CQ_ALLOC(scene->ctx, m->texts, m->moving.n));
  for (int i = 0, k = 0; k < m->moving.n; i++) {
    if (scene->walls[i].moves) {
      m->names[k] = m->texts[k];
      snprintf(m->texts[k++], sizeof *m->texts, "%.63s", cq_node_path(scene->walls[i].node).text);
    }
  }
  m->moving.names = m->names;
  return CQ_OK;
}

/* Names, then room for as much as was counted, then the surfaces. */
cq_status cq_movers_make(const cq_scene *scene, cq_movers *m) {
  cq_ctx *const ctx = scene->ctx;
  *m = (cq_movers){.scene = scene};
  CQ_TRY(take_names(scene, m));
  if (m->moving.n == 0) {
    return CQ_OK;
  }
  const gathering g = gather_all(scene, m);
  CQ_TRY(CQ_ALLOC(ctx, m->faces, (size_t)g.n_faces * (size_t)g.dim));
  CQ_TRY(CQ_ALLOC(ctx, m->mover, g.n_vertices));
  CQ_TRY(CQ_ALLOC(ctx, m->drawn, g.n_vertices));
  CQ_TRY(CQ_ALLOC(ctx, m->now, g.n_vertices));
  CQ_TRY(CQ_ALLOC(ctx, m->maps, m->moving.n * CQ_MAP));
  CQ_TRY(CQ_ALLOC(ctx, m->parts, g.n_parts));
  gather_all(scene, m);
  m->n_parts = g.n_parts;
  m->moving.n_vertices = g.n_vertices;
  m->moving.n_faces = g.n_faces;
  m->moving.faces = m->faces;
  m->moving.mover = m->mover;
  return CQ_OK;
}

/* What is left of a plane in the room; the rest of its vertices are the last one again, and those
 * of nothing a point of the room. */
static void cut_plane(const cq_movers *m, const cq_mover_part *part) {
  const cq_box *const room = &m->scene->model.room;
  double(*const at)[3] = m->now + part->first;
  double none[3];
  for (int a = 0; a < 3; a++) {
    none[a] = fmin(fmax(at[0][a], room->low[a]), room->high[a]);
  }
  const int n =
      cq_cut_to_box(at, PLANE_CORNERS, part->n, m->scene->model.dim, room->low, room->high);
  for (int i = n; i < part->n; i++) {
    memcpy(at[i], i > 0 ? at[i - 1] : none, sizeof *at);
  }
}

void cq_movers_place(cq_movers *m, const double *walls) {
  for (int i = 0, k = 0; k < m->moving.n; i++) {
    if (m->scene->walls[i].moves) {
      memcpy(m->maps + (size_t)k++ * CQ_MAP, walls + (size_t)i * CQ_MAP, CQ_MAP * sizeof *m->maps);
    }
  }
  for (int v = 0; v < m->moving.n_vertices; v++) {
    cq_map_point(m->maps + (size_t)m->mover[v] * CQ_MAP, m->drawn[v], m->now[v]);
  }
  for (int i = 0; i < m->n_parts; i++) {
    if (m->parts[i].cut) {
      cut_plane(m, &m->parts[i]);
    }
  }
}

void cq_movers_free(cq_movers *m) {
  if (m->scene == NULL) {
    return;
  }
  cq_ctx *const ctx = m->scene->ctx;
  cq_free(ctx, m->names);
  cq_free(ctx, m->texts);
  cq_free(ctx, m->faces);
  cq_free(ctx, m->mover);
  cq_free(ctx, m->parts);
  cq_free(ctx, m->drawn);
  cq_free(ctx, m->now);
  cq_free(ctx, m->maps);
  *m = (cq_movers){.scene = NULL};
}
