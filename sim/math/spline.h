/* Quadratic B-splines on a grid with node i at i*dx. A particle at x touches the 3^CQ_DIM nodes
 * from base = floor(x/dx - 1/2); with f = x/dx - base in [1/2, 3/2) the weights of an axis are
 *   w0 = (3/2 - f)^2 / 2,  w1 = 3/4 - (f - 1)^2,  w2 = (f - 1/2)^2 / 2. */
#ifndef CQ_MATH_SPLINE_H
#define CQ_MATH_SPLINE_H

#include "linalg.h"

#if CQ_DIM == 2
#  define CQ_STENCIL 9
#else
#  define CQ_STENCIL 27
#endif

typedef struct stencil {
  real w[CQ_DIM][3];
  real dw[CQ_DIM][3];   /* derivative with respect to x of the particle [1/m] */
  real dpos[CQ_DIM][3]; /* node - particle [m] */
} stencil;

/* floor(x/dx - 1/2) of one axis; x must be finite and of moderate size */
CQ_FN int spline_base(scalar x, scalar inv_dx) {
  const scalar s = scalar_rounded(x * inv_dx) - K(0.5);
  const int i = (int)s;
  return i - (s < (scalar)i);
}

/* weights of one axis; f as above */
CQ_FN void spline_weights(real f, real *w) {
  const real l = K(1.5) - f, r = f - K(0.5);
  w[0] = real_rounded(K(0.5) * l * l);
  w[2] = real_rounded(K(0.5) * r * r);
  w[1] = K(1) - w[0] - w[2]; /* they sum to 1 to the last bit, or nearly */
}

/* their derivatives with respect to x of the particle [1/m] */
CQ_FN void spline_slopes(real f, scalar inv_dx, real *dw) {
  dw[0] = -((K(1.5) - f) * inv_dx);
  dw[1] = -(K(2) * (f - K(1)) * inv_dx);
  dw[2] = (f - K(0.5)) * inv_dx;
}

/* f of every axis */
CQ_FN vec spline_place(vec x, const int *base, scalar inv_dx) {
  FOR_AXES(a) {
    x.v[a] = x.v[a] * inv_dx - (scalar)base[a];
  }
  return x;
}

/* The one node at `offset` from the base node of a particle at `place`: node - particle [m]. */
CQ_FN vec spline_node_dpos(vec place, const int *offset, scalar dx) {
  FOR_AXES(a) {
    place.v[a] = (K(1) * (scalar)offset[a] - place.v[a]) * dx;
  }
  return place;
}

/* its weight, and node - particle [m] */
CQ_FN real spline_node(vec place, const int *offset, scalar dx, vec *dpos) {
  real weight = real_splat(K(1));
  FOR_AXES(a) {
    real w[3];
    spline_weights(place.v[a], w);
    weight = weight * (offset[a] == 0 ? w[0] : offset[a] == 1 ? w[1] : w[2]);
  }
  *dpos = spline_node_dpos(place, offset, dx);
  return weight;
}

/* all of them, with their slopes */
CQ_FN stencil spline_stencil_at(vec place, scalar dx, scalar inv_dx) {
  stencil s;
  FOR_AXES(a) {
    const real f = place.v[a];
    spline_weights(f, s.w[a]);
    spline_slopes(f, inv_dx, s.dw[a]);
    for (int k = 0; k < 3; k++) {
      s.dpos[a][k] = (K(1) * (scalar)k - f) * dx;
    }
  }
  return s;
}

CQ_FN stencil spline_stencil(vec x, const int *base, scalar dx, scalar inv_dx) {
  return spline_stencil_at(spline_place(x, base, inv_dx), dx, inv_dx);
}

/* offsets 0..2 of stencil node k per axis, the last axis running fastest */
CQ_FN void spline_offset(int k, int *offset) {
  for (int a = CQ_DIM - 1; a >= 0; a--) {
    offset[a] = k % 3;
    k /= 3;
  }
}

/* Loop over the nodes of a stencil. Unrolled, so that offsets are constants. */
#ifdef __CUDACC__
#  define CQ_UNROLL _Pragma("unroll")
#elif defined(__SANITIZE_ADDRESS__)
#  define CQ_UNROLL /* compiling the checks 27 times over takes minutes */
#else
#  define CQ_UNROLL _Pragma("GCC unroll 27")
#endif
#define FOR_STENCIL(k) CQ_UNROLL for (int k = 0; k < CQ_STENCIL; k++)

CQ_FN real spline_weight(const stencil *s, const int *offset) {
  real w = s->w[0][offset[0]];
  for (int a = 1; a < CQ_DIM; a++) {
    w = w * s->w[a][offset[a]];
  }
  return w;
}

/* gradient of the weight with respect to the particle's position */
CQ_FN vec spline_weight_gradient(const stencil *s, const int *offset) {
  vec g;
  FOR_AXES(a) {
    real w = s->dw[a][offset[a]];
    FOR_AXES(b) {
      w = a == b ? w : w * s->w[b][offset[b]];
    }
    g.v[a] = w;
  }
  return g;
}

CQ_FN vec spline_dpos(const stencil *s, const int *offset) {
  vec d;
  FOR_AXES(a) {
    d.v[a] = s->dpos[a][offset[a]];
  }
  return d;
}

#endif
