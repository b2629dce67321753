/* Every term of term_list.h in dual numbers: its adjoint against the exact tangent. A new term
 * needs a fill() of its keys here, or this does not compile. */
#include "dual.h"

#include "terms/terms.h"

#include "rng.h"
#include "test.h"

#include <cstring>

/* two sets, each as large as any; controls of two steps */
enum {
  N_U = 3,
  SETS = 2,
  Z_SIZE = 6 + CQ_Z_SCALARS,
  N_P = 9,                       /* calibration: a turn, a shift, an offset */
  N_Z = 2 * SETS * Z_SIZE + N_P, /* CYCLE sees sets twice, markers p behind the first */
  MARKERS = 2
};

/* what is between the markers and their samples */
enum { NOT_SEEN, IN_A_FRAME, BY_A_CAMERA, BY_A_CAMERA_IN_A_FRAME, N_SIGHTS };

/* the columns of term_list.h */
enum { NOTHING = 0, POSITION = 1, VELOCITY = 2, SQUARE = 4, MASS = 8 };
#define NONE                 0
#define OWN(quantity)        1
#define OWN_BY(quantity, by) 1
#define OWN_IN(quantity)     1
#define IN_BOX               0
#define OF_RIGID(quantity)   (dim == 3 || in_plane(#quantity) ? dim : 1)

static bool in_plane(const char *quantity) {
  return std::strcmp(quantity, "force") == 0 || std::strcmp(quantity, "impulse") == 0;
}

static cq_rng rng = cq_rng_seed(21);

/* squares, their root, and the two losses */
template <class Keys> static void fill_squares(Keys &keys, int variant) {
  keys.squared = variant != 1;
  keys.loss = variant == 2 ? CQ_LOSS_HUBER : variant == 3 ? CQ_LOSS_CAUCHY : CQ_LOSS_SQUARES;
}

static void fill(cq_term_distance &keys, int variant) {
  fill_squares(keys, variant);
  for (double &t : keys.target) {
    t = cq_rng_normal(&rng);
  }
}

static void fill(cq_term_distance_between &keys, int variant) {
  fill_squares(keys, variant);
  for (double &o : keys.offset) {
    o = cq_rng_normal(&rng);
  }
}

static void fill(cq_term_marker_distance &keys, int variant) {
  fill_squares(keys, variant);
}

static void fill(cq_term_height &keys, int) {
  keys.above = cq_rng_normal(&rng);
}

static void fill(cq_term_mean_position &keys, int) {
  for (double &n : keys.direction) {
    n = cq_rng_normal(&rng);
  }
}

static void fill(cq_term_mean_square_velocity &keys, int variant) {
  keys.per_component = variant;
}

static void fill(cq_term_kinetic_energy &, int) {
}

static void fill(cq_term_mass &, int) {
}

static void fill(cq_term_elastic_energy &, int) {
}

static void fill(cq_term_relative_volume &, int) {
}

static void fill(cq_term_tool_work &, int) {
}
static void fill(cq_term_share_in &keys, int variant) {
  keys.low[0] = keys.high[0] = 0.0; /* taken before the term sees them */
  keys.target = variant == 0 ? NAN : 0.4;
}

template <class Keys> static void fill_box(Keys &keys, double half) {
  for (int a = 0; a < 3; a++) {
    keys.low[a] = -half - 0.1 * a;
    keys.high[a] = half;
  }
}

static void fill(cq_term_box_distance &keys, int) {
  fill_box(keys, 0.3);
}

static void fill(cq_term_periodic &keys, int) {
  keys.period = 1.7;
  for (double &n : keys.direction) {
    n = cq_rng_normal(&rng);
  }
}

/* a level bed, a grid of heights, the root */
static void fill(cq_term_profile &keys, int variant) {
  static const double heights[] = {0.1, 0.2, 0.3, 0.1, 0.4, 0.2}, columns[] = {4.0, 3.0};
  fill_box(keys, 3.0);
  keys.heights = {variant == 0 ? 0 : 2, 3, heights};
  keys.columns = {2, columns};
  keys.bulk_density = 0.7;
  keys.squared = variant != 1;
}

static void fill(cq_term_unevenness &keys, int) {
  keys.columns = 12.0; /* taken before the term sees it */
}

