#include "objective.h"

#include "objective_moving.h"
#include "scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* columns of term_list.h as expressions */
#define NOTHING              0u
#define POSITION             (1u << CQ_Q_POSITION)
#define VELOCITY             (1u << CQ_Q_VELOCITY)
#define SQUARE               (1u << CQ_Q_SQUARE)
#define MASS                 (1u << CQ_Q_MASS)
#define NONE                 NULL, false
#define OWN(quantity)        #quantity, false
#define OWN_BY(quantity, by) #quantity, false
#define OWN_IN(quantity)     #quantity, false
#define IN_BOX               NULL, false
#define OF_RIGID(quantity)   #quantity, true

static const struct {
  const char *name;
  cq_measures measures;
  unsigned quantities;
  const char *own;
  bool of_rigid;
} kinds[CQ_N_TERMS] = {
#define CQ_TERM(name, belongs, when, shared, own) {#name, CQ_MEASURES_##belongs, shared, own},
#include "term_list.h"
#undef CQ_TERM
};
#undef NONE
#undef OWN
#undef OWN_BY
#undef OWN_IN
#undef IN_BOX
#undef OF_RIGID

double cq_term_value(const cq_term *term, const cq_term_in *in) {
  switch (term->kind) {
#define CQ_TERM(name, ...)                                                                         \
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
#define CQ_TERM(name, ...)                                                                         \
  case CQ_TERM_##name:                                                                             \
    cq_##name##_adjoint(&term->keys->own.name, in, seed, dz, du);                                  \
    break;
#include "term_list.h"
#undef CQ_TERM
  default:
    break;
  }
}

/* The groups of a state, looked up one after the other: mostly the next one is wanted. */
typedef struct lookup {
  const cq_view *views;
  int n, next;
  size_t row;
} lookup;

static lookup look_at(const cq_objective *o, int state) {
  lookup l = {.row = o->rows->begin[state]};
  l.views = cq_z_views(o->rows, state, &l.n);
  return l;
}

static const cq_view *find_group(lookup *l, int group) {
  const bool is_next = l->next < l->n && l->views[l->next].group == group;
  const cq_view *view = is_next ? &l->views[l->next] : cq_view_find(l->views, l->n, group);
  l->next = (int)(view - l->views) + 1;
  return view;
}

/* Row of the controls that led to the instant, or of those before. */
static size_t u_offset(const cq_objective *o, const cq_instant *at, int back) {
  const int row = at->step - (at->ahead > 0.0 ? 0 : 1) - back;
  return (size_t)(row > 0 ? row : 0) * (size_t)o->model->n_controls;
}

/* Its quantities of its sets at a time, into zeros. */
static void gather_sets(const cq_objective *o, const cq_term *term, const cq_instant *at,
                        const double *z, double *sets) {
  const int z_size = CQ_Z_SIZE(o->model->dim);
  lookup first = look_at(o, at->step), second = look_at(o, at->step + (at->ahead > 0.0));
  for (int s = 0; s < term->n_sets; s++) {
    const cq_view *a = find_group(&first, term->sets[s]), *b = find_group(&second, term->sets[s]);
    for (int c = 0; c < term->n_columns; c++) {
      const cq_column *column = &term->columns[c];
      const double *here = z + first.row + a->place[column->quantity];
      const double *next = z + second.row + b->place[column->quantity];
      double *to = sets + s * z_size + column->first;
      for (int i = 0; i < column->count; i++) {
        to[i] = here[i] + at->ahead * (next[i] - here[i]);
      }
    }
    if (term->calibration.of[CQ_CALIBRATES_TIME]) {
      cq_moving_gather(o, at, z + first.row, z + second.row, a, b, sets + s * z_size);
    }
  }
}

/* How many numbers its sets are, all that it sees of them. */
static size_t set_numbers(const cq_term *term, int dim) {
  const size_t once = (size_t)term->n_sets * CQ_Z_SIZE((size_t)dim);
  return term->period > 0.0 ? 2 * once : once;
}

