/* How far markers are from where they were seen: the weighted mean over all samples of |x - X|^2,
 * or of |x - X|. x is the place of the material point that was at the marker in the rest shape. */
#ifndef CQ_TERMS_MARKER_DISTANCE_H
#define CQ_TERMS_MARKER_DISTANCE_H

#include "residual.h"
#include "sight.h"

#define CQ_TERM_ABOUT_marker_distance "distance of markers on bodies from where they were seen"

#define CQ_TERM_KEYS_marker_distance(K)                                                            \
  K(marker_distance, file, TEXT, "", ANY, NONE, "", "",                                            \
    "tracks as CSV with a line of names: a line a sample, time, id (or marker), x, y, z (3D) "     \
    "and, "                                                                                        \
    "where wanted, weight; or a line a time, time, x1, y1, x2, y2, ...; with a camera x and y "    \
    "are "                                                                                         \
    "pixels, and there is no z")                                                                   \
  K(marker_distance, samples, TABLE, "s, 1, m ...", ANY, NONE, "", "",                             \
    "tracks, where there is no file: rows [time, id, x, y, (z,) weight]; the weight may be "       \
    "missing")                                                                                     \
  K(marker_distance, rest_time, NUMBER, "s", ANY, NONE, "", "",                                    \
    "time in the tracks that is 0 here, when the bodies have the shape they start in; a marker "   \
    "is bound where it is on average up to then, and needs a sample for it; by default the first " \
    "time of the tracks")                                                                          \
  K(marker_distance, rest_positions, TEXT, "", ANY, NONE, "", "",                                  \
    "where markers are bound, as CSV with a line of names: id (or marker), x, y, z (3D), in the "  \
    "axes of the scene; the mean of their samples up to rest_time is then one more sample")        \
  K(marker_distance, rest_places, TABLE, "1, m ...", ANY, NONE, "", "",                            \
    "the same without a file: rows [id, x, y, (z)]")                                               \
  K(marker_distance, camera_file, TEXT, "", ANY, NONE, "", "",                                     \
    "the matrix of a camera: three lines of four numbers")                                         \
  K(marker_distance, camera, TABLE, "", ANY, NONE, "", "",                                         \
    "3 x 4 matrix P of a camera, three rows: the samples are pixels, and what is at (x, y, z) is " \
    "seen at the first two of P (x, y, z, 1) over the third, which is > 0 before the camera; in "  \
    "2D z = 0")                                                                                    \
  K(marker_distance, squared, FLAG, "", ANY, "true", "", "",                                       \
    "mean square distance; false: mean distance, which forgives outliers")                         \
  CQ_RESIDUAL_KEYS(K, marker_distance, "m|pixels")

typedef struct cq_term_marker_distance {
  CQ_TERM_KEYS_marker_distance(CQ_TERM_FIELD)
} cq_term_marker_distance;

CQ_FN int cq_marker_distance_count(const cq_term_in *in) {
  return in->n_markers;
}

CQ_FN int cq_marker_distance_numbers(const cq_term_in *in) {
  return cq_sight_numbers(in);
}

CQ_FN double cq_marker_distance_weight(const cq_term_in *in, int k) {
  return in->markers[k].weight;
}

CQ_FN void cq_marker_distance_residual(const cq_term_marker_distance *keys, const cq_term_in *in,
                                       int k, wide *d) {
  const cq_marker *marker = &in->markers[k];
  (void)keys;
  cq_sight_see(in, marker, d);
  for (int a = 0; a < cq_sight_numbers(in); a++) {
    d[a] = d[a] - marker->target[a];
  }
}

CQ_FN double cq_marker_distance_measured(const cq_term_marker_distance *keys, const cq_term_in *in,
                                         int k, int a) {
  (void)keys;
  return in->markers[k].target[a];
}

CQ_FN void cq_marker_distance_residual_adjoint(const cq_term_in *in, int k, wide factor,
                                               const wide *v, wide *dz) {
  cq_sight_adjoint(in, &in->markers[k], factor, v, dz);
}

CQ_TERM_OF_RESIDUALS(marker_distance)

#endif
