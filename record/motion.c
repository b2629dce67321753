#include "motion.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cq_status make_room(cq_motion *m) {
  cq_motion_def *const def = &m->def;
  CQ_TRY(CQ_ALLOC(m->ctx, def->particle, def->n_kept));
  CQ_TRY(CQ_ALLOC(m->ctx, def->body, def->n_kept));
  CQ_TRY(CQ_ALLOC(m->ctx, def->bodies, def->n_bodies));
  CQ_TRY(CQ_ALLOC(m->ctx, def->fields, def->n_fields));
  CQ_TRY(CQ_ALLOC(m->ctx, def->fixed, def->n_fixed));
  CQ_TRY(CQ_ALLOC(m->ctx, def->controls, def->n_controls));
  return CQ_ALLOC(m->ctx, def->points, def->n_points);
}

cq_status cq_motion_create(cq_ctx *ctx, const cq_motion_def *def, cq_motion **out) {
  cq_motion *m = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, m, 1));
  m->ctx = ctx;
  m->def = (cq_motion_def){.dimension = def->dimension,
                           .n_total = def->n_total,
                           .n_kept = def->n_kept,
                           .n_bodies = def->n_bodies,
                           .n_fields = def->n_fields,
                           .n_fixed = def->n_fixed,
                           .n_points = def->n_points,
                           .n_controls = def->n_controls};
  memcpy(m->def.low, def->low, sizeof def->low);
  memcpy(m->def.size, def->size, sizeof def->size);
  const cq_status status = make_room(m);
  if (status != CQ_OK) {
    cq_motion_free(m);
    return status;
  }
  *out = m;
  return CQ_OK;
}

void cq_motion_free(cq_motion *m) {
  if (m == NULL) {
    return;
  }
  const cq_motion_def *const def = &m->def;
  void *const shared[] = {def->particle, def->body,     def->bodies, def->fields,
                          def->fixed,    def->controls, def->points};
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    cq_free(m->ctx, shared[i]);
  }
  for (int t = 0; t < CQ_MOTION_TAKES; t++) {
    const cq_motion_take *const take = &m->takes[t];
    void *const own[] = {take->time,     take->fixed, take->points, take->sampled,
                         take->controls, take->x,     take->fields};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
      cq_free(m->ctx, own[i]);
    }
  }
  cq_free(m->ctx, m);
}

cq_status cq_motion_add(cq_motion *m, int frames, int samples, cq_motion_take **out) {
  const cq_motion_def *const def = &m->def;
  const size_t n = (size_t)def->n_kept, dim = (size_t)def->dimension, t = (size_t)frames;
  *out = NULL;
  CQ_CHECK(m->ctx, m->n_takes < CQ_MOTION_TAKES, CQ_USAGE, "too many motions in one file");
  cq_motion_take *const take = &m->takes[m->n_takes++];
  CQ_TRY(CQ_ALLOC(m->ctx, take->time, frames));
  CQ_TRY(CQ_ALLOC(m->ctx, take->fixed, (size_t)def->n_fixed * n));
  CQ_TRY(CQ_ALLOC(m->ctx, take->points, t * (size_t)def->n_points * dim));
  CQ_TRY(CQ_ALLOC(m->ctx, take->sampled, samples));
  CQ_TRY(CQ_ALLOC(m->ctx, take->controls, (size_t)samples * (size_t)def->n_controls));
  CQ_TRY(CQ_ALLOC(m->ctx, take->x, t * n * dim));
  CQ_TRY(CQ_ALLOC(m->ctx, take->fields, t * (size_t)def->n_fields * n));
  *out = take;
  return CQ_OK;
}

void cq_motion_label(cq_motion *m, const char *label, int take) {
  if (m->n_labels < CQ_MOTION_TAKES) {
    m->labelled[m->n_labels] = take;
    snprintf(m->labels[m->n_labels++], CQ_MOTION_TEXT, "%s", label);
  }
}

int cq_motion_find(const cq_motion *m, const char *label) {
  for (int i = 0; i < m->n_labels; i++) {
    if (strcmp(m->labels[i], label) == 0) {
      return m->labelled[i];
    }
  }
  return -1;
}

/* --- how many particles, and which --- */

/* bytes that a particle takes in so many takes */
static double per_particle(const cq_motion_def *def, int takes, int frames) {
  const double moving = 2.0 * def->dimension + def->n_fields;
  return 8.0 + takes * (4.0 * def->n_fixed + frames * moving);
}

double cq_motion_bytes(const cq_motion_def *def, int takes, int frames, int samples) {
  enum { HEAD = 1024 }; /* with the padding of sections */
  const double texts = def->n_bodies + 2.0 * (def->n_fields + def->n_fixed + def->n_controls) +
                       def->n_points + CQ_MOTION_TAKES;
  const double take = 128.0 + frames * (8.0 + 4.0 * def->dimension * def->n_points) +
                      samples * (8.0 + 4.0 * def->n_controls);
  return HEAD + texts * CQ_MOTION_TEXT + takes * take +
         def->n_kept * per_particle(def, takes, frames);
}

int cq_motion_room(const cq_motion_def *def, int takes, int frames, int samples, double bytes) {
  cq_motion_def none = *def;
  none.n_kept = 0;
  const double left = bytes - cq_motion_bytes(&none, takes, frames, samples);
  const double room = left / per_particle(def, takes, frames);
  return room < 1.0 ? 1 : (room < def->n_total ? (int)room : def->n_total);
}

/* A number in [0, 1) that looks random for each k: particles stand in rows, and what is kept of
 * them must not. */
static double scatter(int k) {
  uint32_t h = (uint32_t)k * 2654435761u;
  h = (h ^ (h >> 15)) * 2246822519u;
  return (double)(h ^ (h >> 13)) / 4294967296.0;
}

int cq_motion_choose(int n, const int *body, const unsigned char *marked, int room, int *kept) {
  int count = 0, n_marked = 0;
  for (int p = 0; p < n; p++) {
    n_marked += marked[p] != 0;
  }
  const int others = n - n_marked, left = room > n_marked ? room - n_marked : 0;
  const double share = left < others ? (double)left / others : 1.0;
  double due = 0.0; /* of the bodies so far: rounded as a sum, so that all of them fit */
  for (int begin = 0, end = 0; begin < n; begin = end) {
    int unmarked = 0;
    while (end < n && body[end] == body[begin]) {
      unmarked += marked[end++] == 0;
    }
    const double before = floor(due + 1e-9);
    due += share * unmarked;
    const int wanted = (int)(floor(due + 1e-9) - before);
    /* one in each of `wanted` equal parts */
    for (int p = begin, seen = 0, k = 0; p < end && count < room; p++) {
      const bool chosen =
          marked[p] == 0 && k < wanted && seen >= (int)((k + scatter(k)) * unmarked / wanted);
      k += chosen;
      seen += marked[p] == 0;
      if (chosen || marked[p] != 0) {
        kept[count++] = p;
      }
    }
  }
  return count;
}
