/* Particles that rigid bodies carry: where they are, and what is due to them. One dimension, in
 * double. */
#include "mpm_rigid_bodies.h"

#include "map.h"
#include "mpm_inputs.h"
#include "rigid_pose.h"

#include "turn_numbers.h"

#include <string.h>

static vec arm_of(const bodies *b, int particle) {
  vec y;
  memcpy(&y, b->arm + (size_t)particle * CQ_DIM, sizeof y);
  return y;
}

static pose pose_of(const bodies *b, int i) {
  return pose_read(b->looked + (size_t)i * CQ_POSE);
}

void WIDE(cq_bodies_look)(bodies *b, const double *state) {
  if (b == NULL) {
    return;
  }
  b->looked = state;
  for (int i = 0; i < b->n; i++) {
    const twist t = twist_read(state + (size_t)b->n * CQ_POSE + (size_t)i * CQ_TWIST);
    const placed at = pose_placed(pose_of(b, i), t, vec_zero());
    b->seen[i] = placed_write(&at);
  }
}

void WIDE(cq_bodies_carried)(const bodies *b, int particle, double *x, double *v,
                             double *substance) {
  const placed at = placed_read(&b->seen[b->body_of[particle]]);
  const vec r = mat_vec(at.R, arm_of(b, particle));
  const vec place = vec_add(at.x, r), velocity = vec_add(at.v, spin_turn(at.w, r));
  memcpy(x, &place, sizeof place);
  memcpy(v, &velocity, sizeof velocity);
  for (int k = 0; k < 4; k++) {
    substance[k] = b->inputs[b->layout->offset[CQ_INPUT_youngs_modulus + k] +
                             (size_t)(b->own->n_soft + particle)];
  }
}

int WIDE(cq_bodies_of_group)(const bodies *b, const cq_group *group) {
  if (b == NULL) {
    return -1;
  }
  if (group->count > 0) {
    const int particle = group->particles[0] - b->own->n_soft;
    return particle >= 0 ? b->body_of[particle] : -1;
  }
  return group->parameter <= b->n ? (int)group->parameter - 1 : -1;
}

/* velocity or force, then spin or torque */
static void spread(const double *both, double *linear, double *angular) {
  memcpy(linear, both, CQ_DIM * sizeof *linear);
  memcpy(angular + 3 - CQ_SPINS, both + CQ_DIM, CQ_SPINS * sizeof *angular);
}

/* and back: adds to both */
static void gather(const double *linear, const double *angular, double *both) {
  FOR_AXES(a) {
    both[a] += linear[a];
  }
  FOR_SPINS(a) {
    both[CQ_DIM + a] += angular[3 - CQ_SPINS + a];
  }
}

void WIDE(cq_bodies_motion)(const bodies *b, int i, double numbers[12]) {
  const pose p = pose_of(b, i);
  const double *twists = b->looked + (size_t)b->n * CQ_POSE;
  const double *wrenches = twists + (size_t)b->n * CQ_TWIST;
  double velocity[3];
  memset(numbers, 0, 12 * sizeof *numbers);
  turn_vector(p.q, numbers);
  spread(twists + (size_t)i * CQ_TWIST, velocity, numbers + 3);
  spread(wrenches + (size_t)i * CQ_TWIST, numbers + 6, numbers + 9);
}

void WIDE(cq_bodies_give_motion)(bodies *b, int seed, int i, const double due[12]) {
  static const double nothing[3] = {0};
  bodies_adjoint *a = &b->adjoints[seed];
  const turn dq = turn_vector_adjoint(pose_of(b, i).q, due);
  for (int k = 0; k < CQ_TURN; k++) {
    a->pose[i * CQ_POSE + CQ_DIM + k] += dq.q[k];
  }
  gather(nothing, due + 3, a->twist + (size_t)i * CQ_TWIST);
  gather(due + 6, due + 9, a->wrench + (size_t)i * CQ_TWIST);
  for (int k = 6; k < 12; k++) {
    a->pushed = a->pushed || due[k] != 0.0;
  }
}

