/* Where a field of a frame stands in the file. */
#ifndef CQ_RECORD_LAYOUT_H
#define CQ_RECORD_LAYOUT_H

#include "trajectory.h"

#include <stdio.h>

#define CQ_TRAJECTORY_FRAME         "frames/%04d"
#define CQ_TRAJECTORY_SURFACE       "surface"
#define CQ_TRAJECTORY_SURFACE_FRAME CQ_TRAJECTORY_SURFACE "/%04d"
#define CQ_TRAJECTORY_MOVERS        "movers"
#define CQ_TRAJECTORY_MOVERS_FRAME  CQ_TRAJECTORY_MOVERS "/%04d"
#define CQ_TRAJECTORY_CAMERAS       "cameras"
enum { CQ_TRAJECTORY_NAME = 160 };

static inline void trajectory_path(const cq_trajectory_field *field, int frame,
                                   char path[CQ_TRAJECTORY_NAME]) {
  if (field->fixed) {
    snprintf(path, CQ_TRAJECTORY_NAME, "%.120s", field->name);
  } else {
    snprintf(path, CQ_TRAJECTORY_NAME, CQ_TRAJECTORY_FRAME "/%.120s", frame, field->name);
  }
}

#endif
