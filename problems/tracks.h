/* Motions that the file gives, as tracks of rigid bodies (track.h), for any engine. */
#ifndef CQ_PROBLEMS_TRACKS_H
#define CQ_PROBLEMS_TRACKS_H

#include "driven.h"
#include "scene.h"

/* The values of track_keys.h in a section; NULL or without rows: not given. */
typedef struct cq_track_keys {
  const cq_node *node;
  const cq_table *track, *sway;
  const double *velocity; /* [3] NAN: not given */
  const cq_numbers *spin;
  const double *sway_axis; /* [3] NAN: not given */
} cq_track_keys;

/* Numbers of a knot as the file and designs have it: place and turn. */
int cq_track_numbers(int dim);
/* Does the section say any motion? */
bool cq_track_given(const cq_track_keys *keys, int dim);
/* The track of a body whose centre of mass is at `center` [dim] where the file has it, and its
 * knots as numbers moved [n_knots][cq_track_numbers]: how far they are from there. A motion
 * without knots has one, at no distance. CQ_CONFIG with the key where they cannot be. */
cq_status cq_track_read(cq_scene *scene, const cq_track_keys *keys, const double *center,
                        track *out, const double **moved);

#endif
