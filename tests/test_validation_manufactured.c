/* A manufactured solution (axis-aligned, after Wallstedt and Guilkey 2008): neo-Hookean square of
 * side 1, u_x = A sin(2 pi X) sin(pi c t),  u_y = -A sin(2 pi Y) sin(pi c t),  c^2 = E/rho, A =
 * 0.05, E = 1e4, nu = 0.3, rho = 1000, kept up by the body force b = u_tt - div P/rho,  (div P)_x =
 * du_x'/dX (mu (1 + f_x^-2) + lambda (1 - log J) f_x^-2), f_x = 1 + du_x/dX, J = f_x f_y.
 *
 * Each run is one step. Before it the force is added to the velocities, and the particles around
 * the square, which are its exact continuation, are put where they belong. The step is symplectic:
 * its velocities are those of half a step earlier. */
#include "mpm_inputs.h"
#include "validation.h"

static const double amplitude = 0.05, modulus = 1e4, nu = 0.3, density = 1000.0;

enum { MARGIN = 3, EDGE = 2 }; /* cells of exact continuation, and empty ones outside of them */

typedef struct square {
  int cells, across; /* across the square; particles across a cell */
  double cell, dt;
  scene s;
} square;

typedef struct errors {
  double root_mean_square, most; /* of positions, over A */
} errors;

/* u, its derivatives by X and time along an axis at place X */
typedef struct motion {
  double u, stretch, slope_of_stretch; /* stretch: 1 + du/dX */
  double v, slope_of_v, a;
} motion;

static motion exact(int axis, double X, double t) {
  const double w = validation_pi * sqrt(modulus / density), k = 2.0 * validation_pi;
  const double size = axis == 0 ? amplitude : -amplitude;
  const double s = size * sin(k * X), c = size * k * cos(k * X);
  return (motion){.u = s * sin(w * t),
                  .stretch = 1.0 + c * sin(w * t),
                  .slope_of_stretch = -k * k * s * sin(w * t),
                  .v = w * s * cos(w * t),
                  .slope_of_v = w * c * cos(w * t),
                  .a = -w * w * s * sin(w * t)};
}

static double body_force(motion along, motion across) {
  const lame l = lame_parameters(modulus, nu);
  const double f2 = along.stretch * along.stretch;
  const double tangent =
      l.mu * (1.0 + 1.0 / f2) + l.lambda * (1.0 - log(along.stretch * across.stretch)) / f2;
  return along.a - tangent * along.slope_of_stretch / density;
}

/* where particle p was, along an axis: 0 to 1 inside the square */
static double reference(const square *q, int p, int axis) {
  const int side = q->across * (q->cells + 2 * MARGIN);
  const int i = axis == 0 ? p % side : p / side;
  return (i + 0.5) * q->cell / q->across - MARGIN * q->cell;
}

static double origin(const square *q) {
  return (MARGIN + EDGE) * q->cell;
}

static bool inside(const square *q, int p) {
  const double X = reference(q, p, 0), Y = reference(q, p, 1);
  return X > 0.0 && X < 1.0 && Y > 0.0 && Y < 1.0;
}

/* the exact state at time t */
static void put(square *q, int p, double t) {
  scene *s = &q->s;
  for (int a = 0; a < 2; a++) {
    const double X = reference(q, p, a);
    const motion now = exact(a, X, t), half = exact(a, X, t - 0.5 * q->dt);
    scene_at(s, CQ_INPUT_x)[2 * p + a] = origin(q) + X + now.u;
    scene_at(s, CQ_INPUT_v)[2 * p + a] = half.v;
    for (int b = 0; b < 2; b++) {
      scene_at(s, CQ_INPUT_F)[4 * p + 2 * a + b] = a == b ? now.stretch : 0.0;
      /* by the position before the step */
      scene_at(s, CQ_INPUT_C)[4 * p + 2 * a + b] =
          a == b ? half.slope_of_v / exact(a, X, t - q->dt).stretch : 0.0;
    }
  }
}

