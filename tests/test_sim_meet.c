/* Nodes of a grid that meet rigid bodies (mpm_meet.h): momentum, closed forms, the law of a light
 * body, and the adjoint against differences. */
#include "alloc.h"
#include "mpm_meet_touch.h"
#include "rigid_world.h"
#include "rng.h"

enum { BODIES = 4, NODES = 2000, KEPT = 800 };

static const double cell = 0.1, dt = 1e-3;

typedef struct scene {
  world w;
  cq_mpm_rigid rigid[WORLD_MOST];
  cq_placed at[WORLD_MOST];
  cq_mpm_meet m;
  int n; /* nodes */
  double x[NODES][3], v[NODES][3], mass[NODES];
  double kept[1 + KEPT * CQ_KEPT_NUMBERS]; /* mean pressures before, if there are any */
  unsigned char single;                    /* of the only field */
  double room, full, slope[NODES][3];
  cq_mpm_fields fields; /* of these */
} scene;

static double uniform(cq_rng *rng, double size) {
  return size * (2.0 * cq_rng_uniform(rng) - 1.0);
}

static void begin(scene *s, int dim, double gravity) {
  memset(s, 0, sizeof *s);
  world_begin(&s->w, dim, gravity, dt);
  s->m = (cq_mpm_meet){.rigids = &s->w.r,
                       .rigid = s->rigid,
                       .cell = cell,
                       .epsilon = 1e-4,
                       .step = &s->w.step,
                       .at = s->at,
                       .keys = NODES};
}

static void end(scene *s) {
  cq_mpm_meet_free(s->w.ctx, &s->m);
  world_end(&s->w);
}

static int add(scene *s, cq_shape shape, cq_boundary_kind kind, double friction, double mass,
               double x, double y, double z) {
  const int i = world_add(&s->w, shape, CQ_RIGID_FREE, friction, x, y, z);
  s->rigid[i] = (cq_mpm_rigid){.meets = true, .kind = kind};
  s->w.mass[i] = mass;
  return i;
}

/* all nodes of a lattice within -half .. half of each axis, with random masses and velocities */
static void fill(scene *s, cq_rng *rng, double half, double mass, double speed) {
  const int dim = s->w.r.dim, most = (int)(half / cell);
  for (int k = dim == 3 ? -most : 0; k <= (dim == 3 ? most : 0); k++) {
    for (int j = -most; j <= most; j++) {
      for (int i = -most; i <= most && s->n < NODES; i++) {
        const double x[3] = {i * cell, j * cell, k * cell};
        memcpy(s->x[s->n], x, sizeof x);
        s->mass[s->n] = mass * (0.5 + cq_rng_uniform(rng));
        for (int a = 0; a < dim; a++) {
          s->v[s->n][a] = uniform(rng, speed);
        }
        s->n++;
      }
    }
  }
}

/* a random twist, and a random turn */
static void stir(scene *s, cq_rng *rng, int i, double speed) {
  const int dim = s->w.r.dim;
  double *p = world_pose(&s->w, i), *t = world_twist(&s->w, i), square = 0.0;
  for (int a = 0; a < cq_rigid_twist_size(dim); a++) {
    t[a] = uniform(rng, speed);
  }
  for (int a = dim; a < cq_rigid_pose_size(dim); a++) {
    p[a] = uniform(rng, 1.0);
    square += p[a] * p[a];
  }
  for (int a = dim; a < cq_rigid_pose_size(dim) && dim == 3; a++) {
    p[a] /= sqrt(square);
  }
}

static void place(scene *s) {
  CHECK(cq_rigids_place(s->w.ctx, &s->w.r, &s->w.step, s->at) == CQ_OK);
}

static cq_status add_node(scene *s, int i) {
  cq_mpm_meet_node node = {.id = (size_t)i, .key = i, .mass = s->mass[i]};
  memcpy(node.x, s->x[i], sizeof node.x);
  memcpy(node.v, s->v[i], sizeof node.v);
  return cq_mpm_meet_add(s->w.ctx, &s->m, &node);
}

static void meet(scene *s) {
  CHECK(cq_mpm_meet_begin(s->w.ctx, &s->m) == CQ_OK);
  kept_begin(&s->m.means, s->kept);
  for (int i = 0; i < s->n; i++) {
    if (add_node(s, i) != CQ_OK) {
      CHECK(false);
    }
  }
  for (int i = 0; i < s->m.n_nodes; i++) {
    memcpy(s->m.nodes[i].slope, s->slope[s->m.nodes[i].id], sizeof s->slope[0]);
  }
  cq_mpm_meet_run(&s->m);
}

