/* Texts of random scenes of grains, for the test problems_grains. */
#ifndef CQ_TESTS_RANDOM_GRAINS_H
#define CQ_TESTS_RANDOM_GRAINS_H

#include "rng.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  char text[16384];
  size_t n;
  cq_rng rng;
  int dim, cyclic; /* 1 + the axis; 0: none */
  int n_rigid;
  bool spoiled;
  bool plain; /* nothing that moves but grains, and nothing that pulls */
  double room[3], radius;
} writer;

static void put(writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  w->n += (size_t)vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
  va_end(args);
  if (w->n >= sizeof w->text) {
    printf("the text is too long\n");
    exit(1);
  }
}

static double between(writer *w, double low, double high) {
  return low + (high - low) * cq_rng_uniform(&w->rng);
}

static int below(writer *w, int n) {
  return (int)(cq_rng_next(&w->rng) % (uint64_t)n);
}

static bool one_in(writer *w, int n) {
  return below(w, n) == 0;
}

/* key = [a, b, c]; each between the bounds */
static void put_vector(writer *w, const char *key, int n, double low, double high) {
  put(w, " %s = [", key);
  for (int a = 0; a < n; a++) {
    put(w, "%s%.4f", a > 0 ? ", " : "", between(w, low, high));
  }
  put(w, "];");
}

/* In the upper half of the room; grains begin in the lower one. */
static double somewhere(writer *w, int a) {
  return (a == 1 ? between(w, 0.6, 0.9) : between(w, 0.2, 0.8)) * w->room[a];
}

static void put_place(writer *w, const char *key) {
  put(w, " %s = [", key);
  for (int a = 0; a < w->dim; a++) {
    put(w, "%s%.4f", a > 0 ? ", " : "", somewhere(w, a));
  }
  put(w, "];");
}

/* Any shape; in a composite none. */
static void put_shape(writer *w, bool composite) {
  const double size = w->radius;
  const int kind = below(w, composite ? 6 : 3);
  switch (kind) {
  case 0:
    put(w, " shape = \"ball\"; radius = %.4f;", size * between(w, 1.0, 4.0));
    put_place(w, "center");
    break;
  case 1:
    put(w, " shape = \"capsule\"; radius = %.4f; points = [[", size * between(w, 0.7, 2.0));
    for (int k = 0; k < 2 * w->dim; k++) {
      const int a = k % w->dim;
      put(w, "%s%.4f", k == w->dim ? "], [" : a > 0 ? ", " : "", somewhere(w, a));
    }
    put(w, "]];");
    break;
  case 3:
    put(w, " shape = \"composite\"; parts = ({");
    put_shape(w, false);
    put(w, "}, { operation = \"%s\";", one_in(w, 2) ? "add" : "subtract");
    put_shape(w, false);
    put(w, "});");
    break;
  case 4:
    put(w, " shape = \"gear\"; teeth = %d; module = %.4f;", 5 + below(w, 9), 0.6 * size);
    put_place(w, "center");
    put(w, w->dim == 3 ? " width = 0.1; helix_angle = 0.2;" : "");
    break;
  default:
    put(w, " shape = \"box\";");
    put_place(w, "center");
    put_vector(w, "size", w->dim, 2.0 * size, 7.0 * size);
  }
  if (kind != 0 && one_in(w, 3)) {
    w->dim == 2 ? put(w, " rotation = %.3f;", between(w, -1.0, 1.0))
                : put_vector(w, "rotation", 3, -1.0, 1.0);
  }
}

/* What moves an obstacle or a driven body. */
static void put_motion(writer *w) {
  const int numbers = w->dim == 2 ? 3 : 6;
  switch (below(w, 4)) {
  case 0:
    put_vector(w, "velocity", w->dim, -0.5, 0.5);
    break;
  case 1:
    put(w, " sway = [[%.2f", between(w, 1.0, 10.0));
    for (int k = 0; k < w->dim; k++) {
      put(w, ", %.4f", between(w, -0.02, 0.02));
    }
    put(w, ", %.3f]];%s", between(w, -0.3, 0.3), w->dim == 3 ? " sway_axis = [0, 0, 1];" : "");
    break;
  case 2:
    w->dim == 2 ? put(w, " spin = %.2f;", between(w, -9.0, 9.0))
                : put_vector(w, "spin", 3, -9.0, 9.0);
    break;
  default:
    put(w, " track = [[0");
    for (int k = 0; k < numbers; k++) {
      put(w, ", 0");
    }
    put(w, "], [0.03");
    for (int k = 0; k < numbers; k++) {
      put(w, ", %.4f", between(w, -0.03, 0.03));
    }
    put(w, "]];");
  }
}

