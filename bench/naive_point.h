/* What the naive loops do at one particle. `scalar` is float or double; a test makes it a number
 * that counts operations, so this is C and C++. */
#ifndef CQ_BENCH_NAIVE_POINT_H
#define CQ_BENCH_NAIVE_POINT_H

#include "naive.h"

#include <math.h>

#ifndef CQ_NAIVE_SCALAR
#  define CQ_NAIVE_SCALAR
#  if CQ_BITS == 32
typedef float scalar;
#    define SCALAR_EPSILON 1.1920929e-07f
static inline scalar scalar_sqrt(scalar a) {
  return sqrtf(a);
}
#  else
typedef double scalar;
#    define SCALAR_EPSILON 2.220446049250313e-16
static inline scalar scalar_sqrt(scalar a) {
  return sqrt(a);
}
#  endif
#endif

enum { D = CQ_DIM, LAST = CQ_DIM == 3 ? 3 : 1 };

typedef struct particle {
  scalar x[D], v[D], F[D][D], C[D][D];
} particle;

/* mass and momentum, then mass and velocity; in the adjoint the gradients of the two */
typedef struct node {
  scalar mass, v[D];
} node;

typedef struct constants {
  scalar dt, dx, inv_dx, mu, lambda, mass, gravity[D];
  scalar stress; /* -4 dt V / dx^2 */
  scalar apic;   /* 4 / dx^2 */
  int stride[2]; /* of the first two axes; the last node index runs fastest */
} constants;

/* What is the same for all particles, worked out in double and rounded once. */
static inline constants constants_of(const cq_naive_config *c) {
  constants k;
  k.dt = (scalar)c->dt;
  k.dx = (scalar)c->cell;
  k.inv_dx = (scalar)(1.0 / c->cell);
  k.mu = (scalar)c->mu;
  k.lambda = (scalar)c->lambda;
  k.mass = (scalar)c->mass;
  k.stress = (scalar)(-4.0 * c->dt * c->volume / (c->cell * c->cell));
  k.apic = (scalar)(4.0 / (c->cell * c->cell));
  for (int a = 0; a < D; a++) {
    k.gravity[a] = (scalar)c->gravity[a];
  }
  k.stride[0] = D == 3 ? c->count[1] * c->count[2] : c->count[1];
  k.stride[1] = D == 3 ? c->count[2] : 1;
  return k;
}

/* --- small matrices -------------------------------------------------------------------------- */

static inline scalar row_dot(const scalar *a, const scalar *b) {
  scalar s = a[0] * b[0];
  for (int i = 1; i < D; i++) {
    s = s + a[i] * b[i];
  }
  return s;
}

static inline void multiply(scalar a[D][D], scalar b[D][D], scalar r[D][D]) {
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      r[i][j] = a[i][0] * b[0][j];
      for (int k = 1; k < D; k++) {
        r[i][j] = r[i][j] + a[i][k] * b[k][j];
      }
    }
  }
}

/* a^T b */
static inline void multiply_tn(scalar a[D][D], scalar b[D][D], scalar r[D][D]) {
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      r[i][j] = a[0][i] * b[0][j];
      for (int k = 1; k < D; k++) {
        r[i][j] = r[i][j] + a[k][i] * b[k][j];
      }
    }
  }
}

/* a b^T */
static inline void multiply_nt(scalar a[D][D], scalar b[D][D], scalar r[D][D]) {
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      r[i][j] = row_dot(a[i], b[j]);
    }
  }
}

static inline void cofactor(scalar a[D][D], scalar r[D][D]) {
#if CQ_DIM == 2
  r[0][0] = a[1][1];
  r[0][1] = -a[1][0];
  r[1][0] = -a[0][1];
  r[1][1] = a[0][0];
#else
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      r[i][j] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
    }
  }
#endif
}

/* adds s times the derivative of cofactor(a) in direction b */
static inline void add_cofactor_tangent(scalar a[D][D], scalar b[D][D], scalar s, scalar r[D][D]) {
#if CQ_DIM == 2
  (void)a;
  r[0][0] += s * b[1][1];
  r[0][1] -= s * b[1][0];
  r[1][0] -= s * b[0][1];
  r[1][1] += s * b[0][0];
#else
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      r[i][j] += s * (a[i1][j1] * b[i2][j2] - a[i1][j2] * b[i2][j1] + b[i1][j1] * a[i2][j2] -
                      b[i1][j2] * a[i2][j1]);
    }
  }
#endif
}

/* --- material -------------------------------------------------------------------------------- */

