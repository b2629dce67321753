#include "look.h"

#include "alloc.h"
#include "kkt.h"
#include "sqp_vector.h"
#include "status.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* [reach] the least step along r */
static const double FINEST = 1e-5;
/* of the noise: what a fine step is to change f by */
static const double SHOWN = 200;

/* of the Lagrangian: of constraints, and of parts, the weights of a mixture if they are of f */
static double multiplier(const cq_look *k, int i) {
  return k->run->multipliers[i];
}

static double weight(const cq_look *k, int part) {
  return k->run->multipliers[k->m + part];
}

/* f and what it costs to stay on the active constraints: along them the Lagrangian. What has parts
 * is the mixture of them. */
static double merit(const cq_look *k, const cq_point *point) {
  const cq_problem *problem = &k->problem;
  double sum = cq_problem_has_parts(problem, -1) ? 0 : point->f;
  for (int i = 0; i < k->m; i++) {
    sum += k->active[i] && !cq_problem_has_parts(problem, i) ? multiplier(k, i) * point->c[i] : 0;
  }
  for (int p = 0; p < problem->n_parts; p++) {
    const int of = problem->part_of[p];
    sum += of < 0 || k->active[of] ? weight(k, p) * point->parts[p] : 0;
  }
  return sum;
}

/* Whether a part that the mixture does without decides. */
static bool is_decided_otherwise(const cq_look *k, const cq_point *point) {
  for (int p = 0; p < k->problem.n_parts; p++) {
    const int of = k->problem.part_of[p];
    if (weight(k, p) == 0 && point->parts[p] > (of < 0 ? k->f : k->ev->tolerance[of])) {
      return true;
    }
  }
  return false;
}

/* Whether a constraint that is not active at the best point is violated, or a part counts that does
 * not there. */
static bool is_outside(const cq_look *k, const cq_point *point) {
  for (int i = 0; i < k->m; i++) {
    const double c = i < k->problem.n_inequality ? point->c[i] : fabs(point->c[i]);
    if (!k->active[i] && c > k->ev->tolerance[i]) {
      return true;
    }
  }
  return is_decided_otherwise(k, point);
}

double cq_look_place(cq_look *k, const double *d, double step) {
  double slope = 0;
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(&k->problem, j);
    const double to = k->x[j] + step * k->reach * d[j] * scale;
    k->to[j] = d[j] == 0 ? k->x[j] : fmin(fmax(to, k->problem.lower[j]), k->problem.upper[j]);
    slope += k->q[j] * (k->to[j] - k->x[j]) / scale;
  }
  return slope;
}

/* One probe: its cost, whether it has a say, and whether it refutes. */
cq_found cq_look_probe(cq_look *k, const double *d, double step, bool gradient, double better) {
  cq_found out = {.slope = cq_look_place(k, d, step)};
  k->left -= gradient ? CQ_LOOK_GRADIENT : 1;
  k->runs++;
  /* with constraints or parts the merit decides, and f alone may be bought by a violation */
  const bool has_merit = k->m > 0 || k->problem.n_parts > 0;
  const double bar = has_merit ? -INFINITY : k->f - better - k->noise;
  const cq_status status = cq_evaluate_probe(k->ev, k->to, gradient, bar, &out.point);
  k->differs = k->differs || status != CQ_OK;
  k->cut = k->cut || (status == CQ_OK && out.point == NULL);
  if (out.point == NULL) {
    return out;
  }
  k->differs = k->differs || fabs(out.point->f - k->f) > k->noise;
  out.ok = !is_outside(k, out.point);
  if (!out.ok) {
    return out;
  }
  out.change = merit(k, out.point) - k->merit;
  if (out.change < -better - k->noise) {
    k->refuted = true;
    k->run->gain = -out.change;
    if (cq_evaluator_feasible(k->ev, out.point) && out.point->f < k->ev->best.f) {
      cq_evaluator_set_best(k->ev, out.point);
    }
  }
  return out;
}

double cq_look_explained(const cq_look *k, double step) {
  return k->run->def->optimality_tolerance * k->unit * step * k->reach;
}

void cq_look_doubt(cq_look *k, const char *why) {
  k->refuted = true;
  k->run->doubt = why;
}

