#include "pose.h"

#include "rotation.h"
#include "scene.h"

#include <math.h>
#include <string.h>

/* a pose and what follows from it for every particle */
typedef struct frame {
  const cq_pose *pose;
  size_t dim, first, count; /* of its particles */
  const double *center0, *slots;
  double stretch[3];
  double Q[3][3];
} frame;

static void cross(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = a[j] * b[k] - a[k] * b[j];
  }
}

static frame frame_of(const cq_poses *poses, int b) {
  const cq_pose *pose = &poses->poses[b];
  frame f = {.pose = pose,
             .dim = (size_t)poses->dim,
             .first = (size_t)pose->body->first,
             .count = (size_t)pose->body->count,
             .center0 = pose->rest + CQ_POSE_CENTER,
             .slots = poses->slots + (size_t)b * CQ_POSE_SLOTS};
  for (int a = 0; a < 3; a++) {
    f.stretch[a] = f.slots[CQ_POSE_SIZE + a] / pose->rest[CQ_POSE_SIZE + a];
  }
  cq_rotation_matrix(f.slots + CQ_POSE_ROTATION, f.Q);
  return f;
}

/* T v, or T^t v (back), of a body whose shape is turned in the file */
static void turn(const cq_body *body, bool back, double *v) {
  const double u[3] = {v[0], v[1], v[2]};
  for (int a = 0; a < body->shape.dim && body->shape.turn.is; a++) {
    v[a] = 0.0;
    for (int b = 0; b < body->shape.dim; b++) {
      v[a] += (back ? body->shape.turn.Q[b][a] : body->shape.turn.Q[a][b]) * u[b];
    }
  }
}

/* T^t r0 of particle i: where it is in the unturned shape */
static void own_arm(const cq_body *body, const double *center0, size_t i, double *own) {
  const size_t dim = (size_t)body->shape.dim;
  for (size_t a = 0; a < 3; a++) {
    own[a] = a < dim ? body->x[i * dim + a] - center0[a] : 0.0;
  }
  turn(body, true, own);
}

/* y = T (stretch own) and r = Q y of particle i */
static void arm_of(const frame *f, size_t i, double *own, double *y, double *r) {
  own_arm(f->pose->body, f->center0, i, own);
  for (int a = 0; a < 3; a++) {
    y[a] = f->stretch[a] * own[a];
  }
  turn(f->pose->body, false, y);
  for (int a = 0; a < 3; a++) {
    r[a] = f->Q[a][0] * y[0] + f->Q[a][1] * y[1] + f->Q[a][2] * y[2];
  }
}

void cq_pose_velocity(const double *slots, const double *arm, int dim, double *v) {
  double turning[3];
  cross(slots + CQ_POSE_SPIN, arm, turning);
  for (int a = 0; a < dim; a++) {
    v[a] = slots[CQ_POSE_VELOCITY + a] + turning[a];
  }
}

/* Writes what the pose changes of its body's particles. */
static void apply(const frame *f, const cq_poses *poses, double *inputs) {
  const cq_pose *pose = f->pose;
  double *x = inputs + poses->x, *v = inputs + poses->v, *V = inputs + poses->volume;
  const bool turns = pose->turns && poses->F != CQ_NO_INPUT;
  for (size_t i = 0; i < f->count; i++) {
    const size_t p = f->first + i;
    double own[3], y[3], r[3];
    arm_of(f, i, own, y, r);
    if (pose->moves) {
      cq_pose_velocity(f->slots, r, (int)f->dim, v + p * f->dim);
    }
    for (size_t a = 0; a < f->dim; a++) {
      if (pose->places) {
        x[p * f->dim + a] = f->slots[CQ_POSE_CENTER + a] + r[a];
      }
      for (size_t b = 0; b < f->dim && turns; b++) {
        inputs[poses->F + (p * f->dim + a) * f->dim + b] = f->Q[a][b];
      }
    }
    if (pose->resizes) {
      V[p] = cq_body_volume(pose->body, i) * f->stretch[0] * f->stretch[1] * f->stretch[2];
    }
  }
}

