/* motion.bin, written and read by one walk over its sections. */
#include "alloc.h"
#include "fresh.h"
#include "motion.h"
#include "open.h"
#include "status.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char magic[8] = {'c', 'q', 'm', 'o', 't', 'i', 'o', 'n'};
enum { BYTE_ORDER_MARK = 0x01020304, COUNTS = 12, TEXT_ROOM = CQ_MOTION_TEXT };

/* A file that is written or read, and what went wrong with it first. */
typedef struct stream {
  FILE *file;
  bool writing, bad;
} stream;

/* One section: so many bytes (none: there need be no data), then zeros up to a multiple of 8. */
static void section(stream *s, void *data, size_t bytes) {
  char padding[8] = {0};
  const size_t rest = (8 - bytes % 8) % 8;
  const size_t got = s->bad || bytes == 0 ? 0
                     : s->writing         ? fwrite(data, 1, bytes, s->file)
                                          : fread(data, 1, bytes, s->file);
  s->bad = s->bad || got != bytes;
  const size_t more = s->bad       ? 0
                      : s->writing ? fwrite(padding, 1, rest, s->file)
                                   : fread(padding, 1, rest, s->file);
  s->bad = s->bad || more != rest;
}

/* --- what is the same in every take --- */

static void shared_sections(stream *s, cq_motion *m) {
  cq_motion_def *const def = &m->def;
  section(s, def->bodies, (size_t)def->n_bodies * TEXT_ROOM);
  section(s, def->fields, (size_t)def->n_fields * 2 * TEXT_ROOM);
  section(s, def->fixed, (size_t)def->n_fixed * 2 * TEXT_ROOM);
  section(s, def->points, (size_t)def->n_points * TEXT_ROOM);
  section(s, def->controls, (size_t)def->n_controls * 2 * TEXT_ROOM);
  section(s, m->labels, (size_t)m->n_labels * TEXT_ROOM);
  section(s, m->labelled, (size_t)m->n_labels * sizeof *m->labelled);
  section(s, def->particle, (size_t)def->n_kept * sizeof *def->particle);
  section(s, def->body, (size_t)def->n_kept * sizeof *def->body);
}

/* --- numbers in few bits --- */

/* of one field, or one axis, in a take */
static size_t values(const cq_motion *m, const cq_motion_take *take) {
  return (size_t)take->n_frames * (size_t)m->def.n_kept;
}

static double clamp(double x) {
  return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; /* NAN is 0 */
}

/* Coordinates in 16 bits of the box, half of a float; what lies outside goes to its edge. */
static cq_status place_section(stream *s, cq_motion *m, cq_motion_take *take) {
  const cq_motion_def *const def = &m->def;
  const int dim = def->dimension;
  const size_t n = values(m, take) * (size_t)dim;
  uint16_t *bits = NULL;
  CQ_TRY(CQ_ALLOC(m->ctx, bits, n));
  for (size_t i = 0; i < n && s->writing; i++) {
    const size_t a = i % (size_t)dim;
    bits[i] = (uint16_t)lround(65535.0 * clamp((take->x[i] - def->low[a]) / def->size[a]));
  }
  section(s, bits, n * sizeof *bits);
  for (size_t i = 0; i < n && !s->writing; i++) {
    const size_t a = i % (size_t)dim;
    take->x[i] = (float)(def->low[a] + bits[i] / 65535.0 * def->size[a]);
  }
  cq_free(m->ctx, bits);
  return CQ_OK;
}

/* In the file a field follows another, in memory a frame does. */
static float *field_value(const cq_motion *m, const cq_motion_take *take, int field, size_t i) {
  const size_t n = (size_t)m->def.n_kept, frame = i / n;
  return &take->fields[(frame * (size_t)m->def.n_fields + (size_t)field) * n + i % n];
}

