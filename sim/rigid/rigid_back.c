/* The adjoint of a step of all rigid bodies. Compiled once a dimension. */
#include "actors.h"

#include "alloc.h"
#include "heft_of.h"
#include "status.h"

/* what the adjoint gathers for a body */
typedef struct due {
  pose p;
  twist t;     /* of this step */
  motion next; /* dL/d(next state), to which links add */
} due;

/* d(kick, friction of the ground and drift) of a free body */
static void free_adjoint(const actor *a, const cq_rigid_step *s, wrench f, due *u, wrench *df,
                         double *dmass, double *dgravity) {
  motion after = a->now;
  const twist kicked = V(cq_kicked)(a, s, f);
  after.t = V(cq_slowed)(a, kicked);
  heft dm = heft_zero();
  motion d = free_drift_adjoint(&a->m.I, after, s->dt, u->next, &dm.I);
  d.t = a->body->ground > 0.0 ? ground_slow_tangent(&a->friction, kicked, d.t) : d.t;
  mat dR = mat_zero();
  wrench dimpulse = wrench_zero();
  heft_kick_adjoint(&a->m, a->at.R, wrench_axpy(wrench_zero(), s->dt, f), d.t, &dm, &dR, &dimpulse);
  *df = wrench_axpy(wrench_zero(), s->dt, dimpulse);
  u->p.x = vec_add(u->p.x, d.p.x);
  u->p.q = turn_add(u->p.q, turn_add(d.p.q, turn_matrix_adjoint(a->now.p.q, dR)));
  u->t.v = vec_add(u->t.v, d.t.v);
  u->t.w = spin_add(u->t.w, d.t.w);
  FOR_AXES(i) {
    dgravity[i] += s->dt * d.t.v.v[i];
  }
  *dmass += heft_of_adjoint(a->body, &dm);
}

/* room of the adjoint beside the desk */
typedef struct adjoint_room {
  due *dues;
  placed *at;
  wrench *contact; /* dL/d(wrench of springs and from elsewhere) */
  double *mass, *friction;
} adjoint_room;

static void add_pose(pose *to, pose d) {
  to->x = vec_add(to->x, d.x);
  to->q = turn_add(to->q, d.q);
}

static void add_twist(twist *to, twist d) {
  to->v = vec_add(to->v, d.v);
  to->w = spin_add(to->w, d.w);
}

/* Where derivatives by what drives a body go; NULL or an array of its own: not wanted. */
typedef struct given {
  track_gradient *track;
  double *controls; /* of this body */
} given;

/* of the motion of body i, that is not free; `next` of a link's parent is read before this one */
static void given_adjoint(const desk *k, adjoint_room *room, const cq_rigid_step *s, int i,
                          given to) {
  const actor *a = &k->actors[i];
  const cq_rigid *b = a->body;
  due *u = &room->dues[i];
  if (b->motion == CQ_RIGID_FIXED) {
    add_pose(&u->p, u->next.p);
  } else if (b->track != NULL) {
    if (to.track != NULL) {
      track_adjoint(b->track, s->time + s->dt, u->next.p, u->next.t, to.track);
    }
  } else if (b->joint != NULL) {
    due *base = &room->dues[b->parent];
    double ds = 0.0;
    add_twist(&u->t, u->next.t);
    link_move_adjoint(b->joint, k->actors[b->parent].now.p, a->now.p, k->next[b->parent],
                      s->dt * V(cq_joint_rate)(b, s), u->next.p, &base->p, &u->p, &base->next.p,
                      &ds);
    to.controls[0] += s->dt * ds;
  } else {
    add_twist(&u->t, u->next.t);
    drive_move_adjoint(a->now.p, a->now.t, s->dt, u->next.p, &u->p, &u->t);
  }
}

