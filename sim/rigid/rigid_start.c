/* Where bodies start, for engines that know them in plain doubles. Compiled once a dimension. */
#include "actors.h"
#include "fit.h"

void V(cq_rigid_fit)(const cq_rigid_points *points, double *place, double *moves) {
  pose p;
  twist t;
  fit_motion(points, &p, &t);
  V(cq_write_pose)(p, place);
  V(cq_write_twist)(t, moves);
}

void V(cq_rigid_knots)(int n_knots, const double *numbers, double *poses) {
  enum { NUMBERS = CQ_DIM == 2 ? 3 : 6 };
  for (int k = 0; k < n_knots; k++) {
    memcpy(poses + k * CQ_POSE, numbers + k * NUMBERS, CQ_DIM * sizeof *poses);
    turn_of_vector(numbers + k * NUMBERS + CQ_DIM, poses + k * CQ_POSE + CQ_DIM);
  }
  track_align(n_knots, poses);
}

void V(cq_rigid_on_track)(const track *t, double time, double *place, double *moves) {
  pose p;
  twist v;
  track_at(t, time, &p, &v);
  V(cq_write_pose)(p, place);
  V(cq_write_twist)(v, moves);
}
