/* Every material of material_list.h and the polar decomposition behind them. */
#include "dual.h"
#include "material/kelvin_voigt.h"
#include "point/von_mises.h"
#include "rng.h"
#include "test.h"

#include <algorithm>

static const char *const names[] = {
#define CQ_MATERIAL(name, inversion_ok, phase) #name,
#include "material/material_list.h"
#undef CQ_MATERIAL
};

static cq_rng rng = cq_rng_seed(3);

static double uniform(double size) {
  return size * (2.0 * cq_rng_uniform(&rng) - 1.0);
}

static mat random_matrix(double size) {
  mat r;
  FOR_AXES(i) {
    FOR_AXES(j) {
      r.m[i][j] = uniform(size);
    }
  }
  return r;
}

static mat near_identity(double strain) {
  return mat_add(mat_identity(), random_matrix(strain));
}

static mat random_rotation(void) {
  return polar_decompose(near_identity(0.8)).R;
}

static mat diagonal(double a, double b, double c) {
  mat r = mat_zero();
  const double d[3] = {a, b, c};
  FOR_AXES(i) {
    r.m[i][i] = d[i];
  }
  return r;
}

static double norm(mat a) {
  return std::sqrt(mat_dot(a, a).v);
}

/* the derivative parts of a matrix as a matrix */
static mat derivative(mat a) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = a.m[i][j].d;
    }
  }
  return a;
}

static mat with_direction(mat a, mat d) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = Dual(a.m[i][j].v, d.m[i][j].v);
    }
  }
  return a;
}

static lame some_lame(void) {
  lame l;
  l.mu = 3.0;
  l.lambda = 5.0;
  return l;
}

/* deformations worth testing: 30 % strain, F = I, equal stretches, two equal stretches, rotated */
static mat deformation(int i) {
  switch (i) {
  case 0:
    return mat_identity();
  case 1:
    return diagonal(1.3, 1.3, 1.3);
  case 2:
    return diagonal(0.7, 0.7, 1.2);
  case 3:
    return mat_mul(random_rotation(), mat_mul(diagonal(1.3, 0.8, 0.8), random_rotation()));
  default:
    return near_identity(0.3);
  }
}

enum { DEFORMATIONS = 60 };

/* largest relative error over an eps ladder's best step */
template <class Function> static double difference_error(Function f, mat F, mat D, mat exact) {
  double best = 1.0;
  for (double eps = 1e-2; eps > 1e-8; eps *= 0.1) {
    mat sum = mat_zero();
    const double at[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
    for (int k = 0; k < 4; k++) { /* fourth order */
      sum = mat_axpy(sum, weight[k] / (12.0 * eps), f(mat_axpy(F, at[k] * eps, D)));
    }
    best = std::min(best, norm(mat_sub(sum, exact)) / std::max(norm(exact), 1e-300));
  }
  return best;
}

static void test_hessian_against_differences(void) {
  double worst[CQ_N_MATERIALS] = {0.0};
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    for (int i = 0; i < DEFORMATIONS; i++) {
      const mat F = deformation(i), D = random_matrix(1.0);
      lame dl;
      dl.mu = dl.lambda = 0.0;
      const mat exact = material_adjoint(kind, some_lame(), F, D, &dl);
      const double error =
          difference_error([&](mat G) { return material_pk1(kind, some_lame(), G); }, F, D, exact);
      worst[kind] = std::max(worst[kind], error);
    }
    printf("  %s %dD: dP/dF against differences %.1e\n", names[kind], CQ_DIM, worst[kind]);
    CHECK(worst[kind] <= 1e-8);
  }
}

static void test_hessian_against_dual(void) {
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    for (int i = 0; i < DEFORMATIONS; i++) {
      const mat F = deformation(i), D = random_matrix(1.0), W = random_matrix(1.0);
      lame dl;
      dl.mu = dl.lambda = 0.0;
      const double adjoint = mat_dot(material_adjoint(kind, some_lame(), F, W, &dl), D).v;
      const mat tangent = derivative(material_pk1(kind, some_lame(), with_direction(F, D)));
      CHECK_NEAR(adjoint, mat_dot(W, tangent).v, 1e-11 * norm(tangent) * norm(W));

      lame l = some_lame();
      l.mu.d = 0.6;
      l.lambda.d = -0.9;
      const double moved = mat_dot(W, derivative(material_pk1(kind, l, F))).v;
      CHECK_NEAR(0.6 * dl.mu.v - 0.9 * dl.lambda.v, moved, 1e-11);
    }
  }
}

static void test_stress_is_gradient_of_energy(void) {
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    for (int i = 0; i < DEFORMATIONS; i++) {
      const mat F = deformation(i), D = random_matrix(1.0);
      const double work = mat_dot(material_pk1(kind, some_lame(), F), D).v;
      CHECK_NEAR(material_energy(kind, some_lame(), with_direction(F, D)).d, work, 1e-10);
    }
  }
}