/* Adds l times slopes, in scaled variables, to out. */
static void add(const cq_look *k, double l, const double *slopes, double *out) {
  for (int j = 0; j < k->n; j++) {
    out[j] += l * slopes[j] * cq_problem_scale(&k->problem, j);
  }
}

/* whether constraint i has a room before it that is worth something */
static bool has_room(const cq_look *k, const cq_point *point, int i) {
  const double most = CQ_LOOK_NO_ROOM * k->run->def->optimality_tolerance * k->unit;
  return i < k->problem.n_inequality && -multiplier(k, i) * point->c[i] > most &&
         cq_kkt_distance(&k->as_if, point, i) > 0;
}

/* f, constraints and parts, each with its weight. */
void cq_look_lagrangian(const cq_look *k, const cq_point *point, bool worthless, double *out) {
  const cq_problem *problem = &k->problem;
  const size_t n = (size_t)k->n;
  const bool mixed = cq_problem_has_parts(problem, -1);
  for (int j = 0; j < k->n; j++) {
    out[j] = mixed ? 0 : point->grad[j] * cq_problem_scale(problem, j);
  }
  for (int i = 0; i < k->m; i++) {
    if (!cq_problem_has_parts(problem, i) && !(worthless && has_room(k, point, i))) {
      add(k, multiplier(k, i), point->jac + (size_t)i * n, out);
    }
  }
  for (int p = 0; p < problem->n_parts; p++) {
    const int of = problem->part_of[p];
    if (of < 0 || !(worthless && has_room(k, point, of))) {
      add(k, weight(k, p), point->part_slopes + (size_t)p * n, out);
    }
  }
}

void cq_look_set_held(cq_look *k, const double *q, double room_worth) {
  for (int j = 0; j < k->n; j++) {
    const double scale = cq_problem_scale(&k->problem, j);
    const double room = (q[j] > 0 ? k->x[j] - k->problem.lower[j] : k->problem.upper[j] - k->x[j]);
    k->held[j] = k->problem.lower[j] >= k->problem.upper[j] ||
                 (q[j] != 0 && room <= k->run->def->optimality_tolerance * scale &&
                  fabs(q[j]) * room / scale <= room_worth);
  }
}

void cq_look_keep_active(const cq_look *k, double *d) {
  for (int j = 0; j < k->n; j++) {
    d[j] = k->held[j] ? 0 : d[j];
  }
  for (int twice = 0; twice < 2; twice++) {
    for (int i = 0; i < k->rank; i++) {
      const double *row = k->basis + (size_t)i * (size_t)k->n;
      cq_axpy(k->n, -cq_dot(k->n, row, d), row, d);
    }
  }
}

/* Adds slopes, less those of `from` if that is not NULL, to the basis, if they are not in it. */
static void add_to_basis(cq_look *k, const double *slopes, const double *from) {
  double *row = k->basis + (size_t)k->rank * (size_t)k->n;
  for (int j = 0; j < k->n; j++) {
    row[j] = (slopes[j] - (from != NULL ? from[j] : 0)) * cq_problem_scale(&k->problem, j);
  }
  const double before = sqrt(cq_dot(k->n, row, row));
  cq_look_keep_active(k, row);
  const double after = sqrt(cq_dot(k->n, row, row));
  if (after > CQ_LOOK_NOTHING * before && k->rank < k->n) {
    for (int j = 0; j < k->n; j++) {
      row[j] /= after;
    }
    k->rank++;
  }
}

/* The part of f with the largest weight; -1: f has none. */
static int heaviest_part(const cq_look *k) {
  int heaviest = -1;
  for (int p = 0; p < k->problem.n_parts; p++) {
    if (k->problem.part_of[p] < 0 && (heaviest < 0 || weight(k, p) > weight(k, heaviest))) {
      heaviest = p;
    }
  }
  return heaviest;
}

/* Rows of active constraints, then of the kink: parts against the heaviest one. */
void cq_look_set_basis(cq_look *k, const cq_point *point, bool worthless) {
  const size_t n = (size_t)k->n;
  const int heaviest = heaviest_part(k);
  k->rank = 0;
  for (int i = 0; i < k->m; i++) {
    k->active[i] = cq_kkt_distance(&k->as_if, point, i) <= k->run->def->optimality_tolerance;
    if (k->active[i] && !(worthless && has_room(k, point, i))) {
      add_to_basis(k, point->jac + (size_t)i * n, NULL);
    }
  }
  for (int p = 0; p < k->problem.n_parts; p++) {
    const double *const slopes = point->part_slopes + (size_t)p * n;
    const double *const from =
        k->problem.part_of[p] < 0 ? point->part_slopes + (size_t)heaviest * n : NULL;
    if (weight(k, p) > 0 && p != heaviest) {
      add_to_basis(k, slopes, from);
    }
  }
}

