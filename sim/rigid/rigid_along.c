/* The derivative of a step of all rigid bodies in a direction. Compiled once a dimension. */
#include "actors.h"

#include "alloc.h"
#include "driven_tangent.h"
#include "heft_of.h"
#include "status.h"

/* the directions of the bodies of a step */
typedef struct shadows {
  motion *now;   /* [n], with the twist of this step */
  placed *at;    /* [n] */
  wrench *force; /* [n], of springs and from elsewhere */
  pose *next;    /* [n] */
} shadows;

static cq_status make_shadows(cq_ctx *ctx, int n, shadows *d) {
  *d = (shadows){0};
  CQ_TRY(CQ_ALLOC(ctx, d->now, n));
  CQ_TRY(CQ_ALLOC(ctx, d->at, n));
  CQ_TRY(CQ_ALLOC(ctx, d->force, n));
  return CQ_ALLOC(ctx, d->next, n);
}

static void clear_shadows(cq_ctx *ctx, shadows *d) {
  cq_free(ctx, d->now);
  cq_free(ctx, d->at);
  cq_free(ctx, d->force);
  cq_free(ctx, d->next);
}

static double number(const double *a, int i) {
  return a == NULL ? 0.0 : a[i];
}

static real rate_direction(const cq_rigid *b, const cq_rigid_tangent *t) {
  return number(t->controls, b->first_control);
}

/* how a driven body's twist of this step changes */
static twist driven_direction(const desk *k, const shadows *d, const cq_rigid_step *s,
                              const cq_rigid_tangent *t, int i) {
  const actor *a = &k->actors[i];
  const cq_rigid *b = a->body;
  twist r = twist_zero();
  if (b->track != NULL) {
    pose middle;
    if (t->tracks != NULL) {
      track_tangent(b->track, &t->tracks[i], s->time + 0.5 * s->dt, &middle, &r);
    }
  } else if (b->joint != NULL) {
    const motion *base = &k->actors[b->parent].now, *dbase = &d->now[b->parent];
    r = link_twist_tangent(b->joint, base->p, dbase->p, base->t, dbase->t, a->now.p, d->now[i].p,
                           V(cq_joint_rate)(b, s), rate_direction(b, t));
  } else if (s->controls != NULL) {
    const double none[6] = {0};
    r = drive_twist_tangent(&b->drive, a->now.p, d->now[i].p, s->controls + b->first_control,
                            t->controls == NULL ? none : t->controls + b->first_control);
  }
  return r;
}

/* bodies as they are placed and move in this step */
static void place(const cq_rigids *r, const cq_rigid_step *s, const cq_rigid_tangent *t,
                  const desk *k, shadows *d) {
  for (int i = 0; i < r->n; i++) {
    const actor *a = &k->actors[i];
    vec belt;
    FOR_AXES(c) {
      belt.v[c] = a->body->belt[c];
    }
    d->now[i].p = t->pose == NULL ? pose_zero() : pose_read(t->pose + i * CQ_POSE);
    d->now[i].t = twist_zero();
    if (a->is_free && t->twist != NULL) {
      d->now[i].t = twist_read(t->twist + i * CQ_TWIST);
    } else if (!a->is_free && a->body->motion == CQ_RIGID_DRIVEN) {
      d->now[i].t = driven_direction(k, d, s, t, i);
    }
    d->at[i] = pose_placed_tangent(a->now.p, d->now[i].p, d->now[i].t, belt, vec_zero());
  }
}

