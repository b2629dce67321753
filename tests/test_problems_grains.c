/* Random scenes of grains: sizes, materials, pairs, tools, rooms without end, rigid bodies, joints,
 * solvers. Each runs or is refused in one line; what runs has the same bits by one thread, by two,
 * and in a second run, and no momentum that walls, tools and gravity do not account for. With an
 * argument so many scenes, from a seed on (another argument); of one alone the file is printed. */
#include "granular_inputs.h"
#include "random_grains.h"
#include "scene/granular_scene.h"
#include "test_problems_scene.h"

#include <float.h>
#include <stdlib.h>

/* --- a run ------------------------------------------------------------------------------------ */

/* What a run leaves: the momentum of all grains and its size at every state, and the last state. */
typedef struct ran {
  cq_status status;
  char error[1024];
  int n_states;
  double *momentum;        /* [n_states][4] the last number: without directions */
  double *energy, *effort; /* [n_states] of all grains; without signs */
  double *state, *z;
  const cq_model *model;
  const double *inputs;
} ran;

static double mass_of(const cq_layout *l, const double *inputs, size_t grain) {
  return inputs[l->offset[CQ_GRAIN_density] + grain] * inputs[l->offset[CQ_GRAIN_volume] + grain];
}

/* Energy of all grains by their motion and by gravity; *size: without signs. */
static double energy_of(const cq_model *m, const cq_layout *l, const double *inputs,
                        const double *state, double *size) {
  const size_t d = (size_t)m->dim, spins = d == 2 ? 1 : 3;
  const double *g = inputs + l->offset[CQ_GRAIN_gravity], pi = 3.14159265358979323846;
  double sum = 0.0;
  *size = 0.0;
  for (size_t i = 0; i < (size_t)cq_granular_n_grains(m); i++) {
    const double *x = state + l->offset[CQ_GRAIN_x] + i * d;
    const double *v = state + l->offset[CQ_GRAIN_v] + i * d;
    const double *w = state + l->offset[CQ_GRAIN_spin] + i * spins;
    const double volume = inputs[l->offset[CQ_GRAIN_volume] + i], mass = mass_of(l, inputs, i);
    const double square = d == 2 ? 0.5 * volume / pi : 0.4 * pow(0.75 * volume / pi, 2.0 / 3.0);
    for (size_t a = 0; a < d; a++) {
      sum += 0.5 * mass * v[a] * v[a] - mass * g[a] * x[a];
      *size += 0.5 * mass * v[a] * v[a] + fabs(mass * g[a] * x[a]);
    }
    for (size_t a = 0; a < spins; a++) {
      sum += 0.5 * mass * square * w[a] * w[a];
    }
  }
  return sum;
}

/* What is kept of a state. */
static cq_status sum_up(void *user, int step, const double *state) {
  ran *r = user;
  const cq_model *m = r->model;
  const cq_layout l = cq_model_layout(m);
  double *p = r->momentum + 4 * (size_t)step;
  for (int i = 0; i < cq_granular_n_grains(m); i++) {
    const double mass = mass_of(&l, r->inputs, (size_t)i);
    for (int a = 0; a < m->dim; a++) {
      const double v = state[l.offset[CQ_GRAIN_v] + (size_t)(i * m->dim + a)];
      p[a] += mass * v;
      p[3] += mass * fabs(v);
    }
  }
  r->energy[step] = energy_of(m, &l, r->inputs, state, &r->effort[step]);
  r->n_states = step + 1;
  memcpy(r->state, state, l.state_total * sizeof *state);
  return CQ_OK;
}

/* A run by so many threads; `twice`: after another one of the same simulator. */
static ran run(const cq_model *model, const double *inputs, int threads, bool twice) {
  ran r = {.model = model, .inputs = inputs};
  cq_ctx *ctx = cq_ctx_create(threads, 1);
  cq_sim *sim = NULL;
  const cq_layout layout = cq_model_layout(model);
  const size_t n_z = (size_t)model->n_channels * (size_t)(model->steps + 1);
  r.momentum = calloc(4 * (size_t)(model->steps + 1), sizeof *r.momentum);
  r.energy = calloc((size_t)(model->steps + 1), sizeof *r.energy);
  r.effort = calloc((size_t)(model->steps + 1), sizeof *r.effort);
  r.state = calloc(layout.state_total, sizeof *r.state);
  r.z = calloc(n_z, sizeof *r.z);
  r.status = cq_sim_create(ctx, model, &sim);
  if (r.status == CQ_OK && twice) {
    cq_sim_forward(sim, inputs);
    cq_ctx_clear_error(ctx);
  }
  r.status = r.status != CQ_OK ? r.status : cq_sim_forward(sim, inputs);
  if (r.status == CQ_OK) {
    memcpy(r.z, cq_sim_observations(sim), n_z * sizeof *r.z);
    r.status = cq_sim_visit(sim, inputs, NULL, 0, sum_up, &r);
  }
  snprintf(r.error, sizeof r.error, "%s", r.status == CQ_OK ? "" : cq_ctx_error(ctx));
  cq_sim_destroy(sim);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%zu bytes leaked", cq_ctx_bytes(ctx));
  cq_ctx_destroy(ctx);
  return r;
}

