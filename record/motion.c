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
  CQ_TRY(CQ_ALLOC(m->ctx, def->movers, def->n_movers));
  return CQ_ALLOC(m->ctx, def->points, def->n_points);
}

/* Counts and box alone are copied: def may hold the arrays of another motion, which keeps them. */
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
                           .n_controls = def->n_controls,
                           .n_movers = def->n_movers};
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

static void free_take(const cq_motion *m, cq_motion_take *take) {
  void *const own[] = {take->time,     take->fixed, take->points, take->sampled,
                       take->controls, take->x,     take->fields, take->maps};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    cq_free(m->ctx, own[i]);
  }
  *take = (cq_motion_take){.n_frames = 0};
}

/* Also frees a motion that was only half made: what it never got is NULL. */
void cq_motion_free(cq_motion *m) {
  if (m == NULL) {
    return;
  }
  const cq_motion_def *const def = &m->def;
  void *const shared[] = {def->particle, def->body,     def->bodies, def->fields,
                          def->fixed,    def->controls, def->points, def->movers};
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    cq_free(m->ctx, shared[i]);
  }
  for (int t = 0; t < CQ_MOTION_TAKES; t++) {
    free_take(m, &m->takes[t]);
  }
  cq_cover_free(m->ctx, &m->cover);
  cq_free(m->ctx, m);
}

static cq_status make_take(const cq_motion *m, int frames, int samples, cq_motion_take *take) {
  const cq_motion_def *const def = &m->def;
  const size_t n = (size_t)def->n_kept, dim = (size_t)def->dimension, t = (size_t)frames;
  CQ_TRY(CQ_ALLOC(m->ctx, take->time, frames));
  CQ_TRY(CQ_ALLOC(m->ctx, take->fixed, (size_t)def->n_fixed * n));
  CQ_TRY(CQ_ALLOC(m->ctx, take->points, t * (size_t)def->n_points * dim));
  CQ_TRY(CQ_ALLOC(m->ctx, take->sampled, samples));
  CQ_TRY(CQ_ALLOC(m->ctx, take->controls, (size_t)samples * (size_t)def->n_controls));
  CQ_TRY(CQ_ALLOC(m->ctx, take->x, t * n * dim));
  CQ_TRY(CQ_ALLOC(m->ctx, take->maps, t * (size_t)def->n_movers * CQ_MAP));
  return CQ_ALLOC(m->ctx, take->fields, t * (size_t)def->n_fields * n);
}

cq_status cq_motion_add(cq_motion *m, int frames, int samples, cq_motion_take **out) {
  *out = NULL;
  CQ_CHECK(m->ctx, m->n_takes < CQ_MOTION_TAKES, CQ_USAGE, "too many motions in one file");
  cq_motion_take *const take = &m->takes[m->n_takes];
  const cq_status status = make_take(m, frames, samples, take);
  if (status != CQ_OK) { /* what is not whole is not there: others may be written without it */
    free_take(m, take);
    return status;
  }
  m->n_takes++;
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

const double *cq_motion_map(const cq_motion *m, int take, int frame, const char *name) {
  const size_t n = (size_t)m->def.n_movers;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(m->def.movers[i], name) == 0) {
      return m->takes[take].maps + ((size_t)frame * n + i) * CQ_MAP;
    }
  }
  return NULL;
}

cq_status cq_motion_cover(const cq_motion *m, int take, int frame, double *out) {
  const size_t numbers = (size_t)m->def.n_kept * (size_t)m->def.dimension;
  const float *const from = m->takes[take].x + (size_t)frame * numbers;
  double *x = NULL;
  CQ_TRY(CQ_ALLOC(m->ctx, x, numbers));
  for (size_t i = 0; i < numbers; i++) {
    x[i] = (double)from[i];
  }
  cq_cover_place(&m->cover, x, m->def.dimension, out);
  cq_free(m->ctx, x);
  return CQ_OK;
}

void cq_motion_covered(const cq_motion *m, bool *covered) {
  memset(covered, 0, (size_t)m->def.n_bodies * sizeof *covered);
  for (int v = 0; v < m->cover.n_vertices; v++) {
    covered[m->def.body[m->cover.carriers[(size_t)v * CQ_COVER_CARRIERS]]] = true;
  }
}

double cq_motion_strain(const double *F, int dim) {
  double squares = 0.0;
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j < dim; j++) {
      double sum = i == j ? -1.0 : 0.0;
      for (int k = 0; k < dim; k++) {
        sum += F[k * dim + i] * F[k * dim + j];
      }
      squares += 0.25 * sum * sum;
    }
  }
  return sqrt(squares);
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
                       def->n_points + CQ_MOTION_TAKES + def->n_movers;
  const double frame = 8.0 + 4.0 * def->dimension * def->n_points + 8.0 * CQ_MAP * def->n_movers;
  const double take = 128.0 + frames * frame + samples * (8.0 + 4.0 * def->n_controls);
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

/* Numbers of `kept` particles of lists that are [rows][n][width]. */
static void pick(float *to, const float *from, size_t rows, size_t n, size_t width, const int *kept,
                 size_t count) {
  for (size_t r = 0; r < rows; r++) {
    for (size_t k = 0; k < count; k++) {
      memcpy(to, from + (r * n + (size_t)kept[k]) * width, width * sizeof *to);
      to += width;
    }
  }
}

