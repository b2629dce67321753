/* A step of semi-implicit Euler, v += dt a(x, v) and x += dt v, its adjoint and its forward mode.
 */
#include "spring.h"

#include "alloc.h"
#include "host_loop.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* A slab is a vector of the inputs: state and parameters, or what is to be known of them. */
typedef struct work {
  cq_ctx *ctx;
  const cq_model *model;
  const cq_spring_model *own;
  cq_layout layout;
  size_t n, dim;
  bool straight;           /* tangents leave out that springs turn */
  double *inputs;          /* parameters of the run */
  double *force, *d_force; /* [n][dim] */
  double *slabs;           /* [n_slabs][layout.total] adjoints, or directions */
  int n_slabs;
  cq_failure failure;
  cq_tally tally;
} work;

static double *block(const work *k, double *slab, int input) {
  return slab + k->layout.offset[input];
}

static const double *parameter(const work *k, int input) {
  return k->inputs + k->layout.offset[input];
}

static double mass(const work *k, size_t i) {
  return parameter(k, CQ_SPRING_DENSITY)[i] * parameter(k, CQ_SPRING_VOLUME)[i];
}

static void destroy(void *work_) {
  work *k = work_;
  cq_free(k->ctx, k->inputs);
  cq_free(k->ctx, k->force);
  cq_free(k->ctx, k->d_force);
  cq_free(k->ctx, k->slabs);
  cq_free(k->ctx, k);
}

static cq_status create(cq_ctx *ctx, const cq_model *model, const cq_layout *layout, void **out) {
  work *k = NULL;
  CQ_TRY(CQ_ALLOC(ctx, k, 1));
  *out = k;
  *k = (work){.ctx = ctx,
              .model = model,
              .own = model->own,
              .layout = *layout,
              .n = (size_t)model->n_particles,
              .dim = (size_t)model->dim,
              .straight = model->gradient != NULL && strcmp(model->gradient, "straight") == 0};
  CQ_TRY(CQ_ALLOC(ctx, k->inputs, layout->total));
  CQ_TRY(CQ_ALLOC(ctx, k->force, k->n * k->dim));
  return CQ_ALLOC(ctx, k->d_force, k->n * k->dim);
}

static size_t state_bytes(const void *work_) {
  return ((const work *)work_)->layout.state_total * sizeof(double);
}

static cq_status fail(work *k, int step, size_t particle, const double *x, double value) {
  k->failure =
      (cq_failure){.status = CQ_NONFINITE, .step = step, .particle = (int)particle, .value = value};
  memcpy(k->failure.position, x + particle * k->dim, k->dim * sizeof(double));
  return CQ_FAIL(k->ctx, CQ_NONFINITE, "step %d: particle %zu is not finite (%g)", step, particle,
                 value);
}

static cq_status check(work *k, int step, const double *state) {
  const size_t row = k->n * k->dim;
  for (size_t i = 0; i < 2 * row; i++) {
    if (!isfinite(state[i])) {
      return fail(k, step, i % row / k->dim, state, state[i]);
    }
  }
  return CQ_OK;
}

static cq_status upload(void *work_, const double *inputs, void *state) {
  work *k = work_;
  memcpy(k->inputs, inputs, k->layout.total * sizeof *inputs);
  memcpy(state, inputs, state_bytes(k));
  k->failure = (cq_failure){.status = CQ_OK};
  for (size_t i = k->layout.state_total; i < k->layout.total; i++) {
    if (!isfinite(inputs[i])) {
      k->failure = (cq_failure){.status = CQ_NONFINITE, .value = inputs[i]};
      return CQ_FAIL(k->ctx, CQ_NONFINITE, "input %s is not finite (%g)",
                     k->layout.inputs[cq_layout_at(&k->layout, i)].name, inputs[i]);
    }
  }
  return check(k, 0, state);
}

static void download(const void *work_, const void *state, double *out) {
  memcpy(out, state, state_bytes(work_));
}

/* A spring as it is: the unit vector along it, its length, what it pulls with. */
typedef struct pulled {
  double u[3], length, stiffness, excess, pull;
} pulled;

static pulled pull_of(const work *k, const cq_spring *s, const double *x, const double *w) {
  const double *E = parameter(k, CQ_SPRING_E);
  pulled p = {.stiffness = 0.5 * (E[s->ends[0]] + E[s->ends[1]])};
  for (size_t a = 0; a < k->dim; a++) {
    p.u[a] = x[(size_t)s->ends[1] * k->dim + a] - x[(size_t)s->ends[0] * k->dim + a];
    p.length += p.u[a] * p.u[a];
  }
  p.length = sqrt(p.length);
  for (size_t a = 0; a < k->dim; a++) {
    p.u[a] /= p.length;
  }
  p.excess = p.length - s->rest * (s->actuator >= 0 ? 1.0 - w[s->actuator] : 1.0);
  p.pull = p.stiffness * p.excess;
  return p;
}

