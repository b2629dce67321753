/* Rigid bodies in MPM, both engines: gradients by everything that a scene has against differences,
 * and the fast engine against the reference loops. */
#include "mpm_rigid_scene.h"

/* --- scenes ---------------------------------------------------------------------------------- */

typedef enum drive_kind { BY_TRACK, BY_CONTROLS, BY_SINUSOID, RELEASED, N_DRIVES } drive_kind;

static const char *const drive_names[N_DRIVES] = {"track", "controls", "sinusoid", "released"};

/* How the second body moves; the first one is free. */
static void drive_body(rigid_scene *s, int i, drive_kind how) {
  s->body[i].motion = CQ_RIGID_DRIVEN;
  switch (how) {
  case BY_TRACK:
    rigid_scene_track(s, i, 4);
    return;
  case BY_SINUSOID:
    rigid_scene_track(s, i, 1);
    s->sway = (track_sway){.amplitude = {0.02, 0.01}, .angle = 0.1, .frequency = 8.0, .phase = 0.3};
    s->tracks[i].sways = &s->sway;
    s->tracks[i].n_sways = 1;
    s->tracks[i].velocity[0] = -0.3;
    s->tracks[i].rate = 0.7;
    return;
  case RELEASED:
    s->body[i].release = 0.5 * s->model.steps * s->model.dt;
    rigid_scene_drive(s, i);
    return;
  default:
    rigid_scene_drive(s, i);
    s->body[i].drive.own = 1;
  }
}

/* knots around where the body was placed */
static void fill_tracks(rigid_scene *s, int i) {
  const int dim = s->model.dim, numbers = dim == 2 ? 3 : 6;
  for (int k = 0; k < s->model.n_knots; k++) {
    double *knot = rigid_scene_at(s, CQ_INPUT_track) + k * numbers;
    for (int a = 0; a < dim; a++) {
      knot[a] = s->placed_center[i * dim + a] + (a == 0 ? -0.012 : 0.006) * k;
    }
    for (int a = dim; a < numbers; a++) {
      knot[a] = 0.1 + 0.05 * k * (1 + a - dim);
    }
  }
}

static void fill_controls(rigid_scene *s) {
  for (size_t i = 0; i < s->layout.count[CQ_INPUT_theta]; i++) {
    rigid_scene_at(s, CQ_INPUT_theta)[i] = i % 2 == 0 ? -0.4 - 0.02 * (double)i : 1.0;
  }
}

/* A block on the floor; a box falls on it, turning, and a ball presses from the right. In the last
 * steps the two touch each other, too. */
static void make_scene(rigid_scene *s, int dim, int bits, int steps, drive_kind how,
                       cq_boundary_kind kind) {
  const int soft = dim == 2 ? 9 : 5;
  const double spacing = dim == 2 ? 0.025 : 0.04, corner[3] = {0.42, 0.195, 0.42};
  const double top = corner[1] + spacing * (soft - 1);
  rigid_scene_begin(s, dim, bits, steps, soft);
  rigid_scene_walls(s);
  const int box = rigid_scene_add(s, rigid_box(0.52, top + 0.075, 0.5, 0.12, 0.09), CQ_RIGID_FREE,
                                  kind, CARRY_LOPSIDED);
  const int ball = rigid_scene_add(s, rigid_ball(0.665, top - 0.01, 0.51, 0.06), CQ_RIGID_DRIVEN,
                                   kind, CARRY_LOPSIDED);
  drive_body(s, ball, how);
  rigid_scene_end(s, soft, corner, spacing);
  rigid_scene_throw(s, box, 0.2, 0.3, -0.9, -2.0);
  fill_tracks(s, ball);
  fill_controls(s);
}

/* --- a loss: random weights of all that a run gives ------------------------------------------- */

typedef struct loss {
  double *dz, *du, *terminal;
  size_t n_z, n_u;
} loss;

