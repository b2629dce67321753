/* Every kind of design block, and every way to spread, filter, tie and transform it, in 2D and 3D:
 * its chain rule against differences of the inputs, the bounds of the inputs, the start, and its
 * gradient through the simulator. A kind of block_kinds.h without a case here fails. */
#include "alloc.h"
#include "block_kinds.h"
#include "engine.h"
#include "mpm_inputs.h"
#include "scene.h"
#include "test_problems_scene.h"

#include <math.h>

/* Boxes A and B, mirror images of each other, a ball C, muscles in A and B, two walls with
 * friction, and groups: the halves of A. %s: dimension and what has as many numbers. */
#define SCENE_TEXT                                                                                 \
  "materials: ( { name = \"soft\"; youngs_modulus = 40; poisson_ratio = 0.3; density = 1; } );\n"  \
  "actuators: ( { name = \"left\"; body = \"A\"; direction = \"y\"; max = 8; },\n"                 \
  "             { name = \"right\"; body = \"B\"; direction = \"y\"; max = 8; } );\n"              \
  "objective: ( { term = \"distance\"; body = \"A\"; target = %s; },\n"                            \
  "  { term = \"mean_square_velocity\"; weight = 0.1; when = \"running\"; },\n"                    \
  "  { term = \"mass\"; body = \"A\"; weight = 0.7; },\n"                                          \
  "  { term = \"distance\"; body = \"C\"; target = %s; }, \n"                                      \
  "  { term = \"mean_position\"; body = \"B\"; direction = %s; } );\n"

#define SCENE_2D                                                                                   \
  "simulation: { dimension = 2; grid = [24, 20]; cell = 0.05; time_step = 2e-3; steps = 20;\n"     \
  "  gravity = [0.5, -2]; damping = 0.3; };\n"                                                     \
  "bodies: (\n"                                                                                    \
  "  { name = \"A\"; material = \"soft\"; low = [0.25, 0.17]; size = [0.15, 0.2]; count = [6, "    \
  "8];\n"                                                                                          \
  "    velocity = [0.4, -0.5]; spin = 2; },\n"                                                     \
  "  { name = \"B\"; material = \"soft\"; low = [0.5, 0.17]; size = [0.15, 0.2]; count = [6, "     \
  "8];\n"                                                                                          \
  "    velocity = [0.3, -0.4]; },\n"                                                               \
  "  { name = \"C\"; material = \"soft\"; shape = \"ball\"; center = [0.85, 0.3]; radius = 0.1;\n" \
  "    velocity = [0.2, -0.7]; spin = -1; sampling = \"random\"; particles = 50; seed = 3; } );\n" \
  "groups: ( { name = \"low\"; body = \"A\"; low = [0.2, 0.1]; size = [0.3, 0.17]; },\n"           \
  "          { name = \"high\"; body = \"A\"; low = [0.2, 0.271]; size = [0.3, 0.2]; } );\n"       \
  "boundaries: { domain: { friction = 0.4; layers_low = 4; };\n"                                   \
  "  half_spaces: ( { type = \"sticky\"; point = [0.21, 0]; normal = \"x\"; },\n"                  \
  "                 { type = \"separate\"; friction = 0.2; point = [0, 0.175]; normal = \"y\"; } " \
  "); };\n"

