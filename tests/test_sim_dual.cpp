/* The adjoint of one step and of a whole run against the exact tangent in dual numbers.
 *
 * L = sum w.(x, v, F, C of the last state) + running terms of every observation and control, all
 * weights random. For every input field separately, with a random direction d on that field alone:
 *   tangent dL = <w, J d> (dual run)   against   <J^T w, d> (the engine's adjoint),
 * relative to sum |g_i d_i|. */
#include "dual_run.h" /* first: it says what a real is */
#include "mpm_inputs.h"

#include "contact_scene.h"
#include "test.h"

#include <algorithm>

static const int runs[] = {1, 50};

struct Weights {
  std::vector<double> z, u, state;
};

static std::vector<double> random_vector(cq_rng *rng, size_t n) {
  std::vector<double> r(n);
  for (double &a : r) {
    a = 2.0 * cq_rng_uniform(rng) - 1.0;
  }
  return r;
}

static Weights random_weights(const cq_model &m, const cq_layout &layout, uint64_t seed) {
  cq_rng rng = cq_rng_seed(seed);
  Weights w;
  w.state = random_vector(&rng, layout.state_total);
  w.z = random_vector(&rng, (size_t)(m.steps + 1) * (size_t)contact_scene_row(CQ_DIM));
  w.u = random_vector(&rng, (size_t)m.steps * (size_t)m.n_controls);
  return w;
}

static Dual loss(const Weights &w, const DualRun &run) {
  Dual sum(0.0);
  for (size_t i = 0; i < w.state.size(); i++) {
    sum = sum + w.state[i] * run.state[i];
  }
  for (size_t i = 0; i < w.z.size(); i++) {
    sum = sum + w.z[i] * run.z[i];
  }
  for (size_t i = 0; i < w.u.size(); i++) {
    sum = sum + w.u[i] * run.u[i];
  }
  return sum;
}

static double loss(const Weights &w, cq_sim *sim) {
  std::vector<double> state(w.state.size());
  CHECK(cq_sim_final_state(sim, state.data()) == CQ_OK);
  double sum = 0.0;
  for (size_t i = 0; i < w.state.size(); i++) {
    sum += w.state[i] * state[i];
  }
  for (size_t i = 0; i < w.z.size(); i++) {
    sum += w.z[i] * cq_sim_observations(sim)[i];
  }
  for (size_t i = 0; i < w.u.size(); i++) {
    sum += w.u[i] * cq_sim_controls(sim)[i];
  }
  return sum;
}

/* gradients of two seeds in one sweep */
struct Gradients {
  double value;
  std::vector<double> all;
};