static double dot(const double *a, const double *b, size_t n) {
  return a[0] * b[0] + a[1] * b[1] + (n > 2 ? a[2] * b[2] : 0.0);
}

/* Of springs and floor. */
static void forces(const work *k, const double *x, const double *w) {
  memset(k->force, 0, k->n * k->dim * sizeof(double));
  for (int e = 0; e < k->own->n_springs; e++) {
    const cq_spring *s = &k->own->springs[e];
    const pulled p = pull_of(k, s, x, w);
    for (size_t a = 0; a < k->dim; a++) {
      k->force[(size_t)s->ends[0] * k->dim + a] += p.pull * p.u[a];
      k->force[(size_t)s->ends[1] * k->dim + a] -= p.pull * p.u[a];
    }
  }
  for (size_t i = 1; i < k->n * k->dim; i += k->dim) {
    k->force[i] += k->own->floor * fmax(-x[i], 0.0);
  }
}

static cq_status step(void *work_, int number, void *in, void *out, const double *w, bool count) {
  work *k = work_;
  const double *x = in, *v = x + k->n * k->dim, dt = k->model->dt;
  double *x_next = out, *v_next = x_next + k->n * k->dim;
  (void)count;
  forces(k, x, w);
  for (size_t i = 0; i < k->n * k->dim; i++) {
    const double a = parameter(k, CQ_SPRING_GRAVITY)[i % k->dim] +
                     k->force[i] / mass(k, i / k->dim) - *parameter(k, CQ_SPRING_DAMPING) * v[i];
    v_next[i] = v[i] + dt * a;
    x_next[i] = x[i] + dt * v_next[i];
  }
  return check(k, number, out);
}

/* --- adjoint */

static cq_status open_slabs(work *k, int n) {
  cq_free(k->ctx, k->slabs);
  k->slabs = NULL;
  k->n_slabs = n;
  return CQ_ALLOC(k->ctx, k->slabs, (size_t)n * k->layout.total);
}

static double *slab(const work *k, int i) {
  return k->slabs + (size_t)i * k->layout.total;
}

static cq_status adjoint_begin(void *work_, int n_seeds, const cq_seed *seeds, const void *last) {
  (void)last;
  work *k = work_;
  CQ_TRY(open_slabs(k, n_seeds));
  for (int s = 0; s < n_seeds; s++) {
    if (seeds[s].terminal != NULL) {
      memcpy(slab(k, s), seeds[s].terminal, state_bytes(k));
    }
  }
  return CQ_OK;
}

static void add_mass(const work *k, double *g, size_t i, double d_mass) {
  block(k, g, CQ_SPRING_DENSITY)[i] += d_mass * parameter(k, CQ_SPRING_VOLUME)[i];
  block(k, g, CQ_SPRING_VOLUME)[i] += d_mass * parameter(k, CQ_SPRING_DENSITY)[i];
}

/* what k->d_force, the adjoint of the forces, says of places, stiffness and drives */
static void pull_forces(const work *k, const double *x, const double *w, double *g, double *dw) {
  double *dx = block(k, g, CQ_SPRING_X), *dE = block(k, g, CQ_SPRING_E);
  for (int e = 0; e < k->own->n_springs; e++) {
    const cq_spring *s = &k->own->springs[e];
    const size_t i = (size_t)s->ends[0], j = (size_t)s->ends[1];
    const pulled p = pull_of(k, s, x, w);
    double D[3] = {0};
    for (size_t a = 0; a < k->dim; a++) {
      D[a] = k->d_force[i * k->dim + a] - k->d_force[j * k->dim + a];
    }
    const double along = dot(D, p.u, k->dim);
    for (size_t a = 0; a < k->dim; a++) {
      const double d = along * p.stiffness * p.u[a] + p.pull * (D[a] - along * p.u[a]) / p.length;
      dx[i * k->dim + a] -= d;
      dx[j * k->dim + a] += d;
    }
    dE[i] += 0.5 * along * p.excess;
    dE[j] += 0.5 * along * p.excess;
    if (s->actuator >= 0) {
      dw[s->actuator] += along * p.stiffness * s->rest;
    }
  }
  for (size_t i = 1; i < k->n * k->dim; i += k->dim) {
    dx[i] -= x[i] < 0.0 ? k->own->floor * k->d_force[i] : 0.0;
  }
}

