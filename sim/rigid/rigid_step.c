/* A step of all rigid bodies of a scene, and its adjoint. Compiled once a dimension. */
#include "actors.h"

#include "alloc.h"
#include "status.h"

/* what a step works with, for each body */
typedef struct desk {
  actor *actors;
  wrench *contact; /* impulse, or force of springs */
  twist *push;
  meetings met;
} desk;

static void clear_desk(cq_ctx *ctx, desk *d) {
  cq_free(ctx, d->actors);
  cq_free(ctx, d->contact);
  cq_free(ctx, d->push);
  cq_free(ctx, d->met.list);
}

static cq_status make_desk(cq_ctx *ctx, const cq_rigids *r, desk *d) {
  *d = (desk){0};
  CQ_TRY(CQ_ALLOC(ctx, d->actors, r->n));
  CQ_TRY(CQ_ALLOC(ctx, d->contact, r->n));
  return CQ_ALLOC(ctx, d->push, r->n);
}

static wrench outside(const cq_rigid_step *s, int i) {
  wrench f = wrench_zero();
  for (int a = 0; a < CQ_DIM && s->wrench != NULL; a++) {
    f.f.v[a] = s->wrench[i * CQ_TWIST + a];
  }
  for (int a = 0; a < CQ_SPINS && s->wrench != NULL; a++) {
    f.t.w[a] = s->wrench[i * CQ_TWIST + CQ_DIM + a];
  }
  return f;
}

/* the twist after gravity and this wrench have acted for a step */
static twist kicked(const actor *a, const cq_rigid_step *s, wrench f) {
  const twist d = heft_kick(&a->m, a->at.R, wrench_axpy(wrench_zero(), s->dt, f));
  twist t = a->now.t;
  FOR_AXES(i) {
    t.v.v[i] += s->dt * s->gravity[i];
  }
  t.v = vec_add(t.v, d.v);
  t.w = spin_add(t.w, d.w);
  return t;
}

static void write_pose(pose p, double *out) {
  FOR_AXES(i) {
    out[i] = p.x.v[i];
  }
  for (int i = 0; i < CQ_TURN; i++) {
    out[CQ_DIM + i] = p.q.q[i];
  }
}

static void write_twist(twist t, double *out) {
  FOR_AXES(i) {
    out[i] = t.v.v[i];
  }
  FOR_SPINS(i) {
    out[CQ_DIM + i] = t.w.w[i];
  }
}

/* where a body is after the step, with the twist it has in `now` */
static motion moved(const actor *a, const cq_rigid_step *s, twist push) {
  motion m = a->now;
  if (a->is_free) {
    m = free_drift(&a->m.I, a->now, s->dt);
    m.p = drive_move(m.p, push, s->dt);
  } else if (a->body->motion == CQ_RIGID_DRIVEN && a->body->track != NULL) {
    track_at(a->body->track, s->time + s->dt, &m.p, &m.t);
  } else if (a->body->motion == CQ_RIGID_DRIVEN) {
    m.p = drive_move(m.p, m.t, s->dt);
  }
  return m;
}

/* springs act together with everything else */
static cq_status smooth_forces(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, desk *d) {
  CQ_TRY(V(cq_meet)(ctx, r, d->actors, 0.0, 0.0, &d->met));
  V(cq_springs)(r, s, &d->met, d->actors, d->contact);
  return CQ_OK;
}

static cq_status contacts(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s, desk *d) {
  if (r->smooth) {
    CQ_TRY(smooth_forces(ctx, r, s, d));
  }
  for (int i = 0; i < r->n; i++) {
    actor *a = &d->actors[i];
    if (a->is_free) {
      const real springs = r->smooth ? 1.0 : 0.0;
      a->now.t = kicked(a, s, wrench_axpy(outside(s, i), springs, d->contact[i]));
      a->at.v = a->now.t.v;
      a->at.w = a->now.t.w;
    }
  }
  if (!r->smooth) {
    CQ_TRY(V(cq_meet)(ctx, r, d->actors, r->margin, s->dt, &d->met));
    CQ_TRY(V(cq_impulses)(ctx, r, s, &d->met, d->actors, d->push, d->contact));
  }
  return CQ_OK;
}

