/* What the complete heuristic adds to the local one: forces of the fluid change with where a body
 * is, too (DiffFR, eq. 7 and 10, as its code has it). Near particle i a sample b that moves by u,
 * with g = V_b grad W and dg = -V_b grad grad W u, takes the impulse dt V_i (dp g + p dg) more,
 *   dp = n gain/(1 + dt^2 gain/rho all . g) ((v_i - v_b) . dg dt - g . dv_b dt) + that of -g . u
 *        - 4 dt^2 gain/rho p all . dg,
 * the change of the density's rate over n sweeps, of the density over those of its solver, and of
 * the gain by the diagonal. p is the density solver's; velocities are those that it leaves. */
#include "fluid_tangent.h"
#include "point/linear.h"

/* A free body in a direction. */
typedef struct moved_body {
  const fluid_body *b;
  vec x;      /* what its centre is moved by */
  mat turned; /* what an arm is, by itself */
} moved_body;

static moved_body moved(const fluid *c, int k, int body) {
  const fluid_tangents *t = c->tangents;
  const motion *change = &t->of[k * c->own->n_bodies + body].now;
  moved_body r = {.b = &c->bodies->body[body], .x = change->p.x};
  const mat R = turn_matrix(r.b->now.p.q), dR = turn_matrix_tangent(r.b->now.p.q, change->p.q);
  r.turned = mat_mul_t(dR, R);
  return r;
}

static vec axes_vec(const scalar *a, int i) {
  vec r;
  FOR_AXES(k) {
    r.v[k] = a[(size_t)i * CQ_AXES + (size_t)k];
  }
  return r;
}

/* What a sample of a moved body takes from particle i, whose place in its list of samples it has.
 */
static wrench change_pair(const fluid *c, const moved_body *m, int i, size_t place) {
  const int b = c->sample_near[place];
  const vec all = axes_vec(c->all, i), x = axes_vec(c->x, i);
  vec xb;
  FOR_AXES(a) {
    xb.v[a] = c->sorted_column[a][b];
  }
  const vec d = vec_sub(x, xb), arm = vec_sub(xb, m->b->now.p.x), darm = mat_vec(m->turned, arm);
  const vec u = vec_add(m->x, darm);
  const scalar slope = c->sample_slope[place];
  const scalar bend =
      c->sorted_volume[b] * kernel_bend(&c->kernel, real_sqrt(vec_dot(d, d)) * c->kernel.inverse);
  const vec g = vec_scale(slope, d), dg = vec_scale(K(-1), linear_pull(slope, bend, d, u));
  const vec vb = vec_add(m->b->now.t.v, spin_turn(m->b->now.t.w, arm));
  const scalar rate =
      vec_dot(vec_sub(axes_vec(c->v, i), vb), dg) - vec_dot(g, spin_turn(m->b->now.t.w, darm));
  const int density = c->steady[1][i], sweeps = c->steady[0][i] + density;
  const scalar error = (scalar)sweeps * c->dt * rate -
                       (scalar)density * (c->tangents->slip ? c->light[i] : K(1)) * vec_dot(g, u);
  const scalar gain = c->dt * c->dt * c->gain[i] * c->light[i], p = c->pressure[i];
  const scalar dp =
      c->gain[i] * error / fluid_gives_way(c, i, g) - K(4) * gain * p * vec_dot(all, dg);
  const scalar part = c->dt * c->volume[i];
  const vec push = vec_scale(part * p, g),
            dpush = vec_scale(part, vec_axpy(vec_scale(dp, g), p, dg));
  return (wrench){.f = dpush, .t = spin_add(spin_arm(arm, dpush), spin_arm(darm, push))};
}

/* In the order of the particles, as find_damping. */
void V(cq_fluid_change_places)(const fluid *c, int k, wrench *sum) {
  for (int body = 0; body < c->own->n_bodies; body++) {
    sum[body] = wrench_zero();
    if (!c->bodies->body[body].free) {
      continue;
    }
    const moved_body m = moved(c, k, body);
    for (int i = 0; i < c->n; i++) {
      for (int s = 0; s < c->sample_count[i] && c->steady[0][i] + c->steady[1][i] > 0; s++) {
        const size_t place = c->first_sample[i] + (size_t)s;
        if (c->sorted_body[c->sample_near[place]] == body) {
          sum[body] = wrench_axpy(sum[body], K(1), change_pair(c, &m, i, place));
        }
      }
    }
  }
}