/* Backwards: places, velocities, accelerations, forces. */
static cq_status step_adjoint(void *work_, int number, const void *state, const double *w,
                              double *dw) {
  work *k = work_;
  const double *x = state, *v = x + k->n * k->dim, dt = k->model->dt;
  const double damping = *parameter(k, CQ_SPRING_DAMPING);
  (void)number;
  forces(k, x, w);
  memset(dw, 0, (size_t)k->n_slabs * (size_t)k->model->n_drives * sizeof *dw);
  for (int s = 0; s < k->n_slabs; s++) {
    double *g = slab(k, s), *dx = block(k, g, CQ_SPRING_X), *dv = block(k, g, CQ_SPRING_V);
    for (size_t i = 0; i < k->n * k->dim; i++) {
      const double m = mass(k, i / k->dim);
      dv[i] += dt * dx[i];
      const double da = dt * dv[i];
      block(k, g, CQ_SPRING_GRAVITY)[i % k->dim] += da;
      *block(k, g, CQ_SPRING_DAMPING) -= da * v[i];
      k->d_force[i] = da / m;
      add_mass(k, g, i / k->dim, -da * k->force[i] / (m * m));
      dv[i] -= damping * da;
    }
    pull_forces(k, x, w, g, dw + s * k->model->n_drives);
  }
  return CQ_OK;
}

static void adjoint_norms(const void *work_, int seed, cq_adjoint_norms *norms) {
  const work *k = work_;
  for (int b = 0; b < k->layout.n_states; b++) {
    const double *d = block(k, slab(k, seed), b);
    double square = 0.0;
    for (size_t i = 0; i < k->layout.count[b]; i++) {
      square += d[i] * d[i];
    }
    norms->of[b] = sqrt(square);
  }
}

static cq_status contacts(const void *work_, cq_contacts *out) {
  (void)work_;
  (void)out; /* the floor is smooth */
  return CQ_OK;
}

static void adjoint_end(void *work_, int seed, double *gradient) {
  const work *k = work_;
  memcpy(gradient, slab(k, seed), k->layout.total * sizeof *gradient);
}

/* --- forward mode */

static cq_status tangent_begin(void *work_, int n, const double *directions) {
  work *k = work_;
  CQ_TRY(open_slabs(k, n));
  memcpy(k->slabs, directions, (size_t)n * k->layout.total * sizeof *directions);
  return CQ_OK;
}

/* what a direction changes of the forces, into k->d_force */
static void push_forces(const work *k, const double *x, const double *w, double *g,
                        const double *dw) {
  const double *dx = block(k, g, CQ_SPRING_X), *dE = block(k, g, CQ_SPRING_E);
  memset(k->d_force, 0, k->n * k->dim * sizeof(double));
  for (int e = 0; e < k->own->n_springs; e++) {
    const cq_spring *s = &k->own->springs[e];
    const size_t i = (size_t)s->ends[0], j = (size_t)s->ends[1];
    const pulled p = pull_of(k, s, x, w);
    double D[3] = {0};
    for (size_t a = 0; a < k->dim; a++) {
      D[a] = dx[j * k->dim + a] - dx[i * k->dim + a];
    }
    const double longer = dot(D, p.u, k->dim);
    const double driven = s->actuator >= 0 ? s->rest * dw[s->actuator] : 0.0;
    const double pull = 0.5 * (dE[i] + dE[j]) * p.excess + p.stiffness * (longer + driven);
    for (size_t a = 0; a < k->dim; a++) {
      const double turned = k->straight ? 0.0 : (D[a] - longer * p.u[a]) / p.length;
      k->d_force[i * k->dim + a] += pull * p.u[a] + p.pull * turned;
      k->d_force[j * k->dim + a] -= pull * p.u[a] + p.pull * turned;
    }
  }
  for (size_t i = 1; i < k->n * k->dim; i += k->dim) {
    k->d_force[i] -= x[i] < 0.0 ? k->own->floor * dx[i] : 0.0;
  }
}

static double mass_change(const work *k, double *g, size_t i) {
  return block(k, g, CQ_SPRING_DENSITY)[i] * parameter(k, CQ_SPRING_VOLUME)[i] +
         block(k, g, CQ_SPRING_VOLUME)[i] * parameter(k, CQ_SPRING_DENSITY)[i];
}