static void test_objective_and_zero_at_rest(void) {
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    CHECK_NEAR(norm(material_pk1(kind, some_lame(), mat_identity())), 0.0, 1e-14);
    CHECK_NEAR(material_energy(kind, some_lame(), mat_identity()).v, 0.0, 1e-14);
    for (int i = 0; i < DEFORMATIONS; i++) {
      const mat F = deformation(i), Q = random_rotation();
      const mat turned = material_pk1(kind, some_lame(), mat_mul(Q, F));
      const mat expected = mat_mul(Q, material_pk1(kind, some_lame(), F));
      CHECK_NEAR(norm(mat_sub(turned, expected)), 0.0, 1e-11);
    }
  }
}

/* In 3D, P_33 at a stretch of 1 along z is what the 2D material says of its plane. */
static void test_out_of_plane(void) {
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    for (int i = 0; i < DEFORMATIONS; i++) {
      mat F = deformation(i);
      for (int a = 0; CQ_DIM == 3 && a < 3; a++) {
        F.m[2 % CQ_DIM][a] = F.m[a][2 % CQ_DIM] = a == 2 ? 1.0 : 0.0;
      }
      const real out = material_out_of_plane(kind, some_lame(), F);
      if (CQ_DIM == 3) {
        const mat P = material_pk1(kind, some_lame(), F);
        CHECK_NEAR(P.m[2 % CQ_DIM][2 % CQ_DIM].v, out.v, 1e-12 * (1.0 + std::fabs(out.v)));
      }
      const mat D = random_matrix(1.0);
      lame l = some_lame(), dl;
      l.mu.d = 0.6;
      l.lambda.d = -0.9;
      dl.mu = dl.lambda = 0.0;
      const mat dF = material_out_of_plane_adjoint(kind, some_lame(), F, 1.5, &dl);
      const double moved = material_out_of_plane(kind, l, with_direction(F, D)).d;
      CHECK_NEAR(mat_dot(dF, D).v + 0.6 * dl.mu.v - 0.9 * dl.lambda.v, 1.5 * moved,
                 1e-12 * (1.0 + std::fabs(moved)));
    }
  }
}

static void test_von_mises(void) {
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    const mat rest = mat_identity();
    lame dl;
    dl.mu = dl.lambda = 0.0;
    CHECK(von_mises(kind, some_lame(), rest).v == 0.0);
    CHECK(norm(von_mises_adjoint(kind, some_lame(), rest, 1.0, &dl)) == 0.0);
    for (int i = 4; i < DEFORMATIONS && !cq_material_is_liquid(kind); i++) {
      const mat F = deformation(i), D = random_matrix(1.0);
      lame l = some_lame();
      l.mu.d = 0.6;
      l.lambda.d = -0.9;
      dl.mu = dl.lambda = 0.0;
      const double moved = von_mises(kind, l, with_direction(F, D)).d;
      const mat dF = von_mises_adjoint(kind, some_lame(), F, 1.0, &dl);
      CHECK_NEAR(mat_dot(dF, D).v + 0.6 * dl.mu.v - 0.9 * dl.lambda.v, moved,
                 1e-11 * (1.0 + std::fabs(moved)));
    }
  }
}

/* what settles keeps its volume, what does not is left alone, and it is the same done twice */
static void test_settle(void) {
  for (int kind = 0; kind < CQ_N_MATERIALS; kind++) {
    for (int i = 0; i < DEFORMATIONS; i++) {
      const mat F = deformation(i), D = random_matrix(1.0), W = random_matrix(1.0);
      const mat settled = material_settle(kind, F);
      CHECK_NEAR(mat_det(settled).v, mat_det(F).v, 1e-15);
      CHECK(norm(mat_sub(material_settle(kind, settled), settled)) == 0.0);
      CHECK(cq_material_is_liquid(kind) || norm(mat_sub(settled, F)) == 0.0);
      CHECK_NEAR(material_energy(kind, some_lame(), settled).v,
                 material_energy(kind, some_lame(), F).v, 1e-13);
      const double moved = mat_dot(W, derivative(material_settle(kind, with_direction(F, D)))).v;
      CHECK_NEAR(mat_dot(material_settle_adjoint(kind, F, W), D).v, moved, 1e-13);
    }
  }
}

/* P F^T = J eta (C + C^T), dissipative, and blind to rotation */
static void test_kelvin_voigt(void) {
  const double eta = 0.7;
  for (int i = 0; i < DEFORMATIONS; i++) {
    const mat F = deformation(i), C = random_matrix(2.0);
    const mat tau = mat_mul_t(kelvin_voigt_pk1(eta, F, C), F);
    const mat expected = mat_scale(eta * mat_det(F), mat_add(C, mat_transpose(C)));
    CHECK_NEAR(norm(mat_sub(tau, expected)), 0.0, 1e-13);
    CHECK(mat_dot(tau, C).v > 0.0);
    const mat spin = mat_sub(C, mat_transpose(C));
    CHECK_NEAR(norm(kelvin_voigt_pk1(eta, F, spin)), 0.0, 1e-14);

    const mat D = random_matrix(1.0), E = random_matrix(1.0), W = random_matrix(1.0);
    mat dF = mat_zero(), dC = mat_zero();
    kelvin_voigt_adjoint(eta, F, C, W, &dF, &dC);
    const mat moved = derivative(kelvin_voigt_pk1(eta, with_direction(F, D), with_direction(C, E)));
    CHECK_NEAR(mat_dot(dF, D).v + mat_dot(dC, E).v, mat_dot(W, moved).v, 1e-12);
  }
}