static Gradients engine_gradients(contact_scene &s, const Weights *w, int n_seeds) {
  Gradients g;
  cq_ctx *ctx = cq_ctx_create(2, 1);
  cq_sim *sim = nullptr;
  CHECK_MSG(cq_sim_create(ctx, &s.model, &sim) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK_MSG(cq_sim_forward(sim, s.inputs) == CQ_OK, "%s", cq_ctx_error(ctx));
  std::vector<cq_seed> seeds;
  for (int i = 0; i < n_seeds; i++) {
    seeds.push_back({w[i].z.data(), w[i].u.data(), w[i].state.data()});
  }
  g.value = loss(w[0], sim);
  g.all.resize((size_t)n_seeds * s.layout.total);
  CHECK_MSG(cq_sim_backward(sim, n_seeds, seeds.data(), g.all.data()) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  cq_sim_destroy(sim);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
  return g;
}

/* Every wall must act in the scene, or its adjoint is proven by nothing. */
static void check_walls_act(contact_scene &s, double value) {
  for (int i = 0; i < s.model.n_boundaries; i++) {
    cq_boundary kept = s.boundaries[i];
    cq_boundary &b = s.boundaries[i];
    b = scene_half_space(kept.kind, s.model.dim, 1.0, 0.0, 0.0, -1.0, 0.0); /* holds no node */
    const Weights w = random_weights(s.model, s.layout, 1);
    const double without = engine_gradients(s, &w, 1).value;
    CHECK_MSG(without != value, "wall %d is never touched", i);
    s.boundaries[i] = kept;
  }
}

static void check_field(contact_scene &s, DualRun &dual, const Weights &w, const double *gradient,
                        double value, int field) {
  cq_rng rng = cq_rng_seed(100 + (uint64_t)field);
  std::vector<double> direction(s.layout.total, 0.0);
  double dot = 0.0, size = 0.0;
  for (size_t i = 0; i < s.layout.count[field]; i++) {
    const size_t k = s.layout.offset[field] + i;
    direction[k] = 2.0 * cq_rng_uniform(&rng) - 1.0;
    dot += gradient[k] * direction[k];
    size += std::fabs(gradient[k] * direction[k]);
  }
  dual.run(std::vector<double>(s.inputs, s.inputs + s.layout.total), direction);
  const Dual expected = loss(w, dual);
  const double error = std::fabs(dot - expected.d) / size;
  printf("  %dD %3d steps %-15s tangent % .12e adjoint % .12e relative %.1e\n", s.model.dim,
         s.model.steps, cq_mpm_inputs[field].name, expected.d, dot, error);
  CHECK_NEAR(value, expected.v, 1e-11 * std::fabs(expected.v) + 1e-11);
  CHECK_MSG(size > 0.0, "the gradient with respect to %s is zero", cq_mpm_inputs[field].name);
  CHECK_MSG(error <= 1e-10, "%s: adjoint off by %.2e", cq_mpm_inputs[field].name, error);
}

/* Controls that read means of both groups. */
static void close_loop(contact_scene &s, cq_controller_kind kind) {
  static cq_feature features[4 * CQ_DIM];
  static std::vector<double> middle, strength;
  cq_controller &c = s.model.controller;
  middle.assign((size_t)c.n_controls, 0.0);
  strength.assign((size_t)c.n_controls, 0.0);
  for (int i = 0; i < c.n_controls; i++) {
    strength[(size_t)i] = scene_control_size(&s, i, &middle[(size_t)i]);
  }
  for (int i = 0; i < 4 * CQ_DIM; i++) {
    features[i] = cq_feature();
    features[i].kind = CQ_FEATURE_OBSERVED;
    features[i].index =
        contact_scene_place(CQ_DIM, i / (2 * CQ_DIM), CQ_Q_POSITION) + i % (2 * CQ_DIM);
    features[i].scale = 1.3;
  }
  c.kind = kind;
  c.features = features;
  c.n_features = 4 * CQ_DIM;
  c.middle = middle.data();
  c.strength = strength.data();
  c.n_layers = 1;
  c.units[0] = 5;
  c.n_parameters = kind == CQ_CONTROLLER_mlp ? mlp_parameters(&c) : tanh_linear_parameters(&c);
  std::vector<double> kept(s.inputs, s.inputs + s.layout.offset[CQ_INPUT_theta]);
  s.layout = cq_model_layout(&s.model);
  s.inputs = (double *)realloc(s.inputs, s.layout.total * sizeof(double));
  std::copy(kept.begin(), kept.end(), s.inputs);
  cq_rng rng = cq_rng_seed(5);
  for (size_t i = 0; i < s.layout.count[CQ_INPUT_theta]; i++) {
    s.inputs[s.layout.offset[CQ_INPUT_theta] + i] = scene_random(&rng, 1.0);
  }
}

static void check_run(int steps, cq_transfer transfer_kind,
                      cq_controller_kind controller = CQ_CONTROLLER_open_loop) {
  contact_scene s;
  contact_scene_make(&s, CQ_DIM, 64, steps);
  s.mpm.transfer = transfer_kind;
  if (controller != CQ_CONTROLLER_open_loop) {
    close_loop(s, controller);
  }
  const Weights w[2] = {random_weights(s.model, s.layout, 1), random_weights(s.model, s.layout, 2)};
  const Gradients g = engine_gradients(s, w, 2);
  DualRun dual(s.model);
  for (int field = 0; field < CQ_N_INPUTS; field++) {
    if (transfer_kind == CQ_TRANSFER_PIC && field == CQ_INPUT_C) {
      continue; /* PIC does not read C */
    }
    if (field == CQ_INPUT_track) {
      continue; /* there is none: sim_rigid */
    }
    check_field(s, dual, w[0], g.all.data(), g.value, field);
  }
  /* a seed's gradient has the same bits whichever seeds travel with it */
  const Gradients alone = engine_gradients(s, w + 1, 1);
  CHECK(std::equal(alone.all.begin(), alone.all.end(), g.all.begin() + (long)s.layout.total));
  if (steps > 1) {
    check_walls_act(s, g.value);
  }
  free(s.inputs);
}

static void test_adjoint_against_tangent(void) {
  for (int steps : runs) {
    check_run(steps, CQ_TRANSFER_APIC);
  }
}

static void test_pic(void) {
  check_run(50, CQ_TRANSFER_PIC);
}

/* all walls of one condition after the other: every shape with every condition */
static void test_conditions(void) {
  for (int kind = 0; kind < CQ_N_BOUNDARIES; kind++) {
    contact_scene s;
    contact_scene_make(&s, CQ_DIM, 64, 20);
    for (int i = 0; i < s.model.n_boundaries; i++) {
      s.boundaries[i].kind = (cq_boundary_kind)kind;
    }
    const Weights w = random_weights(s.model, s.layout, 1);
    const Gradients g = engine_gradients(s, &w, 1);
    DualRun dual(s.model);
    check_field(s, dual, w, g.all.data(), g.value, CQ_INPUT_v);
    if (kind == CQ_BOUNDARY_separate) {
      check_field(s, dual, w, g.all.data(), g.value, CQ_INPUT_friction);
    }
    if (kind == CQ_BOUNDARY_slip || kind == CQ_BOUNDARY_separate) {
      /* where a wall has stopped a node, no other shows */
      check_walls_act(s, g.value);
    }
    free(s.inputs);
  }
}

/* Walls whose friction goes by the mean of the pressure, alone and with shares by mass. */
static void test_mean_pressure(void) {
  for (int k = 0; k < 4; k++) {
    contact_scene s;
    contact_scene_make(&s, CQ_DIM, 64, 20);
    s.mpm.kernels = k % 2 == 0 ? CQ_KERNELS_FAST : CQ_KERNELS_REFERENCE;
    if (k >= 2) {
      contact_scene_touch(&s);
    }
    const Weights w[2] = {random_weights(s.model, s.layout, 1),
                          random_weights(s.model, s.layout, 2)};
    const double any = engine_gradients(s, w, 1).value;
    contact_scene_mean_pressure(&s);
    const Gradients g = engine_gradients(s, w, 2);
    CHECK(g.value != any);
    DualRun dual(s.model);
    for (int field : {CQ_INPUT_x, CQ_INPUT_v, CQ_INPUT_density, CQ_INPUT_volume, CQ_INPUT_gravity,
                      CQ_INPUT_friction}) {
      check_field(s, dual, w[0], g.all.data(), g.value, field);
    }
    free(s.inputs);
  }
}

/* Walls that ask for the mass of nodes, which is below, within and above what they ask for. */
static void test_touch(void) {
  for (int k = 0; k < 4; k++) {
    contact_scene s;
    contact_scene_make(&s, CQ_DIM, 64, 20);
    s.mpm.kernels = k % 2 == 0 ? CQ_KERNELS_FAST : CQ_KERNELS_REFERENCE;
    for (int i = 0; i < s.model.n_boundaries; i++) {
      s.boundaries[i].kind = k < 2 ? CQ_BOUNDARY_separate : CQ_BOUNDARY_separate_stick;
    }
    const Weights w[2] = {random_weights(s.model, s.layout, 1),
                          random_weights(s.model, s.layout, 2)};
    const double any = engine_gradients(s, w, 1).value;
    contact_scene_touch(&s);
    const Gradients g = engine_gradients(s, w, 2);
    CHECK(g.value != any);
    DualRun dual(s.model);
    for (int field : {CQ_INPUT_x, CQ_INPUT_v, CQ_INPUT_density, CQ_INPUT_volume, CQ_INPUT_gravity,
                      CQ_INPUT_friction}) {
      if (field != CQ_INPUT_friction || k < 2) {
        check_field(s, dual, w[0], g.all.data(), g.value, field);
      }
    }
    free(s.inputs);
  }
}

/* Planes in which bodies are mirrored; other walls hold some of the same nodes. */
static void test_mirrors(void) {
  for (int k = 0; k < 4 - CQ_DIM; k++) {
    contact_scene s;
    contact_scene_make(&s, CQ_DIM, 64, 15);
    s.mpm.kernels = k == 0 ? CQ_KERNELS_FAST : CQ_KERNELS_REFERENCE;
    contact_scene_mirrors(&s);
    const Weights w[2] = {random_weights(s.model, s.layout, 1),
                          random_weights(s.model, s.layout, 2)};
    const Gradients g = engine_gradients(s, w, 2);
    DualRun dual(s.model);
    for (int field : {CQ_INPUT_x, CQ_INPUT_v, CQ_INPUT_F, CQ_INPUT_C, CQ_INPUT_density,
                      CQ_INPUT_volume, CQ_INPUT_gravity, CQ_INPUT_damping, CQ_INPUT_friction}) {
      check_field(s, dual, w[0], g.all.data(), g.value, field);
    }
    for (int i = 0; i < s.model.n_boundaries; i++) {
      s.boundaries[i].mirror = false;
    }
    CHECK(engine_gradients(s, w, 1).value != g.value);
    free(s.inputs);
  }
}

/* through the loop: controls depend on the state, which depends on the controls */
static void test_feedback(void) {
  check_run(50, CQ_TRANSFER_APIC, CQ_CONTROLLER_tanh_linear);
  check_run(50, CQ_TRANSFER_APIC, CQ_CONTROLLER_mlp);
}

int main() {
  RUN(test_adjoint_against_tangent);
  RUN(test_pic);
  RUN(test_conditions);
  RUN(test_touch);
  RUN(test_mean_pressure);
  RUN(test_mirrors);
  RUN(test_feedback);
  return TEST_RESULT();
}
