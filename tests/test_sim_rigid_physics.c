/* MPM with rigid bodies against what physics says of both: momentum and its moment, a body that
 * comes to rest on soft ground, and the bounce from an elastic rod. */
#include "mpm_rigid_scene.h"

/* --- what is kept ---------------------------------------------------------------------------- */

typedef struct kept {
  const rigid_scene *s;
  double first[6], off, size; /* momentum and moment of momentum, of x y z each */
  double body[3];             /* the last velocity of body 0 */
} kept;

/* momentum of particle p of the state, and its moment about the origin */
static void add_particle(const rigid_scene *s, const double *state, int p, double *sum,
                         double *size) {
  const int dim = s->model.dim;
  const double *x = state + s->layout.offset[CQ_INPUT_x] + p * dim;
  const double *v = state + s->layout.offset[CQ_INPUT_v] + p * dim;
  const double *C = state + s->layout.offset[CQ_INPUT_C] + p * dim * dim;
  const double *in = s->inputs;
  const double mass = in[s->layout.offset[CQ_INPUT_density] + (size_t)p] *
                      in[s->layout.offset[CQ_INPUT_volume] + (size_t)p];
  const double own =
      mass * s->mpm.cell * s->mpm.cell / 4.0; /* of the affine velocity on the grid */
  double r[3] = {0}, u[3] = {0};
  for (int a = 0; a < dim; a++) {
    r[a] = x[a];
    u[a] = mass * v[a];
    sum[a] += u[a];
    *size += fabs(u[a]);
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    sum[3 + a] += r[b] * u[c] - r[c] * u[b];
    sum[3 + a] += b < dim && c < dim ? own * (C[c * dim + b] - C[b * dim + c]) : 0.0;
  }
}

/* the same of body i, a ball, or in 2D anything: its particles lie evenly around its centre */
static void add_body(const rigid_scene *s, const double *state, int i, double *sum, double *v) {
  const int dim = s->model.dim, n = s->rigid[i].count;
  const cq_inertia *I = &s->body[i].inertia;
  const double *x = state + s->layout.offset[CQ_INPUT_x] + s->rigid[i].first * dim;
  const double *u = state + s->layout.offset[CQ_INPUT_v] + s->rigid[i].first * dim;
  double center[3] = {0}, spread = 0.0, turning[3] = {0};
  const double mass =
      s->inputs[s->layout.offset[CQ_INPUT_density] + (size_t)s->rigid[i].first] * I->volume;
  memset(v, 0, 3 * sizeof *v);
  for (int k = 0; k < n * dim; k++) {
    center[k % dim] += x[k] / n;
    v[k % dim] += u[k] / n;
  }
  for (int k = 0; k < n; k++) {
    double r[3] = {0}, w[3] = {0};
    for (int a = 0; a < dim; a++) {
      r[a] = x[k * dim + a] - center[a];
      w[a] = u[k * dim + a] - v[a];
      spread += r[a] * r[a];
    }
    for (int a = 0; a < 3; a++) {
      turning[a] += r[(a + 1) % 3] * w[(a + 2) % 3] - r[(a + 2) % 3] * w[(a + 1) % 3];
    }
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    /* corners of a square or a cube: sum r x (w x r) = w spread (2D), w 2/3 spread (3D) */
    const double spin = turning[a] / (dim == 2 ? spread : 2.0 / 3.0 * spread);
    sum[a] += mass * v[a];
    sum[3 + a] += mass * (center[b] * v[c] - center[c] * v[b]);
    sum[3 + a] += mass / I->volume * I->moment[0] * spin;
  }
}

static cq_status look(void *user, int step, const double *state) {
  kept *k = user;
  const rigid_scene *s = k->s;
  double sum[6] = {0}, size = 0.0;
  for (int p = 0; p < s->mpm.n_soft; p++) {
    add_particle(s, state, p, sum, &size);
  }
  for (int i = 0; i < s->rigids.n; i++) {
    double v[3];
    add_body(s, state, i, sum, v);
    memcpy(i == 0 ? k->body : v, v, sizeof v);
  }
  if (step == 0) {
    memcpy(k->first, sum, sizeof sum);
    for (int a = 0; a < 6; a++) {
      k->size += fabs(sum[a]);
    }
  }
  for (int a = 0; a < 6; a++) {
    k->off = fmax(k->off, fabs(sum[a] - k->first[a]));
  }
  return CQ_OK;
}

/* A turning body hits a soft block in free space, with friction, beside a second one: nothing is
 * lost in 300 steps. */
static void test_collision(void) {
  for (int i = 0; i < 4; i++) {
    const int dim = 2 + i / 2, soft = dim == 2 ? 10 : 8;
    rigid_scene s;
    rigid_scene_begin(&s, dim, 64, 300, soft);
    s.mpm.kernels = i % 2 == 0 ? CQ_KERNELS_FAST : CQ_KERNELS_REFERENCE;
    const cq_shape hammer =
        dim == 2 ? rigid_box(0.5, 0.79, 0.5, 0.2, 0.16) : rigid_ball(0.5, 0.79, 0.5, 0.12);
    rigid_scene_add(&s, hammer, CQ_RIGID_FREE, CQ_BOUNDARY_separate, false);
    rigid_scene_add(&s, rigid_ball(0.72, 0.55, 0.55, 0.07), CQ_RIGID_FREE,
                    CQ_BOUNDARY_separate_stick, false);
    rigid_scene_end(&s, soft, (double[]){0.43, 0.43, 0.43}, 0.025);
    memset(rigid_scene_at(&s, CQ_INPUT_gravity), 0, (size_t)dim * sizeof(double));
    rigid_scene_throw(&s, 0, 0.0, 0.15, -0.5, 1.5);
    cq_sim *sim;
    CHECK(cq_sim_create(s.ctx, &s.model, &sim) == CQ_OK);
    kept k = {.s = &s};
    CHECK(cq_sim_visit(sim, s.inputs, NULL, s.model.steps + 1, look, &k) == CQ_OK);
    printf("  %dD: momentum is off by %.1e of %.1e; the body moved at -0.5, now at %.3f m/s\n", dim,
           k.off, k.size, k.body[1]);
    CHECK(k.off < 1e-13 * s.model.steps * k.size && k.size > 0.0);
    CHECK(k.body[1] > -0.25);
    cq_sim_destroy(sim);
    rigid_scene_free(&s);
  }
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  RUN(test_collision);
  return TEST_RESULT();
}
