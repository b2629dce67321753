#include "objective.h"

#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  cq_measures measures;
  unsigned quantities;
} kinds[CQ_N_TERMS] = {
#define SCENE                        CQ_MEASURES_SCENE, 0
#define BODY                         CQ_MEASURES_BODY, 0
#define VOLUME                       CQ_MEASURES_BODY, CQ_OBSERVE_VOLUME
#define ENERGY                       CQ_MEASURES_BODY, CQ_OBSERVE_ENERGY
#define STRESS                       CQ_MEASURES_BODY, CQ_OBSERVE_STRESS
#define PAIR                         CQ_MEASURES_PAIR, 0
#define MARKERS                      CQ_MEASURES_MARKERS, 0
#define CQ_TERM(name, belongs, when) {#name, belongs},
#include "term_list.h"
#undef CQ_TERM
#undef SCENE
#undef BODY
#undef VOLUME
#undef ENERGY
#undef STRESS
#undef PAIR
#undef MARKERS
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

/* The observations of group `group` at state k, in an array of all of them. */
static size_t z_offset(const cq_objective *o, int k, int group) {
  const size_t z_size = (size_t)cq_group_z_size(o->model->dim);
  return ((size_t)k * (size_t)o->model->n_groups + (size_t)group) * z_size;
}

/* Row of the controls that led to the instant, or of those before. */
static size_t u_offset(const cq_objective *o, const cq_instant *at, int back) {
  const int row = at->step - (at->ahead > 0.0 ? 0 : 1) - back;
  return (size_t)(row > 0 ? row : 0) * (size_t)o->model->n_controls;
}

static cq_term_in gather(const cq_objective *o, const cq_term *term, const cq_instant *at,
                         const double *z, const double *u) {
  const int z_size = cq_group_z_size(o->model->dim), n_u = o->model->n_controls;
  for (int s = 0; s < term->n_sets; s++) {
    const double *here = z + z_offset(o, at->step, term->sets[s]);
    const double *next = z + z_offset(o, at->step + (at->ahead > 0.0), term->sets[s]);
    for (int i = 0; i < z_size; i++) {
      o->term_z[s * z_size + i] = here[i] + at->ahead * (next[i] - here[i]);
    }
  }
  for (int i = 0; i < 2 * n_u; i++) {
    o->term_u[i] = u[u_offset(o, at, i / n_u) + (size_t)(i % n_u)];
  }
  return (cq_term_in){
      .dim = o->model->dim,
      .dt = o->model->dt,
      .z_size = z_size,
      .z = o->term_z,
      .n_controls = n_u,
      .u = o->term_u,
      .u_max = o->u_max,
      .n_markers = at->n_markers,
      .markers = term->markers != NULL ? term->markers + at->first_marker : NULL,
  };
}

/* The transpose of gather(). */
static void scatter(const cq_objective *o, const cq_term *term, const cq_instant *at, double *dz,
                    double *du) {
  const int z_size = cq_group_z_size(o->model->dim), n_u = o->model->n_controls;
  for (int s = 0; s < term->n_sets; s++) {
    double *here = dz + z_offset(o, at->step, term->sets[s]);
    double *next = dz + z_offset(o, at->step + (at->ahead > 0.0), term->sets[s]);
    for (int i = 0; i < z_size; i++) {
      here[i] += (1.0 - at->ahead) * o->term_dz[s * z_size + i];
      next[i] += at->ahead * o->term_dz[s * z_size + i];
    }
  }
  for (int i = 0; i < 2 * n_u; i++) {
    du[u_offset(o, at, i / n_u) + (size_t)(i % n_u)] += o->term_du[i];
  }
}

void cq_objective_value(cq_objective *o, const double *z, const double *u, double *values) {
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *function = &o->functions[i];
    values[i] = function->constant;
    for (int j = 0; j < function->n_terms; j++) {
      cq_term *term = &function->terms[j];
      double sum = 0.0;
      for (int k = 0; k < term->n_instants; k++) {
        const cq_term_in in = gather(o, term, &term->instants[k], z, u);
        sum += term->instants[k].share * cq_term_value(term, &in);
      }
      term->value = term->weight * sum;
      values[i] += term->value;
    }
  }
}

static void seed_term(const cq_objective *o, const cq_term *term, const double *z, const double *u,
                      double *dz, double *du) {
  const size_t z_size = (size_t)cq_group_z_size(o->model->dim);
  for (int k = 0; k < term->n_instants; k++) {
    const cq_instant *at = &term->instants[k];
    const cq_term_in in = gather(o, term, at, z, u);
    memset(o->term_dz, 0, (size_t)term->n_sets * z_size * sizeof *o->term_dz);
    memset(o->term_du, 0, 2 * (size_t)in.n_controls * sizeof *o->term_du);
    cq_term_adjoint(term, &in, term->weight * at->share, o->term_dz, o->term_du);
    scatter(o, term, at, dz, du);
  }
}

void cq_objective_seed(cq_objective *o, const double *z, const double *u) {
  const size_t du_size = (size_t)o->model->steps * (size_t)o->model->n_controls;
  const size_t dz_size = z_offset(o, o->model->steps + 1, 0);
  memset(o->dz, 0, (size_t)o->n_functions * dz_size * sizeof *o->dz);
  memset(o->du, 0, (size_t)o->n_functions * du_size * sizeof *o->du);
  for (int i = 0; i < o->n_functions; i++) {
    double *dz = o->dz + (size_t)o->seeded[i] * dz_size;
    double *du = o->du + (size_t)o->seeded[i] * du_size;
    for (int j = 0; j < o->functions[i].n_terms; j++) {
      seed_term(o, &o->functions[i].terms[j], z, u, dz, du);
    }
  }
}

cq_measures cq_term_measures(cq_term_kind kind) {
  return kinds[kind].measures;
}

unsigned cq_term_quantities(cq_term_kind kind) {
  return kinds[kind].quantities;
}

double cq_term_stress_exponent(cq_term_kind kind, const cq_term_own *own) {
  switch (kind) {
#define CQ_EXPONENT_SCENE(name)   0.0
#define CQ_EXPONENT_BODY(name)    0.0
#define CQ_EXPONENT_VOLUME(name)  0.0
#define CQ_EXPONENT_ENERGY(name)  0.0
#define CQ_EXPONENT_STRESS(name)  own->name.exponent
#define CQ_EXPONENT_PAIR(name)    0.0
#define CQ_EXPONENT_MARKERS(name) 0.0
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