/* Settings and three materials, the last one rigid. */
static void put_simulation(writer *w) {
  static const char *const solvers[] = {"ncp", "ncp", "ncp", "jacobi", "paper"};
  static const char *const warm[] = {"auto", "on", "off"};
  const char *solver = solvers[below(w, w->n_rigid > 0 && !one_in(w, 8) ? 3 : 5)];
  put(w, "simulation: { engine = \"granular\"; dimension = %d; precision = \"%s\";", w->dim,
      one_in(w, 3) ? "float" : "double");
  put(w, " room = [%.3f, %.3f", w->room[0], w->room[1]);
  put(w, w->dim == 3 ? ", %.3f];" : "];", w->room[2]);
  put(w, " time_step = %.2e; steps = %d; solver = \"%s\"; solver_iterations = %d;",
      between(w, 5e-4, 4e-3), 5 + below(w, 30), solver, 2 + below(w, 12));
  if (strcmp(solver, "paper") != 0) {
    put(w, " warm_start = \"%s\"; spins = %s;", warm[below(w, 3)], one_in(w, 5) ? "false" : "true");
  }
  put(w, one_in(w, 4) ? " broadphase = \"hash\";" : "");
  if (one_in(w, w->n_rigid > 0 ? 12 : 3)) {
    w->cyclic = 1 + below(w, w->dim);
    put(w, " cyclic = \"%c\";", "xyz"[w->cyclic - 1]);
  }
  if (one_in(w, 3)) {
    put_vector(w, "gravity", w->dim, -10.0, 10.0);
  } else {
    put(w, one_in(w, 3)  ? ""
           : w->dim == 2 ? " gravity = [0, -9.81];"
                         : " gravity = [0, -9.81, 0];");
  }
  put(w, " };\nmaterials: (");
  for (int m = 0; m < 2; m++) {
    put(w, " { name = \"m%d\"; density = %.0f; friction = %.2f; rolling_friction = %.2f;", m,
        between(w, 200.0, 5000.0), between(w, 0.0, 1.0), one_in(w, 3) ? 0.0 : between(w, 0.0, 0.4));
    put(w, " restitution = %.2f; cohesion = %.2f; },", one_in(w, 2) ? 0.0 : between(w, 0.0, 1.0),
        w->plain || one_in(w, 2) ? 0.0 : between(w, 0.0, 0.5));
  }
  put(w, " { name = \"wood\"; model = \"rigid\"; density = %.0f; } );\n", between(w, 50.0, 5000.0));
}

/* A lattice of grains of its own radius in the lower half of the room, of two on one side each. */
static void put_grains(writer *w, int b, int n) {
  const double r = w->radius * between(w, 0.6, 1.4),
               spread = one_in(w, 2) ? 0.0 : between(w, 0.0, 0.4);
  const double spacing = 2.0 * r * (1.0 + spread) * between(w, w->plain ? 1.0 : 0.95, 1.3);
  put(w, " { name = \"g%d\"; material = \"m%d\"; grain_radius = %.5f; grain_spread = %.2f;", b,
      below(w, 2), r, spread);
  put(w, " jitter = %.2f; packing = \"%s\"; low = [", between(w, 0.0, 1.0),
      one_in(w, 4) ? "cubic" : "staggered");
  int count[3];
  for (int a = 0; a < w->dim; a++) {
    const double room = (a == 1 ? 0.5 : a == 0 ? 1.0 / n : 1.0) * w->room[a];
    count[a] = (int)((room - 3.0 * r) / spacing);
    count[a] = count[a] > 0 ? count[a] : 1;
    put(w, "%s%.4f", a > 0 ? ", " : "", 1.5 * r + (a == 0 ? b * room : 0.0));
  }
  put(w, "]; size = [");
  for (int a = 0; a < w->dim; a++) {
    put(w, "%s%.6f", a > 0 ? ", " : "", count[a] * spacing);
  }
  put(w, "]; count = [");
  for (int a = 0; a < w->dim; a++) {
    put(w, "%s%d", a > 0 ? ", " : "", count[a]);
  }
  put(w, "];");
  put(w, " velocity = [%.2f, %.2f%s]; }", between(w, -1.0, 1.0), between(w, -1.0, 3.0),
      w->dim == 2 ? "" : ", -0.5");
}

/* free, driven by itself, by an actuator or at a joint */
enum { FREE, DRIVEN, LIMITED, ACTUATED, JOINTED, FIXED, MOTIONS };

/* Body b, and how it moves; `before`: how the one before it does. */
static int put_rigid(writer *w, int b, int before) {
  int motion = below(w, MOTIONS);
  motion = motion == JOINTED && before != FIXED && before != DRIVEN ? FREE : motion;
  put(w, ",\n { name = \"b%d\"; material = \"wood\"; friction = %.2f; rolling = %.4f;", b,
      between(w, 0.0, 1.0), between(w, 0.0, 0.01));
  put_shape(w, true);
  put(w, motion == FREE ? "" : " motion = \"%s\";", motion == FIXED ? "fixed" : "driven");
  if (motion == FREE) {
    put_vector(w, "velocity", w->dim, -1.0, 1.0);
  } else if (motion == DRIVEN || motion == LIMITED) {
    put_motion(w);
    put(w, motion == LIMITED ? " max_force = %.1f;" : "", between(w, 0.0, 50.0));
    put(w, one_in(w, 4) ? " release = 0.02;" : "");
  } else if (motion == JOINTED) {
    put(w, " joint = \"%s\"; joint_at = \"b%d\";", "hinge", b - 1);
    put_place(w, "joint_point");
    put(w, w->dim == 3 ? " joint_axis = [0, 1, 1];" : "");
  }
  put(w, " }");
  return motion;
}