/* Nodes lean where bodies separate; of some little is known, and some are far from full. */
static void lean(scene *s, cq_rng *rng) {
  s->single = 1;
  s->room = 100.0;
  s->full = s->w.r.dim == 2 ? 8.0 : 40.0;
  s->fields = (cq_mpm_fields){.n = 1, .single = &s->single, .room = &s->room, .full = &s->full};
  s->m.fields = &s->fields;
  for (int i = 0; i < s->n; i++) {
    s->mass[i] *= i % 4 == 0 ? 0.15 : 1.0;
    for (int a = 0; a < s->w.r.dim; a++) {
      s->slope[i][a] = i % 11 == 0 ? 0.0 : uniform(rng, 1.0);
    }
  }
}

/* Friction goes by the mean of the pressure, of a step before with other velocities, too. */
static void remember(scene *s, int room, cq_rng *rng) {
  for (int i = 0; i < s->w.r.n; i++) {
    s->rigid[i].friction_time = s->rigid[i].kind == CQ_BOUNDARY_separate ? 10.0 * dt : 0.0;
    s->rigid[i].friction_slip = 5.0 * dt;
  }
  CHECK(kept_create(s->w.ctx, &s->m.means, room) == CQ_OK);
  meet(s);
  kept_end(&s->m.means, s->kept);
  for (int i = 0; i < s->n; i++) {
    for (int a = 0; a < s->w.r.dim; a++) {
      s->v[i][a] = 0.5 * s->v[i][a] + uniform(rng, 0.5);
    }
  }
}

static double segment_2d[] = {-0.08, 0.0, 0.08, 0.0};
static double segment_3d[] = {-0.08, 0.0, 0.0, 0.08, 0.0, 0.0};

/* four bodies less than a cell apart, of all conditions, that turn */
static void make_crowd(scene *s, int dim, cq_rng *rng, double gravity, double lightness) {
  begin(s, dim, gravity);
  const cq_shape capsule = {.kind = CQ_SHAPE_capsule,
                            .radius = 0.12,
                            .n_points = 2,
                            .points = dim == 2 ? segment_2d : segment_3d};
  add(s, world_ball(0.22), CQ_BOUNDARY_separate, 0.4, 1.3 * lightness, dim == 2 ? -0.21 : -0.25,
      0.0, 0.0);
  add(s, capsule, CQ_BOUNDARY_slip, 0.0, 0.7 * lightness, 0.24, 0.02, 0.03);
  add(s, world_box(0.5, 0.2, 0.3), CQ_BOUNDARY_separate, 0.8, 2.0 * lightness, 0.0, 0.47, 0.02);
  add(s, world_box(0.4, 0.25, 0.3), CQ_BOUNDARY_sticky, 0.3, 1.0 * lightness, 0.02, -0.5, 0.0);
  for (int i = 0; i < BODIES; i++) {
    stir(s, rng, i, 1.0);
  }
  for (int i = 1; i < BODIES && dim == 2; i++) { /* only a little turned, and so nearer */
    world_pose(&s->w, i)[1] *= 0.9;
    world_pose(&s->w, i)[2] *= 0.1;
  }
  fill(s, rng, 0.7, dim == 2 ? 0.05 : 0.01, 1.0);
  place(s);
}

/* momentum, and its moment about the origin, of everything; and the sums of their sizes */
static void momentum(const scene *s, const double *pose, const double *twist, bool after,
                     double *sum, double *size) {
  const int dim = s->w.r.dim, np = cq_rigid_pose_size(dim), nt = cq_rigid_twist_size(dim);
  memset(sum, 0, 6 * sizeof *sum);
  *size = 0.0;
  for (int i = 0; i < s->n + s->w.r.n; i++) {
    const int b = i - s->n;
    const double *x = b < 0 ? s->x[i] : pose + b * np, *v = b < 0 ? s->v[i] : twist + b * nt;
    const double mass = b < 0 ? s->mass[i] : s->w.mass[b];
    double r[3] = {0}, p[3] = {0};
    for (int k = 0; k < s->m.n_nodes && b < 0 && after; k++) {
      v = s->m.nodes[k].id == (size_t)i ? s->m.nodes[k].v : v;
    }
    for (int a = 0; a < dim; a++) {
      r[a] = x[a];
      p[a] = mass * v[a];
      sum[a] += p[a];
      *size += fabs(p[a]) * (1.0 + fabs(r[a]));
    }
    for (int a = 0; a < 3; a++) {
      sum[3 + a] += r[(a + 1) % 3] * p[(a + 2) % 3] - r[(a + 2) % 3] * p[(a + 1) % 3];
    }
  }
}

