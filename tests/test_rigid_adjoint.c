/* Adjoint and tangent of steps with smooth contacts against central differences and each other. A
 * box and a ball fall on ground that is turned, onto each other, against a body that is driven and
 * carries an arm, and against a round one; the loss is a random sum over the last state, and over
 * how bodies were placed and pushed on the way. */
#include "rigid_world.h"

#include "rng.h"

enum { STEPS = 40, BODIES = 7, KNOTS = 3 };

/* an arm on the driven body: it turns a rod, and along the rod slides a ball, over the box */
static const joint hinge = {JOINT_HINGE, {0.0, 0.15, 0.0}, {0.0, 0.0, 1.0}, {0.0, 0.1, 0.0}};
static const joint slider = {JOINT_SLIDER, {0.0}, {1.0, 0.0, 0.0}, {0.0}};

static const double times[KNOTS] = {0.0, 0.05, 0.09};

/* all numbers that the loss depends on */
typedef struct numbers {
  double pose[7 * BODIES], twist[6 * BODIES], mass[BODIES], friction[BODIES], gravity[3];
  double wrench[6 * BODIES], controls[4], knots[7 * KNOTS];
} numbers;

typedef struct scene {
  world w;
  bool by_track;
  numbers at;
  double seed_pose[7 * BODIES], seed_twist[6 * BODIES], seed_contact[6 * BODIES];
  cq_placed seed_placed[BODIES];
  double poses[STEPS + 1][7 * BODIES], twists[STEPS + 1][6 * BODIES];
  track track;
  int contacts;
} scene;

/* the bodies, and a state in which they are about to touch */
static void make(scene *s, int dim, bool by_track) {
  cq_rng rng = cq_rng_seed(3);
  memset(s, 0, sizeof *s);
  s->by_track = by_track;
  world *w = &s->w;
  world_begin(w, dim, 9.81, 2e-3);
  w->r.smooth = true;
  /* far softer than usual, so that contacts last */
  w->r.stiffness = 3000.0;
  w->r.depth = 0.004;
  w->r.slip = 0.05;
  w->r.roll = 0.5;
  world_add(w, world_ground(), CQ_RIGID_FIXED, 0.4, 0.0, 0.0, 0.0);
  world_add(w, world_box(0.4, 0.3, 0.2), CQ_RIGID_FREE, 0.4, 0.0, 0.16, 0.0);
  world_add(w, world_ball(0.1), CQ_RIGID_FREE, 0.5, 0.05, 0.4, 0.02);
  world_add(w, world_box(0.1, 0.3, 0.4), CQ_RIGID_DRIVEN, 0.3, -0.28, 0.17, 0.0);
  world_add(w, world_ball(0.1), CQ_RIGID_FIXED, 0.2, 0.206, 0.517, 0.02);
  world_add(w, world_box(0.06, 0.2, 0.06), CQ_RIGID_DRIVEN, 0.3, -0.28, 0.42, 0.0);
  world_add(w, world_ball(0.08), CQ_RIGID_DRIVEN, 0.3, -0.15, 0.3905, 0.0);
  w->bodies[5].joint = &hinge;
  w->bodies[5].parent = 3;
  w->bodies[5].first_control = 2;
  w->bodies[6].joint = &slider;
  w->bodies[6].parent = 5;
  w->bodies[6].first_control = 3;
  w->bodies[0].rolling = w->bodies[1].rolling = w->bodies[2].rolling = 0.01;
  w->bodies[3].drive = (drive){.own = 1, .n_controls = 2, .component = {0, dim == 2 ? 2 : 4}};
  w->bodies[0].belt[0] = 0.3;
  if (dim == 2) { /* two lie on ground, too */
    w->r.ground_rest = 0.2;
    cq_rigid_on_ground(&w->bodies[1], 1.0);
    cq_rigid_on_ground(&w->bodies[2], 2.0);
  }
  memcpy(s->at.pose, w->pose, sizeof s->at.pose);
  memcpy(s->at.mass, w->mass, sizeof s->at.mass);
  memcpy(s->at.friction, w->friction, sizeof s->at.friction);
  memcpy(s->at.gravity, w->gravity, sizeof s->at.gravity);
  s->at.mass[2] = 0.7;
  s->at.controls[0] = 0.8;
  s->at.controls[1] = 0.6;
  s->at.controls[2] = -0.1;
  s->at.controls[3] = 0.3;
  const int np = cq_rigid_pose_size(dim), nt = cq_rigid_twist_size(dim);
  for (int i = 0; i < nt * BODIES; i++) {
    s->at.twist[i] = i < nt ? 0.0 : 0.6 * cq_rng_uniform(&rng) - 0.3;
    s->at.wrench[i] = 0.5 * cq_rng_uniform(&rng);
    s->seed_twist[i] = cq_rng_uniform(&rng) - 0.5;
    s->seed_contact[i] = 0.02 * cq_rng_uniform(&rng) - 0.01;
  }
  for (int i = 0; i < np * BODIES; i++) {
    s->seed_pose[i] = cq_rng_uniform(&rng) - 0.5;
    /* a little turned, all of them */
    s->at.pose[i] += i % np >= dim ? 0.02 * cq_rng_uniform(&rng) : 0.0;
  }
  double *seeds = (double *)s->seed_placed;
  for (size_t i = 0; i < sizeof s->seed_placed / (sizeof(double)); i++) {
    seeds[i] = 0.1 * cq_rng_uniform(&rng) - 0.05;
  }
  for (int k = 0; k < KNOTS; k++) {
    memcpy(s->at.knots + k * np, s->at.pose + 3 * np, (size_t)np * sizeof(double));
    for (int i = 0; i < np; i++) {
      s->at.knots[k * np + i] += i == 0 ? 0.03 * k : 0.02 * k * cq_rng_uniform(&rng);
    }
  }
}

