#include "cover.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <string.h>

cq_status cq_cover_create(cq_ctx *ctx, int dim, int n_vertices, int n_faces, cq_cover *out) {
  const size_t carriers = (size_t)n_vertices * CQ_COVER_CARRIERS;
  *out = (cq_cover){.dim = dim, .n_vertices = n_vertices, .n_faces = n_faces};
  cq_status status = CQ_ALLOC(ctx, out->faces, (size_t)n_faces * (size_t)dim);
  status = status == CQ_OK ? CQ_ALLOC(ctx, out->carriers, carriers) : status;
  status = status == CQ_OK ? CQ_ALLOC(ctx, out->weights, carriers) : status;
  if (status != CQ_OK) {
    cq_cover_free(ctx, out);
  }
  return status;
}

void cq_cover_free(cq_ctx *ctx, cq_cover *cover) {
  cq_free(ctx, cover->faces);
  cq_free(ctx, cover->carriers);
  cq_free(ctx, cover->weights);
  *cover = (cq_cover){.dim = 0};
}

cq_status cq_cover_copy(cq_ctx *ctx, const cq_cover *from, cq_cover *out) {
  const size_t carriers = (size_t)from->n_vertices * CQ_COVER_CARRIERS;
  CQ_TRY(cq_cover_create(ctx, from->dim, from->n_vertices, from->n_faces, out));
  memcpy(out->faces, from->faces, (size_t)from->n_faces * (size_t)from->dim * sizeof *from->faces);
  memcpy(out->carriers, from->carriers, carriers * sizeof *from->carriers);
  memcpy(out->weights, from->weights, carriers * sizeof *from->weights);
  return CQ_OK;
}

double cq_cover_bytes(const cq_cover *cover) {
  return 4.0 * cover->dim * cover->n_faces + 8.0 * CQ_COVER_CARRIERS * cover->n_vertices;
}

/* --- weights --- */

/* Solves M y = b, symmetric and positive, of order dim <= 3; M and b are used up. */
static void solve(int dim, double M[3][3], double *b) {
  for (int k = 0; k < dim; k++) {
    for (int i = k + 1; i < dim; i++) {
      const double part = M[i][k] / M[k][k];
      for (int j = k; j < dim; j++) {
        M[i][j] -= part * M[k][j];
      }
      b[i] -= part * b[k];
    }
  }
  for (int k = dim - 1; k >= 0; k--) {
    for (int j = k + 1; j < dim; j++) {
      b[k] -= M[k][j] * b[j];
    }
    b[k] /= M[k][k];
  }
}

/* How much each carrier counts: less with its distance, nothing just beyond the farthest. */
static void count_carriers(int dim, int n, const double *places, const double *vertex,
                           double *counts) {
  double farthest = 0.0;
  for (int i = 0; i < n; i++) {
    counts[i] = 0.0;
    for (int a = 0; a < dim; a++) {
      counts[i] += (places[i * dim + a] - vertex[a]) * (places[i * dim + a] - vertex[a]);
    }
    farthest = fmax(farthest, counts[i]);
  }
  for (int i = 0; i < n; i++) {
    const double left = farthest > 0.0 ? 1.0 - counts[i] / (1.2 * farthest) : 1.0;
    counts[i] = left * left;
  }
}

/* About the mean of the carriers, so that the weights add up to 1 whatever the rest does. Carriers
 * in a plane or on a line say nothing across it: a little is added to what is solved. */
void cq_cover_weigh(int dim, int n, const double *places, const double *vertex, float *weights) {
  double counts[CQ_COVER_CARRIERS], mean[3] = {0}, M[3][3] = {{0}}, y[3] = {0}, sum = 0.0;
  double trace = 0.0;
  count_carriers(dim, n, places, vertex, counts);
  for (int i = 0; i < n; i++) {
    sum += counts[i];
    for (int a = 0; a < dim; a++) {
      mean[a] += counts[i] * places[i * dim + a];
    }
  }
  for (int a = 0; a < dim; a++) {
    mean[a] /= sum;
    y[a] = vertex[a] - mean[a];
  }
  for (int i = 0; i < n; i++) {
    const double *const x = places + (size_t)(i * dim);
    for (int a = 0; a < dim; a++) {
      for (int b = 0; b < dim; b++) {
        M[a][b] += counts[i] * (x[a] - mean[a]) * (x[b] - mean[b]);
      }
      trace += counts[i] * (x[a] - mean[a]) * (x[a] - mean[a]);
    }
  }
  for (int a = 0; a < dim; a++) {
    M[a][a] += trace > 0.0 ? 1e-6 * trace : 1.0;
  }
  solve(dim, M, y);
  for (int i = 0; i < n; i++) {
    double along = 0.0;
    for (int a = 0; a < dim; a++) {
      along += (places[i * dim + a] - mean[a]) * y[a];
    }
    weights[i] = (float)(counts[i] * (1.0 / sum + along));
  }
}

/* --- use --- */

void cq_cover_place(const cq_cover *cover, const double *x, int width, double *out) {
  for (int v = 0; v < cover->n_vertices; v++) {
    const int *const carriers = cover->carriers + (size_t)v * CQ_COVER_CARRIERS;
    const float *const weights = cover->weights + (size_t)v * CQ_COVER_CARRIERS;
    double at[3] = {0};
    for (int i = 0; i < CQ_COVER_CARRIERS; i++) {
      for (int a = 0; a < cover->dim; a++) {
        at[a] += (double)weights[i] * x[(size_t)carriers[i] * (size_t)width + (size_t)a];
      }
    }
    memcpy(out + 3 * (size_t)v, at, sizeof at);
  }
}

bool cq_cover_is_right(const cq_cover *cover, int n_particles) {
  bool right = true;
  for (size_t i = 0; i < (size_t)cover->n_faces * (size_t)cover->dim; i++) {
    right = right && cover->faces[i] >= 0 && cover->faces[i] < cover->n_vertices;
  }
  for (size_t i = 0; i < (size_t)cover->n_vertices * CQ_COVER_CARRIERS; i++) {
    right = right && cover->carriers[i] >= 0 && cover->carriers[i] < n_particles &&
            fabsf(cover->weights[i]) < 1e6F;
  }
  return right;
}