/* Adds the spins of bodies to the moment of momentum, and returns their energy of motion; moments
 * of inertia are along the bodies' own axes. */
static double add_spins(const scene *s, const double *pose, const double *twist, double *sum) {
  const int dim = s->w.r.dim, nt = cq_rigid_twist_size(dim);
  cq_placed at[WORLD_MOST];
  cq_rigid_step step = s->w.step;
  double energy = 0.0;
  step.pose = pose;
  step.twist = twist;
  CHECK(cq_rigids_place(s->w.ctx, &s->w.r, &step, at) == CQ_OK);
  for (int i = 0; i < s->w.r.n; i++) {
    const cq_inertia *I = &s->w.bodies[i].inertia;
    const double unit = s->w.mass[i] / I->volume, *w = twist + i * nt + dim;
    for (int a = 0; a < dim; a++) {
      energy += 0.5 * s->w.mass[i] * twist[i * nt + a] * twist[i * nt + a];
    }
    for (int a = 0; a < (dim == 2 ? 1 : 3); a++) {
      double own = dim == 2 ? w[0] : 0.0;
      for (int b = 0; b < 3 && dim == 3; b++) {
        own += at[i].R[b][a] * w[b];
      }
      energy += 0.5 * unit * I->moment[a] * own * own;
      for (int b = 0; b < 3; b++) {
        sum[3 + b] += (dim == 2 ? b == 2 : at[i].R[b][a]) * unit * I->moment[a] * own;
      }
    }
  }
  return energy;
}

/* of all nodes, before they meet or after */
static double energy_of_nodes(const scene *s, bool after) {
  double energy = 0.0;
  for (int i = 0; i < s->n; i++) {
    for (int a = 0; a < s->w.r.dim; a++) {
      energy += 0.5 * s->mass[i] * s->v[i][a] * s->v[i][a];
    }
  }
  for (int i = 0; i < s->m.n_nodes && after; i++) {
    const cq_mpm_meet_node *node = &s->m.nodes[i];
    for (int a = 0; a < s->w.r.dim; a++) {
      const double old = s->v[node->id][a];
      energy += 0.5 * node->mass * (node->v[a] * node->v[a] - old * old);
    }
  }
  return energy;
}

/* A whole step: no momentum is lost, nor made. Returns by what the energy of motion grew. */
static double step_and_check(scene *s, const char *what, int number) {
  double before[6], after[6], size, unused, off = 0.0;
  momentum(s, s->w.pose, s->w.twist, false, before, &size);
  double grown = -energy_of_nodes(s, false) - add_spins(s, s->w.pose, s->w.twist, before);
  meet(s);
  s->w.step.wrench = s->m.wrench;
  CHECK(cq_rigids_step(s->w.ctx, &s->w.r, &s->w.step) == CQ_OK);
  CHECK(s->w.step.contacts == 0 && s->m.n_nodes > 10);
  momentum(s, s->w.next_pose, s->w.next_twist, true, after, &unused);
  grown += energy_of_nodes(s, true) + add_spins(s, s->w.next_pose, s->w.next_twist, after);
  for (int a = 0; a < 6; a++) {
    off = fmax(off, fabs(after[a] - before[a]));
  }
  CHECK_MSG(off < 1e-13 * size, "%s %d: momentum is off by %.1e of %.1e", what, number, off, size);
  return grown;
}