/* what is due to the twist of driven body i goes to its track, its controls, or its parent */
static void drive_adjoint(const desk *k, adjoint_room *room, const cq_rigid_step *s, int i,
                          given to) {
  const actor *a = &k->actors[i];
  const cq_rigid *b = a->body;
  due *u = &room->dues[i];
  if (b->motion == CQ_RIGID_DRIVEN && b->track != NULL) {
    if (to.track != NULL) {
      track_adjoint(b->track, s->time + 0.5 * s->dt, pose_zero(), u->t, to.track);
    }
  } else if (b->motion == CQ_RIGID_DRIVEN && b->joint != NULL) {
    const motion *base = &k->actors[b->parent].now;
    due *v = &room->dues[b->parent];
    link_twist_adjoint(b->joint, base->p, base->t, a->now.p, V(cq_joint_rate)(b, s), u->t, &v->p,
                       &v->t, &u->p, &to.controls[0]);
  } else if (b->motion == CQ_RIGID_DRIVEN && s->controls != NULL) {
    drive_twist_adjoint(&b->drive, a->now.p, s->controls + b->first_control, u->t, &u->p,
                        to.controls);
  }
  u->t = twist_zero();
}

static void add_all(double *to, const double *from, int n) {
  for (int i = 0; i < n && to != NULL; i++) {
    to[i] += from[i];
  }
}

/* dL/d(wrench): of what is from elsewhere the kicks alone; of springs what they pushed, too. */
static void wrench_adjoint(const cq_rigids *r, adjoint_room *room, const cq_rigid_adjoint *d) {
  for (int i = 0; i < r->n; i++) {
    const int at = i * CQ_TWIST;
    double outer[CQ_TWIST];
    V(cq_write_twist)((twist){room->contact[i].f, room->contact[i].t}, outer);
    add_all(d->wrench == NULL ? NULL : d->wrench + at, outer, CQ_TWIST);
    if (d->contact != NULL) {
      const twist seen = twist_read(d->contact + at);
      room->contact[i] = wrench_axpy(room->contact[i], 1.0, (wrench){seen.v, seen.w});
    }
  }
}

static cq_status make_room(cq_ctx *ctx, int n, adjoint_room *room) {
  *room = (adjoint_room){0};
  CQ_TRY(CQ_ALLOC(ctx, room->dues, n));
  CQ_TRY(CQ_ALLOC(ctx, room->at, n));
  CQ_TRY(CQ_ALLOC(ctx, room->contact, n));
  CQ_TRY(CQ_ALLOC(ctx, room->mass, n));
  return CQ_ALLOC(ctx, room->friction, n);
}

static void clear_room(cq_ctx *ctx, adjoint_room *room) {
  cq_free(ctx, room->dues);
  cq_free(ctx, room->at);
  cq_free(ctx, room->contact);
  cq_free(ctx, room->mass);
  cq_free(ctx, room->friction);
}

/* where bodies that are not free go, for what hangs at them */
static void go_forward(const cq_rigids *r, const cq_rigid_step *s, const desk *k) {
  for (int i = 0; i < r->n; i++) {
    const actor *a = &k->actors[i];
    k->next[i] = a->is_free ? a->now.p : V(cq_given_move)(k, s, i, k->next);
  }
}

/* where the derivatives of body i go, `unwanted` where nobody asks for them */
static given given_to(const cq_rigid_adjoint *d, const cq_rigid *b, int i, double *unwanted) {
  given to;
  to.track = d->tracks == NULL ? NULL : &d->tracks[i];
  to.controls = d->controls == NULL ? unwanted : d->controls + b->first_control;
  return to;
}

/* Moving on and kicks, from the last body to the first: links before what they hang at. */
static void moving_adjoint(const cq_rigids *r, const cq_rigid_step *s, const desk *k,
                           adjoint_room *room, const cq_rigid_adjoint *d, double *gravity) {
  for (int i = 0; i < r->n; i++) {
    room->dues[i].next.p = pose_read(d->next_pose + i * CQ_POSE);
    room->dues[i].next.t = twist_read(d->next_twist + i * CQ_TWIST);
  }
  go_forward(r, s, k);
  for (int i = r->n - 1; i >= 0; i--) {
    const actor *a = &k->actors[i];
    double unwanted[6] = {0};
    if (a->is_free) {
      free_adjoint(a, s, wrench_axpy(V(cq_outside)(s, i), 1.0, k->contact[i]), &room->dues[i],
                   &room->contact[i], &room->mass[i], gravity);
    } else {
      given_adjoint(k, room, s, i, given_to(d, a->body, i, unwanted));
    }
  }
}