size_t cq_term_numbers(const cq_term *term, int dim) {
  return set_numbers(term, dim) + (size_t)term->calibration.count;
}

cq_instant cq_term_before(const cq_term *term, const cq_instant *at, double dt) {
  return cq_instant_at((at->step + at->ahead) * dt - term->period, dt);
}

/* Its quantities of its sets, zeros for the others. */
cq_term_in cq_objective_gather(const cq_objective *o, const cq_term *term, const cq_instant *at,
                               const double *z, const double *u) {
  const int z_size = CQ_Z_SIZE(o->model->dim), n_u = o->model->n_controls;
  const cq_instant moved = cq_moving_instant(o, term, at);
  double *p = o->term_z + set_numbers(term, o->model->dim);
  at = &moved;
  memset(o->term_z, 0, set_numbers(term, o->model->dim) * sizeof *o->term_z);
  gather_sets(o, term, at, z, o->term_z);
  if (term->period > 0.0) {
    const cq_instant before = cq_term_before(term, at, o->model->dt);
    gather_sets(o, term, &before, z, o->term_z + term->n_sets * z_size);
  }
  for (int i = 0; i < term->calibration.count; i++) {
    p[i] = o->calibration[term->calibration.first + i];
  }
  for (int i = 0; i < 2 * n_u; i++) {
    o->term_u[i] = u[u_offset(o, at, i / n_u) + (size_t)(i % n_u)];
  }
  return (cq_term_in){
      .dim = o->model->dim,
      .dt = o->model->dt,
      .n_sets = term->n_sets,
      .z_size = z_size,
      .z = o->term_z,
      .radius = term->radius,
      .n_controls = n_u,
      .u = o->term_u,
      .u_max = o->u_max,
      .n_markers = at->n_markers,
      .markers = term->markers != NULL ? term->markers + at->first_marker : NULL,
      .loss_size = term->loss_size,
      .sight = term->is_seen ? &term->sight : NULL,
      .p = term->calibration.count > 0 ? p : NULL,
  };
}

/* The markers see no velocities: there gather has left how fast their places change with time. */
void cq_objective_pull_calibration(const cq_objective *o, const cq_term *term, double *dp) {
  const cq_calibration *c = &term->calibration;
  const int dim = o->model->dim, z_size = CQ_Z_SIZE(dim);
  for (int i = 0; i < c->count; i++) {
    dp[c->first + i] += o->term_dz[term->n_sets * z_size + i];
  }
  for (int s = 0; s < term->n_sets && c->of[CQ_CALIBRATES_TIME]; s++) {
    for (int a = 0; a < dim; a++) {
      dp[c->first + c->at[CQ_CALIBRATES_TIME]] +=
          o->term_dz[s * z_size + a] * o->term_z[s * z_size + dim + a];
    }
  }
}

/* The transpose of gather_sets(). */
static void scatter_sets(const cq_objective *o, const cq_term *term, const cq_instant *at,
                         const double *sets, double *dz) {
  const int z_size = CQ_Z_SIZE(o->model->dim);
  lookup first = look_at(o, at->step), second = look_at(o, at->step + (at->ahead > 0.0));
  for (int s = 0; s < term->n_sets; s++) {
    const cq_view *a = find_group(&first, term->sets[s]), *b = find_group(&second, term->sets[s]);
    if (term->calibration.of[CQ_CALIBRATES_TIME]) {
      cq_moving_scatter(o, at, sets + s * z_size, a, b, dz + first.row, dz + second.row);
      continue;
    }
    for (int c = 0; c < term->n_columns; c++) {
      const cq_column *column = &term->columns[c];
      double *here = dz + first.row + a->place[column->quantity];
      double *next = dz + second.row + b->place[column->quantity];
      const double *from = sets + s * z_size + column->first;
      for (int i = 0; i < column->count; i++) {
        here[i] += (1.0 - at->ahead) * from[i];
        next[i] += at->ahead * from[i];
      }
    }
  }
}