/* The first obstacle is left to an actuator. */
static void put_walls(writer *w, int n_obstacles) {
  static const char *const sides[] = {"low x", "high x", "low y", "high y", "low z", "high z"};
  put(w, "boundaries: { domain: { friction = %.2f;", between(w, 0.0, 1.0));
  put(w, one_in(w, 6) ? " open = [\"%s\"];" : "", sides[below(w, 2 * w->dim)]);
  put(w, " };");
  if (one_in(w, 4)) {
    put(w, " half_spaces: ( {");
    put_vector(w, "point", w->dim, 0.0, 0.01);
    put(w, " normal = [");
    for (int a = 0; a < w->dim; a++) {
      put(w, "%s%.2f", a > 0 ? ", " : "", w->cyclic == 1 + a ? 0.0 : between(w, 0.1, 1.0));
    }
    put(w, "];");
    put(w, " } );");
  }
  put(w, " obstacles: (");
  for (int k = 0; k < n_obstacles; k++) {
    put(w, k > 0 ? ",\n {" : " {");
    put_shape(w, true);
    if (k > 0 && one_in(w, 2)) {
      put_motion(w);
    }
    put(w, " }");
  }
  put(w, " ); };\n");
}

/* Of the first obstacle and of bodies that need one, and a design. */
static void put_actuators(writer *w, int n_obstacles, const int *motion) {
  put(w, "actuators: (");
  int n = 0;
  if (n_obstacles > 0) {
    put(w,
        " { name = \"a%d\"; body = \"*\"; wall = \"obstacles.[0]\"; along = [\"x\", \"%s\"]; max = "
        "1; }",
        n++, w->dim == 2 ? "turn" : "turn z");
  }
  for (int b = 0; b < w->n_rigid; b++) {
    if (motion[b] == ACTUATED || motion[b] == JOINTED) {
      put(w,
          "%s { name = \"a%d\"; model = \"drive\"; body = \"b%d\"; controls = \"%s\"; max = 2; }",
          n > 0 ? "," : "", n, b, motion[b] == JOINTED ? "joint" : "x");
      n++;
    }
  }
  put(w, " );\n");
  if (n > 0) {
    put(w, "controller: { type = \"open_loop\"; hold = 7; };\n");
    put(w, "design: ( { variable = \"actuation\"; start = %.2f; } );\n", between(w, -1.0, 1.0));
  } else {
    put(w, "design: ( { variable = \"initial_velocity\"; body = \"g0\"; lower = -9; upper = 9; } "
           ");\n");
  }
}

/* The text of a seed. */
static void write_scene(writer *w, uint64_t seed) {
  *w = (writer){.rng = cq_rng_seed(seed)};
  w->dim = 2 + below(w, 2);
  w->radius = between(w, 0.01, 0.03);
  for (int a = 0; a < 3; a++) {
    w->room[a] = w->radius * between(w, 12.0, w->dim == 2 ? 40.0 : 22.0);
  }
  w->plain = one_in(w, 5);
  const int n_grains = 1 + below(w, 2), n_rigid = w->plain || one_in(w, 2) ? 0 : 1 + below(w, 3);
  w->n_rigid = n_rigid;
  put_simulation(w);
  const int n_obstacles = w->plain ? 0 : below(w, 3);
  int motion[4] = {FREE, FREE, FREE, FREE};
  put(w, "bodies: (");
  for (int b = 0; b < n_grains; b++) {
    put(w, b > 0 ? "," : "");
    put_grains(w, b, n_grains);
  }
  for (int b = 0; b < n_rigid; b++) {
    motion[b] = put_rigid(w, b, b > 0 ? motion[b - 1] : FREE);
  }
  put(w, " );\n");
  put_walls(w, n_obstacles);
  put_actuators(w, n_obstacles, motion);
  put(w, "objective: ( { term = \"distance\"; body = \"g0\"; target = [%s]; } );\n",
      w->dim == 2 ? "0, 0" : "0, 0, 0");
}

/* One number of the text becomes another one, which nobody would write. */
static void spoil(writer *w) {
  static const char *const values[] = {"0", "-1", "1e9", "1e-12", "1e300", "0.5", "7"};
  const size_t at = w->n * cq_rng_uniform(&w->rng);
  char *number = strpbrk(w->text + at, "0123456789"), rest[sizeof w->text];
  if (number == NULL) {
    return;
  }
  snprintf(rest, sizeof rest, "%s", number + strspn(number, "0123456789.e-"));
  w->n = (size_t)(number - w->text);
  put(w, "%s%s", values[below(w, 7)], rest);
}

#endif