/* Every term of a step, differentiated. */
static cq_status step_tangent(void *work_, int number, const void *state, const double *w,
                              const double *dw) {
  work *k = work_;
  const double *x = state, *v = x + k->n * k->dim, dt = k->model->dt;
  (void)number;
  forces(k, x, w);
  for (int s = 0; s < k->n_slabs; s++) {
    double *g = slab(k, s), *dx = block(k, g, CQ_SPRING_X), *dv = block(k, g, CQ_SPRING_V);
    push_forces(k, x, w, g, dw + s * k->model->n_drives);
    for (size_t i = 0; i < k->n * k->dim; i++) {
      const size_t p = i / k->dim;
      const double m = mass(k, p);
      const double da = block(k, g, CQ_SPRING_GRAVITY)[i % k->dim] + k->d_force[i] / m -
                        k->force[i] * mass_change(k, g, p) / (m * m) -
                        *block(k, g, CQ_SPRING_DAMPING) * v[i] -
                        *parameter(k, CQ_SPRING_DAMPING) * dv[i];
      dv[i] += dt * da;
      dx[i] += dt * dv[i];
    }
  }
  return CQ_OK;
}

/* --- observations: means of position, velocity and its square by mass, and the mass */

/* All that there is of a group: [2 * dim + 2] position, velocity, square, mass */
enum { MOST_MEANS = 8 };

static int square_at(const work *k) {
  return 2 * (int)k->dim;
}

static int mass_at(const work *k) {
  return 2 * (int)k->dim + 1;
}

/* Adds what is wanted of `means` to a row, or what stands in a row to means. */
static void exchange(const work *k, const cq_view *view, double *row, double *means, bool to_row) {
  const int dim = (int)k->dim;
  const int first[CQ_N_SHARED_QUANTITIES] = {0, dim, square_at(k), mass_at(k)};
  for (int q = 0; q < CQ_N_SHARED_QUANTITIES; q++) {
    for (int i = 0; view->place[q] >= 0 && i < cq_quantity_numbers(dim, q); i++) {
      double *of_row = &row[view->place[q] + i], *of_all = &means[first[q] + i];
      *(to_row ? of_row : of_all) += *(to_row ? of_all : of_row);
    }
  }
}

/* The mass first: all shares are of it. */
static void find_means(const work *k, const cq_group *group, const double *x, double *z) {
  const double *v = x + k->n * k->dim;
  memset(z, 0, MOST_MEANS * sizeof *z);
  for (int i = 0; i < group->count; i++) {
    z[mass_at(k)] += mass(k, (size_t)group->particles[i]);
  }
  for (int i = 0; i < group->count; i++) {
    const size_t p = (size_t)group->particles[i];
    const double share = mass(k, p) / z[mass_at(k)];
    for (size_t a = 0; a < k->dim; a++) {
      z[a] += share * x[p * k->dim + a];
      z[k->dim + a] += share * v[p * k->dim + a];
    }
    z[square_at(k)] += share * dot(v + p * k->dim, v + p * k->dim, k->dim);
  }
}

static void observe(void *work_, int step, const void *state, double *z) {
  const work *k = work_;
  int n = 0;
  const cq_view *views = cq_z_views(k->layout.rows, step, &n);
  memset(z, 0, (k->layout.rows->begin[step + 1] - k->layout.rows->begin[step]) * sizeof *z);
  for (int i = 0; i < n; i++) {
    double means[MOST_MEANS];
    find_means(k, &k->model->groups[views[i].group], state, means);
    exchange(k, &views[i], z, means, true);
  }
}

/* What the mass of a particle adds to dz . z. */
static double slope_by_mass(const work *k, const double *x, const double *v, const double *z,
                            const double *dz) {
  double slope = (dot(v, v, k->dim) - z[square_at(k)]) * dz[square_at(k)];
  for (size_t a = 0; a < k->dim; a++) {
    slope += (x[a] - z[a]) * dz[a] + (v[a] - z[k->dim + a]) * dz[k->dim + a];
  }
  return slope / z[mass_at(k)] + dz[mass_at(k)];
}

/* A share of each mean goes to each particle, and to its mass what it is off the mean. */
static void pull_means(const work *k, const cq_group *group, const double *x, const double *z,
                       const double *dz, double *d) {
  const double *v = x + k->n * k->dim;
  for (int i = 0; i < group->count; i++) {
    const size_t p = (size_t)group->particles[i];
    const double share = mass(k, p) / z[mass_at(k)];
    for (size_t a = 0; a < k->dim; a++) {
      block(k, d, CQ_SPRING_X)[p * k->dim + a] += share * dz[a];
      block(k, d, CQ_SPRING_V)[p * k->dim + a] +=
          share * (dz[k->dim + a] + 2.0 * v[p * k->dim + a] * dz[square_at(k)]);
    }
    add_mass(k, d, p, slope_by_mass(k, x + p * k->dim, v + p * k->dim, z, dz));
  }
}