/* The logarithm of the stretch against its closed form, far from rest, and its own range of use */
static void test_hencky_range(void) {
  for (double stretch = 1.0; stretch < 9.0; stretch *= 2.0) {
    const mat F = mat_mul(random_rotation(), diagonal(stretch, 1.0 / stretch, 1.0));
    hencky_strain e;
    hencky_strain_of(&F, &e);
    const mat H = mat_t_mul(e.p.R, mat_mul(e.H, e.p.R));
    const mat exact = diagonal(std::log(stretch), -std::log(stretch), 0.0);
    const double error = norm(mat_sub(H, exact));
    printf("  %dD stretch %g: log V off by %.1e\n", CQ_DIM, stretch, error);
    CHECK(error <= (stretch < 3.0 ? 1e-13 : 1e-7));
  }
}

static void test_lame(void) {
  const double E = 7.0, nu = 0.3;
  const lame l = lame_parameters(Dual(E, 1.0), Dual(nu));
  const lame m = lame_parameters(Dual(E), Dual(nu, 1.0));
  CHECK_NEAR(l.mu.v, E / 2.6, 1e-14);
  CHECK_NEAR(l.lambda.v, E * nu / (1.3 * 0.4), 1e-14);
  lame d;
  d.mu = 0.7;
  d.lambda = -0.2;
  real dE = 0.0, dnu = 0.0;
  lame_adjoint(E, nu, d, &dE, &dnu);
  CHECK_NEAR(dE.v, 0.7 * l.mu.d - 0.2 * l.lambda.d, 1e-13);
  CHECK_NEAR(dnu.v, 0.7 * m.mu.d - 0.2 * m.lambda.d, 1e-12);
}

/* R is a proper rotation and S symmetric, for stretched, flattened and inverted F alike */
static void test_polar(void) {
  for (int i = 0; i < 2000; i++) {
    const mat F = i < 1000 ? near_identity(0.5) : random_matrix(1.0);
    const polar p = polar_decompose(F);
    if (p.clamped) {
      continue;
    }
    CHECK_NEAR(norm(mat_sub(mat_t_mul(p.R, p.R), mat_identity())), 0.0, 1e-9);
    CHECK_NEAR(mat_det(p.R).v, 1.0, 1e-9);
    CHECK_NEAR(norm(mat_sub(p.S, mat_transpose(p.S))), 0.0, 1e-12);
    CHECK_NEAR(mat_trace(p.S).v, p.trace.v, 1e-9);
    /* no rotation has a larger trace: R maximises tr(R^T F) */
    CHECK(mat_dot(random_rotation(), F).v <= p.trace.v + 1e-12);
  }
}

static void test_polar_tangent(void) {
  for (int i = 0; i < 200; i++) {
    const mat F = i < DEFORMATIONS ? deformation(i) : random_matrix(1.0);
    const mat D = random_matrix(1.0);
    const polar p = polar_decompose(F);
    if (p.clamped) {
      continue;
    }
    const mat exact = derivative(polar_decompose(with_direction(F, D)).R);
    const mat tangent = polar_tangent(p, D);
    CHECK_NEAR(norm(mat_sub(tangent, exact)), 0.0, 1e-8 * std::max(1.0, norm(exact)));
  }
}

/* where the rotation is undefined everything stays finite */
static void test_polar_degenerate(void) {
  /* the two smallest singular values add up to zero */
  const mat opposite = CQ_DIM == 2 ? diagonal(0.5, -0.5, 0.0) : diagonal(1.0, 0.5, -0.5);
  const mat flat[2] = {mat_zero(), opposite};
  for (const mat &F : flat) {
    const polar p = polar_decompose(F);
    CHECK(p.clamped);
    CHECK(std::isfinite(norm(p.R)));
    CHECK(std::isfinite(norm(polar_tangent(p, random_matrix(1.0)))));
  }
}

int main() {
  RUN(test_polar);
  RUN(test_polar_tangent);
  RUN(test_polar_degenerate);
  RUN(test_lame);
  RUN(test_hessian_against_differences);
  RUN(test_hessian_against_dual);
  RUN(test_stress_is_gradient_of_energy);
  RUN(test_objective_and_zero_at_rest);
  RUN(test_out_of_plane);
  RUN(test_von_mises);
  RUN(test_settle);
  RUN(test_kelvin_voigt);
  RUN(test_hencky_range);
  return TEST_RESULT();
}
