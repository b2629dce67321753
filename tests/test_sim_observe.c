/* What a group observes beside its means: closed forms for uniform strains, the norm of the stress,
 * and its corners. The gradients are proven by sim_dual. */
#include "mpm_inputs.h"
#include "scene_builder.h"

enum { N = 8 };

static const unsigned all = 1u << CQ_Q_VOLUME | 1u << CQ_Q_ENERGY | 1u << CQ_Q_STRESS;

/* N particles at rest, observed at state 0; particle p has volume p + 1 */
static void open_asking(scene *s, int dim, int bits, double exponent, unsigned own) {
  static const unsigned char observe[2] = {1, 1};
  scene_make(s, dim, bits, 20, 0.1, 1e-12, 1, N, 1);
  s->own[0] = own;
  s->groups[0].parameter = exponent;
  s->observe = observe;
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

/* a quantity of all particles at state 0 */
static double first(scene *s, int quantity) {
  scene_forward(s);
  return cq_sim_observations(s->sim)[scene_place(s, 0, 0, quantity)];
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
    CHECK_NEAR(first(&s, CQ_Q_VOLUME), J, tolerance * J);
    CHECK_NEAR(first(&s, CQ_Q_ENERGY), volume * energy, tolerance * volume * energy);
    CHECK_NEAR(first(&s, CQ_Q_STRESS), sqrt(x * x - x * y + y * y), tolerance * 10.0);
    CHECK_NEAR(first(&s, CQ_Q_MASS), volume, tolerance * volume);
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
    CHECK_NEAR(first(&s, CQ_Q_STRESS), solid * stress * sqrt(1 - nu + nu * nu), 1e-4 * stress);
    strain_all(&s, 1.0, 2 * e, 1.0); /* shear: sqrt(3) tau */
    const double shear = sqrt(3.0) * E / (2 * (1 + nu)) * 2 * e;
    CHECK_NEAR(first(&s, CQ_Q_STRESS), solid * shear, 1e-4 * shear);
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
      const double peak = first(&s, CQ_Q_STRESS) * pow(volume / 5.0, 1.0 / q);
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
    CHECK(first(&s, CQ_Q_STRESS) == 0.0);
    s.dz[scene_place(&s, 0, 0, CQ_Q_STRESS)] = 1.0;
    scene_backward(&s);
    for (size_t i = 0; i < s.layout.total; i++) {
      CHECK(s.gradient[i] == 0.0);
    }
    scene_close(&s);
  }
}

/* what is asked for beside it changes nothing of a quantity */
static void asked_for(void) {
  double kept[CQ_N_SHARED_QUANTITIES];
  for (unsigned ask = 0; ask < 2; ask++) {
    scene s;
    open_asking(&s, 3, 64, 8.0, ask * all);
    strain_all(&s, 1.2, 0.1, 0.9);
    CHECK(s.layout.rows->longest == (ask ? 11 : 8));
    for (int k = 0; k < CQ_N_SHARED_QUANTITIES; k++) {
      const double value = first(&s, k);
      CHECK(ask == 0 || value == kept[k]);
      kept[k] = value;
    }
    scene_close(&s);
  }
}

enum { STATES = 6, MARKED = 3, N_RAGGED = 5 };

/* Channels at some states each, two of one group apart from each other. */
static void rag(scene *s, cq_channel *channels, unsigned char at[2][STATES]) {
  const unsigned char masks[2][STATES] = {{0, 1, 0, 1, 1, 0}, {0, 0, 1, 1, 0, 0}};
  memcpy(at, masks, sizeof masks);
  const cq_channel list[N_RAGGED] = {{1, CQ_Q_VELOCITY, NULL},
                                     {0, CQ_Q_STRESS, at[0]},
                                     {1, CQ_Q_POSITION, at[1]},
                                     {0, CQ_Q_POSITION, at[0]},
                                     {1, CQ_Q_VELOCITY, at[1]}};
  memcpy(channels, list, sizeof list);
  s->groups[1] = (cq_group){.count = MARKED, .particles = s->particles};
  s->model.n_groups = 2;
}

/* Rows hold what is wanted at their states and nothing else, with the bits of a run in which all is
 * wanted; so does the gradient. */
