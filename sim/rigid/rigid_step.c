/* A step of all rigid bodies of a scene. Compiled once a dimension. */
#include "actors.h"

#include "alloc.h"
#include "status.h"

void V(cq_desk_clear)(cq_ctx *ctx, desk *d) {
  cq_free(ctx, d->actors);
  cq_free(ctx, d->contact);
  cq_free(ctx, d->push);
  cq_free(ctx, d->next);
  cq_free(ctx, d->met.list);
}

cq_status V(cq_desk_make)(cq_ctx *ctx, const cq_rigids *r, desk *d) {
  *d = (desk){0};
  CQ_TRY(CQ_ALLOC(ctx, d->actors, r->n));
  CQ_TRY(CQ_ALLOC(ctx, d->contact, r->n));
  CQ_TRY(CQ_ALLOC(ctx, d->next, r->n));
  return CQ_ALLOC(ctx, d->push, r->n);
}

wrench V(cq_outside)(const cq_rigid_step *s, int i) {
  wrench f = wrench_zero();
  for (int a = 0; a < CQ_DIM && s->wrench != NULL; a++) {
    f.f.v[a] = s->wrench[i * CQ_TWIST + a];
  }
  for (int a = 0; a < CQ_SPINS && s->wrench != NULL; a++) {
    f.t.w[a] = s->wrench[i * CQ_TWIST + CQ_DIM + a];
  }
  return f;
}

twist V(cq_kicked)(const actor *a, const cq_rigid_step *s, wrench f) {
  const twist d = heft_kick(&a->m, a->at.R, wrench_axpy(wrench_zero(), s->dt, f));
  twist t = a->now.t;
  FOR_AXES(i) {
    t.v.v[i] += s->dt * s->gravity[i];
  }
  t.v = vec_add(t.v, d.v);
  t.w = spin_add(t.w, d.w);
  return t;
}

twist V(cq_slowed)(const actor *a, twist t) {
  return a->body->ground > 0.0 ? ground_slow(&a->friction, t) : t;
}

real V(cq_joint_rate)(const cq_rigid *b, const cq_rigid_step *s) {
  return s->controls == NULL ? 0.0 : s->controls[b->first_control];
}

void V(cq_write_pose)(pose p, double *out) {
  FOR_AXES(i) {
    out[i] = p.x.v[i];
  }
  for (int i = 0; i < CQ_TURN; i++) {
    out[CQ_DIM + i] = p.q.q[i];
  }
}

void V(cq_write_twist)(twist t, double *out) {
  FOR_AXES(i) {
    out[i] = t.v.v[i];
  }
  FOR_SPINS(i) {
    out[CQ_DIM + i] = t.w.w[i];
  }
}

pose V(cq_given_move)(const desk *d, const cq_rigid_step *s, int i, const pose *next) {
  const actor *a = &d->actors[i];
  const cq_rigid *b = a->body;
  pose p = a->now.p;
  twist t;
  if (b->motion == CQ_RIGID_DRIVEN && b->track != NULL) {
    track_at(b->track, s->time + s->dt, &p, &t);
  } else if (b->motion == CQ_RIGID_DRIVEN && b->joint != NULL) {
    p = link_move(b->joint, d->actors[b->parent].now.p, p, next[b->parent],
                  s->dt * V(cq_joint_rate)(b, s));
  } else if (b->motion == CQ_RIGID_DRIVEN) {
    p = drive_move(p, a->now.t, s->dt);
  }
  return p;
}

/* the next state of body i */
static motion moved(const desk *d, const cq_rigid_step *s, int i) {
  const actor *a = &d->actors[i];
  motion m = a->now;
  if (a->is_free) {
    m = free_drift(&a->m.I, a->now, s->dt);
    m.p = drive_move(m.p, d->push[i], s->dt);
    return m;
  }
  m.p = V(cq_given_move)(d, s, i, d->next);
  if (a->body->motion == CQ_RIGID_DRIVEN && a->body->track != NULL) {
    pose end;
    track_at(a->body->track, s->time + s->dt, &end, &m.t);
  }
  return m;
}

cq_status V(cq_smooth_forces)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, desk *d) {
  CQ_TRY(V(cq_meet)(ctx, r, d->actors, 0.0, 0.0, &d->met));
  V(cq_springs)(r, s, &d->met, d->actors, d->contact);
  return CQ_OK;
}

/* The twist of a free body after everything but impulses. What drives one with a limit carries its
 * weight, if it may push at all. */
static twist forced(const actor *a, const cq_rigid_step *s, wrench f) {
  const bool carried = a->is_limited && a->body->max_force > 0.0;
  twist t = V(cq_kicked)(a, s, f);
  for (int c = 0; carried && c < CQ_DIM; c++) {
    t.v.v[c] -= s->dt * s->gravity[c];
  }
  return V(cq_slowed)(a, t);
}

/* What has moved the bodies before impulses do: springs act together with everything else. */
static cq_status forces(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, desk *d) {
  if (r->smooth) {
    CQ_TRY(V(cq_smooth_forces)(ctx, r, s, d));
  }
  for (int i = 0; i < r->n; i++) {
    actor *a = &d->actors[i];
    if (a->is_free) {
      const real springs = r->smooth ? 1.0 : 0.0;
      const wrench f = wrench_axpy(V(cq_outside)(s, i), springs, d->contact[i]);
      a->now.t = forced(a, s, f);
      a->at.v = a->now.t.v;
      a->at.w = a->now.t.w;
    }
  }
  return CQ_OK;
}

