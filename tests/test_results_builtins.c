/* Every built-in problem makes two evaluations in single precision, with the numbers of the file
 * that the argument names; bounce, the identifications and bridge_codesign end by themselves, and
 * with the arguments "reach", "arm" and "leg" that one, the arms and the legs. */
#include "rng.h"
#include "test_results_scene.h"

#include "cqopt/uncertainty.h"

/* A line of builtins.csv. The particles of velocity_2d start on the seams of the splines, where the
 * second derivative jumps: rounding decides the side, and with it 0.3 percent of the gradient. */
typedef struct numbers {
  char name[64];
  double f, norm, second;
  double float_f, float_norm, float_second; /* what single precision may differ by, as a part */
  char cut[64];                             /* settings between ";", as simulation.steps=20 */
} numbers;

/* The program makes the same evaluations in double (cli_builtins). */
static void two_evaluations_in_float(numbers *want) {
  const char *sets[6] = {"simulation.precision=float", "optimizer.repeats=0"};
  int n_sets = 2;
  for (char *cut = strtok(want->cut, ";"); cut != NULL; cut = strtok(NULL, ";")) {
    sets[n_sets++] = cut;
  }
  if (strncmp(want->name, "identify_", 9) == 0) { /* gauss_newton has no gradient at the start */
    sets[n_sets++] = "optimizer.name=LD_SLSQP";
  }
  test_scene s = test_open(want->name, sets, n_sets);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x);
  test_optimize(&s, 2, x, &path);
  const double norm = path.norm[0];
  free(x);
  printf("%s: f %.12g, |gradient| %.12g, f %.12g\n", want->name, path.f[0], norm, path.f[1]);
  CHECK(path.n == 2 && path.result.failures == 0);
  CHECK_RELATIVE(path.f[0], want->f, want->float_f);
  CHECK(isnan(norm) == isnan(want->norm)); /* some have no gradient */
  CHECK_RELATIVE(isnan(norm) ? 0.0 : norm, isnan(norm) ? 0.0 : want->norm, want->float_norm);
  CHECK_RELATIVE(path.f[1], want->second, want->float_second);
  test_close(&s);
  /* single precision is not double precision under another name; one number may agree by chance */
  s = test_open(want->name, NULL, 0);
  const double apart = fmax(fabs(path.f[1] / want->second - 1.0), fabs(norm / want->norm - 1.0));
  CHECK(cq_scene_information(s.scene).bits == 32 || apart > 1e-9);
  test_close(&s);
}

static const char *file_of_numbers;

static void every_problem_in_float(void) {
  char line[512];
  int n_lines = 0, n_builtins = 0;
  FILE *file = fopen(file_of_numbers, "r");
  CHECK_MSG(file != NULL && fgets(line, sizeof line, file) != NULL, "%s", file_of_numbers);
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    numbers n = {.cut = ""};
    CHECK_MSG(sscanf(line, "%63[^,],%lf,%lf,%lf,%lf,%lf,%lf,%63s", n.name, &n.f, &n.norm, &n.second,
                     &n.float_f, &n.float_norm, &n.float_second, n.cut) >= 7,
              "%s", line);
    two_evaluations_in_float(&n);
    n_lines++;
  }
  if (file != NULL) {
    fclose(file);
  }
  while (cq_builtin_name(n_builtins) != NULL) {
    n_builtins++;
  }
  CHECK(n_lines == n_builtins);
}

static void bounce_reaches_its_target(void) {
  const char *const precisions[] = {"simulation.precision=double", "simulation.precision=float"};
  for (int i = 0; i < 2; i++) {
    test_scene s = test_open("bounce", &precisions[i], 1);
    static test_path path;
    double x[2];
    test_optimize(&s, 0, x, &path);
    printf("bounce, %s: %d evaluations, velocity (%.6f, %.6f), %s\n", precisions[i], path.n, x[0],
           x[1], path.result.reason);
    CHECK_MSG(path.result.status == CQ_OK && path.result.reached_target, "%s", path.result.reason);
    CHECK(path.result.f <= 1e-4);
    CHECK_NEAR(path.n, 98, 2);
    CHECK_NEAR(x[0], 0.38345, 1e-3);
    CHECK_NEAR(x[1], 0.32696, 1e-3);
    test_close(&s);
  }
}

/* the tracks were made with 100 Pa and 0.4; the search starts at half of both */
static void identify_material_finds_it(void) {
  test_scene s = test_open("identify_material", NULL, 0);
  static test_path path;
  double x[2];
  CHECK(s.problem->start[0] == 50 && s.problem->start[1] == 0.2);
  test_optimize(&s, 0, x, &path);
  printf("identify_material: %d evaluations, E %.4f, nu %.5f, %s\n", path.n, x[0], x[1],
         path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK, "%s", path.result.reason);
  CHECK_RELATIVE(x[0], 100, 0.01);
  CHECK_RELATIVE(x[1], 0.4, 0.01);
  test_close(&s);
}