#define SCENE_3D                                                                                   \
  "simulation: { dimension = 3; grid = [24, 20, 16]; cell = 0.05; time_step = 2e-3; steps = 10;\n" \
  "  gravity = [0.5, -2, 0.3]; damping = 0.3; };\n"                                                \
  "bodies: (\n"                                                                                    \
  "  { name = \"A\"; material = \"soft\"; low = [0.25, 0.17, 0.3]; size = [0.15, 0.2, 0.1];\n"     \
  "    count = [4, 4, 3]; velocity = [0.4, -0.5, 0.1]; spin = [1, -2, 0.5]; },\n"                  \
  "  { name = \"B\"; material = \"soft\"; low = [0.5, 0.17, 0.3]; size = [0.15, 0.2, 0.1];\n"      \
  "    count = [4, 4, 3]; velocity = [0.3, -0.4, 0]; },\n"                                         \
  "  { name = \"C\"; material = \"soft\"; shape = \"ball\"; center = [0.85, 0.3, 0.4];\n"          \
  "    radius = 0.1; velocity = [0.2, -0.7, 0.2]; spin = [0, 1, 2];\n"                             \
  "    sampling = \"random\"; particles = 40; seed = 3; } );\n"                                    \
  "groups: ( { name = \"low\"; body = \"A\"; low = [0.2, 0.1, 0.2]; size = [0.3, 0.17, 0.3]; },\n" \
  "          { name = \"high\"; body = \"A\"; low = [0.2, 0.271, 0.2]; size = [0.3, 0.2, 0.3]; } " \
  ");\n"                                                                                           \
  "boundaries: { domain: { friction = 0.4; layers_low = 4; };\n"                                   \
  "  half_spaces: ( { type = \"sticky\"; point = [0.21, 0, 0]; normal = \"x\"; },\n"               \
  "                 { type = \"separate\"; friction = 0.2; point = [0, 0.175, 0]; normal = "       \
  "\"y\"; } ); };\n"

#define TABLE "controller: { type = \"open_loop\"; hold = 5; interpolation = \"linear\"; };\n"
#define FEEDBACK                                                                                   \
  "controller: { type = \"tanh_linear\"; spread = 0.3; inputs = ( { read = \"velocity\"; } ); "    \
  "};\n"

/* a network throws A and C, and drives the muscles */
#define LAUNCHES(turn)                                                                             \
  "launches: ( { name = \"throw\"; body = \"A\"; controls = [\"x\", \"" turn "\"];\n"              \
  "              low = [-1, -2]; high = [1, 3]; },\n"                                              \
  "            { name = \"drop\"; body = \"C\"; controls = \"y\"; low = -1; high = 0.2; } );\n"    \
  "controller: { type = \"mlp\"; hidden = 3; spread = 0.5;\n"                                      \
  "  inputs = ( { read = \"target\"; scale = 2; }, { read = \"constant\"; value = 0.7; } ); };\n"

/* a rigid tool T between A and B, and its mirror image U on the other side of B */
#define HARD "density = 1; }, { name = \"hard\"; model = \"rigid\"; density = 2; } );"
#define TOOL(name, center, out)                                                                    \
  "{ name = \"" name "\"; material = \"hard\"; motion = \"driven\"; center = " center ";\n"        \
  "  size = [0.06, 0.1" out "]; friction = 0.3; "
#define TOOLS_2D                                                                                   \
  "seed = 3; }, " TOOL(                                                                            \
      "T", "[0.4437, 0.2862]",                                                                     \
      "") "  track = [[0, 0, 0, 0], [0.02, -0.02, 0.01, 0.1], [0.05, -0.03, 0.01, 0.2]]; "         \
          "},\n" TOOL("U", "[0.7088, 0.2862]",                                                     \
                      "") "  track = [[0, 0, 0], [0.02, 0.02, 0.01], [0.05, 0.03, 0.01]]; } );"
#define TOOLS_3D                                                                                   \
  "seed = 3; }, " TOOL(                                                                            \
      "T", "[0.4437, 0.2862, 0.3531]",                                                             \
      ", 0.1") "  track = [[0, 0, 0, 0, 0, 0, 0], [0.01, -0.02, 0.01, 0, 0.1, 0.2, 0.1],\n"        \
               "    [0.03, -0.03, 0.01, 0.01, 0.2, 0.3, -0.1]]; },\n" TOOL(                        \
                   "U", "[0.7088, 0.2862, 0.3531]",                                                \
                   ", 0.1") "  track = [[0, 0, 0, 0], [0.01, 0.02, "                               \
                            "0.01, 0], [0.03, 0.03, 0.01, 0]]; } );"

/* the same markers on A seen by a camera and by a rule, by clocks of their own */
#define CAMERA "camera = [[400, 20, 10, 30], [-15, 410, 5, 20], [0.1, 0.05, 0.2, 1.5]]; "
#define EYE                                                                                        \
  "objective: ( { term = \"marker_distance\"; body = \"A\"; label = \"eye\"; weight = 1e-4; "
