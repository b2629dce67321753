/* What a file says of markers: samples, where they are at rest, and by what camera they are seen.
 */
#ifndef CQ_PROBLEMS_TRACKS_READ_H
#define CQ_PROBLEMS_TRACKS_READ_H

#include "objective.h"

/* columns of a sample; then come its numbers and the weight */
enum { CQ_TRACKS_TIME, CQ_TRACKS_ID, CQ_TRACKS_PLACE };

typedef struct cq_tracks {
  cq_scene *scene;
  cq_term *term;
  const cq_term_marker_distance *keys;
  int numbers; /* measured of a marker: its coordinates, or 2 pixels */
  int n;
  double *values;       /* [n][numbers + 3] by time and id */
  double rest;          /* time that is 0 in the run */
  cq_table places;      /* of rest_positions: id and coordinates; no rows: not given */
  const double *camera; /* [3][4]; NULL: none */
} cq_tracks;

cq_status cq_tracks_read(cq_scene *scene, cq_term *term, cq_tracks *out);
static inline const double *cq_tracks_sample(const cq_tracks *t, int i) {
  return t->values + (size_t)i * (size_t)(t->numbers + 3);
}
/* Is a sample of the rest, no later? */
bool cq_tracks_is_rest(const cq_tracks *tracks, const double *sample);
/* mean [numbers] of a marker's samples up to rest, plain or weighted; returns the sum of the
 * weights, of a plain mean the number. */
double cq_tracks_rest(const cq_tracks *tracks, double id, bool weighted, double *mean);
/* Where rest_positions has a marker. */
cq_status cq_tracks_place(const cq_tracks *tracks, double id, double place[3]);
/* The keys that the samples and the places of markers come from, for messages. */
const char *cq_tracks_key(const cq_tracks *tracks);
const char *cq_tracks_place_key(const cq_tracks *tracks);
/* CQ_CONFIG about a key of the term */
cq_status cq_tracks_bad(const cq_tracks *tracks, const char *key, const char *fmt, ...)
    CQ_PRINTF(3, 4);

#endif