/* the contacts of impulses */
static cq_status meet(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, desk *d,
                      solver **v) {
  CQ_TRY(V(cq_meet)(ctx, r, d->actors, r->margin, s->dt, &d->met));
  return V(cq_solver_begin)(ctx, r, s, &d->met, d->actors, v);
}

static bool has_work(const cq_rigids *r, const desk *d) {
  bool any = d->met.n > 0;
  for (int i = 0; i < r->n; i++) {
    any = any || d->actors[i].is_limited;
  }
  return any;
}

/* Impulses act on what everything else has made. */
static cq_status contacts(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, desk *d) {
  solver *v = NULL;
  CQ_TRY(forces(ctx, r, s, d));
  if (r->smooth) {
    return CQ_OK;
  }
  const cq_status status = meet(ctx, r, s, d, &v);
  if (status == CQ_OK) {
    s->change = has_work(r, d) ? INFINITY : 0.0;
    for (; s->iterations < r->iterations && s->change > r->tolerance; s->iterations++) {
      s->change = V(cq_solver_sweep)(v);
    }
    V(cq_solver_end)(r, s, v, d->actors, d->push, d->contact);
  }
  V(cq_solver_free)(ctx, v);
  return status;
}

static void report(const cq_rigids *r, cq_rigid_step *s, const desk *d) {
  s->contacts = d->met.n;
  s->overlap = 0.0;
  for (int i = 0; i < d->met.n; i++) {
    s->overlap = fmax(s->overlap, -d->met.list[i].gap);
  }
  for (int i = 0; i < r->n && s->contact != NULL; i++) {
    const wrench f = wrench_axpy(wrench_zero(), r->smooth ? 1.0 : 1.0 / s->dt, d->contact[i]);
    V(cq_write_twist)((twist){f.f, f.t}, s->contact + i * CQ_TWIST);
  }
}

static bool is_finite(motion m) {
  double p[CQ_POSE], t[CQ_TWIST], sum = 0.0;
  V(cq_write_pose)(m.p, p);
  V(cq_write_twist)(m.t, t);
  for (int i = 0; i < CQ_POSE; i++) {
    sum += 0.0 * p[i];
  }
  for (int i = 0; i < CQ_TWIST; i++) {
    sum += 0.0 * t[i];
  }
  return sum == 0.0;
}

/* next states in the order of bodies, for links */
static cq_status move_on(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, desk *d) {
  for (int i = 0; i < r->n; i++) {
    const motion m = moved(d, s, i);
    CQ_CHECK(ctx, is_finite(m), CQ_NONFINITE,
             "the motion of rigid body \"%s\" is not finite after %g s: make the time step smaller",
             r->bodies[i].name, s->time + s->dt);
    d->next[i] = m.p;
    V(cq_write_pose)(m.p, s->next_pose + i * CQ_POSE);
    V(cq_write_twist)(m.t, s->next_twist + i * CQ_TWIST);
  }
  return CQ_OK;
}

/* Contacts first, then everything moves on with what they have left of its velocity. */
cq_status V(cq_rigid_step)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s) {
  desk d;
  s->iterations = 0;
  s->change = 0.0;
  cq_status status = V(cq_desk_make)(ctx, r, &d);
  if (status == CQ_OK) {
    V(cq_actors)(r, s, d.actors);
    status = contacts(ctx, r, s, &d);
  }
  if (status == CQ_OK) {
    report(r, s, &d);
    status = move_on(ctx, r, s, &d);
  }
  V(cq_desk_clear)(ctx, &d);
  return status;
}

/* --- the same in parts ------------------------------------------------------------------------ */

struct cq_rigid_sweeps {
  desk d;
  solver *v;
};

cq_status V(cq_rigid_begin)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s,
                            cq_rigid_sweeps **out) {
  cq_rigid_sweeps *k = NULL;
  CQ_TRY(CQ_ALLOC(ctx, k, 1));
  *out = k;
  s->iterations = 0;
  s->change = 0.0;
  CQ_TRY(V(cq_desk_make)(ctx, r, &k->d));
  V(cq_actors)(r, s, k->d.actors);
  CQ_TRY(forces(ctx, r, s, &k->d));
  return meet(ctx, r, s, &k->d, &k->v);
}

void V(cq_rigid_movers)(const cq_rigid_sweeps *k, cq_rigid_mover *movers) {
  V(cq_solver_movers)(k->v, k->d.actors, movers);
}

void V(cq_rigid_push)(cq_rigid_sweeps *k, const cq_rigid_mover *movers) {
  V(cq_solver_push)(k->v, movers);
}

void V(cq_rigid_sweep)(cq_rigid_sweeps *k) {
  V(cq_solver_sweep)(k->v);
}

/* A begin that failed has no solver, and makes no state. */
cq_status V(cq_rigid_end)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, cq_rigid_sweeps *k) {
  cq_status status = CQ_OK;
  if (k == NULL) {
    return status;
  }
  if (k->v != NULL && s->next_pose != NULL) {
    V(cq_solver_end)(r, s, k->v, k->d.actors, k->d.push, k->d.contact);
    report(r, s, &k->d);
    status = move_on(ctx, r, s, &k->d);
  }
  V(cq_solver_free)(ctx, k->v);
  V(cq_desk_clear)(ctx, &k->d);
  cq_free(ctx, k);
  return status;
}

cq_status V(cq_rigid_place)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                            cq_placed *at) {
  actor *actors;
  CQ_TRY(CQ_ALLOC(ctx, actors, r->n));
  V(cq_actors)(r, s, actors);
  for (int i = 0; i < r->n; i++) {
    at[i] = placed_write(&actors[i].at);
  }
  cq_free(ctx, actors);
  return CQ_OK;
}
