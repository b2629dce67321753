/* Every term of term_list.h in dual numbers: its adjoint against the exact tangent. A new term
 * needs a fill() of its keys here, or this does not compile. */
#include "dual.h"

#include "terms/terms.h"

#include "rng.h"
#include "test.h"

enum { N_U = 3, MOST_Z = 6 + CQ_Z_SCALARS };

static cq_rng rng = cq_rng_seed(21);

static void fill(cq_term_distance &keys, int variant) {
  keys.squared = variant == 0;
  for (double &t : keys.target) {
    t = cq_rng_normal(&rng);
  }
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

static void fill(cq_term_elastic_energy &, int) {
}

static void fill(cq_term_relative_volume &, int) {
}

static void fill(cq_term_peak_stress &keys, int) {
  keys.exponent = 8.0; /* the norm is taken before the term sees it */
}

static void fill(cq_term_actuation_cost &keys, int variant) {
  keys.relative = variant;
}

template <class Keys, class Value, class Adjoint>
static void check(const char *name, Value value, Adjoint adjoint, int dim, int variant) {
  Keys keys;
  fill(keys, variant);
  Dual z[MOST_Z], u[N_U], dz[MOST_Z], du[N_U];
  double u_max[N_U];
  for (int i = 0; i < MOST_Z; i++) {
    z[i] = Dual(cq_rng_normal(&rng), cq_rng_normal(&rng));
    dz[i] = 100.0; /* an adjoint adds */
  }
  for (int i = 0; i < N_U; i++) {
    u[i] = Dual(cq_rng_normal(&rng), cq_rng_normal(&rng));
    du[i] = 100.0;
    u_max[i] = 1.5 + i;
  }
  cq_term_in in;
  in.dim = dim;
  in.z = z;
  in.n_controls = N_U;
  in.u = u;
  in.u_max = u_max;
  const Dual expected = value(&keys, &in);
  adjoint(&keys, &in, Dual(1.0), dz, du);
  double dot = 0.0;
  for (int i = 0; i < MOST_Z; i++) {
    dot += (dz[i].v - 100.0) * z[i].d;
  }
  for (int i = 0; i < N_U; i++) {
    dot += (du[i].v - 100.0) * u[i].d;
  }
  CHECK(expected.d != 0.0);
  CHECK_MSG(std::fabs(dot - expected.d) <= 1e-12 * (1.0 + std::fabs(expected.d)),
            "%s: adjoint %.15g, tangent %.15g", name, dot, expected.d);
}

static void test_every_term(void) {
  for (int dim = 2; dim <= 3; dim++) {
    for (int variant = 0; variant < 2; variant++) {
#define CQ_TERM(name, belongs, when)                                                               \
  check<cq_term_##name>(#name, cq_##name##_value, cq_##name##_adjoint, dim, variant);
#include "term_list.h"
#undef CQ_TERM
    }
  }
}

int main() {
  RUN(test_every_term);
  return TEST_RESULT();
}