static double *random_numbers(uint64_t seed, size_t n) {
  cq_rng rng = cq_rng_seed(seed);
  double *w = calloc(n + 1, sizeof *w);
  for (size_t i = 0; i < n; i++) {
    w[i] = 2.0 * cq_rng_uniform(&rng) - 1.0;
  }
  return w;
}

static loss make_loss(const rigid_scene *s, const cq_sim *sim) {
  loss l;
  l.n_z = cq_sim_layout(sim)->rows->begin[s->model.steps + 1];
  l.n_u = (size_t)(s->model.steps * s->model.n_controls);
  l.dz = random_numbers(1, l.n_z);
  l.du = random_numbers(2, l.n_u);
  l.terminal = random_numbers(3, s->layout.state_total);
  return l;
}

static void free_loss(const loss *l) {
  free(l->dz);
  free(l->du);
  free(l->terminal);
}

static double value_of(const rigid_scene *s, cq_sim *sim, const loss *l, const double *inputs) {
  double *state = calloc(s->layout.state_total, sizeof *state), sum = 0.0;
  CHECK_MSG(cq_sim_forward(sim, inputs) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  CHECK(cq_sim_final_state(sim, state) == CQ_OK);
  for (size_t i = 0; i < l->n_z; i++) {
    sum += l->dz[i] * cq_sim_observations(sim)[i];
  }
  for (size_t i = 0; i < l->n_u; i++) {
    sum += l->du[i] * cq_sim_controls(sim)[i];
  }
  for (size_t i = 0; i < s->layout.state_total; i++) {
    sum += l->terminal[i] * state[i];
  }
  free(state);
  return sum;
}

static double *gradient_of(const rigid_scene *s, cq_sim *sim, const loss *l) {
  double *gradient = calloc(s->layout.total, sizeof *gradient);
  const cq_seed seed = {l->dz, l->du, l->terminal};
  CHECK_MSG(cq_sim_forward(sim, s->inputs) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  CHECK_MSG(cq_sim_backward(sim, 1, &seed, gradient) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  return gradient;
}

/* --- directions ------------------------------------------------------------------------------- */

typedef enum way {
  PLACE,
  TURN,
  VELOCITY,
  SPIN,
  DENSITY,
  CARRIED_X, /* each particle by itself: no motion of the body as a whole */
  CARRIED_V,
  CARRIED_DENSITY,
  CARRIED_VOLUME,
  SOFT_X,
  SOFT_V,
  SOFT_F,
  SOFT_DENSITY,
  FRICTION,
  GRAVITY,
  KNOTS,
  CONTROLS,
  N_WAYS
} way;

static const char *const way_names[N_WAYS] = {
    "place",     "turn",      "velocity",        "spin",           "density",
    "carried x", "carried v", "carried density", "carried volume", "soft x",
    "soft v",    "soft F",    "soft density",    "friction",       "gravity",
    "knots",     "controls"};

static void random_block(const rigid_scene *s, double *d, int which, int first, int count,
                         int numbers, double size) {
  double *w = random_numbers(17 + (uint64_t)which, (size_t)(count * numbers));
  for (int i = 0; i < count * numbers; i++) {
    d[s->layout.offset[which] + (size_t)(first * numbers + i)] = size * w[i];
  }
  free(w);
}

/* the free body as a whole */
static void move_body(const rigid_scene *s, double *d, way w) {
  const int dim = s->model.dim, which = w == PLACE || w == TURN ? CQ_INPUT_x : CQ_INPUT_v;
  const cq_mpm_rigid *r = &s->rigid[0];
  const double axis[3] = {0.3, -0.5, 1.0}, along[3] = {0.4, -0.7, 0.2};
  for (int p = r->first; p < r->first + r->count; p++) {
    const double *x = s->inputs + s->layout.offset[CQ_INPUT_x] + (size_t)(p * dim);
    double arm[3] = {0}, *to = d + s->layout.offset[which] + (size_t)(p * dim);
    for (int a = 0; a < dim; a++) {
      arm[a] = x[a] - s->placed_center[a];
    }
    const double turned[3] = {axis[1] * arm[2] - axis[2] * arm[1],
                              axis[2] * arm[0] - axis[0] * arm[2],
                              axis[0] * arm[1] - axis[1] * arm[0]};
    const double flat[3] = {-arm[1], arm[0], 0.0};
    for (int a = 0; a < dim; a++) {
      const double turn = dim == 2 ? flat[a] : turned[a];
      to[a] = w == PLACE || w == VELOCITY ? along[a] : turn;
    }
  }
}

/* false: there is nothing of the kind in the scene */
static bool direction_of(const rigid_scene *s, way w, double *d) {
  const int dim = s->model.dim, soft = s->mpm.n_soft, carried = s->model.n_particles - soft;
  const cq_mpm_rigid *box = &s->rigid[0];
  memset(d, 0, s->layout.total * sizeof *d);
  switch (w) {
  case PLACE:
  case TURN:
  case VELOCITY:
  case SPIN:
    move_body(s, d, w);
    return true;
  case DENSITY:
    for (int p = box->first; p < box->first + box->count; p++) {
      d[s->layout.offset[CQ_INPUT_density] + (size_t)p] = 1.0;
    }
    return true;
  case CARRIED_X:
    random_block(s, d, CQ_INPUT_x, soft, carried, dim, 0.1);
    return true;
  case CARRIED_V:
    random_block(s, d, CQ_INPUT_v, soft, carried, dim, 1.0);
    return true;
  case CARRIED_DENSITY:
    random_block(s, d, CQ_INPUT_density, soft, carried, 1, 1.0);
    return true;
  case CARRIED_VOLUME:
    random_block(s, d, CQ_INPUT_volume, soft, carried, 1, 0.1 * pow(s->mpm.cell, dim));
    return true;
  case SOFT_X:
    random_block(s, d, CQ_INPUT_x, 0, soft, dim, 0.1);
    return true;
  case SOFT_V:
    random_block(s, d, CQ_INPUT_v, 0, soft, dim, 1.0);
    return true;
  case SOFT_F:
    random_block(s, d, CQ_INPUT_F, 0, soft, dim * dim, 0.1);
    return true;
  case SOFT_DENSITY:
    random_block(s, d, CQ_INPUT_density, 0, soft, 1, 1.0);
    return true;
  case FRICTION:
    random_block(s, d, CQ_INPUT_friction, 0, s->model.n_boundaries, 1, 0.3);
    return true;
  case GRAVITY:
    random_block(s, d, CQ_INPUT_gravity, 0, 1, dim, 1.0);
    return true;
  case KNOTS:
    random_block(s, d, CQ_INPUT_track, 0, s->model.n_knots, dim == 2 ? 3 : 6, 0.1);
    return s->model.n_knots > 0;
  case CONTROLS:
    random_block(s, d, CQ_INPUT_theta, 0, s->model.controller.n_parameters, 1, 1.0);
    return s->model.controller.n_parameters > 0;
  default:
    return false;
  }
}

/* --- against differences ---------------------------------------------------------------------- */

static double difference(const rigid_scene *s, cq_sim *sim, const loss *l, const double *d,
                         double eps) {
  double *inputs = malloc(s->layout.total * sizeof *inputs), side[2];
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < s->layout.total; i++) {
      inputs[i] = s->inputs[i] + (k == 0 ? eps : -eps) * d[i];
    }
    side[k] = value_of(s, sim, l, inputs);
  }
  free(inputs);
  return (side[0] - side[1]) / (2.0 * eps);
}

/* Differences of two steps say a third that is right to the fourth order. Where nodes begin to meet
 * another side of a body a loss jumps, so that long steps may say nothing. */
static void check_way(const rigid_scene *s, cq_sim *sim, const loss *l, const double *gradient,
                      const char *label, way w) {
  double *d = malloc(s->layout.total * sizeof *d), dot = 0.0, best = INFINITY, at = 0.0;
  if (direction_of(s, w, d)) {
    for (size_t i = 0; i < s->layout.total; i++) {
      dot += gradient[i] * d[i];
    }
    for (double eps = 1e-3; eps > 5e-8 && best > 1e-7; eps *= 0.25) {
      const double coarse = difference(s, sim, l, d, eps),
                   fine = difference(s, sim, l, d, 0.5 * eps);
      const double error = fabs((4.0 * fine - coarse) / 3.0 - dot) / fabs(dot);
      at = error < best ? eps : at;
      best = fmin(best, error);
    }
    printf("  %dD %-10s %-15s % .6e off by %.1e at %.0e\n", s->model.dim, label, way_names[w], dot,
           best, at);
    CHECK_MSG(best <= 1e-6, "%dD %s by %s: off by %.1e of %.2e", s->model.dim, label, way_names[w],
              best, dot);
  }
  free(d);
}

/* A floor that holds by the mass of nodes, so high that some of its nodes meet a body, too. */
static void raise_floor(rigid_scene *s) {
  s->boundaries[0] = scene_domain(&s->mpm, CQ_BOUNDARY_separate, 3, 8, 3);
  s->boundaries[0].touch = 0.7 * rigid_scene_at(s, CQ_INPUT_density)[0];
}

/* All is mirrored in a plane through the block, so that nodes with images meet bodies. */
static void add_mirror(rigid_scene *s) {
  s->boundaries[0] = scene_half_space(CQ_BOUNDARY_slip, s->model.dim, 1.0, 0.0, 0.0, 0.55, 0.5);
  s->boundaries[0].mirror = true;
}

/* Friction on bodies and walls is by the mean of some 20 steps. */
static void take_mean(rigid_scene *s) {
  s->mpm.friction_time = 20.0 * s->model.dt;
  s->mpm.friction_slip = 0.3 * s->mpm.cell;
  for (int i = 0; i < s->rigids.n; i++) {
    s->rigid[i].friction_time =
        s->rigid[i].kind == CQ_BOUNDARY_separate ? s->mpm.friction_time : 0.0;
    s->rigid[i].friction_slip = s->mpm.friction_slip;
  }
}

/* The block is larger than the bodies, which meet it by its normals; that is in doubt at some nodes
 * on the way. */
static void lean_on(rigid_scene *s) {
  static const unsigned char single[] = {1};
  s->mpm.single = single;
  take_mean(s);
}

/* change: of the scene, or NULL */
static void check_gradient(int dim, drive_kind how, cq_boundary_kind kind, cq_kernels kernels,
                           void (*change)(rigid_scene *s)) {
  rigid_scene s;
  cq_sim *sim = NULL;
  make_scene(&s, dim, 64, 40, how, kind);
  if (change != NULL) {
    change(&s);
  }
  s.mpm.kernels = kernels;
  CHECK_MSG(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK, "%s", cq_ctx_error(s.ctx));
  const loss l = make_loss(&s, sim);
  double *gradient = gradient_of(&s, sim, &l);
  for (int w = 0; w < N_WAYS; w++) {
    check_way(&s, sim, &l, gradient, drive_names[how], (way)w);
  }
  free(gradient);
  free_loss(&l);
  cq_sim_destroy(sim);
  rigid_scene_free(&s);
}

static void test_gradients_2d(void) {
  check_gradient(2, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, NULL);
  check_gradient(2, BY_CONTROLS, CQ_BOUNDARY_sticky, CQ_KERNELS_FAST, NULL);
  check_gradient(2, BY_SINUSOID, CQ_BOUNDARY_slip, CQ_KERNELS_REFERENCE, NULL);
  check_gradient(2, RELEASED, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, NULL);
}

/* kernels by kernels: each has its own way to what a node's mass means for both */
static void test_touch(void) {
  check_gradient(2, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, raise_floor);
  check_gradient(2, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_REFERENCE, raise_floor);
}

static void test_mirrors(void) {
  check_gradient(2, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, add_mirror);
  check_gradient(2, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_REFERENCE, add_mirror);
}

static void test_mean(void) {
  check_gradient(2, RELEASED, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, take_mean);
}

static void test_leaning(void) {
  check_gradient(2, RELEASED, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, lean_on);
  check_gradient(2, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_REFERENCE, lean_on);
  check_gradient(3, BY_TRACK, CQ_BOUNDARY_separate_stick, CQ_KERNELS_FAST, lean_on);
}

static void test_gradients_3d(void) {
  check_gradient(3, BY_TRACK, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, NULL);
  check_gradient(3, RELEASED, CQ_BOUNDARY_separate, CQ_KERNELS_FAST, NULL);
}

/* --- the two engines -------------------------------------------------------------------------- */

typedef struct result {
  double *state, *z, *gradient;
} result;

static result run_engine(rigid_scene *s, cq_kernels kernels) {
  cq_sim *sim = NULL;
  s->mpm.kernels = kernels;
  CHECK_MSG(cq_sim_create(s->ctx, &s->model, &sim) == CQ_OK, "%s", cq_ctx_error(s->ctx));
  const loss l = make_loss(s, sim);
  result r;
  r.gradient = gradient_of(s, sim, &l);
  r.state = calloc(s->layout.state_total, sizeof(double));
  r.z = calloc(l.n_z, sizeof(double));
  CHECK(cq_sim_final_state(sim, r.state) == CQ_OK);
  memcpy(r.z, cq_sim_observations(sim), l.n_z * sizeof(double));
  free_loss(&l);
  cq_sim_destroy(sim);
  return r;
}

static double relative(const double *a, const double *b, size_t n) {
  double difference = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return size > 0.0 ? sqrt(difference / size) : sqrt(difference);
}

static void compare_engines(int dim, int bits, drive_kind how, void (*change)(rigid_scene *s),
                            double bound) {
  rigid_scene s;
  make_scene(&s, dim, bits, 30, how, CQ_BOUNDARY_separate);
  if (change != NULL) {
    change(&s);
  }
  const result fast = run_engine(&s, CQ_KERNELS_FAST), plain = run_engine(&s, CQ_KERNELS_REFERENCE);
  double worst = 0.0;
  for (int i = 0; i < CQ_N_INPUTS; i++) {
    const size_t at = s.layout.offset[i], n = s.layout.count[i];
    const double state =
        i < s.layout.n_states ? relative(fast.state + at, plain.state + at, n) : 0.0;
    const double gradient = relative(fast.gradient + at, plain.gradient + at, n);
    CHECK_MSG(state <= bound && gradient <= bound, "%dD f%d %s: state %.1e, gradient %.1e", dim,
              bits, cq_mpm_inputs[i].name, state, gradient);
    worst = fmax(worst, fmax(state, gradient));
  }
  printf("  %dD f%d %s: off by %.1e\n", dim, bits, drive_names[how], worst);
  const result *const both[] = {&fast, &plain};
  for (int i = 0; i < 2; i++) {
    free(both[i]->state);
    free(both[i]->z);
    free(both[i]->gradient);
  }
  rigid_scene_free(&s);
}

static void test_engines_agree(void) {
  for (int dim = 2; dim <= 3; dim++) {
    compare_engines(dim, 64, BY_TRACK, NULL, 1e-12);
    compare_engines(dim, 64, RELEASED, NULL, 1e-12);
    compare_engines(dim, 64, RELEASED, take_mean, 1e-12);
    compare_engines(dim, 64, RELEASED, lean_on, 1e-12);
    compare_engines(dim, 32, BY_CONTROLS, NULL, 1e-3);
  }
}

int main(void) {
  RUN(test_gradients_2d);
  RUN(test_touch);
  RUN(test_mirrors);
  RUN(test_mean);
  RUN(test_leaning);
  RUN(test_gradients_3d);
  RUN(test_engines_agree);
  return TEST_RESULT();
}