static void report(const cq_rigids *r, cq_rigid_step *s, const desk *d) {
  s->contacts = d->met.n;
  s->overlap = 0.0;
  for (int i = 0; i < d->met.n; i++) {
    s->overlap = fmax(s->overlap, -d->met.list[i].gap);
  }
  for (int i = 0; i < r->n && s->contact != NULL; i++) {
    const wrench f = wrench_axpy(wrench_zero(), r->smooth ? 1.0 : 1.0 / s->dt, d->contact[i]);
    write_twist((twist){f.f, f.t}, s->contact + i * CQ_TWIST);
  }
}

cq_status V(cq_rigid_step)(cq_ctx *ctx, const cq_rigids *r, cq_rigid_step *s) {
  desk d;
  s->iterations = 0;
  s->change = 0.0;
  cq_status status = make_desk(ctx, r, &d);
  if (status == CQ_OK) {
    V(cq_actors)(r, s, d.actors);
    status = contacts(ctx, r, s, &d);
  }
  if (status == CQ_OK) {
    report(r, s, &d);
    for (int i = 0; i < r->n; i++) {
      const motion m = moved(&d.actors[i], s, d.push[i]);
      write_pose(m.p, s->next_pose + i * CQ_POSE);
      write_twist(m.t, s->next_twist + i * CQ_TWIST);
    }
  }
  clear_desk(ctx, &d);
  return status;
}

void V(cq_rigid_drive)(const cq_rigids *r, const cq_rigid_step *s, double *twists) {
  for (int i = 0; i < r->n; i++) {
    actor a;
    cq_rigids one = *r;
    cq_rigid_step of_one = *s;
    one.n = 1;
    one.bodies = &r->bodies[i];
    of_one.pose = s->pose + i * CQ_POSE;
    of_one.twist = s->twist + i * CQ_TWIST;
    of_one.mass = s->mass == NULL ? NULL : s->mass + i;
    V(cq_actors)(&one, &of_one, &a);
    write_twist(a.now.t, twists + i * CQ_TWIST);
  }
}

/* what the adjoint gathers for a body */
typedef struct due {
  placed at;
  wrench contact; /* dL/d(wrench of springs and from outside) */
  pose p;
  twist t; /* of this step */
} due;

/* d(kick and drift) of a free body */
static void free_adjoint(const actor *a, const cq_rigid_step *s, wrench f, motion next, due *u,
                         double *dmass, double *dgravity) {
  motion after = a->now;
  after.t = kicked(a, s, f);
  heft dm = heft_zero();
  const motion d = free_drift_adjoint(&a->m.I, after, s->dt, next, &dm.I);
  mat dR = mat_zero();
  wrench dimpulse = wrench_zero();
  heft_kick_adjoint(&a->m, a->at.R, wrench_axpy(wrench_zero(), s->dt, f), d.t, &dm, &dR, &dimpulse);
  u->contact = wrench_axpy(wrench_zero(), s->dt, dimpulse);
  u->p.x = d.p.x;
  u->p.q = turn_add(d.p.q, turn_matrix_adjoint(a->now.p.q, dR));
  u->t = d.t;
  FOR_AXES(i) {
    dgravity[i] += s->dt * d.t.v.v[i];
  }
  const heft unit = V(cq_unit_heft)(a->body);
  *dmass += dm.mass;
  FOR_SPINS(i) {
    FOR_SPINS(j) {
      *dmass += dm.I.m[i][j] * unit.I.m[i][j];
    }
  }
}

/* of the motion of a body that is not free */
static void given_adjoint(const actor *a, const cq_rigid_step *s, motion next, due *u,
                          track_gradient *g) {
  if (a->body->motion == CQ_RIGID_FIXED) {
    u->p = next.p;
  } else if (a->body->track != NULL) {
    if (g != NULL) {
      track_adjoint(a->body->track, s->time + s->dt, next.p, next.t, g);
    }
  } else {
    u->t = next.t;
    drive_move_adjoint(a->now.p, a->now.t, s->dt, next.p, &u->p, &u->t);
  }
}

