/* What a sweep and a step of the fluid engine take a particle, on one core and on two, beside plain
 * loops: a program of its own, build/bench/fluid_speed. Each figure is the best of five. */
#include "fluid_inputs.h"
#include "fluid_model.h"
#include "fluid_plain.h"
#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 20 };

static const double radius = 0.01, dt = 1e-3;

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cq_status ignore(void *user, int step, const double *state) {
  (void)user;
  (void)step;
  (void)state;
  return CQ_OK;
}

/* x of a lattice */
static double *lattice(int dim, int side, int *n) {
  const int layers = dim == 3 ? side : 1;
  *n = side * side * layers;
  double *x = malloc((size_t)(*n * dim) * sizeof *x), *at = x;
  for (int i = 0; i < *n; i++) {
    const int place[3] = {i / (side * layers), i / layers % side, i % layers};
    for (int a = 0; a < dim; a++) {
      *at++ = (place[a] + 0.5) * 2.0 * radius;
    }
  }
  return x;
}

/* Seconds a particle-step of a block that falls freely. */
static double engine(int dim, int bits, int n, const double *x, int sweeps, int threads,
                     clockid_t clock) {
  cq_fluid_model own = {.radius = radius, .sweeps = sweeps, .divergence_sweeps = 1};
  cq_model model = {.engine = "fluid",
                    .dim = dim,
                    .bits = bits,
                    .dt = dt,
                    .steps = STEPS,
                    .own = &own,
                    .n_particles = n};
  for (int a = 0; a < 3; a++) {
    model.room.low[a] = -10.0;
    model.room.high[a] = 10.0;
  }
  const cq_layout layout = cq_model_layout(&model);
  double *inputs = calloc(layout.total, sizeof *inputs), best = INFINITY;
  for (int i = 0; i < n * dim; i++) {
    inputs[layout.offset[CQ_FLUID_x] + (size_t)i] = x[i];
  }
  for (int i = 0; i < n; i++) {
    inputs[layout.offset[CQ_FLUID_density] + (size_t)i] = 1000.0;
    inputs[layout.offset[CQ_FLUID_volume] + (size_t)i] = pow(2.0 * radius, dim);
  }
  cq_ctx *ctx = cq_ctx_create(threads, 1);
  cq_sim *sim = NULL;
  const int last = STEPS;
  cq_status status = cq_sim_create(ctx, &model, &sim);
  for (int repeat = 0; repeat < 5 && status == CQ_OK; repeat++) {
    const double from = now(clock);
    status = cq_sim_visit(sim, inputs, &last, 1, ignore, NULL);
    best = fmin(best, now(clock) - from);
  }
  if (status != CQ_OK) {
    printf("%s\n", cq_ctx_error(ctx));
  }
  cq_sim_destroy(sim);
  cq_ctx_destroy(ctx);
  free(inputs);
  return best / ((double)STEPS * n);
}

/* A row for each dimension and precision. */
int main(void) {
  static double (*const plain[2][2])(int, const double *, double, double, int) = {
      {fluid_plain_2d_f32, fluid_plain_2d_f64}, {fluid_plain_3d_f32, fluid_plain_3d_f64}};
  printf("ns a particle    sweep  plain  ratio  step of 1 + 10 sweeps  two threads faster by\n");
  for (int dim = 2; dim <= 3; dim++) {
    for (int bits = 32; bits <= 64; bits += 32) {
      int n = 0;
      double *x = lattice(dim, dim == 2 ? 70 : 20, &n);
      const double few = engine(dim, bits, n, x, 2, 1, CLOCK_PROCESS_CPUTIME_ID);
      const double many = engine(dim, bits, n, x, 32, 1, CLOCK_PROCESS_CPUTIME_ID);
      const double loop = plain[dim - 2][bits == 64](n, x, radius, dt, 30);
      const double one = engine(dim, bits, n, x, 32, 1, CLOCK_MONOTONIC);
      const double two = engine(dim, bits, n, x, 32, 2, CLOCK_MONOTONIC);
      const double sweep = (many - few) / 30.0;
      printf("%dD %-6s %d  %6.1f %6.1f %6.2f %12.0f %21.2f\n", dim, bits == 32 ? "float" : "double",
             n, 1e9 * sweep, 1e9 * loop, loop / sweep, 1e9 * (few + 8.0 * sweep), one / two);
      free(x);
    }
  }
  return 0;
}