/* the rotation of the polar decomposition of F, det F > 0 */
static inline void polar_rotation(scalar F[D][D], scalar R[D][D]) {
#if CQ_DIM == 2
  const scalar c = F[0][0] + F[1][1], s = F[1][0] - F[0][1];
  const scalar inverse = 1 / scalar_sqrt(c * c + s * s);
  R[0][0] = R[1][1] = c * inverse;
  R[1][0] = s * inverse;
  R[0][1] = -R[1][0];
#else
  /* Newton's iteration R <- (R + R^-T)/2: its error after a step is half the step squared */
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      R[i][j] = F[i][j];
    }
  }
  for (int iteration = 0; iteration < 20; iteration++) {
    scalar c[3][3], moved = 0;
    cofactor(R, c);
    const scalar inverse = (scalar)0.5 / row_dot(R[0], c[0]);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        const scalar step = inverse * c[i][j] - (scalar)0.5 * R[i][j];
        R[i][j] += step;
        moved += step * step;
      }
    }
    if (moved < SCALAR_EPSILON) {
      break;
    }
  }
#endif
}

/* r += s dR, the change of R when F moves by `along`; S = R^T F */
static inline void add_rotation_tangent(scalar R[D][D], scalar F[D][D], scalar along[D][D],
                                        scalar s, scalar r[D][D]) {
  scalar S[D][D], W[D][D];
  multiply_tn(R, F, S);
  multiply_tn(R, along, W);
#if CQ_DIM == 2
  const scalar w = s * (W[1][0] - W[0][1]) / (S[0][0] + S[1][1]);
  for (int i = 0; i < 2; i++) {
    r[i][0] += R[i][1] * w;
    r[i][1] -= R[i][0] * w;
  }
#else
  /* (tr S I - S) w = axial(W - W^T) */
  const scalar trace = S[0][0] + S[1][1] + S[2][2];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      S[i][j] = (i == j ? trace : (scalar)0) - S[i][j];
    }
  }
  const scalar axial[3] = {W[2][1] - W[1][2], W[0][2] - W[2][0], W[1][0] - W[0][1]};
  scalar c[3][3];
  cofactor(S, c);
  const scalar scale = s / row_dot(S[0], c[0]);
  const scalar w0 = scale * row_dot(c[0], axial), w1 = scale * row_dot(c[1], axial),
               w2 = scale * row_dot(c[2], axial);
  for (int i = 0; i < 3; i++) {
    r[i][0] += R[i][1] * w2 - R[i][2] * w1;
    r[i][1] += R[i][2] * w0 - R[i][0] * w2;
    r[i][2] += R[i][0] * w1 - R[i][1] * w0;
  }
#endif
}

/* P = 2 mu (F - R) + lambda (J - 1) cof F */
static inline void piola(const constants *k, scalar F[D][D], scalar R[D][D], scalar cof[D][D],
                         scalar P[D][D], scalar *j) {
  polar_rotation(F, R);
  cofactor(F, cof);
  *j = row_dot(F[0], cof[0]) - 1;
  for (int a = 0; a < D; a++) {
    for (int b = 0; b < D; b++) {
      P[a][b] = 2 * k->mu * (F[a][b] - R[a][b]) + k->lambda * *j * cof[a][b];
    }
  }
}

/* A = -(4 dt / dx^2) V P F^T + m C, what a particle's momentum has beside m v */
static inline void affine_momentum(const constants *k, particle *q, scalar A[D][D]) {
  scalar R[D][D], cof[D][D], P[D][D], j;
  piola(k, q->F, R, cof, P, &j);
  multiply_nt(P, q->F, A);
  for (int a = 0; a < D; a++) {
    for (int b = 0; b < D; b++) {
      A[a][b] = k->stress * A[a][b] + k->mass * q->C[a][b];
    }
  }
}

/* --- stencil --------------------------------------------------------------------------------- */

typedef struct stencil {
  int first; /* the first node of the stencil in the grid */
  scalar w[D][3], dw[D][3], d[D][3];
} stencil;

#define FOR_NODES(i, j, l)                                                                         \
  for (int i = 0; i < 3; i++)                                                                      \
    for (int j = 0; j < 3; j++)                                                                    \
      for (int l = 0; l < LAST; l++)

static inline int stencil_base(const constants *k, scalar x) {
  return (int)(x * k->inv_dx - (scalar)0.5); /* x/dx >= 1/2 */
}

/* Quadratic B-splines about x: weights, their slopes and offsets of three nodes along each axis. */
static inline stencil stencil_of(const constants *k, const scalar *x) {
  stencil s;
  s.first = 0;
  for (int a = 0; a < D; a++) {
    const int base = stencil_base(k, x[a]);
    const scalar f = x[a] * k->inv_dx - (scalar)base;
    const scalar l = (scalar)1.5 - f, c = f - 1, r = f - (scalar)0.5;
    s.first += a == D - 1 ? base : base * k->stride[a];
    s.w[a][0] = (scalar)0.5 * l * l;
    s.w[a][1] = (scalar)0.75 - c * c;
    s.w[a][2] = (scalar)0.5 * r * r;
    s.dw[a][0] = -l * k->inv_dx;
    s.dw[a][1] = -2 * c * k->inv_dx;
    s.dw[a][2] = r * k->inv_dx;
    s.d[a][0] = -f * k->dx;
    s.d[a][1] = (1 - f) * k->dx;
    s.d[a][2] = (2 - f) * k->dx;
  }
  return s;
}

