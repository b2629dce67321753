/* What a group observes beside its means: closed forms for uniform strains, the norm of the stress,
 * and its corners. The gradients are proven by sim_dual. */
#include "mpm_inputs.h"
#include "observed.h"
#include "scene_builder.h"

enum { N = 8 };

static const unsigned all = CQ_OBSERVE_VOLUME | CQ_OBSERVE_ENERGY | CQ_OBSERVE_STRESS;

/* N particles at rest, observed at state 0; particle p has volume p + 1 */
static void open_asking(scene *s, int dim, int bits, double exponent, unsigned quantities) {
  static const unsigned char observe[2] = {1, 1};
  scene_make(s, dim, bits, 20, 0.1, 1e-12, 1, N, 1);
  s->groups[0].quantities = quantities;
  s->groups[0].stress_exponent = exponent;
  s->model.observe = observe;
  scene_open(s);
  for (int p = 0; p < N; p++) {
    for (int a = 0; a < dim; a++) {
      scene_at(s, CQ_INPUT_x)[p * dim + a] = 0.8 + 0.05 * p;
    }
    scene_at(s, CQ_INPUT_volume)[p] = p + 1.0;
  }
}

static void open_scene(scene *s, int dim, int bits, double exponent) {
  open_asking(s, dim, bits, exponent, all);
}

static void strain_all(scene *s, double xx, double xy, double yy) {
  const int dim = s->model.dim;
  for (int p = 0; p < N; p++) {
    double *F = scene_at(s, CQ_INPUT_F) + (size_t)(p * dim * dim);
    F[0] = xx;
    F[1] = xy;
    F[dim + 1] = yy;
  }
}

static const double *first_z(scene *s) {
  scene_forward(s);
  return cq_sim_observations(s->sim);
}

/* neo-Hookean, F = diag(a, b, 1): sigma_i = (mu (F_i^2 - 1) + lambda log J) / J, in 2D and 3D */
static void closed_forms(void) {
  const double E = 10.0, nu = 0.3, volume = N * (N + 1) / 2.0, a = 1.2, b = 0.9, J = a * b;
  const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const double x = mu * (a * a - 1) / J, y = mu * (b * b - 1) / J; /* less their common part */
  const double energy = mu / 2 * (a * a + b * b - 2) - mu * log(J) + lambda / 2 * log(J) * log(J);
  for (int variant = 0; variant < 4; variant++) {
    scene s;
    const int dim = 2 + variant % 2, bits = variant < 2 ? 64 : 32;
    const double tolerance = bits == 64 ? 1e-14 : 1e-5;
    open_scene(&s, dim, bits, 3.0);
    memset(s.material, CQ_MATERIAL_neo_hookean, N);
    strain_all(&s, a, 0.0, b);
    const double *z = first_z(&s);
    CHECK_NEAR(z[CQ_Z(dim, VOLUME)], J, tolerance * J);
    CHECK_NEAR(z[CQ_Z(dim, ENERGY)], volume * energy, tolerance * volume * energy);
    CHECK_NEAR(z[CQ_Z(dim, STRESS)], sqrt(x * x - x * y + y * y), tolerance * 10.0);
    CHECK_NEAR(z[CQ_Z(dim, MASS)], volume, tolerance * volume);
    scene_close(&s);
  }
}

/* small strains of every material, 2D: plane strain, so that nu (sigma_x + sigma_y) acts on z */
static void plane_strain(void) {
  const double E = 10.0, nu = 0.3, e = 1e-5;
  for (int material = 0; material < CQ_N_MATERIALS; material++) {
    scene s;
    open_scene(&s, 2, 64, 8.0);
    memset(s.material, material, N);
    /* uniaxial stress in the plane: sigma_y = 0 */
    strain_all(&s, 1.0 + e, 0.0, 1.0 - e * nu / (1.0 - nu));
    const double solid = cq_material_is_liquid(material) ? 0.0 : 1.0;
    const double stress = E / (1.0 - nu * nu) * e;
    CHECK_NEAR(first_z(&s)[CQ_Z(2, STRESS)], solid * stress * sqrt(1 - nu + nu * nu),
               1e-4 * stress);
    strain_all(&s, 1.0, 2 * e, 1.0); /* shear: sqrt(3) tau */
    const double shear = sqrt(3.0) * E / (2 * (1 + nu)) * 2 * e;
    CHECK_NEAR(first_z(&s)[CQ_Z(2, STRESS)], solid * shear, 1e-4 * shear);
    scene_close(&s);
  }
}

/* one stressed particle of volume V_p among others: s (V_p / V)^(1/q), whatever q and the unit */
static void norm(void) {
  const double volume = N * (N + 1) / 2.0;
  for (double E = 1e-12; E < 1e13; E *= 1e12) {
    double s_alone = 0.0;
    for (double q = 1.0; q <= 1000.0; q *= 10.0) {
      scene s;
      open_scene(&s, 3, 64, q);
      scene_set_all(&s, CQ_INPUT_youngs_modulus, E);
      scene_at(&s, CQ_INPUT_F)[4 * 9] = 1.1;
      const double peak = first_z(&s)[CQ_Z(3, STRESS)] * pow(volume / 5.0, 1.0 / q);
      s_alone = q == 1.0 ? peak : s_alone;
      CHECK(peak > 0.0);
      CHECK_NEAR(peak, s_alone, 1e-12 * s_alone);
      scene_close(&s);
    }
  }
}

/* without stress the norm is zero and its gradient the subgradient zero */
static void no_stress(void) {
  for (int material = 0; material < CQ_N_MATERIALS; material++) {
    scene s;
    open_scene(&s, 2 + material % 2, 64, 8.0);
    memset(s.material, material, N);
    CHECK(first_z(&s)[CQ_Z(s.model.dim, STRESS)] == 0.0);
    s.dz[CQ_Z(s.model.dim, STRESS)] = 1.0;
    scene_backward(&s);
    for (size_t i = 0; i < s.layout.total; i++) {
      CHECK(s.gradient[i] == 0.0);
    }
    scene_close(&s);
  }
}

/* a quantity is zero unless asked for, and asking changes nothing else */
static void asked_for(void) {
  double kept[16];
  for (unsigned ask = 0; ask < 2; ask++) {
    scene s;
    open_asking(&s, 3, 64, 8.0, ask * all);
    strain_all(&s, 1.2, 0.1, 0.9);
    const double *z = first_z(&s);
    for (int i = 0; i < cq_group_z_size(3); i++) {
      const bool extra = i >= CQ_Z(3, VOLUME) && i <= CQ_Z(3, STRESS);
      CHECK(extra ? (z[i] != 0.0) == (ask == 1) : ask == 0 || z[i] == kept[i]);
      kept[i] = z[i];
    }
    scene_close(&s);
  }
}

int main(void) {
  RUN(closed_forms);
  RUN(plane_strain);
  RUN(norm);
  RUN(no_stress);
  RUN(asked_for);
  return TEST_RESULT();
}