static void test_momentum(void) {
  int shared = 0;
  for (int i = 0; i < 40; i++) {
    cq_rng rng = cq_rng_seed((unsigned long)(100 + i));
    scene s;
    make_crowd(&s, 2 + i % 2, &rng, 0.0, i % 4 == 0 ? 1e-3 : i % 4 == 1 ? 30.0 : 1.0);
    step_and_check(&s, "crowd", i);
    shared += s.m.n_touches - s.m.n_nodes;
    CHECK_MSG(s.m.unsettled == 0, "case %d: %d bodies are not settled", i, s.m.unsettled);
    /* what the twist was found from is what becomes of it */
    for (int k = 0; k < s.w.r.n * cq_rigid_twist_size(s.w.r.dim) && s.w.r.dim == 2; k++) {
      CHECK_NEAR(s.m.twist[k], s.w.next_twist[k], 1e-11);
    }
    end(&s);
  }
  CHECK(shared > 20); /* nodes that meet two bodies */
  for (int i = 0; i < 20; i++) {
    cq_rng rng = cq_rng_seed((unsigned long)(200 + i));
    scene s;
    make_crowd(&s, 2 + i % 2, &rng, 0.0, 1.0);
    lean(&s, &rng);
    step_and_check(&s, "leaning crowd", i);
    end(&s);
  }
}

/* Nodes inside of a body that stick to it: both have the joint velocity, and the joint spin. */
static void test_glued(void) {
  for (int dim = 2; dim <= 3; dim++) {
    cq_rng rng = cq_rng_seed(5);
    scene s;
    begin(&s, dim, 0.0);
    add(&s, world_box(2.0, 2.0, 2.0), CQ_BOUNDARY_sticky, 0.0, 0.5, 0.0, 0.0, 0.0);
    fill(&s, &rng, 0.3, 0.02, 1.0);
    double *t = world_twist(&s.w, 0), p[3], mass = 0.5, L, I;
    t[0] = 0.3;
    t[1] = -0.2;
    for (int a = 0; a < dim; a++) {
      p[a] = 0.5 * t[a];
    }
    /* two nodes of one mass and velocity across from each other: the spin stays 0 */
    for (int i = 0; i < s.n; i++) {
      const int twin = s.n - 1 - i;
      s.mass[i] = i > twin ? s.mass[twin] : s.mass[i];
      for (int a = 0; a < dim; a++) {
        s.v[i][a] = i > twin ? s.v[twin][a] : s.v[i][a];
        p[a] += s.mass[i] * s.v[i][a];
      }
      mass += s.mass[i];
    }
    place(&s);
    meet(&s);
    CHECK(s.m.n_nodes == s.n);
    for (int i = 0; i < s.n; i++) {
      for (int a = 0; a < dim; a++) {
        CHECK_NEAR(s.m.nodes[i].v[a], p[a] / mass, 1e-14);
      }
    }
    /* and all turning about the middle of a body that stands: the joint spin */
    memset(t, 0, 6 * sizeof *t);
    L = 0.0;
    I = 0.5 * 4.0 / 6.0;
    for (int i = 0; i < s.n; i++) {
      memset(s.v[i], 0, sizeof s.v[i]);
      const double square = s.x[i][0] * s.x[i][0] + s.x[i][1] * s.x[i][1];
      s.v[i][0] = -2.0 * s.x[i][1];
      s.v[i][1] = 2.0 * s.x[i][0];
      s.mass[i] = 0.02;
      L += 0.02 * 2.0 * square;
      I += 0.02 * square;
    }
    place(&s);
    meet(&s);
    for (int i = 0; i < s.n; i++) {
      CHECK_NEAR(s.m.nodes[i].v[0], -L / I * s.x[i][1], 1e-14);
      CHECK_NEAR(s.m.nodes[i].v[1], L / I * s.x[i][0], 1e-14);
    }
    CHECK_NEAR(s.m.twist[dim == 2 ? 2 : 5], L / I, 1e-14);
    end(&s);
  }
}

/* A box that stands, and nodes that come down on its upper face: they push it to the velocity of
 * both together and no farther, however light it is; those that rise are left alone. */
static void test_light(void) {
  const double ratios[] = {1e-6, 1e-3, 1.0, 1e3};
  for (int k = 0; k < 8; k++) {
    scene s;
    begin(&s, 2, 0.0);
    const double nodes = 11 * 0.1, mass = nodes * ratios[k % 4];
    const bool rises = k >= 4;
    add(&s, world_box(2.0, 1.0, 1.0), CQ_BOUNDARY_separate, 0.5, mass, 0.0, -0.55, 0.0);
    for (int i = -5; i <= 5; i++) {
      s.x[s.n][0] = i * cell;
      s.x[s.n][1] = -0.1; /* below the face: all of the share */
      s.v[s.n][1] = rises ? 1.0 : -1.0;
      s.mass[s.n++] = 0.1;
    }
    place(&s);
    meet(&s);
    const double both = rises ? 0.0 : -nodes / (nodes + mass);
    CHECK_NEAR(s.m.twist[1], both, 1e-13);
    CHECK_NEAR(s.m.twist[0], 0.0, 1e-13);
    CHECK_NEAR(s.m.twist[2], 0.0, 1e-13);
    for (int i = 0; i < s.n; i++) {
      CHECK_NEAR(s.m.nodes[i].v[1], rises ? 1.0 : both, 1e-13);
    }
    CHECK_NEAR(s.m.wrench[1], mass * both / dt, 1e-10 * (1.0 + mass / dt));
    end(&s);
  }
}

