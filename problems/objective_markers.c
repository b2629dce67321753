/* Samples of markers: each marker becomes a point of the bodies, found in the shape they start in,
 * and each sample what should be measured of it at a time. */
#include "objective.h"
#include "scene.h"
#include "status.h"
#include "tracks_read.h"

#include <math.h>
#include <string.h>

/* a marker may be as far from the nearest particle, in lengths of the model */
static const double far_cells = 1.0;

/* A marker that has samples to compare with, in the order of their ids. */
typedef struct bound {
  double id;
  double place[3]; /* where it hangs on the body at rest */
  cq_marker marker;
} bound;

typedef struct binding {
  cq_tracks tracks;
  const cq_set *of;
  int first;        /* sample that is later than rest */
  int n, n_at_rest; /* markers; those that have a sample at rest to compare with, too */
  bound *bound;     /* [n] */
} binding;

/* The set of a particle among the term's; a new one is added. */
static cq_status add_set(binding *b, int particle, int *index) {
  cq_term *term = b->tracks.term;
  int observed = 0;
  CQ_TRY(cq_scene_particle_group(b->tracks.scene, particle, &observed));
  for (*index = 0; *index < term->n_sets; (*index)++) {
    if (term->sets[*index] == observed) {
      return CQ_OK;
    }
  }
  term->sets[term->n_sets++] = observed;
  return CQ_OK;
}

/* Hangs a marker on the particles around its place at rest. */
static cq_status bind(binding *b, bound *m) {
  const cq_tracks *t = &b->tracks;
  cq_scene *scene = t->scene;
  const bool slides = t->term->calibration.of[CQ_CALIBRATES_MARKERS];
  const int dim = scene->config.dim;
  int particles[CQ_MOST_CARRIERS], *set = NULL;
  double shares[CQ_MOST_CARRIERS], slopes[CQ_MOST_CARRIERS * 3], *share = NULL, *slope = NULL;
  double distance = 0.0;
  const int n = slides
                    ? cq_bind_sliding(scene, b->of, m->place, particles, shares, slopes, &distance)
                    : cq_bind(scene, b->of, m->place, particles, shares, &distance);
  if (distance > far_cells * scene->model.length) {
    return cq_tracks_bad(
        t, cq_tracks_place_key(t),
        "marker %g is %.3g m from the nearest particle of \"%s\" at rest (time %g): scale or "
        "move the tracks, or set rest_time",
        m->id, distance, b->of->name, t->rest);
  }
  if (n == 0) {
    return cq_tracks_bad(t, cq_tracks_place_key(t),
                         "marker %g is on particles of a line, which do not say how its place "
                         "changes; take it out of marker_offset",
                         m->id);
  }
  CQ_TRY(CQ_ARENA(&scene->arena, set, n));
  CQ_TRY(CQ_ARENA(&scene->arena, share, n));
  CQ_TRY(CQ_ARENA(&scene->arena, slope, n * dim));
  memcpy(share, shares, (size_t)n * sizeof *share);
  if (slides) {
    memcpy(slope, slopes, (size_t)(n * dim) * sizeof *slope);
  }
  for (int i = 0; i < n; i++) {
    CQ_TRY(add_set(b, particles[i], &set[i]));
  }
  m->marker = (cq_marker){.n = n, .set = set, .share = share, .slope = slope, .offset = -1};
  return CQ_OK;
}

/* Where a marker hangs: at its place of rest_positions, or at the mean of all its samples up to
 * rest, so that the noise of one does not tie it to another point of the body. */
static cq_status find_place(const cq_tracks *t, bound *m) {
  double mean[3] = {0};
  if (t->places.rows > 0) {
    return cq_tracks_place(t, m->id, m->place);
  }
  if (cq_tracks_rest(t, m->id, false, mean) == 0.0) {
    return cq_tracks_bad(
        t, cq_tracks_key(t),
        "marker %g has no sample up to rest (time %g), where it is bound to the body; see "
        "rest_time, or give rest_positions",
        m->id, t->rest);
  }
  memcpy(m->place, mean, sizeof mean);
  return CQ_OK;
}

/* The markers that have a sample later than rest. */
static cq_status list_markers(binding *b) {
  const cq_tracks *t = &b->tracks;
  CQ_TRY(CQ_ARENA(&t->scene->arena, b->bound, t->n - b->first));
  for (int i = b->first; i < t->n; i++) {
    const double id = cq_tracks_sample(t, i)[CQ_TRACKS_ID];
    int at = b->n;
    while (at > 0 && b->bound[at - 1].id >= id) {
      at--;
    }
    if (at < b->n && b->bound[at].id == id) {
      continue;
    }
    memmove(&b->bound[at + 1], &b->bound[at], (size_t)(b->n - at) * sizeof *b->bound);
    b->bound[at] = (bound){.id = id};
    b->n++;
  }
  return CQ_OK;
}

