/* Smooth contacts: each meeting by the law of contact_law.h, and back. */
#include "actors.h"

#include "rigid_tangent.h"
#include "side.h"

static contact_law law_of(const cq_rigids *r) {
  return (contact_law){r->stiffness, r->depth, r->damping, r->slip, r->roll};
}

static contact contact_of(const cq_rigids *r, const cq_rigid_step *s, const meeting *m,
                          const actor *a, const actor *b) {
  contact c;
  (void)r;
  c.gap = m->gap;
  c.n = m->n;
  c.v = vec_sub(placed_velocity(&a->at, m->x), placed_velocity(&b->at, m->x));
  c.w = spin_axpy(a->at.w, -1.0, b->at.w);
  c.friction = sqrt(s->friction[m->a] * s->friction[m->b]);
  c.rolling = sqrt(a->body->rolling * b->body->rolling);
  return c;
}

void V(cq_springs)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                   const actor *actors, wrench *sum) {
  const contact_law law = law_of(r);
  for (int i = 0; i < met->n; i++) {
    const meeting *m = &met->list[i];
    const actor *a = &actors[m->a], *b = &actors[m->b];
    const contact c = contact_of(r, s, m, a, b);
    const wrench f = contact_wrench(&law, &c);
    wrench on_a = placed_wrench(&a->at, m->x, f.f), on_b = placed_wrench(&b->at, m->x, f.f);
    on_a.t = spin_add(on_a.t, f.t);
    on_b.t = spin_add(on_b.t, f.t);
    sum[m->a] = wrench_axpy(sum[m->a], 1.0, on_a);
    sum[m->b] = wrench_axpy(sum[m->b], -1.0, on_b);
  }
}

/* dL/dx of the point, dL/dn and dL/dgap go to the two bodies: the point belongs to a, distance and
 * normal are b's at the point as b sees it */
static void meeting_adjoint(const meeting *m, const actor *a, const actor *b, vec dx, vec dn,
                            real dgap, placed *da, placed *db) {
  vec y, d_center = dx, none = vec_zero();
  FOR_AXES(i) {
    y.v[i] = a->body->skin.x[m->point * CQ_DIM + i];
  }
  /* x = center - radius n */
  const side d = {dgap, vec_axpy(dn, -m->radius, dx)};
  side_adjoint(b->body, &b->at, placed_point(&a->at, y), m->n, d, db, &d_center);
  placed_point_adjoint(&a->at, y, d_center, da, &none);
}

/* of a geometric mean by its first factor; 0 where it has no derivative */
static double mean_slope(double a, double b) {
  return a > 0.0 ? 0.5 * sqrt(b / a) : 0.0;
}

/* each contact backwards: wrenches, law, velocities, place */
void V(cq_springs_adjoint)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                           const actor *actors, const wrench *d, placed *dat, double *dfriction) {
  const contact_law law = law_of(r);
  for (int i = 0; i < met->n; i++) {
    const meeting *m = &met->list[i];
    const actor *a = &actors[m->a], *b = &actors[m->b];
    placed *da = &dat[m->a], *db = &dat[m->b];
    const contact c = contact_of(r, s, m, a, b);
    const vec force = contact_wrench(&law, &c).f;
    wrench df = wrench_zero();
    vec dx = vec_zero();
    placed_wrench_adjoint(&a->at, m->x, force, d[m->a], da, &dx, &df.f);
    placed_wrench_adjoint(&b->at, m->x, force, wrench_axpy(wrench_zero(), -1.0, d[m->b]), db, &dx,
                          &df.f);
    df.t = spin_axpy(d[m->a].t, -1.0, d[m->b].t);
    contact dc = contact_zero();
    contact_wrench_adjoint(&law, &c, df, &dc);
    placed_velocity_adjoint(&a->at, m->x, dc.v, da, &dx);
    placed_velocity_adjoint(&b->at, m->x, vec_scale(-1.0, dc.v), db, &dx);
    da->w = spin_add(da->w, dc.w);
    db->w = spin_axpy(db->w, -1.0, dc.w);
    const double fa = s->friction[m->a], fb = s->friction[m->b];
    dfriction[m->a] += dc.friction * mean_slope(fa, fb);
    dfriction[m->b] += dc.friction * mean_slope(fb, fa);
    meeting_adjoint(m, a, b, dx, dc.n, dc.gap, da, db);
  }
}

/* the direction of a meeting: its gap and normal at the point as b sees it, its place */
static meeting meeting_tangent(const meeting *m, const actor *a, const actor *b, const placed *da,
                               const placed *db) {
  meeting d = *m;
  vec y, dn = vec_zero();
  double at[3], g[3], H[3][3];
  FOR_AXES(i) {
    y.v[i] = a->body->skin.x[m->point * CQ_DIM + i];
  }
  const vec center = placed_point(&a->at, y);
  const vec dcenter = placed_point_tangent(&a->at, da, y, vec_zero());
  const vec dlocal = placed_local_tangent(&b->at, db, center, dcenter);
  side_point(b->body, &b->at, center, at);
  cq_shape_bend(b->body->shape, at, g, H);
  d.gap = 0.0;
  FOR_AXES(i) {
    d.gap += g[i] * dlocal.v[i];
    FOR_AXES(j) {
      dn.v[i] += H[i][j] * dlocal.v[j];
    }
  }
  d.n = placed_direction_tangent(&b->at, db, mat_t_vec(b->at.R, m->n), dn);
  d.x = vec_axpy(dcenter, -m->radius, d.n);
  return d;
}

/* each contact forwards: meeting, velocities, law, wrenches */
void V(cq_springs_tangent)(const cq_rigids *r, const cq_rigid_step *s, const meetings *met,
                           const actor *actors, const placed *dat, const double *dfriction,
                           wrench *dsum) {
  const contact_law law = law_of(r);
  for (int i = 0; i < met->n; i++) {
    const meeting *m = &met->list[i];
    const actor *a = &actors[m->a], *b = &actors[m->b];
    const placed *da = &dat[m->a], *db = &dat[m->b];
    const meeting d = meeting_tangent(m, a, b, da, db);
    const contact c = contact_of(r, s, m, a, b);
    contact dc = contact_zero();
    dc.gap = d.gap;
    dc.n = d.n;
    dc.v = vec_sub(placed_velocity_tangent(&a->at, da, m->x, d.x),
                   placed_velocity_tangent(&b->at, db, m->x, d.x));
    dc.w = spin_axpy(da->w, -1.0, db->w);
    if (dfriction != NULL) {
      const double fa = s->friction[m->a], fb = s->friction[m->b];
      dc.friction = dfriction[m->a] * mean_slope(fa, fb) + dfriction[m->b] * mean_slope(fb, fa);
    }
    const wrench f = contact_wrench(&law, &c), df = contact_wrench_tangent(&law, &c, &dc);
    wrench on_a = placed_wrench_tangent(&a->at, da, m->x, d.x, f.f, df.f);
    wrench on_b = placed_wrench_tangent(&b->at, db, m->x, d.x, f.f, df.f);
    on_a.t = spin_add(on_a.t, df.t);
    on_b.t = spin_add(on_b.t, df.t);
    dsum[m->a] = wrench_axpy(dsum[m->a], 1.0, on_a);
    dsum[m->b] = wrench_axpy(dsum[m->b], -1.0, on_b);
  }
}