/* what is due to the twist of a driven body goes to its track or its controls */
static void drive_adjoint(const actor *a, const cq_rigid_step *s, due *u, track_gradient *g,
                          double *dcontrols) {
  const cq_rigid *b = a->body;
  if (b->motion == CQ_RIGID_DRIVEN && b->track != NULL && g != NULL) {
    track_adjoint(b->track, s->time + 0.5 * s->dt, pose_zero(), u->t, g);
  } else if (b->motion == CQ_RIGID_DRIVEN && b->track == NULL && s->controls != NULL) {
    double none[6] = {0};
    drive_twist_adjoint(&b->drive, a->now.p, s->controls + b->first_control, u->t, &u->p,
                        dcontrols == NULL ? none : dcontrols + b->first_control);
  }
  u->t = twist_zero();
}

static void add_all(double *to, const double *from, int n) {
  for (int i = 0; i < n && to != NULL; i++) {
    to[i] += from[i];
  }
}

/* room of the adjoint beside the desk */
typedef struct adjoint_room {
  due *dues;
  placed *at;
  wrench *contact;
  double *mass, *friction;
} adjoint_room;

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

/* backwards: moving on, kicks, springs, and how bodies were placed and driven */
static void sweep_back(const cq_rigids *r, const cq_rigid_step *s, const desk *k,
                       adjoint_room *room, cq_rigid_adjoint *d) {
  double gravity[3] = {0};
  for (int i = 0; i < r->n; i++) {
    const actor *a = &k->actors[i];
    const motion next = {pose_read(d->next_pose + i * CQ_POSE),
                         twist_read(d->next_twist + i * CQ_TWIST)};
    if (a->is_free) {
      free_adjoint(a, s, wrench_axpy(outside(s, i), 1.0, k->contact[i]), next, &room->dues[i],
                   &room->mass[i], gravity);
      room->contact[i] = room->dues[i].contact;
    } else {
      given_adjoint(a, s, next, &room->dues[i], d->tracks == NULL ? NULL : &d->tracks[i]);
    }
  }
  V(cq_springs_adjoint)(r, s, &k->met, k->actors, room->contact, room->at, room->friction);
  for (int i = 0; i < r->n; i++) {
    const actor *a = &k->actors[i];
    due *u = &room->dues[i];
    vec belt, dbelt = vec_zero();
    FOR_AXES(c) {
      belt.v[c] = a->body->belt[c];
    }
    pose_placed_adjoint(a->now.p, belt, room->at[i], &u->p, &u->t, &dbelt);
    if (!a->is_free) {
      drive_adjoint(a, s, u, d->tracks == NULL ? NULL : &d->tracks[i], d->controls);
    }
    write_pose(u->p, d->pose + i * CQ_POSE);
    write_twist(u->t, d->twist + i * CQ_TWIST);
    double outer[CQ_TWIST];
    write_twist((twist){room->contact[i].f, room->contact[i].t}, outer);
    add_all(d->wrench == NULL ? NULL : d->wrench + i * CQ_TWIST, outer, CQ_TWIST);
  }
  add_all(d->mass, room->mass, r->n);
  add_all(d->friction, room->friction, r->n);
  add_all(d->gravity, gravity, CQ_DIM);
}

cq_status V(cq_rigid_adjoint)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s,
                              cq_rigid_adjoint *d) {
  desk k;
  adjoint_room room = {0};
  cq_status status = make_desk(ctx, r, &k);
  if (status == CQ_OK) {
    status = make_room(ctx, r->n, &room);
  }
  if (status == CQ_OK) {
    V(cq_actors)(r, s, k.actors);
    status = smooth_forces(ctx, r, s, &k);
  }
  if (status == CQ_OK) {
    sweep_back(r, s, &k, &room, d);
  }
  clear_room(ctx, &room);
  clear_desk(ctx, &k);
  return status;
}