void cq_poses_apply(const cq_poses *poses, double *inputs) {
  for (int b = 0; b < poses->count; b++) {
    const cq_pose *pose = &poses->poses[b];
    if (pose->places || pose->turns || pose->resizes || pose->moves) {
      const frame f = frame_of(poses, b);
      apply(&f, poses, inputs);
    }
  }
}

/* adds dL/d(slots) to d, and dL/dQ to dQ */
static void pull_particle(const frame *f, const cq_poses *poses, size_t i, const double *d_inputs,
                          double *d, double dQ[3][3]) {
  const cq_pose *pose = f->pose;
  const size_t p = f->first + i;
  const bool turns = pose->turns && poses->F != CQ_NO_INPUT;
  const double *spin = f->slots + CQ_POSE_SPIN;
  double dx[3] = {0}, dv[3] = {0}, own[3], y[3], r[3], dr[3], dy[3], turned[3];
  for (size_t a = 0; a < f->dim; a++) {
    dx[a] = pose->places ? d_inputs[poses->x + p * f->dim + a] : 0.0;
    dv[a] = pose->moves ? d_inputs[poses->v + p * f->dim + a] : 0.0;
    for (size_t b = 0; b < f->dim && turns; b++) {
      dQ[a][b] += d_inputs[poses->F + (p * f->dim + a) * f->dim + b];
    }
  }
  arm_of(f, i, own, y, r);
  cross(dv, spin, dr);  /* of dv . (spin x r) by r */
  cross(r, dv, turned); /* by spin */
  for (int a = 0; a < 3; a++) {
    dr[a] += dx[a];
    d[CQ_POSE_CENTER + a] += dx[a];
    d[CQ_POSE_VELOCITY + a] += dv[a];
    d[CQ_POSE_SPIN + a] += turned[a];
  }
  for (int a = 0; a < 3; a++) {
    dy[a] = f->Q[0][a] * dr[0] + f->Q[1][a] * dr[1] + f->Q[2][a] * dr[2];
  }
  turn(pose->body, true, dy);
  for (size_t a = 0; a < f->dim; a++) {
    const double size0 = pose->rest[CQ_POSE_SIZE + a];
    d[CQ_POSE_SIZE + a] += dy[a] * own[a] / size0;
    if (pose->resizes) {
      const double V =
          cq_body_volume(pose->body, i) * f->stretch[0] * f->stretch[1] * f->stretch[2];
      d[CQ_POSE_SIZE + a] += d_inputs[poses->volume + p] * V / f->slots[CQ_POSE_SIZE + a];
    }
    for (int b = 0; b < 3; b++) {
      dQ[b][a] += dr[b] * y[a];
    }
  }
}

/* dL/d(rotation) from dL/dQ: dQ = K(phi) Q, phi = J dw */
static void pull_rotation(const frame *f, double dQ[3][3], double *d) {
  double J_t[3][3], torque[3] = {0};
  for (int b = 0; b < 3; b++) {
    const double q[3] = {f->Q[0][b], f->Q[1][b], f->Q[2][b]};
    const double dq[3] = {dQ[0][b], dQ[1][b], dQ[2][b]};
    double t[3];
    cross(q, dq, t); /* dq . (phi x q) = phi . (q x dq) */
    for (int a = 0; a < 3; a++) {
      torque[a] += t[a];
    }
  }
  cq_rotation_jacobian_t(f->slots + CQ_POSE_ROTATION, J_t);
  for (int a = 0; a < 3; a++) {
    d[CQ_POSE_ROTATION + a] +=
        J_t[a][0] * torque[0] + J_t[a][1] * torque[1] + J_t[a][2] * torque[2];
  }
}

/* d(inputs) of all particles to the slots of their bodies; the rotation's part is collected first,
 * since it turns every arm. */