static void forget(ran *r) {
  free(r->momentum);
  free(r->energy);
  free(r->effort);
  free(r->state);
  free(r->z);
}

/* --- what is checked -------------------------------------------------------------------------- */

static bool show; /* the file */
static unsigned long long seed_now;
/* how many scenes ran, with a look at their energy, ended early, were refused */
static int ran_scenes, with_energy, failed, refused;

static void one_line(const char *error) {
  CHECK_MSG(error[0] != '\0' && strchr(error, '\n') == NULL, "seed %llu: not one line: \"%s\"",
            seed_now, error);
}

static void same(const ran *a, const ran *b, const char *what) {
  CHECK_MSG(a->status == b->status && strcmp(a->error, b->error) == 0,
            "seed %llu, %s: \"%s\" and \"%s\"", seed_now, what, a->error, b->error);
  const size_t bytes = cq_model_layout(a->model).state_total * sizeof *a->state;
  CHECK_MSG(memcmp(a->state, b->state, bytes) == 0, "seed %llu, %s: other bits", seed_now, what);
}

static void finite(const ran *r) {
  const size_t n = cq_model_layout(r->model).state_total;
  bool is = true;
  for (size_t i = 0; i < n; i++) {
    is = is && isfinite(r->state[i]);
  }
  CHECK_MSG(is, "seed %llu: a number that is none", seed_now);
}

/* The change of the grains' momentum in each step is what gravity gives, less what pushed walls,
 * tools and bodies. */
static void balanced(const ran *r) {
  const cq_model *m = r->model;
  const cq_layout l = cq_model_layout(m);
  const double *g = r->inputs + l.offset[CQ_GRAIN_gravity];
  double mass = 0.0, worst = 0.0, least = DBL_MIN;
  for (int i = 0; i < cq_granular_n_grains(m); i++) {
    mass += mass_of(&l, r->inputs, (size_t)i);
  }
  for (int k = 1; k < r->n_states; k++) {
    const double *now = r->momentum + 4 * k, *before = now - 4, *z = r->z + k * m->n_channels;
    for (int a = 0; a < m->dim; a++) {
      double off = now[a] - before[a] - m->dt * mass * g[a];
      double size = now[3] + before[3] + fabs(m->dt * mass * g[a]);
      for (int t = 0; t < m->n_boundaries; t++) {
        off += m->dt * z[3 * t + a];
        size += fabs(m->dt * z[3 * t + a]);
      }
      least = fmax(least, size);
      worst = fmax(worst, fabs(off));
    }
  }
  CHECK_MSG(worst <= (m->bits == 64 ? 1e-11 : 1e-4) * least,
            "seed %llu: momentum is off by %.1e of %.1e", seed_now, worst, least);
}

/* Where nothing moves grains but gravity, and nothing pulls them, they get no energy. A hit that
 * the iterations have not finished leaves them in each other, and what pushes them apart gives back
 * a little of what it took: a fiftieth of all at most. */
static void spent(const ran *r) {
  const double rounding = r->model->bits == 64 ? 1e-11 : 1e-5;
  double over = 0.0, risen = 0.0, least = r->energy[0];
  for (int k = 1; k < r->n_states; k++) {
    over = fmax(over, r->energy[k] - r->energy[0]);
    risen = fmax(risen, r->energy[k] - least);
    least = fmin(least, r->energy[k]);
  }
  CHECK_MSG(over <= rounding * r->effort[0] && risen <= 0.02 * r->effort[0],
            "seed %llu: grains that have %.1e J get %.1e, from the least %.1e", seed_now,
            r->effort[0], over, risen);
  with_energy++;
}

