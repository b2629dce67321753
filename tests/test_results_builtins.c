/* Every built-in problem makes two evaluations, in double and in single precision, with the numbers
 * below; bounce, identify_material and bridge_codesign end by themselves, and with the arguments
 * "reach" and "arm" that one and arm_codesign. */
#include "test_results_scene.h"

/* f and |gradient| at the start, f at the second point, in double precision; what single precision
 * may differ by. The particles of velocity_2d start on the seams of the splines, where the second
 * derivative jumps: rounding decides the side, and with it 0.3 percent of the gradient. */
static const struct {
  const char *name;
  double f, norm, second;
  double float_f, float_norm, float_second;
} numbers[] = {
    {"billiards_2d", 0.131308166851, 0.179950862929, 0.0524320775673, 1e-5, 5e-5, 1e-5},
    {"billiards_3d", 0.0303739239044, 0.00203265555654, 0.0261947821631, 1e-6, 1e-5, 1e-6},
    {"bounce", 0.0675931756152, 0.713726744289, 0.0626134019831, 2e-5, 5e-5, 1e-5},
    {"cantilever", 6.84070161048e-06, 1.84314290761e-11, 3.93224907858e-06, 2e-2, 5e-3, 1e-1},
    {"bridge", 0.0136931944011, 0.0035853038782, 0.00045479584121, 2e-5, 2e-5, 5e-5},
    {"density_inference", 0.0092326566464, 0.0272465033806, 0.00363600140046, 2e-5, 3e-5, 5e-5},
    {"cable_finger", 9.22758689967, 0.237047252918, 59.1275232658, 2e-4, 2e-4, 1e-4},
    {"pneunet", 0.379722460685, 5.32083497619e-5, 0.157921444804, 1e-4, 1e-4, 5e-4},
    {"identify_material", 0.0042071970524, 0.00242110966985, 0.00119295805215, 5e-5, 5e-5, 1e-4},
    {"reach", 0.0016, 0.003577708764, 0.0084641510844, 1e-12, 1e-12, 1e-5},
    {"diffmpm_walker", -0.24743015983, 0.302253711471, -0.256288236224, 5e-6, 1e-4, 1e-5},
    {"diffmpm3d_crawler", -0.175020174504, 0.00506458000961, -0.175754109774, 1e-7, 1e-5, 1e-6},
    {"finger", 0.011739194034, 0.128168679389, 0.00188934262129, 2e-6, 2e-6, 1e-5},
    {"finger_random", 0.00559319690847, 0.0551545028042, 0.00561369284925, 5e-5, 2e-5, 3e-5},
    {"walker_2d", -0.495311897107, 0.585227446501, -0.527918065188, 2e-6, 3e-5, 5e-6},
    {"rolling_hill", 0.0622190691373, 14.0269547551, 0.0100716769766, 1e-3, 1e-3, 1e-3},
    {"arm_codesign", 0.0365225478944, 0.0604338877571, 0.282260662209, 1e-12, 1e-12, 5e-5},
    {"arm_codesign_full", 0.0399133887779, 0.0199783354607, 0.0394665936212, 1e-11, 1e-11, 5e-5},
    {"arm_codesign_3d", 0.0376440750066, 0.0500959579252, 0.219393964241, 1e-12, 1e-12, 5e-5},
    {"arm_fixed_100", 0.0365225478944, 0.0604338877571, 0.331011404717, 1e-12, 1e-12, 5e-5},
    {"arm_fixed_215", 0.0365225478944, 0.0604338877571, 0.810700312609, 1e-12, 1e-12, 5e-5},
    {"arm_fixed_300", 0.0365225478944, 0.0604338877571, 0.984892343378, 1e-12, 1e-12, 5e-5},
    {"bridge_codesign", 1, 2400, 0.888744180744, 2e-7, 2e-7, 5e-5},
    {"gait_codesign", -0.495448601421, 0.550703440624, -0.53876031473, 1e-5, 3e-3, 1e-5},
    {"rolling_ball", 0.416236211776, 3.83824042134, 0.456291695793, 2e-5, 2e-5, 2e-5},
    {"piston_2d", 0.313182536446, 11.521595847, 76.6559961615, 2e-5, 2e-4, 2e-4},
    /* no gradient; chaotic, so that other roundings lead elsewhere */
    {"bulldozing", 0.868552629065, NAN, 0.875265674407, 0.3, 0, 0.3},
    {"bottle_flip", 1.26076565319, NAN, 5.76246998416, 1e-3, 0, 2e-2},
    {"velocity_2d", 0.0525569209567, 0.0357851974650, 0.0428378187713, 3e-5, 5e-3, 2e-3},
};

