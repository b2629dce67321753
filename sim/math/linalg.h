/* Vectors and matrices of CQ_DIM. Everything is passed by value; loops unroll. */
#ifndef CQ_MATH_LINALG_H
#define CQ_MATH_LINALG_H

#include "variant.h"

typedef struct vec {
  real v[CQ_DIM];
} vec;

typedef struct mat {
  real m[CQ_DIM][CQ_DIM]; /* row, column */
} mat;

#define FOR_AXES(a)  for (int a = 0; a < CQ_DIM; a++)
#define FOR_SPINS(a) for (int a = 0; a < CQ_SPINS; a++)

CQ_FN vec vec_zero(void) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = real_splat(K(0));
  }
  return r;
}

CQ_FN vec vec_add(vec a, vec b) {
  FOR_AXES(i) {
    a.v[i] = a.v[i] + b.v[i];
  }
  return a;
}

CQ_FN vec vec_sub(vec a, vec b) {
  FOR_AXES(i) {
    a.v[i] = a.v[i] - b.v[i];
  }
  return a;
}

CQ_FN vec vec_scale(real s, vec a) {
  FOR_AXES(i) {
    a.v[i] = s * a.v[i];
  }
  return a;
}

/* a + s b */
CQ_FN vec vec_axpy(vec a, real s, vec b) {
  FOR_AXES(i) {
    a.v[i] = a.v[i] + s * b.v[i];
  }
  return a;
}

CQ_FN real vec_dot(vec a, vec b) {
  real s = a.v[0] * b.v[0];
  for (int i = 1; i < CQ_DIM; i++) {
    s = s + a.v[i] * b.v[i];
  }
  return s;
}

/* From what is due to n = a/|a| to a; length is |a|. */
CQ_FN vec vec_unit_adjoint(vec n, real length, vec dn) {
  return vec_scale(K(1) / length, vec_axpy(dn, -vec_dot(dn, n), n));
}

CQ_FN mat mat_zero(void) {
  mat r;
  FOR_AXES(i) {
    FOR_AXES(j) {
      r.m[i][j] = real_splat(K(0));
    }
  }
  return r;
}

CQ_FN mat mat_identity(void) {
  mat r = mat_zero();
  FOR_AXES(i) {
    r.m[i][i] = real_splat(K(1));
  }
  return r;
}

CQ_FN mat mat_add(mat a, mat b) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = a.m[i][j] + b.m[i][j];
    }
  }
  return a;
}

CQ_FN mat mat_sub(mat a, mat b) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = a.m[i][j] - b.m[i][j];
    }
  }
  return a;
}

CQ_FN mat mat_scale(real s, mat a) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = s * a.m[i][j];
    }
  }
  return a;
}

/* a + s b */
CQ_FN mat mat_axpy(mat a, real s, mat b) {
  FOR_AXES(i) {
    FOR_AXES(j) {
      a.m[i][j] = a.m[i][j] + s * b.m[i][j];
    }
  }
  return a;
}

CQ_FN mat mat_transpose(mat a) {
  mat r;
  FOR_AXES(i) {
    FOR_AXES(j) {
      r.m[i][j] = a.m[j][i];
    }
  }
  return r;
}

CQ_FN mat mat_mul(mat a, mat b) {
  mat r;
  FOR_AXES(i) {
    FOR_AXES(j) {
      real s = a.m[i][0] * b.m[0][j];
      for (int k = 1; k < CQ_DIM; k++) {
        s = s + a.m[i][k] * b.m[k][j];
      }
      r.m[i][j] = s;
    }
  }
  return r;
}

/* a b^T */
CQ_FN mat mat_mul_t(mat a, mat b) {
  return mat_mul(a, mat_transpose(b));
}

/* a^T b */
CQ_FN mat mat_t_mul(mat a, mat b) {
  return mat_mul(mat_transpose(a), b);
}

CQ_FN vec mat_vec(mat a, vec b) {
  vec r;
  FOR_AXES(i) {
    real s = a.m[i][0] * b.v[0];
    for (int k = 1; k < CQ_DIM; k++) {
      s = s + a.m[i][k] * b.v[k];
    }
    r.v[i] = s;
  }
  return r;
}