/* A crowd of light and heavy bodies of one condition, with any friction: the twist is where H (t -
 * t0) = P, and energy is lost, not made, where no such twist was found, too. */
static void test_law(void) {
  static const double lightness[] = {1e-4, 1e-2, 1.0, 100.0};
  int unsettled[CQ_N_BOUNDARIES] = {0};
  for (int i = 0; i < 160; i++) {
    cq_rng rng = cq_rng_seed((unsigned long)(500 + i));
    scene s;
    const int kind = i % CQ_N_BOUNDARIES;
    make_crowd(&s, 2 + i / 4 % 2, &rng, 0.0, lightness[i / 8 % 4]);
    for (int b = 0; b < BODIES; b++) {
      s.rigid[b].kind = (cq_boundary_kind)kind;
      s.w.friction[b] = i % 3 == 0 ? 0.0 : 2.0 * cq_rng_uniform(&rng);
    }
    const double grown = step_and_check(&s, "law", i);
    CHECK_MSG(grown < 0.0, "case %d: energy grows by %g J", i, grown);
    CHECK(s.m.unsettled == 0 || lightness[i / 8 % 4] < 1.0);
    unsettled[kind] += s.m.unsettled;
    const int nt = cq_rigid_twist_size(s.w.r.dim);
    for (int b = 0; b < BODIES && s.m.unsettled == 0; b++) {
      for (int a = 0; a < s.w.r.dim; a++) {
        const double gained = s.w.mass[b] * (s.m.twist[b * nt + a] - world_twist(&s.w, b)[a]);
        CHECK_NEAR(dt * s.m.wrench[b * nt + a], gained, 1e-11);
      }
    }
    end(&s);
  }
  CHECK(unsettled[CQ_BOUNDARY_slip] == 0 && unsettled[CQ_BOUNDARY_sticky] == 0);
  CHECK_MSG(unsettled[CQ_BOUNDARY_separate] == 0, "%d bodies with friction are not settled",
            unsettled[CQ_BOUNDARY_separate]);
  printf("  %d of 160 bodies that stick until they part are not settled\n",
         unsettled[CQ_BOUNDARY_separate_stick]);
  CHECK(unsettled[CQ_BOUNDARY_separate_stick] < 10);
}

/* --- the adjoint ----------------------------------------------------------------------------- */

static double seed_mean[3 * KEPT];

/* a random sum of what a pass gives */
static double loss(scene *s, const double *seed_v, const double *seed_wrench) {
  const int dim = s->w.r.dim;
  double sum = 0.0;
  meet(s);
  for (int i = 0; i < s->m.n_nodes; i++) {
    for (int a = 0; a < dim; a++) {
      sum += seed_v[s->m.nodes[i].id * 3 + (size_t)a] * s->m.nodes[i].v[a];
    }
  }
  for (int i = 0; i < s->w.r.n * cq_rigid_twist_size(dim); i++) {
    sum += seed_wrench[i] * s->m.wrench[i];
  }
  for (int i = 0; i < s->m.means.n; i++) {
    const node_mean *kept = &s->m.means.after[i].of;
    sum += seed_mean[3 * i] * kept->sum + seed_mean[3 * i + 1] * kept->weight +
           seed_mean[3 * i + 2] * kept->owed;
  }
  return sum;
}

typedef struct checker {
  scene *s;
  double *seed_v, *seed_wrench;
  double worst, largest;
  double h; /* of differences */
  int n;
} checker;

/* the derivative by *number is `expected`? differences of the fourth order */
static void compare(checker *c, double *number, double expected) {
  const double old = *number, h = c->h;
  double f[4];
  for (int k = 0; k < 4; k++) {
    *number = old + h * (double[]){-2.0, -1.0, 1.0, 2.0}[k];
    f[k] = loss(c->s, c->seed_v, c->seed_wrench);
  }
  *number = old;
  const double slope = (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * h);
  c->worst = fmax(c->worst, fabs(slope - expected));
  c->largest = fmax(c->largest, fabs(expected));
  c->n += expected != 0.0;
}

