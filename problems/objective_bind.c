/* A material point between particles. */
#include "objective.h"
#include "scene.h"

#include <math.h>
#include <string.h>

/* a point this near to a particle, in lengths of the model, is the particle */
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

/* phi_i M^-1 (x_i - m) */
static bool find_slopes(int dim, double M[3][3], int n, const double *phi, double away[][3],
                        const double *mean, double *slope) {
  for (int i = 0; i < n; i++) {
    double copy[3][3], y[3] = {0};
    memcpy(copy, M, sizeof copy);
    for (int a = 0; a < dim; a++) {
      y[a] = away[i][a] - mean[a];
    }
    if (!solve(dim, copy, y)) {
      return false;
    }
    for (int a = 0; a < dim; a++) {
      slope[i * dim + a] = phi[i] * y[a];
    }
  }
  return true;
}

/* Shares of n particles that sum to 1 and make the place, so that a point of an affine motion is
 * exact: moving least squares with a linear basis and weights phi_i = 1/d_i^4, by which a place
 * near a particle hangs on that one. With the weighted mean m of the particles, Phi = sum phi_i and
 * M = sum phi_i (x_i - m)(x_i - m)^T, share_i = phi_i (1/Phi + (place - m) . M^-1 (x_i - m)). All
 * places are taken from the nearest particle: one that is nearly there has next to all the weight,
 * and its distance from m is lost in the rounding of their places. False when the particles are on
 * a line (3D: in a plane). */
static bool find_shares(const cq_scene *scene, const double *place, int n, const int *particles,
                        const double *squares, double *share, double *slope) {
  const size_t dim = (size_t)scene->config.dim;
  double phi[CQ_MOST_CARRIERS], away[CQ_MOST_CARRIERS][3];
  double sum = 0.0, mean[3] = {0}, M[3][3] = {{0}}, y[3] = {0};
  const double *nearest = scene->x + (size_t)particles[0] * dim;
  for (int i = 0; i < n; i++) {
    phi[i] = (squares[0] * squares[0]) / (squares[i] * squares[i]);
    sum += phi[i];
    for (size_t a = 0; a < dim; a++) {
      away[i][a] = scene->x[(size_t)particles[i] * dim + a] - nearest[a];
    }
  }
  for (int i = 0; i < n; i++) {
    for (size_t a = 0; a < dim; a++) {
      mean[a] += phi[i] / sum * away[i][a];
    }
  }
  for (size_t a = 0; a < dim; a++) {
    y[a] = place[a] - nearest[a] - mean[a];
    for (size_t b = 0; b < dim; b++) {
      for (int i = 0; i < n; i++) {
        M[a][b] += phi[i] * (away[i][a] - mean[a]) * (away[i][b] - mean[b]);
      }
    }
  }
  bool good = slope == NULL || find_slopes(scene->config.dim, M, n, phi, away, mean, slope);
  good = good && solve(scene->config.dim, M, y);
  for (int i = 0; i < n && good; i++) {
    share[i] = phi[i] / sum;
    for (size_t a = 0; a < dim; a++) {
      share[i] += phi[i] * y[a] * (away[i][a] - mean[a]);
    }
  }
  return good;
}

/* A place on a particle is taken to be a little off it. */
int cq_bind_sliding(const cq_scene *scene, const cq_set *of, const double *place, int *particles,
                    double *shares, double *slopes, double *distance) {
  const double least = 1e-3 * scene->model.length;
  double squares[CQ_MOST_CARRIERS];
  const int wanted = scene->config.dim == 2 ? 4 : CQ_MOST_CARRIERS;
  const int n = find_nearest(scene, of, place, wanted, particles, squares);
  *distance = sqrt(squares[0]);
  for (int i = 0; i < n; i++) {
    squares[i] = fmax(squares[i], least * least);
  }
  return find_shares(scene, place, n, particles, squares, shares, slopes) ? n : 0;
}

int cq_bind(const cq_scene *scene, const cq_set *of, const double *place, int *particles,
            double *shares, double *distance) {
  double squares[CQ_MOST_CARRIERS];
  const int wanted = scene->config.dim == 2 ? 4 : CQ_MOST_CARRIERS;
  const int n = find_nearest(scene, of, place, wanted, particles, squares);
  *distance = sqrt(squares[0]);
  if (*distance < same_place * scene->model.length ||
      !find_shares(scene, place, n, particles, squares, shares, NULL)) {
    shares[0] = 1.0;
    return 1;
  }
  return n;
}