/* a^T b */
CQ_FN vec mat_t_vec(mat a, vec b) {
  return mat_vec(mat_transpose(a), b);
}

/* a b^T */
CQ_FN mat vec_outer(vec a, vec b) {
  mat r;
  FOR_AXES(i) {
    FOR_AXES(j) {
      r.m[i][j] = a.v[i] * b.v[j];
    }
  }
  return r;
}

/* sum a_ij b_ij */
CQ_FN real mat_dot(mat a, mat b) {
  real s = real_splat(K(0));
  FOR_AXES(i) {
    FOR_AXES(j) {
      s = s + a.m[i][j] * b.m[i][j];
    }
  }
  return s;
}

CQ_FN real mat_trace(mat a) {
  real s = a.m[0][0];
  for (int i = 1; i < CQ_DIM; i++) {
    s = s + a.m[i][i];
  }
  return s;
}

/* Component s of a rate of rotation turns axis spin_from(s) towards spin_to(s). */
CQ_FN int spin_from(int s) {
  return CQ_DIM == 2 ? 0 : (s + 1) % 3;
}
CQ_FN int spin_to(int s) {
  return CQ_DIM == 2 ? 1 : (s + 2) % 3;
}

#if CQ_DIM == 2

enum { CQ_SPINS = 1 }; /* components of a rate of rotation; in 2D it is anticlockwise */

/* w x r, of a rate of rotation w [CQ_SPINS]; its adjoint by r is -(w x d) */
CQ_FN vec vec_turn(const real *w, vec r) {
  vec out;
  out.v[0] = -(w[0] * r.v[1]);
  out.v[1] = w[0] * r.v[0];
  return out;
}

/* and by w: adds r x d to dw [CQ_SPINS] */
CQ_FN void vec_turn_adjoint(vec r, vec d, real *dw) {
  dw[0] = dw[0] + (r.v[0] * d.v[1] - r.v[1] * d.v[0]);
}

CQ_FN real mat_det(mat a) {
  return a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
}

/* det(A) A^-T, a polynomial of A: defined for singular A */
CQ_FN mat mat_cofactor(mat a) {
  mat r;
  r.m[0][0] = a.m[1][1];
  r.m[0][1] = -a.m[1][0];
  r.m[1][0] = -a.m[0][1];
  r.m[1][1] = a.m[0][0];
  return r;
}

/* derivative of the cofactor at A in direction D (linear in 2D) */
CQ_FN mat mat_cofactor_tangent(mat a, mat d) {
  (void)a;
  return mat_cofactor(d);
}

#else

enum { CQ_SPINS = 3 };

CQ_FN vec vec_turn(const real *w, vec r) {
  vec out;
  FOR_AXES(i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out.v[i] = w[j] * r.v[k] - w[k] * r.v[j];
  }
  return out;
}

CQ_FN void vec_turn_adjoint(vec r, vec d, real *dw) {
  const vec turned = vec_turn(r.v, d);
  FOR_AXES(i) {
    dw[i] = dw[i] + turned.v[i];
  }
}

CQ_FN real mat_det(mat a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/* The symmetric bilinear form with cofactor(A) = form(A, A) / 2; its derivative is form(A, D). */
CQ_FN mat mat_cofactor_form(mat a, mat b) {
  mat r;
  FOR_AXES(i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    FOR_AXES(j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      r.m[i][j] = a.m[i1][j1] * b.m[i2][j2] - a.m[i1][j2] * b.m[i2][j1] +
                  b.m[i1][j1] * a.m[i2][j2] - b.m[i1][j2] * a.m[i2][j1];
    }
  }
  return r;
}

CQ_FN mat mat_cofactor(mat a) {
  return mat_scale(real_splat(K(0.5)), mat_cofactor_form(a, a));
}

CQ_FN mat mat_cofactor_tangent(mat a, mat d) {
  return mat_cofactor_form(a, d);
}

#endif

/* A^-T */
CQ_FN mat mat_inverse_transpose(mat a) {
  return mat_scale(K(1) / mat_det(a), mat_cofactor(a));
}

#endif
