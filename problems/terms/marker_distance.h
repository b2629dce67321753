/* How far markers are from where they were seen: the weighted mean over all samples of |x - X|^2,
 * or of |x - X|. x is the place of the material point that was at the marker in the rest shape. */
#ifndef CQ_TERMS_MARKER_DISTANCE_H
#define CQ_TERMS_MARKER_DISTANCE_H

#include "residual.h"

#define CQ_TERM_ABOUT_marker_distance "distance of markers on bodies from where they were seen"

#define CQ_TERM_KEYS_marker_distance(K)                                                            \
  K(marker_distance, file, TEXT, "", ANY, NONE, "", "",                                            \
    "tracks as CSV with a line of names: time, id, x, y, z (3D) and, where wanted, weight")        \
  K(marker_distance, samples, TABLE, "s, 1, m ...", ANY, NONE, "", "",                             \
    "tracks, where there is no file: rows [time, id, x, y, (z,) weight]; the weight may be "       \
    "missing")                                                                                     \
  K(marker_distance, rest_time, NUMBER, "s", ANY, NONE, "", "",                                    \
    "time in the tracks that is 0 here, when the bodies have the shape they start in; a marker "   \
    "is bound where it is on average up to then, and needs a sample for it; by default the first " \
    "time of the tracks")                                                                          \
  K(marker_distance, squared, FLAG, "", ANY, "true", "", "",                                       \
    "mean square distance; false: mean distance, which forgives outliers")                         \
  CQ_RESIDUAL_KEYS(K, marker_distance)

typedef struct cq_term_marker_distance {
  CQ_TERM_KEYS_marker_distance(CQ_TERM_FIELD)
} cq_term_marker_distance;

CQ_FN int cq_marker_distance_count(const cq_term_in *in) {
  return in->n_markers;
}

CQ_FN double cq_marker_distance_weight(const cq_term_in *in, int k) {
  return in->markers[k].weight;
}

CQ_FN void cq_marker_distance_residual(const cq_term_marker_distance *keys, const cq_term_in *in,
                                       int k, wide *d) {
  const cq_marker *marker = &in->markers[k];
  (void)keys;
  for (int a = 0; a < in->dim; a++) {
    d[a] = -marker->target[a];
    for (int i = 0; i < marker->n; i++) {
      d[a] = d[a] + marker->share[i] * in->z[marker->set[i] * in->z_size + a];
    }
  }
}

CQ_FN double cq_marker_distance_measured(const cq_term_marker_distance *keys, const cq_term_in *in,
                                         int k, int a) {
  (void)keys;
  return in->markers[k].target[a];
}

CQ_FN void cq_marker_distance_residual_adjoint(const cq_term_in *in, int k, wide factor,
                                               const wide *v, wide *dz) {
  const cq_marker *marker = &in->markers[k];
  for (int i = 0; i < marker->n; i++) {
    for (int a = 0; a < in->dim; a++) {
      wide *to = dz + marker->set[i] * in->z_size + a;
      *to = *to + factor * marker->share[i] * v[a];
    }
  }
}

CQ_TERM_OF_RESIDUALS(marker_distance)

#endif