/* by every number of all bodies, of the shared inputs, and of some nodes */
static void compare_all(checker *c, const cq_placed *dat, const double *dbody_mass,
                        const double *dfriction, const double *dgravity, const double *dv,
                        const double *dmass, const double *dslope) {
  scene *s = c->s;
  const int dim = s->w.r.dim;
  for (int i = 0; i < s->w.r.n; i++) {
    compare(c, &s->w.mass[i], dbody_mass[i]);
    compare(c, &s->w.friction[i], dfriction[i]);
    for (int a = 0; a < dim; a++) {
      compare(c, &s->at[i].x[a], dat[i].x[a]);
      compare(c, &s->at[i].v[a], dat[i].v[a]);
      compare(c, &s->at[i].belt[a], dat[i].belt[a]);
      for (int b = 0; b < dim; b++) {
        compare(c, &s->at[i].R[a][b], dat[i].R[a][b]);
      }
    }
    for (int a = 0; a < (dim == 2 ? 1 : 3); a++) {
      compare(c, &s->at[i].w[a], dat[i].w[a]);
    }
  }
  for (int a = 0; a < dim; a++) {
    compare(c, &s->w.gravity[a], dgravity[a]);
  }
  for (int i = 0; i < s->n; i += dim == 2 ? 5 : 37) {
    compare(c, &s->mass[i], dmass[i]);
    for (int a = 0; a < dim; a++) {
      compare(c, &s->v[i][a], dv[i * 3 + a]);
      if (s->slope[i][a] != 0.0) { /* else the normal is the body's */
        compare(c, &s->slope[i][a], dslope[i * 3 + a]);
      }
    }
  }
}

/* By the means before. Those of a node that did not press are 0, and then, where it begins to, its
 * bound is both of the two that it is the lesser of. */
static void compare_means(checker *c, const kept_adjoint *means) {
  kept_mean *before = (kept_mean *)(c->s->kept + 1);
  c->h = 1e-8; /* impulses are small */
  for (int i = 0; i < c->s->m.means.n_before; i += 3) {
    if (before[i].of.weight == 0.0) {
      continue;
    }
    compare(c, &before[i].of.sum, means->give[i].sum);
    compare(c, &before[i].of.weight, means->give[i].weight);
    compare(c, &before[i].of.owed, means->give[i].owed);
  }
}

static void open_means(scene *s, cq_rng *rng, kept_adjoint *a) {
  for (int i = 0; i < 3 * KEPT; i++) {
    seed_mean[i] = uniform(rng, 1.0);
  }
  CHECK(kept_adjoint_create(s->w.ctx, &s->m.means, a) == CQ_OK);
  for (int i = 0; i < s->m.means.room; i++) {
    a->give[i] = (node_mean){seed_mean[3 * i], seed_mean[3 * i + 1], seed_mean[3 * i + 2]};
  }
  kept_adjoint_begin(&s->m.means, a);
}