/* The transpose of cq_objective_gather(). A term of sets looks at no controls. */
void cq_objective_scatter(const cq_objective *o, const cq_term *term, const cq_instant *at,
                          double *dz, double *du) {
  const int z_size = CQ_Z_SIZE(o->model->dim), n_u = o->model->n_controls;
  const cq_instant moved = cq_moving_instant(o, term, at);
  at = &moved;
  scatter_sets(o, term, at, o->term_dz, dz);
  if (term->period > 0.0) {
    const cq_instant before = cq_term_before(term, at, o->model->dt);
    scatter_sets(o, term, &before, o->term_dz + term->n_sets * z_size, dz);
  }
  for (int i = 0; term->n_sets == 0 && i < 2 * n_u; i++) {
    du[u_offset(o, at, i / n_u) + (size_t)(i % n_u)] += o->term_du[i];
  }
}

/* Sums over instants, terms and functions. */
void cq_objective_value(cq_objective *o, const double *z, const double *u, double *values) {
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *function = &o->functions[i];
    values[i] = function->constant;
    for (int j = 0; j < function->n_terms; j++) {
      cq_term *term = &function->terms[j];
      double sum = 0.0;
      for (int k = 0; k < term->n_instants; k++) {
        const cq_term_in in = cq_objective_gather(o, term, &term->instants[k], z, u);
        sum += term->instants[k].share * cq_term_value(term, &in);
      }
      term->value = term->weight * sum;
      values[i] += term->value;
    }
  }
}

/* The last state that an instant looks at. */
static int seen_at(const cq_objective *o, const cq_term *term, const cq_instant *at) {
  const cq_instant moved = cq_moving_instant(o, term, at);
  return moved.step + (moved.ahead > 0.0);
}

void cq_objective_part(const cq_objective *o, int from, int to, const double *z, const double *u,
                       double *values) {
  const cq_function *objective = &o->functions[0];
  for (int j = 0; j < objective->n_terms; j++) {
    const cq_term *term = &objective->terms[j];
    values[j] = 0.0;
    for (int k = 0; k < term->n_instants; k++) {
      const cq_instant *at = &term->instants[k];
      if (seen_at(o, term, at) > from && seen_at(o, term, at) <= to) {
        const cq_term_in in = cq_objective_gather(o, term, at, z, u);
        values[j] += term->weight * at->share * cq_term_value(term, &in);
      }
    }
  }
}

static void seed_instant(const cq_objective *o, const cq_term *term, const cq_instant *at,
                         double weight, const double *z, const double *u, double *dz, double *du,
                         double *dp) {
  const size_t n_z = cq_term_numbers(term, o->model->dim);
  const cq_term_in in = cq_objective_gather(o, term, at, z, u);
  memset(o->term_dz, 0, n_z * sizeof *o->term_dz);
  memset(o->term_du, 0, 2 * (size_t)in.n_controls * sizeof *o->term_du);
  cq_term_adjoint(term, &in, weight * at->share, o->term_dz, o->term_du);
  cq_objective_scatter(o, term, at, dz, du);
  if (dp != NULL) {
    cq_objective_pull_calibration(o, term, dp);
  }
}

static void seed_term(const cq_objective *o, const cq_term *term, const double *z, const double *u,
                      const cq_function *f) {
  for (int k = 0; k < term->n_instants; k++) {
    seed_instant(o, term, &term->instants[k], term->weight, z, u, f->dz, f->du, f->dp);
  }
}

void cq_objective_part_seed(const cq_objective *o, int term, int from, int to, double weight,
                            const double *z, const double *u, double *dz, double *du) {
  const cq_term *t = &o->functions[0].terms[term];
  for (int k = 0; k < t->n_instants; k++) {
    const cq_instant *at = &t->instants[k];
    if (seen_at(o, t, at) > from && seen_at(o, t, at) <= to) {
      seed_instant(o, t, at, weight * t->weight, z, u, dz, du, NULL);
    }
  }
}