/* The tracks have an error of half a pixel: all that threw the block is found within three standard
 * errors, chi-square is that of such an error, and no random throw comes near. */
static void identify_pose_finds_it(void) {
  const double truth[] = {0.44, 0.5, 0.5, 0.6, -0.3, 3};
  const double three_errors[] = {6e-4, 6e-4, 6e-3, 3e-3, 3e-3, 0.03};
  test_scene s = test_open("identify_pose", NULL, 0);
  static test_path path;
  double x[6], f = 0.0;
  test_optimize(&s, 0, x, &path);
  printf("identify_pose: %d evaluations, chi-square %.1f, %s\n", path.n, path.result.f,
         path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK && path.result.kkt_residual <= 1e-4, "%s",
            path.result.reason);
  CHECK(path.result.f < 255); /* 204 degrees of freedom: probability 0.01 */
  for (int j = 0; j < 6; j++) {
    CHECK_MSG(fabs(x[j] - truth[j]) < three_errors[j], "%d: %g, not %g", j, x[j], truth[j]);
  }
  cq_rng rng = cq_rng_seed(5);
  for (int draw = 0; draw < 10; draw++) {
    for (int j = 0; j < 6; j++) {
      const double lower = s.problem->lower[j], upper = s.problem->upper[j];
      x[j] = lower + cq_rng_uniform(&rng) * (upper - lower);
    }
    const cq_status status = s.problem->eval(s.problem->data, x, &f, NULL, NULL, NULL);
    CHECK_MSG(status != CQ_OK || f > 1e4, "a random throw has %g", f);
  }
  test_close(&s);
}

/* Four patches of 300 Pa among twelve of 60: the intervals of all hold the truth but for one in
 * twenty, the four are at least three times as stiff as the others, and no other is as stiff as the
 * softest of them. The tracks have errors of 3e-4 m, which is what is left: chi-square is as it
 * should be. */
static void identify_field_finds_the_inclusion(void) {
  test_scene s = test_open("identify_field", NULL, 0);
  static test_path path;
  double x[16], inside = 0, outside = 0, softest = INFINITY, stiffest = 0;
  int held = 0;
  cq_uncertainty *u = NULL;
  CHECK(s.problem->n == 16 && s.problem->n_residuals == 640 + 22);
  test_optimize(&s, 0, x, &path);
  CHECK(cq_uncertainty_find(s.ctx, s.problem, 0, x, &u) == CQ_OK);
  for (int i = 0; i < 16 && u != NULL; i++) {
    char label[64];
    int column = -1, row = -1;
    cq_scene_variable_label(s.scene, i, label, sizeof label);
    CHECK(sscanf(label, "free.youngs_modulus[%d][%d]", &column, &row) == 2);
    const bool stiff = column == 3 || column == 4;
    const double modulus = cq_scene_user_value(s.scene, i, x[i]);
    const double truth = cq_scene_optimizer_value(s.scene, i, stiff ? 300 : 60);
    held += fabs(x[i] - truth) <= 1.96 * u->errors[i];
    *(stiff ? &inside : &outside) += modulus / (stiff ? 4 : 12);
    softest = stiff ? fmin(softest, modulus) : softest;
    stiffest = stiff ? stiffest : fmax(stiffest, modulus);
  }
  printf("identify_field: %d evaluations, inside %.1f Pa, outside %.1f, chi-square %.1f, %d of 16 "
         "held, "
         "%s\n",
         path.n, inside, outside, path.result.f, held, path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK, "%s", path.result.reason);
  CHECK(inside > 3 * outside && softest > 1.5 * stiffest && held >= 15);
  CHECK(u->probability > 0.01 && u->probability < 0.99);
  cq_uncertainty_free(s.ctx, u);
  test_close(&s);
}

/* the head is within a centimetre and nearly still, with effort that no change makes less */
static void reach_reaches(void) {
  test_scene s = test_open("reach", NULL, 0);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x), f = 0.0, c[2];
  test_optimize(&s, 0, x, &path);
  printf("reach: %d evaluations, effort %.6f, %s\n", path.n, path.result.f, path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK && path.result.kkt_residual <= 1e-4, "%s",
            path.result.reason);
  CHECK(s.problem->eval(s.problem->data, x, &f, c, NULL, NULL) == CQ_OK);
  CHECK(c[0] <= 1e-6 && c[1] <= 1e-6);
  CHECK_RELATIVE(f, 0.0300623, 0.01);
  free(x);
  test_close(&s);
}

