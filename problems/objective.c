#include "objective.h"

#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  bool reads_state;
  unsigned quantities;
} kinds[CQ_N_TERMS] = {
#define SCENE                        false, 0
#define BODY                         true, 0
#define VOLUME                       true, CQ_OBSERVE_VOLUME
#define ENERGY                       true, CQ_OBSERVE_ENERGY
#define STRESS                       true, CQ_OBSERVE_STRESS
#define CQ_TERM(name, belongs, when) {#name, belongs},
#include "term_list.h"
#undef CQ_TERM
#undef SCENE
#undef BODY
#undef VOLUME
#undef ENERGY
#undef STRESS
};

double cq_term_value(const cq_term *term, const cq_term_in *in) {
  switch (term->kind) {
#define CQ_TERM(name, belongs, when)                                                               \
  case CQ_TERM_##name:                                                                             \
    return cq_##name##_value(&term->keys->own.name, in);
#include "term_list.h"
#undef CQ_TERM
  default:
    return NAN;
  }
}

void cq_term_adjoint(const cq_term *term, const cq_term_in *in, double seed, double *dz,
                     double *du) {
  switch (term->kind) {
#define CQ_TERM(name, belongs, when)                                                               \
  case CQ_TERM_##name:                                                                             \
    cq_##name##_adjoint(&term->keys->own.name, in, seed, dz, du);                                  \
    break;
#include "term_list.h"
#undef CQ_TERM
  default:
    break;
  }
}

/* The states a term is summed over. */
static int first_state(const cq_objective *o, const cq_term *term) {
  return term->keys->when == CQ_WHEN_RUNNING ? 1 : o->model->steps;
}

static double state_weight(const cq_objective *o, const cq_term *term) {
  return term->weight * (term->keys->when == CQ_WHEN_RUNNING ? o->model->dt : 1.0);
}

/* Where the term's group stands in the observations of state k. */
static size_t z_offset(const cq_objective *o, const cq_term *term, int k) {
  const size_t z = (size_t)cq_group_z_size(o->model->dim);
  const size_t group = term->group > 0 ? (size_t)term->group : 0;
  return ((size_t)k * (size_t)o->model->n_groups + group) * z;
}

static cq_term_in term_in(const cq_objective *o, const cq_term *term, int k, const double *z,
                          const double *u) {
  const size_t n = (size_t)o->model->n_controls;
  return (cq_term_in){
      .dim = o->model->dim,
      .z = z + z_offset(o, term, k),
      .n_controls = o->model->n_controls,
      .u = u + (size_t)(k - 1) * n,
      .u_max = o->u_max,
  };
}

void cq_objective_value(cq_objective *o, const double *z, const double *u, double *values) {
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *function = &o->functions[i];
    values[i] = function->constant;
    for (int j = 0; j < function->n_terms; j++) {
      cq_term *term = &function->terms[j];
      double sum = 0.0;
      for (int k = first_state(o, term); k <= o->model->steps; k++) {
        const cq_term_in in = term_in(o, term, k, z, u);
        sum += cq_term_value(term, &in);
      }
      term->value = state_weight(o, term) * sum;
      values[i] += term->value;
    }
  }
}

void cq_objective_seed(cq_objective *o, const double *z, const double *u) {
  const size_t steps = (size_t)o->model->steps, n_u = (size_t)o->model->n_controls;
  const size_t dz_size = z_offset(o, &(cq_term){.group = 0}, o->model->steps + 1);
  memset(o->dz, 0, (size_t)o->n_functions * dz_size * sizeof *o->dz);
  memset(o->du, 0, (size_t)o->n_functions * steps * n_u * sizeof *o->du);
  for (int i = 0; i < o->n_functions; i++) {
    for (int j = 0; j < o->functions[i].n_terms; j++) {
      const cq_term *term = &o->functions[i].terms[j];
      double *dz = o->dz + (size_t)o->seeded[i] * dz_size;
      double *du = o->du + (size_t)o->seeded[i] * steps * n_u;
      for (int k = first_state(o, term); k <= o->model->steps; k++) {
        const cq_term_in in = term_in(o, term, k, z, u);
        cq_term_adjoint(term, &in, state_weight(o, term), dz + z_offset(o, term, k),
                        du + (size_t)(k - 1) * n_u);
      }
    }
  }
}

bool cq_term_reads_state(cq_term_kind kind) {
  return kinds[kind].reads_state;
}

unsigned cq_term_quantities(cq_term_kind kind) {
  return kinds[kind].quantities;
}

double cq_term_stress_exponent(cq_term_kind kind, const cq_term_own *own) {
  switch (kind) {
#define CQ_EXPONENT_SCENE(name)  0.0
#define CQ_EXPONENT_BODY(name)   0.0
#define CQ_EXPONENT_VOLUME(name) 0.0
#define CQ_EXPONENT_ENERGY(name) 0.0
#define CQ_EXPONENT_STRESS(name) own->name.exponent
#define CQ_TERM(name, belongs, when)                                                               \
  case CQ_TERM_##name:                                                                             \
    return CQ_EXPONENT_##belongs(name);
#include "term_list.h"
#undef CQ_TERM
  default:
    return 0.0;
  }
}

const char *cq_term_kind_name(cq_term_kind kind) {
  return kinds[kind].name;
}
