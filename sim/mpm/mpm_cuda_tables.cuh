/* The model on the device: groups, walls, actuators, cables, the controller. */
#ifndef CQ_MPM_CUDA_TABLES_CUH
#define CQ_MPM_CUDA_TABLES_CUH

#include "mpm_cuda_object.cuh"

/* Lists of lists: start [n + 1], members. */
typedef struct lists {
  int n, total;
  int *start, *members;
} lists;

static cq_status lists_open(cq_ctx *ctx, lists *l, int n, int total) {
  l->n = n;
  l->total = total;
  l->start = l->members = NULL;
  CQ_TRY(CQ_ALLOC(ctx, l->start, n + 2));
  return CQ_ALLOC(ctx, l->members, total);
}

static void lists_close(cq_ctx *ctx, lists *l) {
  cq_free(ctx, l->start);
  cq_free(ctx, l->members);
}

/* to: which list pair i belongs to (-1: none), what: what it brings; kept in their order. */
static void lists_sort(lists *l, int n_pairs, const int *to, const int *what) {
  int *fill = l->start + 1;
  for (int i = 0; i < n_pairs; i++) {
    if (to[i] >= 0) {
      fill[to[i] + 1]++;
    }
  }
  for (int i = 0; i < l->n; i++) {
    fill[i + 1] += fill[i];
  }
  for (int i = 0; i < n_pairs; i++) {
    if (to[i] >= 0) {
      l->members[fill[to[i]]++] = what[i];
    }
  }
}

/* Into *start and *members, on the device. */
static cq_status give_lists(cuda *c, int n_lists, int n_pairs, const int *to, const int *what,
                            const int **start, const int **members, const char *name) {
  lists l;
  cq_status status = lists_open(c->ctx, &l, n_lists, n_pairs);
  if (status == CQ_OK) {
    lists_sort(&l, n_pairs, to, what);
    status = give(&c->memory, OF_ENGINE, start, l.start, (size_t)n_lists + 1, name);
  }
  if (status == CQ_OK) {
    status = give(&c->memory, OF_ENGINE, members, l.members, (size_t)n_pairs, name);
  }
  lists_close(c->ctx, &l);
  return status;
}

/* Groups: their particles, chunks of them, and which ones a particle is in. */
static cq_status give_groups(cuda *c, int *particles, int *groups, chunk *chunks, int *starts,
                             double *parameters) {
  const cq_model *m = c->model;
  int n = 0, n_chunks = 0;
  for (int k = 0; k < m->n_groups; k++) {
    const cq_group *g = &m->groups[k];
    parameters[k] = g->parameter;
    starts[k] = n_chunks;
    for (int i = 0; i < g->count; i += CQ_CHUNK) {
      const int more = g->count - i < CQ_CHUNK ? g->count - i : CQ_CHUNK;
      const chunk one = {k, n + i, n + i + more};
      chunks[n_chunks++] = one;
    }
    for (int i = 0; i < g->count; i++, n++) {
      particles[n] = g->particles[i];
      groups[n] = k;
    }
  }
  starts[m->n_groups] = c->n_chunks = n_chunks;
  world *w = &c->w;
  CQ_TRY(
      give(&c->memory, OF_ENGINE, &w->parameters, parameters, (size_t)m->n_groups, "parameters"));
  CQ_TRY(give(&c->memory, OF_ENGINE, &w->chunks, chunks, (size_t)n_chunks, "chunks"));
  CQ_TRY(
      give(&c->memory, OF_ENGINE, &w->chunk_start, starts, (size_t)m->n_groups + 1, "chunk_start"));
  CQ_TRY(give(&c->memory, OF_ENGINE, &w->group_particles, particles, (size_t)n, "group_particles"));
  return give_lists(c, c->w.n, n, particles, groups, &w->member_start, &w->member_group,
                    "member_group");
}

/* Lists of the observed groups, made on the host and given to the device. */
static cq_status make_groups(cuda *c) {
  const cq_model *m = c->model;
  int total = 0;
  for (int k = 0; k < m->n_groups; k++) {
    total += m->groups[k].count;
  }
  int *particles = NULL, *groups = NULL, *starts = NULL;
  chunk *chunks = NULL;
  double *parameters = NULL;
  cq_status status = CQ_ALLOC(c->ctx, particles, total);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, groups, total);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, chunks, total / CQ_CHUNK + m->n_groups);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, starts, m->n_groups + 1);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, parameters, m->n_groups);
  status = status != CQ_OK ? status : give_groups(c, particles, groups, chunks, starts, parameters);
  void *const owned[] = {particles, groups, chunks, starts, parameters};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
    cq_free(c->ctx, owned[i]);
  }
  return status;
}

static cq_status give_curve(cuda *c, const cq_curve *from, cq_curve *to) {
  *to = *from;
  return give(&c->memory, OF_ENGINE, &to->pieces, from->pieces, (size_t)from->n + 1, "a curve");
}

/* Which node has a mean pressure, the nodes line by line. */
static cq_status make_slots(cuda *c, size_t lines) {
  const grid_model *g = &c->g;
  int *nodes = NULL;
  CQ_TRY(CQ_ALLOC(c->ctx, nodes, g->n_slots));
  for (size_t l = 0; l < lines; l++) {
    for (int i = g->line[l]; i < g->line[l + 1]; i++) {
      for (int k = g->held[i].first; k < g->held[i + 1].first; k++) {
        if (g->contacts[k].slot >= 0) {
          nodes[g->contacts[k].slot] = (int)l * g->count[CQ_LAST] + g->held[i].k;
        }
      }
    }
  }
  c->w.n_slots = g->n_slots;
  const cq_status status =
      give(&c->memory, OF_ENGINE, &c->w.slot_node, nodes, (size_t)g->n_slots, "slots");
  cq_free(c->ctx, nodes);
  return status;
}