static void fill(cq_term_peak_stress &keys, int) {
  keys.exponent = 8.0; /* the norm is taken before the term sees it */
}

/* a vector that should be another one, or (variant 1) a component as it is */
template <class Keys> static void fill_of_rigid(Keys &keys, int variant) {
  static double target[3];
  for (int a = 0; a < 3; a++) {
    target[a] = cq_rng_normal(&rng);
    keys.direction[a] = variant == 0 ? NAN : cq_rng_normal(&rng);
  }
  keys.target.count = variant == 0 ? 3 : 0;
  keys.target.values = target;
  keys.squared = 1;
}

static void fill(cq_term_turn &keys, int variant) {
  fill_of_rigid(keys, variant);
}

static void fill(cq_term_spin &keys, int variant) {
  fill_of_rigid(keys, variant);
  keys.squared = 0;
}

/* and a component that should be a number */
static void fill(cq_term_force &keys, int variant) {
  fill_of_rigid(keys, 1);
  keys.target.count = 1;
  keys.squared = variant;
}

static void fill(cq_term_impulse &keys, int variant) {
  fill_of_rigid(keys, 1);
  keys.target.count = 1;
  keys.squared = variant;
}

static void fill(cq_term_force_curve &keys, int variant) {
  fill_squares(keys, variant);
}

/* and in 2D the number as it is */
static void fill(cq_term_torque &keys, int variant) {
  fill_of_rigid(keys, variant);
  keys.target.count = 0;
}

static void fill(cq_term_actuation_cost &keys, int variant) {
  keys.relative = variant;
}

static void fill(cq_term_actuation_rate &keys, int variant) {
  keys.relative = variant;
}

/* Numbers that a term sees. The first marker hangs on both sets, the other on one. */
struct seen {
  Dual z[N_Z], u[2 * N_U];
  double u_max[N_U], target[MARKERS][4];
  cq_marker markers[MARKERS];
  cq_sight sight;
  cq_term_in in;
};

/* A camera that has all in front of it, and a frame; small turns are series. */
static void draw_sight(seen &s, int sight) {
  static double camera[12];
  const double size = cq_rng_uniform(&rng) < 0.5 ? 0.02 : 1.0;
  for (double &c : camera) {
    c = cq_rng_normal(&rng);
  }
  camera[11] = 30.0;
  for (int i = 0; i < 3; i++) {
    s.in.p = s.z + SETS * Z_SIZE;
    s.z[SETS * Z_SIZE + i].v *= size;
    s.sight.about[i] = cq_rng_normal(&rng);
  }
  s.sight.camera = sight >= BY_A_CAMERA ? camera : nullptr;
  s.sight.turn = sight == IN_A_FRAME || sight == BY_A_CAMERA_IN_A_FRAME ? 0 : -1;
  s.sight.shift = s.sight.turn < 0 ? -1 : 3;
  s.markers[0].offset = s.sight.turn < 0 ? -1 : 6;
  s.in.sight = sight == NOT_SEEN ? nullptr : &s.sight;
}

static void draw(seen &s, int dim, int sight) {
  static const int sets[] = {1, 0};
  static const double shares[] = {0.7, 0.3}, slopes[] = {0.2, -0.5, 0.4, -0.2, 0.5, -0.4};
  for (Dual &z : s.z) {
    z = Dual(cq_rng_normal(&rng), cq_rng_normal(&rng));
  }
  for (Dual &u : s.u) {
    u = Dual(cq_rng_normal(&rng), cq_rng_normal(&rng));
  }
  for (int i = 0; i < N_U; i++) {
    s.u_max[i] = 1.5 + i;
  }
  for (int m = 0; m < MARKERS; m++) {
    for (double &t : s.target[m]) {
      t = cq_rng_normal(&rng);
    }
    s.markers[m].n = m == 0 ? 2 : 1;
    s.markers[m].set = sets;
    s.markers[m].share = shares;
    s.markers[m].slope = slopes;
    s.markers[m].offset = -1;
    s.markers[m].target = s.target[m];
    s.markers[m].weight = 0.25 + m;
  }
  s.in.dim = dim;
  s.in.dt = 0.3;
  static const double radius[] = {0.8, 0.5};
  s.in.n_sets = SETS;
  s.in.radius = radius;
  s.in.z_size = Z_SIZE;
  s.in.z = s.z;
  s.in.n_controls = N_U;
  s.in.u = s.u;
  s.in.u_max = s.u_max;
  s.in.n_markers = MARKERS;
  s.in.markers = s.markers;
  s.in.loss_size = 0.8;
  draw_sight(s, sight);
}