void cq_poses_pull(const cq_poses *poses, const double *d_inputs) {
  memset(poses->d_slots, 0, (size_t)poses->count * CQ_POSE_SLOTS * sizeof *poses->d_slots);
  for (int b = 0; b < poses->count; b++) {
    const cq_pose *pose = &poses->poses[b];
    if (!pose->places && !pose->turns && !pose->resizes && !pose->moves) {
      continue;
    }
    const frame f = frame_of(poses, b);
    double *d = poses->d_slots + (size_t)b * CQ_POSE_SLOTS;
    double dQ[3][3] = {{0}};
    for (size_t i = 0; i < f.count; i++) {
      pull_particle(&f, poses, i, d_inputs, d, dQ);
    }
    pull_rotation(&f, dQ, d);
  }
}

/* bounds of T y from those of y */
static void turn_range(const cq_body *body, double arm[2][3]) {
  double own[2][3];
  memcpy(own, arm, sizeof own);
  for (int a = 0; a < body->shape.dim && body->shape.turn.is; a++) {
    arm[0][a] = arm[1][a] = 0.0;
    for (int b = 0; b < body->shape.dim; b++) {
      const double t = body->shape.turn.Q[a][b];
      arm[0][a] += t * own[t < 0.0][b];
      arm[1][a] += t * own[t >= 0.0][b];
    }
  }
}

/* dQ = K(phi) Q, phi = J d(rotation) */
static void push_rotation(const frame *f, const double *d, double dQ[3][3]) {
  double J_t[3][3], phi[3] = {0};
  cq_rotation_jacobian_t(f->slots + CQ_POSE_ROTATION, J_t);
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      phi[a] += J_t[b][a] * d[CQ_POSE_ROTATION + b];
    }
  }
  for (int b = 0; b < 3; b++) {
    const double q[3] = {f->Q[0][b], f->Q[1][b], f->Q[2][b]};
    double dq[3];
    cross(phi, q, dq);
    for (int a = 0; a < 3; a++) {
      dQ[a][b] = dq[a];
    }
  }
}

/* what d changes of particle i: apply(), differentiated */
static void push_particle(const frame *f, const cq_poses *poses, size_t i, const double *d,
                          double dQ[3][3], double *d_inputs) {
  const cq_pose *pose = f->pose;
  const size_t p = f->first + i;
  double own[3], y[3], r[3], dy[3] = {0}, dr[3] = {0}, turned[3], swung[3], growth = 0.0;
  arm_of(f, i, own, y, r);
  for (size_t a = 0; a < f->dim; a++) {
    dy[a] = d[CQ_POSE_SIZE + a] / pose->rest[CQ_POSE_SIZE + a] * own[a];
    growth += d[CQ_POSE_SIZE + a] / f->slots[CQ_POSE_SIZE + a];
  }
  turn(pose->body, false, dy);
  for (size_t a = 0; a < f->dim; a++) {
    for (int b = 0; b < 3; b++) {
      dr[b] += dQ[b][a] * y[a] + f->Q[b][a] * dy[a];
    }
  }
  cross(d + CQ_POSE_SPIN, r, turned);
  cross(f->slots + CQ_POSE_SPIN, dr, swung);
  for (size_t a = 0; a < f->dim; a++) {
    if (pose->places) {
      d_inputs[poses->x + p * f->dim + a] = d[CQ_POSE_CENTER + a] + dr[a];
    }
    if (pose->moves) {
      d_inputs[poses->v + p * f->dim + a] = d[CQ_POSE_VELOCITY + a] + turned[a] + swung[a];
    }
    for (size_t b = 0; b < f->dim && pose->turns && poses->F != CQ_NO_INPUT; b++) {
      d_inputs[poses->F + (p * f->dim + a) * f->dim + b] = dQ[a][b];
    }
  }
  if (pose->resizes) {
    d_inputs[poses->volume + p] =
        cq_body_volume(pose->body, i) * f->stretch[0] * f->stretch[1] * f->stretch[2] * growth;
  }
}