#define RULE "}, { term = \"marker_distance\"; body = \"A\"; label = \"rule\"; "
#define EYE_SAMPLES                                                                                \
  "samples = [[0, 1, 100, 70], [0, 2, 120, 90], [0.0071, 1, 99, 69], [0.0071, 2, 121, 92], "       \
  "[0.0153, 1, 101, 66], [0.0153, 2, 122, 91]]; "
#define EYES_2D                                                                                    \
  EYE CAMERA EYE_SAMPLES "rest_places = [[1, 0.3, 0.2], [2, 0.36, 0.3]]; " RULE                    \
                         "samples = [[0, 2, 0.36, 0.3], [0.008, 2, 0.365, 0.29], [0.0153, 2, "     \
                         "0.37, 0.295]]; }, "
#define EYES_3D                                                                                    \
  EYE CAMERA EYE_SAMPLES "rest_places = [[1, 0.3, 0.2, 0.32], [2, 0.36, 0.3, 0.38]]; " RULE        \
                         "samples = [[0, 2, 0.36, 0.3, 0.38], [0.008, 2, 0.365, 0.29, 0.37], "     \
                         "[0.0153, 2, 0.37, 0.295, 0.39]]; }, "

enum { STAYS = 1, ONLY_2D = 2, ONLY_3D = 4, TURNED = 8, TOOLS = 16, EYES = 32, THROWN = 64 };

/* n: variables in 2D and 3D, 0: not counted. STAYS: the start is the scene as written. TURNED: the
 * shape of A is turned. TOOLS: there are T and U. EYES: there are terms of markers; the block is no
 * input. THROWN: there are launches. */
