#include "scene.h"
#include "mpm_inputs.h"

#include "alloc.h"
#include "status.h"

/* The material and the step are those of ChainQueen's falling cube; the cell is 0.2 m with
 * particles half a cell apart. */
static const double cell = 0.2, time_step = 1.0 / 180.0;
static const double youngs_modulus = 5000.0, poisson_ratio = 0.3;
static const double particle_mass = 100.0, particle_volume = 10.0;
static const double corner[3] = {2.0, 5.4, 2.0};

/* Gives the model its arrays: one group of like particles, observed after the last step. */
static cq_status allocate(cq_bench_scene *s) {
  cq_ctx *const ctx = s->ctx;
  const size_t n = (size_t)s->model.n_particles;
  CQ_TRY(CQ_ALLOC(ctx, s->material, n));
  CQ_TRY(CQ_ALLOC(ctx, s->actuator, n));
  CQ_TRY(CQ_ALLOC(ctx, s->particles, n));
  for (size_t p = 0; p < n; p++) {
    s->material[p] = CQ_MATERIAL_fixed_corotated;
    s->actuator[p] = -1;
    s->particles[p] = (int)p;
  }
  s->group = (cq_group){.count = (int)n, .particles = s->particles};
  s->mpm.material = s->material;
  s->model.actuator = s->actuator;
  s->model.groups = &s->group;
  s->model.n_groups = 1;
  CQ_TRY(CQ_ALLOC(ctx, s->at, s->model.steps + 1));
  s->at[s->model.steps] = 1;
  s->channels[0] = (cq_channel){.quantity = CQ_Q_POSITION, .at = s->at};
  s->channels[1] = (cq_channel){.quantity = CQ_Q_SQUARE, .at = s->at};
  s->model.channels = s->channels;
  s->model.n_channels = 2;
  s->mpm.boundaries = &s->walls;
  s->layout = cq_model_layout(&s->model);
  CQ_TRY(CQ_ALLOC(ctx, s->inputs, s->layout.total));
  return CQ_ALLOC(ctx, s->dz, s->model.dim + 1);
}

/* Particle p of the lattice. The paper's cube starts at rest; this one with a twist and a squeeze
 * of 1 m/s at its faces, so that F is no rotation in the few steps that are timed. */
static void place(cq_bench_scene *s, const int *edge, int p) {
  const int dim = s->model.dim;
  double at[3] = {0.0, 0.0, 0.0}; /* from -1 to 1 within the cube */
  double *const x = s->inputs + s->layout.offset[CQ_INPUT_x] + p * dim;
  double *const v = s->inputs + s->layout.offset[CQ_INPUT_v] + p * dim;
  double *const F = s->inputs + s->layout.offset[CQ_INPUT_F] + p * dim * dim;
  for (int a = dim - 1, rest = p; a >= 0; rest /= edge[a], a--) {
    const int i = rest % edge[a];
    x[a] = corner[a] + 0.5 * cell * i;
    at[a] = (2.0 * i + 1.0) / edge[a] - 1.0;
    F[a * dim + a] = 1.0;
  }
  v[0] = at[1];
  v[1] = -at[0] - 0.5 * at[1];
  if (dim == 3) {
    v[2] = 0.5 * at[2];
  }
}

static void fill(cq_bench_scene *s, const int *edge) {
  const int n = s->model.n_particles;
  const size_t *const at = s->layout.offset;
  for (int p = 0; p < n; p++) {
    place(s, edge, p);
    s->inputs[at[CQ_INPUT_youngs_modulus] + (size_t)p] = youngs_modulus;
    s->inputs[at[CQ_INPUT_poisson_ratio] + (size_t)p] = poisson_ratio;
    s->inputs[at[CQ_INPUT_density] + (size_t)p] = particle_mass / particle_volume;
    s->inputs[at[CQ_INPUT_volume] + (size_t)p] = particle_volume;
  }
  s->inputs[at[CQ_INPUT_gravity] + 1] = -10.0;
  for (int a = 0; a <= s->model.dim; a++) { /* the position alone has no gradient through stress */
    s->dz[a] = 1.0;
  }
}

static void put_floor(cq_bench_scene *s) {
  const int low[3] = {3, 3, 3}, high[3] = {4, 4, 4};
  s->walls.kind = CQ_BOUNDARY_separate;
  s->walls.shape = cq_mpm_domain(&s->mpm, low, high);
  s->model.n_boundaries = 1;
}

/* Inputs are filled last: where each of them is depends on all the counts. */
cq_status cq_bench_scene_make(cq_ctx *ctx, const cq_bench_scene_def *def, cq_bench_scene *scene) {
  *scene = (cq_bench_scene){.ctx = ctx};
  scene->model = (cq_model){.dim = def->dim,
                            .bits = def->bits,
                            .steps = def->steps,
                            .dt = time_step,
                            .n_particles = 1,
                            .memory = def->memory,
                            .device = def->device,
                            .own = &scene->mpm};
  scene->mpm = (cq_mpm_model){.cell = cell, .contact_epsilon = 1e-7, .kernels = def->kernels};
  for (int a = 0; a < 3; a++) {
    scene->mpm.grid[a] = a < def->dim ? def->grid[a] : 1;
    scene->model.n_particles *= a < def->dim ? def->edge[a] : 1;
  }
  if (def->floor) {
    put_floor(scene);
  }
  const cq_status status = allocate(scene);
  if (status != CQ_OK) {
    cq_bench_scene_destroy(scene);
    return status;
  }
  fill(scene, def->edge);
  if (def->floor) {
    scene->inputs[scene->layout.offset[CQ_INPUT_friction]] = 0.5;
  }
  return CQ_OK;
}

void cq_bench_scene_destroy(cq_bench_scene *scene) {
  if (scene->ctx == NULL) {
    return;
  }
  cq_free(scene->ctx, scene->material);
  cq_free(scene->ctx, scene->actuator);
  cq_free(scene->ctx, scene->particles);
  cq_free(scene->ctx, scene->inputs);
  cq_free(scene->ctx, scene->at);
  cq_free(scene->ctx, scene->dz);
  *scene = (cq_bench_scene){0};
}

/* The numbers that the engine gets, but the stiffness as Lame's constants. */
cq_naive_config cq_bench_naive_config(const cq_bench_scene *scene) {
  const double *const gravity = scene->inputs + scene->layout.offset[CQ_INPUT_gravity];
  cq_naive_config c = {.n = scene->model.n_particles,
                       .cell = cell,
                       .dt = time_step,
                       .mu = youngs_modulus / (2.0 * (1.0 + poisson_ratio)),
                       .lambda = youngs_modulus * poisson_ratio /
                                 ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio)),
                       .mass = particle_mass,
                       .volume = particle_volume};
  for (int a = 0; a < 3; a++) {
    c.count[a] = scene->mpm.grid[a];
    c.gravity[a] = a < scene->model.dim ? gravity[a] : 0.0;
  }
  return c;
}