/* Its tools are watched, two materials get a pair of their own. */
static void change_model(cq_scene *scene, writer *w, cq_group *groups, cq_channel *channels,
                         cq_granular_pair *pairs, unsigned char *material) {
  cq_granular_model *own = &cq_granular_scene_of(scene)->model;
  cq_model *m = &scene->model;
  for (int t = 0; t < m->n_boundaries; t++) {
    groups[t] = (cq_group){.parameter = 1.0 + t};
    for (int a = 0; a < 3; a++) {
      channels[3 * t + a] = (cq_channel){.group = t, .quantity = CQ_GRAIN_WRENCH + a};
    }
  }
  m->groups = groups;
  m->n_groups = m->n_boundaries;
  m->channels = channels;
  m->n_channels = 3 * m->n_boundaries;
  m->n_seeds = 0;
  if (w->plain || one_in(w, 2)) {
    return;
  }
  for (int i = 0; i < own->n_grains; i++) {
    material[i] = (unsigned char)(i % 2);
  }
  for (int k = 0; k < 4; k++) {
    pairs[k] = (cq_granular_pair){NAN, NAN, NAN, NAN};
  }
  pairs[1].friction = pairs[2].friction = between(w, 0.0, 1.0);
  pairs[1].cohesion = pairs[2].cohesion = between(w, 0.0, 0.3);
  own->n_materials = 2;
  own->material = material;
  own->pairs = pairs;
}

/* Gravity along an axis without end gives energy for ever. */
static bool falls_for_ever(const cq_scene *scene) {
  const int axis = cq_granular_scene_of(scene)->model.cyclic;
  return axis > 0 && scene->config.simulation.gravity[axis - 1] != 0.0;
}

/* Three runs, and what is true of them; quiet: of their energy, too. */
static void run_scene(cq_scene *scene, writer *w, bool quiet) {
  const int n_tools = scene->model.n_boundaries;
  cq_group *groups = calloc((size_t)n_tools, sizeof *groups);
  cq_channel *channels = calloc(3 * (size_t)n_tools, sizeof *channels);
  unsigned char *material = calloc((size_t)scene->model.n_particles, 1);
  cq_granular_pair pairs[4];
  change_model(scene, w, groups, channels, pairs, material);
  const cq_model *m = &scene->model;
  double *theta = scene->inputs + scene->layout.offset[CQ_GRAIN_theta];
  for (size_t k = 0; k < scene->layout.count[CQ_GRAIN_theta]; k++) {
    theta[k] = between(w, -1.0, 1.0);
  }
  ran one = run(m, scene->inputs, 1, false), two = run(m, scene->inputs, 2, false);
  same(&one, &two, "two threads");
  forget(&two);
  two = run(m, scene->inputs, 1, true);
  same(&one, &two, "a second run");
  finite(&one);
  if (one.status != CQ_OK) {
    one_line(one.error);
    failed++;
  } else {
    ran_scenes++;
    if (cq_granular_scene_of(scene)->model.solver != CQ_GRANULAR_PAPER && !w->spoiled) {
      balanced(&one);
      if (quiet) {
        spent(&one);
      }
    }
  }
  forget(&one);
  forget(&two);
  free(groups);
  free(channels);
  free(material);
}

/* A text is refused with its place, or runs. */
static void one_scene(uint64_t seed) {
  static writer w;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  test_log log = {""};
  cq_ctx_set_log(ctx, test_log_line, &log);
  seed_now = seed;
  write_scene(&w, seed);
  w.spoiled = one_in(&w, 4);
  if (w.spoiled) {
    spoil(&w);
  }
  if (show) {
    printf("%s", w.text);
  }
  const cq_status status = cq_scene_load_text(ctx, "my.cfg", ".", w.text, NULL, 0, &scene);
  if (status != CQ_OK) {
    if (show) {
      printf("%s\n", cq_ctx_error(ctx));
    }
    one_line(cq_ctx_error(ctx));
    CHECK_MSG(strncmp(cq_ctx_error(ctx), "my.cfg:", 7) == 0, "seed %llu: no place: \"%s\"",
              seed_now, cq_ctx_error(ctx));
    refused++;
  } else if (scene->model.steps <= 100 && scene->model.n_particles < 5000) {
    run_scene(scene, &w, w.plain && log.text[0] == '\0' && !falls_for_ever(scene));
  }
  cq_scene_destroy(scene);
  CHECK_MSG(cq_ctx_bytes(ctx) == 0, "%zu bytes leaked", cq_ctx_bytes(ctx));
  cq_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 60, first = argc > 2 ? atoi(argv[2]) : 1;
  show = n == 1;
  for (int k = 0; k < n; k++) {
    one_scene((uint64_t)(first + k));
  }
  printf("  %d scenes ran, %d with a look at their energy; %d ended early, %d were refused\n",
         ran_scenes, with_energy, failed, refused);
  CHECK(argc > 2 || (ran_scenes > n / 2 && with_energy > n / 20 && refused > n / 10));
  return TEST_RESULT();
}