static const struct {
  const char *block;
  int n_2d, n_3d, flags;
} cases[] = {
    /* every kind as it is */
    {"{ variable = \"initial_position\"; body = \"A\"; lower = -0.02; upper = 0.02; }", 2, 3,
     STAYS},
    {"{ variable = \"initial_velocity\"; body = \"A\"; }", 2, 3, STAYS},
    {"{ variable = \"youngs_modulus\"; body = \"A\"; lower = 20; upper = 60; }", 1, 1, STAYS},
    {"{ variable = \"poisson_ratio\"; body = \"A\"; lower = 0.1; upper = 0.4; }", 1, 1, STAYS},
    {"{ variable = \"density\"; body = \"A\"; lower = 0.5; upper = 2; }", 1, 1, STAYS},
    {"{ variable = \"volume\"; body = \"A\"; lower = 1e-6; upper = 1e-2; }", 1, 1, STAYS},
    {"{ variable = \"center\"; body = \"A\"; lower = [0.3, 0.25]; upper = [0.35, 0.3]; }", 2, 0,
     STAYS | ONLY_2D},
    {"{ variable = \"center\"; body = \"C\"; }", 2, 3, STAYS},
    {"{ variable = \"size\"; body = \"A\"; lower = 0.08; upper = 0.22; }", 2, 3, STAYS},
    {"{ variable = \"size\"; body = \"C\"; lower = 0.08; upper = 0.12; }", 1, 1, STAYS},
    {"{ variable = \"rotation\"; body = \"A\"; lower = -0.2; upper = 0.2; }", 1, 3, STAYS},
    {"{ variable = \"spin\"; body = \"A\"; }", 1, 3, STAYS},
    {"{ variable = \"track\"; body = \"T\"; }", 6, 12, STAYS | TOOLS},
    {"{ variable = \"friction\"; boundary = \"domain\"; upper = 1; }", 1, 1, STAYS},
    {"{ variable = \"actuation\"; lower = -5; upper = 5; start = 0.7; }", 10, 6, 0},
    {"{ variable = \"controller\"; }", 14, 20, STAYS},
    {"{ variable = \"controller\"; }", 32, 35, THROWN},
    {"{ variable = \"controller\"; }, { variable = \"rotation\"; body = \"A\"; start = 0.3; }", 33,
     38, THROWN},
    {"{ variable = \"gravity\"; }", 2, 3, STAYS},
    {"{ variable = \"damping\"; upper = 2; }", 1, 1, STAYS},
    /* place, size and motion of one body together */
    {"{ variable = \"center\"; body = \"A\"; }, { variable = \"size\"; body = \"A\"; lower = 0.08; "
     "upper = 0.22; start = 0.14; }, { variable = \"rotation\"; body = \"A\"; start = 0.3; }, "
     "{ variable = \"spin\"; body = \"A\"; }, { variable = \"initial_velocity\"; body = \"A\"; }",
     8, 15, 0},
    {"{ variable = \"rotation\"; body = \"A\"; start = 1.4; }", 1, 3, 0},
    {"{ variable = \"size\"; body = \"A\"; lower = 0.08; upper = 0.22; }", 2, 3, STAYS | TURNED},
    {"{ variable = \"center\"; body = \"A\"; }, { variable = \"size\"; body = \"A\"; lower = 0.08; "
     "upper = 0.22; start = 0.14; }, { variable = \"rotation\"; body = \"A\"; start = 0.3; }, "
     "{ variable = \"spin\"; body = \"A\"; }",
     6, 12, TURNED},
    {"{ variable = \"rotation\"; body = \"C\"; start = 0.2; }, { variable = \"size\"; body = "
     "\"C\"; "
     "lower = 0.08; upper = 0.12; start = 0.09; }",
     2, 4, 0},
    /* the velocities are designed themselves, and the spin does not turn them */
    {"{ variable = \"size\"; body = \"A\"; lower = 0.08; upper = 0.22; }, { variable = "
     "\"initial_velocity\"; body = \"A\"; per = \"particle\"; }",
     98, 147, STAYS},
    /* groups, patches, particles */
    {"{ variable = \"initial_velocity\"; body = \"low\"; }", 2, 3, 0},
    {"{ variable = \"density\"; body = \"*\"; lower = 0.5; upper = 2; }", 1, 1, STAYS},
    {"{ variable = \"youngs_modulus\"; body = \"*\"; per = \"group\"; groups = [\"low\", \"B\"]; "
     "lower = 20; upper = 60; }",
     2, 2, STAYS},
    {"{ variable = \"initial_position\"; body = \"A\"; per = \"group\"; groups = [\"low\", "
     "\"high\"]; lower = -0.01; upper = 0.01; }",
     4, 6, STAYS},
    {"{ variable = \"density\"; body = \"C\"; per = \"particle\"; lower = 0.5; upper = 2; }", 50,
     40, STAYS},
    {"{ variable = \"volume\"; body = \"C\"; per = \"particle\"; lower = 1e-6; upper = 1e-2; }", 50,
     40, STAYS},
    {"{ variable = \"poisson_ratio\"; body = \"A\"; per = \"patch\"; patches = 2; lower = 0.1; "
     "upper = 0.4; }",
     4, 8, STAYS},
    {"{ variable = \"youngs_modulus\"; body = \"A\"; per = \"patch\"; patches = 3; interpolation = "
     "\"linear\"; lower = 20; upper = 60; }",
     9, 27, STAYS},
    {"{ variable = \"initial_position\"; body = \"A\"; per = \"patch\"; patches = 2; interpolation "
     "= \"linear\"; lower = -0.01; upper = 0.01; }",
     8, 24, STAYS},
    {"{ variable = \"initial_velocity\"; body = \"C\"; per = \"patch\"; patches = 1; }", 2, 3, 0},
    /* filters */
    {"{ variable = \"youngs_modulus\"; body = \"A\"; per = \"particle\"; filter_radius = 1.3; "
     "lower "
     "= 20; upper = 60; }",
     48, 48, STAYS},
    {"{ variable = \"density\"; body = \"C\"; per = \"patch\"; patches = 4; filter_radius = 1; "
     "lower = 0.5; upper = 2; }",
     0, 0, STAYS},
    {"{ variable = \"density\"; body = \"A\"; per = \"patch\"; patches = 2; interpolation = "
     "\"linear\"; filter_radius = 2; lower = 0.5; upper = 2; }",
     4, 8, STAYS},
    {"{ variable = \"initial_position\"; body = \"C\"; per = \"particle\"; filter_radius = 1.5; "
     "lower = -0.01; upper = 0.01; }",
     100, 120, STAYS},
    /* transforms */
    {"{ variable = \"youngs_modulus\"; body = \"A\"; lower = 20; upper = 60; transform = \"log\"; "
     "}",
     1, 1, STAYS},
    {"{ variable = \"volume\"; body = \"A\"; lower = 1e-6; transform = \"log\"; }", 1, 1, STAYS},
    {"{ variable = \"youngs_modulus\"; body = \"A\"; per = \"particle\"; filter_radius = 1.3; "
     "lower "
     "= 20; upper = 60; transform = \"tanh\"; }",
     48, 48, STAYS},
    {"{ variable = \"size\"; body = \"A\"; lower = 0.08; upper = 0.22; transform = \"tanh\"; }", 2,
     3, STAYS},
    {"{ variable = \"actuation\"; transform = \"tanh\"; }", 10, 6, STAYS},
    /* ties */
    {"{ variable = \"youngs_modulus\"; body = \"A\"; tie = [\"B\", \"C\"]; tie_factor = [1, 0.5]; "
     "lower = 20; upper = 60; }",
     1, 1, 0},
    {"{ variable = \"initial_velocity\"; body = \"A\"; tie = \"B\"; mirror = \"x\"; }", 2, 3, 0},
    {"{ variable = \"spin\"; body = \"A\"; tie = \"B\"; mirror = \"x\"; }", 1, 3, 0},
    {"{ variable = \"rotation\"; body = \"A\"; tie = \"B\"; tie_factor = -1; }", 1, 3, STAYS},
    {"{ variable = \"center\"; body = \"A\"; tie = \"B\"; mirror = \"x\"; }", 2, 3, STAYS},
    {"{ variable = \"size\"; body = \"A\"; tie = \"B\"; lower = 0.08; upper = 0.22; }", 2, 3,
     STAYS},
    {"{ variable = \"density\"; body = \"A\"; per = \"particle\"; tie = \"B\"; lower = 0.5; upper "
     "= "
     "2; filter_radius = 1; }",
     48, 48, STAYS},
    {"{ variable = \"initial_position\"; body = \"A\"; per = \"particle\"; tie = \"B\"; mirror = "
     "\"x\"; lower = -0.01; upper = 0.01; }",
     96, 144, STAYS},
    {"{ variable = \"youngs_modulus\"; body = \"A\"; per = \"patch\"; patches = 3; tie = \"B\"; "
     "mirror = \"y\"; lower = 20; upper = 60; }",
     9, 27, STAYS},
    {"{ variable = \"friction\"; boundary = \"half_spaces.[1]\"; tie = \"domain\"; tie_factor = 2; "
     "upper = 1; }",
     1, 1, STAYS},
    {"{ variable = \"track\"; body = \"T\"; tie = \"U\"; mirror = \"x\"; }", 6, 12, STAYS | TOOLS},
    {"{ variable = \"actuation\"; actuator = \"left\"; tie = \"right\"; tie_factor = -1; start = "
     "0.8; }",
     5, 3, 0},
    /* what is between the scene and samples */
    {"{ variable = \"time_offset\"; term = \"eye\"; lower = -0.004; upper = 0.004; start = 7e-4; }",
     1, 1, EYES},
    {"{ variable = \"time_offset\"; term = \"rule\"; tie = \"eye\"; tie_factor = 0.5; lower = "
     "-0.004; upper = 0.004; start = -7e-4; }",
     1, 1, EYES},
    {"{ variable = \"view_rotation\"; term = \"eye\"; start = 0.2; }", 1, 3, EYES},
    {"{ variable = \"view_offset\"; term = \"eye\"; start = 0.01; }", 2, 3, EYES},
    {"{ variable = \"marker_offset\"; term = \"rule\"; start = 0.003; }", 2, 3, EYES},
    {"{ variable = \"marker_offset\"; term = \"eye\"; tie = \"rule\"; start = 0.003; }, { variable "
     "= "
     "\"view_rotation\"; term = \"eye\"; start = 0.2; }, { variable = \"view_offset\"; term = "
     "\"eye\"; start = 0.01; }, { variable = \"time_offset\"; term = \"eye\"; lower = -0.004; "
     "upper = "
     "0.004; start = 7e-4; }, { variable = \"initial_velocity\"; body = \"A\"; }",
     10, 16, EYES},
};