static cq_status make_walls(cuda *c) {
  grid_model g = c->g;
  const size_t lines = (size_t)(c->w.n_nodes / g.count[CQ_LAST]), held = (size_t)c->g.line[lines];
  const size_t contacts = (size_t)c->g.held[held].first;
  CQ_TRY(give(&c->memory, OF_ENGINE, &g.line, c->g.line, lines + 1, "walls"));
  CQ_TRY(give(&c->memory, OF_ENGINE, &g.held, c->g.held, held + 1, "walls"));
  CQ_TRY(give(&c->memory, OF_ENGINE, &g.contacts, c->g.contacts, contacts, "walls"));
  CQ_TRY(make_slots(c, lines));
  return give(&c->memory, OF_ENGINE, &c->w.g, &g, 1, "walls");
}

static cq_status give_actuators(cuda *c, actuator *actuators) {
  const cq_model *m = c->model;
  for (int i = 0; i < m->n_actuators; i++) {
    actuators[i] = V(cq_mpm_actuator)(&c->own->actuators[i]);
    if (actuators[i].along == CQ_ALONG_SLOPE) {
      cq_curve ground;
      CQ_TRY(give_curve(c, actuators[i].ground, &ground));
      CQ_TRY(give(&c->memory, OF_ENGINE, &actuators[i].ground, &ground, 1, "the ground"));
    }
  }
  return give(&c->memory, OF_ENGINE, &c->w.actuators, actuators, (size_t)m->n_actuators,
              "actuators");
}

/* Actuators, and for each the particles that it drives. */
static cq_status make_actuators(cuda *c) {
  const cq_model *m = c->model;
  actuator *actuators = NULL;
  int *all = NULL;
  cq_status status = CQ_ALLOC(c->ctx, actuators, m->n_actuators);
  status = status != CQ_OK ? status : give_actuators(c, actuators);
  status = status != CQ_OK ? status : CQ_ALLOC(c->ctx, all, c->w.n);
  for (int p = 0; status == CQ_OK && p < c->w.n; p++) {
    all[p] = p;
  }
  status = status != CQ_OK
               ? status
               : give_lists(c, m->n_actuators, c->w.n, m->actuator, all, &c->w.driven_start,
                            &c->w.driven_particles, "driven_particles");
  cq_free(c->ctx, actuators);
  cq_free(c->ctx, all);
  return status;
}

/* Cables are laid out on the host; the device has a copy, and work of its own. */
static cq_status make_cables(cuda *c) {
  cables host, *to = &c->w.cable;
  memset(&host, 0, sizeof host);
  cq_status status = V(cq_cables_create)(c->ctx, c->model, &host);
  *to = host;
  buffers *b = &c->memory;
  const size_t n = (size_t)host.n_anchors, longest = (size_t)host.longest;
  const cable_line *lines = NULL;
  const int *anchored = NULL;
  const scalar *share = NULL;
  status = status != CQ_OK ? status
                           : give(b, OF_ENGINE, &lines, host.lines, (size_t)host.n_lines, "cables");
  status = status != CQ_OK ? status : give(b, OF_ENGINE, &anchored, host.particle, n, "anchors");
  status = status != CQ_OK ? status : give(b, OF_ENGINE, &share, host.share, n, "shares");
  V(cq_cables_free)(c->ctx, &host);
  CQ_TRY(status);
  to->lines = (cable_line *)lines;
  to->particle = (int *)anchored;
  to->share = (scalar *)share;
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->x, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->impulse, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->dx, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->dimpulse, n));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->point, longest));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->force, longest));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->dpoint, longest));
  CQ_TRY(CQ_TAKE(b, OF_ENGINE, to->dforce, longest));
  return n > 0 ? CQ_TAKE(b, OF_ENGINE, c->w.pull, c->w.n_nodes) : CQ_OK;
}

static cq_status make_controller(cuda *c) {
  cq_controller k = c->model->controller;
  if (k.features != NULL) {
    CQ_TRY(give(&c->memory, OF_ENGINE, &k.features, k.features, (size_t)k.n_features, "features"));
  }
  if (k.middle != NULL) {
    CQ_TRY(give(&c->memory, OF_ENGINE, &k.middle, k.middle, (size_t)k.n_controls, "controls"));
  }
  if (k.strength != NULL) {
    CQ_TRY(give(&c->memory, OF_ENGINE, &k.strength, k.strength, (size_t)k.n_controls, "controls"));
  }
  return give(&c->memory, OF_ENGINE, &c->w.controller, &k, 1, "the controller");
}

/* What is observed at which state, and where it stands. */
static cq_status make_rows(cuda *c) {
  const cq_z_rows *rows = c->layout->rows;
  const size_t n_states = (size_t)c->model->steps + 1, n_classes = (size_t)rows->n_classes;
  buffers *b = &c->memory;
  world *w = &c->w;
  CQ_TRY(give(b, OF_ENGINE, &w->class_of, rows->class_of, n_states, "rows of z"));
  CQ_TRY(give(b, OF_ENGINE, &w->row, rows->begin, n_states + 1, "rows of z"));
  CQ_TRY(give(b, OF_ENGINE, &w->first_view, rows->first, n_classes + 1, "rows of z"));
  return give(b, OF_ENGINE, &w->views, rows->views, (size_t)rows->first[n_classes] + 1,
              "rows of z");
}

#endif
