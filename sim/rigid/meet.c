/* The bodies of a step, and where they meet. Compiled once a dimension. */
#include "actors.h"

#include "alloc.h"
#include "heft_of.h"
#include "side.h"
#include "status.h"

#include "turn_numbers.h"

static vec belt_of(const cq_rigid *body) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = body->belt[a];
  }
  return r;
}

/* nothing where there is no ground */
static ground ground_of(const cq_rigids *r, const cq_rigid *b, double dt) {
  ground g = {.rest = r->ground_rest};
  if (b->ground > 0.0) {
    g.arm = b->ground_arm;
    g.slide = dt * b->ground;
    g.turn = g.slide * g.arm * g.arm * b->inertia.volume / b->inertia.moment[0];
  }
  return g;
}

/* The twist of driven body i in this step; bodies before it have theirs. */
static twist driven(const cq_rigid_step *s, const actor *actors, int i) {
  const actor *a = &actors[i];
  const cq_rigid *body = a->body;
  twist t = twist_zero();
  pose middle;
  if (body->track != NULL) {
    track_at(body->track, s->time + 0.5 * s->dt, &middle, &t);
  } else if (body->joint != NULL) {
    const actor *b = &actors[body->parent];
    const real rate = s->controls == NULL ? 0.0 : s->controls[body->first_control];
    t = link_twist(body->joint, b->now.p, b->now.t, a->now.p, rate);
  } else if (s->controls != NULL) {
    t = drive_twist(&body->drive, a->now.p, s->controls + body->first_control);
  }
  return t;
}

/* The most of what a body has lost that it may take back as a velocity, so that its drive can brake
 * again before it is there: with half of the acceleration that it has. */
static real catch_up(real lost, real acceleration, double dt) {
  return fmin(lost / dt, sqrt(acceleration * lost));
}

/* What a drive with a limit aims at: the twist of the step, and back to its track. */
static twist goal_of(const cq_rigid_step *s, const actor *actors, int i) {
  const actor *a = &actors[i];
  const cq_rigid *b = a->body;
  twist goal = driven(s, actors, i), end;
  pose p;
  if (b->track == NULL || s->mass == NULL) {
    return goal;
  }
  track_at(b->track, s->time + s->dt, &p, &end);
  const vec lost = vec_axpy(vec_sub(p.x, a->now.p.x), -s->dt, goal.v);
  const real far = sqrt(vec_dot(lost, lost));
  if (far > 0.0) {
    const real speed = catch_up(far, b->max_force / a->m.mass, s->dt);
    goal.v = vec_axpy(goal.v, speed / far, lost);
  }
  double turns[3] = {0};
  turn_vector(turn_after(p.q, turn_conjugate(a->now.p.q)), turns);
  spin off;
  real square = 0.0, most = 0.0;
  FOR_SPINS(c) {
    off.w[c] = turns[3 - CQ_SPINS + c] - s->dt * goal.w.w[c];
    square += off.w[c] * off.w[c];
    most = fmax(most, a->m.I.m[c][c]);
  }
  if (square > 0.0) {
    const real angle = sqrt(square), rate = catch_up(angle, b->max_torque / most, s->dt);
    goal.w = spin_axpy(goal.w, rate / angle, off);
  }
  return goal;
}

/* In the order of the bodies: a link takes the twist of its parent, which stands before it. */
void V(cq_actors)(const cq_rigids *r, const cq_rigid_step *s, actor *actors) {
  for (int i = 0; i < r->n; i++) {
    actor *a = &actors[i];
    const cq_rigid_motion kind = cq_rigid_motion_at(&r->bodies[i], s->time, s->dt);
    a->body = &r->bodies[i];
    a->is_limited = kind == CQ_RIGID_DRIVEN && !r->smooth && cq_rigid_limited(a->body);
    a->is_free = kind == CQ_RIGID_FREE || a->is_limited;
    a->now.p = pose_read(s->pose + i * CQ_POSE);
    a->now.t = a->is_free                ? twist_read(s->twist + i * CQ_TWIST)
               : kind == CQ_RIGID_DRIVEN ? driven(s, actors, i)
                                         : twist_zero();
    a->m = a->is_free && s->mass != NULL ? heft_of(a->body, s->mass[i]) : heft_zero();
    a->goal = a->is_limited ? goal_of(s, actors, i) : twist_zero();
    a->friction = ground_of(r, a->body, s->dt);
    a->at = pose_placed(a->now.p, a->now.t, belt_of(a->body));
  }
}