enum { N_CASES = sizeof cases / sizeof cases[0], MOST = 160 };

/* loads case i as a block of the scene; NULL and the context's error if that fails */
static cq_scene *load_case(cq_ctx *ctx, int dim, int i) {
  static char text[16384];
  const bool feedback = strstr(cases[i].block, "\"controller\"") != NULL;
  const int length = dim == 2 ? snprintf(text, sizeof text, SCENE_2D SCENE_TEXT, "[0.6, 0.4]",
                                         "[0.5, 0.5]", "[1, 0.5]")
                              : snprintf(text, sizeof text, SCENE_3D SCENE_TEXT, "[0.6, 0.4, 0.3]",
                                         "[0.5, 0.5, 0.2]", "[1, 0.5, 0.2]");
  const char *thrown = dim == 2 ? LAUNCHES("turn") : LAUNCHES("turn y");
  snprintf(text + length, sizeof text - (size_t)length, "%s design: ( %s );\n",
           (cases[i].flags & THROWN) != 0 ? thrown
           : feedback                     ? FEEDBACK
                                          : TABLE,
           cases[i].block);
  const char *turn = dim == 2 ? "bodies.[0].rotation=0.35" : "bodies.[0].rotation=[0.2,-0.1,0.3]";
  cq_scene *scene = NULL;
  if ((cases[i].flags & TOOLS) != 0) {
    snprintf(text, sizeof text, "%s", test_edit(text, "density = 1; } );", HARD));
    snprintf(text, sizeof text, "%s",
             test_edit(text, "seed = 3; } );", dim == 2 ? TOOLS_2D : TOOLS_3D));
  }
  if ((cases[i].flags & EYES) != 0) {
    snprintf(text, sizeof text, "%s",
             test_edit(text, "objective: (", dim == 2 ? EYES_2D : EYES_3D));
  }
  cq_scene_load_text(ctx, "case", ".", text, &turn, (cases[i].flags & TURNED) != 0, &scene);
  return scene;
}

