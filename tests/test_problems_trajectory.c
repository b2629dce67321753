/* trajectory.h5 of a scene: it holds the states, inputs and controls of the run. */
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"
#include "trajectory.h"

#include <sys/stat.h>
#include <unistd.h>

enum { N = 156, OF_A = 64, OF_B = 32 };

static double at[9 * N];

static cq_scene *load_with(cq_ctx *ctx, const char *const *sets, int n_sets) {
  cq_scene *scene = NULL;
  test_write_file("trajectory.cfg", TEST_SCENE);
  CHECK_MSG(cq_scene_load(ctx, "trajectory.cfg", sets, n_sets, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

static cq_trajectory *record(cq_scene *scene, const char *dir, const double *x, int n_frames) {
  cq_trajectory *t = NULL;
  char path[128];
  mkdir(dir, 0777);
  snprintf(path, sizeof path, "%s/trajectory.h5", dir);
  const cq_status status =
      cq_scene_simulate(scene, 0, x, dir, n_frames, CQ_RECORD_TABLES | CQ_RECORD_TRAJECTORY);
  CHECK_MSG(status == CQ_OK, "%s", cq_ctx_error(scene->ctx));
  CHECK_MSG(cq_trajectory_open(scene->ctx, path, &t) == CQ_OK, "%s", cq_ctx_error(scene->ctx));
  if (t == NULL) {
    exit(1);
  }
  return t;
}

static void read_field(cq_trajectory *t, const char *name, int frame) {
  const int i = cq_trajectory_find(t, name);
  CHECK_MSG(i >= 0, "no field %s", name);
  CHECK(i < 0 || cq_trajectory_read(t, i, frame, at) == CQ_OK);
}

/* position and velocity of every particle at every frame, against particles.csv */
static void compare_tables(cq_trajectory *t, const char *path) {
  static double x[3 * N], v[3 * N], E[N];
  char header[256], body[64];
  FILE *file = fopen(path, "r");
  CHECK(file != NULL && fgets(header, sizeof header, file) != NULL);
  double worst = 0.0;
  for (int k = 0; k < t->n_frames && file != NULL; k++) {
    read_field(t, "x", k);
    memcpy(x, at, sizeof x);
    read_field(t, "v", k);
    memcpy(v, at, sizeof v);
    read_field(t, "youngs_modulus", k);
    memcpy(E, at, sizeof E);
    for (int i = 0; i < N; i++) {
      int step = 0, p = 0;
      double q[5];
      CHECK(fscanf(file, "%d,%d,%63[^,],%lf,%lf,%lf,%lf,%lf\n", &step, &p, body, &q[0], &q[1],
                   &q[2], &q[3], &q[4]) == 8);
      worst = fmax(worst, fabs(E[p] - q[4]));
      CHECK(step == t->step[k] && p == i);
      CHECK_STR(t->def.bodies[t->def.body[p]], body);
      for (int a = 0; a < 2; a++) {
        worst = fmax(worst, fabs(x[3 * p + a] - q[a]) + fabs(v[3 * p + a] - q[2 + a]));
      }
      CHECK(x[3 * p + 2] == 0.0 && v[3 * p + 2] == 0.0);
    }
  }
  CHECK_MSG(worst == 0.0, "positions and velocities are off by %g", worst);
  if (file != NULL) {
    fclose(file);
  }
}

/* F at a state of a run of its own */
typedef struct seen {
  const cq_scene *scene;
  double F[4 * N];
} seen;

static cq_status see(void *user, int step, const double *state) {
  seen *s = user;
  (void)step;
  memcpy(s->F, state + s->scene->layout.offset[CQ_INPUT_F], sizeof s->F);
  return CQ_OK;
}

static void compare_deformation(cq_trajectory *t, cq_scene *scene, const double *x) {
  static seen s;
  const int frames[] = {0, t->step[t->n_frames - 1]};
  s.scene = scene;
  cq_design_apply(&scene->design, x, scene->current);
  for (int i = 0; i < 2; i++) {
    CHECK(cq_sim_visit(scene->sim, scene->current, frames, 1 + i, see, &s) == CQ_OK);
    read_field(t, "F", i == 0 ? 0 : t->n_frames - 1);
    double worst = 0.0, moved = 0.0;
    for (int p = 0; p < N; p++) {
      for (int a = 0; a < 9; a++) {
        const bool in_plane = a < 5 && a != 2;
        const double wanted = in_plane ? s.F[4 * p + 2 * (a / 3) + a % 3] : (a == 8);
        worst = fmax(worst, fabs(at[9 * p + a] - wanted));
        moved = fmax(moved, fabs(wanted - (a % 4 == 0)));
      }
    }
    CHECK_MSG(worst == 0.0, "F of frame %d is off by %g", i, worst);
    CHECK(i == 0 ? moved == 0.0 : moved > 0.01);
  }
}

/* From F by hand: of fixed corotated elasticity in plane strain sigma is, but for a pressure, S/J
 * with S = 2 mu (F - R) F^T in the plane and 0 out of it; R turns by atan2(F_yx - F_xy, F_xx +
 * F_yy). */
static double stress_of(const double *F, double youngs_modulus) {
  const double a = F[0], b = F[1], c = F[3], d = F[4], J = a * d - b * c;
  const double angle = atan2(c - b, a + d), two_mu = youngs_modulus / 1.3;
  const double E[4] = {a - cos(angle), b + sin(angle), c - sin(angle), d - cos(angle)};
  const double xx = two_mu * (E[0] * a + E[1] * b) / J, xy = two_mu * (E[0] * c + E[1] * d) / J;
  const double yx = two_mu * (E[2] * a + E[3] * b) / J, yy = two_mu * (E[2] * c + E[3] * d) / J;
  const double mean = (xx + yy) / 3.0;
  return sqrt(1.5 * ((xx - mean) * (xx - mean) + (yy - mean) * (yy - mean) + mean * mean + xy * xy +
                     yx * yx));
}

static void compare_stress(cq_trajectory *t) {
  static double modulus[N], F[9 * N];
  read_field(t, "youngs_modulus", 0);
  memcpy(modulus, at, sizeof modulus);
  for (int k = 0; k < t->n_frames; k += t->n_frames - 1) {
    double worst = 0.0, largest = 0.0;
    read_field(t, "F", k);
    memcpy(F, at, sizeof F);
    read_field(t, "von_mises", k);
    for (int p = 0; p < N; p++) {
      worst = fmax(worst, fabs(at[p] - stress_of(F + 9 * p, modulus[p])));
      largest = fmax(largest, at[p]);
    }
    CHECK_MSG(worst <= 1e-13 * (1.0 + largest), "frame %d: off by %g", k, worst);
    CHECK(k == 0 ? largest == 0.0 : largest > 1.0);
  }
}

/* a design that is not the start: its Young's moduli, density, and the rows of its table */
static void compare_design(cq_trajectory *t, const double *x) {
  static const double table[] = {1, 2, 3, -2, -3, 1};
  read_field(t, "density", 0);
  CHECK(at[0] == x[2] && at[OF_A] == 1.0 && at[N - 1] == 2.0);
  read_field(t, "youngs_modulus", 0);
  CHECK(at[0] == x[3] && at[OF_A] == 40.0 && at[N - 1] == x[63]);
  for (int k = 0; k < t->n_frames; k++) {
    const int step = t->step[k] < 40 ? t->step[k] : 39;
    read_field(t, "actuation", k);
    CHECK_MSG(at[OF_A] == table[step / 7] && at[OF_A + OF_B - 1] == table[step / 7],
              "frame %d has the control %g", k, at[OF_A]);
    CHECK(at[0] == 0.0 && at[N - 1] == 0.0);
  }
}

static void holds_the_run(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const sets[] = {"output.precision=double"};
  cq_scene *scene = load_with(ctx, sets, 1);
  double x[70];
  CHECK(cq_scene_problem(scene)->n == 70);
  memcpy(x, cq_scene_problem(scene)->start, sizeof x);
  x[2] = 1.5;
  x[3] = 20.0;
  x[63] = 30.0;
  cq_trajectory *t = record(scene, "whole.d", x, 9);
  CHECK(t->n_frames == 10 && t->def.n_particles == N && t->def.dimension == 2);
  CHECK(t->step[1] == 4 && t->step[9] == 40);
  CHECK_NEAR(t->time[9], 0.08, 1e-15);
  CHECK_STR(t->def.title, "test");
  compare_tables(t, "whole.d/particles.csv");
  compare_deformation(t, scene, x);
  compare_design(t, x);
  compare_stress(t);
  cq_trajectory_free(t);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* frames by the time between them, chosen fields, single precision */
static void follows_the_keys(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const sets[] = {"output.interval=0.025", "output.fields=[\"v\"]"};
  cq_scene *scene = load_with(ctx, sets, 2);
  CHECK(cq_scene_information(scene).frames == 4);
  cq_trajectory *t = record(scene, "keys.d", NULL, 0);
  const int steps[] = {0, 13, 25, 38, 40};
  CHECK(t->n_frames == 5 && memcmp(t->step, steps, sizeof steps) == 0);
  CHECK(t->def.n_fields == 2);
  CHECK(cq_trajectory_find(t, "x") >= 0 && cq_trajectory_find(t, "F") < 0);
  read_field(t, "v", 4);
  CHECK(at[0] == (double)(float)at[0]);
  cq_trajectory_free(t);
  /* more frames than steps: each state once */
  t = record(scene, "keys.d", NULL, 1000);
  CHECK(t->n_frames == 41 && t->step[40] == 40 && t->step[17] == 17);
  cq_trajectory_free(t);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

/* what a failed run had till then is kept, with the controls; a stopped one leaves nothing */
static void ends_early(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  const char *const sets[] = {"boundaries.domain.friction=unset", "boundaries.domain.type=none",
                              "simulation.steps=400", "design=unset"};
  cq_scene *scene = load_with(ctx, sets, 4);
  cq_trajectory *t = NULL;
  mkdir("fails.d", 0777);
  CHECK(cq_scene_simulate(scene, 0, NULL, "fails.d", 40, CQ_RECORD_TRAJECTORY) == CQ_OUT_OF_ROOM);
  cq_ctx_clear_error(ctx);
  CHECK_MSG(cq_trajectory_open(ctx, "fails.d/trajectory.h5", &t) == CQ_OK, "%s", cq_ctx_error(ctx));
  CHECK(t != NULL && t->n_frames > 5 && t->n_frames < 40);
  read_field(t, "actuation", t->n_frames - 1);
  cq_trajectory_free(t);
  mkdir("stopped.d", 0777);
  cq_ctx_request_stop(ctx, CQ_INTERRUPTED);
  CHECK(cq_scene_simulate(scene, 0, NULL, "stopped.d", 40, CQ_RECORD_TRAJECTORY) == CQ_INTERRUPTED);
  CHECK(rmdir("stopped.d") == 0);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

/* level 1 is the run of half the time step: the same times, another motion, and what its twin says
 */
static void in_smaller_steps(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = load_with(ctx, NULL, 0);
  const cq_problem *p = cq_scene_problem(scene);
  double f[2], c[2][3], grad[70], jac[3 * 70];
  mkdir("smaller.d", 0777);
  CHECK(cq_scene_simulate(scene, 1, NULL, "smaller.d", 4, CQ_RECORD_TRAJECTORY) == CQ_OK);
  cq_trajectory *t = NULL;
  CHECK(cq_trajectory_open(ctx, "smaller.d/trajectory.h5", &t) == CQ_OK);
  CHECK(t != NULL && t->n_frames == 5 && t->step[4] == 80 && fabs(t->time[4] - 0.08) < 1e-15);
  cq_trajectory_free(t);
  CHECK(cq_scene_evaluate_finer(scene, 1, 1, p->start, &f[0], c[0]) == CQ_OK);
  CHECK(p->refined(p->data, 1, p->start, &f[1], c[1], grad, jac) == CQ_OK);
  CHECK(f[0] == f[1] && memcmp(c[0], c[1], sizeof c[0]) == 0);
  cq_scene_destroy(scene);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void warns_of_size(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  static test_log log;
  cq_ctx_set_log(ctx, test_log_line, &log);
  /* 156 particles of (3 + 3 + 9 + 1 + 1) floats in 41 frames, and two that are fixed */
  const char *const small[] = {"output.trajectory_limit=436175 B"};
  const char *const room[] = {"output.trajectory_limit=436176 B"};
  const char *const none[] = {"output.trajectory_limit=none"};
  const char *const off[] = {"output.trajectory=false"};
  const struct {
    const char *const *sets;
    bool wanted, warns;
  } cases[] = {{small, false, true}, {room, true, false}, {none, true, false}, {off, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cq_scene *scene = load_with(ctx, cases[i].sets, 1);
    log.text[0] = '\0';
    CHECK(cq_scene_wants_trajectory(scene, 0) == cases[i].wanted);
    CHECK_MSG((strstr(log.text, "output.trajectory_limit") != NULL) == cases[i].warns, "%zu: %s", i,
              log.text);
    cq_scene_destroy(scene);
  }
  cq_ctx_destroy(ctx);
}

static void refuses(void) {
  test_refused(
      TEST_SCENE, "output.fields=[\"v\", \"actuaton\"]",
      "--set output.fields=[\"v\", \"actuaton\"]: output.fields: \"actuaton\" is not known; "
      "did you mean \"actuation\"?");
  test_refused(TEST_SCENE, "output.fields=[1]",
               "--set output.fields=[1]: output.fields must be text in quotes, or a list of texts");
  test_refused(TEST_SCENE, "output.precision=half",
               "--set output.precision=half: output.precision must be one of \"double\", "
               "\"float\"");
  test_refused(TEST_SCENE, "output.interval=0",
               "--set output.interval=0: output.interval = 0 is out of range: must be > 0 s");
}

int main(void) {
  RUN(holds_the_run);
  RUN(follows_the_keys);
  RUN(ends_early);
  RUN(in_smaller_steps);
  RUN(warns_of_size);
  RUN(refuses);
  return TEST_RESULT();
}