void cq_poses_push(const cq_poses *poses, double *d_inputs) {
  for (int b = 0; b < poses->count; b++) {
    const cq_pose *pose = &poses->poses[b];
    if (!pose->places && !pose->turns && !pose->resizes && !pose->moves) {
      continue;
    }
    const frame f = frame_of(poses, b);
    const double *d = poses->d_slots + (size_t)b * CQ_POSE_SLOTS;
    double dQ[3][3];
    push_rotation(&f, d, dQ);
    for (size_t i = 0; i < f.count; i++) {
      push_particle(&f, poses, i, d, dQ, d_inputs);
    }
  }
}

/* Bounds of places and volumes of a body, by interval arithmetic over the slots. */
static void range(const cq_poses *poses, const cq_pose *pose, const double *low, const double *high,
                  double *least, double *largest) {
  const size_t dim = (size_t)poses->dim;
  const size_t x = poses->x, V = poses->volume;
  for (size_t i = 0; i < (size_t)pose->body->count; i++) {
    const size_t p = (size_t)pose->body->first + i;
    double shrunk = cq_body_volume(pose->body, i), grown = shrunk, square = 0.0;
    double arm[2][3] = {{0}}, own[3];
    own_arm(pose->body, pose->rest + CQ_POSE_CENTER, i, own);
    for (size_t a = 0; a < dim; a++) {
      const double size0 = pose->rest[CQ_POSE_SIZE + a];
      const double near = own[a] * (low[CQ_POSE_SIZE + a] / size0);
      const double far = own[a] != 0.0 ? own[a] * (high[CQ_POSE_SIZE + a] / size0) : 0.0;
      arm[0][a] = fmin(near, far);
      arm[1][a] = fmax(near, far);
      square += fmax(near * near, far * far);
      shrunk *= low[CQ_POSE_SIZE + a] / size0;
      grown *= high[CQ_POSE_SIZE + a] / size0;
    }
    turn_range(pose->body, arm);
    for (size_t a = 0; a < dim && pose->places; a++) {
      /* turned, an arm reaches everywhere within its length */
      const double to_low = pose->turns ? -sqrt(square) : arm[0][a];
      const double to_high = pose->turns ? sqrt(square) : arm[1][a];
      least[x + p * dim + a] = low[CQ_POSE_CENTER + a] + to_low;
      largest[x + p * dim + a] = high[CQ_POSE_CENTER + a] + to_high;
    }
    if (pose->resizes) {
      least[V + p] = shrunk;
      largest[V + p] = grown;
    }
  }
}

void cq_poses_range(const cq_poses *poses, const double *low, const double *high, double *least,
                    double *largest) {
  for (int b = 0; b < poses->count; b++) {
    const size_t slots = (size_t)b * CQ_POSE_SLOTS;
    range(poses, &poses->poses[b], low + slots, high + slots, least, largest);
  }
}

/* The slots as the file has the body: what a design changes them from. */
void cq_pose_rest(const cq_body *body, double *slots) {
  double low[3], size[3];
  const cq_numbers *spin = &body->keys->spin;
  memset(slots, 0, CQ_POSE_SLOTS * sizeof *slots);
  const bool has_shape = body->keys->sampling != CQ_SAMPLING_POINTS;
  if (has_shape) {
    const cq_shape unturned = cq_shape_unturned(&body->shape);
    cq_shape_bounds(&unturned, low, size);
  }
  for (int a = 0; a < 3; a++) {
    const bool used = a < body->shape.dim;
    slots[CQ_POSE_CENTER + a] = used ? body->center[a] : 0.0;
    slots[CQ_POSE_SIZE + a] = used && has_shape ? size[a] : 1.0;
    slots[CQ_POSE_VELOCITY + a] = used ? body->keys->velocity[a] : 0.0;
  }
  for (int i = 0; i < spin->count; i++) {
    slots[CQ_POSE_SPIN + 3 - spin->count + i] = spin->values[i];
  }
}