/* no point of a gets near b in this step */
static bool is_far(const actor *a, const actor *b, double margin, double dt) {
  const cq_shape_kind kind = b->body->shape->kind;
  const double turning = a->body->reach * sqrt(spin_dot(a->at.w, a->at.w));
  const double speed = sqrt(vec_dot(a->at.v, a->at.v)) + turning;
  double reach = a->body->reach + margin + dt * speed;
  if (b->body->reach < INFINITY) {
    const double other =
        sqrt(vec_dot(b->at.v, b->at.v)) + b->body->reach * sqrt(spin_dot(b->at.w, b->at.w));
    const vec d = vec_sub(a->at.x, b->at.x);
    reach += b->body->reach + dt * other;
    return vec_dot(d, d) > reach * reach;
  }
  if (kind == CQ_SHAPE_height_field || spin_dot(b->at.w, b->at.w) > 0.0) {
    return false; /* whose distance is no bound, or which comes fast from afar */
  }
  double y[3];
  side_point(b->body, &b->at, a->at.x, y);
  return cq_shape_distance(b->body->shape, y) > reach + dt * sqrt(vec_dot(b->at.v, b->at.v));
}

/* A ball is one point, which says all: the points of others need not be held against it. */
static bool skips(const actor *a, int i, const actor *b, int j) {
  const bool ball = a->body->shape->kind == CQ_SHAPE_ball;
  return (!a->is_free && !b->is_free) ||
         (b->body->shape->kind == CQ_SHAPE_ball && b->body->skin.n > 0 && (!ball || i > j));
}

/* a point of a against the shape of b, as b is placed */
static meeting meet_at(const actor *a, const actor *b, int point) {
  meeting m;
  vec y;
  FOR_AXES(i) {
    y.v[i] = a->body->skin.x[point * CQ_DIM + i];
  }
  const vec center = placed_point(&a->at, y);
  const side s = side_at(b->body, &b->at, center);
  m.point = point;
  m.radius = a->body->skin.radius[point];
  m.gap = s.gap - m.radius;
  m.n = s.n;
  m.x = vec_axpy(center, -m.radius, m.n);
  return m;
}

static cq_status append(cq_ctx *ctx, meetings *found, meeting m) {
  if (found->n == found->room) {
    meeting *more;
    const int room = 2 * found->room + 64;
    CQ_TRY(CQ_ALLOC(ctx, more, room));
    if (found->n > 0) {
      memcpy(more, found->list, (size_t)found->n * sizeof *more);
    }
    cq_free(ctx, found->list);
    found->list = more;
    found->room = room;
  }
  found->list[found->n++] = m;
  return CQ_OK;
}

static cq_status meet_pair(cq_ctx *ctx, const actor *actors, int i, int j, double margin, double dt,
                           meetings *found) {
  const actor *a = &actors[i], *b = &actors[j];
  for (int point = 0; point < a->body->skin.n; point++) {
    meeting m = meet_at(a, b, point);
    const vec u = vec_sub(placed_velocity(&a->at, m.x), placed_velocity(&b->at, m.x));
    if (m.gap < margin || m.gap + dt * vec_dot(m.n, u) < 0.0) {
      m.a = i;
      m.b = j;
      CQ_TRY(append(ctx, found, m));
    }
  }
  return CQ_OK;
}

/* all pairs in the order of bodies, points in theirs */
cq_status V(cq_meet)(cq_ctx *ctx, const cq_rigids *r, const actor *actors, double margin, double dt,
                     meetings *found) {
  *found = (meetings){0};
  for (int i = 0; i < r->n; i++) {
    for (int j = 0; j < r->n; j++) {
      if (i == j || actors[i].body->skin.n == 0 || skips(&actors[i], i, &actors[j], j) ||
          is_far(&actors[i], &actors[j], margin, dt)) {
        continue;
      }
      const cq_status status = meet_pair(ctx, actors, i, j, margin, dt, found);
      if (status != CQ_OK) {
        cq_free(ctx, found->list);
        *found = (meetings){0};
        return status;
      }
    }
  }
  return CQ_OK;
}

/* of all meetings at the state */
cq_status V(cq_deepest)(cq_ctx *ctx, const cq_rigids *r, const cq_rigid_step *s, int pair[2],
                        double *overlap) {
  actor *actors;
  meetings met = {0};
  CQ_TRY(CQ_ALLOC(ctx, actors, r->n));
  V(cq_actors)(r, s, actors);
  const cq_status status = V(cq_meet)(ctx, r, actors, 0.0, 0.0, &met);
  *overlap = 0.0;
  for (int i = 0; i < met.n; i++) {
    const meeting *m = &met.list[i];
    if (-m->gap > *overlap) {
      *overlap = -m->gap;
      pair[0] = m->a;
      pair[1] = m->b;
    }
  }
  cq_free(ctx, met.list);
  cq_free(ctx, actors);
  return status;
}
