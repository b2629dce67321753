/* Cables: where in a body their points are.
 *
 * A point X is held by the particles that start nearest to it, 2^dim of them, with shares a_p such
 * that sum a_p = 1 and sum a_p X_p = X: of all those the ones with the least sum a_p^2. So the
 * point is exactly where the file says, also between particles or a little outside, and moves with
 * the body as the particles around it do. */
#include "mpm_scene.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* part of the scatter of the particles' places by which a direction in which they do not differ is
 * kept from division by zero */
static const double ridge = 1e-9;

static double square_between(const double *a, const double *b, int dim) {
  double square = 0.0;
  for (int i = 0; i < dim; i++) {
    square += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return square;
}

/* The k nearest particles of a set, nearest first; equally near ones by number. */
static void find_nearest(const cq_scene *scene, const cq_set *set, const double *x, int k,
                         cq_anchor *anchors) {
  const int dim = scene->config.dim;
  double squares[CQ_ANCHORS];
  int found = 0;
  for (int i = 0; i < set->count; i++) {
    const int p = set->particles[i];
    const double square = square_between(scene->x + (size_t)p * (size_t)dim, x, dim);
    int at = found < k ? found++ : k;
    for (; at > 0 && square < squares[at - 1]; at--) {
      if (at < k) {
        squares[at] = squares[at - 1];
        anchors[at] = anchors[at - 1];
      }
    }
    if (at < k) {
      squares[at] = square;
      anchors[at] = (cq_anchor){p, 1.0};
    }
  }
}

/* Solves A b = r of size n <= 3, A symmetric and positive definite, in place: r becomes b. */
static void solve(double A[3][3], double *r, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n; j++) {
      const double factor = A[j][i] / A[i][i];
      r[j] -= factor * r[i];
      for (int k = i; k < n; k++) {
        A[j][k] -= factor * A[i][k];
      }
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) {
      r[i] -= A[i][k] * r[k];
    }
    r[i] /= A[i][i];
  }
}

/* a_p = (1 - m.S^-1 (d_p - m))/k, with d_p = X_p - X, m their mean and S their covariance */
static void find_shares(const cq_scene *scene, const double *x, int k, cq_anchor *anchors) {
  const int dim = scene->config.dim;
  double d[CQ_ANCHORS][3], m[3] = {0}, b[3], S[3][3] = {{0}}, trace = 0.0;
  for (int p = 0; p < k; p++) {
    for (int a = 0; a < dim; a++) {
      d[p][a] = scene->x[(size_t)anchors[p].particle * (size_t)dim + (size_t)a] - x[a];
      m[a] += d[p][a] / k;
    }
  }
  for (int p = 0; p < k; p++) {
    for (int a = 0; a < dim; a++) {
      for (int c = 0; c < dim; c++) {
        S[a][c] += (d[p][a] - m[a]) * (d[p][c] - m[c]) / k;
      }
      trace += (d[p][a] - m[a]) * (d[p][a] - m[a]) / k;
    }
  }
  memcpy(b, m, sizeof b);
  for (int a = 0; a < dim; a++) {
    S[a][a] += ridge * trace;
  }
  if (trace > 0.0) {
    solve(S, b, dim);
  }
  for (int p = 0; p < k; p++) {
    double along = 0.0;
    for (int a = 0; a < dim; a++) {
      along += b[a] * (d[p][a] - m[a]);
    }
    anchors[p].share = (1.0 - along) / k;
  }
}

/* A point must be where there is a body: within a cell of a particle. */
static cq_status check_near(const cq_scene *scene, const cq_actuator_keys *keys, int j,
                            const double *x, const cq_anchor *nearest) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  const int dim = scene->config.dim;
  const double *p = scene->x + (size_t)nearest->particle * (size_t)dim;
  const double distance = sqrt(square_between(p, x, dim));
  CQ_KEY_CHECK(scene->ctx, distance <= scene->model.length, own, points,
               "point %d is %g m away from the nearest particle of \"%s\"; it must be in the body "
               "or within a cell of it (%g m)",
               j, distance, keys->body, scene->model.length);
  return CQ_OK;
}

/* Hangs each point of the keys on the particles around it. */
static cq_status read_points(cq_scene *scene, const cq_actuator_keys *keys, const cq_set *set,
                             cq_anchor *anchors) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  const int dim = scene->config.dim, wanted = 1 << dim;
  const int k = set->count < wanted ? set->count : wanted;
  for (int j = 0; j < own->points.rows; j++, anchors += CQ_ANCHORS) {
    const double *x = own->points.values + j * dim;
    find_nearest(scene, set, x, k, anchors);
    CQ_TRY(check_near(scene, keys, j, x, anchors));
    find_shares(scene, x, k, anchors);
    for (int i = k; i < CQ_ANCHORS; i++) {
      anchors[i] = (cq_anchor){anchors[0].particle, 0.0};
    }
  }
  return CQ_OK;
}

/* Its points, and by its shortest piece what its tension adds to the stiffness of the body. */
cq_status cq_mpm_read_cable(cq_scene *scene, const cq_actuator_keys *keys, const cq_set *set,
                            cq_actuator *cable) {
  const cq_mpm_actuator_keys *own = keys->of_engine;
  const int dim = scene->config.dim, n = own->points.rows;
  const double cell = scene->model.length;
  double shortest = INFINITY;
  cq_anchor *anchors = NULL;
  CQ_KEY_CHECK(scene->ctx, own->points.columns == dim, own, points,
               "a point has %d numbers, not %d", dim, own->points.columns);
  CQ_KEY_CHECK(scene->ctx, n >= 2, own, points, "a cable needs two points at least");
  for (int j = 0; j + 1 < n; j++) {
    const double *x = own->points.values + j * dim;
    const double length = sqrt(square_between(x, x + dim, dim));
    CQ_KEY_CHECK(scene->ctx, length >= 0.5 * cell, own, points,
                 "points %d and %d are %g m apart; put them half a cell apart at least (%g m)", j,
                 j + 1, length, 0.5 * cell);
    shortest = fmin(shortest, length);
  }
  CQ_TRY(CQ_ARENA(&scene->arena, anchors, n * CQ_ANCHORS));
  CQ_TRY(read_points(scene, keys, set, anchors));
  cable->n_points = n;
  cable->anchors = anchors;
  cable->stiffness = 1.0 / (shortest * (dim == 3 ? cell : 1.0));
  return CQ_OK;
}