bool cq_look_normalize(const cq_look *k, double *d, double before) {
  const double size = cq_max_norm(k->n, d);
  for (int j = 0; j < k->n && size > 0; j++) {
    d[j] /= size;
  }
  return size > CQ_LOOK_NOTHING * before;
}

bool cq_look_draw(cq_look *k, double *d) {
  for (int j = 0; j < k->n; j++) {
    d[j] = cq_rng_normal(&k->rng);
    const double step = CQ_LOOK_COARSE * k->reach * cq_problem_scale(&k->problem, j);
    if (k->x[j] + step > k->problem.upper[j]) {
      d[j] = -fabs(d[j]);
    } else if (k->x[j] - step < k->problem.lower[j]) {
      d[j] = fabs(d[j]);
    }
  }
  cq_look_keep_active(k, d);
  return cq_look_normalize(k, d, 1);
}

/* Sizes, steps and multipliers first; then what holds the point, its merit, and the noise of it. */
void cq_look_begin(cq_look *k) {
  const cq_point *point = &k->ev->best;
  cq_kkt_sizes(k->ev, point, k->size);
  k->problem.scale = k->size;
  k->as_if = *k->ev;
  k->as_if.problem = &k->problem;
  k->rng = cq_rng_seed(cq_ctx_seed(k->run->ctx) + 0x9e3779b97f4a7c15u * (uint64_t)point->index);
  memcpy(k->x, point->x, (size_t)k->n * sizeof *k->x);
  k->f = point->f;
  k->unit = fmax(cq_kkt_unit(&k->as_if, point), DBL_MIN);
  k->left = CQ_LOOK_BUDGET;
  k->reach = cq_kkt_reach(&k->as_if, point);
  cq_look_lagrangian(k, point, false, k->q);
  cq_look_set_held(k, k->q, INFINITY);
  cq_look_set_basis(k, point, false);
  k->merit = merit(k, point);
  double size = fabs(point->f);
  for (int i = 0; i < k->m; i++) {
    size += fabs(k->run->multipliers[i]) * k->ev->size[i];
  }
  k->noise = cq_evaluator_noise(k->ev, size);
  /* a fine step is to show in f */
  const double shows = sqrt(SHOWN * k->noise / k->unit);
  k->fine = fmin(fmax(shows / k->reach, FINEST), CQ_LOOK_FINE);
  k->reach = fmin(fmax(k->reach, shows / CQ_LOOK_FINE), 1);
}

/* Empty, with memory for its vectors: *doubles and k->held are to be freed. */
static cq_status open_look(cq_run *run, cq_look *k, double **doubles) {
  const size_t n = (size_t)run->problem->n, m = (size_t)run->evaluator->m;
  *k = (cq_look){.run = run,
                 .ev = run->evaluator,
                 .problem = *run->problem,
                 .n = run->problem->n,
                 .m = run->evaluator->m};
  CQ_TRY(CQ_ALLOC(run->ctx, *doubles,
                  (7 + 2 * CQ_RITZ_MOST + m + 1 + (size_t)run->problem->n_parts) * n));
  k->x = *doubles;
  k->q = k->x + n;
  k->r = k->q + n;
  k->h = k->r + n;
  k->d = k->h + n;
  k->to = k->d + n;
  k->size = k->to + n;
  k->block = k->size + n;
  k->basis = k->block + 2 * CQ_RITZ_MOST * n;
  CQ_TRY(CQ_ALLOC(run->ctx, k->held, n + m));
  k->active = k->held + n;
  return CQ_OK;
}

void cq_look_with(cq_run *run, void (*what)(cq_look *k)) {
  cq_look k;
  double *doubles = NULL;
  const cq_status status = open_look(run, &k, &doubles);
  if (status == CQ_OK) {
    what(&k);
  } else {
    cq_evaluator_fail(run->evaluator, status);
  }
  cq_free(run->ctx, k.held);
  cq_free(run->ctx, doubles);
}
