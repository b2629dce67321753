/* Curves of a testing machine: their values against the terms of forces, gradients, displacements
 * as times, and what is refused. */
#include "test_problems_scene.h"

#include <math.h>

/* A plate that presses a soft block. %s: how it moves */
#define PRESS                                                                                      \
  "simulation: { dimension = 2; grid = [24, 24]; cell = 0.05; time_step = 1e-3; steps = 80; };\n"  \
  "materials: (\n"                                                                                 \
  "  { name = \"soft\"; youngs_modulus = 2e4; poisson_ratio = 0.3; density = 100; },\n"            \
  "  { name = \"steel\"; model = \"rigid\"; density = 500; } );\n"                                 \
  "bodies: (\n"                                                                                    \
  "  { name = \"block\"; material = \"soft\"; low = [0.4571, 0.151]; size = [0.2, 0.2]; },\n"      \
  "  { name = \"plate\"; material = \"steel\"; motion = \"driven\"; low = [0.35, 0.3617];\n"       \
  "    size = [0.4, 0.1]; %s } );\n"                                                               \
  "design: (\n"                                                                                    \
  "  { variable = \"youngs_modulus\"; body = \"block\"; lower = 1e4; upper = 4e4; },\n"            \
  "  { variable = \"poisson_ratio\"; body = \"block\"; lower = 0.1; upper = 0.4; } );\n"
#define STEADY "velocity = [0, -0.25];"
#define AT(time)                                                                                   \
  "{ term = \"force\"; body = \"plate\"; direction = \"y\"; when = \"at\"; time = " time           \
  "; lower = 0; }"

static cq_status load(cq_ctx *ctx, const char *motion, const char *more, cq_scene **scene) {
  static char text[8192];
  const int used = snprintf(text, sizeof text, PRESS, motion);
  snprintf(text + used, sizeof text - (size_t)used, "%s", more);
  test_write_file("press.cfg", text);
  return cq_scene_load(ctx, "press.cfg", NULL, 0, scene);
}

static cq_scene *open_scene(cq_ctx *ctx, const char *motion, const char *more) {
  cq_scene *scene = NULL;
  CHECK_MSG(load(ctx, motion, more, &scene) == CQ_OK, "%s", cq_ctx_error(ctx));
  if (scene == NULL) {
    exit(1);
  }
  return scene;
}