/* kick, friction of the ground and drift of a free body */
static motion free_direction(const desk *k, const shadows *d, const cq_rigid_step *s,
                             const cq_rigid_tangent *t, int i) {
  const actor *a = &k->actors[i];
  const heft unit = heft_of_unit(a->body);
  const wrench f = wrench_axpy(V(cq_outside)(s, i), 1.0, k->contact[i]);
  heft dm = unit;
  dm.mass = number(t->mass, i);
  FOR_SPINS(p) {
    FOR_SPINS(q) {
      dm.I.m[p][q] *= dm.mass;
    }
  }
  motion now = a->now, dnow = d->now[i];
  const twist kicked = V(cq_kicked)(a, s, f);
  now.t = V(cq_slowed)(a, kicked);
  const twist kick =
      heft_kick_tangent(&a->m, &dm, a->at.R, d->at[i].R, wrench_axpy(wrench_zero(), s->dt, f),
                        wrench_axpy(wrench_zero(), s->dt, d->force[i]));
  dnow.t.v = vec_add(dnow.t.v, kick.v);
  dnow.t.w = spin_add(dnow.t.w, kick.w);
  FOR_AXES(c) {
    dnow.t.v.v[c] += s->dt * number(t->gravity, c);
  }
  dnow.t = a->body->ground > 0.0 ? ground_slow_tangent(&a->friction, kicked, dnow.t) : dnow.t;
  return free_drift_tangent(&a->m.I, &dm.I, now, dnow, s->dt);
}

/* the motion of a body that is not free; k->next and d->next have those before it */
static motion given_direction(const desk *k, const shadows *d, const cq_rigid_step *s,
                              const cq_rigid_tangent *t, int i) {
  const actor *a = &k->actors[i];
  const cq_rigid *b = a->body;
  motion r = d->now[i];
  if (b->motion == CQ_RIGID_DRIVEN && b->track != NULL) {
    r.p = pose_zero();
    r.t = twist_zero();
    if (t->tracks != NULL) {
      track_tangent(b->track, &t->tracks[i], s->time + s->dt, &r.p, &r.t);
    }
  } else if (b->motion == CQ_RIGID_DRIVEN && b->joint != NULL) {
    r.p = link_move_tangent(b->joint, k->actors[b->parent].now.p, d->now[b->parent].p, a->now.p,
                            d->now[i].p, k->next[b->parent], d->next[b->parent],
                            s->dt * V(cq_joint_rate)(b, s), s->dt * rate_direction(b, t));
  } else if (b->motion == CQ_RIGID_DRIVEN) {
    r.p = drive_move_tangent(a->now.p, d->now[i].p, a->now.t, d->now[i].t, s->dt);
  }
  return r;
}

/* springs, and then every body in its order */
static cq_status step_along(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                            const cq_rigid_tangent *t, desk *k, shadows *d) {
  CQ_TRY(V(cq_smooth_forces)(ctx, r, s, k));
  V(cq_springs_tangent)(r, s, &k->met, k->actors, d->at, t->friction, d->force);
  for (int i = 0; i < r->n; i++) {
    for (int c = 0; c < CQ_TWIST && t->wrench != NULL; c++) {
      real *to = c < CQ_DIM ? &d->force[i].f.v[c] : &d->force[i].t.w[c - CQ_DIM];
      *to += t->wrench[i * CQ_TWIST + c];
    }
    const bool is_free = k->actors[i].is_free;
    k->next[i] = is_free ? k->actors[i].now.p : V(cq_given_move)(k, s, i, k->next);
    const motion m = is_free ? free_direction(k, d, s, t, i) : given_direction(k, d, s, t, i);
    d->next[i] = m.p;
    V(cq_write_pose)(m.p, t->next_pose + i * CQ_POSE);
    V(cq_write_twist)(m.t, t->next_twist + i * CQ_TWIST);
  }
  return CQ_OK;
}

/* Bodies as they are met; with dat NULL the step, too. */
cq_status V(cq_rigid_tangent)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                              const cq_rigid_tangent *t, cq_placed *dat) {
  desk k;
  shadows d = {0};
  cq_status status = V(cq_desk_make)(ctx, r, &k);
  if (status == CQ_OK) {
    status = make_shadows(ctx, r->n, &d);
  }
  if (status == CQ_OK) {
    V(cq_actors)(r, s, k.actors);
    place(r, s, t, &k, &d);
    for (int i = 0; i < r->n && dat != NULL; i++) {
      dat[i] = placed_write(&d.at[i]);
    }
    status = dat == NULL ? step_along(ctx, r, s, t, &k, &d) : CQ_OK;
  }
  clear_shadows(ctx, &d);
  V(cq_desk_clear)(ctx, &k);
  return status;
}