void WIDE(cq_bodies_give)(bodies *b, int seed, int particle, const double *dx, const double *dv,
                          const double *dsubstance) {
  double *to = b->adjoints[seed].carried + (size_t)particle * 2 * CQ_DIM;
  double *sums = b->adjoints[seed].substance + (size_t)particle * 4;
  FOR_AXES(k) {
    to[k] += dx[k];
    to[CQ_DIM + k] += dv[k];
  }
  for (int k = 0; k < 4; k++) {
    sums[k] += dsubstance[k];
  }
}

/* Takes what is due to a particle of body `at`, and leaves zeros. */
static void collect_one(const bodies *b, const placed *at, int particle, double *carried,
                        placed *due) {
  const vec y = arm_of(b, particle), r = mat_vec(at->R, y);
  vec dx, dv;
  memcpy(&dx, carried, sizeof dx);
  memcpy(&dv, carried + CQ_DIM, sizeof dv);
  memset(carried, 0, 2 * CQ_DIM * sizeof *carried);
  due->x = vec_add(due->x, dx);
  due->v = vec_add(due->v, dv);
  due->w = spin_add(due->w, spin_arm(r, dv));
  /* dL/dr: of v + w x r by r */
  due->R = mat_add(due->R, vec_outer(vec_sub(dx, spin_turn(at->w, dv)), y));
}

/* What is due to carried particles goes to the poses and twists of their bodies. */
void WIDE(cq_bodies_collect)(bodies *b, int seed) {
  for (int i = 0; b != NULL && i < b->n; i++) {
    const cq_mpm_rigid *own = &b->own->rigid[i];
    bodies_adjoint *a = &b->adjoints[seed];
    const placed at = placed_read(&b->seen[i]);
    placed due = placed_zero();
    for (int p = own->first - b->own->n_soft, end = p + own->count; p < end; p++) {
      collect_one(b, &at, p, a->carried + (size_t)p * 2 * CQ_DIM, &due);
    }
    pose dp = pose_read(a->pose + (size_t)i * CQ_POSE);
    twist dt = twist_read(a->twist + (size_t)i * CQ_TWIST);
    vec dbelt = vec_zero();
    pose_placed_adjoint(pose_of(b, i), vec_zero(), due, &dp, &dt, &dbelt);
    memcpy(a->pose + (size_t)i * CQ_POSE, &dp, sizeof dp);
    memcpy(a->twist + (size_t)i * CQ_TWIST, &dt, sizeof dt);
  }
}

void WIDE(cq_bodies_download)(bodies *b, const double *state, double *out) {
  WIDE(cq_bodies_look)(b, state);
  for (int i = 0; b != NULL && i < b->n_carried; i++) {
    const size_t p = (size_t)(b->own->n_soft + i), square = CQ_DIM * CQ_DIM;
    const size_t *at = b->layout->offset;
    double *F = out + at[CQ_INPUT_F] + p * square, substance[4];
    double *x = out + at[CQ_INPUT_x] + p * CQ_DIM, *v = out + at[CQ_INPUT_v] + p * CQ_DIM;
    WIDE(cq_bodies_carried)(b, i, x, v, substance);
    memset(F, 0, square * sizeof *F);
    memset(out + at[CQ_INPUT_C] + p * square, 0, square * sizeof *out);
    FOR_AXES(a) {
      F[a * CQ_DIM + a] = 1.0;
    }
  }
}

void WIDE(cq_bodies_maps)(const bodies *b, const double *state, double *maps) {
  for (int i = 0; b != NULL && i < b->n; i++) {
    const pose p = pose_read(state + (size_t)i * CQ_POSE);
    const mat R = turn_matrix(p.q);
    double *map = maps + (size_t)b->own->rigid[i].wall * CQ_MAP, center[3] = {0}, at[3] = {0};
    FOR_AXES(r) {
      FOR_AXES(c) {
        map[4 * r + c] = R.m[r][c];
      }
      center[r] = b->own->placed_center[i * CQ_DIM + r];
      at[r] = p.x.v[r];
    }
    cq_map_bring(map, center, at);
  }
}