static void push(square *q, int p, double t) {
  const motion m[2] = {exact(0, reference(q, p, 0), t), exact(1, reference(q, p, 1), t)};
  for (int a = 0; a < 2; a++) {
    scene_at(&q->s, CQ_INPUT_v)[2 * p + a] += q->dt * body_force(m[a], m[1 - a]);
  }
}

/* position errors after `duration`/c */
static errors run(int cells, int across, double courant, double duration) {
  square q = {.cells = cells, .across = across, .cell = 1.0 / cells};
  scene *s = &q.s;
  const double sound = sqrt(modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / density);
  const double end = duration / sqrt(modulus / density);
  const int steps = (int)ceil(end * sound / (courant * q.cell));
  const int side = across * (cells + 2 * MARGIN);
  q.dt = end / steps;
  scene_make(s, 2, 64, cells + 1 + 2 * (MARGIN + EDGE), q.cell, q.dt, 1, side * side, 1);
  scene_open(s);
  validation_material(s, CQ_MATERIAL_neo_hookean, modulus, nu, density);
  scene_set_all(s, CQ_INPUT_volume, q.cell * q.cell / (across * across));
  for (int p = 0; p < s->model.n_particles; p++) {
    put(&q, p, 0.0);
  }
  for (int k = 0; k < steps; k++) {
    for (int p = 0; p < s->model.n_particles; p++) {
      if (k > 0 && !inside(&q, p)) {
        put(&q, p, k * q.dt);
      }
      push(&q, p, k * q.dt);
    }
    scene_forward(s);
    validation_continue(s);
  }
  errors e = {0.0, 0.0};
  for (int p = 0; p < s->model.n_particles; p++) {
    for (int a = 0; a < 2 && inside(&q, p); a++) {
      const double X = reference(&q, p, a), is = s->inputs[2 * p + a] - origin(&q) - X;
      const double error = fabs(is - exact(a, X, end).u) / amplitude;
      e.root_mean_square += error * error;
      e.most = fmax(e.most, error);
    }
  }
  e.root_mean_square = sqrt(e.root_mean_square / (2.0 * cells * cells * across * across));
  scene_close(s);
  return e;
}

/* cells from 8 on, doubled each time; orders[i] is that from e[i - 1] to e[i] */
static void refine(int across, double duration, int n, double *orders, FILE *table) {
  double before = NAN;
  for (int i = 0; i < n; i++) {
    const errors e = run(8 << i, across, 0.4, duration);
    orders[i] = log2(before / e.root_mean_square);
    before = e.root_mean_square;
    printf("  until %.2f/c, %d x %d particles a cell, %2d cells: rms %.2e A, most %.2e A, order "
           "%.2f\n",
           duration, across, across, 8 << i, e.root_mean_square, e.most, orders[i]);
    VALIDATION_ROW(table, "%.2f,%d,%d,%.4e,%.4e\n", duration, across, 8 << i, e.root_mean_square,
                   e.most);
    CHECK(e.root_mean_square < 0.03 && e.most < 0.06);
  }
}

/* Until a quarter of 1/c the square has moved by 1.1 cells of 32. */
static void test_second_order(void) {
  double orders[3];
  for (int across = 3; across <= 4; across++) {
    refine(across, 0.25, 3, orders, NULL);
    CHECK(orders[1] > 2.0 && orders[2] > 2.0);
  }
}

/* Later, and on finer grids, the error of sums over particles remains, above all with few. */
static void test_quadrature(void) {
  double orders[4];
  FILE *table = validation_table("validation_manufactured", "until,across,cells,rms,most");
  for (double duration = 0.25; duration < 0.6; duration *= 2.0) {
    for (int across = 2; across <= 4; across++) {
      refine(across, duration, 4, orders, table);
      CHECK(across == 2 || (orders[1] > 2.0 && orders[2] > 0.9));
    }
  }
  validation_close(table);
}

int main(int argc, char **argv) {
  validation_arguments(argc, argv);
  RUN(test_second_order);
  if (validation_long) {
    RUN(test_quadrature);
  }
  return TEST_RESULT();
}