/* Fields in 8 bits of their range, which is that of all takes: equal colours mean equal values. */
static cq_status field_section(stream *s, cq_motion *m, cq_motion_take *take, const float *range) {
  const size_t n = values(m, take), all = n * (size_t)m->def.n_fields;
  uint8_t *bits = NULL;
  CQ_TRY(CQ_ALLOC(m->ctx, bits, all));
  for (size_t j = 0; j < all && s->writing; j++) {
    const float *const r = &range[2 * (j / n)];
    const double value = *field_value(m, take, (int)(j / n), j % n);
    bits[j] = (uint8_t)lround(255.0 * clamp((value - r[0]) / (r[1] - r[0])));
  }
  section(s, bits, all);
  for (size_t j = 0; j < all && !s->writing; j++) {
    const float *const r = &range[2 * (j / n)];
    *field_value(m, take, (int)(j / n), j % n) = r[0] + (float)bits[j] / 255.0F * (r[1] - r[0]);
  }
  cq_free(m->ctx, bits);
  return CQ_OK;
}

/* What a field goes from and to, over all takes; never a point. */
static void find_range(const cq_motion *m, int field, float *range) {
  float low = INFINITY, high = -INFINITY;
  for (int t = 0; t < m->n_takes; t++) {
    const size_t n = values(m, &m->takes[t]);
    for (size_t i = 0; i < n; i++) {
      const float value = *field_value(m, &m->takes[t], field, i);
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
  }
  const bool known = isfinite(low) && isfinite(high);
  range[0] = known ? low : 0.0F;
  range[1] = known && high > low ? high : range[0] + fmaxf(1.0F, fabsf(range[0]));
}

/* --- the whole file --- */

static void numbers_of(const cq_motion_def *def, const cq_motion_take *take, size_t size[5]) {
  const size_t n = (size_t)def->n_kept, frames = (size_t)take->n_frames;
  size[0] = frames * sizeof *take->time;
  size[1] = (size_t)def->n_fixed * n * sizeof *take->fixed;
  size[2] = frames * (size_t)def->n_points * (size_t)def->dimension * sizeof *take->points;
  size[3] = (size_t)take->n_samples * sizeof *take->sampled;
  size[4] = (size_t)take->n_samples * (size_t)def->n_controls * sizeof *take->controls;
}

static cq_status take_sections(stream *s, cq_motion *m, cq_motion_take *take, const float *range) {
  size_t size[5];
  numbers_of(&m->def, take, size);
  section(s, take->time, size[0]);
  section(s, take->fixed, size[1]);
  section(s, take->points, size[2]);
  section(s, take->sampled, size[3]);
  section(s, take->controls, size[4]);
  CQ_TRY(place_section(s, m, take));
  return field_section(s, m, take, range);
}

/* of a take, before its sections */
typedef struct take_head {
  uint32_t frames, samples;
  cq_motion_text note;
} take_head;

/* The ranges go first, as they are over all takes; then one take after the other. */
static cq_status write_takes(stream *s, cq_motion *m) {
  float *range = NULL;
  CQ_TRY(CQ_ALLOC(m->ctx, range, 2 * m->def.n_fields));
  for (int k = 0; k < m->def.n_fields; k++) {
    find_range(m, k, &range[2 * k]);
  }
  section(s, range, 2 * (size_t)m->def.n_fields * sizeof *range);
  cq_status status = CQ_OK;
  for (int t = 0; t < m->n_takes && status == CQ_OK; t++) {
    cq_motion_take *const take = &m->takes[t];
    take_head head = {(uint32_t)take->n_frames, (uint32_t)take->n_samples, ""};
    memcpy(head.note, take->note, sizeof head.note);
    section(s, &head, sizeof head);
    status = take_sections(s, m, take, range);
  }
  cq_free(m->ctx, range);
  return status;
}

/* --- the surface --- */

enum { COVER_COUNTS = 4 };

static void cover_sections(stream *s, cq_cover *cover) {
  const size_t carriers = (size_t)cover->n_vertices * CQ_COVER_CARRIERS;
  section(s, cover->faces, (size_t)cover->n_faces * (size_t)cover->dim * sizeof *cover->faces);
  section(s, cover->carriers, carriers * sizeof *cover->carriers);
  section(s, cover->weights, carriers * sizeof *cover->weights);
}

static void write_cover(stream *s, cq_cover *cover) {
  uint32_t counts[COVER_COUNTS] = {(uint32_t)cover->n_vertices, (uint32_t)cover->n_faces,
                                   CQ_COVER_CARRIERS, 0};
  section(s, counts, sizeof counts);
  cover_sections(s, cover);
}

/* --- what moves and has no particles --- */

enum { MOVER_COUNTS = 2 };

static void mover_sections(stream *s, cq_motion *m) {
  const size_t movers = (size_t)m->def.n_movers;
  section(s, m->def.movers, movers * TEXT_ROOM);
  for (int t = 0; t < m->n_takes; t++) {
    cq_motion_take *const take = &m->takes[t];
    section(s, take->maps, (size_t)take->n_frames * movers * CQ_MAP * sizeof *take->maps);
  }
}

static void write_movers(stream *s, cq_motion *m) {
  uint32_t counts[MOVER_COUNTS] = {(uint32_t)m->def.n_movers, 0};
  section(s, counts, sizeof counts);
  mover_sections(s, m);
}

static uint32_t version_of(const cq_motion *m) {
  return m->def.n_movers > 0 ? 3U : m->cover.n_faces > 0 ? 2U : 1U;
}

static cq_status write_all(stream *s, const cq_motion *motion) {
  cq_motion *const m = (cq_motion *)motion; /* is read alone */
  const cq_motion_def *const def = &m->def;
  char name[sizeof magic];
  memcpy(name, magic, sizeof name);
  uint32_t counts[COUNTS] = {version_of(m),
                             BYTE_ORDER_MARK,
                             (uint32_t)def->dimension,
                             (uint32_t)def->n_total,
                             (uint32_t)def->n_kept,
                             (uint32_t)def->n_bodies,
                             (uint32_t)def->n_fields,
                             (uint32_t)def->n_fixed,
                             (uint32_t)def->n_points,
                             (uint32_t)def->n_controls,
                             (uint32_t)m->n_takes,
                             (uint32_t)m->n_labels};
  section(s, name, sizeof name);
  section(s, counts, sizeof counts);
  section(s, m->def.low, sizeof def->low);
  section(s, m->def.size, sizeof def->size);
  shared_sections(s, m);
  CQ_TRY(write_takes(s, m));
  if (version_of(m) > 1) {
    write_cover(s, &m->cover);
  }
  if (version_of(m) > 2) {
    write_movers(s, m);
  }
  return CQ_OK;
}

cq_status cq_motion_put(const cq_motion *m, FILE *out) {
  stream s = {.file = out, .writing = true};
  return write_all(&s, m);
}

cq_status cq_motion_write(const cq_motion *m, const char *path) {
  cq_fresh fresh;
  CQ_TRY(cq_fresh_begin(m->ctx, path, &fresh));
  return cq_fresh_end(&fresh, cq_motion_put(m, fresh.out));
}

/* --- reading --- */

static cq_status damaged(cq_ctx *ctx, const char *path) {
  return CQ_FAIL(ctx, CQ_IO, "%s is damaged; remove it, and cqopt report makes it again", path);
}

static bool times_are_right(const cq_motion_take *take) {
  bool right = true;
  for (int k = 0; k < take->n_frames; k++) {
    right = right && isfinite(take->time[k]) && (k == 0 || take->time[k] >= take->time[k - 1]);
  }
  return right;
}

/* more than cq_motion_bytes may exceed the size of a file by */
enum { SLACK = 4096 };

/* Room is made before anything is read: a file of `size` bytes cannot ask for more than it holds.
 */
static cq_status read_take(stream *s, cq_motion *m, double size, const float *range,
                           const char *path) {
  take_head head;
  cq_motion_take *take = NULL;
  section(s, &head, sizeof head);
  if (s->bad || head.frames > size || head.frames > INT_MAX || head.samples > size ||
      head.samples > INT_MAX ||
      cq_motion_bytes(&m->def, 1, (int)head.frames, (int)head.samples) > size + SLACK) {
    return damaged(m->ctx, path);
  }
  CQ_TRY(cq_motion_add(m, (int)head.frames, (int)head.samples, &take));
  take->n_frames = (int)head.frames;
  take->n_samples = (int)head.samples;
  memcpy(take->note, head.note, sizeof take->note);
  take->note[sizeof take->note - 1] = '\0';
  CQ_TRY(take_sections(s, m, take, range));
  return s->bad || !times_are_right(take) ? damaged(m->ctx, path) : CQ_OK;
}

static void end_texts(cq_motion_text *texts, int n) {
  for (int i = 0; i < n; i++) {
    texts[i][CQ_MOTION_TEXT - 1] = '\0';
  }
}

static void end_names(cq_motion_field *fields, int n) {
  for (int i = 0; i < n; i++) {
    fields[i].name[CQ_MOTION_TEXT - 1] = '\0';
    fields[i].unit[CQ_MOTION_TEXT - 1] = '\0';
  }
}

/* Texts get their ends; what counts or names something must be in its range. */
static bool shared_is_right(cq_motion *m, int n_takes) {
  const cq_motion_def *const def = &m->def;
  bool right = true;
  end_texts(def->bodies, def->n_bodies);
  end_names(def->fields, def->n_fields);
  end_names(def->fixed, def->n_fixed);
  end_texts(def->points, def->n_points);
  end_names(def->controls, def->n_controls);
  end_texts(m->labels, m->n_labels);
  for (int i = 0; i < m->n_labels; i++) {
    right = right && m->labelled[i] >= 0 && m->labelled[i] < n_takes;
  }
  for (int p = 0; p < def->n_kept; p++) {
    const int before = p > 0 ? def->particle[p - 1] : -1;
    right = right && def->particle[p] > before && def->particle[p] < def->n_total &&
            def->body[p] >= 0 && def->body[p] < def->n_bodies;
  }
  for (int a = 0; a < def->dimension; a++) {
    const double most = FLT_MAX / 4;
    right = right && fabs(def->low[a]) < most && def->size[a] >= 0.0 && def->size[a] < most;
  }
  return right;
}

static cq_status read_cover(stream *s, cq_motion *m, double size, const char *path) {
  uint32_t counts[COVER_COUNTS] = {0};
  section(s, counts, sizeof counts);
  if (s->bad || counts[0] > size || counts[1] > size || counts[2] != CQ_COVER_CARRIERS ||
      8.0 * CQ_COVER_CARRIERS * counts[0] + 8.0 * counts[1] > size) {
    return damaged(m->ctx, path);
  }
  CQ_TRY(cq_cover_create(m->ctx, m->def.dimension, (int)counts[0], (int)counts[1], &m->cover));
  cover_sections(s, &m->cover);
  return s->bad || !cq_cover_is_right(&m->cover, m->def.n_kept) ? damaged(m->ctx, path) : CQ_OK;
}

/* Room as of read_take. */
static cq_status read_movers(stream *s, cq_motion *m, double size, const char *path) {
  uint32_t counts[MOVER_COUNTS] = {0};
  double frames = 0.0;
  section(s, counts, sizeof counts);
  for (int t = 0; t < m->n_takes; t++) {
    frames += m->takes[t].n_frames;
  }
  if (s->bad || counts[0] > size || (TEXT_ROOM + 8.0 * CQ_MAP * frames) * counts[0] > size) {
    return damaged(m->ctx, path);
  }
  m->def.n_movers = (int)counts[0];
  cq_free(m->ctx, m->def.movers); /* of none */
  m->def.movers = NULL;
  CQ_TRY(CQ_ALLOC(m->ctx, m->def.movers, counts[0]));
  for (int t = 0; t < m->n_takes; t++) {
    cq_motion_take *const take = &m->takes[t];
    cq_free(m->ctx, take->maps);
    take->maps = NULL;
    CQ_TRY(CQ_ALLOC(m->ctx, take->maps, (size_t)take->n_frames * counts[0] * CQ_MAP));
  }
  mover_sections(s, m);
  end_texts(m->def.movers, m->def.n_movers);
  bool right = !s->bad;
  for (int t = 0; t < m->n_takes; t++) {
    const cq_motion_take *const take = &m->takes[t];
    for (size_t i = 0; i < (size_t)take->n_frames * counts[0] * CQ_MAP; i++) {
      right = right && isfinite(take->maps[i]);
    }
  }
  return right ? CQ_OK : damaged(m->ctx, path);
}

/* All that follows the head. The parts that a file of an older version lacks stay empty. */
static cq_status read_rest(stream *s, cq_motion *m, int n_takes, uint32_t version, double size,
                           const char *path) {
  float *range = NULL;
  shared_sections(s, m);
  if (s->bad || !shared_is_right(m, n_takes)) {
    return damaged(m->ctx, path);
  }
  CQ_TRY(CQ_ALLOC(m->ctx, range, 2 * m->def.n_fields));
  section(s, range, 2 * (size_t)m->def.n_fields * sizeof *range);
  cq_status status = CQ_OK;
  for (int t = 0; t < n_takes && status == CQ_OK; t++) {
    status = read_take(s, m, size, range, path);
  }
  cq_free(m->ctx, range);
  if (status == CQ_OK && version > 1) {
    CQ_TRY(read_cover(s, m, size, path));
  }
  if (status == CQ_OK && version > 2) {
    CQ_TRY(read_movers(s, m, size, path));
  }
  return status == CQ_OK && s->bad ? damaged(m->ctx, path) : status;
}

/* The head is checked against the size of the file before room is made for what it announces. */
static cq_status read_all(stream *s, cq_ctx *ctx, const char *path, cq_motion **out) {
  char name[sizeof magic] = "";
  uint32_t counts[COUNTS] = {0};
  cq_motion_def def = {.dimension = 0};
  fseek(s->file, 0, SEEK_END);
  const double size = (double)ftell(s->file);
  rewind(s->file);
  section(s, name, sizeof name);
  CQ_CHECK(ctx, !s->bad && memcmp(name, magic, sizeof magic) == 0, CQ_IO,
           "%s is not a motion of cqopt (motion.bin)", path);
  section(s, counts, sizeof counts);
  section(s, def.low, sizeof def.low);
  section(s, def.size, sizeof def.size);
  CQ_CHECK(ctx, counts[0] >= 1 && counts[0] <= CQ_MOTION_VERSION && counts[1] == BYTE_ORDER_MARK,
           CQ_IO, "%s is of another version or machine; remove it, and cqopt report makes it again",
           path);
  bool sane = !s->bad && (counts[2] == 2 || counts[2] == 3) && counts[10] <= CQ_MOTION_TAKES &&
              counts[11] <= CQ_MOTION_TAKES && counts[3] <= INT_MAX;
  for (int i = 4; i < COUNTS; i++) {
    sane = sane && counts[i] <= size && counts[i] <= INT_MAX;
  }
  if (!sane) {
    return damaged(ctx, path);
  }
  def.dimension = (int)counts[2];
  def.n_total = (int)counts[3];
  def.n_kept = (int)counts[4];
  def.n_bodies = (int)counts[5];
  def.n_fields = (int)counts[6];
  def.n_fixed = (int)counts[7];
  def.n_points = (int)counts[8];
  def.n_controls = (int)counts[9];
  if (cq_motion_bytes(&def, 0, 0, 0) > size + SLACK) {
    return damaged(ctx, path);
  }
  CQ_TRY(cq_motion_create(ctx, &def, out));
  (*out)->n_labels = (int)counts[11];
  return read_rest(s, *out, (int)counts[10], counts[0], size, path);
}

cq_status cq_motion_read(cq_ctx *ctx, const char *path, cq_motion **out) {
  *out = NULL;
  stream s = {.file = cq_open_read(path)};
  CQ_CHECK(ctx, s.file != NULL, CQ_IO, "%s: %s", path, strerror(errno));
  const cq_status status = read_all(&s, ctx, path, out);
  fclose(s.file);
  if (status != CQ_OK) {
    cq_motion_free(*out);
    *out = NULL;
  }
  return status;
}