static void ragged_rows(void) {
  static const unsigned char everywhere[STATES] = {1, 1, 1, 1, 1, 1};
  static const size_t lengths[STATES] = {3, 3 + 1 + 3, 3 + 3, 3 + 1 + 3 + 3, 3 + 1 + 3, 3};
  /* the naive kernels of a device have other bits in every run */
  const int n_kernels = CQ_TEST_DEVICE == CQ_ON_CPU ? 2 : 1;
  for (int kernels = 0; kernels < n_kernels; kernels++) {
    cq_channel channels[N_RAGGED];
    unsigned char at[2][STATES];
    scene full, s;
    scene *const both[] = {&full, &s};
    for (int i = 0; i < 2; i++) {
      scene_make(both[i], 3, 64, 20, 0.1, 1e-3, STATES - 1, N, 1);
      both[i]->mpm.kernels = (cq_kernels)kernels;
      both[i]->groups[0].parameter = 4.0;
      both[i]->own[0] = all;
      both[i]->observe = everywhere;
      rag(both[i], channels, at);
      scene_open(both[i]);
      for (int p = 0; p < N; p++) {
        for (int a = 0; a < 3; a++) {
          scene_at(both[i], CQ_INPUT_x)[3 * p + a] = 0.8 + 0.05 * p;
          scene_at(both[i], CQ_INPUT_v)[3 * p + a] = 0.3 * (a - 1) * (p + 1);
        }
      }
    }
    s.model.channels = channels;
    s.model.n_channels = N_RAGGED;
    scene_open_sim(&s);
    scene_forward(&full);
    scene_forward(&s);
    const cq_z_rows *rows = s.layout.rows;
    CHECK(rows->n_classes == 4);
    for (int k = 0; k < STATES; k++) {
      CHECK(rows->begin[k + 1] - rows->begin[k] == lengths[k]);
      CHECK(scene_place(&s, k, 1, CQ_Q_VELOCITY) == rows->begin[k]);
      for (int c = 0; c < N_RAGGED; c++) {
        const cq_channel *one = &channels[c];
        for (int i = 0;
             (one->at == NULL || one->at[k]) && i < cq_quantity_numbers(3, one->quantity); i++) {
          const size_t here = scene_place(&s, k, one->group, one->quantity) + (size_t)i;
          const size_t there = scene_place(&full, k, one->group, one->quantity) + (size_t)i;
          CHECK(cq_sim_observations(s.sim)[here] == cq_sim_observations(full.sim)[there]);
          s.dz[here] = full.dz[there] = 0.1 + c + 0.01 * k;
        }
      }
    }
    scene_backward(&full);
    scene_backward(&s);
    CHECK(memcmp(full.gradient, s.gradient, s.layout.total * sizeof(double)) == 0);
    scene_close(&full);
    scene_close(&s);
  }
}

/* z and what the seeds have of it are taken off the budget of the states */
static void counted(void) {
  scene s;
  scene_make(&s, 2, 64, 20, 0.1, 1e-3, 100, N, 1);
  scene_open(&s);
  const cq_sim_stats stats = *cq_sim_statistics(s.sim);
  CHECK(stats.z_bytes == 6 * sizeof(double));
  CHECK(stats.memo_states == 101);
  for (int seeds = 0; seeds < 2; seeds++) {
    s.channels[0].at = NULL; /* positions, at 101 states */
    s.model.n_seeds = seeds;
    s.model.memory = 10 * stats.state_bytes;
    const size_t taken = (size_t)(1 + seeds) * (2 * 101 + 4) * sizeof(double);
    scene_open_sim(&s);
    CHECK(cq_sim_statistics(s.sim)->z_bytes == taken);
    CHECK(cq_sim_statistics(s.sim)->memo_states ==
          (int)((s.model.memory - taken) / stats.state_bytes));
  }
  s.model.memory = (size_t)(2 * (2 * 101 + 4)) * sizeof(double) + 3 * stats.state_bytes;
  cq_sim *sim = NULL;
  CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_MEMORY);
  CHECK_MSG(strstr(cq_ctx_error(s.ctx), "3 states of") != NULL &&
                strstr(cq_ctx_error(s.ctx), "beside 3296 bytes of observations") != NULL,
            "%s", cq_ctx_error(s.ctx));
  s.model.n_channels = 1;
  s.channels[0].quantity = CQ_N_QUANTITIES;
  CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_USAGE);
  scene_close(&s);
}

int main(void) {
  RUN(closed_forms);
  RUN(plane_strain);
  RUN(norm);
  RUN(no_stress);
  RUN(asked_for);
  RUN(ragged_rows);
  RUN(counted);
  return TEST_RESULT();
}
