/* The built-in problem bottle_flip: launches side by side in velocity have neither outliers nor
 * leaks. With a number as argument, so many launches. */
#include "engine_part.h"
#include "scene.h"
#include "test.h"

static int launches = 12;

/* Particles of the water that are more than a radius outside of the room in the bottle, half way
 * through its wall. The bottle's frame follows from two of its particles. */
static int count_leaks(const cq_scene *scene, const double *state) {
  const cq_body *water = &scene->bodies[0], *bottle = &scene->bodies[1];
  const double low[2] = {2.625, 2.975}, size[2] = {0.75, 2.55};
  const double *a0 = bottle->x, *b0 = bottle->x + 2 * (bottle->count - 1);
  const double *a = state + 2 * bottle->first, *b = a + 2 * (bottle->count - 1);
  const double u0[2] = {b0[0] - a0[0], b0[1] - a0[1]}, u[2] = {b[0] - a[0], b[1] - a[1]};
  const double square = u0[0] * u0[0] + u0[1] * u0[1];
  const double c = (u[0] * u0[0] + u[1] * u0[1]) / square;
  const double s = (u0[0] * u[1] - u0[1] * u[0]) / square;
  int leaks = 0;
  CHECK_NEAR(c * c + s * s, 1.0, 1e-9); /* it keeps its shape */
  for (int i = 0; i < water->count; i++) {
    const double *x = state + 2 * (water->first + i);
    const double d[2] = {x[0] - a[0], x[1] - a[1]};
    const double y[2] = {a0[0] + c * d[0] + s * d[1], a0[1] - s * d[0] + c * d[1]};
    leaks +=
        !(y[0] > low[0] && y[0] < low[0] + size[0] && y[1] > low[1] && y[1] < low[1] + size[1]);
  }
  return leaks;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Values that are more than six median deviations, and more than a tenth of the change over all of
 * them, off the line from the median of the first half to that of the second. */
static int count_outliers(const double *f, int n) {
  double sorted[128], off[128];
  memcpy(sorted, f, (size_t)(n / 2) * sizeof *f);
  qsort(sorted, (size_t)(n / 2), sizeof *sorted, ascending);
  const double first = sorted[n / 4];
  memcpy(sorted, f + n / 2, (size_t)(n / 2) * sizeof *f);
  qsort(sorted, (size_t)(n / 2), sizeof *sorted, ascending);
  const double slope = (sorted[n / 4] - first) / (n / 2);
  int count = 0;
  for (int i = 0; i < n; i++) {
    off[i] = sorted[i] = fabs(f[i] - first - slope * (i - n / 4));
  }
  qsort(sorted, (size_t)n, sizeof *sorted, ascending);
  for (int i = 0; i < n; i++) {
    count += off[i] > 6.0 * sorted[n / 2] && off[i] > 0.15;
  }
  return count;
}

/* of water as thick as honey, as the file has it, or thinner [Pa s] */
static void launch(const char *viscosity) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *scene = NULL;
  CHECK_MSG(cq_scene_load(ctx, "bottle_flip", &viscosity, 1, &scene) == CQ_OK, "%s",
            cq_ctx_error(ctx));
  const cq_problem *problem = cq_scene_problem(scene);
  double x[3], f = 0.0, places[128], *state = malloc(scene->layout.state_total * sizeof *state);
  int leaks = 0;
  CHECK(problem->n == 3);
  for (int k = 0; k < launches; k++) {
    memcpy(x, problem->start, sizeof x);
    x[0] += -0.25 + 0.5 * k / (launches - 1);
    CHECK_MSG(problem->eval(problem->data, x, &f, NULL, NULL, NULL) == CQ_OK, "%s",
              cq_ctx_error(ctx));
    CHECK(cq_sim_final_state(scene->sim, state) == CQ_OK);
    leaks += count_leaks(scene, state);
    places[k] = state[2 * scene->bodies[1].first]; /* of the bottle's first particle [m] */
  }
  printf("  %s, %d launches: from %.3f to %.3f m, %d outliers, %d leaks\n", viscosity, launches,
         places[0], places[launches - 1], count_outliers(places, launches), leaks);
  CHECK(count_outliers(places, launches) == 0);
  CHECK(leaks == 0);
  CHECK(places[launches - 1] > places[0] + 0.1);
  /* the count sees one */
  places[launches / 3] += 1.0;
  CHECK(count_outliers(places, launches) == 1);
  free(state);
  cq_scene_destroy(scene);
  cq_ctx_destroy(ctx);
}

static void test_launches(void) {
  launch("materials.[0].viscosity=200");
}

static void test_thin_launches(void) {
  launch("materials.[0].viscosity=10");
}

int main(int argc, char **argv) {
  launches = argc > 1 ? atoi(argv[1]) : launches;
  RUN(test_launches);
  RUN(test_thin_launches);
  return TEST_RESULT();
}
