#include "pose.h"

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

/* I + a K + b K^2 with K v = w x v */
static void polynomial(const double *w, double a, double b, double M[3][3]) {
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    M[i][i] = 1.0 + b * (w[i] * w[i] - square);
    M[i][j] = b * w[i] * w[j] - a * w[k];
    M[i][k] = b * w[i] * w[k] + a * w[j];
  }
}

/* Rodrigues: sin t/t and (1 - cos t)/t^2 */
static void rotation_matrix(const double *w, double Q[3][3]) {
  const double t = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double half = t > 0.0 ? sin(0.5 * t) / (0.5 * t) : 1.0;
  polynomial(w, t > 0.0 ? sin(t) / t : 1.0, 0.5 * half * half, Q);
}

/* dQ Q^T is the cross product with J dw, J = I + (1 - cos t)/t^2 K + (t - sin t)/t^3 K^2. This is
 * J^T. */
static void rotation_jacobian_t(const double *w, double M[3][3]) {
  const double s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], t = sqrt(s);
  const double half = t > 0.0 ? sin(0.5 * t) / (0.5 * t) : 1.0;
  const double c = s < 0.1 ? 1.0 / 6 - s / 120 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110)))
                           : (t - sin(t)) / (s * t);
  polynomial(w, -0.5 * half * half, c, M);
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
  rotation_matrix(f.slots + CQ_POSE_ROTATION, f.Q);
  return f;
}

/* y = stretch r0 and r = Q y of particle i */
static void arm_of(const frame *f, size_t i, double *y, double *r) {
  const double *x0 = f->pose->body->x + i * f->dim;
  for (size_t a = 0; a < 3; a++) {
    y[a] = a < f->dim ? f->stretch[a] * (x0[a] - f->center0[a]) : 0.0;
  }
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
    double y[3], r[3];
    arm_of(f, i, y, r);
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
  double dx[3] = {0}, dv[3] = {0}, y[3], r[3], dr[3], turned[3];
  for (size_t a = 0; a < f->dim; a++) {
    dx[a] = pose->places ? d_inputs[poses->x + p * f->dim + a] : 0.0;
    dv[a] = pose->moves ? d_inputs[poses->v + p * f->dim + a] : 0.0;
    for (size_t b = 0; b < f->dim && turns; b++) {
      dQ[a][b] += d_inputs[poses->F + (p * f->dim + a) * f->dim + b];
    }
  }
  arm_of(f, i, y, r);
  cross(dv, spin, dr);  /* of dv . (spin x r) by r */
  cross(r, dv, turned); /* by spin */
  for (int a = 0; a < 3; a++) {
    dr[a] += dx[a];
    d[CQ_POSE_CENTER + a] += dx[a];
    d[CQ_POSE_VELOCITY + a] += dv[a];
    d[CQ_POSE_SPIN + a] += turned[a];
  }
  for (size_t a = 0; a < f->dim; a++) {
    const double dy = f->Q[0][a] * dr[0] + f->Q[1][a] * dr[1] + f->Q[2][a] * dr[2];
    const double size0 = pose->rest[CQ_POSE_SIZE + a];
    d[CQ_POSE_SIZE + a] += dy * (pose->body->x[i * f->dim + a] - f->center0[a]) / size0;
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
  rotation_jacobian_t(f->slots + CQ_POSE_ROTATION, J_t);
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

/* Bounds of places and volumes of a body, by interval arithmetic over the slots. */
static void range(const cq_poses *poses, const cq_pose *pose, const double *low, const double *high,
                  double *least, double *largest) {
  const size_t dim = (size_t)poses->dim;
  const size_t x = poses->x, V = poses->volume;
  for (size_t i = 0; i < (size_t)pose->body->count; i++) {
    const size_t p = (size_t)pose->body->first + i;
    double shrunk = cq_body_volume(pose->body, i), grown = shrunk, square = 0.0;
    double arm[2][3] = {{0}};
    for (size_t a = 0; a < dim; a++) {
      const double size0 = pose->rest[CQ_POSE_SIZE + a];
      const double r0 = pose->body->x[i * dim + a] - pose->rest[CQ_POSE_CENTER + a];
      const double near = r0 * (low[CQ_POSE_SIZE + a] / size0);
      const double far = r0 != 0.0 ? r0 * (high[CQ_POSE_SIZE + a] / size0) : 0.0;
      arm[0][a] = fmin(near, far);
      arm[1][a] = fmax(near, far);
      square += fmax(near * near, far * far);
      shrunk *= low[CQ_POSE_SIZE + a] / size0;
      grown *= high[CQ_POSE_SIZE + a] / size0;
    }
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
    cq_shape_bounds(&body->shape, low, size);
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