/* runs all steps and returns the loss */
static double run(scene *s) {
  world *w = &s->w;
  s->track = (track){.n_knots = KNOTS, .times = times, .knots = s->at.knots};
  w->bodies[3].track = s->by_track ? &s->track : NULL;
  w->step.controls = s->at.controls;
  w->step.mass = s->at.mass;
  w->step.friction = s->at.friction;
  w->step.gravity = s->at.gravity;
  w->step.wrench = s->at.wrench;
  memcpy(s->poses[0], s->at.pose, sizeof s->at.pose);
  memcpy(s->twists[0], s->at.twist, sizeof s->at.twist);
  s->contacts = 0;
  double loss = 0.0;
  for (int k = 0; k < STEPS; k++) {
    cq_rigid_step step = w->step;
    double contact[6 * BODIES] = {0};
    step.time = k * step.dt;
    step.contact = contact;
    step.pose = s->poses[k];
    step.twist = s->twists[k];
    step.next_pose = s->poses[k + 1];
    step.next_twist = s->twists[k + 1];
    CHECK(cq_rigids_step(w->ctx, &w->r, &step) == CQ_OK);
    s->contacts += step.contacts;
    cq_placed at[BODIES];
    CHECK(cq_rigids_place(w->ctx, &w->r, &step, at) == CQ_OK);
    for (size_t i = 0; i < sizeof at / (sizeof(double)); i++) {
      loss += ((double *)s->seed_placed)[i] * ((double *)at)[i];
    }
    for (int i = 0; i < 6 * BODIES; i++) {
      loss += s->seed_contact[i] * contact[i];
    }
  }
  for (int i = 0; i < 7 * BODIES; i++) {
    loss += s->seed_pose[i] * s->poses[STEPS][i];
  }
  for (int i = 0; i < 6 * BODIES; i++) {
    loss += s->seed_twist[i] * s->twists[STEPS][i];
  }
  return loss;
}

/* the gradient by all numbers: back over the steps, with what is due to bodies as placed */
static void run_back(scene *s, numbers *g) {
  world *w = &s->w;
  memset(g, 0, sizeof *g);
  track_gradient tracks[BODIES] = {{0}};
  tracks[3].knots = g->knots;
  double pose[7 * BODIES], twist[6 * BODIES];
  memcpy(pose, s->seed_pose, sizeof pose);
  memcpy(twist, s->seed_twist, sizeof twist);
  for (int k = STEPS - 1; k >= 0; k--) {
    cq_rigid_step step = w->step;
    step.time = k * step.dt;
    step.pose = s->poses[k];
    step.twist = s->twists[k];
    cq_rigid_adjoint d = {.next_pose = pose,
                          .next_twist = twist,
                          .contact = s->seed_contact,
                          .pose = g->pose,
                          .twist = g->twist,
                          .mass = g->mass,
                          .friction = g->friction,
                          .gravity = g->gravity,
                          .wrench = g->wrench,
                          .controls = g->controls,
                          .tracks = tracks};
    CHECK(cq_rigids_adjoint(w->ctx, &w->r, &step, &d) == CQ_OK);
    CHECK(cq_rigids_place_adjoint(w->ctx, &w->r, &step, s->seed_placed, &d) == CQ_OK);
    memcpy(pose, g->pose, sizeof pose);
    memcpy(twist, g->twist, sizeof twist);
  }
}