/* How bodies were placed and driven, in the same order. */
static void placing_adjoint(const cq_rigids *r, const cq_rigid_step *s, const desk *k,
                            adjoint_room *room, const cq_rigid_adjoint *d) {
  for (int i = r->n - 1; i >= 0; i--) {
    const actor *a = &k->actors[i];
    due *u = &room->dues[i];
    vec belt, dbelt = vec_zero();
    double unwanted[6] = {0};
    FOR_AXES(c) {
      belt.v[c] = a->body->belt[c];
    }
    pose_placed_adjoint(a->now.p, belt, room->at[i], &u->p, &u->t, &dbelt);
    if (!a->is_free) {
      drive_adjoint(k, room, s, i, given_to(d, a->body, i, unwanted));
    }
  }
}

/* backwards: moving on, kicks, springs, and how bodies were placed and driven */
static void sweep_back(const cq_rigids *r, const cq_rigid_step *s, const desk *k,
                       adjoint_room *room, cq_rigid_adjoint *d) {
  double gravity[3] = {0};
  moving_adjoint(r, s, k, room, d, gravity);
  wrench_adjoint(r, room, d);
  V(cq_springs_adjoint)(r, s, &k->met, k->actors, room->contact, room->at, room->friction);
  placing_adjoint(r, s, k, room, d);
  for (int i = 0; i < r->n; i++) {
    V(cq_write_pose)(room->dues[i].p, d->pose + i * CQ_POSE);
    V(cq_write_twist)(room->dues[i].t, d->twist + i * CQ_TWIST);
  }
  add_all(d->mass, room->mass, r->n);
  add_all(d->friction, room->friction, r->n);
  add_all(d->gravity, gravity, CQ_DIM);
}

/* meets again as the step did, and goes back */
cq_status V(cq_rigid_adjoint)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                              cq_rigid_adjoint *d) {
  desk k;
  adjoint_room room = {0};
  cq_status status = V(cq_desk_make)(ctx, r, &k);
  if (status == CQ_OK) {
    status = make_room(ctx, r->n, &room);
  }
  if (status == CQ_OK) {
    V(cq_actors)(r, s, k.actors);
    status = V(cq_smooth_forces)(ctx, r, s, &k);
  }
  if (status == CQ_OK) {
    sweep_back(r, s, &k, &room, d);
  }
  clear_room(ctx, &room);
  V(cq_desk_clear)(ctx, &k);
  return status;
}

/* alone: what is due to bodies as they were placed goes back to what placed them */
cq_status V(cq_rigid_place_adjoint)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                                    const cq_placed *at_due, cq_rigid_adjoint *d) {
  desk k;
  adjoint_room room = {0};
  cq_status status = V(cq_desk_make)(ctx, r, &k);
  if (status == CQ_OK) {
    status = make_room(ctx, r->n, &room);
  }
  if (status == CQ_OK) {
    V(cq_actors)(r, s, k.actors);
    for (int i = 0; i < r->n; i++) {
      room.at[i] = placed_read(&at_due[i]);
    }
    placing_adjoint(r, s, &k, &room, d);
    for (int i = 0; i < r->n; i++) {
      double p[CQ_POSE], t[CQ_TWIST];
      V(cq_write_pose)(room.dues[i].p, p);
      V(cq_write_twist)(room.dues[i].t, t);
      add_all(d->pose + i * CQ_POSE, p, CQ_POSE);
      add_all(d->twist + i * CQ_TWIST, t, CQ_TWIST);
    }
  }
  clear_room(ctx, &room);
  V(cq_desk_clear)(ctx, &k);
  return status;
}
