/* What cannot work, before a run. */
#include "bodies.h"

#include "status.h"

#include <math.h>

/* of one dimension: actors.h */
cq_status cq_deepest_2d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, int pair[2],
                            double *overlap);
cq_status cq_deepest_3d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, int pair[2],
                            double *overlap);

static bool is_unit(int dim, const double *a) {
  double square = 0.0;
  for (int i = 0; i < dim; i++) {
    square += a[i] * a[i];
  }
  return fabs(square - 1.0) < 1e-9;
}

static cq_status check_track(cq_ctx *ctx, const cq_rigids *r, const cq_rigid *b) {
  const track *t = b->track;
  CQ_CHECK(ctx, t->n_knots > 0, CQ_CONFIG, "rigid body \"%s\": its track has no knots", b->name);
  for (int i = 1; i < t->n_knots; i++) {
    CQ_CHECK(
        ctx, t->times[i] > t->times[i - 1], CQ_CONFIG,
        "rigid body \"%s\": knot %d of its track is at %g s, which is not after the one before "
        "it, at %g s",
        b->name, i + 1, t->times[i], t->times[i - 1]);
  }
  CQ_CHECK(ctx, r->dim == 2 || (t->rate == 0.0 && t->n_sways == 0) || is_unit(3, t->axis),
           CQ_CONFIG, "rigid body \"%s\": the axis of its track must have length 1", b->name);
  return CQ_OK;
}

static cq_status check_joint(cq_ctx *ctx, const cq_rigids *r, int i) {
  const cq_rigid *b = &r->bodies[i];
  CQ_CHECK(ctx, b->parent >= 0 && b->parent < i && r->bodies[b->parent].motion != CQ_RIGID_FREE,
           CQ_CONFIG, "rigid body \"%s\" must hang at a body before it that is fixed or driven",
           b->name);
  CQ_CHECK(ctx, !(r->bodies[b->parent].release < b->release), CQ_CONFIG,
           "rigid body \"%s\" hangs at \"%s\", which is released before it", b->name,
           r->bodies[b->parent].name);
  CQ_CHECK(ctx, (r->dim == 2 && b->joint->kind == JOINT_HINGE) || is_unit(r->dim, b->joint->axis),
           CQ_CONFIG, "rigid body \"%s\": the axis of its joint must have length 1", b->name);
  return CQ_OK;
}

static cq_status check_drive(cq_ctx *ctx, const cq_rigids *r, const cq_rigid *b) {
  CQ_CHECK(
      ctx, b->drive.n_controls > 0, CQ_CONFIG,
      "rigid body \"%s\" is driven by nothing: give it a track, a joint or controls, or fix it",
      b->name);
  for (int k = 0; k < b->drive.n_controls; k++) {
    const int c = b->drive.component[k];
    CQ_CHECK(ctx, c >= 0 && c < cq_rigid_twist_size(r->dim), CQ_CONFIG,
             "rigid body \"%s\": control %d drives component %d of its motion, which has %d",
             b->name, k + 1, c + 1, cq_rigid_twist_size(r->dim));
  }
  return CQ_OK;
}

/* a body by itself */
static cq_status check_body(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, int i) {
  const cq_rigid *b = &r->bodies[i];
  const bool limited = cq_rigid_limited(b);
  const bool moves = b->motion == CQ_RIGID_FREE || limited ||
                     (b->motion == CQ_RIGID_DRIVEN && b->release < INFINITY);
  CQ_CHECK(ctx, !moves || b->inertia.volume > 0.0, CQ_CONFIG,
           "rigid body \"%s\" has no end, so it cannot be free: fix it or drive it", b->name);
  CQ_CHECK(ctx, !moves || s->mass[i] > 0.0, CQ_CONFIG,
           "rigid body \"%s\": its mass must be above 0, not %g kg", b->name, s->mass[i]);
  CQ_CHECK(ctx, !limited || (!r->smooth && b->joint == NULL), CQ_CONFIG,
           "rigid body \"%s\": what drives it has a limit, which a joint and contacts by springs "
           "do not know: take it out",
           b->name);
  CQ_CHECK(ctx, b->ground >= 0.0 && (b->ground == 0.0 || r->ground_rest > 0.0), CQ_CONFIG,
           "rigid body \"%s\": the ground cannot slow it by %g m/s^2, with %g m/s for rest",
           b->name, b->ground, r->ground_rest);
  CQ_CHECK(ctx, b->ground == 0.0 || r->dim == 2, CQ_CONFIG,
           "rigid body \"%s\": friction of the ground is for scenes in a plane, seen from above",
           b->name);
  CQ_CHECK(ctx, s->friction[i] >= 0.0, CQ_CONFIG,
           "rigid body \"%s\": its friction must not be negative, but is %g", b->name,
           s->friction[i]);
  if (b->motion != CQ_RIGID_DRIVEN) {
    return CQ_OK;
  }
  return b->track != NULL   ? check_track(ctx, r, b)
         : b->joint != NULL ? check_joint(ctx, r, i)
                            : check_drive(ctx, r, b);
}

cq_status cq_rigids_check(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, double allowed) {
  int pair[2] = {0};
  double overlap = 0.0;
  for (int i = 0; i < r->n; i++) {
    CQ_TRY(check_body(ctx, r, s, i));
  }
  CQ_TRY(r->dim == 2 ? cq_deepest_2d_f64(ctx, r, s, pair, &overlap)
                     : cq_deepest_3d_f64(ctx, r, s, pair, &overlap));
  CQ_CHECK(ctx, overlap <= allowed, CQ_CONFIG,
           "rigid bodies \"%s\" and \"%s\" overlap by %.3g m at the start: move them apart",
           r->bodies[pair[0]].name, r->bodies[pair[1]].name, overlap);
  return CQ_OK;
}