/* A take with the particles `kept` alone; what belongs to no particle is copied whole. */
static cq_status copy_take(const cq_motion *from, const cq_motion_take *take, const int *kept,
                           cq_motion *to) {
  const cq_motion_def *const def = &from->def;
  const size_t n = (size_t)def->n_kept, count = (size_t)to->def.n_kept;
  const size_t frames = (size_t)take->n_frames, samples = (size_t)take->n_samples;
  const size_t dim = (size_t)def->dimension;
  cq_motion_take *out = NULL;
  CQ_TRY(cq_motion_add(to, take->n_frames, take->n_samples, &out));
  out->n_frames = take->n_frames;
  out->n_samples = take->n_samples;
  memcpy(out->note, take->note, sizeof out->note);
  memcpy(out->time, take->time, frames * sizeof *out->time);
  memcpy(out->points, take->points, frames * (size_t)def->n_points * dim * sizeof *out->points);
  memcpy(out->sampled, take->sampled, samples * sizeof *out->sampled);
  memcpy(out->controls, take->controls, samples * (size_t)def->n_controls * sizeof *out->controls);
  memcpy(out->maps, take->maps, frames * (size_t)def->n_movers * CQ_MAP * sizeof *out->maps);
  pick(out->fixed, take->fixed, (size_t)def->n_fixed, n, 1, kept, count);
  pick(out->x, take->x, frames, n, dim, kept, count);
  pick(out->fields, take->fields, frames * (size_t)def->n_fields, n, 1, kept, count);
  return CQ_OK;
}

/* The surface by the particles that are left, if all of its carriers are. */
static cq_status copy_cover(const cq_motion *from, const int *kept, cq_motion *to) {
  const size_t carriers = (size_t)from->cover.n_vertices * CQ_COVER_CARRIERS;
  int *place = NULL; /* where each went; -1: nowhere */
  bool all = true;
  CQ_TRY(CQ_ALLOC(from->ctx, place, from->def.n_kept));
  memset(place, 0xff, (size_t)from->def.n_kept * sizeof *place);
  for (int k = 0; k < to->def.n_kept; k++) {
    place[kept[k]] = k;
  }
  const cq_status status = cq_cover_copy(to->ctx, &from->cover, &to->cover);
  for (size_t i = 0; i < carriers && status == CQ_OK; i++) {
    to->cover.carriers[i] = place[from->cover.carriers[i]];
    all = all && to->cover.carriers[i] >= 0;
  }
  if (!all) {
    cq_cover_free(to->ctx, &to->cover);
  }
  cq_free(from->ctx, place);
  return status;
}

/* Fills a motion of fewer particles from one take: names, labels, surface, then the numbers. */
static cq_status copy_some(const cq_motion *from, int take, const int *kept, cq_motion *to) {
  const cq_motion_def *const def = &from->def;
  cq_motion_def *const out = &to->def;
  for (int k = 0; k < out->n_kept; k++) {
    out->particle[k] = def->particle[kept[k]];
    out->body[k] = def->body[kept[k]];
  }
  memcpy(out->bodies, def->bodies, (size_t)def->n_bodies * sizeof *out->bodies);
  memcpy(out->fields, def->fields, (size_t)def->n_fields * sizeof *out->fields);
  memcpy(out->fixed, def->fixed, (size_t)def->n_fixed * sizeof *out->fixed);
  memcpy(out->controls, def->controls, (size_t)def->n_controls * sizeof *out->controls);
  memcpy(out->points, def->points, (size_t)def->n_points * sizeof *out->points);
  memcpy(out->movers, def->movers, (size_t)def->n_movers * sizeof *out->movers);
  for (int i = 0; i < from->n_labels; i++) {
    if (from->labelled[i] == take) {
      cq_motion_label(to, from->labels[i], 0);
    }
  }
  if (from->cover.n_faces > 0) {
    CQ_TRY(copy_cover(from, kept, to));
  }
  return copy_take(from, &from->takes[take], kept, to);
}

/* What the surface takes is set aside first: the rest of the bytes says how many particles fit. */
cq_status cq_motion_reduce(const cq_motion *from, int take, double bytes, cq_motion **out) {
  cq_ctx *const ctx = from->ctx;
  const cq_motion_take *const t = &from->takes[take];
  const int n = from->def.n_kept;
  cq_motion_def def = from->def;
  int *kept = NULL;
  unsigned char *marked = NULL;
  *out = NULL;
  CQ_TRY(CQ_ALLOC(ctx, kept, n));
  cq_status status = CQ_ALLOC(ctx, marked, n);
  if (status == CQ_OK) {
    const double rest = bytes - cq_cover_bytes(&from->cover);
    for (size_t i = 0; i < (size_t)from->cover.n_vertices * CQ_COVER_CARRIERS; i++) {
      marked[from->cover.carriers[i]] = 1;
    }
    const int room = cq_motion_room(&def, 1, t->n_frames, t->n_samples, rest);
    def.n_kept = cq_motion_choose(n, from->def.body, marked, room, kept);
    status = cq_motion_create(ctx, &def, out);
  }
  status = status == CQ_OK ? copy_some(from, take, kept, *out) : status;
  cq_free(ctx, marked);
  cq_free(ctx, kept);
  if (status != CQ_OK) {
    cq_motion_free(*out);
    *out = NULL;
  }
  return status;
}
