/* Steps of rigid bodies in the dimension that they have. */
#include "bodies.h"

#include "status.h"

/* of one dimension: actors.h */
cq_status cq_rigid_step_2d_f64(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s);
cq_status cq_rigid_step_3d_f64(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s);
void cq_rigid_fit_2d_f64(const cq_rigid_points *points, double *pose, double *twist);
void cq_rigid_fit_3d_f64(const cq_rigid_points *points, double *pose, double *twist);
void cq_rigid_knots_2d_f64(int n_knots, const double *numbers, double *poses);
void cq_rigid_knots_3d_f64(int n_knots, const double *numbers, double *poses);
void cq_rigid_on_track_2d_f64(const track *t, double time, double *pose, double *twist);
void cq_rigid_on_track_3d_f64(const track *t, double time, double *pose, double *twist);
cq_status cq_rigid_begin_2d_f64(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                                cq_rigid_sweeps **out);
cq_status cq_rigid_begin_3d_f64(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                                cq_rigid_sweeps **out);
void cq_rigid_movers_2d_f64(const cq_rigid_sweeps *k, cq_rigid_mover *movers);
void cq_rigid_movers_3d_f64(const cq_rigid_sweeps *k, cq_rigid_mover *movers);
void cq_rigid_push_2d_f64(cq_rigid_sweeps *k, const cq_rigid_mover *movers);
void cq_rigid_push_3d_f64(cq_rigid_sweeps *k, const cq_rigid_mover *movers);
void cq_rigid_sweep_2d_f64(cq_rigid_sweeps *k);
void cq_rigid_sweep_3d_f64(cq_rigid_sweeps *k);
cq_status cq_rigid_end_2d_f64(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                              cq_rigid_sweeps *k);
cq_status cq_rigid_end_3d_f64(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                              cq_rigid_sweeps *k);
cq_status cq_rigid_adjoint_2d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  cq_rigid_adjoint *d);
cq_status cq_rigid_adjoint_3d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  cq_rigid_adjoint *d);
cq_status cq_rigid_place_2d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                cq_placed *at);
cq_status cq_rigid_place_3d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                cq_placed *at);
cq_status cq_rigid_place_adjoint_2d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                        const cq_placed *due, cq_rigid_adjoint *d);
cq_status cq_rigid_place_adjoint_3d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                        const cq_placed *due, cq_rigid_adjoint *d);

cq_status cq_rigid_tangent_2d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  const cq_rigid_tangent *d, cq_placed *dat);
cq_status cq_rigid_tangent_3d_f64(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  const cq_rigid_tangent *d, cq_placed *dat);

cq_status cq_rigids_place(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, cq_placed *at) {
  return r->dim == 2 ? cq_rigid_place_2d_f64(ctx, r, s, at) : cq_rigid_place_3d_f64(ctx, r, s, at);
}

cq_status cq_rigids_place_adjoint(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  const cq_placed *due, cq_rigid_adjoint *d) {
  return r->dim == 2 ? cq_rigid_place_adjoint_2d_f64(ctx, r, s, due, d)
                     : cq_rigid_place_adjoint_3d_f64(ctx, r, s, due, d);
}

cq_status cq_rigids_step(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s) {
  return r->dim == 2 ? cq_rigid_step_2d_f64(ctx, r, s) : cq_rigid_step_3d_f64(ctx, r, s);
}

cq_status cq_rigids_begin(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                          cq_rigid_sweeps **out) {
  *out = NULL;
  CQ_CHECK(ctx, !r->smooth, CQ_USAGE, "a step of rigid bodies in parts has contacts by impulses");
  return r->dim == 2 ? cq_rigid_begin_2d_f64(ctx, r, s, out)
                     : cq_rigid_begin_3d_f64(ctx, r, s, out);
}

void cq_rigids_movers(const cq_rigids *r, const cq_rigid_sweeps *sweeps, cq_rigid_mover *movers) {
  (r->dim == 2 ? cq_rigid_movers_2d_f64 : cq_rigid_movers_3d_f64)(sweeps, movers);
}

void cq_rigids_push(const cq_rigids *r, cq_rigid_sweeps *sweeps, const cq_rigid_mover *movers) {
  (r->dim == 2 ? cq_rigid_push_2d_f64 : cq_rigid_push_3d_f64)(sweeps, movers);
}

void cq_rigids_sweep(const cq_rigids *r, cq_rigid_sweeps *sweeps) {
  (r->dim == 2 ? cq_rigid_sweep_2d_f64 : cq_rigid_sweep_3d_f64)(sweeps);
}

cq_status cq_rigids_end(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                        cq_rigid_sweeps *sweeps) {
  return r->dim == 2 ? cq_rigid_end_2d_f64(ctx, r, s, sweeps)
                     : cq_rigid_end_3d_f64(ctx, r, s, sweeps);
}

void cq_rigid_fit(int dim, const cq_rigid_points *points, double *pose, double *twist) {
  (dim == 2 ? cq_rigid_fit_2d_f64 : cq_rigid_fit_3d_f64)(points, pose, twist);
}

void cq_rigid_knots(int dim, int n_knots, const double *numbers, double *poses) {
  (dim == 2 ? cq_rigid_knots_2d_f64 : cq_rigid_knots_3d_f64)(n_knots, numbers, poses);
}

void cq_rigid_on_track(int dim, const track *t, double time, double *pose, double *twist) {
  (dim == 2 ? cq_rigid_on_track_2d_f64 : cq_rigid_on_track_3d_f64)(t, time, pose, twist);
}

static cq_status check_smooth(cq_ctx *ctx, const cq_rigids *r) {
  CQ_CHECK(ctx, r->smooth, CQ_USAGE,
           "contacts of rigid bodies by impulses have no gradient: use the smooth law");
  return CQ_OK;
}

cq_status cq_rigids_adjoint(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                            cq_rigid_adjoint *d) {
  CQ_TRY(check_smooth(ctx, r));
  return r->dim == 2 ? cq_rigid_adjoint_2d_f64(ctx, r, s, d)
                     : cq_rigid_adjoint_3d_f64(ctx, r, s, d);
}

cq_status cq_rigids_tangent(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                            const cq_rigid_tangent *d) {
  CQ_TRY(check_smooth(ctx, r));
  return r->dim == 2 ? cq_rigid_tangent_2d_f64(ctx, r, s, d, NULL)
                     : cq_rigid_tangent_3d_f64(ctx, r, s, d, NULL);
}

cq_status cq_rigids_place_tangent(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                  const cq_rigid_tangent *d, cq_placed *dat) {
  return r->dim == 2 ? cq_rigid_tangent_2d_f64(ctx, r, s, d, dat)
                     : cq_rigid_tangent_3d_f64(ctx, r, s, d, dat);
}