template <class Keys, class Value, class Adjoint>
static void check(const char *name, Value value, Adjoint adjoint, int dim, int variant, int sight) {
  Keys keys;
  fill(keys, variant);
  static seen s;
  Dual dz[N_Z], du[2 * N_U];
  draw(s, dim, sight);
  for (Dual &d : dz) {
    d = 100.0; /* an adjoint adds */
  }
  for (Dual &d : du) {
    d = 100.0;
  }
  const Dual expected = value(&keys, &s.in);
  adjoint(&keys, &s.in, Dual(0.5), dz, du);
  double dot = 0.0;
  for (int i = 0; i < N_Z; i++) {
    dot += 2.0 * (dz[i].v - 100.0) * s.z[i].d;
  }
  for (int i = 0; i < 2 * N_U; i++) {
    dot += 2.0 * (du[i].v - 100.0) * s.u[i].d;
  }
  CHECK(expected.d != 0.0);
  CHECK_MSG(std::fabs(dot - expected.d) <= 1e-12 * (1.0 + std::fabs(expected.d)),
            "%s: adjoint %.15g, tangent %.15g", name, dot, expected.d);
}

/* Is number i of a set's z one that the term says it sees? */
static bool sees(unsigned shared, int own, int dim, int i) {
  return (i < dim && (shared & POSITION) != 0) ||
         (i >= dim && i < 2 * dim && (shared & VELOCITY) != 0) ||
         (i == CQ_Z(dim, SQUARE) && (shared & SQUARE) != 0) ||
         (i == CQ_Z(dim, MASS) && (shared & MASS) != 0) ||
         (i >= CQ_Z(dim, OWN) && i < CQ_Z(dim, OWN) + own);
}

/* What a term does not name in the list is not there: nothing may depend on it. */
template <class Keys, class Value, class Adjoint>
static void check_columns(const char *name, Value value, Adjoint adjoint, int dim, unsigned shared,
                          int own) {
  Keys keys;
  fill(keys, 0);
  static seen s;
  Dual dz[N_Z], du[2 * N_U];
  draw(s, dim, BY_A_CAMERA_IN_A_FRAME);
  for (int i = 0; i < N_Z; i++) {
    dz[i] = 0.0;
    if (i < SETS * Z_SIZE && !sees(shared, own, dim, i % Z_SIZE)) {
      s.z[i] = Dual(NAN, NAN);
    }
  }
  for (Dual &d : du) {
    d = 0.0;
  }
  const Dual f = value(&keys, &s.in);
  CHECK_MSG(std::isfinite(f.v) && std::isfinite(f.d), "%s", name);
  adjoint(&keys, &s.in, Dual(0.5), dz, du);
  for (int i = 0; i < N_Z; i++) {
    CHECK_MSG(i >= SETS * Z_SIZE || sees(shared, own, dim, i % Z_SIZE) || dz[i].v == 0.0,
              "%s: column %d", name, i);
  }
}

static void test_columns(void) {
  for (int dim = 2; dim <= 3; dim++) {
#define CQ_TERM(name, belongs, when, shared, own)                                                  \
  check_columns<cq_term_##name>(#name, cq_##name##_value, cq_##name##_adjoint, dim, shared, own);
#include "term_list.h"
#undef CQ_TERM
  }
}

static void test_every_term(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int variant = 0; variant < 4 * N_SIGHTS; variant++) {
#define CQ_TERM(name, ...)                                                                         \
  check<cq_term_##name>(#name, cq_##name##_value, cq_##name##_adjoint, dim, variant % 4,           \
                        variant / 4);
#include "term_list.h"
#undef CQ_TERM
    }
  }
}

int main() {
  RUN(test_every_term);
  RUN(test_columns);
  return TEST_RESULT();
}