static double *copy_of(const double *from, size_t n) {
  double *to = malloc((n + 1) * sizeof *to);
  memcpy(to, from, n * sizeof *to);
  return to;
}

/* x a good way inside the bounds, away from the start */
static void move(const cq_scene *s, cq_rng *rng, double part, double *x) {
  const cq_design *d = &s->design;
  for (int j = 0; j < d->n; j++) {
    const double room = part * (2.0 * cq_rng_uniform(rng) - 1.0) * d->scale[j];
    x[j] = fmin(fmax(d->start[j] + room, d->lower[j]), d->upper[j]);
  }
}

/* the start is the scene, and what the file says where it says it */
static void start_is_the_scene(const cq_scene *s, int i) {
  const size_t total = s->layout.total;
  double *inputs = copy_of(s->inputs, total);
  cq_design_apply(&s->design, s->design.start, inputs);
  for (size_t k = 0; k < total && (cases[i].flags & STAYS); k++) {
    const double error = fabs(inputs[k] - s->inputs[k]);
    CHECK_MSG(error <= 1e-14 * (1.0 + fabs(inputs[k])), "%s: input %zu starts at %.17g, not %.17g",
              cases[i].block, k, inputs[k], s->inputs[k]);
  }
  free(inputs);
}

static double weighted(const cq_design *d, const double *w, const double *x, const double *inputs,
                       size_t total) {
  double *at = copy_of(inputs, total), sum = 0.0;
  cq_design_apply(d, x, at);
  for (size_t k = 0; k < total; k++) {
    sum += w[k] * (at[k] - inputs[k]);
  }
  free(at);
  return sum;
}

/* J^T w, component by component, against the best of a ladder of central differences of w . inputs.
 * Inputs are of very different sizes: each counts in units of its largest one. */