static const bound *find_bound(const binding *b, double id) {
  int low = 0, high = b->n - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (b->bound[middle].id < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return &b->bound[low];
}

static cq_status bind_all(binding *b) {
  const size_t room = (size_t)b->n * CQ_MOST_CARRIERS;
  CQ_TRY(CQ_ARENA(&b->tracks.scene->arena, b->tracks.term->sets, room));
  for (int i = 0; i < b->n; i++) {
    CQ_TRY(find_place(&b->tracks, &b->bound[i]));
    CQ_TRY(bind(b, &b->bound[i]));
    b->bound[i].marker.id = b->bound[i].id;
  }
  return CQ_OK;
}

/* Where the term's numbers begin among those of the objective, and each kind in them. */
static cq_status lay_out_calibration(binding *b) {
  cq_scene *scene = b->tracks.scene;
  cq_calibration *c = &b->tracks.term->calibration;
  const int dim = scene->config.dim;
  const int numbers[CQ_N_CALIBRATES] = {1, dim == 2 ? 1 : 3, dim, dim * b->n};
  double *ids = NULL;
  CQ_TRY(CQ_ARENA(&scene->arena, ids, b->n));
  for (int i = 0; i < b->n; i++) {
    ids[i] = b->bound[i].id;
  }
  c->n_ids = b->n;
  c->ids = ids;
  c->first = scene->objective.n_calibration;
  for (int kind = 0; kind < CQ_N_CALIBRATES; kind++) {
    c->at[kind] = c->count;
    c->count += c->of[kind] ? numbers[kind] : 0;
  }
  scene->objective.n_calibration += c->count;
  for (int i = 0; i < b->n && c->of[CQ_CALIBRATES_MARKERS]; i++) {
    b->bound[i].marker.offset = c->at[CQ_CALIBRATES_MARKERS] + i * dim;
  }
  return CQ_OK;
}

/* What is between the markers and the samples. What is behind the camera was not seen by it. */
static cq_status take_sight(binding *b) {
  const cq_tracks *t = &b->tracks;
  cq_term *term = t->term;
  const cq_calibration *c = &term->calibration;
  const double *P = t->camera;
  const bool turns = c->of[CQ_CALIBRATES_TURN], shifts = c->of[CQ_CALIBRATES_SHIFT];
  term->is_seen = P != NULL || turns || shifts;
  term->sight = (cq_sight){.camera = P,
                           .turn = turns ? c->at[CQ_CALIBRATES_TURN] : -1,
                           .shift = shifts ? c->at[CQ_CALIBRATES_SHIFT] : -1};
  for (int i = 0; i < b->n; i++) {
    const double *x = b->bound[i].place;
    for (int a = 0; a < 3; a++) {
      term->sight.about[a] += x[a] / b->n;
    }
    const double depth = P != NULL ? P[8] * x[0] + P[9] * x[1] + P[10] * x[2] + P[11] : 1.0;
    if (!(depth > 0.0)) {
      return cq_tracks_bad(t, "camera",
                           "marker %g is behind the camera at rest: the third row of the matrix "
                           "gives %.3g, and must give > 0 for what is seen; turn the signs of all "
                           "its numbers, or look at the axes",
                           b->bound[i].id, depth);
    }
  }
  return CQ_OK;
}

/* A sample at rest becomes a marker at the start: the mean of those up to then, of their weight. */
static cq_status add_at_rest(binding *b, const bound *m, cq_marker *marker) {
  const cq_tracks *t = &b->tracks;
  double *mean = NULL;
  CQ_TRY(CQ_ARENA(&t->scene->arena, mean, 3));
  const double weight = cq_tracks_rest(t, m->id, true, mean);
  if (weight > 0.0) {
    *marker = m->marker;
    marker->target = mean;
    marker->weight = weight;
    b->n_at_rest++;
  }
  return CQ_OK;
}

/* The run has to be there at the time of a sample, wherever its offset is. */
static cq_status check_time(const binding *b, const double *s) {
  const cq_tracks *t = &b->tracks;
  const cq_calibration *c = &t->term->calibration;
  const double end = t->scene->model.dt * t->scene->model.steps, slack = 1e-9;
  const double time = s[CQ_TRACKS_TIME] - t->rest, first = cq_tracks_sample(t, b->first)[0];
  if (first - t->rest > end * (1.0 + slack)) {
    return cq_tracks_bad(t, cq_tracks_key(t),
                         "no sample is within the run, which ends %g s from rest (%g): the first "
                         "one after rest is at %g",
                         end, t->rest, first);
  }
  if (time > end * (1.0 + slack)) {
    return cq_tracks_bad(t, cq_tracks_key(t),
                         "a sample at %g is after the end of the run, %g s from rest (%g)",
                         s[CQ_TRACKS_TIME], end, t->rest);
  }
  if (c->of[CQ_CALIBRATES_TIME] &&
      (time + c->earliest < -end * slack || time + c->latest > end * (1.0 + slack))) {
    return cq_tracks_bad(t, cq_tracks_key(t),
                         "a sample at %g would be outside of the run, %g s from rest (%g), for a "
                         "time_offset within its bounds",
                         s[CQ_TRACKS_TIME], end, t->rest);
  }
  return CQ_OK;
}

/* An instant for the start, if anything is compared with there, and for each time. */
static cq_status add_instants(binding *b) {
  const cq_tracks *t = &b->tracks;
  cq_term *term = t->term;
  const int n = b->n_at_rest + t->n - b->first;
  double sum = 0.0;
  CQ_TRY(CQ_ARENA(&t->scene->arena, term->instants, n));
  if (b->n_at_rest > 0) {
    term->instants[term->n_instants] = cq_instant_at(0.0, t->scene->model.dt);
    term->instants[term->n_instants].fixed = true;
    term->instants[term->n_instants++].n_markers = b->n_at_rest;
  }
  for (int i = b->first; i < t->n; i++) {
    const double time = cq_tracks_sample(t, i)[CQ_TRACKS_TIME];
    if (i == b->first || time > cq_tracks_sample(t, i - 1)[CQ_TRACKS_TIME]) {
      cq_instant *at = &term->instants[term->n_instants++];
      *at = cq_instant_at(time - t->rest, t->scene->model.dt);
      at->first_marker = b->n_at_rest + i - b->first;
    }
    term->instants[term->n_instants - 1].n_markers++;
  }
  for (int i = 0; i < n; i++) {
    sum += term->markers[i].weight;
  }
  if (!(sum > 0.0)) {
    return cq_tracks_bad(t, cq_tracks_key(t), "all weights are zero");
  }
  const bool is_mean = isnan(t->keys->deviation); /* else chi-square, a sum */
  for (int i = 0; i < n && is_mean; i++) {
    term->markers[i].weight /= sum;
  }
  return CQ_OK;
}

/* A marker for each sample; those of one id hang on the same particles. */
static cq_status add_samples(binding *b) {
  const cq_tracks *t = &b->tracks;
  cq_term *term = t->term;
  const bool compares = t->places.rows > 0 || term->calibration.of[CQ_CALIBRATES_MARKERS];
  CQ_TRY(CQ_ARENA(&t->scene->arena, term->markers, b->n + t->n - b->first));
  for (int i = 0; i < b->n && compares; i++) {
    CQ_TRY(add_at_rest(b, &b->bound[i], &term->markers[b->n_at_rest]));
  }
  for (int i = b->first; i < t->n; i++) {
    const double *s = cq_tracks_sample(t, i);
    cq_marker *marker = &term->markers[b->n_at_rest + i - b->first];
    CQ_TRY(check_time(b, s));
    *marker = find_bound(b, s[CQ_TRACKS_ID])->marker;
    marker->target = s + CQ_TRACKS_PLACE;
    marker->weight = s[CQ_TRACKS_PLACE + t->numbers];
  }
  return add_instants(b);
}

/* What a block of the design has of the term. A time that moves looks at velocities, too. */
static cq_status take_calibration(cq_scene *scene, cq_term *term) {
  cq_calibration *c = &term->calibration;
  for (int kind = 0; kind < CQ_N_CALIBRATES; kind++) {
    const cq_block_keys *keys = cq_term_calibrated(scene, term, (cq_calibrates)kind);
    c->of[kind] = keys != NULL;
    if (keys != NULL && kind == CQ_CALIBRATES_TIME) {
      CQ_KEY_CHECK(scene->ctx, keys->lower.count == 1 && keys->upper.count == 1, keys, variable,
                   "needs lower and upper, which say what part of the run samples may be of");
      c->earliest = keys->lower.values[0];
      c->latest = keys->upper.values[0];
      const int dim = scene->config.dim;
      term->columns[term->n_columns++] = (cq_column){CQ_Q_VELOCITY, dim, dim};
    }
    const bool frame = kind == CQ_CALIBRATES_TURN || kind == CQ_CALIBRATES_SHIFT;
    const cq_term_marker_distance *own = &term->keys->own.marker_distance;
    CQ_KEY_CHECK(scene->ctx,
                 keys == NULL || !frame || own->rest_positions != NULL || own->rest_places.rows > 0,
                 keys, variable,
                 "needs rest_positions of the term: samples at rest are in the frame that is "
                 "looked for");
  }
  return CQ_OK;
}

/* Samples up to rest say where markers hang, unless something else does; the later ones are
 * compared with. */
cq_status cq_term_read_markers(cq_scene *scene, cq_term *term) {
  binding b = {.first = 0};
  CQ_TRY(cq_scene_find_set(scene, term->keys->node, "body", term->keys->body, &b.of));
  CQ_TRY(take_calibration(scene, term));
  CQ_TRY(cq_tracks_read(scene, term, &b.tracks));
  const cq_tracks *t = &b.tracks;
  while (b.first < t->n && cq_tracks_is_rest(t, cq_tracks_sample(t, b.first))) {
    b.first++;
  }
  if (b.first == t->n) {
    return cq_tracks_bad(t, "rest_time", "no sample is later");
  }
  CQ_TRY(list_markers(&b));
  CQ_TRY(check_time(&b, cq_tracks_sample(t, b.first)));
  CQ_TRY(bind_all(&b));
  CQ_TRY(lay_out_calibration(&b));
  CQ_TRY(take_sight(&b));
  return add_samples(&b);
}