/* the derivative of the loss in the direction t of all numbers, carried along from step to step */
static double run_along(scene *s, const numbers *t) {
  world *w = &s->w;
  track tracks[BODIES] = {{0}};
  tracks[3].knots = t->knots;
  double pose[7 * BODIES], twist[6 * BODIES], next_pose[7 * BODIES] = {0},
                                                            next_twist[6 * BODIES] = {0};
  memcpy(pose, t->pose, sizeof pose);
  memcpy(twist, t->twist, sizeof twist);
  double loss = 0.0;
  for (int k = 0; k < STEPS; k++) {
    cq_rigid_step step = w->step;
    cq_placed at[BODIES];
    step.time = k * step.dt;
    step.pose = s->poses[k];
    step.twist = s->twists[k];
    const cq_rigid_tangent d = {.pose = pose,
                                .twist = twist,
                                .mass = t->mass,
                                .friction = t->friction,
                                .gravity = t->gravity,
                                .wrench = t->wrench,
                                .controls = t->controls,
                                .tracks = tracks,
                                .next_pose = next_pose,
                                .next_twist = next_twist};
    CHECK(cq_rigids_tangent(w->ctx, &w->r, &step, &d) == CQ_OK);
    CHECK(cq_rigids_place_tangent(w->ctx, &w->r, &step, &d, at) == CQ_OK);
    for (size_t i = 0; i < sizeof at / (sizeof(double)); i++) {
      loss += ((double *)s->seed_placed)[i] * ((double *)at)[i];
    }
    memcpy(pose, next_pose, sizeof pose);
    memcpy(twist, next_twist, sizeof twist);
  }
  for (int i = 0; i < 7 * BODIES; i++) {
    loss += s->seed_pose[i] * pose[i];
  }
  for (int i = 0; i < 6 * BODIES; i++) {
    loss += s->seed_twist[i] * twist[i];
  }
  return loss;
}

/* tangent and adjoint agree in random directions, by all numbers together */
static void check_tangent(scene *s) {
  numbers g, t;
  double *direction = (double *)&t, *gradient = (double *)&g;
  cq_rng rng = cq_rng_seed(9);
  memset(s->seed_contact, 0, sizeof s->seed_contact); /* tangents know nothing of what pushes */
  run(s);
  run_back(s, &g);
  for (int k = 0; k < 5; k++) {
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < sizeof t / sizeof(double); i++) {
      direction[i] = cq_rng_uniform(&rng) - 0.5;
      sum += direction[i] * gradient[i];
      size += fabs(direction[i] * gradient[i]);
    }
    CHECK_NEAR(run_along(s, &t), sum, 1e-10 * size);
  }
}

static double difference(scene *s, double *number) {
  const double h = 1e-7, kept = *number;
  double sum = 0.0;
  const double at[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
  for (int i = 0; i < 4; i++) {
    *number = kept + at[i] * h;
    sum += weight[i] * run(s) / (12.0 * h);
  }
  *number = kept;
  return sum;
}

/* every number of the scene; how many of them matter */
static int check_all(scene *s) {
  numbers g;
  double *at = (double *)&s->at, *gradient = (double *)&g;
  run(s);
  CHECK(s->contacts > STEPS);
  run_back(s, &g);
  double largest = 0.0, worst = 0.0;
  int matter = 0;
  for (size_t i = 0; i < sizeof g / sizeof(double); i++) {
    largest = fmax(largest, fabs(gradient[i]));
  }
  for (size_t i = 0; i < sizeof g / sizeof(double); i++) {
    const double d = difference(s, &at[i]);
    worst = fmax(worst, fabs(d - gradient[i]));
    matter += gradient[i] != 0.0;
    CHECK_MSG(fabs(d - gradient[i]) <= 1e-6 * largest, "number %d: %.9g, by differences %.9g",
              (int)i, gradient[i], d);
  }
  printf("  %dD, by %s: off by %.1e of %.1e, %d numbers matter\n", s->w.r.dim,
         s->by_track ? "a track" : "controls", worst, largest, matter);
  return matter;
}

static void test_all_numbers(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int by_track = 0; by_track < 2; by_track++) {
      static scene s;
      make(&s, dim, by_track);
      const int matter = check_all(&s);
      check_tangent(&s);
      CHECK(matter > (dim == 2 ? 30 : 60));
      world_end(&s.w);
    }
  }
}

/* a ball at rest in the smooth law sinks in by the depth that was asked for */
static void test_depth(void) {
  world w;
  world_begin(&w, 3, 9.81, 1e-4);
  w.r.smooth = true;
  world_add(&w, world_ground(), CQ_RIGID_FIXED, 0.5, 0.0, 0.0, 0.0);
  const int ball = world_add(&w, world_ball(0.1), CQ_RIGID_FREE, 0.5, 0.0, 0.1, 0.0);
  world_run(&w, 20000);
  CHECK_NEAR(world_pose(&w, ball)[1], 0.1 - 1e-3, 1e-6);
  CHECK_NEAR(w.contact[1], -9.81, 1e-3);
  world_end(&w);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_all_numbers);
  RUN(test_depth);
  return TEST_RESULT();
}
