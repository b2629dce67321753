/* Every example makes two evaluations, from a start that is not the answer, with the numbers below.
 * usage: test_results_examples FOLDER, that of the examples */
#include "test_results_scene.h"

#include <dirent.h>

/* f and |gradient| at the start, f at the second point, in the precision of the file; what f may
 * differ by at another SIMD level, the gradient 100 times as much. */
static const struct {
  const char *name;
  double f, norm, second;
  double tolerance;
} numbers[] = {
    {"finger_polygon.cfg", 11.9273183505, 0.437541775709, 1.42459303724, 1e-6},
    {"quadruped.cfg", -0.164576609486, 0.0111767135844, -0.168281869526, 1e-5},
    {"silicone_beam.cfg", 1336638.8368619187, 107773836, 2365760.9642746174, 1e-6},
    {"swimmer.cfg", -0.243471032793, 0.0218621081926, -0.245368965532, 1e-5},
    {"two_materials.cfg", 0.0216003101852, 5.20066827832e-06, 0.295668442653, 1e-6},
};

enum { EXAMPLES = sizeof numbers / sizeof numbers[0] };

static const char *folder;

static void two_evaluations(int i) {
  char file[1024];
  snprintf(file, sizeof file, "%s/%s", folder, numbers[i].name);
  /* least squares have no gradient at the start */
  const char *const slsqp = "optimizer.name=LD_SLSQP";
  test_scene s = test_open(file, &slsqp, strncmp(numbers[i].name, "silicone_", 9) == 0);
  static test_path path;
  double *x = malloc((size_t)s.problem->n * sizeof *x);
  test_optimize(&s, 2, x, &path);
  const double norm = path.norm[0];
  free(x);
  printf("%s: f %.12g, |gradient| %.12g, f %.12g\n", numbers[i].name, path.f[0], norm, path.f[1]);
  CHECK(path.n == 2 && path.result.failures == 0);
  CHECK_MSG(!path.result.reached_target, "%s: the start is an answer", numbers[i].name);
  CHECK_RELATIVE(path.f[0], numbers[i].f, numbers[i].tolerance);
  CHECK_RELATIVE(norm, numbers[i].norm, 100 * numbers[i].tolerance);
  CHECK_RELATIVE(path.f[1], numbers[i].second, 10 * numbers[i].tolerance);
  test_close(&s);
}

static void all_examples(void) {
  for (int i = 0; i < EXAMPLES; i++) {
    two_evaluations(i);
  }
}

static void every_one_has_numbers(void) {
  DIR *dir = opendir(folder);
  CHECK_MSG(dir != NULL, "%s is no folder", folder);
  for (const struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot == NULL || strcmp(dot, ".cfg") != 0) {
      continue;
    }
    int found = 0;
    for (int i = 0; i < EXAMPLES; i++) {
      found += strcmp(entry->d_name, numbers[i].name) == 0;
    }
    CHECK_MSG(found == 1, "no numbers for %s", entry->d_name);
  }
  if (dir != NULL) {
    closedir(dir);
  }
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : "examples";
  RUN(every_one_has_numbers);
  RUN(all_examples);
  return TEST_RESULT();
}
