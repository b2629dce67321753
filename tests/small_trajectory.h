/* A trajectory.h5 of two bodies and two frames, every number of every field the same: what tests
 * damage. */
#ifndef CQ_TESTS_SMALL_TRAJECTORY_H
#define CQ_TESTS_SMALL_TRAJECTORY_H

#include "trajectory.h"

enum { SMALL_PARTICLES = 12, SMALL_FRAMES = 2 };

/* fields: up to 16 components each */
static inline cq_status small_trajectory_write(cq_ctx *ctx, const char *folder,
                                               const cq_trajectory_field *fields, int n_fields,
                                               double value) {
  static const char *const bodies[] = {"left", "right"};
  static const int body[SMALL_PARTICLES] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const cq_trajectory_def def = {.problem = "small",
                                 .title = "a title",
                                 .dimension = 2,
                                 .n_particles = SMALL_PARTICLES,
                                 .n_bodies = 2,
                                 .bodies = bodies,
                                 .body = body,
                                 .n_fields = n_fields,
                                 .fields = fields};
  double values[16 * SMALL_PARTICLES];
  for (int i = 0; i < 16 * SMALL_PARTICLES; i++) {
    values[i] = value;
  }
  cq_trajectory_writer *w = NULL;
  cq_status status = cq_trajectory_create(ctx, folder, &def, &w);
  for (int frame = 0; frame < SMALL_FRAMES && status == CQ_OK; frame++) {
    status = cq_trajectory_frame(w, frame, 0.5 * frame);
    for (int i = 0; i < n_fields && status == CQ_OK; i++) {
      status = frame == 0 || !fields[i].fixed ? cq_trajectory_put(w, i, frame, values) : CQ_OK;
    }
  }
  const cq_status closed = w != NULL ? cq_trajectory_close(w, status == CQ_OK) : CQ_OK;
  return status == CQ_OK ? closed : status;
}

#endif