bool cq_function_reads(const cq_function *function, bool state) {
  for (int j = 0; j < function->n_terms; j++) {
    if ((function->terms[j].n_sets > 0) == state) {
      return true;
    }
  }
  return false;
}

/* Seeds of functions that read no state have no dz, those that read no controls no du. */
cq_status cq_objective_make_room(cq_scene *scene, cq_objective *o) {
  const cq_model *model = o->model;
  const size_t steps = (size_t)model->steps;
  for (int i = 0; i < o->n_functions && !o->has_room; i++) {
    cq_function *function = &o->functions[i];
    if (cq_function_reads(function, true)) {
      CQ_TRY(CQ_ARENA(&scene->arena, function->dz, o->rows->begin[steps + 1]));
    }
    if (cq_function_reads(function, false)) {
      CQ_TRY(CQ_ARENA(&scene->arena, function->du, steps * (size_t)model->n_controls));
    }
    CQ_TRY(CQ_ARENA(&scene->arena, function->dp, o->n_calibration + 1));
    o->seeds[o->seeded[i]] = (cq_seed){.dz = function->dz, .du = function->du};
  }
  o->has_room = true;
  return CQ_OK;
}

/* Of every function, from zero. */
void cq_objective_seed(cq_objective *o, const double *z, const double *u) {
  const size_t steps = (size_t)o->model->steps, du_size = steps * (size_t)o->model->n_controls;
  for (int i = 0; i < o->n_functions; i++) {
    const cq_function *f = &o->functions[i];
    if (f->dz != NULL) {
      memset(f->dz, 0, o->rows->begin[steps + 1] * sizeof *f->dz);
    }
    if (f->du != NULL) {
      memset(f->du, 0, du_size * sizeof *f->du);
    }
    memset(f->dp, 0, (size_t)o->n_calibration * sizeof *f->dp);
    for (int j = 0; j < f->n_terms; j++) {
      seed_term(o, &f->terms[j], z, u, f);
    }
  }
}

cq_measures cq_term_measures(cq_term_kind kind) {
  return kinds[kind].measures;
}

unsigned cq_term_quantities(cq_term_kind kind) {
  return kinds[kind].quantities;
}

const char *cq_term_own_quantity(cq_term_kind kind) {
  return kinds[kind].own;
}

bool cq_term_of_rigid(cq_term_kind kind) {
  return kinds[kind].of_rigid;
}

/* What a term's last column says of its keys, k. */
#define CQ_TERM(name, belongs, when, shared, own)                                                  \
  case CQ_TERM_##name: {                                                                           \
    const cq_term_##name *k = &keys->name;                                                         \
    (void)k;                                                                                       \
    return own;                                                                                    \
  }

/* The key that a term's column OWN_BY names. */
double cq_term_parameter(cq_term_kind kind, const cq_term_own *keys) {
  switch (kind) {
#define NONE                 0.0
#define OWN(quantity)        0.0
#define OWN_BY(quantity, by) k->by
#define OWN_IN(quantity)     0.0
#define IN_BOX               0.0
#define OF_RIGID(quantity)   0.0
#include "term_list.h"
  default:
    return 0.0;
  }
}

#undef NONE
#undef OWN
#undef OWN_BY
#undef OWN_IN
#undef IN_BOX
#undef OF_RIGID

/* The keys of a term whose column is OWN_IN or IN_BOX. */
bool cq_term_box(cq_term_kind kind, const cq_term_own *keys, double box[2][3]) {
  switch (kind) {
#define NONE                 false
#define OWN(quantity)        false
#define OWN_BY(quantity, by) false
#define IN_BOX                                                                                     \
  (memcpy(box[0], k->low, sizeof k->low), memcpy(box[1], k->high, sizeof k->high), true)
#define OWN_IN(quantity)   IN_BOX
#define OF_RIGID(quantity) false
#include "term_list.h"
  default:
    return false;
  }
}

const char *cq_term_kind_name(cq_term_kind kind) {
  return kinds[kind].name;
}