static inline scalar node_weight(const stencil *s, int i, int j, int l) {
#if CQ_DIM == 2
  (void)l;
  return s->w[0][i] * s->w[1][j];
#else
  return s->w[0][i] * s->w[1][j] * s->w[2][l];
#endif
}

/* the derivative of the weight with respect to the particle's position */
static inline void node_weight_gradient(const stencil *s, int i, int j, int l, scalar *g) {
#if CQ_DIM == 2
  (void)l;
  g[0] = s->dw[0][i] * s->w[1][j];
  g[1] = s->w[0][i] * s->dw[1][j];
#else
  g[0] = s->dw[0][i] * s->w[1][j] * s->w[2][l];
  g[1] = s->w[0][i] * s->dw[1][j] * s->w[2][l];
  g[2] = s->w[0][i] * s->w[1][j] * s->dw[2][l];
#endif
}

/* node - particle */
static inline void node_offset(const stencil *s, int i, int j, int l, scalar *d) {
  d[0] = s->d[0][i];
  d[1] = s->d[1][j];
#if CQ_DIM == 3
  d[2] = s->d[2][l];
#else
  (void)l;
#endif
}

/* --- a particle's step and its adjoint ------------------------------------------------------- */

/* r comes with the sums over the stencil: v, and w v d^T in C */
static inline void advance(const constants *k, const particle *q, particle *r) {
  for (int a = 0; a < D; a++) {
    r->x[a] = q->x[a] + k->dt * r->v[a];
    for (int b = 0; b < D; b++) {
      r->C[a][b] = k->apic * r->C[a][b];
    }
  }
  for (int a = 0; a < D; a++) {
    for (int b = 0; b < D; b++) {
      scalar s = 0;
      for (int c = 0; c < D; c++) {
        s += r->C[a][c] * q->F[c][b];
      }
      r->F[a][b] = q->F[a][b] + k->dt * s;
    }
  }
}

/* (A) and (B): the gradient of the sums over the stencil, from d at the end of the step */
static inline void gathered_adjoint(const constants *k, scalar F[D][D], particle *d, scalar dv[D],
                                    scalar dB[D][D]) {
  for (int a = 0; a < D; a++) {
    dv[a] = d->v[a] + k->dt * d->x[a];
    for (int b = 0; b < D; b++) {
      dB[a][b] = k->apic * (d->C[a][b] + k->dt * row_dot(d->F[a], F[b]));
    }
  }
}

/* (G), (H): adds to dF what comes through the stress, dA being the gradient of A */
static inline void stress_adjoint(const constants *k, scalar F[D][D], scalar dA[D][D],
                                  scalar dF[D][D]) {
  scalar R[D][D], cof[D][D], P[D][D], j;
  piola(k, F, R, cof, P, &j);
  scalar dtau[D][D], dP[D][D], through[D][D];
  for (int a = 0; a < D; a++) {
    for (int b = 0; b < D; b++) {
      dtau[a][b] = k->stress * dA[a][b];
    }
  }
  multiply(dtau, F, dP);
  multiply_tn(dtau, P, through);
  scalar along = 0;
  for (int a = 0; a < D; a++) {
    along += row_dot(cof[a], dP[a]);
  }
  for (int a = 0; a < D; a++) {
    for (int b = 0; b < D; b++) {
      dF[a][b] += through[a][b] + 2 * k->mu * dP[a][b] + k->lambda * along * cof[a][b];
    }
  }
  add_cofactor_tangent(F, dP, k->lambda * j, dF);
  add_rotation_tangent(R, F, dP, -2 * k->mu, dF);
}

/* From the sums over the stencil to the gradient at the beginning of the step; d comes with that
 * at its end. */
static inline void particle_adjoint(const constants *k, particle *q, const particle *next,
                                    scalar A[D][D], scalar dB[D][D], const scalar *v_sum,
                                    const scalar *dp_sum, scalar dA[D][D], const scalar *dx,
                                    particle *d) {
  particle r;
  for (int a = 0; a < D; a++) {
    r.x[a] = d->x[a] + dx[a];
    r.v[a] = k->mass * dp_sum[a];
    for (int b = 0; b < D; b++) {
      r.x[a] -= dB[b][a] * v_sum[b] + A[b][a] * dp_sum[b];
      r.C[a][b] = k->mass * dA[a][b];
      r.F[a][b] = d->F[a][b];
      for (int c = 0; c < D; c++) {
        r.F[a][b] += k->dt * next->C[c][a] * d->F[c][b];
      }
    }
  }
  stress_adjoint(k, q->F, dA, r.F);
  *d = r;
}

#endif