static void chain_rule(const cq_scene *s, int i) {
  const cq_design *d = &s->design;
  const size_t total = s->layout.total;
  cq_rng rng = cq_rng_seed(5 + (uint64_t)i);
  double x[MOST], g[MOST], *w = copy_of(s->inputs, total);
  for (int f = 0; f < CQ_N_INPUTS; f++) {
    double largest = 0.0;
    for (size_t k = 0; k < s->layout.count[f]; k++) {
      largest = fmax(largest, fabs(s->inputs[s->layout.offset[f] + k]));
    }
    for (size_t k = 0; k < s->layout.count[f]; k++) {
      w[s->layout.offset[f] + k] = cq_rng_normal(&rng) / (largest > 0.0 ? largest : 1.0);
    }
  }
  move(s, &rng, 0.3, x);
  cq_design_pull(d, x, w, g);
  double size = 0.0;
  for (int j = 0; j < d->n; j++) {
    size = fmax(size, fabs(g[j] * d->scale[j]));
  }
  CHECK_MSG(size > 0.0, "%s: no gradient", cases[i].block);
  double *column = calloc(total, sizeof *column);
  for (int j = 0; j < d->n; j++) { /* the same matrix, by its columns */
    double sum = 0.0;
    cq_design_push(d, x, j, column);
    for (size_t k = 0; k < total; k++) {
      sum += w[k] * column[k];
    }
    CHECK_MSG(fabs(sum - g[j]) * d->scale[j] <= 1e-12 * size, "%s: column %d gives %g, not %g",
              cases[i].block, j, sum, g[j]);
  }
  free(column);
  for (int j = 0; j < d->n; j++) {
    double best = INFINITY;
    for (double eps = 1e-2; eps > 1e-6; eps *= 0.1) {
      const double kept = x[j], h = eps * d->scale[j];
      x[j] = kept + h;
      const double above = weighted(d, w, x, s->inputs, total);
      x[j] = kept - h;
      const double below = weighted(d, w, x, s->inputs, total);
      x[j] = kept;
      best = fmin(best, fabs((above - below) / (2.0 * eps) - g[j] * d->scale[j]));
    }
    CHECK_MSG(best <= 1e-8 * size, "%s: d/dx[%d] is off by %.2e of %.2e", cases[i].block, j, best,
              size);
  }
  free(w);
}

/* the inputs of every design lie in the range that the preflight looks at */
static void range_holds(const cq_scene *s, int i) {
  const size_t total = s->layout.total;
  static const int ranged[] = {CQ_INPUT_x,       CQ_INPUT_youngs_modulus, CQ_INPUT_poisson_ratio,
                               CQ_INPUT_density, CQ_INPUT_volume,         CQ_INPUT_friction,
                               CQ_INPUT_track,   CQ_INPUT_theta};
  double *least = copy_of(s->inputs, total), *largest = copy_of(s->inputs, total);
  double *inputs = copy_of(s->inputs, total), x[MOST];
  cq_rng rng = cq_rng_seed(7 + (uint64_t)i);
  cq_design_range(&s->design, least, largest);
  for (int draw = 0; draw < 20; draw++) {
    move(s, &rng, draw % 2 ? 3.0 : 0.5, x);
    cq_design_apply(&s->design, x, inputs);
    for (size_t r = 0; r < sizeof ranged / sizeof *ranged; r++) {
      for (size_t k = s->layout.offset[ranged[r]];
           k < s->layout.offset[ranged[r]] + s->layout.count[ranged[r]]; k++) {
        const double slack = 1e-13 * (1.0 + fabs(inputs[k]));
        CHECK_MSG(inputs[k] >= least[k] - slack && inputs[k] <= largest[k] + slack,
                  "%s: input %zu is %.17g, outside %g to %g", cases[i].block, k, inputs[k],
                  least[k], largest[k]);
      }
    }
  }
  free(least);
  free(largest);
  free(inputs);
}

/* labels differ, and lead to the variables and their units */
static void labels_differ(const cq_scene *s) {
  static char label[MOST][128];
  for (int j = 0; j < s->design.n; j++) {
    cq_scene_variable_label(s, j, label[j], sizeof label[j]);
    CHECK(cq_scene_variable(s, j).unit[0] != '\0');
    for (int k = 0; k < j; k++) {
      CHECK_MSG(strcmp(label[j], label[k]) != 0, "two variables are called %s", label[j]);
    }
  }
}

