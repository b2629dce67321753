/* A material point between particles. */
#include "objective.h"
#include "scene.h"

#include <math.h>

/* a point this near to a particle, in cells, is the particle */
static const double same_place = 1e-6;

/* The particles of a set nearest to a place, nearest first. */
static int find_nearest(const cq_scene *scene, const cq_set *of, const double *place, int wanted,
                        int *particles, double *squares) {
  const size_t dim = (size_t)scene->config.dim;
  int n = 0;
  for (int i = 0; i < of->count; i++) {
    const double *x = scene->x + (size_t)of->particles[i] * dim;
    double square = 0.0;
    for (size_t a = 0; a < dim; a++) {
      square += (x[a] - place[a]) * (x[a] - place[a]);
    }
    if (n == wanted && square >= squares[n - 1]) {
      continue;
    }
    n += n < wanted;
    int at = n - 1;
    for (; at > 0 && squares[at - 1] > square; at--) {
      squares[at] = squares[at - 1];
      particles[at] = particles[at - 1];
    }
    squares[at] = square;
    particles[at] = of->particles[i];
  }
  return n;
}

/* Solves the symmetric A y = b by elimination; false where A is nearly singular. */
static bool solve(int dim, double A[3][3], double *b) {
  double largest = 0.0;
  for (int i = 0; i < dim; i++) {
    largest = fmax(largest, A[i][i]);
  }
  for (int i = 0; i < dim; i++) {
    if (!(A[i][i] > 1e-6 * largest)) {
      return false;
    }
    for (int j = i + 1; j < dim; j++) {
      const double factor = A[j][i] / A[i][i];
      for (int k = i; k < dim; k++) {
        A[j][k] -= factor * A[i][k];
      }
      b[j] -= factor * b[i];
    }
  }
  for (int i = dim - 1; i >= 0; i--) {
    for (int k = i + 1; k < dim; k++) {
      b[i] -= A[i][k] * b[k];
    }
    b[i] /= A[i][i];
  }
  return true;
}

/* Of all shares of n particles that sum to 1 and give the place, those of the least sum of squares:
 * share_i = 1/n + (place - m) . M^-1 (x_i - m), with the mean m and M = sum (x_i - m)(x_i - m)^T. A
 * point of an affine motion is exact then. False when the particles are on a line (3D: in a plane).
 */
static bool find_shares(const cq_scene *scene, const double *place, int n, const int *particles,
                        double *share) {
  const size_t dim = (size_t)scene->config.dim;
  const double *x = scene->x;
  double mean[3] = {0}, M[3][3] = {{0}}, y[3] = {0};
  for (int i = 0; i < n; i++) {
    for (size_t a = 0; a < dim; a++) {
      mean[a] += x[(size_t)particles[i] * dim + a] / n;
    }
  }
  for (size_t a = 0; a < dim; a++) {
    y[a] = place[a] - mean[a];
    for (size_t b = 0; b < dim; b++) {
      for (int i = 0; i < n; i++) {
        const double *at = x + (size_t)particles[i] * dim;
        M[a][b] += (at[a] - mean[a]) * (at[b] - mean[b]);
      }
    }
  }
  const bool good = solve(scene->config.dim, M, y);
  for (int i = 0; i < n && good; i++) {
    share[i] = 1.0 / n;
    for (size_t a = 0; a < dim; a++) {
      share[i] += y[a] * (x[(size_t)particles[i] * dim + a] - mean[a]);
    }
  }
  return good;
}

int cq_bind(const cq_scene *scene, const cq_set *of, const double *place, int *particles,
            double *shares, double *distance) {
  double squares[CQ_MOST_CARRIERS];
  const int wanted = scene->config.dim == 2 ? 4 : CQ_MOST_CARRIERS;
  const int n = find_nearest(scene, of, place, wanted, particles, squares);
  *distance = sqrt(squares[0]);
  if (*distance < same_place * scene->config.simulation.cell ||
      !find_shares(scene, place, n, particles, shares)) {
    shares[0] = 1.0;
    return 1;
  }
  return n;
}