static void check_adjoint(scene *s, cq_rng *rng, const char *what) {
  static double seed_v[3 * NODES], velocity[3 * NODES], mass[NODES], dv[3 * NODES], dmass[NODES];
  static double slope[3 * NODES], dslope[3 * NODES];
  double seed_wrench[6 * WORLD_MOST], body_mass[WORLD_MOST] = {0}, friction[WORLD_MOST] = {0};
  double gravity[3] = {0}, full = 0.0;
  cq_placed at[WORLD_MOST] = {{{0}, {{0}}, {0}, {0}, {0}}};
  const int dim = s->w.r.dim;
  for (int i = 0; i < 3 * NODES; i++) {
    seed_v[i] = uniform(rng, 1.0);
  }
  for (int i = 0; i < 6 * WORLD_MOST; i++) {
    seed_wrench[i] = 10.0 * dt * uniform(rng, 1.0);
  }
  kept_adjoint means;
  open_means(s, rng, &means);
  loss(s, seed_v, seed_wrench);
  CHECK(s->m.unsettled == 0);
  memset(mass, 0, sizeof mass);
  memset(slope, 0, sizeof slope);
  memset(dslope, 0, sizeof dslope);
  memset(dv, 0, sizeof dv);
  memset(dmass, 0, sizeof dmass);
  for (int i = 0; i < s->m.n_nodes; i++) {
    for (int a = 0; a < dim; a++) {
      velocity[i * dim + a] = seed_v[s->m.nodes[i].id * 3 + (size_t)a];
    }
  }
  cq_mpm_meet_due d = {.wrench = seed_wrench,
                       .velocity = velocity,
                       .mass = mass,
                       .slope = slope,
                       .full = &full,
                       .at = at,
                       .body_mass = body_mass,
                       .friction = friction,
                       .gravity = gravity,
                       .means = &means};
  cq_mpm_meet_adjoint(&s->m, &d);
  for (int i = 0; i < s->m.n_nodes; i++) {
    const size_t id = s->m.nodes[i].id;
    dmass[id] = mass[i];
    for (int a = 0; a < dim; a++) {
      dv[id * 3 + (size_t)a] = velocity[i * dim + a];
      dslope[id * 3 + (size_t)a] = slope[i * dim + a];
    }
  }
  checker c = {.s = s, .seed_v = seed_v, .seed_wrench = seed_wrench, .h = 1e-6};
  compare_all(&c, at, body_mass, friction, gravity, dv, dmass, dslope);
  compare(&c, &s->full, full);
  compare_means(&c, &means);
  kept_adjoint_free(s->w.ctx, &means);
  printf("  %s, %dD: off by %.1e of %.1e, %d numbers matter\n", what, dim, c.worst, c.largest, c.n);
  CHECK(c.worst < 1e-6 * c.largest && c.n > 40);
}

static void test_adjoint(void) {
  for (int i = 0; i < 6; i++) {
    cq_rng rng = cq_rng_seed((unsigned long)(40 + i));
    scene s;
    make_crowd(&s, 2 + i % 2, &rng, 9.81, i < 2 ? 1.0 : i < 4 ? 1e-2 : 20.0);
    s.rigid[2].kind = i < 4 ? CQ_BOUNDARY_separate : CQ_BOUNDARY_separate_stick;
    check_adjoint(&s, &rng, i < 2 ? "as heavy as nodes" : i < 4 ? "light" : "heavy");
    end(&s);
  }
}

/* where nodes have the normal of material that is much larger than bodies, and so much of a share
 * as they are full */
static void test_leaning(void) {
  int leaning = 0, partly = 0;
  for (int i = 0; i < 4; i++) {
    cq_rng rng = cq_rng_seed((unsigned long)(300 + i));
    scene s;
    make_crowd(&s, 2 + i % 2, &rng, 9.81, i < 2 ? 1.0 : 20.0);
    lean(&s, &rng);
    if (i % 2 == 0) {
      remember(&s, KEPT, &rng);
    } else {
      s.rigid[2].kind = CQ_BOUNDARY_separate_stick;
    }
    check_adjoint(&s, &rng, "leaning");
    int all = s.m.n_nodes;
    for (int k = 0; k < s.m.n_touches; k++) {
      const cq_mpm_meet_touch *t = &s.m.touches[k];
      leaning += t->leans;
      partly += t->leans && t->gap <= 0.0 && t->share < 1.0;
    }
    s.single = 0; /* what is not one body, or no larger, and what is fixed */
    meet(&s);
    CHECK(s.m.n_nodes > all);
    all = s.m.n_nodes;
    s.single = 1;
    s.room = 0.0;
    meet(&s);
    CHECK(s.m.n_nodes == all);
    s.room = 100.0;
    for (int k = 0; k < s.w.r.n; k++) {
      s.w.bodies[k].motion = CQ_RIGID_FIXED;
    }
    meet(&s);
    CHECK(s.m.n_nodes == all);
    end(&s);
  }
  CHECK(leaning > 40 && partly > 8);
}

/* by the mean of the pressure; also where there was no room for all */
static void test_means(void) {
  for (int i = 0; i < 3; i++) {
    cq_rng rng = cq_rng_seed((unsigned long)(70 + i));
    scene s;
    make_crowd(&s, 2 + i % 2, &rng, 9.81, i < 1 ? 1e-2 : 1.0);
    remember(&s, i == 2 ? 20 : KEPT, &rng);
    CHECK(i == 2 ? s.kept[0] == 20.0 : s.kept[0] > 20.0 && s.kept[0] < KEPT);
    check_adjoint(&s, &rng, "by the mean");
    end(&s);
  }
}