static void through_the_simulator(cq_ctx *ctx, const cq_scene *s, int i) {
  const cq_problem *p = cq_scene_problem(s);
  cq_gradcheck check;
  const cq_status status = cq_gradcheck_block(ctx, p, p->start, -1, 0, p->n, 1e-6, &check);
  CHECK_MSG(status == CQ_OK && check.passed && check.gradient_norm > 0.0, "%s: %s, agrees to %g",
            cases[i].block, cq_ctx_error(ctx), check.best);
}

static void check_case(int dim, int i) {
  const int n = dim == 2 ? cases[i].n_2d : cases[i].n_3d;
  cq_ctx *ctx = cq_ctx_create(1, 1);
  cq_scene *s = load_case(ctx, dim, i);
  CHECK_MSG(s != NULL, "%s\n    %s", cases[i].block, cq_ctx_error(ctx));
  if (s != NULL) {
    CHECK_MSG(s->design.n <= MOST && (n == 0 || s->design.n == n), "%s: %d variables, not %d",
              cases[i].block, s->design.n, n);
    start_is_the_scene(s, i);
    if ((cases[i].flags & EYES) == 0) {
      chain_rule(s, i);
    }
    range_holds(s, i);
    labels_differ(s);
    through_the_simulator(ctx, s, i);
  }
  cq_scene_destroy(s);
  CHECK(cq_ctx_bytes(ctx) == 0);
  cq_ctx_destroy(ctx);
}

static void in_2d(void) {
  for (int i = 0; i < N_CASES; i++) {
    if (!(cases[i].flags & ONLY_3D)) {
      check_case(2, i);
    }
  }
}

static void in_3d(void) {
  for (int i = 0; i < N_CASES; i++) {
    if (!(cases[i].flags & ONLY_2D)) {
      check_case(3, i);
    }
  }
}

/* whichever allocation fails, loading says so and leaves nothing */
static void out_of_memory(void) {
  for (int i = 0; i < N_CASES; i++) {
    bool loaded =
        strstr(cases[i].block, "filter") == NULL && strstr(cases[i].block, "mirror") == NULL;
    for (int n = 1; n < 1000 && !loaded; n++) {
      cq_ctx *ctx = cq_ctx_create(1, 1);
      cq_alloc_fail_nth(ctx, n);
      cq_scene *s = load_case(ctx, 2, i);
      loaded = s != NULL;
      CHECK_MSG(loaded || cq_ctx_status(ctx) == CQ_MEMORY, "%s: %s", cases[i].block,
                cq_ctx_error(ctx));
      cq_scene_destroy(s);
      CHECK(cq_ctx_bytes(ctx) == 0);
      cq_ctx_destroy(ctx);
    }
    CHECK_MSG(loaded, "%s never loads", cases[i].block);
  }
}

/* An input of other engines alone, as friction of grains is. */
static bool is_elsewhere(const cq_block_kind *kind) {
  const cq_engine_type *const mpm = cq_engine_type_of("mpm");
  for (int i = 0; i < mpm->n_inputs; i++) {
    if (strcmp(mpm->inputs[i].name, kind->name) == 0) {
      return false;
    }
  }
  return kind->type == &cq_block_of_input;
}

static void every_kind_has_a_case(void) {
  const cq_block_kind *kind = NULL;
  for (int k = 0; (kind = cq_block_kind_at(k)) != NULL; k++) {
    char variable[80];
    if (is_elsewhere(kind)) {
      continue;
    }
    snprintf(variable, sizeof variable, "variable = \"%s\"", kind->name);
    bool found = false;
    for (int i = 0; i < N_CASES; i++) {
      found = found || strstr(cases[i].block, variable) != NULL;
    }
    CHECK_MSG(found, "no case with %s", variable);
  }
}

int main(void) {
  RUN(every_kind_has_a_case);
  RUN(in_2d);
  RUN(in_3d);
  RUN(out_of_memory);
  return TEST_RESULT();
}