/* stiffness and actuation together bring the arm to its goal, at rest, with little effort */
static void arm_swings_to_its_goal(const char *name) {
  test_scene s = test_open(name, NULL, 0);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x), f = 0.0, c[2];
  test_optimize(&s, 0, x, &path);
  printf("%s: %d evaluations, effort %.4f, %s\n", name, path.n, path.result.f, path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK && path.result.reached_target, "%s", path.result.reason);
  CHECK(s.problem->eval(s.problem->data, x, &f, c, NULL, NULL) == CQ_OK);
  CHECK(f <= 0.35 && c[0] <= 1e-6 && c[1] <= 1e-6);
  free(x);
  test_close(&s);
}

static void arm_in_the_plane(void) {
  arm_swings_to_its_goal("arm_codesign");
}

static void arm_in_space(void) {
  arm_swings_to_its_goal("arm_codesign_3d");
}

/* a place of the top of a leg under pressure, and two heights of one that bounces, which the start
 * misses by far */
static void legs_get_there(void) {
  static const char *const names[] = {"pneumatic_leg", "pneumatic_leg_drop"};
  for (int i = 0; i < 2; i++) {
    test_scene s = test_open(names[i], NULL, 0);
    static test_path path;
    double x[4];
    test_optimize(&s, 0, x, &path);
    printf("%s: %d evaluations, f %.5f, %s\n", names[i], path.n, path.result.f, path.result.reason);
    CHECK_MSG(path.result.status == CQ_OK && path.result.reached_target, "%s", path.result.reason);
    CHECK(path.f[0] > 1.0 && path.result.f <= 1e-2);
    test_close(&s);
  }
}

/* a deck of one thickness that holds the load has 0.98734 of the mass it begins with */
static void bridge_gets_lighter(void) {
  test_scene s = test_open("bridge_codesign", NULL, 0);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x);
  test_optimize(&s, 0, x, &path);
  printf("bridge_codesign: %d evaluations, mass %.5f, %s\n", path.n, path.result.f,
         path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK && path.result.kkt_residual <= 1e-4, "%s",
            path.result.reason);
  CHECK_RELATIVE(path.result.f, 0.803097, 0.01);
  free(x);
  test_close(&s);
}

/* The beam's modulus is 2.5 MPa in theory; the least distance is within 2 percent of it, and the
 * tip is within a percent of its deflection there. */
static void cantilever_is_a_beam(void) {
  const double moduli[3] = {2.45e6, 2.5e6, 2.55e6};
  double f[3], slope[3];
  test_scene s = test_open("cantilever", NULL, 0);
  for (int i = 0; i < 3; i++) {
    CHECK(s.problem->eval(s.problem->data, &moduli[i], &f[i], NULL, &slope[i], NULL) == CQ_OK);
    printf("cantilever, E %.3g: %.3g m from theory, slope %.3g\n", moduli[i], sqrt(f[i]), slope[i]);
  }
  CHECK(slope[0] < 0.0 && slope[2] > 0.0);
  CHECK(sqrt(f[1]) < 0.01 * 0.005322);
  test_close(&s);
}

/* from random weights over the hill's edge in a few evaluations, at half the time step as well */
static void rolling_ball_gets_up(void) {
  const char *const seed = "optimizer.seed=4";
  test_scene s = test_open("rolling_ball", &seed, 1);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x), finer = 0.0;
  CHECK(s.problem->n == 8 * 16 + 16 + 16 + 1);
  test_optimize(&s, 40, x, &path);
  CHECK(cq_scene_evaluate_finer(s.scene, 1, 1, x, &finer, NULL) == CQ_OK);
  printf("rolling_ball: %d evaluations, %.3f m from the top, %.3f m at half the time step, %s\n",
         path.n, sqrt(path.result.f), sqrt(finer), path.result.reason);
  CHECK_MSG(path.result.reached_target && path.result.f <= 1e-3, "%s", path.result.reason);
  CHECK_NEAR(path.n, 6, 3);
  CHECK(sqrt(finer) < 0.1);
  free(x);
  test_close(&s);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "reach") == 0) {
    RUN(reach_reaches);
    return TEST_RESULT();
  }
  if (argc > 1 && strcmp(argv[1], "arm") == 0) {
    RUN(arm_in_the_plane);
    RUN(arm_in_space);
    return TEST_RESULT();
  }
  if (argc > 1 && strcmp(argv[1], "leg") == 0) {
    RUN(legs_get_there);
    return TEST_RESULT();
  }
  file_of_numbers = argc > 1 ? argv[1] : "builtins.csv";
  RUN(every_problem_in_float);
  RUN(bounce_reaches_its_target);
  RUN(identify_material_finds_it);
  RUN(identify_pose_finds_it);
  RUN(identify_field_finds_the_inclusion);
  RUN(cantilever_is_a_beam);
  RUN(rolling_ball_gets_up);
  RUN(bridge_gets_lighter);
  return TEST_RESULT();
}