static void observe_adjoint(void *work_, int seed, int step, const void *state, const double *z,
                            const double *dz) {
  const work *k = work_;
  int n = 0;
  const cq_view *views = cq_z_views(k->layout.rows, step, &n);
  (void)z;
  for (int i = 0; i < n; i++) {
    const cq_group *group = &k->model->groups[views[i].group];
    double means[MOST_MEANS], d_means[MOST_MEANS] = {0};
    find_means(k, group, state, means);
    exchange(k, &views[i], (double *)dz, d_means, false);
    pull_means(k, group, state, means, d_means, slab(k, seed));
  }
}

/* Row by row of the adjoint's matrix: means are linear in x and v. */
static void push_means(const work *k, const cq_group *group, const double *x, const double *z,
                       double *d, double *dz) {
  const size_t dim = k->dim;
  const double *v = x + k->n * dim;
  const double *dx = block(k, d, CQ_SPRING_X), *dv = block(k, d, CQ_SPRING_V);
  for (int i = 0; i < group->count; i++) {
    const size_t p = (size_t)group->particles[i];
    const double all = z[mass_at(k)];
    const double share = mass(k, p) / all, more = mass_change(k, d, p) / all;
    for (size_t a = 0; a < dim; a++) {
      dz[a] += share * dx[p * dim + a] + more * (x[p * dim + a] - z[a]);
      dz[dim + a] += share * dv[p * dim + a] + more * (v[p * dim + a] - z[dim + a]);
    }
    dz[square_at(k)] += 2.0 * share * dot(v + p * dim, dv + p * dim, dim) +
                        more * (dot(v + p * dim, v + p * dim, dim) - z[square_at(k)]);
    dz[mass_at(k)] += more * all;
  }
}

static void observe_tangent(void *work_, int direction, int step, const void *state,
                            const double *z, double *dz) {
  const work *k = work_;
  int n = 0;
  const cq_view *views = cq_z_views(k->layout.rows, step, &n);
  (void)z;
  for (int i = 0; i < n; i++) {
    const cq_group *group = &k->model->groups[views[i].group];
    double means[MOST_MEANS], d_means[MOST_MEANS] = {0};
    find_means(k, group, state, means);
    push_means(k, group, state, means, slab(k, direction), d_means);
    exchange(k, &views[i], dz, d_means, true);
  }
}

/* --- an actuator shortens its springs by its control */

static void drive(const cq_model *model, int step, const double *u, const double *z, double *w) {
  (void)step;
  (void)z;
  memcpy(w, u, (size_t)model->n_drives * sizeof *w);
}

static void drive_adjoint(const cq_model *model, int step, const double *u, const double *z,
                          const double *dw, double *du, double *dz) {
  (void)step;
  (void)u;
  (void)z;
  (void)dz;
  for (int i = 0; i < model->n_drives; i++) {
    du[i] += dw[i];
  }
}

static const cq_failure *failure(const void *work_) {
  return &((const work *)work_)->failure;
}

static cq_tally *tally(void *work_) {
  return &((work *)work_)->tally;
}

static const cq_host_steps steps = {
    .state_bytes = state_bytes,
    .create = create,
    .destroy = destroy,
    .upload = upload,
    .drive = drive,
    .drive_adjoint = drive_adjoint,
    .step = step,
    .observe = observe,
    .download = download,
    .adjoint_begin = adjoint_begin,
    .observe_adjoint = observe_adjoint,
    .step_adjoint = step_adjoint,
    .adjoint_norms = adjoint_norms,
    .contacts = contacts,
    .adjoint_end = adjoint_end,
    .tangent_begin = tangent_begin,
    .observe_tangent = observe_tangent,
    .step_tangent = step_tangent,
    .failure = failure,
    .tally = tally,
};

static cq_status create_engine(cq_ctx *ctx, const cq_model *model, const cq_layout *layout,
                               void **engine) {
  return cq_host_create(ctx, model, layout, &steps, engine);
}

cq_status cq_spring_find(cq_ctx *ctx, const cq_model *model, const cq_engine **engine) {
  static const cq_engine on_host = {
      .name = "spring", .create = create_engine, CQ_HOST_ENGINE, .tangent = cq_host_tangent};
  CQ_CHECK(ctx, model->device == CQ_ON_CPU && model->bits == 64, CQ_DEVICE,
           "the engine \"spring\" runs on the CPU, in double");
  *engine = &on_host;
  return CQ_OK;
}