enum { PROBLEMS = sizeof numbers / sizeof numbers[0] };

static void two_evaluations(int i, const char *precision) {
  const bool is_double = strcmp(precision, "simulation.precision=double") == 0;
  test_scene s = test_open(numbers[i].name, &precision, 1);
  /* what is chaotic depends on the SIMD level, too */
  const bool is_exact = is_double && s.problem->gradient != CQ_GRADIENT_NONE;
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x);
  test_optimize(&s, 2, x, &path);
  const double norm = path.norm[0];
  free(x);
  printf("%s, %s: f %.12g, |gradient| %.12g, f %.12g\n", numbers[i].name, precision, path.f[0],
         norm, path.f[1]);
  CHECK(path.n == 2 && path.result.failures == 0);
  CHECK_RELATIVE(path.f[0], numbers[i].f, is_exact ? 1e-6 : numbers[i].float_f);
  CHECK(isnan(norm) == isnan(numbers[i].norm)); /* some have no gradient */
  CHECK_RELATIVE(isnan(norm) ? 0.0 : norm, isnan(norm) ? 0.0 : numbers[i].norm,
                 is_double ? 1e-6 : numbers[i].float_norm);
  CHECK_RELATIVE(path.f[1], numbers[i].second, is_exact ? 1e-6 : numbers[i].float_second);
  /* single precision is not double precision under another name */
  CHECK(is_double || fabs(path.f[1] / numbers[i].second - 1.0) > 1e-9);
  test_close(&s);
}

static void in_double(void) {
  for (int i = 0; i < PROBLEMS; i++) {
    two_evaluations(i, "simulation.precision=double");
  }
}

static void in_float(void) {
  for (int i = 0; i < PROBLEMS; i++) {
    two_evaluations(i, "simulation.precision=float");
  }
}

static void every_one_has_numbers(void) {
  const char *name;
  for (int k = 0; (name = cq_builtin_name(k)) != NULL; k++) {
    int found = 0;
    for (int i = 0; i < PROBLEMS; i++) {
      found += strcmp(name, numbers[i].name) == 0;
    }
    CHECK_MSG(found == 1, "no numbers for %s", name);
  }
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
static void arm_swings_to_its_goal(void) {
  test_scene s = test_open("arm_codesign", NULL, 0);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x), f = 0.0, c[2];
  test_optimize(&s, 0, x, &path);
  printf("arm_codesign: %d evaluations, effort %.4f, %s\n", path.n, path.result.f,
         path.result.reason);
  CHECK_MSG(path.result.status == CQ_OK && path.result.reached_target, "%s", path.result.reason);
  CHECK(s.problem->eval(s.problem->data, x, &f, c, NULL, NULL) == CQ_OK);
  CHECK(f <= 0.35 && c[0] <= 1e-6 && c[1] <= 1e-6);
  free(x);
  test_close(&s);
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
    RUN(arm_swings_to_its_goal);
    return TEST_RESULT();
  }
  RUN(every_one_has_numbers);
  RUN(in_double);
  RUN(in_float);
  RUN(bounce_reaches_its_target);
  RUN(identify_material_finds_it);
  RUN(cantilever_is_a_beam);
  RUN(rolling_ball_gets_up);
  RUN(bridge_gets_lighter);
  return TEST_RESULT();
}
