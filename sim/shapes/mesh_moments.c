/* Volume, centre and second moments of what a mesh encloses: the sum over its faces of the simplex
 * that each makes with a point, with the sign of its orientation. */
#include "mesh.h"
#include "surface.h"

/* dim! times the volume of the simplex; r: the corners less the point */
static double simplex(const cq_mesh *m, int face, const double *about, double r[3][3]) {
  for (int k = 0; k < m->dim; k++) {
    for (int a = 0; a < 3; a++) {
      r[k][a] = mesh_corner(m, face, k)[a] - about[a];
    }
  }
  if (m->dim == 2) {
    return r[0][0] * r[1][1] - r[0][1] * r[1][0];
  }
  return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
         r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
         r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

/* About the middle of the bounds first, for the sake of rounding. */
cq_mesh_moments cq_mesh_moments_of(const cq_mesh *m) {
  cq_mesh_moments sum = {0};
  const double n = m->dim, factorial = m->dim == 2 ? 2.0 : 6.0;
  double about[3], first[3] = {0};
  for (int a = 0; a < 3; a++) {
    about[a] = 0.5 * (m->low[a] + m->high[a]);
  }
  for (int f = 0; f < m->n_faces; f++) {
    double r[3][3] = {{0}}, total[3] = {0};
    const double volume = simplex(m, f, about, r) / factorial;
    sum.volume += volume;
    for (int a = 0; a < 3; a++) {
      total[a] = r[0][a] + r[1][a] + r[2][a];
      first[a] += volume * total[a] / (n + 1.0);
    }
    /* the integral of x x^T: volume / ((n + 1) (n + 2)) (sum of r r^T + total total^T) */
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        const double squares = r[0][a] * r[0][b] + r[1][a] * r[1][b] + r[2][a] * r[2][b];
        sum.second[a][b] += volume / ((n + 1.0) * (n + 2.0)) * (squares + total[a] * total[b]);
      }
    }
  }
  for (int a = 0; a < 3; a++) {
    sum.center[a] = about[a] + first[a] / sum.volume;
    for (int b = 0; b < 3; b++) {
      sum.second[a][b] -= first[a] * first[b] / sum.volume;
    }
  }
  return sum;
}
