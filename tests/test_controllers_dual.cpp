/* Every controller of controller_list.h in dual numbers: its adjoint against the exact tangent, in
 * theta and in the observation. A new controller needs a setup() here, or this does not link. */
#include "dual.h"

#include "control.h"

#include "rng.h"
#include "test.h"

#include <vector>

enum { N_Z = 6, N_U = 3, N_FEATURES = 5 };

static const double middle[N_U] = {0.0, 0.5, -1.0}, strength[N_U] = {4.0, 0.5, 2.0};
static cq_feature features[N_FEATURES];
static cq_rng rng = cq_rng_seed(33);

template <cq_controller_kind kind> void setup(cq_controller &c, int variant);

template <> void setup<CQ_CONTROLLER_none>(cq_controller &c, int) {
  c.n_controls = 0;
}

template <> void setup<CQ_CONTROLLER_open_loop>(cq_controller &c, int variant) {
  c.hold = 3;
  c.joined = variant;
  c.n_parameters = 4 * N_U;
}

template <> void setup<CQ_CONTROLLER_tanh_linear>(cq_controller &c, int) {
  c.n_parameters = tanh_linear_parameters(&c);
}

template <> void setup<CQ_CONTROLLER_sinusoid>(cq_controller &c, int variant) {
  c.learns_rate = variant;
  c.rate = 0.3;
  c.n_parameters = sinusoid_parameters(&c);
}

template <> void setup<CQ_CONTROLLER_mlp>(cq_controller &c, int variant) {
  c.activation = variant == 0 ? CQ_ACTIVATION_TANH : CQ_ACTIVATION_RELU;
  c.n_layers = 1 + variant;
  c.units[0] = 7;
  c.units[1] = 4;
  c.n_parameters = mlp_parameters(&c);
}

static void make_features() {
  for (int i = 0; i < N_FEATURES; i++) {
    features[i] = cq_feature();
    features[i].kind = i < 3    ? CQ_FEATURE_OBSERVED
                       : i == 3 ? CQ_FEATURE_CONSTANT
                                : CQ_FEATURE_CLOCK;
    features[i].index = 2 * i;
    features[i].value = 0.7;
    features[i].rate = 0.2;
    features[i].phase = 0.4;
    features[i].center = 0.1 * i;
    features[i].scale = 1.5 - 0.2 * i;
  }
}

static std::vector<Dual> random_duals(int n) {
  std::vector<Dual> v((size_t)n);
  for (Dual &a : v) {
    a = Dual(0.7 * cq_rng_normal(&rng), cq_rng_normal(&rng));
  }
  return v;
}

static void check(const char *name, cq_controller &c, int step) {
  const std::vector<Dual> theta = random_duals(c.n_parameters), z = random_duals(N_Z);
  std::vector<Dual> u(N_U), w(N_U), dtheta(theta.size(), Dual(100.0)), dz(N_Z, Dual(100.0));
  std::vector<Dual> room(CQ_CONTROL_ROOM);
  control_eval(&c, theta.data(), z.data(), step, u.data(), room.data());
  double expected = 0.0, dot = 0.0, size = 0.0;
  for (int i = 0; i < c.n_controls; i++) {
    w[(size_t)i] = Dual(cq_rng_normal(&rng));
    expected += w[(size_t)i].v * u[(size_t)i].d;
    CHECK_MSG(c.kind == CQ_CONTROLLER_open_loop ||
                  std::fabs(u[(size_t)i].v - middle[i]) < strength[i],
              "%s is not bounded by its strength", name);
  }
  control_adjoint(&c, theta.data(), z.data(), step, w.data(), dtheta.data(), dz.data(),
                  room.data());
  for (size_t i = 0; i < theta.size(); i++) {
    dot += (dtheta[i].v - 100.0) * theta[i].d; /* an adjoint adds */
    size += std::fabs((dtheta[i].v - 100.0) * theta[i].d);
  }
  for (size_t i = 0; i < N_Z; i++) {
    dot += (dz[i].v - 100.0) * z[i].d;
    size += std::fabs((dz[i].v - 100.0) * z[i].d);
  }
  CHECK(c.n_controls == 0 || expected != 0.0);
  CHECK_MSG(std::fabs(dot - expected) <= 1e-12 * (1.0 + size), "%s: adjoint %.15g, tangent %.15g",
            name, dot, expected);
}

template <cq_controller_kind kind> static void check_kind(const char *name) {
  for (int variant = 0; variant < (kind == CQ_CONTROLLER_open_loop ? 3 : 2); variant++) {
    cq_controller c = cq_controller();
    c.kind = kind;
    c.n_controls = N_U;
    c.hold = 1;
    c.dt = 0.7;
    c.n_features = N_FEATURES;
    c.features = features;
    c.middle = middle;
    c.strength = strength;
    setup<kind>(c, variant);
    for (int step = 0; step < 9; step += 4) {
      check(name, c, step);
    }
  }
}

static void test_every_controller(void) {
  make_features();
#define CQ_CONTROLLER(name) check_kind<CQ_CONTROLLER_##name>(#name);
#include "controller_list.h"
#undef CQ_CONTROLLER
}

int main() {
  RUN(test_every_controller);
  return TEST_RESULT();
}
