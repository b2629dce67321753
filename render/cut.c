/* A hollow body that is cut open, so that what is in it shows. */
#include "picture.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

static int find_body(const cq_render *r) {
  const cq_motion *const motion = r->def.motion;
  for (int b = 0; b < motion->def.n_bodies; b++) {
    if (strcmp(motion->def.bodies[b], r->def.cut) == 0) {
      return b;
    }
  }
  return -1;
}

static double nearness(const cq_render *r, int k) {
  double x[3], turned[3];
  cq_picture_place(r, 0, k, x);
  cq_camera_turn(&r->camera, x, turned);
  return turned[2];
}

/* Leaves out the half that is nearer to the eye as the motion begins, and goes with the body. */
cq_status cq_picture_cut(cq_render *r) {
  const cq_motion *const motion = r->def.motion;
  const int body = find_body(r);
  CQ_CHECK(r->ctx, body >= 0, CQ_USAGE, "this motion has no body \"%s\" to cut open", r->def.cut);
  CQ_CHECK(r->ctx, motion->def.dimension == 3 && !r->covered[body], CQ_USAGE,
           "only bodies of particles in 3D can be cut open, which \"%s\" is not", r->def.cut);
  CQ_TRY(CQ_ALLOC(r->ctx, r->cut, motion->def.n_kept));
  double sum = 0.0;
  int n = 0;
  for (int k = 0; k < motion->def.n_kept; k++) {
    if (motion->def.body[k] == body) {
      sum += nearness(r, k);
      n++;
    }
  }
  for (int k = 0; k < motion->def.n_kept; k++) {
    r->cut[k] = motion->def.body[k] == body && n * nearness(r, k) > sum;
  }
  return CQ_OK;
}