/* The machine's force is against the one that pushes the plate; weights are those of a mean. */
static void values(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = open_scene(ctx, STEADY,
                           "objective: ( { term = \"force_curve\"; body = \"plate\"; direction = "
                           "[0, -1]; samples = [[0.0655, 100, 3], [0.05, 150, 1]]; } );\n"
                           "constraints: ( " AT("0.05") ", " AT("0.0655") " );\n");
  const cq_problem *p = cq_scene_problem(s);
  double f = 0.0, c[2] = {0};
  CHECK(p->eval(p->data, p->start, &f, c, NULL, NULL) == CQ_OK);
  const double early = -c[0], late = -c[1];
  CHECK(early > 1.0 && late > early);
  CHECK_NEAR(f, 0.25 * pow(early - 150, 2) + 0.75 * pow(late - 100, 2), 1e-9 * f);
  CHECK(p->n_residuals == 2 && !p->has_deviations);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

static void gradient(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s =
      open_scene(ctx, STEADY,
                 "objective: ( { term = \"force_curve\"; body = \"plate\"; direction = [0, -1]; "
                 "deviation = 3; "
                 "loss = \"huber\"; samples = [[0.05, 150], [0.0655, 100], [0.08, 300]]; } );\n");
  const cq_problem *p = cq_scene_problem(s);
  double r[3], jac[6], grad[2], f = 0.0, again = 0.0;
  CHECK(p->n_residuals == 3 && p->has_deviations);
  CHECK(p->eval(p->data, p->start, &f, NULL, grad, NULL) == CQ_OK);
  CHECK(p->residuals(p->data, 0, p->start, &again, r, jac) == CQ_OK);
  CHECK(f == again);
  CHECK_NEAR(f, r[0] * r[0] + r[1] * r[1] + r[2] * r[2], 1e-12 * f);
  for (int j = 0; j < 2; j++) {
    const double slope = 2.0 * (r[0] * jac[j] + r[1] * jac[2 + j] + r[2] * jac[4 + j]);
    CHECK_MSG(fabs(slope - grad[j]) <= 1e-5 * fabs(grad[j]), "%g, not %g", slope, grad[j]);
  }
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* At a constant speed a displacement is a time; and on a track it is where that is. */
static void over_displacement(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  test_write_file("curve.csv", "displacement [m],force [N]\n0.0125,150\n0.016375,100\n");
  const char *const curves[] = {"samples = [[0.05, 150], [0.0655, 100]];",
                                "over = \"displacement\"; file = \"curve.csv\";"};
  double f[2];
  for (int i = 0; i < 2; i++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "objective: ( { term = \"force_curve\"; body = \"plate\"; direction = [0, -1]; %s } );",
        curves[i]);
    cq_scene *s = open_scene(ctx, STEADY, text);
    const cq_problem *p = cq_scene_problem(s);
    CHECK(p->eval(p->data, p->start, &f[i], NULL, NULL, NULL) == CQ_OK);
    cq_scene_destroy(s);
  }
  CHECK_NEAR(f[0], f[1], 1e-9 * f[0]);
  cq_scene *s =
      open_scene(ctx, "track = [[0, 0, 0], [0.04, 0, -0.01], [0.08, 0, -0.02]];",
                 "objective: ( { term = \"force_curve\"; body = \"plate\"; direction = "
                 "[0, -1]; over = \"displacement\"; samples = [[0.01, 9], [0.02, 9]]; } );");
  const cq_term *term = s->objective.functions[0].terms;
  CHECK(term->n_instants == 2);
  CHECK_NEAR(term->instants[0].step + term->instants[0].ahead, 40.0, 1e-9);
  CHECK_NEAR(term->instants[1].step + term->instants[1].ahead, 80.0, 1e-9);
  cq_scene_destroy(s);
  cq_ctx_destroy(ctx);
}

/* where the track itself is designed */
static void designed_track(void) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  const char *design = "design=({variable=\"track\";body=\"plate\";})";
  CHECK(load(ctx, "track = [[0, 0, 0], [0.08, 0, -0.02]];",
             "objective: ( { term = \"force_curve\"; body = \"plate\"; direction = [0, -1]; over = "
             "\"displacement\"; samples = [[0.01, 9]]; } );",
             &s) == CQ_OK);
  cq_scene_destroy(s);
  s = NULL;
  CHECK(cq_scene_load(ctx, "press.cfg", &design, 1, &s) == CQ_CONFIG && s == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), "over: the track of \"plate\" is designed") != NULL, "%s",
            cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

static void refused(const char *motion, const char *term, const char *message) {
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = NULL;
  char text[1024];
  snprintf(text, sizeof text, "objective: ( { term = \"force_curve\"; direction = [0, -1]; %s } );",
           term);
  CHECK(load(ctx, motion, text, &s) == CQ_CONFIG && s == NULL);
  CHECK_MSG(strstr(cq_ctx_error(ctx), message) != NULL, "%s", cq_ctx_error(ctx));
  cq_ctx_destroy(ctx);
}

static void bad_curves(void) {
#define OF "body = \"plate\"; over = \"displacement\"; samples = "
  refused(STEADY, "body = \"plate\";", "objective.[0].file: give file or samples");
  refused(STEADY, "body = \"plate\"; samples = [[1, 2, 3, 4]];",
          "samples: a row is [time, force] or has a weight after them");
  refused(STEADY, "body = \"plate\"; samples = [[0.01, 2], [0.09, 4]];",
          "samples: a sample at 0.09 s is not in the run, which is from 0 to 0.08 s");
  refused(STEADY, "body = \"plate\"; samples = [[0.01, 2, 0]];", "samples: all weights are zero");
  refused(STEADY, "body = \"plate\"; samples = [[0.01, 2, -1]];", "samples: a weight is negative");
  refused(STEADY, "body = \"block\"; samples = [[0.01, 2]];",
          "body: force is that of one rigid body, and \"block\" is none");
  refused(STEADY, OF "[[0.03, 2]];",
          "samples: a displacement of 0.03 m is not reached: at the end of the run it is 0.02 m");
  refused(STEADY, OF "[[-0.01, 2]];",
          "samples: a displacement of -0.01 m is against the direction");
  refused("track = [[0, 0, 0], [0.04, 0, -0.01], [0.08, 0, 0]];", OF "[[0.012, 2]];",
          "over: the displacement does not grow all the way: at 0.04 s it is 0.01 m, and a step "
          "later 0.00998");
}

int main(void) {
  RUN(values);
  RUN(gradient);
  RUN(over_displacement);
  RUN(designed_track);
  RUN(bad_curves);
  return TEST_RESULT();
}
