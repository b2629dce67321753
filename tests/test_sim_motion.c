/* What mechanics demands of a step whatever the material: free fall, momentum, rotation, damping.
 */
#include "mpm_inputs.h"
#include "scene_builder.h"

/* A box lattice of side^dim particles, half a cell apart, low corner at 0.4. */
static void lattice(scene *s, int side) {
  const int dim = s->model.dim;
  for (int p = 0; p < s->model.n_particles; p++) {
    for (int a = 0, k = p; a < dim; a++, k /= side) {
      scene_at(s, CQ_INPUT_x)[p * dim + a] = 0.4 + 0.5 * s->mpm.cell * (0.5 + k % side);
    }
  }
}

static int count_of(int dim, int side) {
  return dim == 2 ? side * side : side * side * side;
}

static void test_free_fall(void) {
  for (int dim = 2; dim <= 3; dim++) {
    scene s;
    const int side = 6, steps = 100;
    scene_make(&s, dim, 64, 50, 0.02, 1e-3, steps, count_of(dim, side), 1);
    scene_open(&s);
    lattice(&s, side);
    scene_at(&s, CQ_INPUT_gravity)[1] = -2.0;
    for (int p = 0; p < s.model.n_particles; p++) {
      scene_at(&s, CQ_INPUT_v)[p * dim] = 0.5;
    }
    scene_forward(&s);
    /* symplectic Euler: y falls by g dt^2 n (n + 1) / 2, exactly */
    const double fall = -2.0 * 1e-6 * steps * (steps + 1) / 2.0;
    for (int p = 0; p < s.model.n_particles; p++) {
      const double *x = s.state + p * dim, *x0 = s.inputs + p * dim;
      CHECK_NEAR(x[0], x0[0] + 0.5 * 1e-3 * steps, 1e-12);
      CHECK_NEAR(x[1], x0[1] + fall, 1e-12);
    }
    CHECK_NEAR(scene_z(&s)[dim + 1], -2.0 * 1e-3 * steps, 1e-12);
    scene_close(&s);
  }
}

/* angular momentum about the origin as APIC carries it: m (x cross v) and dx^2/4 m (C - C^T) */
static double angular_momentum(const scene *s, const double *state) {
  const int dim = s->model.dim;
  const double d = s->mpm.cell * s->mpm.cell / 4.0;
  double sum = 0.0;
  for (int p = 0; p < s->model.n_particles; p++) {
    const double *x = state + p * dim, *v = state + s->layout.offset[CQ_INPUT_v] + p * dim;
    const double *C = state + s->layout.offset[CQ_INPUT_C] + p * dim * dim;
    sum += x[0] * v[1] - x[1] * v[0] + d * (C[dim] - C[1]);
  }
  return sum;
}

static void test_momentum(void) {
  for (int dim = 2; dim <= 3; dim++) {
    scene s;
    const int side = 6;
    scene_make(&s, dim, 64, 50, 0.02, 2e-3, 200, count_of(dim, side), 1);
    scene_open(&s);
    lattice(&s, side);
    cq_rng rng = cq_rng_seed(5);
    double before[3] = {0.0};
    for (int p = 0; p < s.model.n_particles; p++) {
      for (int a = 0; a < dim; a++) {
        scene_at(&s, CQ_INPUT_v)[p * dim + a] = 0.4 * (cq_rng_uniform(&rng) - 0.5);
        before[a] += scene_at(&s, CQ_INPUT_v)[p * dim + a];
      }
    }
    scene_forward(&s);
    for (int a = 0; a < dim; a++) {
      double after = 0.0;
      for (int p = 0; p < s.model.n_particles; p++) {
        after += s.state[s.layout.offset[CQ_INPUT_v] + (size_t)(p * dim + a)];
      }
      CHECK_NEAR(after, before[a], 1e-11);
    }
    CHECK_NEAR(angular_momentum(&s, s.state), angular_momentum(&s, s.inputs), 1e-10);
    scene_close(&s);
  }
}

/* A spinning body keeps the angular momentum of its spin, and F stays near a rotation. */
static void test_rotation(void) {
  scene s;
  const int side = 8;
  scene_make(&s, 2, 64, 50, 0.02, 1e-3, 500, side * side, 1);
  scene_open(&s);
  lattice(&s, side);
  scene_set_all(&s, CQ_INPUT_youngs_modulus, 100.0);
  const double centre = 0.4 + 0.25 * 0.02 * side;
  for (int p = 0; p < s.model.n_particles; p++) {
    const double *x = scene_at(&s, CQ_INPUT_x) + 2 * p;
    scene_at(&s, CQ_INPUT_v)[2 * p] = -1.0 * (x[1] - centre);
    scene_at(&s, CQ_INPUT_v)[2 * p + 1] = 1.0 * (x[0] - centre);
    scene_at(&s, CQ_INPUT_C)[4 * p + 1] = -1.0;
    scene_at(&s, CQ_INPUT_C)[4 * p + 2] = 1.0;
  }
  scene_forward(&s);
  CHECK_NEAR(scene_z(&s)[0], centre, 1e-12);
  CHECK_NEAR(angular_momentum(&s, s.state), angular_momentum(&s, s.inputs), 1e-12);
  for (int p = 0; p < s.model.n_particles; p++) {
    const double *F = s.state + s.layout.offset[CQ_INPUT_F] + 4 * p;
    CHECK_NEAR(F[0] * F[0] + F[2] * F[2], 1.0, 0.01);
    CHECK_NEAR(F[0] * F[1] + F[2] * F[3], 0.0, 0.01);
    CHECK_NEAR(atan2(F[2] - F[1], F[0] + F[3]), 0.5, 0.02); /* 0.5 s at 1 rad/s */
  }
  scene_close(&s);
}

static void test_damping(void) {
  scene s;
  scene_make(&s, 2, 64, 50, 0.02, 1e-3, 100, 36, 1);
  scene_open(&s);
  lattice(&s, 6);
  scene_set_all(&s, CQ_INPUT_damping, 3.0);
  for (int p = 0; p < s.model.n_particles; p++) {
    scene_at(&s, CQ_INPUT_v)[2 * p] = 0.7;
  }
  scene_forward(&s);
  CHECK_NEAR(scene_z(&s)[2], 0.7 * exp(-3.0 * 0.1), 1e-12);
  scene_close(&s);
}

/* A mean is mass-weighted: a heavier half pulls the centre of mass. */
static void test_centre_of_mass_weights(void) {
  scene s;
  scene_make(&s, 2, 64, 50, 0.02, 1e-3, 1, 2, 1);
  scene_open(&s);
  const double x[4] = {0.4, 0.4, 0.6, 0.4};
  memcpy(scene_at(&s, CQ_INPUT_x), x, sizeof x);
  scene_at(&s, CQ_INPUT_density)[1] = 3.0;
  scene_forward(&s);
  CHECK_NEAR(scene_z(&s)[0], (0.4 + 3.0 * 0.6) / 4.0, 1e-14);
  scene_close(&s);
}

int main(void) {
  RUN(test_free_fall);
  RUN(test_momentum);
  RUN(test_rotation);
  RUN(test_damping);
  RUN(test_centre_of_mass_weights);
  return TEST_RESULT();
}