/* bodies that are fixed, driven, released, and without bounds, with a surface that moves */
static void test_given(void) {
  for (int dim = 2; dim <= 3; dim++) {
    cq_rng rng = cq_rng_seed(77);
    scene s;
    make_crowd(&s, dim, &rng, 9.81, 1.0);
    const int ground = add(&s, world_ground(), CQ_BOUNDARY_separate, 0.3, 0.0, 0.013, -0.41, 0.0);
    s.w.bodies[ground].motion = CQ_RIGID_FIXED;
    s.w.bodies[ground].belt[0] = 0.7;
    s.w.bodies[0].motion = CQ_RIGID_DRIVEN;
    s.w.bodies[0].drive = (drive){.n_controls = 1, .component = {0}};
    s.w.bodies[1].motion = CQ_RIGID_DRIVEN;
    s.w.bodies[1].drive = (drive){.n_controls = 1, .component = {0}};
    s.w.bodies[1].release = 0.0;
    const double controls[2] = {0.4, 0.2};
    s.w.step.controls = controls;
    place(&s);
    check_adjoint(&s, &rng, "driven and fixed");
    meet(&s);
    CHECK_NEAR(s.m.twist[0], 0.4, 1e-15);
    CHECK(s.m.twist[cq_rigid_twist_size(dim)] != 0.2);
    end(&s);
  }
}

/* what is left out: bodies that nodes do not meet, nodes that are far */
static void test_who_meets(void) {
  cq_rng rng = cq_rng_seed(9);
  scene s;
  double low[3], high[3];
  begin(&s, 2, 0.0);
  add(&s, world_ball(0.2), CQ_BOUNDARY_sticky, 0.0, 1.0, 0.1, 0.2, 0.0);
  add(&s, world_ball(0.2), CQ_BOUNDARY_sticky, 0.0, 1.0, -0.3, -0.2, 0.0);
  fill(&s, &rng, 0.7, 0.1, 1.0);
  s.rigid[1].meets = false;
  place(&s);
  CHECK(cq_mpm_meet_box(&s.m, low, high));
  meet(&s);
  CHECK(s.m.n_nodes > 10);
  int inside = 0;
  for (int i = 0; i < s.n; i++) {
    inside += hypot(s.x[i][0] - 0.1, s.x[i][1] - 0.2) < 0.2 + cell;
  }
  CHECK(s.m.n_nodes == inside);
  for (int i = 0; i < s.m.n_nodes; i++) {
    for (int a = 0; a < 2; a++) {
      CHECK(s.m.nodes[i].x[a] > low[a] && s.m.nodes[i].x[a] < high[a]);
    }
  }
  for (int a = 0; a < 3; a++) {
    CHECK(s.m.wrench[3 + a] == 0.0);
  }
  s.rigid[0].meets = false;
  CHECK(!cq_mpm_meet_box(&s.m, low, high));
  end(&s);
}

/* memory that fails is said, and a pass may be tried again */
static void test_memory(void) {
  cq_rng rng = cq_rng_seed(9);
  scene s;
  begin(&s, 2, 0.0);
  add(&s, world_box(1.3, 1.3, 1.3), CQ_BOUNDARY_sticky, 0.0, 1.0, 0.0, 0.0, 0.0);
  fill(&s, &rng, 0.6, 0.1, 1.0);
  place(&s);
  const size_t bytes = cq_ctx_bytes(s.w.ctx);
  int n = 1, added = 0;
  for (bool done = false; !done && n < 100; n++) {
    cq_alloc_fail_nth(s.w.ctx, n);
    cq_status status = cq_mpm_meet_begin(s.w.ctx, &s.m);
    for (added = 0; added < s.n && status == CQ_OK; added++) {
      status = add_node(&s, added);
    }
    CHECK(status == CQ_OK || status == CQ_MEMORY);
    done = status == CQ_OK;
  }
  cq_alloc_fail_nth(s.w.ctx, 0);
  cq_ctx_clear_error(s.w.ctx);
  CHECK(n > 4 && s.m.n_nodes == s.n && s.n > 64);
  cq_mpm_meet_free(s.w.ctx, &s.m);
  CHECK(cq_ctx_bytes(s.w.ctx) == bytes);
  end(&s);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_momentum);
  RUN(test_glued);
  RUN(test_light);
  RUN(test_law);
  RUN(test_adjoint);
  RUN(test_leaning);
  RUN(test_means);
  RUN(test_given);
  RUN(test_who_meets);
  RUN(test_memory);
  return TEST_RESULT();
}
