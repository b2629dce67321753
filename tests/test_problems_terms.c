/* Every term: its adjoint against central differences. */
#include "objective.h"
#include "rng.h"
#include "test.h"

enum { N_U = 3, MOST_Z = 7 };

typedef struct point {
  cq_term_in in;
  double z[MOST_Z], u[N_U], u_max[N_U];
} point;

static point random_point(int dim, cq_rng *rng) {
  point p = {.in = {.dim = dim, .n_controls = N_U}};
  for (int i = 0; i < MOST_Z; i++) {
    p.z[i] = cq_rng_normal(rng);
  }
  for (int i = 0; i < N_U; i++) {
    p.u[i] = cq_rng_normal(rng);
    p.u_max[i] = 2.0 + i;
  }
  return p;
}

static double value_at(const cq_term *term, point *p) {
  p->in.z = p->z;
  p->in.u = p->u;
  p->in.u_max = p->u_max;
  return cq_term_value(term, &p->in);
}

static double difference(const cq_term *term, point p, double *variable, const double *base) {
  /* variable points into p by its offset in base's point */
  const size_t offset = (size_t)((const char *)variable - (const char *)base);
  const double eps = 1e-6;
  double *x = (double *)(void *)((char *)&p + offset);
  const double x0 = *x;
  *x = x0 + eps;
  const double above = value_at(term, &p);
  *x = x0 - eps;
  return (above - value_at(term, &p)) / (2 * eps);
}

static void check_term(const cq_term *term) {
  cq_rng rng = cq_rng_seed(3);
  for (int dim = 2; dim <= 3; dim++) {
    point p = random_point(dim, &rng);
    double dz[MOST_Z], du[N_U];
    for (int i = 0; i < MOST_Z; i++) {
      dz[i] = 100.0; /* an adjoint adds */
    }
    for (int i = 0; i < N_U; i++) {
      du[i] = 100.0;
    }
    value_at(term, &p);
    cq_term_adjoint(term, &p.in, 1.7, dz, du);
    for (int i = 0; i < cq_group_z_size(dim); i++) {
      const double expected = 1.7 * difference(term, p, &p.z[i], (const double *)(const void *)&p);
      CHECK_NEAR(dz[i] - 100.0, expected, 1e-7);
    }
    for (int i = 0; i < N_U; i++) {
      const double expected = 1.7 * difference(term, p, &p.u[i], (const double *)(const void *)&p);
      CHECK_NEAR(du[i] - 100.0, expected, 1e-7);
    }
  }
}

static void adjoints(void) {
  for (int flag = 0; flag < 2; flag++) {
    for (int kind = 0; kind < CQ_N_TERMS; kind++) {
      cq_term_keys keys = {.weight = 1.0};
      const cq_term term = {.kind = (cq_term_kind)kind, .keys = &keys};
      switch (term.kind) {
      case CQ_TERM_distance:
        keys.own.distance = (cq_term_distance){.target = {0.3, -0.2, 0.8}, .squared = flag};
        break;
      case CQ_TERM_mean_position:
        keys.own.mean_position = (cq_term_mean_position){.direction = {0.5, -1.0, 2.0}};
        break;
      case CQ_TERM_mean_square_velocity:
        keys.own.mean_square_velocity = (cq_term_mean_square_velocity){.per_component = flag};
        break;
      case CQ_TERM_actuation_cost:
        keys.own.actuation_cost = (cq_term_actuation_cost){.relative = flag};
        break;
      default:
        CHECK_MSG(0, "term %d has no test", kind);
      }
      check_term(&term);
    }
  }
}

static void no_gradient_at_the_target(void) {
  cq_term_keys keys = {.own.distance = {.target = {0.5, 0.25}, .squared = 0}};
  const cq_term term = {.kind = CQ_TERM_distance, .keys = &keys};
  const double z[5] = {0.5, 0.25};
  double dz[5] = {0};
  const cq_term_in in = {.dim = 2, .z = z};
  CHECK_NEAR(cq_term_value(&term, &in), 0.0, 0);
  cq_term_adjoint(&term, &in, 1.0, dz, NULL);
  CHECK_NEAR(dz[0], 0.0, 0);
  CHECK_NEAR(dz[1], 0.0, 0);
}

int main(void) {
  RUN(adjoints);
  RUN(no_gradient_at_the_target);
  return TEST_RESULT();
}
