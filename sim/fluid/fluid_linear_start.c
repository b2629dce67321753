/* How samples of bodies, and their volumes, follow from where the inputs have particles. */
#include "fluid_linear.h"

/* The fit of fluid_bodies.c, as far as it does not depend on the inputs. */
linear_fit V(cq_fluid_linear_fit)(const fluid *c, const cq_fluid_body *body) {
  linear_fit f = {.from = vec_zero()};
  const double *points = c->own->placed;
  mat S = mat_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    FOR_AXES(a) {
      f.from.v[a] += K(points[p * CQ_DIM + a]) / (scalar)body->count;
    }
  }
  for (int p = body->first; p < body->first + body->count; p++) {
    const vec arm = V(cq_fluid_linear_arm)(&f, points + (size_t)p * CQ_DIM);
    S = mat_add(S, vec_outer(arm, arm));
  }
  const scalar little = CQ_EPSILON * K(16) * mat_trace(S) + (body->count == 1 ? K(1) : K(0));
  f.inverse = mat_inverse_transpose(mat_axpy(S, little, mat_identity()));
  return f;
}

/* The shift and the linear map that come nearest to what the direction does to a body. */
linear_moved V(cq_fluid_linear_moved)(const fluid *c, const cq_fluid_body *body,
                                      const linear_fit *fit, const double *direction) {
  const double *moved = direction + c->layout->offset[CQ_FLUID_x];
  vec to = vec_zero();
  mat M = mat_zero();
  for (int p = body->first; p < body->first + body->count; p++) {
    vec dx;
    FOR_AXES(a) {
      dx.v[a] = K(moved[p * CQ_DIM + a]);
    }
    to = vec_axpy(to, K(1) / (scalar)body->count, dx);
    const vec arm = V(cq_fluid_linear_arm)(fit, c->own->placed + (size_t)p * CQ_DIM);
    M = mat_add(M, vec_outer(dx, arm));
  }
  return (linear_moved){to, mat_mul_t(M, fit->inverse)};
}

vec V(cq_fluid_linear_arm)(const linear_fit *f, const double *point) {
  vec r;
  FOR_AXES(a) {
    r.v[a] = K(point[a]) - f->from.v[a];
  }
  return r;
}

/* All pairs of samples of a body that see each other, each once. */
void V(cq_fluid_linear_samples)(const fluid *c, const cq_fluid_body *body, linear_sample_fn *pair,
                                void *user) {
  const scalar h = c->kernel.h;
  const int last = body->first_sample + body->n_samples;
  for (int s = body->first_sample; s < last; s++) {
    for (int o = s + 1; o < last; o++) {
      vec d;
      FOR_AXES(a) {
        d.v[a] = c->sample_x0[s * CQ_DIM + a] - c->sample_x0[o * CQ_DIM + a];
      }
      const scalar square = vec_dot(d, d);
      if (square < h * h) {
        const scalar q = real_sqrt(square) * c->kernel.inverse;
        pair(user, s, o, vec_scale(kernel_slope(&c->kernel, q), d));
      }
    }
  }
}
